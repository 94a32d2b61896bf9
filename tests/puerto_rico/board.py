"""Positions of Puerto Rico said in the words of the rulebook, and moves played by their names.

    s = board(player(goods={"corn": 2}, buildings={"harbour": 1}), player(), player())
    play(s, "role: captain", ...)
    assert s.points(0) == 4

What nobody holds is in the supply. The first player is the governor and chooses a role. `tiles` gives how many of a kind, or how many and
how many of them are occupied; `buildings` how many colonists are in each.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.support import position as support
from tests.support.position import legal as legal
from tests.support.position import result as result
from tradewinds.envs.core.engine.rng import script
from tradewinds.envs.puerto_rico import GAME
from tradewinds.envs.puerto_rico.rules.plantations import face_down
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import (
    BUILDING_NAMES,
    CITY_PLACES,
    COLONISTS,
    COPIES,
    COPIES_FOR_TWO,
    FIRST_TILE,
    GOOD_NAMES,
    PLANTATIONS,
    ROLE_NAMES,
    SHIP_SIZE,
    SLOTS,
    TILE_NAMES,
    WINDROSE,
)

from . import box

GOODS = list(GOOD_NAMES)
TILES = list(TILE_NAMES)
BUILDINGS = list(BUILDING_NAMES)
ROLES = list(ROLE_NAMES)
Held = Mapping[str, Any]


class Position(support.Position):
    """Sentences about a position of Puerto Rico."""

    game, phases = GAME, Phase

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed, **options)
        self.totals: dict[str, np.ndarray] = {}
        self.was_drafting = False

    def points(self, seat: int) -> int:
        return int(self.record["chips"][seat]) + int(self.record["noted"][seat])

    def held(self, seat: int) -> dict[str, int]:
        """The goods of one seat."""
        return {good: int(count) for good, count in zip(GOODS, self.goods[seat], strict=True) if count}

    def left(self, good: str) -> int:
        return int(self.goods_left[GOODS.index(good)])

    def island_of(self, seat: int) -> dict[str, int]:
        return {tile: int(count) for tile, count in zip(TILES, self.tiles[seat], strict=True) if count}

    def city_of(self, seat: int) -> set[str]:
        return {BUILDINGS[b] for b in np.flatnonzero(self.built[seat])}

    def at(self, seat: int, place: str) -> int:
        """How many stand at a building, on a kind of tile or on the windrose."""
        return int(self.workers[seat, place_number(place)])

    def nobles_there(self, seat: int, place: str) -> int:
        return int(self.nobles_at[seat, place_number(place)])

    def ship(self, number: int) -> tuple[str | None, int]:
        """What a cargo ship carries, and how much: the first ship is the smallest."""
        good = int(self.cargo[number - 1])
        return (GOODS[good] if good >= 0 else None), int(self.load[number - 1])

    def house_holds(self) -> dict[str, int]:
        return {good: int(count) for good, count in zip(GOODS, self.house, strict=True) if count}

    def open_tiles(self) -> dict[str, int]:
        return {good: int(count) for good, count in zip(GOODS, self.face_up, strict=True) if count}


def place_number(place: str) -> int:
    if place == "windrose":
        return WINDROSE
    if place in TILES:
        return FIRST_TILE + TILES.index(place)
    return BUILDINGS.index(place)


def player(
    *,
    doubloons: int = 0,
    points: int = 0,
    goods: Held | None = None,
    tiles: Held | None = None,
    buildings: Held | None = None,
    windrose: int = 0,
    nobles: Held | None = None,
) -> dict[str, Any]:
    """One seat. `nobles` says how many of those at a place are nobles."""
    return {
        "doubloons": doubloons,
        "points": points,
        "goods": goods or {},
        "tiles": tiles or {},
        "buildings": buildings or {},
        "windrose": windrose,
        "nobles": nobles or {},
    }


def board(
    *seats: Mapping[str, Any],
    governor: int = 0,
    ships: Sequence[tuple[str, int] | None] = (),
    house: Sequence[str] = (),
    face_up: Held | None = None,
    on_roles: Held | None = None,
    goods_left: Held | None = None,
    stack: Held | None = None,
    colonists_left: int | None = None,
    nobles_left: int | None = None,
    colonist_ship: int | None = None,
    ship_nobles: int | None = None,
    chips_left: int | None = None,
    quarries_left: int | None = None,
    new_buildings: bool = False,
    nobles: bool = False,
    visibility: str = "rules",
) -> Position:
    """A position before the governor chooses a role. With New Buildings every kind is on the board.

    `goods_left`, `stack`, `colonists_left` and the like make a supply short: the rest of it is out of the game.
    """
    players = len(seats)
    s = Position(players=players, new_buildings=new_buildings, nobles=nobles, visibility=visibility)
    r = s.record
    GAME.kernels["setup"](r, s.stream)
    for field in ("workers", "nobles_at", "tiles", "island", "face_up", "buildings_left", "house", "stack"):
        r[field][...] = 0
    box_of_goods, box_of_tiles, quarries = box.goods(players), box.plantations(players), box.quarries(players)
    r["goods_left"][:] = box_of_goods
    r["stack"][:] = box_of_tiles
    r["quarries_left"] = quarries
    copies = COPIES_FOR_TWO if players == 2 else COPIES
    for b in range(len(BUILDINGS)):
        if b < 23 or (23 <= b < 37 and new_buildings) or (b >= 37 and nobles):
            r["buildings_left"][b] = copies[b]
    for seat, held in enumerate(seats):
        _seat(r, seat, held)
    for good, count in (dict.fromkeys(GOODS[: players + 1], 1) if face_up is None else face_up).items():
        r["face_up"][GOODS.index(good)] = count
        r["stack"][GOODS.index(good)] -= count
    for number, cargo in enumerate(ships):
        if cargo is not None:
            assert cargo[1] <= SHIP_SIZE[players, number]
            r["cargo"][number], r["load"][number] = GOODS.index(cargo[0]), cargo[1]
            r["goods_left"][GOODS.index(cargo[0])] -= cargo[1]
    for good in house:
        r["house"][GOODS.index(good)] += 1
        r["goods_left"][GOODS.index(good)] -= 1
    for role, count in (on_roles or {}).items():
        r["role_doubloons"][ROLES.index(role)] = count
    everybody = int(r["workers"].sum())
    all_nobles = int(r["nobles_at"].sum())
    r["ship_colonists"] = players - int(nobles) if colonist_ship is None else colonist_ship
    r["ship_nobles"] = int(nobles) if ship_nobles is None else ship_nobles
    r["colonists_left"] = (100 if nobles else COLONISTS[players] + players) - (everybody - all_nobles) - r["ship_colonists"]
    r["nobles_left"] = (20 if nobles else 0) - all_nobles - r["ship_nobles"]
    r["chips_left"] -= r["chips"].sum()
    for good, count in (goods_left or {}).items():
        r["goods_left"][GOODS.index(good)] = count
    if stack is not None:
        r["stack"][:] = [stack.get(good, 0) for good in GOODS]
    for field, value in (
        ("colonists_left", colonists_left),
        ("nobles_left", nobles_left),
        ("chips_left", chips_left),
        ("quarries_left", quarries_left),
    ):
        if value is not None:
            r[field] = value
    r["governor"] = r["active"] = r["seat"] = governor
    r["phase"] = Phase.ROLE
    assert (r["goods_left"] >= 0).all() and (r["stack"] >= 0).all() and (r["buildings_left"] >= 0).all()
    s.totals = box.totals(np.frombuffer(r.tobytes(), GAME.fields.dtype))
    check(s)
    GAME.kernels["legal"](r, s.mask)
    return s


def _seat(r: Any, seat: int, held: Mapping[str, Any]) -> None:
    r["doubloons"][seat] = held["doubloons"]
    r["chips"][seat] = held["points"]
    for good, count in held["goods"].items():
        r["goods"][seat, GOODS.index(good)] = count
        r["goods_left"][GOODS.index(good)] -= count
    for tile, count in held["tiles"].items():
        number, occupied = count if isinstance(count, tuple) else (count, 0)
        t = TILES.index(tile)
        r["tiles"][seat, t] = number
        r["island"][seat] += number
        if tile == "quarry":
            r["quarries_left"] -= number
        elif tile == "forest":
            # Of which kinds the forests are matters to nobody: from the commonest down.
            for _ in range(number):
                commonest = int(np.argmax(r["stack"]))
                r["stack"][commonest] -= 1
                r["known_forests"][seat, commonest] += 1
        else:
            r["stack"][t] -= number
        if occupied:
            r["workers"][seat, FIRST_TILE + t] = occupied
    for building, occupied in held["buildings"].items():
        b = BUILDINGS.index(building)
        assert occupied <= SLOTS[b]
        r["built"][seat, b] = 1
        r["buildings_left"][b] -= 1
        r["city"][seat] += CITY_PLACES[b]
        r["workers"][seat, b] = occupied
    r["workers"][seat, WINDROSE] = held["windrose"]
    for place, count in held["nobles"].items():
        assert count <= r["workers"][seat, place_number(place)]
        r["nobles_at"][seat, place_number(place)] = count


def new_game(players: int, **options: Any) -> Position:
    s = Position(players=players, **options)
    GAME.kernels["setup"](s.record, s.stream)
    settle(s)
    s.totals = box.totals(np.frombuffer(s.record.tobytes(), GAME.fields.dtype))
    s.was_drafting = s.decides == Phase.DRAFT
    return s


def play(s: Position, *names: str, draws: Sequence[str] = ()) -> None:
    """Play actions by name, each of which must be legal, and what is forced after each.

    `draws` are the first plantations that the last of the actions draws from the stacks.
    """
    for i, name in enumerate(names):
        assert not s.is_over, f"{name!r} after the end of the game"
        action = GAME.actions.parse(name)
        assert s.mask[action], f"{name!r} is not legal; legal are {sorted(legal(s))}"
        script(s.stream, _draws(s, draws) if i == len(names) - 1 else [])
        step(s, action)
        check(s)


def settle(s: Position) -> None:
    """Play forced actions until there is a decision."""
    while not s.is_over and GAME.kernels["legal"](s.record, s.mask) == 1:
        GAME.kernels["apply"](s.record, int(np.flatnonzero(s.mask)[0]), s.stream)


def step(s: Position, action: int) -> None:
    """Play an action and what is forced after it."""
    GAME.kernels["apply"](s.record, action, s.stream)
    settle(s)


def pass_until(s: Position, phase: Phase, seat: int | None = None) -> None:
    """Let everybody decline, down to a decision of that phase (and seat)."""
    while s.decides != phase or (seat is not None and s.seat != seat):
        play(s, "pass")


def check(s: Position) -> None:
    """Nothing is lost or made, and every field is within its bounds."""
    raw = np.frombuffer(s.record.tobytes(), GAME.fields.dtype)
    now = box.totals(raw)
    if s.decides == Phase.DRAFT or s.was_drafting:  # the draft brings buildings to the board
        s.totals["buildings"] = now["buildings"]
    s.was_drafting = s.decides == Phase.DRAFT
    assert {name: value.tolist() for name, value in now.items()} == {name: value.tolist() for name, value in s.totals.items()}
    assert GAME.fields.out_of_bounds(raw) == []
    assert not box.misplaced(raw)


def _draws(s: Position, draws: Sequence[str]) -> list[int]:
    """The random numbers that bring these tiles out of the stacks as they are now."""
    counts = [int(face_down(s.record, good)) for good in range(len(GOODS))]
    results = []
    for name in draws:
        good = GOODS.index(name)
        assert counts[good] > 0, f"no {name} in the stacks"
        results.append(sum(counts[:good]))
        counts[good] -= 1
    return results


assert PLANTATIONS.sum() == 50
