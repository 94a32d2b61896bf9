"""The observation vector of Santiago de Cuba: the seat itself first, then clockwise."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.fields import Visibility
from ..core.kernel import kernel
from ..core.layout import Layout, Part
from .state import MOST_PESOS, MOST_POINTS, Exchange, Phase
from .tables import (
    BUILDINGS,
    CUBANS,
    DEMANDED_GOODS,
    EMPTY,
    FLOWER_OF_CUBAN,
    FLOWERS,
    GOODS,
    HIGHEST_VALUE,
    LOWEST_VALUE,
    MARKERS,
    MOST_TURNS,
    PORT,
    SHIPS,
    STOPS,
    SUPPLY,
    Flower,
)

# Scales: what counts as 1. Kernels multiply, which is several times faster than dividing.
PESOS, POINTS, DEMAND = 10.0, 25.0, 4.0
A_GOOD, A_PESO, A_POINT, A_MARKER, A_SHIP, A_DEMAND = 1 / SUPPLY, 1 / PESOS, 1 / POINTS, 1 / MARKERS, 1 / SHIPS, 1 / DEMAND
PHASES = len(Phase)
VALUES = HIGHEST_VALUE - LOWEST_VALUE + 1
EXCHANGES = len(Exchange) - 1
HELD = GOODS + 2  # goods, pesos, points of one seat
TURNS = 100.0
A_TURN = 1 / TURNS
FLOWER_AT_STOP = np.append(FLOWER_OF_CUBAN, Flower.TRANSPARENT).astype(np.int64)  # by Cuban, then the port, which has none


def layout(options: Mapping[str, Any]) -> Layout:
    """The parts, in the order in which `observe` writes them. `players` long parts begin with the seat itself."""
    players = options["players"]
    parts = [
        Part("phase", PHASES, 1, "what is decided now: one of Phase"),
        Part("to_move", players, 1, "who decides it"),
        Part("active", players, 1, "whose turn it is"),
        Part("goods", GOODS, 1, "own goods, of 8"),
        Part("pesos", 1, MOST_PESOS / PESOS, "own pesos, of 10"),
        Part("points", 1, MOST_POINTS / POINTS, "own victory points, of 25"),
        Part("markers", players, 1, "markers not yet placed, of 3"),
        Part("supply", GOODS, 1, "goods in the supply, of 8"),
        Part("ship", 1, (SHIPS + 1) / SHIPS, "the ship track, of 7"),
        Part("in_port", 1, 1, "a ship is in port"),
        Part("value", VALUES, 1, "the value marker: 2, 3 or 4"),
        Part("demand", DEMANDED_GOODS, 1, "what the ship wants of each good, of 4"),
        Part("dice", DEMANDED_GOODS, 1, "while a die is put aside: the roll, of 4"),
        Part("passed", players, 1, "out of this delivery round"),
        Part("road", STOPS * STOPS, 1, "for each stop from the next to a full lap: the port or which Cuban"),
        Part("inactive", STOPS, 1, "for each stop from the next to a full lap: the tile is turned over"),
        Part("flower_to_enter", FLOWERS, 1, "the flower of the Cuban at the car"),
        Part("buildings", BUILDINGS * (FLOWERS + 2 * players), 1, "by building: its flower, its owner, the pawn in it"),
        Part("in_use", BUILDINGS, 1, "the building whose use is decided"),
        Part("by_alonso", 1, 1, "it is used through Alonso"),
        Part("exchange", EXCHANGES, 1, "the casino goes on buying or selling"),
        Part("turn", 1, MOST_TURNS / TURNS, "turns played, of 100"),
    ]
    if options["visibility"] == "open":
        high = MOST_PESOS / PESOS
        parts.append(Part("opponents", (players - 1) * HELD, high, "by opponent: goods of 8, pesos of 10, points of 25"))
    return Layout(parts)


@kernel
def seats_on(seat, me, players):
    """How many seats clockwise of me."""
    return seat - me if seat >= me else seat - me + players


@kernel
def seat_at(offset, me, players):
    return me + offset if me + offset < players else me + offset - players


# Below, an index made unsigned is never negative, so compiled code need not ask; and where a choice would be as good as random, a
# number is written either way, since a branch that cannot be foreseen costs more than all the rest of a column.


@kernel
def put_holdings(s, seat, out, at):
    for good in range(GOODS):
        out[np.uintp(at + good)] = s.goods[np.uintp(seat), good] * A_GOOD
    out[np.uintp(at + GOODS)] = s.pesos[np.uintp(seat)] * A_PESO
    out[np.uintp(at + GOODS + 1)] = s.points[np.uintp(seat)] * A_POINT
    return at + HELD


@kernel
def put_road(s, out, at):
    car = int(s.car)
    inactive_at = at + STOPS * STOPS
    out[np.uintp(at + (STOPS - 1 - car) * STOPS)] = 1  # the port
    for stop in range(1, STOPS):
        ahead = stop - 1 - car  # 0 is the next stop
        if ahead < 0:
            ahead += STOPS
        cuban = np.uintp(s.street[stop - 1])
        out[np.uintp(at + ahead * STOPS + 1 + int(cuban))] = 1
        out[np.uintp(inactive_at + ahead)] = s.inactive[cuban]
    at = inactive_at + STOPS
    flower = FLOWER_AT_STOP[np.uintp(CUBANS if car == PORT else s.street[np.uintp(max(car, 1) - 1)])]
    out[np.uintp(at + flower % FLOWERS)] = 1 if flower < FLOWERS else 0
    return at + FLOWERS


@kernel
def put_buildings(s, me, players, out, at):
    width = FLOWERS + 2 * players
    column = at
    for building in range(BUILDINGS):
        owner = int(s.owner[building])
        out[np.uintp(column + int(s.flower[building]))] = 1
        out[np.uintp(column + FLOWERS + max(seats_on(owner, me, players), 0))] = 1 if owner != EMPTY else 0
        column += width
    at += FLOWERS + players
    for offset in range(players):
        building = int(s.pawn[np.uintp(seat_at(offset, me, players))])
        out[np.uintp(at + max(building, 0) * width + offset)] = 1 if building != EMPTY else 0
    return column


@kernel
def observe(s, me, out):
    """`s` is a record veiled for `me`."""
    players, me = int(s.players), int(me)  # one byte is too small to count columns in
    for i in range(out.size):  # a plain loop compiles to one memset
        out[i] = 0
    out[np.uintp(s.phase)] = 1
    at = PHASES
    out[np.uintp(at + seats_on(int(s.seat), me, players))] = 1
    at += players
    out[np.uintp(at + seats_on(int(s.active), me, players))] = 1
    at += players
    at = put_holdings(s, me, out, at)
    passed_at = at + players + GOODS + 2 + VALUES + 2 * DEMANDED_GOODS
    for offset in range(players):
        seat = np.uintp(seat_at(offset, me, players))
        out[np.uintp(at + offset)] = s.markers[seat] * A_MARKER
        out[np.uintp(passed_at + offset)] = s.passed[seat]
    at += players
    for good in range(GOODS):
        out[np.uintp(at + good)] = s.supply[good] * A_GOOD
    at += GOODS
    out[np.uintp(at)] = s.ship * A_SHIP
    out[np.uintp(at + 1)] = s.in_port
    out[np.uintp(at + 2 + int(s.value) - LOWEST_VALUE)] = 1
    at += 2 + VALUES
    a_die = A_DEMAND if s.phase == Phase.DICE else 0.0
    for good in range(DEMANDED_GOODS):
        out[np.uintp(at + good)] = s.demand[good] * A_DEMAND
        out[np.uintp(at + DEMANDED_GOODS + good)] = s.dice[good] * a_die
    at = put_road(s, out, passed_at + players)
    at = put_buildings(s, me, players, out, at)
    out[np.uintp(at + max(int(s.building), 0))] = 1 if s.building != EMPTY else 0
    at += BUILDINGS
    out[np.uintp(at)] = s.by_alonso
    out[np.uintp(at + max(int(s.exchange), 1))] = 1 if s.exchange != Exchange.NONE else 0
    at += 1 + EXCHANGES
    out[np.uintp(at)] = max(int(s.turn), 0) * A_TURN
    at += 1
    if s.visibility == Visibility.OPEN:
        for offset in range(1, players):
            at = put_holdings(s, seat_at(offset, me, players), out, at)
