"""The observation vector of Santiago de Cuba: the seat itself first, then clockwise."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.engine.encoding import seat_at, seats_on
from ..core.engine.kernel import kernel
from ..core.spec.fields import Visibility
from ..core.spec.layout import Layout, Part, cut_parts
from .rich import put_rich, rich_parts
from .state import MOST_PESOS, MOST_POINTS, Exchange, Phase
from .tables import (
    BUILDINGS,
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
)

# Scales: what counts as 1. Kernels multiply, which is several times faster than dividing.
PESOS, POINTS, DEMAND = 10.0, 25.0, 4.0
A_PESO, A_POINT, A_MARKER, A_SHIP = 1 / PESOS, 1 / POINTS, 1 / MARKERS, 1 / SHIPS
A_GOOD, A_DEMAND = np.float32(1 / SUPPLY), np.float32(1 / DEMAND)  # exact in the vector's own type
PHASES = len(Phase)
A_DIE = np.where(np.arange(PHASES) == Phase.DICE, A_DEMAND, np.float32(0))  # by phase
VALUES = HIGHEST_VALUE - LOWEST_VALUE + 1
EXCHANGES = len(Exchange) - 1
HELD = GOODS + 2  # goods, pesos, points of one seat
TURNS = 100.0
A_TURN = 1 / TURNS


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
    if options["encoding"] == "rich":
        parts = [*cut_parts(parts), *rich_parts(options)]
    return Layout(parts)


# Below, an index made unsigned is never negative, so compiled code need not ask. And what is perhaps not there (an owner, a pawn) is not
# asked for in a branch, which as good as random would cost more than all the rest: its 1 then goes to `spare`, a column that is 1 anyhow.


@kernel
def put_holdings(s, seat, out, at):
    for good in range(GOODS):
        out[np.uintp(at + good)] = s.goods[np.uintp(seat), good] * A_GOOD
    out[np.uintp(at + GOODS)] = s.pesos[np.uintp(seat)] * A_PESO
    out[np.uintp(at + GOODS + 1)] = s.points[np.uintp(seat)] * A_POINT
    return at + HELD


@kernel
def put_road(s, spare, out, at):
    car = int(s.car)
    inactive_at = at + STOPS * STOPS
    flower_at = inactive_at + STOPS
    out[np.uintp(at + (STOPS - 1 - car) * STOPS)] = 1  # the port
    for stop in range(1, STOPS):
        ahead = stop - 1 - car  # 0 is the next stop
        if ahead < 0:
            ahead += STOPS
        cuban = int(s.street[stop - 1])
        out[np.uintp(at + ahead * STOPS + 1 + cuban)] = 1
        out[np.uintp(inactive_at + ahead)] = s.inactive[np.uintp(cuban)]
    flower = int(FLOWER_OF_CUBAN[np.uintp(s.street[np.uintp(max(car - 1, 0))])])
    out[np.uintp(flower_at + flower if (car != PORT) & (flower < FLOWERS) else spare)] = 1
    return flower_at + FLOWERS


@kernel
def put_buildings(s, me, players, spare, out, at):
    width = FLOWERS + 2 * players
    owner_at, pawn_at = at + FLOWERS, at + FLOWERS + players
    for building in range(BUILDINGS):
        row = building * width
        out[np.uintp(at + row + int(s.flower[building]))] = 1
        owner = int(s.owner[building])
        column = owner_at + row + seats_on(owner, me, players)
        out[np.uintp(column if owner != EMPTY else spare)] = 1
    for seat in range(players):
        building = int(s.pawn[seat])
        column = pawn_at + building * width + seats_on(seat, me, players)
        out[np.uintp(column if building != EMPTY else spare)] = 1
    return at + BUILDINGS * width


@kernel
def observe(s, me, out):
    """`s` is a record masked for `me`."""
    players, me = int(s.players), int(me)  # one byte is too small to count columns in
    for i in range(out.size):  # a plain loop compiles to one memset
        out[i] = 0
    spare = int(s.phase)
    out[np.uintp(spare)] = 1
    at = PHASES
    out[np.uintp(at + seats_on(int(s.seat), me, players))] = 1
    at += players
    out[np.uintp(at + seats_on(int(s.active), me, players))] = 1
    at += players
    at = put_holdings(s, me, out, at)
    passed_at = at + players + GOODS + 2 + VALUES + 2 * DEMANDED_GOODS
    for seat in range(players):
        offset = seats_on(seat, me, players)
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
    a_die = A_DIE[np.uintp(spare)]
    for good in range(DEMANDED_GOODS):
        out[np.uintp(at + good)] = s.demand[good] * A_DEMAND
        out[np.uintp(at + DEMANDED_GOODS + good)] = s.dice[good] * a_die
    at = put_road(s, spare, out, passed_at + players)
    at = put_buildings(s, me, players, spare, out, at)
    out[np.uintp(at + int(s.building) if s.building != EMPTY else spare)] = 1
    at += BUILDINGS
    out[np.uintp(at)] = s.by_alonso
    out[np.uintp(at + int(s.exchange) if s.exchange != Exchange.NONE else spare)] = 1
    at += 1 + EXCHANGES
    out[np.uintp(at)] = max(int(s.turn), 0) * A_TURN
    at += 1
    if s.visibility == Visibility.OPEN:
        for offset in range(1, players):
            at = put_holdings(s, seat_at(offset, me, players), out, at)
    if at < out.size:  # encoding="rich"
        put_rich(s, me, players, out, at)
