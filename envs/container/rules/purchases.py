"""Buying containers one by one, out of a factory store or a harbour store (CT-HARB-1, CT-SAIL-2).

A row of purchases goes by colour, then price, so that each set of containers is bought in one way only. `cursor` is the last place bought
from. `store` is a seller's store: one row per colour, one column per price from `lowest` on. Inlined, so that its shape is a constant.
"""

import numpy as np

from ...core.engine.kernel import inlined
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..tables import COLOURS, MOST_PRICE
from .money import do_pay


@inlined
def can_purchase(s, seat, store, lowest, colour, at):
    """One container of a colour, `at` columns above the lowest price."""
    return colour * store.shape[1] + at >= s.cursor and store[colour, at] > 0 and lowest + at <= s.money[seat]


@inlined
def allow_purchases(s, me, mask, store, lowest):
    count = 0
    for colour in range(COLOURS):
        for at in range(store.shape[1]):
            action = FIRST[Kind.BUY] + colour * MOST_PRICE + lowest + at - 1
            count += allow(mask, action, can_purchase(s, me, store, lowest, colour, at))
    return count


@inlined
def has_more(s, store):
    """Whether the seller has a container left from the last place bought from."""
    for place in range(s.cursor, store.size):
        if store[place // store.shape[1], place % store.shape[1]] > 0:
            return True
    return False


@inlined
def has_dearer(s, seat, store, lowest):
    """Whether one of these costs more than the seat has."""
    for place in range(s.cursor, store.size):
        if store[place // store.shape[1], place % store.shape[1]] > 0 and lowest + place % store.shape[1] > s.money[seat]:
            return True
    return False


@inlined
def do_purchase(s, seat, store, lowest, colour, price):
    """Pay the seller and take the container out of the store."""
    at = price - lowest
    do_pay(s, seat, np.int64(s.trader), price)
    store[colour, at] -= 1
    s.cursor = colour * store.shape[1] + at
