"""Buying from stores, what to produce, and the prices of one's own."""

import numpy as np

from tradewinds.envs.container.actions import FIRST, Kind
from tradewinds.envs.container.rules.stores import harbour_room, total
from tradewinds.envs.container.state import Phase
from tradewinds.envs.container.tables import (
    COLOURS,
    FACTORY,
    FACTORY_PRICE,
    HARBOUR,
    HARBOUR_PRICE,
    MOST_PRICE,
    SHIP_ROOM,
)
from tradewinds.envs.core.engine.kernel import kernel

from .weights import Weight
from .worth import AHEAD, DOCKED, LANDED, MADE, MARKET, OWN, WEARY, total_of_store

# Layout of the scratch memory: the purchases in question.
MARGIN = 64  # by purchase: the gain
COUNT = 96  # by purchase: how many there are
ACTION = 128  # by purchase: its id
MIDDLE = 6.0  # a common market value


@kernel
def basket(store, first_price, worths, room, money, scratch):
    """The gain of the best purchase in a store, and what it would be with more money."""
    gain, cost, count = 0.0, 0.0, 0
    for colour in range(COLOURS):
        worth = scratch[worths + colour]
        for at in range(store.shape[1]):
            price = first_price + at
            if price >= worth:
                break
            here = store[colour, at]
            if here > 0:
                gain += here * (worth - price)
                cost += here * price
                count += here
    if count > room:
        gain *= room / count
        cost *= room / count
    return (gain * money / cost if cost > money else gain), gain


@kernel
def write_purchase(scratch, count, action, margin, here):
    scratch[MARGIN + count] = margin
    scratch[COUNT + count] = here
    scratch[ACTION + count] = action


@kernel
def rate_purchases(count, room, scratch, values):
    """Purchases are made in a fixed order, so each is worth its own gain and that of the best ones that can still follow.

    One that is not among the best takes the place of one of them.
    """
    later = 0.0
    for i in range(count - 1, -1, -1):
        margin = scratch[MARGIN + i]
        better = 0.0
        for j in range(count):
            if scratch[MARGIN + j] > margin or (scratch[MARGIN + j] == margin and j < i):
                better += scratch[COUNT + j]
        action = np.int64(scratch[ACTION + i])
        if margin > 0.0 and better < room:
            values[action] = margin * min(scratch[COUNT + i], room - better) + later
            later = values[action]
        else:
            values[action] = margin + later * (room - 1) / room
    return later


@kernel
def rate_store(store, first_price, worths, room, mask, scratch, values):
    """Purchases from a store, by what the scratch memory says from `worths` on that a container is worth."""
    count = 0
    for colour in range(COLOURS):
        for at in range(store.shape[1]):
            price = first_price + at
            action = FIRST[Kind.BUY] + colour * MOST_PRICE + price - 1
            if mask[action]:
                write_purchase(scratch, count, action, scratch[worths + colour] - price, store[colour, at])
                count += 1
    values[FIRST[Kind.ENOUGH]] = 0.0
    return rate_purchases(count, room, scratch, values)


@kernel
def rate_shopping(s, me, mask, scratch, values):
    """For the harbour store (CT-HARB-1)."""
    return rate_store(s.factory[s.trader], FACTORY_PRICE, DOCKED, harbour_room(s, me), mask, scratch, values)


@kernel
def rate_cargo(s, me, mask, scratch, values):
    """For the ship (CT-SAIL-2)."""
    return rate_store(s.harbour[s.trader], HARBOUR_PRICE, LANDED, SHIP_ROOM - total(s.cargo[me]), mask, scratch, values)


@kernel
def rate_loading(s, me, mask, scratch, values):
    """From the own bank harbour, free (CT-IB-SAIL-1)."""
    count = 0
    for colour in range(COLOURS):
        if mask[FIRST[Kind.LOAD] + colour]:
            write_purchase(scratch, count, FIRST[Kind.LOAD] + colour, scratch[LANDED + colour], s.bank_harbour[me, colour])
            count += 1
    values[FIRST[Kind.ENOUGH]] = 0.0
    return rate_purchases(count, SHIP_ROOM - total(s.cargo[me]), scratch, values)


@kernel
def rate_making(mask, scratch, values):
    """Which colours are produced (CT-PROD-2): those that sell, rather not those that I want to last."""
    best = -1.0
    for colour in range(COLOURS):
        if mask[FIRST[Kind.MAKE] + colour]:
            values[FIRST[Kind.MAKE] + colour] = scratch[MADE + colour] + 0.1 * scratch[OWN + colour]
            best = max(best, values[FIRST[Kind.MAKE] + colour])
    return best


@kernel
def factory_price(s, me, colour, stock, weights, scratch):
    """What to ask for a container in the factory store."""
    rivals = 0
    for seat in range(np.int64(s.players)):
        if seat != me:
            rivals += total(s.factory[seat, colour])
    return (
        weights[Weight.FACTORY_PRICE]
        + weights[Weight.FACTORY_DEMAND] * (scratch[MARKET + colour] - MIDDLE)
        + weights[Weight.FACTORY_STOCK] * stock
        + weights[Weight.FACTORY_RIVAL] * rivals
        + weights[Weight.FACTORY_LATE] * (1.0 - scratch[AHEAD])
        + weights[Weight.FACTORY_WEARY] * scratch[WEARY]
    )


@kernel
def harbour_level(s, me, stock, weights, scratch):
    """What to ask for a container in the harbour store, whatever its colour."""
    rivals = 0
    for seat in range(np.int64(s.players)):
        if seat != me:
            rivals += total_of_store(s.harbour[seat])
    return (
        weights[Weight.HARBOUR_PRICE]
        + weights[Weight.HARBOUR_STOCK] * stock
        + weights[Weight.HARBOUR_RIVAL] * rivals
        + weights[Weight.HARBOUR_LATE] * (1.0 - scratch[AHEAD])
        + weights[Weight.HARBOUR_WEARY] * scratch[WEARY]
    )


@kernel
def harbour_demand(colour, weights, scratch):
    """... and how much more for this colour."""
    return weights[Weight.HARBOUR_DEMAND] * (scratch[MARKET + colour] - MIDDLE)


@kernel
def rate_prices(s, me, mask, weights, scratch, values):
    """The next container of the pile (CT-HARB-3, CT-PROD-3): a dollar too much or too little costs about as much."""
    store = FACTORY if s.phase == Phase.PRICE_FACTORY else HARBOUR
    colour = 0
    while s.pile[store, colour] == 0:
        colour += 1
    stock = total(s.pile[store])
    if store == FACTORY:
        target = factory_price(s, me, colour, stock, weights, scratch)
    else:
        target = harbour_level(s, me, stock, weights, scratch) + harbour_demand(colour, weights, scratch)
    best = -100.0
    for price in range(1, MOST_PRICE + 1):
        action = FIRST[Kind.PRICE] + price - 1
        if mask[action]:
            values[action] = -abs(price - target)
            best = max(best, values[action])
    return best
