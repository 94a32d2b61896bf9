"""The captain phase: simulated to its end for each way to load; then what is kept."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import FIRST, KEEP_AT, PASS, SHIP_AT, Kind
from tradewinds.envs.puerto_rico.rules.common import is_working, privilege_size
from tradewinds.envs.puerto_rico.rules.storage import stored_goods, stored_kinds
from tradewinds.envs.puerto_rico.tables import CARGO_SHIPS, EMPTY, GOODS, GOODS_FOR_A_POINT, SHIP_SIZE, SHIPS, Building

from .scratch import CARRIER, GAIN, GOOD, HOLD, IS_EMPTY, MONEY, RIVAL, ROOM, SHIPPED, STORE, UNIT, WHARF_USED
from .weights import W

NO_SHIP = -1.0


@kernel
def set_up(s, scratch):
    """Goods, ships and wharves as they are now."""
    for good in range(GOODS):
        scratch[CARRIER + good] = NO_SHIP
    for ship in range(CARGO_SHIPS[s.players]):
        scratch[ROOM + ship] = SHIP_SIZE[s.players, ship] - s.load[ship]
        scratch[IS_EMPTY + ship] = 1.0 if s.cargo[ship] == EMPTY else 0.0
        if s.cargo[ship] != EMPTY:
            scratch[CARRIER + s.cargo[ship]] = ship
    for seat in range(s.players):
        scratch[SHIPPED + seat] = 0.0
        scratch[WHARF_USED + seat] = 1.0 if s.wharf_used[seat] or not is_working(s, seat, Building.WHARF) else 0.0
        for good in range(GOODS):
            scratch[HOLD + GOODS * seat + good] = s.goods[seat, good]


@kernel
def empty_ship(s, scratch, count):
    """The smallest empty ship that takes all, else the largest; -1 without any. Ships stand by size."""
    found = -1
    for ship in range(CARGO_SHIPS[s.players]):
        if scratch[IS_EMPTY + ship] > 0:
            found = ship
            if scratch[ROOM + ship] >= count:
                break
    return found


@kernel
def load(scratch, seat, good, ship):
    """Load a ship in the simulation; returns how many goods."""
    hold = HOLD + GOODS * seat + good
    count = min(scratch[hold], scratch[ROOM + ship])
    scratch[hold] -= count
    scratch[ROOM + ship] -= count
    scratch[IS_EMPTY + ship] = 0.0
    scratch[CARRIER + good] = ship
    return count


@kernel
def reward(s, scratch, seat, count):
    scratch[SHIPPED + seat] += count + (1.0 if is_working(s, seat, Building.HARBOUR) else 0.0)


@kernel
def load_most(s, scratch, seat):
    """The seat loads where most fits, or uses its wharf where that takes more. Ties go to the cheaper good. False if it cannot."""
    most, best_good, best_ship = 0.0, -1, -1
    dearest, wharf_good = 0.0, -1
    for good in range(GOODS):
        count = scratch[HOLD + GOODS * seat + good]
        if count > 0:
            if count > dearest:
                dearest, wharf_good = count, good
            ship = int(scratch[CARRIER + good])
            if ship < 0:
                ship = empty_ship(s, scratch, count)
            if ship >= 0:
                fits = min(count, scratch[ROOM + ship])
                if fits > most:
                    most, best_good, best_ship = fits, good, ship
    if scratch[WHARF_USED + seat] == 0.0 and dearest > most:
        scratch[WHARF_USED + seat] = 1.0
        scratch[HOLD + GOODS * seat + wharf_good] = 0.0
        reward(s, scratch, seat, dearest)
        return True
    if most == 0.0:
        return False
    reward(s, scratch, seat, load(scratch, seat, best_good, best_ship))
    return True


@kernel
def play_ahead(s, scratch, seat):
    """Simulate turns from a seat on until nobody can load."""
    idle = 0
    while idle < s.players:
        if load_most(s, scratch, seat):
            idle = 0
        else:
            idle += 1
        seat = 0 if seat + 1 == s.players else seat + 1


@kernel
def kept(s, scratch, seat):
    """How many of the goods that a seat has left it can keep: the largest kinds in warehouses, then single ones."""
    total = 0.0
    for good in range(GOODS):
        total += scratch[HOLD + GOODS * seat + good]
    if total == 0.0:
        return 0.0, 0.0
    stored = 0.0
    for _ in range(stored_kinds(s, seat)):
        most = HOLD + GOODS * seat
        for good in range(GOODS):
            if scratch[HOLD + GOODS * seat + good] > scratch[most]:
                most = HOLD + GOODS * seat + good
        stored += scratch[most]
        scratch[most] = 0.0
    stored = min(total, stored + stored_goods(s, seat))
    return stored, total - stored


@kernel
def outcome(s, scratch, seat, w):
    """The value of a seat's simulated phase: points shipped, goods kept and goods lost."""
    stored, lost = kept(s, scratch, seat)
    if lost > 1.0 and is_working(s, seat, Building.SMALL_WHARF) and not s.small_wharf_used[seat]:
        scratch[SHIPPED + seat] += lost // GOODS_FOR_A_POINT
        lost = 0.0
    return scratch[SHIPPED + seat] + scratch[STORE] * stored - w[W.LOST] * lost


