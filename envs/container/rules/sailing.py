"""Sailing, and buying where a ship arrives (CT-SAIL, CT-IB-SAIL-1)."""

import numpy as np

from ...core.engine.kernel import kernel
from ..state import Phase
from ..tables import BANK, COLOURS, HARBOUR_PRICE, HARBOUR_PRICES, ISLAND, SEA, SHIP_ROOM
from .money import do_pay
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
def can_buy_cargo(s, seat, colour, price):  # CT-SAIL-2
    """One container at its price, by colour, then price, as in a factory store."""
    at = price - HARBOUR_PRICE
    return (
        at >= 0
        and at < HARBOUR_PRICES
        and colour * HARBOUR_PRICES + at >= s.cursor
        and s.harbour[s.trader, colour, at] > 0
        and price <= s.money[seat]
    )


@kernel
def has_more_cargo(s):
    for place in range(s.cursor, COLOURS * HARBOUR_PRICES):
        if s.harbour[s.trader, place // HARBOUR_PRICES, place % HARBOUR_PRICES] > 0:
            return True
    return False


@kernel
def do_buy_cargo(s, seat, colour, price):  # CT-SAIL-2
    at = price - HARBOUR_PRICE
    do_pay(s, seat, np.int64(s.trader), price)
    s.harbour[s.trader, colour, at] -= 1
    s.cargo[seat, colour] += 1
    s.cursor = colour * HARBOUR_PRICES + at
    if ship_room(s, seat) == 0 or not has_more_cargo(s):
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
def do_load(s, seat, colour):  # CT-IB-SAIL-1
    s.bank_harbour[seat, colour] -= 1
    s.cargo[seat, colour] += 1
    s.cursor = colour
    left = 0
    for other in range(colour, COLOURS):
        left += s.bank_harbour[seat, other]
    if left == 0 or ship_room(s, seat) == 0:
        s.phase = Phase.DONE
