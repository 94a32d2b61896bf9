"""Buying machines and warehouses, and containers for the harbour store (CT-BUY, CT-HARB)."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import COLOURS, FACTORY_PRICE, FACTORY_PRICES, HARBOUR, MACHINE_COST, MACHINE_SLOTS, WAREHOUSE_COST, WAREHOUSE_SLOTS
from .money import do_pay_bank
from .purchases import allow_purchases, do_purchase, has_dearer, has_more
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
    """Whether the seat can buy something there. Repricing alone is another action."""
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
def allow_shopping(s, me, mask):  # CT-HARB-1
    count = allow(mask, FIRST[Kind.ENOUGH], can_stop_shopping(s))
    return count + allow_purchases(s, me, mask, s.factory[s.trader], FACTORY_PRICE)


@kernel
def has_unaffordable(s, seat):
    """Whether the seller has a container that costs more than the seat has."""
    return has_dearer(s, seat, s.factory[s.trader], FACTORY_PRICE)


@kernel
def do_buy(s, seat, colour, price):  # CT-HARB-1, CT-HARB-2
    store = s.factory[s.trader]
    do_purchase(s, seat, store, FACTORY_PRICE, colour, price)
    s.pile[HARBOUR, colour] += 1
    if harbour_room(s, seat) == 0 or not has_more(s, store):
        end_shopping(s, seat)


@kernel
def can_stop_shopping(s):
    """Not before the first purchase: that would be the same as repricing."""
    return total(s.pile[HARBOUR]) > 0


@kernel
def end_shopping(s, seat):  # CT-HARB-3
    do_empty_harbour(s, seat)
    begin_pricing(s)
