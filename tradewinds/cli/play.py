"""`tradewinds play`: a person against agents."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .match_options import GameOption, PlayersOption, check_writable
from .output import BadInputError, Output, find_own_agents

if TYPE_CHECKING:
    from rich.console import Console

    from .terminal.session import Person

OPPONENTS = "scripted"

SeedOption = Annotated[int | None, typer.Option(help="The game's seed; random by default.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game; `tradewinds games` lists them.")] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat, from 0.")] = None,
    opponents: Annotated[
        str | None,
        typer.Option(metavar="AGENTS", help="Agents of the other seats in order, separated by commas, or one for all. Default: scripted."),
    ] = None,
    players: PlayersOption = None,
    seed: SeedOption = None,
    options: GameOption = None,
    hint: Annotated[str, typer.Option(metavar="AGENT", help="The agent whose advice `hint` gives.")] = "scripted",
    replay: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where to write the replay; by default a new file under runs/.")
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Continue the unfinished game of a replay.")] = None,
) -> int:
    """Play a game in the terminal against agents. Every game is kept as a replay, finished or not."""
    console = Output(None).tables
    find_own_agents(opponents, hint)
    if resume is not None:
        if game is not None or players is not None or seed is not None or options:
            raise BadInputError("--resume takes the game, its players, options and seed from the file; give none of them")
        person = _resumed(resume, seat, opponents, hint, replay, console)
    elif game is None:
        raise BadInputError("which game? give its name (`tradewinds games` lists them), or --resume FILE")
    else:
        person = _new(game, seat or 0, opponents or OPPONENTS, players, seed, options or [], hint, replay, console)
    _greet(person)
    return person.play()


def _new(
    game: str,
    seat: int,
    opponents: str,
    players: int | None,
    seed: int | None,
    options: list[str],
    hint: str,
    replay: str | None,
    console: "Console",
) -> "Person":
    from tradewinds.agents.table import Table, new_file

    from .terminal.seating import PERSON, agent_of, codes_for, seat_of, seed_of, variant_of
    from .terminal.session import Person

    variant = variant_of(game, players, options)
    seat = seat_of(seat, variant.players)
    codes = codes_for("--opponents", opponents, variant.players - 1)
    number = seed_of(seed)
    if replay is not None and Path(replay).exists():
        raise BadInputError(f"--replay {replay}: this file exists already; continue it with --resume, or give another name")
    agents = [agent_of(code, variant) for code in codes]
    path = Path(replay) if replay is not None else new_file(game, number)
    check_writable("--replay", path)
    table = Table.new(variant, number, [*codes[:seat], PERSON, *codes[seat:]], [*agents[:seat], None, *agents[seat:]])
    return Person(table, seat, hint, path, console)


def _resumed(resume: str, seat: int | None, opponents: str | None, hint: str, replay: str | None, console: "Console") -> "Person":
    from tradewinds.agents.table import Table

    from .terminal.seating import PERSON, agent_of, codes_for, replay_of, seat_of
    from .terminal.session import Person

    found = replay_of(resume)
    if found.result is not None:
        raise BadInputError(f"{resume}: this game is over; `tradewinds watch {resume}` shows it")
    variant = found.game.with_options(**found.options)
    names = found.players or []
    if seat is None:
        seat = names.index(PERSON) if PERSON in names else 0
    seat = seat_of(seat, variant.players)
    if opponents is not None or len(names) != variant.players or names[seat] != PERSON or names.count(PERSON) > 1:
        codes = codes_for("--opponents", opponents or OPPONENTS, variant.players - 1)
        names = [*codes[:seat], PERSON, *codes[seat:]]
    else:
        for name in names:
            if name != PERSON:
                _check_named(name, Path(resume))
    agents = [None if name == PERSON else agent_of(name, variant) for name in names]
    path = Path(replay or resume)
    check_writable("--replay" if replay else "--resume", path)
    person = None
    for table in Table.again(found, names, agents):
        person = person or Person(table, seat, hint, path, console)
        person.remember()
    assert person is not None
    return person


def _check_named(code: str, file: Path) -> None:
    """The agents of a replay come from an untrusted file until the user names them."""
    from tradewinds.agents import AgentError
    from tradewinds.agents.registry import check_named_in_file

    try:
        check_named_in_file(code, file)
    except AgentError as error:
        raise BadInputError(f"{error} (--opponents {code})") from None


def _greet(person: "Person") -> None:
    table = person.table
    others = ", ".join(f"player_{seat}: {name}" for seat, name in enumerate(table.names) if seat != person.seat)
    greeting = f"{table.env.game.title}, seed {table.seed}. You are player_{person.seat}; {others}. ? lists the commands."
    person.painter.say(greeting, "bold")
