"""The builder (PR-BUILDER) with black market, university and church."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, PASS, Kind
from ..state import Phase
from ..tables import (
    CHURCH_POINTS,
    CITY_PLACES,
    COLUMN,
    COST,
    EMPTY,
    FOREST,
    FORESTS_FOR_A_DOUBLOON,
    GOODS,
    IS_LARGE,
    PLACES,
    QUARRIES,
    SLOTS,
    ZONING_LARGE,
    ZONING_SMALL,
    Building,
)
from .common import (
    can_take_colonist,
    can_take_noble,
    city_room,
    do_return_goods,
    do_score,
    do_take_person,
    has_noble,
    is_working,
    last_building,
    next_seat,
    privilege_size,
)
from .guests import allow_either


@kernel
def price_terms(s, seat, gone):  # PR-BUILDER-1, PR-BUILDER-2
    """What prices depend on beside the building: working quarries, what is off any price, off a small one, off a large one.

    `gone` is the place that a colonist has left for the black market, or EMPTY.
    """
    quarries = int(s.workers[seat, QUARRIES])
    off = privilege_size(s, seat) + s.tiles[seat, FOREST] // FORESTS_FOR_A_DOUBLOON
    small, large = 0, 0
    if is_working(s, seat, Building.ZONING_OFFICE) and gone != Building.ZONING_OFFICE:  # PR-NO-ZONING-OFFICE
        if has_noble(s, seat, Building.ZONING_OFFICE):
            large = ZONING_LARGE
        else:
            small = ZONING_SMALL
    if gone == QUARRIES:
        quarries -= 1
    if gone == Building.LIBRARY and seat == s.active:
        off -= 1
    return quarries, off, small, large


@kernel
def price(building, terms):  # PR-BUILDER-2
    quarries, off, small, large = terms
    off += large if IS_LARGE[building] else small
    return max(0, COST[building] - min(quarries, COLUMN[building]) - off)


@kernel
def building_price(s, seat, building, gone):
    return price(building, price_terms(s, seat, gone))


@kernel
def shortage(s, seat, building, gone):
    return building_price(s, seat, building, gone) - s.doubloons[seat]


@kernel
def has_any_good(s, seat):
    for good in range(GOODS):
        if s.goods[seat, good] > 0:
            return True
    return False


@kernel
def other_payments(s, seat):  # PR-NB-BLACK-MARKET
    """A good and a victory point: how many of the two the seat could hand in."""
    return (1 if has_any_good(s, seat) else 0) + (1 if has_point(s, seat) else 0)


@kernel
def can_hand_colonist(s, seat, building, place):  # PR-NB-BLACK-MARKET
    """Not the one on the market itself; price and occupancy are those after it left."""
    if place == Building.BLACK_MARKET or s.workers[seat, place] == 0:
        return False
    return shortage(s, seat, building, place) - 1 <= other_payments(s, seat)


@kernel
def can_use_black_market(s, seat, building):  # PR-NB-BLACK-MARKET
    """The number handed in is exactly what is lacking."""
    if not is_working(s, seat, Building.BLACK_MARKET):
        return False
    if shortage(s, seat, building, int(EMPTY)) <= other_payments(s, seat):
        return True
    for place in range(PLACES):
        if can_hand_colonist(s, seat, building, place):
            return True
    return False


@kernel
def can_build(s, seat, building, terms):  # PR-BUILDER-1
    """`terms` are the seat's price_terms."""
    return (
        s.buildings_left[building] > 0
        and not s.built[seat, building]
        and CITY_PLACES[building] <= city_room(s, seat)
        and (price(building, terms) <= s.doubloons[seat] or can_use_black_market(s, seat, building))
    )


@kernel
def begin_builder(s):
    s.seat = s.active
    s.phase = Phase.BUILD


@kernel
def begin_build(s, me):
    if not s.done and city_room(s, me) > 0:
        return True
    s.done = 0
    if not next_seat(s):
        s.phase = Phase.ROLE
    return False


@kernel
def allow_build(s, me, mask):
    count = allow(mask, PASS, True)
    terms = price_terms(s, me, int(EMPTY))
    for building in range(last_building(s)):
        count += allow(mask, FIRST[Kind.BUILD] + building, can_build(s, me, building, terms))
    return count


