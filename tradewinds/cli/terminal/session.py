"""One person's game against agents in the terminal."""

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from tradewinds.agents import Agent
from tradewinds.agents.hints import opinion
from tradewinds.agents.registry import can_be_named_in_file
from tradewinds.agents.table import AgentFailedError, Table
from tradewinds.envs.text import rules

from ..output import BadInputError
from .labels import Choice, log_lines, matching, menu, ordered, who
from .paint import Painter
from .prompt import Prompt
from .seating import agent_of

RATED = 4  # actions that a hint rates
NEAR = 8  # names that a message lists
DONE, FAILED, INTERRUPTED = 0, 1, 130
HELP = """\
Choose by number, by name, or by a part of the name that no other choice has. Tab completes names.
  h, hint       what the hint agent would play
  u, undo       return to your previous decision; can be repeated
  b, board      show the board
  l, log        everything that has happened and that you may know
  r, rules      how the game is played, on one page
  i, info NAME  what a building, a role or another piece does
  s, save FILE  write the replay so far to FILE
  q, quit       stop; the replay is kept
  ?, help       this text
An empty line lists the choices."""


class Stop(Exception):  # noqa: N818 - not an error
    """The person quits."""


class Person:
    """Shows a person what their seat may know, and reads their choices and commands."""

    def __init__(self, table: Table, seat: int, hint: str, path: Path, console: Console) -> None:
        self.table = table
        self.seat = seat
        self.hint_code = hint
        self.path = path
        self.console = console
        self.painter = Painter(console, table.env.game)
        self.prompt = Prompt()
        self.decisions: list[bytes] = []  # the game at each of the person's decisions, for undo
        self._shown = 0  # decisions of the history that have been printed
        self._hint_agent: Agent | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "h": self._hint,
            "u": self._undo,
            "b": lambda _: self._show_board(),
            "l": self._log,
            "r": self._rules,
            "i": self._info,
            "s": self._save,
            "q": self._quit,
            "?": lambda _: self._say(HELP),
        }
        self._words = {"hint": "h", "undo": "u", "board": "b", "log": "l", "rules": "r", "info": "i", "save": "s", "quit": "q", "help": "?"}

    def remember(self) -> None:
        """Record a position of a resumed game, so that undo can return to it. Call this at each position."""
        if self.table.seat == self.seat and not self.table.is_over:
            self.decisions.append(self.table.env.save())
        self._shown = len(self.table.history.moves)

    def play(self) -> int:
        """Play until the game ends or the person quits. The replay is always written.

        Returns:
            The exit code.
        """
        try:
            while not self.table.is_over:
                if self.table.seat == self.seat:
                    self._decide()
                else:
                    self.table.let_agent_play()
                self._print_news()
            self._end()
            return DONE
        except (Stop, EOFError):
            self._stopped("stopped")
            return DONE
        except KeyboardInterrupt:
            self._stopped("\ninterrupted")
            return INTERRUPTED
        except AgentFailedError as error:
            self._say(str(error), "red")
            self._stopped("the game cannot continue")
            return FAILED

    def _say(self, text: str, style: str = "") -> None:
        self.painter.say(text, style)

    def _print_news(self) -> None:
        """Print new actions, once the player who made them has no further one in a row."""
        table, moves = self.table, self.table.history.moves
        if table.is_over or table.seat == self.seat or table.seat != moves[-1][0].seat:
            self._print_log(self._shown)
            self._shown = len(moves)

    def _print_log(self, first: int) -> None:
        for line in log_lines(self.table.history.lines(self.seat, first), self.seat):
            self._say(line, "cyan")

    def _decide(self) -> None:
        """Prompt until the position changes, by a choice or by undo."""
        saved = self.table.env.save()
        if not self.decisions or self.decisions[-1] != saved:
            self.decisions.append(saved)
        self._show_board()
        self._show_choices()
        before = len(self.table.history.moves)
        while len(self.table.history.moves) == before:
            choices = self._choices()
            line = self.prompt.ask("choice> ", [*(choice.text for choice in choices), *self._words])
            self._obey(line, choices)

    def _choices(self) -> list[Choice]:
        env = self.table.env
        view = env.view(env.agent_selection)
        found = [Choice(action, env.describe(action), env.game.in_words(view, self.seat, action)) for action in env.legal_actions()]
        return ordered(found)

    def _obey(self, line: str, choices: list[Choice]) -> None:
        """Handle one line of input: a command or a choice. Anything else is explained and changes nothing."""
        word, _, rest = line.partition(" ")
        command = self._words.get(word.lower(), word.lower())
        if not line:
            self._show_choices()
        elif command in self._commands and (not rest or command in "si") and line not in {choice.name for choice in choices}:
            self._commands[command](rest.strip())
        elif line.isdecimal():
            if 1 <= int(line) <= len(choices):
                self._choose(choices[int(line) - 1])
            else:
                self._explain(f"there is no choice {line}; the choices are 1 to {len(choices)}")
        else:
            self._choose_by_name(line, choices)

    def _choose_by_name(self, line: str, choices: list[Choice]) -> None:
        found = matching(line, [choice.name for choice in choices]) or matching(line, [choice.text for choice in choices])
        if len(found) == 1:
            self._choose(choices[found[0]])
        elif found:
            listed = "; ".join(f"{at + 1}  {choices[at].text}" for at in found[:NEAR])
            more = f"; and {len(found) - NEAR} more" if len(found) > NEAR else ""
            self._explain(f"{line!r} may mean {len(found)} choices: {listed}{more}")
        else:
            names = self.table.env.game.actions.names
            elsewhere = matching(line, names)
            not_now = f"{names[elsewhere[0]]!r} is not possible now" if len(elsewhere) == 1 else f"no choice has {line!r} in its name"
            self._explain(f"{not_now}; Enter lists the choices, ? the commands")

    def _explain(self, text: str) -> None:
        self._say(text, "yellow")

    def _choose(self, choice: Choice) -> None:
        self.table.play(choice.action)
        if not self._keep():  # after every choice, so that a killed game can be resumed
            self._explain("the game goes on, and is written again after your next choice")

    # Commands

    def _show_board(self) -> None:
        self.painter.board("\n" + self.table.history.board(len(self.table.history.moves), self.seat))

    def _show_choices(self) -> None:
        for line in menu([choice.text for choice in self._choices()], self.console.width):
            self._say(line)

    def _rules(self, _: str) -> None:
        for line in rules(self.table.env.game).replace("\n  ", " ").splitlines():
            self._say(line)
        self._say("info NAME says what a piece does." if self.table.env.game.glossary else "")

    def _info(self, name: str) -> None:
        glossary = self.table.env.game.glossary
        titles = list(glossary)
        found = matching(name, titles) if name else []
        if not glossary:
            self._explain(f"{self.table.env.game.title} has no descriptions of its pieces")
        elif not name:
            self._explain(f"info needs a name: {', '.join(titles)}")
        elif not found:
            self._explain(f"nothing is called {name!r}; there is: {', '.join(titles)}")
        for at in found[:NEAR]:
            self._say(f"{titles[at]}: {glossary[titles[at]]}")

    def _hint(self, _: str) -> None:
        choices = self._choices()
        number = {choice.action: at for at, choice in enumerate(choices, 1)}
        try:
            if self._hint_agent is None:
                self._hint_agent = agent_of(self.hint_code, self.table.env.variant)
            found = opinion(self._hint_agent, self.table.env)
            if found.action not in number:
                raise ValueError(f"{self.table.env.describe(found.action)!r} is not legal")
        except BadInputError as error:
            self._explain(str(error))
        except Exception as error:  # it is only a hint
            self._explain(f"no hint: {self.hint_code} failed: {type(error).__name__}: {error}")
        else:
            best = number[found.action]
            self._say(f"{self.hint_code} would play {best}  {choices[best - 1].text}", "bold green")
            for rating in found.ratings[:RATED]:
                at = number[rating.action]
                self._say(f"  {rating.text:>14}  {at}  {choices[at - 1].text}")
            if found.why:
                self._say(f"  Why: {found.why}.")

    def _undo(self, _: str) -> None:
        if len(self.decisions) < 2:
            self._explain("this is your first decision: there is nothing to take back")
            return
        self.decisions.pop()
        self.table.load(self.decisions[-1])
        self._shown = len(self.table.history.moves)
        self._explain("taken back")

    def _log(self, _: str) -> None:
        if self.table.history.moves:
            self._print_log(0)
        else:
            self._say("nothing has happened yet")

    def _save(self, rest: str) -> None:
        if not rest:
            self._explain("save needs the name of a file, as in: save game.jsonl")
            return
        try:
            self.table.save(Path(rest).expanduser())
        except OSError as error:
            self._explain(f"{rest} cannot be written: {error.strerror}")
        else:
            self._say(f"saved to {rest}")

    def _quit(self, _: str) -> None:
        raise Stop

    # The end

    def _keep(self) -> bool:
        """Write the replay. A full disk must not end the game."""
        try:
            self.table.save(self.path)
        except OSError as error:
            self._explain(f"{self.path} cannot be written: {error.strerror or error}")
            return False
        return True

    def _stopped(self, how: str) -> None:
        count = len(self.table.history.moves)
        if not self._keep():
            self._say(f"{how} after {count} decisions")
            return
        codes = [name for seat, name in enumerate(self.table.names) if seat != self.seat]
        # `--resume` does not take every agent from a file; those the command names itself.
        again = "" if all(can_be_named_in_file(code, self.path) for code in codes) else f" --opponents {','.join(codes)}"
        command = f"tradewinds play --resume {self.path}{again}"
        self._say(f"{how} after {count} decisions; the replay is {self.path}. Continue with: {command}")

    def _end(self) -> None:
        self._show_board()
        show_places(self.table, self.seat, self.painter)
        if self._keep():
            self._say(f"the replay is {self.path}")


def show_places(table: Table, me: int | None, painter: Painter) -> None:
    """Print the final standings, the winners first."""
    if table.is_truncated:
        painter.say("the game was truncated and is scored as it stands")
    for place in table.places():
        name = f"{who(place.seat, me)} ({table.names[place.seat]})" if place.seat != me else "you"
        painter.say(f"{place.rank}. {name}: {place.score}", "bold")
