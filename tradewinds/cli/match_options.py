"""Shared by `evaluate` and `tournament`: options, running a schedule with a progress bar, and output."""

import contextlib
import csv
import dataclasses
import importlib.util
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from tradewinds.envs.core.api.optional import how_to_install
from tradewinds.envs.core.io.atomic import write_file

from .output import BadInputError, Output, check_writable

if TYPE_CHECKING:
    from tradewinds.training.evaluation.evaluate import AgentSummary, Summary
    from tradewinds.training.evaluation.runner import ScheduleResults
    from tradewinds.training.evaluation.schedule import Schedule

SHOWN_FAILURES = 5
FAILED, INTERRUPTED = 1, 130

PlayersOption = Annotated[int | None, typer.Option(help="Number of players; the default depends on the game.")]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same games.")]
GameOption = Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; may be repeated.")]
WorkersOption = Annotated[int | None, typer.Option(help="Worker processes, by default one per core; 0 plays in this process.")]
CsvOption = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Write one row per game to FILE, with the sources of each score.")
]
TimeLimitOption = Annotated[
    float, typer.Option(help="Seconds that an agent has per decision; one that takes longer loses the game. 0: no limit.")
]
IsolateOption = Annotated[
    bool, typer.Option("--isolate", help="Run each agent that does not come with Tradewinds in a process of its own, with limits.")
]
MemoryOption = Annotated[int, typer.Option("--memory-limit", metavar="MB", help="Memory of such a process.")]
RayOption = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT; --workers limits its tasks."),
]
TIME_LIMIT = 300.0
MEMORY_LIMIT = 4096
MAX_WORKERS = 1024

S = TypeVar("S", bound="Summary")


def game_options(game: str, given: Sequence[str], players: int | None) -> dict[str, Any]:
    """Parse `NAME=VALUE` settings into the options of a game.

    Raises:
        BadInputError: If the game or an option is unknown, or a value is invalid.
    """
    import tradewinds.envs as tw

    try:
        known = {option.name: option for option in tw.game(game).options}
    except ValueError as error:
        raise BadInputError(str(error)) from None
    options: dict[str, Any] = {} if players is None else {"players": players}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInputError(f"--option must be NAME=VALUE with a name of {', '.join(known)}; got {text!r}")
        if name in options:
            raise BadInputError(f"{name} is given twice")
        kind = type(known[name].default) if name in known else str
        options[name] = _value(kind, value)
    try:
        return tw.game(game).with_options(**options).options
    except ValueError as error:
        raise BadInputError(str(error)) from None


def _value(kind: type, text: str) -> Any:
    """Convert the text to this type. If that fails it stays a string, and the game's own check then refuses it."""
    if kind is bool:
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(text.lower(), text)
    if kind is int:
        with contextlib.suppress(ValueError):
            return int(text)
    return text


def check_libraries(*names: str, extra: str = "cli") -> None:
    """Check that the libraries of an extra are installed.

    Raises:
        BadInputError: One is missing; the message says how to install it.
    """
    for name in names:
        if importlib.util.find_spec(name) is None:
            raise BadInputError(f"this needs {name}: {how_to_install(extra)}")


def run_command(
    create_schedule: "Callable[[], Schedule]",
    summarize: "Callable[[Schedule, ScheduleResults], S]",
    show: Callable[[Output, S], None],
    *,
    title: str,
    games: int,
    workers: int | None,
    ray: str | None,
    folder: "Path | Callable[[Schedule], Path] | None",
    csv_to: Path | None,
    json_to: str | None,
) -> int:
    """Run `evaluate` or `tournament`: create a schedule, run it with a progress bar, summarise it, write and print the results.

    Returns:
        The exit code.
    """
    if workers is not None and not 0 <= workers <= MAX_WORKERS:
        raise BadInputError(f"--workers must be from 0 to {MAX_WORKERS}, got {workers}")
    if ray is not None:
        if workers == 0:
            raise BadInputError("--workers 0 plays in this process, not on a Ray cluster: leave out --workers or --ray")
        check_libraries("ray", extra="ray")
    check_writable("--csv", csv_to)
    try:
        schedule = dataclasses.replace(create_schedule(), sources=csv_to is not None)
    except ValueError as error:
        raise BadInputError(str(error)) from None
    output = Output(json_to)
    if callable(folder):
        folder = folder(schedule)
        output.notes.print(f"tradewinds: results are kept in {folder}", soft_wrap=True)
    if schedule.games != games:
        output.notes.print(f"tradewinds: {schedule.games} games instead of {games}, so that every seed is played once in each seat")
    run = _run_with_progress(output, schedule, title, workers, ray, folder)
    result = summarize(schedule, run)
    if csv_to is not None:
        _write_games(csv_to, schedule, run)
    show(output, result)
    _show_games(output.tables, result)
    for agent in result.summaries():
        if agent.fallbacks:
            what = f"{agent.fallbacks:,} decisions of {agent.agent} are its fallback's: the result is not the model's alone"
            output.notes.print(f"tradewinds: note: {what}", soft_wrap=True)
    output.give({**result.figures(), "folder": None if folder is None else str(folder)})
    return FAILED if result.failures else 0


