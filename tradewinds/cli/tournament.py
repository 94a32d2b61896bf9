"""`tradewinds tournament`: all against all."""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from tradewinds.envs.core.io.atomic import write_file

from . import match_options as c
from .output import JsonOption, Output, check_writable, find_own_agents

if TYPE_CHECKING:
    from tradewinds.training.evaluation.evaluate import Tournament
    from tradewinds.training.evaluation.schedule import Schedule


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tournament")(tournament)


def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game to play.")],
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Two agents or more: random, scripted, search:1000, ...")],
    players: c.PlayersOption = None,
    games: Annotated[int, typer.Option(help="Games per pairing, rounded up to a multiple of the players.")] = 400,
    seed: c.SeedOption = 0,
    option: c.GameOption = None,
    time_limit: c.TimeLimitOption = c.TIME_LIMIT,
    workers: c.WorkersOption = None,
    ray: c.RayOption = None,
    isolate: c.IsolateOption = False,
    memory_limit: c.MemoryOption = c.MEMORY_LIMIT,
    folder: Annotated[
        Path | None, typer.Option(help="Keep results there; the same command continues after an interruption. Default: a folder in runs/.")
    ] = None,
    picture: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the cross table to FILE.png.")] = None,
    csv_to: c.CsvOption = None,
    json_to: JsonOption = None,
) -> int:
    """Play each agent against a table of each other agent, on the same seeds and in every seat, and compare them all."""
    c.check_libraries("openskill", *(["matplotlib"] if picture else []))
    options = c.game_options(game, option or [], players)
    from tradewinds.training.evaluation.evaluate import schedule_tournament, summarize_tournament

    find_own_agents(*agents)
    check_writable("--picture", picture)

    def show(output: Output, result: "Tournament") -> None:
        _show(output, result)
        if picture is not None:
            _draw(result, picture)
            output.notes.print(f"picture: {picture.resolve()}", soft_wrap=True)

    return c.run_command(
        lambda: schedule_tournament(game, agents, games, seed, time_limit or None, options, memory_limit if isolate else None),
        summarize_tournament,
        show,
        title=f"{game}: tournament of {len(agents)}",
        games=games,
        workers=workers,
        ray=ray,
        folder=lambda schedule: folder or _default_folder(schedule),
        csv_to=csv_to,
        json_to=json_to,
    )


def _default_folder(schedule: "Schedule") -> Path:
    """Named by the settings, so that the same command finds it again and another one does not."""
    return Path("runs") / f"tournament-{schedule.variant.game.name}-{schedule.digest}"


def _by_rating(result: "Tournament") -> list[int]:
    return sorted(range(len(result.agents)), key=lambda i: -result.standings[i].rating["mu"])


def _show(output: Output, result: "Tournament") -> None:
    order = _by_rating(result)
    ci = {(pairing.agent, pairing.others): pairing.ci95 for pairing in result.pairings}
    title = f"{result.game}, {result.players} players: win rate of row against a table of column, {result.games:,} games each"
    cross = Table(
        title=title, caption=f"with 95% intervals; {1 / result.players:.1%} is even", title_justify="left", caption_justify="left"
    )
    cross.add_column("agent")
    for column in order:
        cross.add_column(result.agents[column], justify="right")
    for row in order:
        cells = []
        for column in order:
            rate = result.table[row][column]
            pair = (result.agents[row], result.agents[column])
            cells.append("" if rate is None else f"{rate:.1%} ({ci[pair][0] * 100:.1f} to {ci[pair][1] * 100:.1f})")
        cross.add_row(result.agents[row], *cells)
    output.tables.print(cross)
    rows = [(result.standings[i], result.win_rate[i], result.ci95[i]) for i in order]
    output.tables.print(c.agent_table("over all pairings; the win rate is that of one seat against a table of another agent", rows))


def _draw(result: "Tournament", path: Path) -> None:
    """Draw the cross table as a heat map."""
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    from matplotlib import colors, pyplot

    even = 1 / result.players
    order = _by_rating(result)
    names = [result.agents[i] for i in order]
    rates = np.array(result.table, float)[np.ix_(order, order)]  # None on the diagonal becomes NaN
    side = 2.5 + 0.8 * len(names)
    figure, axes = pyplot.subplots(figsize=(side + 1.5, side))
    norm = colors.TwoSlopeNorm(even, 0, 1)  # the colour changes at an even win rate
    image = axes.imshow(np.ma.masked_invalid(rates), cmap="PuOr_r", norm=norm)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("table of")
    axes.set_ylabel("one agent")
    axes.set_title(f"{result.game}, {result.players} players: win rate ({even:.0%} is even), {result.games:,} games each")
    for (row, column), rate in np.ndenumerate(rates):
        if row != column:
            strong = abs(norm(rate) - 0.5) > 0.35
            axes.text(column, row, f"{rate:.0%}", ha="center", va="center", color="white" if strong else "black")
    figure.colorbar(image, shrink=0.8)
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=120, bbox_inches="tight")
    write_file(path, png.getvalue())
    pyplot.close(figure)
