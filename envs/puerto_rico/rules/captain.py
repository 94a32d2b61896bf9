"""The captain (PR-CAPTAIN): loading, with wharves, harbour, lighthouse, union hall and royal supplier."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, PASS, SHIP_AT, Kind
from ..state import Phase
from ..tables import CARGO_SHIPS, EMPTY, GOODS, GOODS_FOR_A_POINT, HARBOUR_POINTS, LIGHTHOUSE_DOUBLOONS, SHIP_SIZE, SHIPS, Building
from .common import all_nobles, do_return_goods, do_score, goods_held, is_working, next_seat, privilege_size
from .guests import has_guests


@kernel
def begin_captain(s):
    s.seat = s.active
    s.phase = Phase.CAPTAIN_BEGINS


# A seat's first turn (PR-CAPTAIN-6)


@kernel
def begin_first_turn(s, me):  # PR-CAPTAIN-6, PR-NB-GUEST-HOUSE
    if s.turns == s.players:
        s.phase = Phase.LOAD
        return False
    if has_guests(s, me) and not s.done:
        return True
    s.done = 0
    do_first_turn(s, me)
    s.phase = Phase.SUPPLIER
    return False


@kernel
def do_first_turn(s, seat):  # PR-CAPTAIN-6
    s.turns += 1
    if seat == s.active and is_working(s, seat, Building.LIGHTHOUSE):  # PR-NB-LIGHTHOUSE
        s.doubloons[seat] += LIGHTHOUSE_DOUBLOONS
    if is_working(s, seat, Building.UNION_HALL):  # PR-NB-UNION-HALL
        for good in range(GOODS):
            do_score(s, seat, s.goods[seat, good] // GOODS_FOR_A_POINT)
    s.good = EMPTY
    s.amount = 0


@kernel
def can_supply(s, me, good):  # PR-NO-ROYAL-SUPPLIER
    """Different kinds, at most one per own noble. Handed in in a fixed order, so that each set is reached in one way only."""
    return is_working(s, me, Building.ROYAL_SUPPLIER) and good > s.good and s.goods[me, good] > 0 and s.amount < all_nobles(s, me)


@kernel
def begin_supplier(s, me):
    if not s.done and is_working(s, me, Building.ROYAL_SUPPLIER):
        return True
    s.done = 0
    s.good = EMPTY
    s.amount = 0
    s.phase = Phase.LOAD
    return False


@kernel
def allow_supplier(s, me, mask):
    count = allow(mask, PASS, True)
    for good in range(GOODS):
        count += allow(mask, FIRST[Kind.SUPPLY] + good, can_supply(s, me, good))
    return count


@kernel
def do_supply(s, me, good):  # PR-NO-ROYAL-SUPPLIER
    do_return_goods(s, me, good, 1)
    do_score(s, me, 1)
    s.amount += 1
    s.good = good


# Loading


@kernel
def ship_room(s, ship):
    return SHIP_SIZE[s.players, ship] - s.load[ship]


@kernel
def carrier(s, good):
    """The ship that carries the good, or EMPTY."""
    for ship in range(CARGO_SHIPS[s.players]):
        if s.cargo[ship] == good:
            return ship
    return EMPTY


@kernel
def largest_empty_ship(s):
    """The room of the largest empty ship, 0 if none is empty."""
    most = 0
    for ship in range(CARGO_SHIPS[s.players]):
        if s.cargo[ship] == EMPTY:
            most = max(most, SHIP_SIZE[s.players, ship])
    return most


@kernel
def cargo_size(s, seat, good, ship):  # PR-CAPTAIN-1
    """As many as fit."""
    return min(int(s.goods[seat, good]), ship_room(s, ship))


@kernel
def can_load(s, me, good, ship):  # PR-CAPTAIN-1, PR-CAPTAIN-2
    if ship >= CARGO_SHIPS[s.players] or s.goods[me, good] == 0:
        return False
    if s.cargo[ship] == good:
        return ship_room(s, ship) > 0
    if s.cargo[ship] != EMPTY or carrier(s, good) != EMPTY:
        return False
    return cargo_size(s, me, good, ship) == min(int(s.goods[me, good]), largest_empty_ship(s))


@kernel
def must_load(s, me):  # PR-CAPTAIN-1
    """Whether the seat can load a ship, by its own goods and the room there is."""
    has_empty = largest_empty_ship(s) > 0
    for good in range(GOODS):
        if s.goods[me, good] > 0:
            ship = carrier(s, good)
            if ship == EMPTY:
                if has_empty:
                    return True
            elif ship_room(s, ship) > 0:
                return True
    return False


@kernel
def can_use_wharf(s, me, good):  # PR-B-WHARF
    return s.goods[me, good] > 0 and not s.wharf_used[me] and is_working(s, me, Building.WHARF)


@kernel
def can_use_small_wharf(s, me):  # PR-NB-SMALL-WHARF
    return not s.small_wharf_used[me] and is_working(s, me, Building.SMALL_WHARF) and goods_held(s, me) > 0


@kernel
def begin_load(s, me):
    """A turn without loading passes to the next seat; a full lap of such turns ends the phase (PR-CAPTAIN-6)."""
    if not s.done and goods_held(s, me) > 0:
        return True
    s.done = 0
    s.idle += 1
    if s.idle == s.players:
        end_loading(s)
    else:
        to_next_turn(s)
    return False


@kernel
def allow_load(s, me, mask):
    count = 0
    for good in range(GOODS):
        for ship in range(SHIPS):
            count += allow(mask, FIRST[Kind.LOAD] + SHIPS * good + ship, can_load(s, me, good, ship))
        count += allow(mask, FIRST[Kind.WHARF] + good, can_use_wharf(s, me, good))
    count += allow(mask, FIRST[Kind.SMALL_WHARF], can_use_small_wharf(s, me))
    return count + allow(mask, PASS, not must_load(s, me))  # PR-CAPTAIN-6: wharves are never forced


@kernel
def do_load(s, me, good, ship):  # PR-CAPTAIN-1
    count = cargo_size(s, me, good, ship)
    s.goods[me, good] -= count
    s.cargo[ship] = good
    s.load[ship] += count
    do_reward_loading(s, me, count)


@kernel
def do_wharf(s, me, good):  # PR-B-WHARF
    count = int(s.goods[me, good])
    s.wharf_used[me] = 1
    do_return_goods(s, me, good, count)
    do_reward_loading(s, me, count)


@kernel
def loading_points(s, seat, points):  # PR-CAPTAIN-3, PR-B-HARBOUR
    """The points for goods that are loaded, with those for the loading itself."""
    if seat == s.active and not s.privilege:
        points += privilege_size(s, seat)
    if is_working(s, seat, Building.HARBOUR):
        points += HARBOUR_POINTS
    return points


@kernel
def do_reward_loading(s, seat, points):  # PR-CAPTAIN-3, PR-B-HARBOUR, PR-NB-LIGHTHOUSE
    """For any loading, by ship or wharf; then the next seat's turn."""
    points = loading_points(s, seat, points)
    if seat == s.active and not s.privilege:
        s.privilege = 1
    if is_working(s, seat, Building.LIGHTHOUSE):
        s.doubloons[seat] += LIGHTHOUSE_DOUBLOONS
    do_score(s, seat, points)
    s.idle = 0
    to_next_turn(s)


