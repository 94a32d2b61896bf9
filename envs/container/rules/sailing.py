"""Sailing, and buying where a ship arrives (CT-SAIL, CT-IB-SAIL-1)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import BANK, COLOURS, HARBOUR_PRICE, ISLAND, SEA, SHIP_ROOM
from .purchases import allow_purchases, do_purchase, has_more
from .stores import harbour_size, total


@kernel
def ship_room(s, seat):
    return SHIP_ROOM - total(s.cargo[seat])


@kernel
def can_sail_to_sea(s, seat):  # CT-SAIL-1
    return s.ship_at[seat] != SEA


@kernel
def can_leave_sea(s, seat):  # CT-SAIL-1, CT-IB-SAIL-1: every port is reached from the open sea only
    return s.ship_at[seat] == SEA


@kernel
def can_sail_to_island(s, seat):  # CT-SAIL-1, CT-SAIL-3
    return can_leave_sea(s, seat) and total(s.cargo[seat]) > 0


@kernel
def do_sail_to_sea(s, seat):  # CT-SAIL-1
    s.ship_at[seat] = SEA
    s.phase = Phase.DONE


@kernel
def do_sail_to_harbour(s, seat, trader):  # CT-SAIL-2
    s.ship_at[seat] = trader
    s.trader = trader
    s.cursor = 0
    s.phase = Phase.SHIP
    if ship_room(s, seat) == 0 or harbour_size(s, trader) == 0:
        s.phase = Phase.DONE


@kernel
def allow_cargo(s, me, mask):  # CT-SAIL-2
    count = allow(mask, FIRST[Kind.ENOUGH], True)
    return count + allow_purchases(s, me, mask, s.harbour[s.trader], HARBOUR_PRICE)


@kernel
def do_buy_cargo(s, seat, colour, price):  # CT-SAIL-2
    store = s.harbour[s.trader]
    do_purchase(s, seat, store, HARBOUR_PRICE, colour, price)
    s.cargo[seat, colour] += 1
    if ship_room(s, seat) == 0 or not has_more(s, store):
        s.phase = Phase.DONE


@kernel
def do_land(s, seat):  # CT-SAIL-3: whatever comes of the auction, the turn ends
    s.ship_at[seat] = ISLAND
    s.actions_left = 0


@kernel
def do_sail_to_bank(s, seat):  # CT-IB-SAIL-1
    s.ship_at[seat] = BANK
    s.cursor = 0
    s.phase = Phase.LOAD
    if ship_room(s, seat) == 0 or total(s.bank_harbour[seat]) == 0:
        s.phase = Phase.DONE


@kernel
def can_load(s, seat, colour):  # CT-IB-SAIL-1
    """In colour order."""
    return colour >= s.cursor and s.bank_harbour[seat, colour] > 0


@kernel
def allow_load(s, me, mask):  # CT-IB-SAIL-1
    count = allow(mask, FIRST[Kind.ENOUGH], True)
    for colour in range(COLOURS):
        count += allow(mask, FIRST[Kind.LOAD] + colour, can_load(s, me, colour))
    return count


@kernel
def do_load(s, seat, colour):  # CT-IB-SAIL-1
    s.bank_harbour[seat, colour] -= 1
    s.cargo[seat, colour] += 1
    s.cursor = colour
    left = 0
    for other in range(colour, COLOURS):
        left += s.bank_harbour[seat, other]
    if left == 0 or ship_room(s, seat) == 0:
        s.phase = Phase.DONE
