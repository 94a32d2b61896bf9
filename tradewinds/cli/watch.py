"""`tradewinds watch`: a replay, or a game between agents."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradewinds.envs.core.io.atomic import write_file

from .match_options import GameOption, PlayersOption, check_writable
from .output import BadInputError, Output, find_own_agents
from .play import SeedOption

if TYPE_CHECKING:
    import tradewinds.envs as tw
    from tradewinds.agents.analysis import Analysis
    from tradewinds.agents.table import Table

AGENTS = "scripted"
ALL = "all"
UNKNOWN = "unknown"  # who sits there, where a replay does not say


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("watch")(watch)


def watch(
    what: Annotated[str, typer.Argument(metavar="FILE|GAME", help="A replay, or the name of a game that agents play now.")],
    agents: Annotated[
        str | None,
        typer.Option(metavar="AGENTS", help="Agents of the seats in order, separated by commas, or one for all. Default: scripted."),
    ] = None,
    players: PlayersOption = None,
    seed: SeedOption = None,
    options: GameOption = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="N|all",
            help="Show what this seat may know; all hides nothing. Default: all; for your own unfinished game, your seat.",
        ),
    ] = None,
    delay: Annotated[float | None, typer.Option(metavar="SECONDS", help="Go on by itself, with a pause at each position.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Print what was done, without the boards.")] = False,
    replay: Annotated[str | None, typer.Option(metavar="FILE", help="Keep a game between agents in this file.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as a web page that needs nothing else.")] = None,
    seats: Annotated[bool, typer.Option("--seats", help="With --html: every seat's view beside the one that hides nothing.")] = False,
    analysis: Annotated[
        int | None,
        typer.Option(
            min=8,
            max=1_000_000,
            metavar="N",
            help="With --html: search every decision with N simulations, such as 400; kept beside the replay.",
        ),
    ] = None,
    gif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as an animated picture (extra `render`).")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the last position as a picture.")] = None,
) -> int:
    """Step through a replay, or through a game between agents. In a pipe all positions are printed one after another.

    With --html, --gif or --svg the game goes into files instead.
    """
    import tradewinds.envs as tw
    from tradewinds.agents.table import AgentFailedError, new_file

    from .terminal.viewer import Viewer, is_interactive

    if delay is not None and not 0 <= delay <= 3600:
        raise BadInputError(f"--delay must be from 0 to 3600 seconds, got {delay}")
    console = Output(None).tables
    find_own_agents(agents)
    is_live = what in tw.games()
    if not is_live and not (agents is players is seed is replay is None and not options):
        raise BadInputError(
            f"{what} is not a game, so it is read as a replay, which has its own seed and options; the games are {', '.join(tw.games())}"
        )
    if replay is not None and Path(replay).exists():
        raise BadInputError(f"--replay {replay}: this file exists already; give another name")
    table = _live(what, agents or AGENTS, players, seed, options or []) if is_live else _recorded(what)
    viewer = Viewer(table, _viewer(seat, table), moves, console)
    files = {"--html": html, "--gif": gif, "--svg": svg}
    is_drawn = any(path is not None for path in files.values())
    if seats and (html is None or seat not in (None, ALL)):
        raise BadInputError("--seats goes with --html, and shows every seat: leave --seat out")
    if analysis is not None and html is None:
        raise BadInputError("--analysis goes with --html, the page that shows it")
    if analysis is not None and viewer.is_complete and not table.is_over:
        raise BadInputError(f"{what} is not over: only a finished game can be analysed")
    if is_drawn and viewer.viewer is None and viewer.is_complete and not table.is_over:
        raise BadInputError(f"{what} is not over, so its pictures show what one seat knows; add --seat N")
    check_writable("--replay", None if replay is None else Path(replay))
    for option, path in files.items():
        check_writable(option, path)
    try:
        if is_drawn:
            while not viewer.is_complete:
                table.let_agent_play()
            kept = Path(what) if not is_live else None if replay is None else Path(replay)
            _draw(table, viewer.viewer, files, seats, None if analysis is None else lambda game: _analysed(game, analysis, kept))
        elif is_interactive() and delay is None and not moves:
            viewer.steer()
        else:
            viewer.run(delay or 0.0)
    except AgentFailedError as error:
        path = Path(replay) if replay is not None else new_file(what, table.seed)
        check_writable("--replay", path)
        table.save(path)
        print(f"tradewinds: {error}; the game so far is {path}", file=sys.stderr)
        return 1
    finally:
        if replay is not None:
            table.save(Path(replay))
    return 0


def _draw(
    table: "Table",
    seat: int | None,
    files: "dict[str, Path | None]",
    every_seat: bool,
    analysed: "Callable[[tw.Replay], Analysis] | None" = None,
) -> None:
    """The game as pictures, into the files that were asked for."""
    from rich.progress import track

    import tradewinds.envs as tw
    from tradewinds.envs.core.render.places import mark
    from tradewinds.web.frames import Pieces, View, moments
    from tradewinds.web.gif import gif

    output = Output(None)
    replay = tw.Replay.of(table.env, [name if name != UNKNOWN else "" for name in table.names])
    players = table.env.possible_agents
    if page := files["--html"]:
        views = [ALL, *players] if every_seat else [ALL if seat is None else players[seat]]
        write_file(page, replay.html(views, None if analysed is None else analysed(replay)).encode())
    if animated := files["--gif"]:
        try:
            gif(replay, animated, seat, lambda shown: track(shown, "drawing", console=output.notes, transient=True))
        except ImportError as error:
            raise BadInputError(str(error)) from None
    if still := files["--svg"]:
        *_, last = moments(replay)
        view = View(table.env.variant, seat, replay.players or [], Pieces())
        write_file(still, mark(view.picture(last), last.places if view.knows(last) else ()).encode())
    for path in filter(None, files.values()):
        output.tables.print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def _analysed(replay: "tw.Replay", simulations: int, path: Path | None) -> "Analysis":
    """The analysis that is kept beside the replay, or a new one."""
    from rich.progress import Progress

    from tradewinds.agents.analysis import agent_code, analyse, analysis_path, kept_analysis

    output, agent = Output(None), agent_code(replay.game.with_options(**replay.options), simulations)
    found = kept_analysis(path, replay, agent) if path is not None else None
    if found is None:
        with Progress(console=output.notes, transient=True) as progress:
            bar = progress.add_task("searching decisions", total=len(replay.moves))
            found = analyse(replay, agent, on_progress=lambda done, total: progress.update(bar, completed=done))
        if path is not None:
            try:
                found.save(analysis_path(path), replay)
            except OSError as error:
                print(f"tradewinds: {analysis_path(path)} cannot be written: {error.strerror or error}", file=sys.stderr)
    costly = len(found.costly)
    output.tables.print(f"{len(found.reviews)} decisions searched by {agent}; {costly} cost at least 5% of the player's win rate")
    return found


def _live(game: str, agents: str, players: int | None, seed: int | None, options: list[str]) -> "Table":
    from tradewinds.agents.table import Table

    from .terminal.seating import agent_of, codes_for, seed_of, variant_of

    variant = variant_of(game, players, options)
    codes = codes_for("--agents", agents, variant.players)
    return Table.new(variant, seed_of(seed), codes, [agent_of(code, variant) for code in codes])


def _recorded(path: str) -> "Table":
    from tradewinds.agents.table import Table

    from .terminal.seating import replay_of

    found = replay_of(path)
    seats = found.game.with_options(**found.options).players
    names = found.players if found.players is not None and len(found.players) == seats else [UNKNOWN] * seats
    *_, table = Table.again(found, names, [None] * seats)
    return table


def _viewer(text: str | None, table: "Table") -> int | None:
    from .terminal.seating import PERSON, seat_of

    if text is None:
        return table.names.index(PERSON) if PERSON in table.names and not table.is_over else None
    if text == ALL:
        return None
    if not text.isdecimal():
        raise BadInputError(f"--seat must be the number of a seat or {ALL}, got {text!r}")
    return seat_of(int(text), len(table.names))
