"""What `evaluate` and `tournament` have in common: options, progress, and how figures are written."""

import contextlib
import csv
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .output import BadInputError, Output

if TYPE_CHECKING:
    from tradewinds.training.evaluation.evaluate import Standing
    from tradewinds.training.evaluation.match_runner import Played
    from tradewinds.training.evaluation.schedule import Plan

SHOWN_FAILURES = 5
FAILED, INTERRUPTED = 1, 130

PlayersOption = Annotated[int | None, typer.Option(help="How many play; the game's own default without.")]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same games.")]
GameOption = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; may be repeated.")]
WorkersOption = Annotated[int | None, typer.Option(help="Processes that play, by default one a core; 0 plays in this one.")]
CsvOption = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write one row a game to FILE.")]
TimeLimitOption = Annotated[
    float,
    typer.Option(
        help="Seconds that an agent has for a decision. One that takes longer loses the game, and its process is ended. 0: no limit."
    ),
]
TIME_LIMIT = 300.0
MOST_WORKERS = 1024


def game_options(game: str, given: Sequence[str], players: int | None) -> dict[str, Any]:
    """The options of a game from `name=value` texts; what is not possible is refused."""
    import tradewinds.envs as tw

    try:
        known = {option.name: option for option in tw.game(game).options}
    except ValueError as error:
        raise BadInputError(str(error)) from None
    options: dict[str, Any] = {} if players is None else {"players": players}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInputError(f"--option {text!r} is not possible; it is NAME=VALUE with a name of {', '.join(known)}")
        if name in options:
            raise BadInputError(f"{name} is given twice")
        kind = type(known[name].default) if name in known else str
        options[name] = _value(kind, value)
    try:
        return tw.game(game).with_options(**options).options
    except ValueError as error:
        raise BadInputError(str(error)) from None


def _value(kind: type, text: str) -> Any:
    """The text as a value of an option; a text that is none stays one, and is refused by the game, which says what is possible."""
    if kind is bool:
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(text.lower(), text)
    if kind is int:
        with contextlib.suppress(ValueError):
            return int(text)
    return text


def check_libraries(*names: str) -> None:
    for name in names:
        if importlib.util.find_spec(name) is None:
            raise BadInputError(f"this needs {name}: pip install 'tradewinds[cli]'")


def check_workers(workers: int | None) -> None:
    if workers is not None and not 0 <= workers <= MOST_WORKERS:
        raise BadInputError(f"--workers {workers} is not possible; it is from 0 to {MOST_WORKERS}")


def check_writable(option: str, path: Path | None) -> None:
    """Fail before a long run, not after it."""
    if path is None:
        return
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise BadInputError(f"{option} {path}: {error.strerror}") from None


class Watch:
    """A progress bar, and notes above it."""

    def __init__(self, console: Console, title: str, total: int) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        self._progress = Progress(
            TextColumn("{task.description}"), *columns, console=console, transient=True, disable=not console.is_terminal
        )
        self._bar = self._progress.add_task(title, total=total)
        self.games = 0

    def __enter__(self) -> "Watch":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def progress(self, games: int) -> None:
        self.games = games
        self._progress.update(self._bar, completed=games)

    def note(self, text: str) -> None:
        self._progress.console.print(f"tradewinds: {text}", soft_wrap=True)


def play(output: Output, plan: "Plan", asked: int, title: str, workers: int | None, folder: Path | None) -> "Played":
    """Play the plan, watched; what goes wrong ends the command with a line and an exit code."""
    from tradewinds.training.evaluation.match_runner import run
    from tradewinds.training.evaluation.results_store import FolderError
    from tradewinds.training.evaluation.workers import WorkerError

    if plan.games != asked:
        output.notes.print(f"tradewinds: {plan.games} games instead of {asked}, so that every seed is played once in each seat")
    watch = Watch(output.notes, title, plan.total)
    try:
        # stdout is for the JSON object, whatever agents print; a worker process sees to it by itself.
        with watch, contextlib.redirect_stdout(sys.stderr):
            return run(plan, workers, folder, watch.progress, watch.note)
    except FolderError as error:
        raise BadInputError(str(error)) from None
    except WorkerError as error:
        output.notes.print(f"tradewinds: {error}", soft_wrap=True)
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        how = "give a --folder to be able to go on" if folder is None else f"the same command goes on from there ({folder})"
        output.notes.print(f"tradewinds: interrupted after {watch.games} of {plan.total} games; {how}", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None


def write_games(path: Path, plan: "Plan", played: "Played") -> None:
    """One row a game: who sat where, and what came out."""
    players = plan.variant.players
    heads = ["match", "game", "seed", *(f"{what}_{seat}" for what in ("agent", "score", "rank") for seat in range(players))]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*heads, "decisions", "truncated", "failed"])
        for match, results in enumerate(played.results):
            failed = {failure.game: f"player_{failure.seat}: {failure.reason}" for failure in results.failures}
            for game, seat_assignment in enumerate(plan.seat_assignments(match).tolist()):
                scores = [""] * players if game in failed else results.scores[game].tolist()
                names = [plan.names[number] for number in seat_assignment]
                end = [int(results.lengths[game]), int(results.truncated[game]), failed.get(game, "")]
                writer.writerow([match, game, int(plan.seeds[game]), *names, *scores, *results.ranks[game].tolist(), *end])


def percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def interval(ci: Sequence[float]) -> str:
    return f"{ci[0]:.1%} to {ci[1]:.1%}"


def number(value: float | None, form: str = ".1f") -> str:
    return "" if value is None else format(value, form)


def duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def facts(decisions: dict[str, float], truncated: int, seconds: float, games_per_second: float | None, workers: int) -> str:
    """One line about the games themselves."""
    parts = [f"{decisions['mean']:.0f} decisions a game ({decisions['shortest']} to {decisions['longest']})", f"{truncated} truncated"]
    if games_per_second is not None:
        parts.append(
            f"{seconds:.1f} s of play in {f'{workers} processes' if workers else 'this process'}, {games_per_second:,.0f} games a second"
        )
    return "; ".join(parts)


def rating(standing: "Standing") -> str:
    return f"{standing.rating['mu']:.1f} ± {2 * standing.rating['sigma']:.1f}"


def show_failures(console: Console, failures: Sequence[dict[str, Any]]) -> None:
    if not failures:
        return
    console.print(f"{len(failures)} games were lost by an agent that failed:", style="bold red")
    for failure in failures[:SHOWN_FAILURES]:
        where = f"game {failure['game']}, seed {failure['seed']}, player_{failure['seat']}, decision {failure['decision']}"
        replay = f"; replay: {failure['replay']}" if failure["replay"] else ""
        console.print(f"  {failure['agent']} ({failure['kind']}): {failure['reason']} [{where}{replay}]", soft_wrap=True)
    if len(failures) > SHOWN_FAILURES:
        console.print(f"  ... and {len(failures) - SHOWN_FAILURES} more; --json lists them all")