@kernel
def balance(s, scratch, me, w):
    """My outcome, less the weighted outcomes of the others."""
    others = 0.0
    for seat in range(s.players):
        if seat != me:
            others += outcome(s, scratch, seat, w)
    return outcome(s, scratch, me, w) - scratch[RIVAL] * others


@kernel
def captain_gains(s, scratch, captain, w):
    """Into GAIN: what a captain phase brings each seat beyond what its goods are worth as they are."""
    set_up(s, scratch)
    for seat in range(s.players):
        before, united = 0.0, 0.0
        for good in range(GOODS):
            before += scratch[HOLD + GOODS * seat + good]
            united += scratch[HOLD + GOODS * seat + good] // GOODS_FOR_A_POINT
        scratch[GAIN + seat] = -scratch[GOOD] * before
        if is_working(s, seat, Building.UNION_HALL):
            scratch[GAIN + seat] += united
    play_ahead(s, scratch, captain)
    for seat in range(s.players):
        if seat == captain and scratch[SHIPPED + seat] > 0:
            scratch[SHIPPED + seat] += 2.0 if is_working(s, seat, Building.LIBRARY) else 1.0
        scratch[GAIN + seat] += outcome(s, scratch, seat, w)


@kernel
def rate_loading(s, me, mask, w, scratch, values):
    """Every way to load, by the outcome of the phase."""
    following = 0 if me + 1 == s.players else me + 1
    privilege = 0.0 if s.privilege else float(privilege_size(s, me))
    extra = privilege + (scratch[MONEY] if is_working(s, me, Building.LIGHTHOUSE) else 0.0)
    for good in range(GOODS):
        if s.goods[me, good] == 0:
            continue
        for ship in range(SHIPS):
            action = FIRST[Kind.LOAD] + SHIPS * good + ship
            if mask[action]:
                set_up(s, scratch)
                reward(s, scratch, me, load(scratch, me, good, ship))
                play_ahead(s, scratch, following)
                values[action] = extra + balance(s, scratch, me, w)
        action = FIRST[Kind.WHARF] + good
        if mask[action]:
            set_up(s, scratch)
            scratch[HOLD + GOODS * me + good] = 0.0
            scratch[WHARF_USED + me] = 1.0
            reward(s, scratch, me, float(s.goods[me, good]))
            play_ahead(s, scratch, following)
            values[action] = extra + balance(s, scratch, me, w)
    if mask[PASS]:
        set_up(s, scratch)
        scratch[WHARF_USED + me] = 1.0  # if nobody loads any more there is no other turn
        play_ahead(s, scratch, following)
        values[PASS] = balance(s, scratch, me, w)
    action = FIRST[Kind.SMALL_WHARF]
    if mask[action]:
        set_up(s, scratch)
        total = 0.0
        for good in range(GOODS):
            total += scratch[HOLD + GOODS * me + good]
            scratch[HOLD + GOODS * me + good] = 0.0
        reward(s, scratch, me, total // 2)
        play_ahead(s, scratch, following)
        values[action] = extra + balance(s, scratch, me, w)


@kernel
def rate_small_wharf(s, me, scratch, values):
    """Half a point a good: all goes, but what warehouses can keep for better."""
    good = int(s.good)
    can_store = stored_kinds(s, me) > 0
    worth = 0.5 - (scratch[STORE] * 0.9 if can_store else 0.05)
    for count in range(s.goods[me, good] + 1):
        total = s.amount + count
        values[SHIP_AT[good] + count] = worth * count + 0.2 * (1 - total % 2)


@kernel
def rate_supplier(s, me, mask, scratch, values):
    """A point now against a good that could be shipped, of which many are easier to spare."""
    values[PASS] = 0.0
    for good in range(GOODS):
        if mask[FIRST[Kind.SUPPLY] + good]:
            values[FIRST[Kind.SUPPLY] + good] = 1.0 - scratch[GOOD] + 0.01 * s.goods[me, good]


@kernel
def rate_keeping(s, me, scratch, values):
    """The best plan for all goods: whole kinds for the warehouses, single goods of the dearest kinds beside them."""
    now = int(s.good)
    kinds, singles = int(stored_kinds(s, me)), float(stored_goods(s, me))
    for good in range(GOODS):
        scratch[HOLD + good] = s.goods[me, good]
        scratch[CARRIER + good] = 0.0  # what is kept of it
    for _ in range(kinds):
        best, most = -1, 0.0
        for good in range(GOODS):
            worth = scratch[HOLD + good] * scratch[UNIT + good]
            if scratch[CARRIER + good] == 0.0 and worth > most:
                best, most = good, worth
        if best >= 0:
            scratch[CARRIER + best] = scratch[HOLD + best]
    for step in range(GOODS):
        good = GOODS - 1 - step
        if scratch[CARRIER + good] == 0.0:
            count = min(singles, scratch[HOLD + good])
            scratch[CARRIER + good] = count
            singles -= count
    plan = scratch[CARRIER + now]
    for count in range(s.goods[me, now] + 1):
        values[KEEP_AT[now] + count] = -abs(count - plan) * scratch[UNIT + now]
