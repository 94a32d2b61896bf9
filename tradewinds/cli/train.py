"""`tradewinds train`: self-play PPO from a config."""

import importlib.util
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradewinds.envs.core.api.optional import how_to_install

from .output import BadInputError, JsonOption, Output, check_games

if TYPE_CHECKING:
    from tradewinds.training.train import Reporter

MODULES = {"yaml": "PyYAML"}  # where a library's name is another
INTERRUPTED = 130
NEEDED = ("torch", "safetensors", "pydantic", "yaml", "tensorboard", "matplotlib", "openskill")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("train")(train)


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game to learn.")],
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="A YAML file, or the name of one in configs/; by default the game's own, or one that fits any game.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change a key of the config, for example ppo.learning_rate=0.0003; may be repeated."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="The run's folder in --runs; by default the config's name.")] = None,
    runs: Annotated[Path, typer.Option("--runs", help="Where runs are kept.")] = Path("runs"),
    resume: Annotated[bool, typer.Option("--resume", help="Continue a run from its last checkpoint.")] = False,
    own_agents: Annotated[
        bool, typer.Option("--own-agents", help="Let the config name agents that do not come with Tradewinds, and networks elsewhere.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Expert iteration: worker processes for games, by default one per core; 0: none.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option("--ray", metavar="ADDRESS", help="Expert iteration: play games on a Ray cluster: auto, HOST:PORT.")
    ] = None,
    json_to: JsonOption = None,
) -> int:
    """Train a network by self-play PPO. It starts as the game's bot, from scratch, or from behaviour cloning, as the config says.

    With `expert.generations` in the config (--config expert), games of a search teach it instead.

    Ctrl-C saves the run, and --resume continues it. The network of a run plays as net:RUN.
    """
    check_games([game])
    missing = [MODULES.get(module, module) for module in NEEDED if importlib.util.find_spec(module) is None]
    if missing:
        raise BadInputError(f"training needs {', '.join(missing)}: {how_to_install('train')}")
    from tradewinds.agents import AgentError
    from tradewinds.training import progress as display
    from tradewinds.training import run_dir as folders
    from tradewinds.training import train as training
    from tradewinds.training.config import ConfigError

    output = Output(json_to)
    try:
        run = _open(game, config, settings or [], name, runs, resume, own_agents, workers is not None or ray is not None)
        output.notes.print(f"run: {run.folder}")
        try:
            if run.config.expert.generations:
                with _reporter(output) as report:
                    _train_expert(run, report, workers, ray)
            else:
                with display.Display(output.notes) as shown:
                    training.train(run, shown)
            with _reporter(output) as report:
                results = training.final_results(run.folder, run.config, report)
        except training.InterruptedRunError as error:
            again = [
                "tradewinds",
                "train",
                game,
                "--runs",
                str(runs),
                "--name",
                run.folder.name,
                "--resume",
                *["--own-agents"] * own_agents,
            ]
            output.notes.print(
                f"tradewinds: interrupted; saved {error.checkpoint}. Continue with: {shlex.join(again)}", soft_wrap=True, highlight=False
            )
            return INTERRUPTED
        except folders.RunError as error:
            output.notes.print(f"tradewinds: {error}", soft_wrap=True)
            return 1
        finally:
            run.close()
    except (ConfigError, AgentError, folders.RunError) as error:
        raise BadInputError(str(error)) from None
    variant = run.config.variant()
    output.tables.print(display.table_of(f"{variant.game.title}: the network of {run.folder}", results))
    if not run.config.expert.generations:
        output.tables.print(f"learning curve: {(run.folder / 'curve.png').resolve()}", soft_wrap=True)
    output.tables.print(f"play it as net:{run.folder}", soft_wrap=True)
    output.give({"run": str(run.folder), "game": game, "results": [found.figures() for found in results]})
    return 0


@contextmanager
def _reporter(output: Output) -> "Iterator[Reporter]":
    """A progress bar over games, stage by stage."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from tradewinds.training.train import Reporter

    console = output.notes
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"))
    with Progress(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("start", total=None)

        def stage(title: str, total: int) -> None:
            if not console.is_terminal:
                console.print(title)
            progress.reset(bar, description=title, total=total)

        def note(text: str) -> None:
            console.print(f"tradewinds: {text}", soft_wrap=True)

        yield Reporter(stage, lambda done: progress.update(bar, completed=done), note)


def _train_expert(run: Any, report: "Reporter", workers: int | None, ray: str | None) -> None:
    """Expert iteration. A lost cluster ends the command with one line; the same run is resumed."""
    from tradewinds.training.evaluation.workers import WorkerError
    from tradewinds.training.expert import train_expert
    from tradewinds.training.run_dir import RunError

    try:
        train_expert(run, report, workers, ray)
    except WorkerError as error:
        raise RunError(f"{error}; what was played is kept, continue with --resume") from None


def _open(
    game: str, config: str | None, settings: list[str], name: str | None, runs: Path, resume: bool, own_agents: bool, has_workers: bool
) -> Any:
    """The run to start or to resume."""
    from tradewinds.training.config import CONFIGS, differences, find_config, game_config, load_config
    from tradewinds.training.run_dir import Run, RunError, find_run, free_name
    from tradewinds.training.train import check_agents

    path = find_config(config) if config else CONFIGS / f"{game}.yaml"  # which games of other packages do not have
    if not resume:
        wanted = load_config(path, settings) if config else game_config(game, settings)
        _check_game(game, wanted.game, str(path), f"; with --set game={game} it is used for that game")
        _check_named(wanted, path, settings, own_agents)
        _check_workers(wanted, has_workers)
        check_agents(wanted)  # before there is a folder
        return Run.create(runs / name if name else free_name(runs, path.stem), wanted)
    run = Run(runs / name if name else find_run(runs, path.stem))
    try:
        _check_game(game, run.config.game, str(run.folder))
        _check_workers(run.config, has_workers)
        _check_named(run.config, run.folder, settings, own_agents)
        if config or settings:
            changes = differences(run.config, load_config(path, settings) if config else load_config(run.folder / "config.yaml", settings))
            if changes:
                raise RunError(
                    f"{run.folder} was started with another config: {'; '.join(changes)}. Leave out --config and --set, or start a new run"
                )
    except Exception:
        run.close()
        raise
    return run


def _check_named(config: Any, file: Path, settings: list[str], own_agents: bool) -> None:
    """A config runs no code but that of Tradewinds, unless the user says so or has typed the agent in a setting."""
    from tradewinds.agents import AgentError
    from tradewinds.agents.registry import check_named_in_file
    from tradewinds.training.train import named_agents

    if own_agents:
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())
        return
    for code in sorted(named_agents(config)):
        if not any(code.removeprefix("net:") in setting for setting in settings):
            try:
                check_named_in_file(code, file)
            except AgentError as error:
                raise BadInputError(f"{error} (--own-agents allows it)") from None


def _check_workers(config: Any, has_workers: bool) -> None:
    if has_workers and not config.expert.generations:
        raise BadInputError("--workers and --ray are for expert iteration; PPO plays its games in threads of this process")


def _check_game(game: str, other: str, source: str, remedy: str = "") -> None:
    if game != other:
        raise BadInputError(f"{source} is for {other}, not {game}{remedy}")
