"""The parts that encoding="rich" adds to the observation: thermometers of counts, and what follows from the rules."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.engine.encoding import cut, put_levels, seat_at, share
from ..core.engine.kernel import kernel
from ..core.spec.fields import Visibility
from ..core.spec.layout import Part
from .rules.builder import price, price_terms
from .rules.captain import cargo_size, carrier, largest_empty_ship, ship_room
from .rules.common import city_room, is_working, last_building, privilege_size, slots
from .rules.craftsman import production
from .rules.scoring import final_points, printed_points
from .rules.trader import house_goods, house_price
from .tables import (
    BASE_BUILDINGS,
    BUILDINGS,
    CARGO_SHIPS,
    CITY_PLACES,
    EMPTY,
    FIRST_PROSPECTOR,
    FIRST_TILE,
    GOODS,
    HOUSE,
    NEW_BUILDINGS_END,
    PROSPECTORS,
    SLOT_TILES,
    Building,
)

DOUBLOONS_LEVELS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])
GOODS_LEVELS = np.array([1, 2, 3, 4, 5])
CITY_LEVELS = np.array([6, 8, 10, 11, 12])
ROLE_LEVELS = np.array([1, 2, 3])
ROOM_LEVELS = np.array([1, 2, 3, 4, 5, 6])
CHIPS_LEVELS = np.array([1, 5, 10, 15, 20, 30, 40, 50, 60, 70])
COLONISTS_LEVELS = np.array([1, 5, 10, 15, 20, 30, 40, 50])

# Scales: what counts as 1; more is cut.
MADE, LOADED, PRICE, VACANT, PRINTED, SCORE, LEAD, MONEY = 4.0, 6.0, 8.0, 10.0, 30.0, 60.0, 20.0, 10.0


def rich_parts(options: Mapping[str, Any]) -> list[Part]:
    """The parts, in the order in which `put_rich` writes them. What is there for each player begins with the seat itself."""
    players, new, nobles = options["players"], options["new_buildings"], options["nobles"]
    buildings = BASE_BUILDINGS + new * (NEW_BUILDINGS_END - BASE_BUILDINGS) + nobles * (BUILDINGS - NEW_BUILDINGS_END)
    roles = int(FIRST_PROSPECTOR + PROSPECTORS[players])
    parts = [
        Part.levels("role_levels", roles, ROLE_LEVELS, "doubloons on each role"),
        Part.levels("chips_left_levels", 1, CHIPS_LEVELS, "victory points in the supply"),
        Part.levels("colonists_left_levels", 1, COLONISTS_LEVELS, "colonists in the supply"),
        Part.levels("room_levels", int(CARGO_SHIPS[players]), ROOM_LEVELS, "room on each cargo ship"),
        Part("score", 1, 1, "what the own points would be if the game ended now, of 60"),
        Part("affords_as_builder", buildings, 1, "by building: could be built with one doubloon more than the own"),
        Part.levels("doubloons_levels", players, DOUBLOONS_LEVELS, "doubloons by player"),
        Part.levels("goods_levels", players * GOODS, GOODS_LEVELS, "goods by player and good"),
        Part.levels("city_levels", players, CITY_LEVELS, "city places in use, by player"),
        Part("produces", players * GOODS, 1, "by player and good: what the craftsman would bring now, of 4"),
        Part("loads", players * GOODS, 1, "by player and good: what would go onto a cargo ship now, of 6"),
        Part("sells", players * GOODS, 1, "by player and good: what the trading house would pay now, without privilege, of 8"),
        Part("affords", players * buildings, 1, "by player and building: could be built now, without privilege and black market"),
        Part("vacant", players, 1, "by player: slots without colonist, of 10"),
        Part("printed_points", players, 1, "by player: points printed on the buildings, of 30"),
        Part("doubloons_lead", players - 1, 1, "over each opponent in doubloons, of 10", low=-1),
    ]
    if options["visibility"] == "open":
        parts.append(Part("lead", players - 1, 1, "over each opponent, if the game ended now, of 20", low=-1))
    return parts


@kernel
def put_affords(s, seat, more, out, at):
    """Which buildings the seat could pay for with so many doubloons more, the builder's privilege not counted."""
    quarries, off, small, large = price_terms(s, seat, int(EMPTY))
    terms = quarries, off - privilege_size(s, seat), small, large
    room, purse = city_room(s, seat), int(s.doubloons[seat]) + more
    for building in range(last_building(s)):
        if building >= BASE_BUILDINGS and building < NEW_BUILDINGS_END and not s.new_buildings:
            continue
        if s.buildings_left[building] > 0 and not s.built[seat, building] and CITY_PLACES[building] <= room:
            out[at] = 1 if price(building, terms) <= purse else 0
        at += 1
    return at


