"""The parts that encoding="rich" adds to the observation: thermometers of counts, and what follows from the rules."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.engine.encoding import cut, put_levels, seat_at, share
from ..core.engine.kernel import kernel
from ..core.spec.fields import Visibility
from ..core.spec.layout import Part
from .rules.car import drive_price
from .rules.cubans import can_take
from .rules.pawn import can_enter
from .rules.port import most_goods
from .rules.scoring import final_points
from .tables import (
    BUILDINGS,
    CASINO_PESOS,
    CUBAN_GOODS,
    DEMANDED_GOODS,
    FLOWER_OF_CUBAN,
    GOODS,
    MARIA_POINTS,
    MARTINEZ_PESOS,
    PORT,
    SHIPS,
    STOPS,
    SUPPLY,
    WOOD_POINTS,
    Cuban,
    Good,
)

GOODS_LEVELS = np.array([1, 2, 3, 4, 5])
PESOS_LEVELS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20])
POINTS_LEVELS = np.array([5, 10, 15, 20, 25, 30, 35, 40])
DEMAND_LEVELS = np.array([1, 2, 3, 4])
SUPPLY_LEVELS = np.array([1, 2, 4])
SHIP_LEVELS = np.arange(2, SHIPS + 1)
OPPONENT_GOODS_LEVELS = np.array([1, 2, 3])
OPPONENT_PESOS_LEVELS = np.array([1, 2, 3, 4, 5, 6, 8, 10])

GIFTS = GOODS + 2  # goods, pesos, points
USES = 6
DELIVERY = DEMANDED_GOODS + 3  # goods of each kind, wood, points, whether the ship is then full
GOOD_OF_CUBAN = np.full(len(Cuban), -1)
GOOD_OF_CUBAN[[Cuban.PEDRO, Cuban.MIGUEL, Cuban.JOSE, Cuban.CONCHITA]] = [Good.TOBACCO, Good.WOOD, Good.SUGAR, Good.FRUIT]  # SC-CUB-1

# Scales: what counts as 1; more is cut.
MADE, CASINO_POINTS, POINTS, PESOS = 4.0, 5.0, 20.0, 20.0


def rich_parts(options: Mapping[str, Any]) -> list[Part]:
    """The parts, in the order in which `put_rich` writes them."""
    players = options["players"]
    is_open = options["visibility"] == "open"
    parts = [
        Part.levels("goods_levels", GOODS, GOODS_LEVELS, "own goods"),
        Part.levels("pesos_levels", 1, PESOS_LEVELS, "own pesos"),
        Part.levels("points_levels", 1, POINTS_LEVELS, "own victory points"),
        Part.levels("demand_levels", DEMANDED_GOODS, DEMAND_LEVELS, "what the ship wants of each good"),
        Part.levels("supply_levels", GOODS, SUPPLY_LEVELS, "goods in the supply"),
        Part.levels("ship_levels", 1, SHIP_LEVELS, "the ship track"),
        Part("port_in_reach", 1, 1, "the own pesos pay for a drive to the port, and a ship is in it"),
        Part(
            "gifts",
            STOPS * GIFTS,
            1,
            "for each stop from the next to a full lap, if the own pesos pay for the drive and the Cuban is active: what the Cuban gives, "
            "goods of 2, pesos of 3, points of 2; of Pablo's choice one of 2",
        ),
        Part("enters", STOPS * BUILDINGS, 1, "for each such stop: the buildings that the pawn may enter then"),
        Part(
            "uses",
            USES,
            1,
            "what the own goods and pesos give in a visit now: distillery and cigar factory of 4, sawmill, café of 2, points that the "
            "casino sells of 5, kinds of goods for the contractor's office of 5",
        ),
        Part(
            "deliveries",
            (players if is_open else 1) * DELIVERY,
            1,
            "what could be delivered now: goods of 4, wood of 8 for the rest, points of 20, and whether the ship is then full"
            + (", by player" if is_open else ""),
        ),
    ]
    if is_open:
        others = players - 1
        parts += [
            Part.levels("opponents_goods_levels", others * GOODS, OPPONENT_GOODS_LEVELS, "goods by opponent"),
            Part.levels("opponents_pesos_levels", others, OPPONENT_PESOS_LEVELS, "pesos by opponent"),
            Part("lead", others * 2, 1, "over each opponent: in points, goods exchanged, of 20, and in pesos, of 20", low=-1),
        ]
    return parts


@kernel
def put_gifts(s, cuban, out, at):
    good = GOOD_OF_CUBAN[cuban]
    if good >= 0:
        out[at + good] = share(min(CUBAN_GOODS, int(s.supply[good])), float(CUBAN_GOODS))
    elif cuban == Cuban.MARTINEZ:
        out[at + GOODS] = share(MARTINEZ_PESOS, float(MARTINEZ_PESOS))
    elif cuban == Cuban.MARIA:
        out[at + GOODS + 1] = share(MARIA_POINTS, float(MARIA_POINTS))
    elif cuban == Cuban.PABLO:
        for choice in range(DEMANDED_GOODS):
            if can_take(s, choice):
                out[at + choice] = share(1, float(CUBAN_GOODS))


@kernel
def put_stops(s, me, out, at):
    """What each stop offers that the seat could pay for. An inactive Cuban offers nothing, but is active again once the car has left."""
    gifts_at = at + 1
    enters_at = gifts_at + STOPS * GIFTS
    pesos, car = int(s.pesos[me]), int(s.car)
    for ahead in range(STOPS):
        if drive_price(ahead + 1) > pesos:
            break
        stop = (car + 1 + ahead) % STOPS
        if stop == PORT:
            out[at] = s.in_port
            continue
        cuban = int(s.street[stop - 1])
        if s.inactive[cuban] and stop != car:
            continue
        put_gifts(s, cuban, out, gifts_at + ahead * GIFTS)
        for building in range(BUILDINGS):
            if s.flower[building] == FLOWER_OF_CUBAN[cuban] and can_enter(s, building):
                out[enters_at + ahead * BUILDINGS + building] = 1
    return enters_at + STOPS * BUILDINGS


@kernel
def put_uses(s, me, out, at):
    out[at] = share(min(int(s.goods[me, Good.SUGAR]), int(s.supply[Good.RUM])), MADE)
    out[at + 1] = share(min(int(s.goods[me, Good.TOBACCO]), int(s.supply[Good.CIGARS])), MADE)
    out[at + 2] = share(int(s.goods[me, Good.WOOD]), 1.0)
    out[at + 3] = share(int(s.goods[me, Good.CIGARS] > 0) + int(s.goods[me, Good.RUM] > 0), 2.0)
    out[at + 4] = share(int(s.pesos[me]) // CASINO_PESOS, CASINO_POINTS)
    kinds = 0
    for good in range(DEMANDED_GOODS):
        kinds += int(most_goods(s, me, good) > 0)
    out[at + 5] = share(kinds, float(DEMANDED_GOODS))
    return at + USES


@kernel
def put_delivery(s, seat, out, at):
    goods, rest = 0, 0
    for good in range(DEMANDED_GOODS):
        count = int(most_goods(s, seat, good))
        out[at + good] = share(count, 4.0)
        goods += count
        rest += int(s.demand[good]) - count
    wood = min(rest, int(s.goods[seat, Good.WOOD]))
    out[at + DEMANDED_GOODS] = share(wood, float(SUPPLY))
    out[at + DEMANDED_GOODS + 1] = share(goods * int(s.value) + wood * WOOD_POINTS, POINTS)
    out[at + DEMANDED_GOODS + 2] = 1 if s.in_port and rest == wood else 0
    return at + DELIVERY


@kernel
def put_opponents(s, me, players, out, at):
    pesos_at = at + (players - 1) * GOODS * OPPONENT_GOODS_LEVELS.size
    lead_at = pesos_at + (players - 1) * OPPONENT_PESOS_LEVELS.size
    for offset in range(1, players):
        seat = seat_at(offset, me, players)
        for good in range(GOODS):
            at = put_levels(int(s.goods[seat, good]), OPPONENT_GOODS_LEVELS, out, at)
        pesos_at = put_levels(int(s.pesos[seat]), OPPONENT_PESOS_LEVELS, out, pesos_at)
        out[lead_at] = share(int(final_points(s, me)) - int(final_points(s, seat)), POINTS)
        out[lead_at + 1] = share(int(s.pesos[me]) - int(s.pesos[seat]), PESOS)
        lead_at += 2
    return lead_at


@kernel
def put_rich(s, me, players, out, at):
    """`s` is a record masked for `me`. `out` holds the compact parts up to `at`, and 0 from there on."""
    cut(out, at)
    for good in range(GOODS):
        at = put_levels(int(s.goods[me, good]), GOODS_LEVELS, out, at)
    at = put_levels(int(s.pesos[me]), PESOS_LEVELS, out, at)
    at = put_levels(int(s.points[me]), POINTS_LEVELS, out, at)
    for good in range(DEMANDED_GOODS):
        at = put_levels(int(s.demand[good]), DEMAND_LEVELS, out, at)
    for good in range(GOODS):
        at = put_levels(int(s.supply[good]), SUPPLY_LEVELS, out, at)
    at = put_levels(int(s.ship), SHIP_LEVELS, out, at)
    at = put_stops(s, me, out, at)
    at = put_uses(s, me, out, at)
    at = put_delivery(s, me, out, at)
    if s.visibility == Visibility.OPEN:
        for offset in range(1, players):
            at = put_delivery(s, seat_at(offset, me, players), out, at)
        put_opponents(s, me, players, out, at)
