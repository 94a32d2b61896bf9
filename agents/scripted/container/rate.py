"""The bot of Container: what each legal action is worth, in dollars."""

from tradewinds.envs.container.actions import FIRST, Kind
from tradewinds.envs.container.state import Phase
from tradewinds.envs.core.engine.kernel import kernel

from .auction import loan_burden, rate_bid, rate_call_bid, rate_sale, rate_seizure
from .brokers import rate_offers, rate_payment
from .stores import rate_cargo, rate_loading, rate_making, rate_prices, rate_shopping
from .turns import rate_actions
from .worth import write_worths


@kernel
def rate(s, me, mask, weights, scratch, values):
    """Write values[action] for every legal action: its worth to seat `me` in dollars. The best one is played."""
    write_worths(s, me, weights, scratch)
    phase = s.phase
    if phase == Phase.ACTION:
        rate_actions(s, me, mask, weights, scratch, values)
    elif phase == Phase.BID or phase == Phase.SECOND_BID:
        rate_bid(s, me, mask, weights, scratch, values)
    elif phase == Phase.CALL_MONEY:
        rate_call_bid(s, me, mask, weights, scratch, values)
    elif phase == Phase.SALE:
        rate_sale(s, me, mask, weights, scratch, values)
    else:
        best = rate_parts(s, me, mask, weights, scratch, values)
        if mask[FIRST[Kind.LOAN]]:
            values[FIRST[Kind.LOAN]] = best - loan_burden(weights, scratch)
        if mask[FIRST[Kind.REPAY]]:
            values[FIRST[Kind.REPAY]] = best - 1.0


@kernel
def rate_parts(s, me, mask, weights, scratch, values):
    """The parts of an action; returns the best value. Loans are weighed before the action is begun."""
    phase = s.phase
    if phase == Phase.SHOP:
        return rate_shopping(s, me, mask, scratch, values)
    if phase == Phase.SHIP:
        return rate_cargo(s, me, mask, scratch, values)
    if phase == Phase.MAKE:
        return rate_making(mask, scratch, values)
    if phase == Phase.PRICE_FACTORY or phase == Phase.PRICE_HARBOUR:
        return rate_prices(s, me, mask, weights, scratch, values)
    if phase == Phase.SEIZE:
        return rate_seizure(s, mask, scratch, values)
    if phase == Phase.CALL_CONTAINERS:
        return rate_offers(mask, scratch, values)
    if phase == Phase.LOAD:
        return rate_loading(s, me, mask, scratch, values)
    return rate_payment(mask, scratch, values)
