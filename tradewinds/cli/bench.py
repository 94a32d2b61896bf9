"""`tradewinds bench`: steps per second of the games, here and in other libraries."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

import tradewinds.envs as tw

from .output import BadInputError, JsonOption, Output, check_games

LARGEST = 1 << 20  # games in a batch
SIZES = "1,16,256,4096,16384"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="The games to measure; all if none is named.")] = None,
    seconds: Annotated[float, typer.Option(help="Seconds per round of one subject.")] = 0.3,
    rounds: Annotated[int, typer.Option(help="Rounds. Subjects alternate, and the median of the rounds is reported.")] = 5,
    sizes: Annotated[str, typer.Option(help="Batch sizes, separated by commas.")] = SIZES,
    baselines: Annotated[str, typer.Option(help="Other libraries to measure: all, none, or their names separated by commas.")] = "all",
    cold: Annotated[bool, typer.Option("--cold", help="Also time a compile with an empty cache, one to two minutes per game.")] = False,
    training: Annotated[
        bool,
        typer.Option("--training", help="Measure training instead, beside Stable-Baselines3, on the GAME or the shortest one."),
    ] = False,
    json_to: JsonOption = None,
) -> int:
    """Measure random legal play, memory and start-up; beside PettingZoo, OpenSpiel and Pgx where these are installed."""
    if training:
        if (sizes, baselines, cold) != (SIZES, "all", False):
            raise BadInputError("--sizes, --baselines and --cold do not apply to --training")
        return _training(games or [_shortest()], seconds, rounds, json_to)
    from tradewinds.benchmarks import bench, report
    from tradewinds.benchmarks.subjects import BASELINES

    settings = bench.Settings(
        rows=tuple(bench.rows(check_games(games or []))),
        seconds=_seconds(seconds),
        rounds=_rounds(rounds),
        sizes=_sizes(sizes),
        baselines=_baselines(baselines, list(BASELINES)),
        cold=cold,
    )
    return _measure(lambda progress: bench.run(settings, progress), report.show, json_to)


def _shortest() -> str:
    """The game whose random games are the shortest, of those that state it."""
    lengths = {name: min(steps.values()) for name in check_games([]) if (steps := tw.game(name).mean_steps)}
    return min(lengths, key=lambda name: lengths[name])


def _training(games: list[str], seconds: float, rounds: int, json_to: str | None) -> int:
    from tradewinds.benchmarks import report
    from tradewinds.benchmarks.training import run_training
    from tradewinds.envs.core.api.optional import MissingExtraError, need

    (game, *others) = check_games(games)
    if others:
        raise BadInputError("--training takes one game")
    try:
        need("a comparison of trainers", "train", "torch", "safetensors", "pydantic", "yaml", "stable_baselines3", "sb3_contrib")
    except MissingExtraError as error:
        raise BadInputError(str(error)) from None
    seconds, rounds = _seconds(seconds), _rounds(rounds)
    return _measure(lambda progress: run_training(game, seconds, rounds, progress), report.show_training, json_to)


def _measure(run: Callable[[Any], dict[str, Any]], show: Callable[[dict[str, Any], Any], None], json_to: str | None) -> int:
    from tradewinds.benchmarks.processes import ProcessError
    from tradewinds.benchmarks.report import Progress
    from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT

    if not JIT or BOUNDSCHECK:
        raise BadInputError("TRADEWINDS_JIT=0 and TRADEWINDS_BOUNDSCHECK=1 are for debugging and slow; unset them to measure speed")
    output = Output(json_to)
    try:
        with Progress(output.notes) as progress:
            result = run(progress)
    except ProcessError as error:
        output.notes.print(f"tradewinds: the benchmark failed: {error}")
        return 1
    show(result, output.tables)
    output.give(result)
    return 1 if result["failures"] else 0


def _seconds(seconds: float) -> float:
    return _within("--seconds", seconds, 0.001, 600)


def _rounds(rounds: int) -> int:
    return int(_within("--rounds", rounds, 1, 1000))


def _within(name: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:
        raise BadInputError(f"{name} must be from {low} to {high}, got {value}")
    return value


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = sorted({int(part) for part in text.split(",")})
    except ValueError:
        raise BadInputError(f"--sizes {text!r} is not a list of integers separated by commas, such as {SIZES}") from None
    if sizes[0] < 1 or sizes[-1] > LARGEST:
        raise BadInputError(f"--sizes {text!r}: a batch has 1 to {LARGEST} games")
    return tuple(sizes)


def _baselines(text: str, known: list[str]) -> tuple[str, ...]:
    if text in ("all", "none"):
        return tuple(known) if text == "all" else ()
    names = text.split(",")
    for name in names:
        if name not in known:
            raise BadInputError(f"there is no baseline {name!r}; --baselines is all, none, or some of {','.join(known)}")
    return tuple(dict.fromkeys(names))
