"""The observation vector of Santiago de Cuba: the seat itself first, then clockwise."""

from collections.abc import Mapping
from typing import Any

from ..core.fields import Visibility
from ..core.kernel import kernel
from ..core.layout import Layout, Part
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
A_GOOD, A_PESO, A_POINT, A_MARKER, A_SHIP, A_DEMAND = 1 / SUPPLY, 1 / PESOS, 1 / POINTS, 1 / MARKERS, 1 / SHIPS, 1 / DEMAND
PHASES = len(Phase)
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
    return Layout(parts)


@kernel
def seats_on(seat, me, players):
    """How many seats clockwise of me."""
    me = int(me)
    return seat - me if seat >= me else seat - me + players


@kernel
def put_holdings(s, seat, out, at):
    for good in range(GOODS):
        out[at + good] = s.goods[seat, good] * A_GOOD
    out[at + GOODS] = s.pesos[seat] * A_PESO
    out[at + GOODS + 1] = s.points[seat] * A_POINT
    return at + HELD


@kernel
def put_road(s, out, at):
    for distance in range(1, STOPS + 1):
        stop = s.car + distance
        if stop >= STOPS:
            stop -= STOPS
        if stop == PORT:
            out[at] = 1
        else:
            cuban = int(s.street[stop - 1])
            out[at + 1 + cuban] = 1
            out[at + (STOPS - distance + 1) * STOPS + distance - 1] = s.inactive[cuban]
        at += STOPS
    at += STOPS
    if s.car != PORT:
        flower = int(FLOWER_OF_CUBAN[s.street[s.car - 1]])
        if flower < FLOWERS:
            out[at + flower] = 1
    return at + FLOWERS


@kernel
def put_buildings(s, me, players, out, at):
    width = FLOWERS + 2 * players
    for building in range(BUILDINGS):
        out[at + building * width + int(s.flower[building])] = 1
        owner = int(s.owner[building])
        if owner != EMPTY:
            out[at + building * width + FLOWERS + seats_on(owner, me, players)] = 1
    for seat in range(players):
        building = int(s.pawn[seat])
        if building != EMPTY:
            out[at + building * width + FLOWERS + players + seats_on(seat, me, players)] = 1
    return at + BUILDINGS * width


@kernel
def observe(s, me, out):
    """`s` is a record veiled for `me`."""
    players = int(s.players)  # one byte is too small to count columns in
    for i in range(out.size):  # a plain loop compiles to one memset
        out[i] = 0
    out[s.phase] = 1
    at = PHASES
    out[at + seats_on(int(s.seat), me, players)] = 1
    at += players
    out[at + seats_on(int(s.active), me, players)] = 1
    at += players
    at = put_holdings(s, me, out, at)
    for seat in range(players):
        out[at + seats_on(seat, me, players)] = s.markers[seat] * A_MARKER
    at += players
    for good in range(GOODS):
        out[at + good] = s.supply[good] * A_GOOD
    at += GOODS
    out[at] = s.ship * A_SHIP
    out[at + 1] = s.in_port
    out[at + 2 + int(s.value) - LOWEST_VALUE] = 1
    at += 2 + VALUES
    for good in range(DEMANDED_GOODS):
        out[at + good] = s.demand[good] * A_DEMAND
        if s.phase == Phase.DICE:
            out[at + DEMANDED_GOODS + good] = s.dice[good] * A_DEMAND
    at += 2 * DEMANDED_GOODS
    for seat in range(players):
        out[at + seats_on(seat, me, players)] = s.passed[seat]
    at += players
    at = put_road(s, out, at)
    at = put_buildings(s, me, players, out, at)
    if s.building != EMPTY:
        out[at + int(s.building)] = 1
    out[at + BUILDINGS] = s.by_alonso
    if s.exchange != Exchange.NONE:
        out[at + BUILDINGS + int(s.exchange)] = 1
    at += BUILDINGS + 1 + EXCHANGES
    out[at] = max(s.turn, 0) * A_TURN
    at += 1
    if s.visibility == Visibility.OPEN:
        for offset in range(1, players):
            at = put_holdings(s, (me + offset) % players, out, at)
