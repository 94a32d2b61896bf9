"""The builder: which building, what the black market is paid, what the board offers."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import DRAFT_AT, FIRST, PASS, Kind
from tradewinds.envs.puerto_rico.rules.builder import price, price_terms
from tradewinds.envs.puerto_rico.rules.common import city_room, is_working, last_building
from tradewinds.envs.puerto_rico.tables import (
    CHURCH_POINTS,
    CITY,
    CITY_PLACES,
    COLUMN,
    COST,
    EMPTY,
    FIRST_TILE,
    GOODS,
    IS_VIOLET,
    LARGE_COLUMN,
    NEW_BUILDINGS_END,
    POINTS,
    QUARRIES,
    WINDROSE,
    Building,
    Good,
)

from .outlook import can_still_man, look_at_large, look_at_plants, quarry_worth, slot_use, use, worth_of_end
from .scratch import FIRST_LARGE, MONEY, NEXT_PAIR, UNIT
from .weights import W

LARGE_IN_SIGHT = 6  # doubloons and quarries from which on large buildings are looked at


@kernel
def net_worth(s, me, building, cost, can_man, w, scratch):
    """Points on it, its use, less its price and its place in the city."""
    room = city_room(s, me)
    worth = POINTS[building] - cost * scratch[MONEY]
    if COLUMN[building] == LARGE_COLUMN:
        worth += w[W.MANNED] * use(building, w, scratch) if can_man else 0.0
    elif can_man:
        worth += use(building, w, scratch)
    worth -= w[W.PLACE] * CITY_PLACES[building] * (CITY - room) / CITY
    if IS_VIOLET[building] and s.built[me, Building.CITY_HALL]:
        worth += 1.0
    if is_working(s, me, Building.CHURCH):
        worth += CHURCH_POINTS[COLUMN[building]]
    if CITY_PLACES[building] == room:
        worth += worth_of_end(s, me, w)
    return worth


@kernel
def best_purchase(s, me, purse, off, w, scratch):
    """The best that a seat can build with so much money and so much off, 0 if nothing is worth it."""
    look_at_plants(scratch, w)
    has_large = purse + s.workers[me, QUARRIES] >= LARGE_IN_SIGHT
    if has_large:
        look_at_large(s, me, w, scratch)
    can_man = can_still_man(s, me)
    quarries, other, small, large = price_terms(s, me, int(EMPTY))
    terms = (quarries, other + off, small, large)
    room = city_room(s, me)
    best = 0.0
    for building in range(last_building(s)):
        if s.buildings_left[building] > 0 and not s.built[me, building] and CITY_PLACES[building] <= room:
            cost = price(building, terms)
            if cost <= purse and (has_large or COLUMN[building] < LARGE_COLUMN):
                best = max(best, net_worth(s, me, building, cost, can_man, w, scratch))
    return best


@kernel
def rate_building(s, me, mask, w, scratch, values):
    first = FIRST[Kind.BUILD]
    last = last_building(s)
    look_at_plants(scratch, w)
    for building in range(FIRST_LARGE, last):
        if mask[first + building] and COLUMN[building] == LARGE_COLUMN:
            look_at_large(s, me, w, scratch)
            break
    can_man = can_still_man(s, me)
    terms = price_terms(s, me, int(EMPTY))
    values[PASS] = 0.0
    for building in range(last):
        if mask[first + building]:
            values[first + building] = net_worth(s, me, building, price(building, terms), can_man, w, scratch)


@kernel
def slot_worth(s, me, place, w, scratch):
    """What is lost if one of those at a place leaves."""
    if place == WINDROSE:
        return 0.0
    if place == QUARRIES:
        return quarry_worth(int(s.workers[me, QUARRIES]) - 1, s, me, w, scratch)
    if place >= FIRST_TILE:
        good = place - FIRST_TILE
        pair = scratch[NEXT_PAIR + good]
        return pair if good == Good.CORN else 0.5 * pair
    return w[W.SLOT] + slot_use(place, w, scratch)


@kernel
def rate_payer(s, me, mask, w, scratch, values):
    """The colonist who is missed least; without one it costs a good or a point."""
    look_at_plants(scratch, w)
    look_at_large(s, me, w, scratch)
    values[PASS] = -0.8
    first = FIRST[Kind.HAND_COLONIST]
    for place in range(WINDROSE + 1):
        if mask[first + place]:
            values[first + place] = -slot_worth(s, me, place, w, scratch)


@kernel
def rate_good_to_pay(s, me, mask, scratch, values):
    """A good against a point; of many one is missed less."""
    values[PASS] = -1.0
    for good in range(GOODS):
        if mask[FIRST[Kind.HAND_GOOD] + good]:
            values[FIRST[Kind.HAND_GOOD] + good] = -scratch[UNIT + good] + 0.02 * s.goods[me, good]


@kernel
def rate_draft(s, me, mask, w, scratch, values):
    """What is worth its price to all is best, since all can buy it; the first to move can a little sooner."""
    look_at_plants(scratch, w)
    look_at_large(s, me, w, scratch)
    for building in range(NEW_BUILDINGS_END):
        if DRAFT_AT[building] >= 0 and mask[DRAFT_AT[building]]:
            values[DRAFT_AT[building]] = POINTS[building] + w[building] - COST[building] * scratch[MONEY]
