"""`tradewinds evaluate`: one agent against a field."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from . import match_options as c
from .output import BadInputError, JsonOption, Output

if TYPE_CHECKING:
    from tradewinds.training.evaluation.evaluate import Evaluation


def register(app: typer.Typer) -> None:
    app.command("evaluate")(evaluate)


def evaluate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game to play.")],
    agent: Annotated[str, typer.Option(help="The agent to evaluate: random, scripted, scripted:STYLE, search:1000, package.module:Class.")],
    opponents: Annotated[str, typer.Option(help="Its opponents: one agent for all other seats, or several with commas that take turns.")],
    players: c.PlayersOption = None,
    games: Annotated[int, typer.Option(help="Games to play, rounded up to a multiple of the players: each seed once in each seat.")] = 1000,
    seed: c.SeedOption = 0,
    option: c.GameOption = None,
    time_limit: c.TimeLimitOption = c.TIME_LIMIT,
    workers: c.WorkersOption = None,
    folder: Annotated[
        Path | None, typer.Option(help="Keep results there while playing; the same command then goes on where it stopped.")
    ] = None,
    csv_to: c.CsvOption = None,
    json_to: JsonOption = None,
) -> int:
    """Play one agent against a field, in every seat and on the same seeds, and say how good it is."""
    c.check_libraries("openskill")
    options = c.game_options(game, option or [], players)
    from tradewinds.training.evaluation.evaluate import plan_evaluation, summarise

    c.check_workers(workers)
    c.check_writable("--csv", csv_to)
    try:
        plan = plan_evaluation(game, agent, [code.strip() for code in opponents.split(",")], games, seed, time_limit or None, options)
    except ValueError as error:
        raise BadInputError(str(error)) from None
    output = Output(json_to)
    played = c.play(output, plan, games, f"{game}: {agent} against {opponents}", workers, folder)
    found = summarise(plan, played)
    if csv_to is not None:
        c.write_games(csv_to, plan, played)
    _show(output.tables, found)
    output.give({**found.figures(), "folder": None if folder is None else str(folder)})
    return c.FAILED if found.failures else 0


def _show(console: Console, found: "Evaluation") -> None:
    title = f"{found.game}, {found.players} players: {found.games:,} games of {found.agent} against {', '.join(found.opponents)}"
    table = Table(title=title, title_justify="left", caption_justify="left")
    for heading in ("agent", "win share", "95% interval", "mean score", "margin", "rating", "a decision", "slowest", "failures"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for row, agent in enumerate(found.agents):
        table.add_row(
            agent.agent,
            c.percent(agent.win_rate),
            c.interval(found.ci95) if row == 0 else "",
            c.number(agent.mean_score),
            c.number(agent.mean_margin, "+.1f"),
            c.rating(agent),
            c.duration(agent.decision_seconds["mean"]),
            c.duration(agent.decision_seconds["slowest"]),
            str(agent.failures),
        )
    by_seat = ", ".join(f"player_{seat} {c.percent(share)}" for seat, share in enumerate(found.win_rate_by_seat))
    table.caption = f"fair is {1 / found.players:.1%} a seat; by seat: {by_seat}"
    console.print(table)
    console.print(c.facts(found.decisions, found.truncated, found.seconds, found.games_per_second, found.workers))
    c.show_failures(console, found.failures)
