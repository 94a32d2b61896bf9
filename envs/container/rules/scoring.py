"""The end of the game (CT-END)."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.spec.ranking import rank_seats
from ..tables import BANK_HARBOUR_VALUE, CARD_VALUES, COLOURS, EMPTY, FIVE_TEN, FULL_SET_VALUE, HARBOUR_VALUE, LOAN_AT_THE_END, SHIP_VALUE
from .stores import factory_size, harbour_size, total


@kernel
def colours_out(s):  # CT-END-1, CT-END-1b
    """Colours that have run out of the supply."""
    count = 0
    for colour in range(COLOURS):
        if s.supply[colour] == 0:
            count += 1
    return count


@kernel
def has_every_colour(s, seat):
    colours = 0
    for colour in range(COLOURS):
        if s.island[seat, colour] > 0:
            colours += 1
    return colours == COLOURS


@kernel
def five_ten_colour(s, seat):
    return (s.value_card[seat] + FIVE_TEN) % COLOURS


@kernel
def value_of(s, seat, colour):  # CT-END-2
    """What one island container is worth to a seat."""
    if colour == five_ten_colour(s, seat) and has_every_colour(s, seat):
        return np.int64(FULL_SET_VALUE)
    return CARD_VALUES[(colour - s.value_card[seat]) % COLOURS]


@kernel
def discarded(s, seat):  # CT-END-3
    """The most numerous colour; of several the 5/10 one, else the least valuable; EMPTY on an empty island."""
    most = 0
    for colour in range(COLOURS):
        most = max(most, s.island[seat, colour] + 0)
    if most == 0:
        return EMPTY
    forced = five_ten_colour(s, seat)
    if s.island[seat, forced] == most:
        return forced + 0
    chosen = EMPTY
    for colour in range(COLOURS):
        if s.island[seat, colour] == most and (chosen == EMPTY or value_of(s, seat, colour) < value_of(s, seat, chosen)):
            chosen = colour
    return chosen


@kernel
def island_value(s, seat):  # CT-END-2, CT-END-3
    out = discarded(s, seat)
    value = 0
    for colour in range(COLOURS):
        if colour != out:
            value += np.int64(s.island[seat, colour]) * value_of(s, seat, colour)
    return value


@kernel
def final_money(s, seat):  # CT-END-4, CT-IB-END-1
    return (
        island_value(s, seat)
        + HARBOUR_VALUE * harbour_size(s, seat)
        + SHIP_VALUE * total(s.cargo[seat])
        + BANK_HARBOUR_VALUE * np.int64(total(s.bank_harbour[seat]))
        + s.money[seat]
        - LOAN_AT_THE_END * s.loans[seat]
    )


@kernel
def score(s, out):  # CT-END-4
    rank_seats(s, final_money, factory_size, out)
