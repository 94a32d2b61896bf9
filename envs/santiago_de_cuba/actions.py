"""Every action of Santiago de Cuba: id, arguments, name."""

from collections.abc import Iterator
from enum import IntEnum

import numpy as np

from ..core.spec.actions import ActionTable
from .tables import (
    BUILDING_NAMES,
    CASINO_AMOUNT,
    CASINO_PESOS,
    CUBAN_NAMES,
    CUBANS,
    DEMANDED_GOODS,
    GOOD_NAMES,
    HIGHEST_DIE,
    MOST_STOPS,
    SUPPLY,
    Building,
    Good,
)


class Kind(IntEnum):
    """The kinds of action, in id order. USE + a Building is the kind of that building's actions."""

    ASIDE = 0  # good
    DRIVE = 1  # stops
    TAKE = 2  # good
    GIVE = 3  # a good, or PESO or POINT
    CLAIM = 4  # building
    USE_OWN = 5  # building
    NO_ALONSO = 6
    ENTER = 7  # building
    BANK = 8
    CHURCH = 9
    DISTILLERY = 10  # how many
    CIGAR_FACTORY = 11  # how many
    BLACK_MARKET = 12  # good given, good taken
    SAWMILL = 13
    CAFE = 14  # cigars, rum
    CUSTOMS_OFFICE = 15  # good
    CASINO = 16  # Exchange, points
    HARBOUR_AUTHORITY = 17  # LEFT or RIGHT
    CONTRACTORS_OFFICE = 18  # good
    NEWSPAPER = 19  # Cuban, or NO_CUBAN
    NO_USE = 20
    DELIVER = 21  # good, how many
    WOOD = 22  # the good it stands for, how many
    PASS = 23


USE = int(Kind.BANK)
# What El Zorro may be given beside one of the five goods.
PESO, POINT = DEMANDED_GOODS, DEMANDED_GOODS + 1
LEFT, RIGHT = 0, 1
BUYING, SELLING = 1, 2
NO_CUBAN = CUBANS


def many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def rows() -> Iterator[tuple[IntEnum, tuple[int, ...], str]]:
    goods = GOOD_NAMES[:DEMANDED_GOODS]
    for g, good in enumerate(goods):
        yield Kind.ASIDE, (g,), f"ship: put the {good} die aside"
    for stops in range(1, MOST_STOPS + 1):
        yield Kind.DRIVE, (stops,), f"car: drive {many(stops, 'stop', 'stops')} for {many(stops - 1, 'peso', 'pesos')}"
    for g, good in enumerate(goods):
        yield Kind.TAKE, (g,), f"Pablo: take 1 {good}"
    for g, thing in enumerate((*goods, "peso", "point")):
        yield Kind.GIVE, (g,), f"El Zorro: give 1 {thing}"
    for b, building in enumerate(BUILDING_NAMES):
        yield Kind.CLAIM, (b,), f"Alonso: claim the {building}"
    for b, building in enumerate(BUILDING_NAMES):
        yield Kind.USE_OWN, (b,), f"Alonso: use the own {building}"
    yield Kind.NO_ALONSO, (), "Alonso: nothing"
    for b, building in enumerate(BUILDING_NAMES):
        yield Kind.ENTER, (b,), f"pawn: enter the {building}"
    yield from building_rows()
    yield Kind.NO_USE, (), "building: no use"
    for g, good in enumerate(goods):
        for count in range(1, int(HIGHEST_DIE[g]) + 1):
            yield Kind.DELIVER, (g, count), f"port: deliver {count} {good}"
    for g, good in enumerate(goods):
        for count in range(1, int(HIGHEST_DIE[g]) + 1):
            yield Kind.WOOD, (g, count), f"port: deliver {count} wood as {good}"
    yield Kind.PASS, (), "port: pass"


def building_rows() -> Iterator[tuple[IntEnum, tuple[int, ...], str]]:
    goods = GOOD_NAMES[:DEMANDED_GOODS]
    yield Kind.BANK, (), "bank: take 2 pesos"
    yield Kind.CHURCH, (), "church: take 1 point"
    for count in range(1, SUPPLY + 1):
        yield Kind.DISTILLERY, (count,), f"distillery: turn {count} sugar into rum"
    for count in range(1, SUPPLY + 1):
        yield Kind.CIGAR_FACTORY, (count,), f"cigar factory: turn {count} tobacco into cigars"
    for g, given in enumerate(goods):
        for t, taken in enumerate(goods):
            if t != g:
                yield Kind.BLACK_MARKET, (g, t), f"black market: swap 1 {given} for 1 {taken}"
    yield Kind.SAWMILL, (), "sawmill: turn 1 wood into 1 point and 1 peso"
    yield Kind.CAFE, (1, 0), "café: hand in 1 cigars"
    yield Kind.CAFE, (0, 1), "café: hand in 1 rum"
    yield Kind.CAFE, (1, 1), "café: hand in 1 cigars and 1 rum"
    for g, good in enumerate(goods):
        yield Kind.CUSTOMS_OFFICE, (g,), f"customs office: turn the {good} die to 0"
    for count in range(1, CASINO_AMOUNT + 1):
        yield Kind.CASINO, (BUYING, count), f"casino: buy {many(count, 'point', 'points')} for {count * CASINO_PESOS} pesos"
    for count in range(1, CASINO_AMOUNT + 1):
        yield Kind.CASINO, (SELLING, count), f"casino: sell {many(count, 'point', 'points')} for {count * CASINO_PESOS} pesos"
    yield Kind.HARBOUR_AUTHORITY, (LEFT,), "harbour authority: lower the value"
    yield Kind.HARBOUR_AUTHORITY, (RIGHT,), "harbour authority: raise the value"
    for g, good in enumerate(goods):
        yield Kind.CONTRACTORS_OFFICE, (g,), f"contractor's office: deliver 1 {good}"
    for c, cuban in enumerate(CUBAN_NAMES):
        yield Kind.NEWSPAPER, (c,), f"newspaper: take 1 peso and turn {cuban} over"
    yield Kind.NEWSPAPER, (NO_CUBAN,), "newspaper: take 1 peso"


assert [kind.name for kind in Kind][USE : USE + len(Building)] == [building.name for building in Building]
assert Good.WOOD == DEMANDED_GOODS

TABLE = ActionTable("santiago_de_cuba", Kind, rows())
KIND = TABLE.kind
FIRST = TABLE.first
ARGUMENTS = TABLE.arguments
FIRST_OF_GOOD = np.append(0, np.cumsum(HIGHEST_DIE, dtype=np.int64))  # where in DELIVER, and in WOOD, a good's row of 1, 2, ... begins
