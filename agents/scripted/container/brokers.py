"""The Investment Bank: what a broker's box is worth, and with what to bid for it (CT-IB)."""

from tradewinds.envs.container.actions import FIRST, Kind
from tradewinds.envs.container.rules.bank import CELLS, FACTORY_CELLS, payment_size
from tradewinds.envs.container.tables import BROKERS, COLOURS, FACTORY_PRICES, HARBOUR_PRICES
from tradewinds.envs.core.engine.kernel import kernel

from .weights import Weight
from .worth import DOCKED, LANDED, MADE, OWN


@kernel
def box_worth(s, box, weights, scratch):
    """Containers must still be fetched from the bank; money is money."""
    if box >= BROKERS:
        return float(s.box_money[box - BROKERS])
    worth = 0.0
    for colour in range(COLOURS):
        worth += s.box_containers[box, colour] * scratch[LANDED + colour]
    return weights[Weight.BANK_GOODS] * worth


@kernel
def money_to_bid(s, box, weights, scratch):
    """What to bid for a box of containers: a share of its worth, so that there is a gain and nobody outbids it cheaply."""
    return max(weights[Weight.BANK_BID] * box_worth(s, box, weights, scratch), s.payment_money + 1.0)


@kernel
def cell_worth(cell, scratch):
    """What I give up with a container of a store."""
    if cell < FACTORY_CELLS:
        return scratch[MADE + cell // FACTORY_PRICES]
    return scratch[DOCKED + (cell - FACTORY_CELLS) // HARBOUR_PRICES]


@kernel
def call_gain(s, me, box, weights, scratch):
    """The worth of a box less the least bid that may win it."""
    worth = box_worth(s, box, weights, scratch)
    if box < BROKERS:
        return worth - money_to_bid(s, box, weights, scratch)
    cheapest = 100.0
    for colour in range(COLOURS):
        for at in range(FACTORY_PRICES):
            if s.factory[me, colour, at] > 0:
                cheapest = min(cheapest, scratch[MADE + colour])
        for at in range(HARBOUR_PRICES):
            if s.harbour[me, colour, at] > 0:
                cheapest = min(cheapest, scratch[DOCKED + colour])
    return worth - (payment_size(s) + 1.0) * cheapest


@kernel
def rate_offers(mask, scratch, values):
    """The cheapest containers, and no more than needed."""
    best = -100.0
    if mask[FIRST[Kind.ENOUGH]]:
        values[FIRST[Kind.ENOUGH]] = 0.0
        best = 0.0
    for cell in range(CELLS):
        if mask[FIRST[Kind.OFFER] + cell]:
            values[FIRST[Kind.OFFER] + cell] = -cell_worth(cell, scratch)
            best = max(best, values[FIRST[Kind.OFFER] + cell])
    return best


@kernel
def rate_payment(mask, scratch, values):
    """What I want myself goes to the first brokers, together: that makes a box that I value more than others do."""
    best = 0.0
    for colour in range(COLOURS):
        if mask[FIRST[Kind.PAY] + colour]:
            values[FIRST[Kind.PAY] + colour] = 0.1 * scratch[OWN + colour]
            best = max(best, values[FIRST[Kind.PAY] + colour])
    return best
