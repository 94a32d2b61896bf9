"""The auction at the island: bids, the sale, and what the bank seizes."""

import numpy as np

from tradewinds.envs.container.actions import FIRST, Kind
from tradewinds.envs.container.rules.auction import highest_shown
from tradewinds.envs.container.rules.bidding import highest_bid
from tradewinds.envs.container.rules.seats import left_of
from tradewinds.envs.container.state import Phase
from tradewinds.envs.container.tables import COLOURS, INTEREST, LOAN, LOAN_AT_THE_END, MOST_LOANS, MOST_PRICE, TENS
from tradewinds.envs.core.engine.kernel import kernel

from .brokers import money_to_bid
from .weights import Weight
from .worth import AHEAD, MARKET, ROUNDS, lot_market, lot_worth

FOREVER = 6.0  # rounds: a loan is not held longer than that
EVEN = 4  # players: the table that BID_TABLE counts from


@kernel
def bid_share(s, weights, scratch):
    return weights[Weight.BID] + weights[Weight.BID_LATE] * (1.0 - scratch[AHEAD]) + weights[Weight.BID_TABLE] * (s.players - EVEN)


@kernel
def rate_digits(s, me, mask, target, level, values):
    """Amounts near the target are best: each dollar away from it costs one."""
    place = s.bid_digits[me] - 1
    step = TENS[place]
    best = -1e6
    for digit in range(10):
        action = FIRST[Kind.DIGIT] + 10 * place + digit
        if mask[action]:
            low = float(s.bid[me] + digit * step)
            away = low - target if target < low else max(0.0, target - (low + step - 1))
            values[action] = level - away
            best = max(best, values[action])
    return best


@kernel
def loan_burden(weights, scratch):
    return weights[Weight.LOAN_COST] + INTEREST * min(scratch[ROUNDS], FOREVER)


@kernel
def rate_bid(s, me, mask, weights, scratch, values):
    """A share of what the lot is worth to me; in the second round a share of what gain is left (CT-AUC-1, CT-AUC-2)."""
    seller = np.int64(s.seller)
    worth = lot_worth(s, me, seller, weights, scratch)
    money = float(highest_bid(s, me))
    if s.phase == Phase.BID:
        wanted = bid_share(s, weights, scratch) * worth + weights[Weight.BID_MARKET] * lot_market(s, seller, scratch)
        wanted = min(wanted, worth)
        gain = worth - wanted
    else:
        gain = worth - s.shown_bid[me]
        wanted = weights[Weight.BID_AGAIN] * gain
        gain -= wanted
    wanted = max(0.0, np.floor(wanted + 0.5))
    affordable = max(0.0, np.floor(money - weights[Weight.BID_KEEP] * scratch[AHEAD]))
    best = rate_digits(s, me, mask, min(wanted, affordable), 0.5 * gain, values)
    if mask[FIRST[Kind.VOID]]:
        values[FIRST[Kind.VOID]] = 0.0
        best = max(best, 0.0)
    if mask[FIRST[Kind.LOAN]]:
        short = min(wanted - money, float(LOAN))
        values[FIRST[Kind.LOAN]] = best - loan_burden(weights, scratch)
        if short >= weights[Weight.BID_LOAN] and gain > loan_burden(weights, scratch):
            values[FIRST[Kind.LOAN]] = best + short


@kernel
def rate_call_bid(s, me, mask, weights, scratch, values):
    """Money for a broker's box (CT-IB-CALL-2)."""
    wanted = money_to_bid(s, np.int64(s.marked), weights, scratch)
    wanted = np.floor(min(wanted, float(highest_bid(s, me))))
    best = rate_digits(s, me, mask, wanted, 0.0, values)
    if mask[FIRST[Kind.LOAN]]:
        values[FIRST[Kind.LOAN]] = best - loan_burden(weights, scratch)
    if mask[FIRST[Kind.REPAY]]:
        values[FIRST[Kind.REPAY]] = best - 1.0


@kernel
def rate_sale(s, me, mask, weights, scratch, values):
    """Twice the bid, or the containers for the bid (CT-AUC-3, CT-AUC-4). Of equal bidders the one who has least use for them."""
    bid = float(highest_shown(s))
    market = lot_market(s, me, scratch)
    best = -1e6
    for left in range(1, np.int64(s.players)):
        if mask[FIRST[Kind.ACCEPT] + left - 1]:
            buyer = left_of(s, me, left)
            held = 0
            for colour in range(COLOURS):
                held += s.island[buyer, colour]
            values[FIRST[Kind.ACCEPT] + left - 1] = 2.0 * bid - weights[Weight.SPITE] * (market - bid) - 0.05 * held
            best = max(best, values[FIRST[Kind.ACCEPT] + left - 1])
    kept = lot_worth(s, me, me, weights, scratch) - bid
    if mask[FIRST[Kind.REFUSE]]:
        values[FIRST[Kind.REFUSE]] = kept
    best_now = max(best, kept) if mask[FIRST[Kind.REFUSE]] else best
    if mask[FIRST[Kind.LOAN]]:
        values[FIRST[Kind.LOAN]] = best_now - loan_burden(weights, scratch)
        affordable = bid <= s.money[me] + float(LOAN) * (MOST_LOANS - s.loans[me])
        if not mask[FIRST[Kind.REFUSE]] and affordable:
            values[FIRST[Kind.LOAN]] = kept - loan_burden(weights, scratch)
    if mask[FIRST[Kind.REPAY]]:
        values[FIRST[Kind.REPAY]] = best_now - 1.0


@kernel
def rate_seizure(s, mask, scratch, values):
    """Take what hurts the debtor: a colour they have little of and the market wants, at a high price."""
    debtor = np.int64(s.active)
    best = -100.0
    for colour in range(COLOURS):
        for price in range(MOST_PRICE + 1):
            action = FIRST[Kind.SEIZE] + colour * (MOST_PRICE + 1) + price
            if mask[action]:
                values[action] = scratch[MARKET + colour] - s.island[debtor, colour] + 0.2 * price
                best = max(best, values[action])
    return best


assert LOAN_AT_THE_END == LOAN + INTEREST  # a loan costs its interest, and once more at the end
