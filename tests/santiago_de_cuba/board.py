"""Positions of Santiago de Cuba said in the words of the rulebook, and moves played by their names.

    s = board(before="Pedro", pawns=["bank"], owners={"church": 1})
    play(s, "car: drive 1 stop for 0 pesos", "pawn: enter the church", "church: take 1 point")
    assert s.points.tolist() == [3, 3, 2, 2]

Goods that nobody holds are in the supply. Unless told otherwise it is seat 0's turn in a game of four, the Cubans stand along the street
in the order of CUBANS, the car is in port, every seat has three pesos, two points and no goods, and the ship, worth 2, wants three of
everything but cigars.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tests.support import position as support
from tests.support.position import legal as legal
from tests.support.position import result as result
from tradewinds.envs.core.engine.rng import drawn, script
from tradewinds.envs.santiago_de_cuba import GAME
from tradewinds.envs.santiago_de_cuba.state import Phase
from tradewinds.envs.santiago_de_cuba.tables import BUILDING_NAMES, CUBAN_NAMES, DICE, FLOWER_NAMES, GOOD_NAMES

GOODS = list(GOOD_NAMES)
CUBANS = list(CUBAN_NAMES)
BUILDINGS = list(BUILDING_NAMES)
FLOWERS = list(FLOWER_NAMES)
NOTHING: tuple[str, ...] = ()
WANTED = {"sugar": 3, "tobacco": 3, "rum": 3, "fruit": 3}


class Position(support.Position):
    """Sentences about a position of Santiago de Cuba."""

    game, phases, by_seat = GAME, Phase, frozenset({"goods", "pesos", "points", "pawn", "markers", "passed"})

    def __init__(self, players: int, visibility: str = "rules", seed: int = 0, encoding: str = "compact") -> None:
        super().__init__(seed, players=players, visibility=visibility, encoding=encoding)

    @property
    def car_at(self) -> str:
        return "port" if self.car == 0 else CUBANS[self.street[self.car - 1]]

    @property
    def wanted(self) -> dict[str, int]:
        """What the ship still wants."""
        return {good: int(count) for good, count in zip(GOODS, self.demand, strict=False) if count}

    @property
    def inactive_cubans(self) -> set[str]:
        return {CUBANS[i] for i in np.flatnonzero(self.inactive)}

    def held(self, seat: int) -> dict[str, int]:
        """The goods of one seat."""
        return {good: int(count) for good, count in zip(GOODS, self.goods[seat], strict=True) if count}

    def left(self, good: str) -> int:
        """How much of a good is in the supply."""
        return int(self.supply[GOODS.index(good)])

    def pawn_in(self, seat: int) -> str | None:
        return BUILDINGS[self.pawn[seat]] if self.pawn[seat] >= 0 else None

    def owner_of(self, building: str) -> int | None:
        owner = int(self.owner[BUILDINGS.index(building)])
        return owner if owner >= 0 else None


def board(
    players: int = 4,
    *,
    active: int = 0,
    street: Sequence[str] = NOTHING,
    car_at: str | None = None,
    before: str | None = None,
    inactive: Iterable[str] = (),
    under: Mapping[str, Sequence[str]] | None = None,
    pawns: Sequence[str | None] = (),
    owners: Mapping[str, int] | None = None,
    goods: Sequence[Mapping[str, int]] = (),
    pesos: Sequence[int] = (),
    points: Sequence[int] = (),
    demand: Mapping[str, int] | None = None,
    value: int = 2,
    ship: int = 1,
    turn: int = 8,
    visibility: str = "rules",
) -> Position:
    """A position at the start of the active player's turn.

    `car_at` is a Cuban or "port"; `before` puts the car one stop short of one. `street` names the first Cubans after the port, `under` some
    buildings of a flower; the others follow in their usual order. `pawns`, `goods`, `pesos` and `points` are by seat; those left out have
    the usual. Markers not on the board are with their owners.
    """
    s = Position(players, visibility)
    r = s.record
    order = list(street) + [cuban for cuban in CUBANS if cuban not in street]
    r["street"][:] = [CUBANS.index(cuban) for cuban in order]
    stops = ["port", *order]
    if before is not None:
        r["car"] = (stops.index(before) - 1) % len(stops)
    elif car_at is not None:
        r["car"] = stops.index(car_at)
    for cuban in inactive:
        r["inactive"][CUBANS.index(cuban)] = 1
    r["sites"][:] = [BUILDINGS.index(building) for building in _sites(under or {})]
    for site, building in enumerate(r["sites"]):
        r["flower"][building] = site // 3
    r["pawn"][:] = -1
    for seat, building in enumerate(pawns):
        r["pawn"][seat] = -1 if building is None else BUILDINGS.index(building)
    r["owner"][:] = -1
    r["markers"][:players] = 3
    for building, owner in (owners or {}).items():
        r["owner"][BUILDINGS.index(building)] = owner
        r["markers"][owner] -= 1
    r["supply"][:] = 8
    for seat, held in enumerate(goods):
        for good, count in held.items():
            r["goods"][seat, GOODS.index(good)] = count
            r["supply"][GOODS.index(good)] -= count
    r["pesos"][:players] = [*pesos, *[3] * (players - len(pesos))]
    r["points"][:players] = [*points, *[2] * (players - len(points))]
    for good, count in (WANTED if demand is None else demand).items():
        r["demand"][GOODS.index(good)] = count
    r["dice"][:] = r["demand"]
    r["aside"] = min(i for i in range(5) if r["demand"][i] == 0)
    r["value"], r["ship"], r["turn"], r["in_port"] = value, ship, turn, 1
    r["building"] = -1
    r["phase"] = Phase.CAR
    r["active"] = r["seat"] = active
    check(s)
    GAME.kernels["legal"](r, s.mask)
    return s


def _sites(under: Mapping[str, Sequence[str]]) -> list[str]:
    """The building on each site: those named under their flowers, the rest filled in."""
    named = {building for row in under.values() for building in row}
    rest = [building for building in BUILDINGS if building not in named]
    sites = []
    for flower in FLOWERS:
        row = list(under.get(flower, ()))
        while len(row) < 3:
            row.append(rest.pop(0))
        sites += row
    return sites


def new_game(players: int, first: int = 0, rolls: Sequence[Sequence[int]] = ((1, 1, 1, 1, 1),)) -> Position:
    """A game set up with nothing shuffled, `first` going first, and these rolls for its first ships."""
    s = Position(players)
    unshuffled = [*range(11, 0, -1), *range(8, 0, -1)]
    script(s.stream, [*unshuffled, first, *_faces(rolls)])
    begin(s)
    assert len(drawn(s.stream)) == len(unshuffled) + 1 + 5 * len(rolls)
    return s


def begin(s: Position) -> None:
    """Set up, up to the first real decision."""
    GAME.loops.begin(s.record, s.mask, s.words, s.stream)
    check(s)


def apply(s: Position, action: int) -> None:
    """A legal action and all that is forced after it."""
    GAME.loops.play(s.record, action, s.mask, s.words, s.stream)
    check(s)


def play(s: Position, *names: str, rolls: Sequence[Sequence[int]] = ()) -> None:
    """Play actions by name, each of which must be legal, and what is forced after each.

    `rolls` are the rolls of the five dice, sugar, tobacco, rum, cigars and fruit, that the last of the actions must lead to: no more, no
    fewer.
    """
    for i, name in enumerate(names):
        assert not s.is_over, f"{name!r} after the end of the game"
        action = GAME.actions.parse(name)
        assert s.mask[action], f"{name!r} is not legal; legal are {sorted(legal(s))}"
        now = rolls if i == len(names) - 1 else ()
        script(s.stream, _faces(now))
        apply(s, action)
        assert len(drawn(s.stream)) == 5 * len(now), f"{name!r} rolled {len(drawn(s.stream)) // 5} times, not {len(now)}"


def drive(s: Position, to: str, rolls: Sequence[Sequence[int]] = ()) -> None:
    """Drive to the next stop of that name, a full lap if the car is there."""
    stops = ["port", *(CUBANS[c] for c in s.street)]
    distance = (stops.index(to) - int(s.car) - 1) % len(stops) + 1
    play(s, drive_name(distance), rolls=rolls)


def drive_name(stops: int) -> str:
    return f"car: drive {stops} stop{'s' * (stops != 1)} for {stops - 1} peso{'s' * (stops != 2)}"


def check(s: Position) -> None:
    """Eight of each good, three markers a seat, and every field within its bounds."""
    assert (s.supply + s.goods.sum(axis=0) == 8).all(), "a good is lost or made"
    for seat in range(s.players):
        assert s.markers[seat] + (s.owner == seat).sum() == 3, "a marker is lost or made"
    raw = np.frombuffer(s.record.tobytes(), GAME.fields.dtype)
    assert GAME.fields.out_of_bounds(raw) == []


def _faces(rolls: Sequence[Sequence[int]]) -> list[int]:
    """Which face of each die shows the number."""
    return [DICE[die].tolist().index(number) for roll in rolls for die, number in enumerate(roll)]
