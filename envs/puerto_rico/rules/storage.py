"""The end of the captain phase: storage (PR-CAPTAIN-4) and the departure of full ships (PR-CAPTAIN-5)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import KEEP_AT
from ..state import Phase
from ..tables import CARGO_SHIPS, EMPTY, GOODS, LARGE_WAREHOUSE_KINDS, SMALL_WAREHOUSE_KINDS, STOREHOUSE_GOODS, WINDROSE_GOODS, Building
from .captain import ship_room
from .common import do_return_goods, goods_held, is_working, next_seat
from .guests import has_guests


@kernel
def stored_kinds(s, seat):  # PR-B-SMALL-WAREHOUSE, PR-B-LARGE-WAREHOUSE
    kinds = 0
    if is_working(s, seat, Building.SMALL_WAREHOUSE):
        kinds += SMALL_WAREHOUSE_KINDS
    if is_working(s, seat, Building.LARGE_WAREHOUSE):
        kinds += LARGE_WAREHOUSE_KINDS
    return kinds


@kernel
def stored_goods(s, seat):  # PR-CAPTAIN-4, PR-NB-STOREHOUSE
    """Single goods of any kinds, besides the kinds in warehouses."""
    return WINDROSE_GOODS + (STOREHOUSE_GOODS if is_working(s, seat, Building.STOREHOUSE) else 0)


@kernel
def single_goods(s, seat, good, count):
    """How many goods need a single place, if `count` of a good is kept beside what was kept of the goods before it.

    The warehouses take the largest holdings, so the single places are needed for the rest.
    """
    kinds = stored_kinds(s, seat)
    needed = 0
    for other in range(good + 1):
        own = count if other == good else int(s.goods[seat, other])
        larger = 0
        for rival in range(good + 1):
            its = count if rival == good else int(s.goods[seat, rival])
            if its > own or (its == own and rival < other):
                larger += 1
        if larger >= kinds:
            needed += own
    return needed


@kernel
def can_keep(s, seat, good, count):  # PR-CAPTAIN-4
    return count <= s.goods[seat, good] and single_goods(s, seat, good, count) <= stored_goods(s, seat)


@kernel
def begin_storage(s, me):  # PR-NB-GUEST-HOUSE
    """A guest may still go to a warehouse."""
    if not s.done and has_guests(s, me) and goods_held(s, me) > 0:
        return True
    s.done = 0
    s.good = 0
    s.phase = Phase.KEEP
    return False


@kernel
def begin_keep(s, me):
    """Good by good, how many are kept."""
    while s.good < GOODS:
        if s.goods[me, s.good] > 0:
            return True
        s.good += 1
    end_keep(s)
    return False


@kernel
def allow_keep(s, me, mask):
    good = int(s.good)
    allowed = 0
    for count in range(s.goods[me, good] + 1):
        allowed += allow(mask, KEEP_AT[good] + count, can_keep(s, me, good, count))
    return allowed


@kernel
def do_keep(s, me, good, count):  # PR-CAPTAIN-4
    do_return_goods(s, me, good, int(s.goods[me, good]) - count)
    s.good += 1


@kernel
def end_keep(s):
    s.good = EMPTY
    if next_seat(s):
        s.phase = Phase.STORAGE
    else:
        end_captain(s)


@kernel
def end_captain(s):  # PR-CAPTAIN-5
    for ship in range(CARGO_SHIPS[s.players]):
        if s.cargo[ship] != EMPTY and ship_room(s, ship) == 0:
            s.goods_left[s.cargo[ship]] += s.load[ship]
            s.cargo[ship] = EMPTY
            s.load[ship] = 0
    s.phase = Phase.ROLE
