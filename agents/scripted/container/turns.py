"""Which action to take in a turn: every gain in dollars for the one action that it costs."""

import numpy as np

from tradewinds.envs.container.actions import FIRST, OUTBID, Kind
from tradewinds.envs.container.rules.producing import producible
from tradewinds.envs.container.rules.seats import left_of
from tradewinds.envs.container.rules.stores import factory_room, factory_size, harbour_room, harbour_size, machine_count, total
from tradewinds.envs.container.tables import (
    ACTIONS_A_TURN,
    BOXES,
    COLOURS,
    COLOURS_OUT,
    FACTORY_PRICE,
    FACTORY_PRICES,
    HARBOUR_PRICE,
    HARBOUR_PRICES,
    INTEREST,
    LOAN,
    MACHINE_COST,
    MACHINES,
    SHIP_ROOM,
    UNION_FEE,
    WAREHOUSE_COST,
)
from tradewinds.envs.core.engine.kernel import kernel

from .auction import loan_burden
from .brokers import call_gain
from .stores import basket, factory_price, harbour_demand, harbour_level
from .weights import Weight
from .worth import AHEAD, DOCKED, LANDED, MADE, ROUNDS, WEARY, auction_worth, lead, out_after

NEAR = 0.5  # dollars: prices are whole
SOON = 3.0  # rounds: by then there will be money again to repay one


@kernel
def shortage(s, me, cost, weights, scratch):
    """What it costs me to be left with so little money."""
    return weights[Weight.SHORT] * max(0.0, weights[Weight.RESERVE] * scratch[AHEAD] - (s.money[me] - cost))


@kernel
def wrong_in_factory(s, me, stock, weights, scratch):
    """By how much the prices in my factory store are wrong."""
    wrong = 0.0
    for colour in range(COLOURS):
        target = -1.0
        for at in range(FACTORY_PRICES):
            if s.factory[me, colour, at] > 0:
                if target < 0.0:
                    target = max(factory_price(s, me, colour, stock, weights, scratch), float(FACTORY_PRICE))
                wrong += s.factory[me, colour, at] * max(0.0, abs(FACTORY_PRICE + at - target) - NEAR)
    return wrong


@kernel
def produce_gain(s, me, weights, scratch):
    """What is produced and will be sold; if that ends the game, my lead."""
    makes = producible(s, me)
    worth = 0.0
    for colour in range(COLOURS):
        if s.machines[me, colour] > 0 and s.supply[colour] > 0:
            worth += scratch[MADE + colour]
    room = factory_room(s, me)
    if room < makes:
        worth *= room / makes
    stock = factory_size(s, me)
    gain = weights[Weight.PRODUCE] * worth - weights[Weight.FULL_STORE] * stock * worth - UNION_FEE
    if stock > 0:
        gain += weights[Weight.REMAKE] * wrong_in_factory(s, me, stock, weights, scratch)
    if room >= makes and out_after(s, me) >= COLOURS_OUT:
        ahead = lead(s, me, weights, scratch)
        gain += weights[Weight.HURRY] * (ahead if ahead > 0.0 else ahead / (1.0 + scratch[WEARY]))
    return gain


@kernel
def rate_machines(s, me, mask, weights, scratch, values):
    best = -100.0
    count = machine_count(s, me)
    cost = MACHINE_COST[count] if count < MACHINE_COST.size else 0
    burden = cost + shortage(s, me, cost, weights, scratch)
    for colour in range(COLOURS):
        if mask[FIRST[Kind.MACHINE] + colour]:
            rivals = MACHINES[s.players] - s.machine_stock[colour]
            makes = min(scratch[ROUNDS], float(s.supply[colour]))
            gain = weights[Weight.MACHINE] * makes * scratch[MADE + colour] / (1.0 + weights[Weight.MACHINE_RIVAL] * rivals) - burden
            values[FIRST[Kind.MACHINE] + colour] = gain
            best = max(best, gain)
    return best


@kernel
def warehouse_gain(s, me, weights, scratch):
    owned = s.warehouses[me] + 0
    cost = WAREHOUSE_COST[owned]
    return (
        weights[Weight.WAREHOUSE] * scratch[ROUNDS] / (1.0 + weights[Weight.WAREHOUSE_MORE] * owned)
        - cost
        - shortage(s, me, cost, weights, scratch)
    )


@kernel
def reprice_gain(s, me, weights, scratch):
    """By how much the prices in my harbour store are wrong."""
    wrong = 0.0
    level = harbour_level(s, me, harbour_size(s, me), weights, scratch)
    for colour in range(COLOURS):
        target = max(level + harbour_demand(colour, weights, scratch), float(HARBOUR_PRICE))
        for at in range(HARBOUR_PRICES):
            if s.harbour[me, colour, at] > 0:
                wrong += s.harbour[me, colour, at] * max(0.0, abs(HARBOUR_PRICE + at - target) - NEAR)
    return weights[Weight.REPRICE] * wrong - weights[Weight.REPRICE_COST]


