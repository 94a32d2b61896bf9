"""The factory and the harbour store: their room and their prices (CT-TURN-2, CT-HARB-2, CT-HARB-3, CT-PROD-3)."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import (
    COLOURS,
    FACTORY,
    FACTORY_PRICE,
    FACTORY_PRICES,
    HARBOUR,
    HARBOUR_PRICE,
    HARBOUR_PRICES,
    MOST_PRICE,
    STORED_A_MACHINE,
    STORED_A_WAREHOUSE,
)


@kernel
def total(row):
    count = np.int64(0)
    for i in range(row.size):
        count += row[i]
    return count


@kernel
def factory_size(s, seat):
    """Containers in the factory store."""
    count = np.int64(0)
    for colour in range(COLOURS):
        for price in range(FACTORY_PRICES):
            count += s.factory[seat, colour, price]
    return count


@kernel
def harbour_size(s, seat):
    """Containers in the harbour store."""
    count = np.int64(0)
    for colour in range(COLOURS):
        for price in range(HARBOUR_PRICES):
            count += s.harbour[seat, colour, price]
    return count


@kernel
def bid_size(s, seat, store):  # CT-IB-CALL-4: bid containers still take up the room of their store
    return total(s.payment[store]) if s.payer == seat else 0


@kernel
def machine_count(s, seat):
    return total(s.machines[seat])


@kernel
def factory_room(s, seat):
    return STORED_A_MACHINE * machine_count(s, seat) - factory_size(s, seat) - bid_size(s, seat, FACTORY)


@kernel
def harbour_room(s, seat):  # CT-HARB-2
    """Room for more, with what the seat has just bought counted in."""
    return STORED_A_WAREHOUSE * np.int64(s.warehouses[seat]) - harbour_size(s, seat) - total(s.pile[HARBOUR]) - bid_size(s, seat, HARBOUR)


@kernel
def do_empty_factory(s, seat):  # CT-PROD-3: all may be repriced
    for colour in range(COLOURS):
        for price in range(FACTORY_PRICES):
            s.pile[FACTORY, colour] += s.factory[seat, colour, price]
            s.factory[seat, colour, price] = 0


@kernel
def do_empty_harbour(s, seat):  # CT-HARB-3: all may be repriced
    for colour in range(COLOURS):
        for price in range(HARBOUR_PRICES):
            s.pile[HARBOUR, colour] += s.harbour[seat, colour, price]
            s.harbour[seat, colour, price] = 0


@kernel
def begin_pricing(s):
    """Price the pile: the factory store's, then the harbour store's, colour by colour. With nothing to price the action is over."""
    if total(s.pile[FACTORY]) > 0:
        s.phase = Phase.PRICE_FACTORY
        s.floor = FACTORY_PRICE
    elif total(s.pile[HARBOUR]) > 0:
        s.phase = Phase.PRICE_HARBOUR
        s.floor = HARBOUR_PRICE
    else:
        s.floor = 0
        s.phase = Phase.DONE


@kernel
def can_price(s, price):
    """Within a colour prices never fall, so that each arrangement is reached in one way only."""
    top = FACTORY_PRICE + FACTORY_PRICES if s.phase == Phase.PRICE_FACTORY else HARBOUR_PRICE + HARBOUR_PRICES
    return s.floor <= price and price < top


@kernel
def allow_prices(s, mask):  # CT-HARB-3, CT-PROD-3, CT-IB-CALL-3
    count = 0
    for price in range(1, MOST_PRICE + 1):
        count += allow(mask, FIRST[Kind.PRICE] + price - 1, can_price(s, price))
    return count


@kernel
def do_price(s, seat, price):
    """The next container of the pile, in colour order, goes to the seat's store."""
    store = FACTORY if s.phase == Phase.PRICE_FACTORY else HARBOUR
    colour = 0
    while s.pile[store, colour] == 0:
        colour += 1
    s.pile[store, colour] -= 1
    if store == FACTORY:
        s.factory[seat, colour, price - FACTORY_PRICE] += 1
    else:
        s.harbour[seat, colour, price - HARBOUR_PRICE] += 1
    if s.pile[store, colour] > 0:
        s.floor = price
    else:
        begin_pricing(s)
