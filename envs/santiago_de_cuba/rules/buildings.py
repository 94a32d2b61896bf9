"""What the buildings do (SC-B). Each has a predicate and an effect; the arguments are those of its actions."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import ARGUMENTS, BUYING, FIRST, LEFT, NO_CUBAN, SELLING, USE, Kind
from ..state import Exchange
from ..tables import (
    BANK_PESOS,
    CAFE_POINTS,
    CASINO_AMOUNT,
    CASINO_PESOS,
    CHURCH_POINTS,
    LOWEST_VALUE,
    NEWS_PESOS,
    OFFICE_POINTS,
    PORT,
    SAWMILL_PESOS,
    SAWMILL_POINTS,
    Building,
    Good,
)
from .ship import do_lower_demand, do_raise_value


@kernel
def can_use(s, building, first, second):
    """One way of using a building, by the active player. All building actions get their legality here."""
    if building == Building.BANK or building == Building.CHURCH:  # SC-B-BANK, SC-B-CHURCH
        return True
    if building == Building.DISTILLERY:
        return can_turn_into(s, Good.SUGAR, Good.RUM, first)  # SC-B-DISTILLERY
    if building == Building.CIGAR_FACTORY:
        return can_turn_into(s, Good.TOBACCO, Good.CIGARS, first)  # SC-B-CIGAR
    if building == Building.BLACK_MARKET:
        return can_swap(s, first, second)
    if building == Building.SAWMILL:
        return s.goods[s.active, Good.WOOD] > 0  # SC-B-SAWMILL
    if building == Building.CAFE:
        return can_hand_in(s, first, second)
    if building == Building.CUSTOMS_OFFICE:
        return can_clear_die(s, first)
    if building == Building.CASINO:
        return can_exchange(s, first, second)
    if building == Building.HARBOUR_AUTHORITY:
        return can_move_marker(s, first)
    if building == Building.CONTRACTORS_OFFICE:
        return can_contract(s, first)
    return can_print(s, first)


@kernel
def can_decline(s):  # SC-BLD-3
    """Not one who came through Alonso: they have chosen to use it (SC-CUB-6). A visit to the casino may always end."""
    return not s.by_alonso or s.exchange != Exchange.NONE


@kernel
def is_usable(s, building):
    """At least one way of using it."""
    kind = USE + building
    for action in range(FIRST[kind], FIRST[kind + 1]):
        if can_use(s, building, ARGUMENTS[action, 0], ARGUMENTS[action, 1]):
            return True
    return False


@kernel
def allow_ways(s, mask, kind):
    """The ways of using one building."""
    count = 0
    for action in range(FIRST[kind], FIRST[kind + 1]):
        count += allow(mask, action, can_use(s, kind - USE, ARGUMENTS[action, 0], ARGUMENTS[action, 1]))
    return count


@kernel
def allow_use(s, mask):  # SC-BLD-3
    """Each kind is a constant here, so that `can_use` is compiled for one building and does not choose again for every action."""
    count = allow(mask, FIRST[Kind.NO_USE], can_decline(s))
    building = s.building
    if building == Building.BANK:
        return count + allow_ways(s, mask, Kind.BANK)
    if building == Building.CHURCH:
        return count + allow_ways(s, mask, Kind.CHURCH)
    if building == Building.DISTILLERY:
        return count + allow_ways(s, mask, Kind.DISTILLERY)
    if building == Building.CIGAR_FACTORY:
        return count + allow_ways(s, mask, Kind.CIGAR_FACTORY)
    if building == Building.BLACK_MARKET:
        return count + allow_ways(s, mask, Kind.BLACK_MARKET)
    if building == Building.SAWMILL:
        return count + allow_ways(s, mask, Kind.SAWMILL)
    if building == Building.CAFE:
        return count + allow_ways(s, mask, Kind.CAFE)
    if building == Building.CUSTOMS_OFFICE:
        return count + allow_ways(s, mask, Kind.CUSTOMS_OFFICE)
    if building == Building.CASINO:
        return count + allow_ways(s, mask, Kind.CASINO)
    if building == Building.HARBOUR_AUTHORITY:
        return count + allow_ways(s, mask, Kind.HARBOUR_AUTHORITY)
    if building == Building.CONTRACTORS_OFFICE:
        return count + allow_ways(s, mask, Kind.CONTRACTORS_OFFICE)
    return count + allow_ways(s, mask, Kind.NEWSPAPER)


@kernel
def do_use(s, building, first, second):
    me = s.active
    if building == Building.BANK:  # SC-B-BANK
        s.pesos[me] += BANK_PESOS
    elif building == Building.CHURCH:  # SC-B-CHURCH
        s.points[me] += CHURCH_POINTS
    elif building == Building.DISTILLERY:
        do_turn_into(s, Good.SUGAR, Good.RUM, first)  # SC-B-DISTILLERY
    elif building == Building.CIGAR_FACTORY:
        do_turn_into(s, Good.TOBACCO, Good.CIGARS, first)  # SC-B-CIGAR
    elif building == Building.BLACK_MARKET:
        do_turn_into(s, first, second, 1)  # SC-B-MARKET
    elif building == Building.SAWMILL:  # SC-B-SAWMILL
        do_return_goods(s, Good.WOOD, 1)
        s.points[me] += SAWMILL_POINTS
        s.pesos[me] += SAWMILL_PESOS
    elif building == Building.CAFE:  # SC-B-CAFE
        do_return_goods(s, Good.CIGARS, first)
        do_return_goods(s, Good.RUM, second)
        s.points[me] += CAFE_POINTS * (first + second)
    elif building == Building.CUSTOMS_OFFICE:  # SC-B-CUSTOMS
        do_lower_demand(s, first, s.demand[first])
    elif building == Building.CASINO:
        do_exchange(s, first, second)
    elif building == Building.HARBOUR_AUTHORITY:
        do_move_marker(s, first)
    elif building == Building.CONTRACTORS_OFFICE:  # SC-B-OFFICE
        do_return_goods(s, first, 1)
        s.points[me] += OFFICE_POINTS
        do_lower_demand(s, first, 1)
    else:
        do_print(s, first)


@kernel
def do_return_goods(s, good, count):
    """From the active player back to the supply."""
    s.goods[s.active, good] -= count
    s.supply[good] += count


@kernel
def can_turn_into(s, given, taken, count):  # SC-B-DISTILLERY, SC-B-CIGAR
    return 1 <= count <= s.goods[s.active, given] and count <= s.supply[taken]


@kernel
def do_turn_into(s, given, taken, count):
    do_return_goods(s, given, count)
    s.supply[taken] -= count
    s.goods[s.active, taken] += count


@kernel
def can_swap(s, given, taken):  # SC-B-MARKET
    return given != taken and given != Good.WOOD and taken != Good.WOOD and can_turn_into(s, given, taken, 1)


@kernel
def can_hand_in(s, cigars, rum):  # SC-B-CAFE
    return cigars <= s.goods[s.active, Good.CIGARS] and rum <= s.goods[s.active, Good.RUM]


@kernel
def can_clear_die(s, good):  # SC-B-CUSTOMS, SC-NEW-4
    return s.in_port and s.demand[good] > 0


@kernel
def exchange_limit(s, direction):  # SC-B-CASINO
    """How many points the active player could still buy or sell."""
    if direction == BUYING:
        return s.pesos[s.active] // CASINO_PESOS
    return s.points[s.active]


@kernel
def can_exchange(s, direction, count):  # SC-B-CASINO
    """One direction a visit."""
    return (s.exchange == Exchange.NONE or s.exchange == direction) and count <= exchange_limit(s, direction)


@kernel
def do_exchange(s, direction, count):  # SC-B-CASINO
    """The visit goes on after a full amount, if there is more to exchange."""
    me = s.active
    if direction == BUYING:
        s.pesos[me] -= CASINO_PESOS * count
        s.points[me] += count
    else:
        s.points[me] -= count
        s.pesos[me] += CASINO_PESOS * count
    goes_on = count == CASINO_AMOUNT and exchange_limit(s, direction) > 0
    s.exchange = direction if goes_on else 0


@kernel
def can_move_marker(s, direction):  # SC-B-AUTHORITY, SC-NEW-4
    return s.in_port and (direction != LEFT or s.value > LOWEST_VALUE)


@kernel
def do_move_marker(s, direction):  # SC-B-AUTHORITY
    if direction == LEFT:
        s.value -= 1
    else:
        do_raise_value(s)


@kernel
def can_contract(s, good):  # SC-B-OFFICE, SC-NEW-4
    return s.in_port and s.demand[good] > 0 and s.goods[s.active, good] > 0


@kernel
def can_print(s, cuban):  # SC-B-NEWS
    if cuban == NO_CUBAN:
        return True
    is_at_the_car = s.car != PORT and s.street[s.car - 1] == cuban
    return not s.inactive[cuban] and not is_at_the_car


@kernel
def do_print(s, cuban):  # SC-B-NEWS
    s.pesos[s.active] += NEWS_PESOS
    if cuban != NO_CUBAN:
        s.inactive[cuban] = 1


assert (BUYING, SELLING) == (Exchange.BUYING, Exchange.SELLING)