def _run_with_progress(
    output: Output, schedule: "Schedule", title: str, workers: int | None, ray: str | None, folder: Path | None
) -> "ScheduleResults":
    """Run a schedule; errors end the command with one line and an exit code."""
    from tradewinds.agents.llm import LLMError
    from tradewinds.training.evaluation.runner import FolderError, run_schedule
    from tradewinds.training.evaluation.workers import WorkerError

    console = output.notes
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    progress = Progress(TextColumn("{task.description}"), *columns, console=console, transient=True, disable=not console.is_terminal)
    bar = progress.add_task(title, total=schedule.total_games)
    finished = 0

    def on_progress(games: int) -> None:
        nonlocal finished
        finished = games
        progress.update(bar, completed=games)

    def on_note(text: str) -> None:
        console.print(f"tradewinds: {text}", soft_wrap=True)

    try:
        # stdout is for the JSON object, whatever agents print; worker processes redirect theirs themselves.
        with progress, contextlib.redirect_stdout(sys.stderr):
            return run_schedule(schedule, workers, folder, on_progress, on_note, ray)
    except FolderError as error:
        raise BadInputError(str(error)) from None
    except WorkerError as error:
        kept = f"; {finished} of {schedule.total_games} games are kept, and the same command continues from there ({folder})"
        on_note(str(error) + (kept if folder is not None else ""))
        raise typer.Exit(FAILED) from None
    except LLMError as error:
        on_note(str(error))
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        how = "give a --folder to be able to continue" if folder is None else f"the same command continues from there ({folder})"
        on_note(f"interrupted after {finished} of {schedule.total_games} games; {how}")
        raise typer.Exit(INTERRUPTED) from None


def _write_games(path: Path, schedule: "Schedule", run: "ScheduleResults") -> None:
    """One row per game: who sat where, the result, and the sources of each score, blank where a kept game was played without --csv."""
    from tradewinds.envs.core.api.breakdown import breakdown
    from tradewinds.training.evaluation.results import UNKNOWN

    players, sources = schedule.variant.players, [*breakdown(schedule.variant.game, schedule.variant.blank[0])[0]]
    heads = ["match", "game", "seed", *(f"{what}_{seat}" for what in ("agent", "score", "rank") for seat in range(players))]
    points_heads = [f"{source}_{seat}" for seat in range(players) for source in sources]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([*heads, "decisions", "truncated", "failed", *points_heads])
    for match, results in enumerate(run.matches):
        failed = {failure.game: f"player_{failure.seat}: {failure.reason}" for failure in results.failures}
        for game, seat_assignment in enumerate(schedule.seat_assignments(match).tolist()):
            scores = [""] * players if game in failed else results.scores[game].tolist()
            names = [schedule.names[index] for index in seat_assignment]
            end = [int(results.lengths[game]), int(results.truncated[game]), failed.get(game, "")]
            points = [] if results.points is None else results.points[game].ravel().tolist()
            told = ["" if value == UNKNOWN else value for value in points] or [""] * len(points_heads)
            writer.writerow([match, game, int(schedule.seeds[game]), *names, *scores, *results.ranks[game].tolist(), *end, *told])
    write_file(path, text.getvalue().encode())


def agent_table(title: str, rows: "Sequence[tuple[AgentSummary, float | None, Sequence[float] | None]]") -> Table:
    """One row per agent with its win rate and interval. Columns of times and of fallbacks are left out if there are none."""
    table = Table(title=title, title_justify="left", caption_justify="left")
    timed = any(agent.decision_seconds["mean"] is not None for agent, _, _ in rows)
    times = ["time per decision", "slowest"] if timed else []
    by_fallbacks = any(agent.fallbacks for agent, _, _ in rows)
    counts = ["failures", "by fallback"] if by_fallbacks else ["failures"]
    for heading in ("agent", "win rate", "95% interval", "mean score", "margin", "rating", *times, *counts):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for agent, win_rate, ci in rows:
        table.add_row(
            agent.agent,
            "" if win_rate is None else f"{win_rate:.1%}",
            "" if ci is None else f"{ci[0]:.1%} to {ci[1]:.1%}",
            "" if agent.mean_score is None else f"{agent.mean_score:.1f}",
            "" if agent.mean_margin is None else f"{agent.mean_margin:+z.1f}",
            f"{agent.rating['mu']:.1f} ± {2 * agent.rating['sigma']:.1f}",
            *([_duration(agent.decision_seconds[which]) for which in ("mean", "slowest")] if timed else []),
            str(agent.failures),
            *([f"{agent.fallbacks:,} decisions"] if by_fallbacks else []),
        )
    return table


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _show_games(console: Console, result: "Summary") -> None:
    """One line about the games, and the first failures."""
    steps = result.decisions
    facts = [f"{steps['mean']:.0f} env steps per game ({steps['shortest']} to {steps['longest']})", f"{result.truncated} truncated"]
    if result.games_per_second is not None:
        where = "this process" if result.workers == 0 else f"{result.workers} worker process{'es' if result.workers > 1 else ''}"
        facts.append(f"{result.seconds:.1f} s of play in {where}, {result.games_per_second:,.0f} games per second")
    console.print("; ".join(facts))
    if result.failures:
        console.print(f"{len(result.failures)} games were lost by an agent that failed:", style="bold red")
    for failure in result.failures[:SHOWN_FAILURES]:
        where = f"game {failure['game']}, seed {failure['seed']}, player_{failure['seat']}, decision {failure['decision']}"
        replay = f"; replay: {failure['replay']}" if failure["replay"] else ""
        console.print(f"  {failure['agent']} ({failure['kind']}): {failure['reason']} [{where}{replay}]", soft_wrap=True)
    if len(result.failures) > SHOWN_FAILURES:
        console.print(f"  ... and {len(result.failures) - SHOWN_FAILURES} more; --json lists them all")