@kernel
def do_choose_building(s, me, building):
    s.pending = building
    s.amount = 0
    s.place = EMPTY
    s.phase = Phase.PAY_COLONIST if lacking(s, me) > 0 else Phase.PAY_POINT


# The black market: a colonist or none, a good or none, a point or none (PR-NB-BLACK-MARKET). `amount` counts what was handed in.


@kernel
def lacking(s, me):
    """What is still to be handed in; the price is that without the colonist, who has left."""
    return shortage(s, me, int(s.pending), int(EMPTY)) - s.amount


@kernel
def begin_pay_colonist(s):
    if not s.done:
        return True
    s.done = 0
    s.phase = Phase.PAY_GOOD
    return False


@kernel
def allow_pay_colonist(s, me, mask):
    building = int(s.pending)
    count = allow(mask, PASS, lacking(s, me) <= other_payments(s, me))
    for place in range(PLACES):
        count += allow(mask, FIRST[Kind.HAND_COLONIST] + place, can_hand_colonist(s, me, building, place))
    return count


@kernel
def do_choose_payer(s, me, place):
    """If both a colonist and a noble are there, who goes is asked next."""
    nobles = s.nobles_at[me, place]
    s.place = place
    if nobles == 0 or nobles == s.workers[me, place]:
        do_hand_colonist(s, me, nobles > 0)


@kernel
def allow_payer(s, me, mask):
    """Either one. None after a determinization that took away the point this payment relies on; that one is rejected and sampled again."""
    if not can_hand_colonist(s, me, int(s.pending), int(s.place)):
        return 0
    return allow_either(mask)


@kernel
def do_hand_colonist(s, me, noble):
    s.workers[me, s.place] -= 1
    if noble:
        s.nobles_at[me, s.place] -= 1
        s.nobles_left += 1
    else:
        s.colonists_left += 1
    s.place = EMPTY
    s.amount += 1
    s.done = 1


@kernel
def has_point(s, seat):
    return s.chips[seat] + s.noted[seat] > 0


@kernel
def begin_pay_good(s, me):
    if not s.done and lacking(s, me) > 0 and has_any_good(s, me):
        return True
    s.done = 0
    s.phase = Phase.PAY_POINT
    return False


@kernel
def allow_pay_good(s, me, mask):
    other = 1 if has_point(s, me) else 0
    count = allow(mask, PASS, lacking(s, me) <= other)
    for good in range(GOODS):
        count += allow(mask, FIRST[Kind.HAND_GOOD] + good, s.goods[me, good] > 0 and lacking(s, me) - 1 <= other)
    return count


@kernel
def do_hand_good(s, me, good):
    do_return_goods(s, me, good, 1)
    s.amount += 1
    s.done = 1


@kernel
def begin_pay_point(s, me):
    """A point is asked for only if it is needed."""
    if lacking(s, me) > 0:
        return True
    do_pay(s, me)
    return False


@kernel
def allow_hand_point(mask):
    return allow(mask, FIRST[Kind.HAND_POINT], True)


@kernel
def do_hand_point(s, me):
    """A chip goes back; one who has none left strikes out a noted point."""
    if s.chips[me] > 0:
        s.chips[me] -= 1
        s.chips_left += 1
    else:
        s.noted[me] -= 1
    s.amount += 1


@kernel
def do_pay(s, me):  # PR-BUILDER-2
    building = int(s.pending)
    s.doubloons[me] -= building_price(s, me, building, int(EMPTY)) - s.amount
    s.amount = 0
    s.buildings_left[building] -= 1
    s.built[me, building] = 1
    s.city[me] += CITY_PLACES[building]
    if city_room(s, me) == 0:  # PR-END-1
        s.last_round = 1
    s.phase = Phase.UNIVERSITY


@kernel
def begin_university(s, me):  # PR-B-UNIVERSITY; nobody moves into a statue (PR-NB-STATUE)
    if not s.done and is_working(s, me, Building.UNIVERSITY) and SLOTS[s.pending] > 0 and (can_take_colonist(s) or can_take_noble(s)):
        return True
    if s.pending != Building.CHURCH and is_working(s, me, Building.CHURCH):  # PR-NB-CHURCH
        do_score(s, me, CHURCH_POINTS[COLUMN[s.pending]])
    s.done = 1
    s.pending = EMPTY
    s.phase = Phase.BUILD
    return False


@kernel
def do_university(s, me, noble):
    do_take_person(s, me, noble, int(s.pending))
    s.done = 1
