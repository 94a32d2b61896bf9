"""`tradewinds evaluate`: one agent against a field."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import match_options as c
from .output import JsonOption, Output, find_own_agents

if TYPE_CHECKING:
    from tradewinds.training.evaluation.evaluate import Evaluation


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("evaluate")(evaluate)


def evaluate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game to play.")],
    agent: Annotated[str, typer.Option(help="The agent to evaluate: random, scripted, scripted:STYLE, search:1000, package.module:Class.")],
    opponents: Annotated[str, typer.Option(help="One agent for all other seats, or several, separated by commas, that take turns.")],
    players: c.PlayersOption = None,
    games: Annotated[int, typer.Option(help="Games to play, rounded up to a multiple of the players: each seed once in each seat.")] = 1000,
    seed: c.SeedOption = 0,
    option: c.GameOption = None,
    time_limit: c.TimeLimitOption = c.TIME_LIMIT,
    workers: c.WorkersOption = None,
    ray: c.RayOption = None,
    isolate: c.IsolateOption = False,
    memory_limit: c.MemoryOption = c.MEMORY_LIMIT,
    folder: Annotated[Path | None, typer.Option(help="Keep results there; the same command continues after an interruption.")] = None,
    csv_to: c.CsvOption = None,
    json_to: JsonOption = None,
) -> int:
    """Play one agent against a field, in every seat and on the same seeds, and report its win rate."""
    c.check_libraries("openskill")
    options = c.game_options(game, option or [], players)
    from tradewinds.training.evaluation.evaluate import schedule_evaluation, summarize_evaluation

    find_own_agents(agent, opponents)
    field = [code.strip() for code in opponents.split(",")]
    return c.run_command(
        lambda: schedule_evaluation(game, agent, field, games, seed, time_limit or None, options, memory_limit if isolate else None),
        summarize_evaluation,
        _show,
        title=f"{game}: {agent} against {opponents}",
        games=games,
        workers=workers,
        ray=ray,
        folder=folder,
        csv_to=csv_to,
        json_to=json_to,
    )


def _show(output: Output, result: "Evaluation") -> None:
    title = f"{result.game}, {result.players} players: {result.games:,} games of {result.agent} against {', '.join(result.opponents)}"
    rows = [(agent, agent.win_rate, result.ci95 if row == 0 else None) for row, agent in enumerate(result.agents)]
    table = c.agent_table(title, rows)
    by_seat = ", ".join(f"player_{seat} {rate:.1%}" for seat, rate in enumerate(result.win_rate_by_seat))
    table.caption = f"{1 / result.players:.1%} per seat is even; by seat: {by_seat}"
    output.tables.print(table)
