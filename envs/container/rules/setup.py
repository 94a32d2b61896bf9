"""Setup (CT-SET, CT-IB-SET-1)."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.rng import below, shuffle
from ..state import Phase
from ..tables import (
    ACTIONS_A_TURN,
    BROKERS,
    COLOURS,
    CONTAINERS,
    EMPTY,
    FACTORY_PRICE,
    MACHINES,
    MAX_PLAYERS,
    SEA,
    START_BOX_CONTAINERS,
    START_BOX_MONEY,
    START_MONEY,
    START_PRICE,
    WAREHOUSES,
)
from .money import do_receive


@kernel
def setup(s, stream):
    s.supply[:] = CONTAINERS[s.players]
    s.machine_stock[:] = MACHINES[s.players]
    s.warehouse_stock = WAREHOUSES[s.players]
    s.trader = EMPTY
    s.seller = EMPTY
    s.payer = EMPTY
    s.marked = EMPTY
    s.ship_at[:] = SEA  # CT-SET-3
    for card in range(COLOURS):
        s.value_card[card] = card
    shuffle(stream, s.value_card)  # CT-SET-1: the five colours in a random order, before they are dealt as cards
    for seat in range(np.int64(s.players)):
        colour = s.value_card[seat]
        do_receive(s, seat, START_MONEY)  # CT-SET-1
        s.warehouses[seat] = 1
        s.warehouse_stock -= 1
        s.machines[seat, colour] = 1
        s.machine_stock[colour] -= 1
        s.factory[seat, colour, START_PRICE - FACTORY_PRICE] = 1  # CT-SET-2
        s.supply[colour] -= 1
    if s.investment_bank:  # CT-IB-SET-1
        shuffle(stream, s.value_card)
        drawn = 0
        for broker in range(BROKERS):
            for _ in range(START_BOX_CONTAINERS[broker]):
                s.box_containers[broker, s.value_card[drawn]] += 1
                drawn += 1
            s.box_money[broker] = START_BOX_MONEY[broker]
            s.issued += START_BOX_MONEY[broker]
    shuffle(stream, s.value_card)  # CT-SET-3
    s.active = below(stream, s.players)  # CT-SET-3
    s.seat = s.active
    s.phase = Phase.ACTION
    s.actions_left = ACTIONS_A_TURN


assert MAX_PLAYERS == COLOURS  # every seat has a row for a card, dealt or not
