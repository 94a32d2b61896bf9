"""Buying machines and warehouses, and containers for the harbour store (CT-BUY, CT-HARB)."""

import numpy as np

from ...core.engine.kernel import kernel
from ..state import Phase
from ..tables import COLOURS, FACTORY_PRICE, FACTORY_PRICES, HARBOUR, MACHINE_COST, MACHINE_SLOTS, WAREHOUSE_COST, WAREHOUSE_SLOTS
from .money import do_pay, do_pay_bank
from .stores import begin_pricing, do_empty_harbour, harbour_room, harbour_size, machine_count, total


@kernel
def can_buy_machine(s, seat, colour):  # CT-BUY-1
    return (
        not s.machines[seat, colour]
        and s.machine_stock[colour] > 0
        and machine_count(s, seat) < MACHINE_SLOTS
        and MACHINE_COST[machine_count(s, seat)] <= s.money[seat]
    )


@kernel
def do_buy_machine(s, seat, colour):  # CT-BUY-1
    do_pay_bank(s, seat, MACHINE_COST[machine_count(s, seat)])
    s.machine_stock[colour] -= 1
    s.machines[seat, colour] = 1
    s.phase = Phase.DONE


@kernel
def can_buy_warehouse(s, seat):  # CT-BUY-1
    return s.warehouse_stock > 0 and s.warehouses[seat] < WAREHOUSE_SLOTS and WAREHOUSE_COST[s.warehouses[seat]] <= s.money[seat]


@kernel
def do_buy_warehouse(s, seat):  # CT-BUY-1
    do_pay_bank(s, seat, WAREHOUSE_COST[s.warehouses[seat]])
    s.warehouse_stock -= 1
    s.warehouses[seat] += 1
    s.phase = Phase.DONE


@kernel
def can_afford_one(s, trader, money):
    affordable = min(money - FACTORY_PRICE + 1, FACTORY_PRICES)
    for colour in range(COLOURS):
        for at in range(affordable):
            if s.factory[trader, colour, at] > 0:
                return True
    return False


@kernel
def can_shop(s, seat, trader, room):  # CT-HARB-1, CT-HARB-2
    """Whether something can be bought there; only to change prices no seller is named."""
    return room > 0 and can_afford_one(s, trader, np.int64(s.money[seat]))


@kernel
def begin_shopping(s, trader):
    s.phase = Phase.SHOP
    s.trader = trader
    s.cursor = 0


@kernel
def can_reprice(s, seat):  # CT-HARB-3
    return harbour_size(s, seat) > 0


@kernel
def can_buy(s, seat, colour, price):  # CT-HARB-1
    """One container at its price. Rows of purchases go by colour, then price, so that each is made in one way only."""
    at = price - FACTORY_PRICE
    return (
        at >= 0
        and at < FACTORY_PRICES
        and colour * FACTORY_PRICES + at >= s.cursor
        and s.factory[s.trader, colour, at] > 0
        and price <= s.money[seat]
    )


@kernel
def has_more(s):
    """Whether the seller has a container left behind the last one bought."""
    for place in range(s.cursor, COLOURS * FACTORY_PRICES):
        if s.factory[s.trader, place // FACTORY_PRICES, place % FACTORY_PRICES] > 0:
            return True
    return False


@kernel
def has_dearer(s, seat):
    """Whether one of these costs more than the seat has."""
    for place in range(s.cursor, COLOURS * FACTORY_PRICES):
        if (
            s.factory[s.trader, place // FACTORY_PRICES, place % FACTORY_PRICES] > 0
            and FACTORY_PRICE + place % FACTORY_PRICES > s.money[seat]
        ):
            return True
    return False


@kernel
def do_buy(s, seat, colour, price):  # CT-HARB-1, CT-HARB-2
    at = price - FACTORY_PRICE
    do_pay(s, seat, np.int64(s.trader), price)
    s.factory[s.trader, colour, at] -= 1
    s.pile[HARBOUR, colour] += 1
    s.cursor = colour * FACTORY_PRICES + at
    if harbour_room(s, seat) == 0 or not has_more(s):
        end_shopping(s, seat)


@kernel
def can_stop_shopping(s):
    """Not before the first purchase: that would be the same as only changing prices."""
    return total(s.pile[HARBOUR]) > 0


@kernel
def end_shopping(s, seat):  # CT-HARB-3
    do_empty_harbour(s, seat)
    begin_pricing(s)