@kernel
def rate_sailing(s, me, mask, weights, scratch, values):
    """The gain of the best move of the ship, and what more money would add to a purchase."""
    best, missed, trip = -100.0, 0.0, 0.0
    cargo = total(s.cargo[me])
    room = SHIP_ROOM - cargo
    voyage = weights[Weight.VOYAGE_COST] / (1.0 + scratch[WEARY])
    money = float(s.money[me])
    for left in range(1, np.int64(s.players)):
        seat = left_of(s, me, left)
        if room == 0 or s.ship_at[me] == seat:
            gain, wish = 0.0, 0.0
        else:
            gain, wish = basket(s.harbour[seat], HARBOUR_PRICE, LANDED, room, money, scratch)
        trip = max(trip, gain)
        missed = max(missed, wish - gain)
        if mask[FIRST[Kind.TO_HARBOUR] + left - 1]:
            values[FIRST[Kind.TO_HARBOUR] + left - 1] = weights[Weight.CALL_AT_HARBOUR] * gain - voyage
            best = max(best, values[FIRST[Kind.TO_HARBOUR] + left - 1])
    if s.investment_bank and room > 0:
        waiting = 0.0
        for colour in range(COLOURS):
            waiting += s.bank_harbour[me, colour] * scratch[LANDED + colour]
        held = total(s.bank_harbour[me])
        if held > room:
            waiting *= room / held
        trip = max(trip, waiting)
        if mask[FIRST[Kind.TO_BANK]]:
            values[FIRST[Kind.TO_BANK]] = weights[Weight.CALL_AT_HARBOUR] * waiting - voyage
            best = max(best, values[FIRST[Kind.TO_BANK]])
    elif mask[FIRST[Kind.TO_BANK]]:
        values[FIRST[Kind.TO_BANK]] = -voyage
    brings = auction_worth(s, me, weights, scratch) if cargo > 0 else 0.0
    if mask[FIRST[Kind.TO_SEA]]:
        gain = max(weights[Weight.TO_SEA_LOADED] * brings, weights[Weight.TO_SEA_EMPTY] * trip) - voyage
        values[FIRST[Kind.TO_SEA]] = gain
        best = max(best, gain)
    if mask[FIRST[Kind.TO_ISLAND]]:
        gain = weights[Weight.ISLAND] * brings - weights[Weight.ISLAND_ROOM] * room * scratch[AHEAD] - weights[Weight.ISLAND_WAIT] * trip
        values[FIRST[Kind.TO_ISLAND]] = gain
        best = max(best, gain)
    return best, missed


@kernel
def rate_shops(s, me, mask, weights, scratch, values):
    """The gain of the best factory to buy from, and what more money would add."""
    best, missed = -100.0, 0.0
    room = harbour_room(s, me)
    if room == 0:
        return best, missed
    money = float(s.money[me])
    for left in range(1, np.int64(s.players)):
        gain, wish = basket(s.factory[left_of(s, me, left)], FACTORY_PRICE, DOCKED, room, money, scratch)
        missed = max(missed, wish - gain)
        if mask[FIRST[Kind.SHOP] + left - 1]:
            values[FIRST[Kind.SHOP] + left - 1] = weights[Weight.SHOP] * gain - weights[Weight.SHOP_COST]
            best = max(best, values[FIRST[Kind.SHOP] + left - 1])
    return best, missed


@kernel
def rate_calls(s, me, mask, weights, scratch, values):
    best = -100.0
    for choice in range(BOXES + 1):
        if mask[FIRST[Kind.CALL] + choice]:
            box = choice if choice != OUTBID else np.int64(s.marked)
            values[FIRST[Kind.CALL] + choice] = (
                weights[Weight.BANK_GAIN] * call_gain(s, me, box, weights, scratch) - weights[Weight.BANK_COST]
            )
            best = max(best, values[FIRST[Kind.CALL] + choice])
    return best


@kernel
def add_island(s, mask, values):
    """With two actions left, whatever else is done now leaves the island for the second one; the island ends the turn."""
    later = values[FIRST[Kind.TO_ISLAND]]
    for action in range(FIRST[Kind.MACHINE], FIRST[Kind.TO_SEA]):
        if mask[action]:
            values[action] += later
    if s.investment_bank:
        for action in range(FIRST[Kind.CALL], FIRST[Kind.CALL] + BOXES + 1):
            if mask[action]:
                values[action] += later
    return later


@kernel
def rate_actions(s, me, mask, weights, scratch, values):
    values[FIRST[Kind.PASS]] = 0.0
    ashore = rate_machines(s, me, mask, weights, scratch, values)
    if mask[FIRST[Kind.WAREHOUSE]]:
        values[FIRST[Kind.WAREHOUSE]] = warehouse_gain(s, me, weights, scratch)
        ashore = max(ashore, values[FIRST[Kind.WAREHOUSE]])
    if mask[FIRST[Kind.PRODUCE]]:
        values[FIRST[Kind.PRODUCE]] = produce_gain(s, me, weights, scratch)
        ashore = max(ashore, values[FIRST[Kind.PRODUCE]])
    if mask[FIRST[Kind.REPRICE]]:
        values[FIRST[Kind.REPRICE]] = reprice_gain(s, me, weights, scratch)
        ashore = max(ashore, values[FIRST[Kind.REPRICE]])
    shop, missed = rate_shops(s, me, mask, weights, scratch, values)
    ashore = max(ashore, shop)
    if s.investment_bank:
        ashore = max(ashore, rate_calls(s, me, mask, weights, scratch, values))
    sail, missed_cargo = rate_sailing(s, me, mask, weights, scratch, values)
    if mask[FIRST[Kind.TO_ISLAND]] and s.actions_left == ACTIONS_A_TURN and values[FIRST[Kind.TO_ISLAND]] > 0.0:
        ashore += add_island(s, mask, values)
    best = max(0.0, max(ashore, sail))
    if mask[FIRST[Kind.LOAN]]:
        values[FIRST[Kind.LOAN]] = best + weights[Weight.LOAN_GAIN] * max(missed, missed_cargo) - loan_burden(weights, scratch)
    if mask[FIRST[Kind.REPAY]]:
        values[FIRST[Kind.REPAY]] = best + INTEREST * (1.0 + min(scratch[ROUNDS], SOON)) - shortage(s, me, LOAN, weights, scratch)
