"""Stepping through a game in the terminal: a replay, or a game that agents are playing."""

import sys
import time
from collections.abc import Callable

from rich.console import Console

from tradewinds.agents.table import Table

from .labels import log_lines
from .paint import Painter
from .prompt import Prompt
from .session import show_places

HELP = """\
  Enter, n  the next position
  p         the previous position
  NUMBER    the position after that many decisions
  t         the next position where another seat decides
  r         the next decision of the seat to move, after others have moved
  e         the end
  q         quit"""


class Viewer:
    """Shows a table's game. `viewer` is the seat whose knowledge is shown, or None to hide nothing."""

    def __init__(self, table: Table, viewer: int | None, moves_only: bool, console: Console) -> None:
        self.table = table
        self.viewer = viewer
        self.moves_only = moves_only
        self.painter = Painter(console, table.env.game)
        self.at = 0  # decisions before the position that is shown

    def advance_to(self, at: int) -> bool:
        """Whether the position after `at` decisions exists. Agents play until it does or the game is over."""
        while len(self.table.history.moves) < at and not self.is_complete:
            self.table.let_agent_play()
        return at <= len(self.table.history.moves)

    @property
    def is_complete(self) -> bool:
        """Whether no more positions follow: the game is over, or the replay ends here."""
        return self.table.is_over or self.table.agents[self.table.seat] is None

    def run(self, delay: float) -> None:
        """Show all positions, with a pause of `delay` seconds between them."""
        self.show()
        while self.advance_to(self._next()):
            time.sleep(delay)
            self.at = self._next()
            self.show()
        self.show_end()

    def steer(self) -> None:
        """Step through the positions by keys, until q or the end of the input."""
        prompt = Prompt()
        steps: dict[str, Callable[[], int]] = {
            "": self._next,
            "n": self._next,
            "p": self._previous,
            "t": lambda: self._until(lambda seat, left: seat != self._seat(self.at)),
            "r": lambda: self._until(lambda seat, left: left and seat == self._seat(self.at)),
            "e": lambda: self._until(lambda seat, left: False),
        }
        self.show()
        while True:
            try:
                line = prompt.ask(f"[{self.at}] Enter, p, NUMBER, q; ? lists all keys > ", ()).lower()
            except EOFError:
                return
            if line == "q":
                return
            if line == "?":
                self._say(HELP)
            elif line in steps or line.isdecimal():
                self._go(steps[line]() if line in steps else int(line))
            else:
                self._say(f"{line!r} is not a key; ? lists them", "yellow")

    def _go(self, at: int) -> None:
        if at < 0:
            self._say("this is the first position", "yellow")
        elif not self.advance_to(at):
            self._say(f"the last position is {len(self.table.history.moves)}", "yellow")
        else:
            self.at = at
            self.show()
            if self.table.is_over and at == len(self.table.history.moves):
                self.show_end()

    def _next(self) -> int:
        """The next position at which the viewer learns something: secret decisions of others are skipped."""
        at = self.at + 1
        while self.advance_to(at + 1) and not self._news(at):
            at += 1
        return at

    def _previous(self) -> int:
        at = self.at - 1
        while at > 0 and not self._news(at):
            at -= 1
        return at

    def _news(self, at: int) -> list[str]:
        """The log lines of the decision before this position, as the viewer sees them."""
        return log_lines(self.table.history.lines(self.viewer, at - 1, at), None) if at else ["the set-up"]

    def _seat(self, at: int) -> int:
        return int(self.table.history.positions[at][0].seat)

    def _until(self, wanted: Callable[[int, bool], bool]) -> int:
        """The next position where `wanted(seat to move, whether another seat has moved since)` holds; else the last."""
        at, left = self.at + 1, False
        while self.advance_to(at):
            seat = self._seat(at)
            if wanted(seat, left):
                return at
            left = left or seat != self._seat(self.at)
            at += 1
        return at - 1

    def show(self) -> None:
        """Print the current position, below the moves that led to it; with `moves_only` the moves alone."""
        if self.moves_only:
            for line in self._news(self.at) if self.at else []:
                self._say(f"{self.at:>5}  {line}")
            return
        last = f" of {len(self.table.history.moves)}" if self.is_complete else ""
        self._say(f"--- position {self.at}{last}: {'; '.join(self._news(self.at))}", "cyan")
        self.painter.board(self.table.history.board(self.at, self.viewer))

    def show_end(self) -> None:
        """The standings, or a note that the replay stops before the end of the game."""
        if self.table.is_over:
            show_places(self.table, None, self.painter)
        else:
            self._say(f"the replay ends here, after {len(self.table.history.moves)} decisions; the game is not over")

    def _say(self, text: str, style: str = "") -> None:
        self.painter.say(text, style)


def is_interactive() -> bool:
    """Whether a person sits at both ends: neither stdin nor stdout is a pipe or a file."""
    return sys.stdin.isatty() and sys.stdout.isatty()
