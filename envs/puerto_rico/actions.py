"""Every action of Puerto Rico: id, arguments, name. The base game's come first."""

from collections.abc import Iterator
from enum import IntEnum

import numpy as np

from ..core.spec.actions import ActionTable
from .tables import (
    BUILDING_NAMES,
    BUILDINGS,
    FIRST_TILE,
    GOOD_NAMES,
    GOODS,
    GOODS_SUPPLY,
    IS_NOBLES,
    IS_VIOLET,
    ISLAND,
    PLACE_NAMES,
    PLANTATIONS,
    QUARRY_TILES,
    ROLE_NAMES,
    SHIPS,
    SLOTS,
    WINDROSE,
)


class Kind(IntEnum):
    """The kinds of action, in id order."""

    ROLE = 0  # role
    PASS = 1
    TAKE_PLANTATION = 2  # good
    TAKE_QUARRY = 3
    DRAW = 4
    PERSON = 5  # COLONIST or NOBLE
    BUILD = 6  # building
    EXTRA = 7  # good
    SELL = 8  # good
    LOAD = 9  # good, ship
    WHARF = 10  # good
    KEEP = 11  # good, how many
    PLACE = 12  # place, how many
    DRAFT = 13  # building
    TAKE_FOREST = 14  # good
    LAY = 15  # AS_PLANTATION or AS_FOREST
    HAND_COLONIST = 16  # place
    HAND_GOOD = 17  # good
    HAND_POINT = 18
    POST = 19  # good
    SMALL_WHARF = 20
    SHIP = 21  # good, how many
    GUEST = 22  # place
    BUY_LAND = 23
    DISCARD = 24  # good, who stands on it
    DISCARD_FOREST = 25  # good
    SUPPLY = 26  # good
    NOBLES = 27  # how many


COLONIST, NOBLE = 0, 1
NOBODY, BY_COLONIST, BY_NOBLE = 0, 1, 2
AS_PLANTATION, AS_FOREST = 0, 1

# The most that can ever stand on a kind of place.
MOST_AT = [*SLOTS.tolist(), *(min(ISLAND, n) for n in PLANTATIONS.tolist()), QUARRY_TILES]


def many(count: int, one: str) -> str:
    return f"{count} {one if count == 1 else one + 's'}"


def a_or_an(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def rows() -> Iterator[tuple[IntEnum, tuple[int, ...], str]]:
    for r, role in enumerate(ROLE_NAMES):
        yield Kind.ROLE, (r,), f"role: {role}"
    yield Kind.PASS, (), "pass"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.TAKE_PLANTATION, (g,), f"settler: take {good}"
    yield Kind.TAKE_QUARRY, (), "settler: take a quarry"
    yield Kind.DRAW, (), "hacienda: draw a plantation"
    yield Kind.PERSON, (COLONIST,), "people: a colonist"
    yield Kind.PERSON, (NOBLE,), "people: a noble"
    for b, building in enumerate(BUILDING_NAMES):
        yield Kind.BUILD, (b,), f"builder: build the {building}"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.EXTRA, (g,), f"craftsman: take 1 more {good}"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.SELL, (g,), f"trader: sell {good}"
    for g, good in enumerate(GOOD_NAMES):
        for ship in range(SHIPS):
            yield Kind.LOAD, (g, ship), f"captain: load {good} on ship {ship + 1}"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.WHARF, (g,), f"wharf: ship {good}"
    for g, good in enumerate(GOOD_NAMES):
        for count in range(int(GOODS_SUPPLY[g]) + 1):
            yield Kind.KEEP, (g, count), f"captain: keep {count} {good}"
    for place, most in enumerate(MOST_AT):
        for count in range(most + 1 if most else 0):
            yield Kind.PLACE, (place, count), f"mayor: {count} on the {PLACE_NAMES[place]}"
    yield from expansion_rows()


def expansion_rows() -> Iterator[tuple[IntEnum, tuple[int, ...], str]]:
    for b, building in enumerate(BUILDING_NAMES):
        if IS_VIOLET[b] and not IS_NOBLES[b]:
            yield Kind.DRAFT, (b,), f"draft: the {building}"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.TAKE_FOREST, (g,), f"settler: take {good} as a forest"
    yield Kind.LAY, (AS_PLANTATION,), "settler: lay the drawn tile as a plantation"
    yield Kind.LAY, (AS_FOREST,), "settler: lay the drawn tile as a forest"
    for place in range(WINDROSE + 1):
        yield Kind.HAND_COLONIST, (place,), f"black market: hand in a colonist of the {PLACE_NAMES[place]}"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.HAND_GOOD, (g,), f"black market: hand in 1 {good}"
    yield Kind.HAND_POINT, (), "black market: hand in 1 point"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.POST, (g,), f"trading post: sell {good}"
    yield Kind.SMALL_WHARF, (), "small wharf: use it"
    for g, good in enumerate(GOOD_NAMES):
        for count in range(int(GOODS_SUPPLY[g]) + 1):
            yield Kind.SHIP, (g, count), f"small wharf: ship {count} {good}"
    for place in range(WINDROSE):
        yield Kind.GUEST, (place,), f"guest house: a guest to the {PLACE_NAMES[place]}"
    yield Kind.BUY_LAND, (), "land office: buy a plantation"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.DISCARD, (g, NOBODY), f"discard an empty {good} plantation"
        yield Kind.DISCARD, (g, BY_COLONIST), f"discard {a_or_an(good)} plantation with a colonist"
        yield Kind.DISCARD, (g, BY_NOBLE), f"discard {a_or_an(good)} plantation with a noble"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.DISCARD_FOREST, (g,), f"discard a forest ({good})"
    for g, good in enumerate(GOOD_NAMES):
        yield Kind.SUPPLY, (g,), f"royal supplier: hand in 1 {good}"
    for count in range(ISLAND + 1):
        yield Kind.NOBLES, (count,), f"mayor: {many(count, 'noble')} among them"


TABLE = ActionTable("puerto_rico", Kind, rows())
FIRST = TABLE.first
KIND = TABLE.kind
ARGUMENTS = TABLE.arguments


def _starts(kind: Kind, count: int) -> np.ndarray:
    """For each first argument the id at which its actions begin."""
    starts = np.full(count, -1, np.int64)
    for action in range(int(FIRST[kind]), int(FIRST[kind + 1])):
        argument = ARGUMENTS[action, 0]
        if starts[argument] < 0:
            starts[argument] = action
    return starts


KEEP_AT = _starts(Kind.KEEP, GOODS)
SHIP_AT = _starts(Kind.SHIP, GOODS)
PLACE_AT = _starts(Kind.PLACE, WINDROSE)
DRAFT_AT = _starts(Kind.DRAFT, BUILDINGS)

# The ids that rules use by themselves. NumPy integers, since numba compiles a kernel again for each literal int it is called with.
PASS = FIRST[Kind.PASS]
A_COLONIST = FIRST[Kind.PERSON] + COLONIST
A_NOBLE = FIRST[Kind.PERSON] + NOBLE

assert FIRST_TILE == BUILDINGS