@kernel
def to_next_turn(s):
    next_seat(s)
    s.phase = Phase.CAPTAIN_BEGINS


@kernel
def end_loading(s):
    s.idle = 0
    s.turns = 0
    s.privilege = 0
    s.wharf_used[:] = 0
    s.small_wharf_used[:] = 0
    s.seat = s.active
    s.phase = Phase.STORAGE


# The small wharf: how many of each good, in their order (PR-NB-SMALL-WHARF). `amount` counts what is on it.


@kernel
def begin_small_wharf(s):
    s.amount = 0
    s.good = 0
    s.phase = Phase.SMALL_WHARF


@kernel
def has_goods_after(s, seat, good):
    for later in range(good + 1, GOODS):
        if s.goods[seat, later] > 0:
            return True
    return False


@kernel
def fewest_shipped(s, me):
    """At least 1 good in all."""
    return 0 if s.amount > 0 or has_goods_after(s, me, int(s.good)) else 1


@kernel
def begin_ship_goods(s, me):
    if s.good == GOODS:
        end_small_wharf(s, me)
        return False
    if s.goods[me, s.good] > 0:
        return True
    s.good += 1
    return False


@kernel
def allow_ship_goods(s, me, mask):
    fewest, most = fewest_shipped(s, me), int(s.goods[me, s.good])
    for count in range(fewest, most + 1):
        allow(mask, SHIP_AT[s.good] + count, True)
    return most - fewest + 1


@kernel
def do_ship_goods(s, me, good, count):
    do_return_goods(s, me, good, count)
    s.amount += count
    s.good += 1


@kernel
def end_small_wharf(s, me):  # PR-NB-SMALL-WHARF
    points = s.amount // GOODS_FOR_A_POINT
    s.small_wharf_used[me] = 1
    s.amount = 0
    s.good = EMPTY
    do_reward_loading(s, me, int(points))
