"""`tradewinds watch`: a replay, or a game between agents."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .match_options import GameOption, PlayersOption, check_writable
from .output import BadInputError, Output, find_own_agents
from .play import SeedOption

if TYPE_CHECKING:
    from tradewinds.agents.table import Table

AGENTS = "scripted"
ALL = "all"


def register(app: typer.Typer) -> None:
    app.command("watch")(watch)


def watch(
    what: Annotated[str, typer.Argument(metavar="FILE|GAME", help="A replay, or the name of a game that agents play now.")],
    agents: Annotated[
        str | None, typer.Option(metavar="AGENTS", help="Agents of the seats in order, with commas; one for all. [default: scripted]")
    ] = None,
    players: PlayersOption = None,
    seed: SeedOption = None,
    options: GameOption = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="N|all", help="Show what that seat may know; all hides nothing. [default: all; a person's own unfinished game: theirs]"
        ),
    ] = None,
    delay: Annotated[float | None, typer.Option(metavar="SECONDS", help="Go on by itself, with a pause at each position.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Print what was done, without the boards.")] = False,
    replay: Annotated[str | None, typer.Option(metavar="FILE", help="Keep a game between agents in this file.")] = None,
) -> int:
    """Step through a replay, or through a game between agents. In a pipe all positions are printed one after another."""
    import tradewinds.envs as tw
    from tradewinds.agents.table import AgentFailedError, new_file

    from .terminal.viewer import Viewer, is_interactive

    if delay is not None and not 0 <= delay <= 3600:
        raise BadInputError(f"--delay {delay} is not possible; it is from 0 to 3600 seconds")
    console = Output(None).tables
    find_own_agents(agents)
    is_live = what in tw.games()
    if not is_live and not (agents is players is seed is replay is None and not options):
        raise BadInputError(
            f"{what} is taken for a replay, which has its own players, seed and options; the games are {', '.join(tw.games())}"
        )
    if replay is not None and Path(replay).exists():
        raise BadInputError(f"--replay {replay}: this file exists already; give another name")
    table = _live(what, agents or AGENTS, players, seed, options or []) if is_live else _recorded(what)
    viewer = Viewer(table, _viewer(seat, table), moves, console)
    check_writable("--replay", None if replay is None else Path(replay))  # last: it leaves a file
    try:
        if is_interactive() and delay is None and not moves:
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
    names = found.players if found.players is not None and len(found.players) == seats else ["unknown"] * seats
    *_, table = Table.again(found, names, [None] * seats)
    return table


def _viewer(text: str | None, table: "Table") -> int | None:
    from .terminal.seating import PERSON, seat_of

    if text is None:
        return table.names.index(PERSON) if PERSON in table.names and not table.is_over else None
    if text == ALL:
        return None
    if not text.isdecimal():
        raise BadInputError(f"--seat {text!r} is not possible; it is the number of a seat, or {ALL}")
    return seat_of(int(text), len(table.names))
