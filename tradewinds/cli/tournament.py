"""`tradewinds tournament`: all against all."""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from . import match_options as c
from .output import BadInputError, JsonOption, Output

if TYPE_CHECKING:
    from tradewinds.training.evaluation.schedule import Plan
    from tradewinds.training.evaluation.tournament import Tournament


def register(app: typer.Typer) -> None:
    app.command("tournament")(tournament)


def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game to play.")],
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Two agents or more: random, scripted, search:1000, ...")],
    players: c.PlayersOption = None,
    games: Annotated[int, typer.Option(help="Games of each pairing, rounded up to a multiple of the players.")] = 400,
    seed: c.SeedOption = 0,
    option: c.GameOption = None,
    time_limit: c.TimeLimitOption = c.TIME_LIMIT,
    workers: c.WorkersOption = None,
    folder: Annotated[
        Path | None, typer.Option(help="Keep results there; the same command goes on where it stopped. By default a folder in runs/.")
    ] = None,
    picture: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the cross table to FILE.png.")] = None,
    csv_to: c.CsvOption = None,
    json_to: JsonOption = None,
) -> int:
    """Play each agent alone at a table of each other, on the same seeds and in every seat, and compare them all."""
    c.check_libraries("openskill", *(["matplotlib"] if picture else []))
    options = c.game_options(game, option or [], players)
    from tradewinds.training.evaluation.tournament import draw, plan_tournament, summarise

    c.check_workers(workers)
    c.check_writable("--csv", csv_to)
    c.check_writable("--picture", picture)
    try:
        plan = plan_tournament(game, agents, games, seed, time_limit or None, options)
    except ValueError as error:
        raise BadInputError(str(error)) from None
    output = Output(json_to)
    folder = folder or _default_folder(plan)
    output.notes.print(f"tradewinds: results are kept in {folder}", soft_wrap=True)
    played = c.play(output, plan, games, f"{game}: tournament of {len(agents)}", workers, folder)
    found = summarise(plan, played)
    if csv_to is not None:
        c.write_games(csv_to, plan, played)
    _show(output.tables, found)
    if picture is not None:
        draw(found, picture)
        output.notes.print(f"picture: {picture.resolve()}", soft_wrap=True)
    output.give({**found.figures(), "folder": str(folder)})
    return c.FAILED if found.failures else 0


def _default_folder(plan: "Plan") -> Path:
    """A folder of these settings' own, so that the same command finds it again and another one does not."""
    digest = hashlib.sha256(json.dumps(plan.settings(), sort_keys=True).encode()).hexdigest()[:8]
    return Path("runs") / f"tournament-{plan.variant.game.name}-{digest}"


def _show(console: Console, found: "Tournament") -> None:
    order = sorted(range(len(found.agents)), key=lambda i: -found.standings[i].rating["mu"])
    ci = {(pairing.agent, pairing.others): pairing.ci95 for pairing in found.pairings}
    title = f"{found.game}, {found.players} players: win share of one (row) at a table of others (column), {found.games:,} games each"
    cross = Table(title=title, caption=f"with 95% intervals; fair is {1 / found.players:.1%}", title_justify="left", caption_justify="left")
    cross.add_column("one")
    for column in order:
        cross.add_column(found.agents[column], justify="right")
    for row in order:
        cells = []
        for column in order:
            share = found.table[row][column]
            pair = (found.agents[row], found.agents[column])
            cells.append("" if share is None else f"{share:.1%} ({ci[pair][0] * 100:.1f} to {ci[pair][1] * 100:.1f})")
        cross.add_row(found.agents[row], *cells)
    console.print(cross)
    table = Table(title="over all games", title_justify="left")
    for heading in ("agent", "rating", "win share as one", "95% interval", "mean score", "margin", "a decision", "slowest", "failures"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for i in order:
        standing = found.standings[i]
        table.add_row(
            standing.agent,
            c.rating(standing),
            c.percent(found.win_rate[i]),
            c.interval(found.ci95[i]),
            c.number(standing.mean_score),
            c.number(standing.mean_margin, "+.1f"),
            c.duration(standing.decision_seconds["mean"]),
            c.duration(standing.decision_seconds["slowest"]),
            str(standing.failures),
        )
    console.print(table)
    console.print(c.facts(found.decisions, found.truncated, found.seconds, found.games_per_second, found.workers))
    c.show_failures(console, found.failures)
