"""`tradewinds benchmark`: an agent through a fixed suite of tasks, and the check of a result file."""

import contextlib
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tradewinds.envs.core.io.atomic import write_file

from . import match_options as c
from .output import BadInputError, JsonOption, Output, check_writable, find_own_agents

SHOWN_FAILURES = 5
FAILED, INTERRUPTED = 1, 130


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("benchmark")(benchmark)


def benchmark(
    agent: Annotated[str | None, typer.Option(help="The agent: random, scripted, search:1000, net:PATH, package.module:Class.")] = None,
    suite: Annotated[str, typer.Option(help="quick: the default set-ups, minutes; full: all player counts and expansions.")] = "quick",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The result file; it must not exist yet.")] = None,
    verify: Annotated[Path | None, typer.Option(metavar="FILE", help="Check a result file and play some of its games again.")] = None,
    replays: Annotated[int, typer.Option(help="Games that --verify plays again.")] = 24,
    workers: c.WorkersOption = None,
    ray: c.RayOption = None,
    folder: Annotated[Path | None, typer.Option(help="Where games are kept; the same command continues from there.")] = None,
    json_to: JsonOption = None,
) -> int:
    """Play an agent through a fixed suite against fixed opponents and give it a score: random has 0, scripted 100."""
    c.check_libraries("openskill")
    from tradewinds.training.benchmark import suites as b
    from tradewinds.training.benchmark.files import text_of

    find_own_agents(agent)
    if verify is not None:
        return _verify(verify, agent, replays, Output(json_to))
    if agent is None:
        raise BadInputError("name an agent with --agent, or a result file with --verify")
    if workers is not None and not 0 <= workers <= c.MAX_WORKERS:
        raise BadInputError(f"--workers must be from 0 to {c.MAX_WORKERS}, got {workers}")
    if ray is not None:
        c.check_libraries("ray", extra="ray")
    if suite not in b.SEEDS:
        raise BadInputError(f"--suite must be {' or '.join(b.SEEDS)}, got {suite!r}")
    out = out or Path(b.file_name(agent, suite))
    if out.exists():
        raise BadInputError(f"{out} exists already: give another --out, or remove it")
    folder = folder or Path("runs") / "benchmark" / out.stem
    check_writable("--out", out)
    output = Output(json_to)
    result = _run(output, agent, suite, workers, ray, folder)
    try:
        write_file(out, text_of(result).encode())
    except OSError as error:
        raise BadInputError(f"--out {out}: {error.strerror}") from None
    show(output, result)
    output.notes.print(f"tradewinds: the result is {out}; check it with: {_check_command(out, agent)}", soft_wrap=True)
    output.give(figures(result))
    return FAILED if result["failures"] else 0


def _check_command(out: Path, agent: str) -> str:
    from tradewinds.agents.registry import AgentError, check_named_in_file

    command = ["tradewinds", "benchmark", "--verify", str(out)]
    try:
        check_named_in_file(agent, out)
    except AgentError:  # --verify takes it from the command line only
        command += ["--agent", agent]
    return shlex.join(command)


def _run(output: Output, agent: str, suite: str, workers: int | None, ray: str | None, folder: Path) -> dict[str, Any]:
    from tradewinds.training.benchmark import suites as b
    from tradewinds.training.evaluation.runner import FolderError
    from tradewinds.training.evaluation.workers import WorkerError

    console = output.notes
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    bar = progress.add_task("", total=sum(task.games for task in b.tasks(suite)))
    games_of = {task.id: task.games for task in b.tasks(suite)}
    before, current = 0, ""

    def on_task(task: str, number: int, count: int) -> None:
        nonlocal before, current
        if number == 1:
            on_note(f"games are kept in {folder}")
        before, current = before + games_of.get(current, 0), task
        progress.update(bar, description=f"{number}/{count} {task}")

    def on_note(text: str) -> None:
        console.print(f"tradewinds: {text}", soft_wrap=True)

    try:
        # stdout is for the JSON object, whatever agents print
        with progress, contextlib.redirect_stdout(sys.stderr):
            return b.run(
                agent,
                suite,
                workers=workers,
                ray=ray,
                folder=folder,
                on_task=on_task,
                on_progress=lambda games: progress.update(bar, completed=before + games),
                on_note=on_note,
            )
    except (FolderError, ValueError) as error:
        raise BadInputError(str(error)) from None
    except (WorkerError, RuntimeError) as error:
        on_note(str(error))
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        on_note(f"interrupted; the same command continues from there ({folder})")
        raise typer.Exit(INTERRUPTED) from None


def figures(result: dict[str, Any]) -> dict[str, Any]:
    """A result without its games, for the terminal and `--json`."""
    kept = ("task", "games", "win_rate", "ci95", "mean_margin", "failures")
    return {**result, "tasks": [{name: task[name] for name in kept} for task in result["tasks"]]}


def show(output: Output, result: dict[str, Any]) -> None:
    """Print the scores by set-up, with the win rate against each opponent, and the first failures."""
    from tradewinds.training.benchmark.suites import OPPONENTS, score_cells

    rates = {task["task"]: task["win_rate"] for task in result["tasks"]}
    title = f"{result['agent']}, suite {result['suite']} version {result['version']}: win rate by opponent, and score"
    table = Table(title=title, title_justify="left")
    table.add_column("set-up", no_wrap=True)
    for heading in (*OPPONENTS, "score", "95% interval"):
        table.add_column(heading, justify="right")
    for set_up, figure in result["set_ups"].items():
        table.add_row(set_up, *(f"{rates[f'{set_up}/{opponent}']:.1%}" for opponent in OPPONENTS), *score_cells(figure))
    table.add_section()
    table.add_row("all", *("" for _ in OPPONENTS), *score_cells(result), style="bold")
    output.tables.print(table)
    if result["score"] is None:
        output.tables.print(f"no score: results of random and scripted in suite {result['suite']} do not come with this version")
    if result["failures"]:
        output.tables.print(f"{result['failures']} games were lost because {result['agent']} failed:", style="bold red")
    failures = [(task["task"], failure) for task in result["tasks"] for failure in task["failures"]]
    for task, failure in failures[:SHOWN_FAILURES]:
        output.tables.print(f"  {task}, game {failure['game']} ({failure['kind']}): {failure['reason']}", soft_wrap=True)


def _verify(path: Path, agent: str | None, replays: int, output: Output) -> int:
    from tradewinds.training.benchmark import files
    from tradewinds.training.benchmark.suites import source_fingerprint

    if replays < 1:
        raise BadInputError(f"--replays must be a positive integer, got {replays}")
    console = output.notes
    columns = (TextColumn("games played again"), BarColumn(), MofNCompleteColumn())
    replayed = 0
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("")

        def on_progress(done: int, count: int) -> None:
            nonlocal replayed
            replayed = done
            progress.update(bar, completed=done, total=count)

        try:
            result = files.verify(path, agent, replays, on_progress)
        except OSError as error:
            raise BadInputError(f"{path}: {error.strerror}") from None
        except files.ResultError as error:
            console.print(f"tradewinds: refused: {error}", soft_wrap=True)
            raise typer.Exit(FAILED) from None
    show(output, result)
    if result["provenance"].get("sources") != source_fingerprint():
        console.print("tradewinds: it was made with other sources of Tradewinds than those installed here", soft_wrap=True)
    played = f"{replayed} of them replayed" if replayed else "none of them was replayed, as the agent failed in all"
    console.print(f"tradewinds: {path} is valid: its figures follow from its games, and {played}", soft_wrap=True)
    output.give(figures(result))
    return 0