@kernel
def loadable(s, seat, good):  # PR-CAPTAIN-1, PR-CAPTAIN-2
    """How much of a good the seat would load now, wharves not counted."""
    ship = carrier(s, good)
    if ship == EMPTY:
        return min(int(s.goods[seat, good]), int(largest_empty_ship(s)))
    return int(cargo_size(s, seat, good, ship))


@kernel
def sale(s, seat, good):  # PR-TRADER-1, PR-TRADER-2, PR-B-OFFICE
    """What the trading house would pay, without privilege; 0 if it would not buy."""
    if s.goods[seat, good] == 0 or house_goods(s) >= HOUSE or (s.house[good] > 0 and not is_working(s, seat, Building.OFFICE)):
        return 0
    return int(house_price(s, seat, good)) - privilege_size(s, seat)


@kernel
def vacancies(s, seat):
    count = 0
    for place in range(FIRST_TILE + SLOT_TILES):
        count += max(int(slots(s, seat, place)) - int(s.workers[seat, place]), 0)
    return count


@kernel
def put_rich(s, me, players, out, at):
    """`s` is a record masked for `me`. `out` holds the compact parts up to `at`."""
    cut(out, at)
    for column in range(at, out.size):
        out[np.uintp(column)] = 0
    for role in range(FIRST_PROSPECTOR + PROSPECTORS[players]):
        at = put_levels(int(s.role_doubloons[role]), ROLE_LEVELS, out, at)
    at = put_levels(int(s.chips_left), CHIPS_LEVELS, out, at)
    at = put_levels(int(s.colonists_left), COLONISTS_LEVELS, out, at)
    for ship in range(CARGO_SHIPS[players]):
        at = put_levels(int(ship_room(s, ship)), ROOM_LEVELS, out, at)
    out[at] = share(int(final_points(s, me)), SCORE)
    at = put_affords(s, me, 1, out, at + 1)
    for offset in range(players):
        at = put_levels(int(s.doubloons[seat_at(offset, me, players)]), DOUBLOONS_LEVELS, out, at)
    for offset in range(players):
        for good in range(GOODS):
            at = put_levels(int(s.goods[seat_at(offset, me, players), good]), GOODS_LEVELS, out, at)
    for offset in range(players):
        at = put_levels(int(s.city[seat_at(offset, me, players)]), CITY_LEVELS, out, at)
    row = players * GOODS
    for offset in range(players):
        seat = seat_at(offset, me, players)
        for good in range(GOODS):
            out[at] = share(min(production(s, seat, good), int(s.goods_left[good])), MADE)
            out[at + row] = share(loadable(s, seat, good), LOADED)
            out[at + 2 * row] = share(sale(s, seat, good), PRICE)
            at += 1
    at += 2 * row
    for offset in range(players):
        at = put_affords(s, seat_at(offset, me, players), 0, out, at)
    for offset in range(players):
        seat = seat_at(offset, me, players)
        out[at + offset] = share(vacancies(s, seat), VACANT)
        out[at + players + offset] = share(printed_points(s, seat), PRINTED)
    at += 2 * players
    for offset in range(1, players):
        out[at] = share(int(s.doubloons[me]) - int(s.doubloons[seat_at(offset, me, players)]), MONEY)
        at += 1
    if s.visibility == Visibility.OPEN:
        for offset in range(1, players):
            out[at] = share(int(final_points(s, me)) - int(final_points(s, seat_at(offset, me, players))), LEAD)
            at += 1
