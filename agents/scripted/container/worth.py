"""What containers are worth: on the island, on a ship, in a harbour store and in a factory store; and how long the game will last."""

import numpy as np

from tradewinds.envs.container.rules.stores import total
from tradewinds.envs.container.tables import (
    CARD_VALUES,
    COLOURS,
    COLOURS_OUT,
    FIVE_TEN,
    FULL_SET_VALUE,
    HARBOUR_VALUE,
    LOAN_AT_THE_END,
    MACHINES,
    MOST_LOANS,
    SHIP_VALUE,
)
from tradewinds.envs.core.engine.kernel import kernel

from .weights import Weight

# Layout of the scratch memory: a row by colour each ...
OWN = 0  # one more on my part of the island
MARKET = OWN + COLOURS  # one more on a rival's, on average
LANDED = MARKET + COLOURS  # on my ship
DOCKED = LANDED + COLOURS  # in my harbour store
MADE = DOCKED + COLOURS  # in my factory store
# ... and single numbers.
ROUNDS = MADE + COLOURS  # until the game ends
AHEAD = ROUNDS + 1  # 1 long before the end, 0 at the end
WEARY = AHEAD + 1  # rounds since the market is stuck
CUSTOMERS = WEARY + 1  # the share of the rivals that have money, as far as their loans tell

FULL_CARD = float(CARD_VALUES.sum() + FULL_SET_VALUE - CARD_VALUES[FIVE_TEN])
LOW_CARD = float(CARD_VALUES.sum())
FIVE_TEN_GAIN = float(FULL_SET_VALUE - CARD_VALUES[FIVE_TEN])
NEVER = 50.0  # rounds: a colour that nobody makes
NOTHING = np.int64(-1)


@kernel
def write_time(s, weights, scratch):
    """Rounds until the second colour runs out, at the pace of the machines on the table."""
    first, second = NEVER, NEVER
    for colour in range(COLOURS):
        rounds = NEVER
        machines = MACHINES[s.players] - s.machine_stock[colour]
        if s.supply[colour] == 0:
            rounds = 0.0
        elif machines > 0:
            rounds = min(NEVER, s.supply[colour] / (weights[Weight.PACE] * machines))
        if rounds < first:
            first, second = rounds, first
        elif rounds < second:
            second = rounds
    if second > 0.0:
        second += weights[Weight.LINGER]
    turns = float(s.max_turns - s.turn)
    second = min(second, turns / s.players)
    scratch[ROUNDS] = second
    scratch[WEARY] = max(0.0, s.turn / s.players - weights[Weight.PATIENCE])
    scratch[AHEAD] = second / (second + weights[Weight.HORIZON])


@kernel
def chance(scratch, time):
    """The probability that an event this many rounds ahead still happens."""
    return scratch[ROUNDS] / (scratch[ROUNDS] + time)


@kernel
def most_of(s, seat):
    """The colour that a seat has most of on the island; NOTHING on an empty one."""
    found, most = NOTHING, 0
    for colour in range(COLOURS):
        if s.island[seat, colour] > most:
            found, most = np.int64(colour), s.island[seat, colour] + 0
    return found


@kernel
def write_island(s, me, weights, scratch):
    """OWN, MARKET and CUSTOMERS. Of the rivals' cards it is only known that mine is not among them: what I value least they value more."""
    card = np.int64(s.value_card[me])
    rivals = s.players - 1
    debts = 0
    mean_card = LOW_CARD + (FULL_CARD - LOW_CARD) * weights[Weight.SET_HOPE]
    present = 0
    for colour in range(COLOURS):
        if s.island[me, colour] > 0:
            present += 1
    for place in range(COLOURS):
        colour = card + place
        if colour >= COLOURS:
            colour -= COLOURS
        value = float(CARD_VALUES[place])
        if place == FIVE_TEN:
            value += FIVE_TEN_GAIN * set_hope(present, weights, scratch)
        scratch[OWN + colour] = value
        scratch[MARKET + colour] = 0.25 * (mean_card - value)
    hope = weights[Weight.RIVAL_MISSING] * scratch[AHEAD] / rivals
    for seat in range(np.int64(s.players)):
        if seat == me:
            continue
        debts += s.loans[seat]
        top = NOTHING
        most = 0
        for colour in range(COLOURS):
            held = s.island[seat, colour]
            if held == 0:
                scratch[MARKET + colour] += hope
            elif held > most:
                top, most = np.int64(colour), held + 0
        if top != NOTHING:
            scratch[MARKET + top] *= 1.0 - weights[Weight.RIVAL_DISCARD] / rivals
    scratch[CUSTOMERS] = 1.0 - weights[Weight.BROKE] * debts / (MOST_LOANS * rivals)
    top = most_of(s, me)
    if top != NOTHING:
        scratch[OWN + top] *= 1.0 - weights[Weight.OWN_DISCARD]
    missing = weights[Weight.OWN_MISSING] * (1.0 + present) / COLOURS
    for colour in range(COLOURS):
        if s.island[me, colour] == 0:
            scratch[OWN + colour] += missing


@kernel
def set_hope(present, weights, scratch):
    """The probability of having all five colours at the end, with this many now."""
    if present == COLOURS:
        return 1.0
    return weights[Weight.SET_HOPE] * scratch[AHEAD] * (1.0 + present) / COLOURS


@kernel
def write_worths(s, me, weights, scratch):
    """All worths by colour. What does not get further before the end counts as the rules count it there."""
    write_time(s, weights, scratch)
    write_island(s, me, weights, scratch)
    land, dock, made = (
        chance(scratch, weights[Weight.LAND_TIME]),
        chance(scratch, weights[Weight.DOCK_TIME]),
        chance(scratch, weights[Weight.MADE_TIME]),
    )
    customers = scratch[CUSTOMERS]
    for colour in range(COLOURS):
        market = scratch[MARKET + colour] * customers
        sold = weights[Weight.LAND_SALE] * market + weights[Weight.LAND_OWN] * scratch[OWN + colour]
        scratch[LANDED + colour] = land * sold + (1.0 - land) * SHIP_VALUE - weights[Weight.LAND_AGAIN] * s.cargo[me, colour]
        asked = weights[Weight.DOCK_BASE] * customers + weights[Weight.DOCK_WORTH] * market
        scratch[DOCKED + colour] = dock * asked + (1.0 - dock) * HARBOUR_VALUE
        scratch[MADE + colour] = made * (weights[Weight.MADE_BASE] * customers + weights[Weight.MADE_WORTH] * market)


@kernel
def held_with(s, me, lot_of, colour):
    """Containers of a colour on my part of the island, with the cargo of a seat added unless that is NOTHING."""
    held = np.int64(s.island[me, colour])
    return held if lot_of == NOTHING else held + s.cargo[lot_of, colour]


@kernel
def island_worth(s, me, lot_of, weights, scratch):
    """What my part of the island will bring (CT-END-2, CT-END-3), with the cargo of a seat added unless that is NOTHING."""
    card = np.int64(s.value_card[me])
    present, most = 0, 0
    for colour in range(COLOURS):
        held = held_with(s, me, lot_of, colour)
        present += 1 if held > 0 else 0
        most = max(most, held)
    worth, lost, five_ten = 0.0, 0.0, False
    for place in range(COLOURS):
        colour = card + place
        if colour >= COLOURS:
            colour -= COLOURS
        held = held_with(s, me, lot_of, colour)
        value = float(CARD_VALUES[place])
        if place == FIVE_TEN:
            value += FIVE_TEN_GAIN * set_hope(present, weights, scratch)
        worth += held * value
        if held == most:  # CT-END-3: among the most numerous, the 5/10 colour must go
            if place == FIVE_TEN:
                lost, five_ten = held * value, True
            elif not five_ten and (lost == 0.0 or held * value < lost):
                lost = held * value
    return worth - (1.0 - scratch[AHEAD] * (1.0 - weights[Weight.DISCARD])) * lost


@kernel
def lot_worth(s, me, lot_of, weights, scratch):
    """What the cargo of a seat is worth on my part of the island."""
    return island_worth(s, me, lot_of, weights, scratch) - island_worth(s, me, NOTHING, weights, scratch)


@kernel
def lot_market(s, lot_of, scratch):
    """What it is worth to a rival, on average."""
    worth = 0.0
    for colour in range(COLOURS):
        worth += s.cargo[lot_of, colour] * scratch[MARKET + colour]
    return worth


@kernel
def auction_worth(s, me, weights, scratch):
    """What my own cargo brings at the island: twice the best bid, or the containers less that bid."""
    hoped = weights[Weight.SALE_HOPE] * scratch[CUSTOMERS] * lot_market(s, me, scratch)
    return max(2.0 * hoped, lot_worth(s, me, me, weights, scratch) - hoped)


@kernel
def lead(s, me, weights, scratch):
    """By how much I would win if the game ended now, as far as I can tell."""
    best = -1000.0
    guess = weights[Weight.GUESSED_MONEY] + weights[Weight.GUESSED_GROWTH] * s.turn / s.players
    mine = 0.0
    for seat in range(np.int64(s.players)):
        stores = SHIP_VALUE * total(s.cargo[seat]) + HARBOUR_VALUE * total_of_store(s.harbour[seat]) - LOAN_AT_THE_END * s.loans[seat]
        if seat == me:
            mine = float(stores + s.money[me]) + island_worth(s, me, NOTHING, weights, scratch)
            continue
        held, most, present = 0, 0, 0
        for colour in range(COLOURS):
            count = s.island[seat, colour] + 0
            held += count
            most = max(most, count)
            if count > 0:
                present += 1
        mean = (LOW_CARD if present < COLOURS else FULL_CARD) / COLOURS
        best = max(best, stores + guess + mean * (held - most))
    return mine - best


@kernel
def total_of_store(store):
    count = 0
    for colour in range(store.shape[0]):
        for price in range(store.shape[1]):
            count += store[colour, price]
    return count


@kernel
def out_after(s, me):
    """Colours that will have run out when I have produced all I can."""
    count = 0
    for colour in range(COLOURS):
        if s.supply[colour] == 0 or (s.supply[colour] == 1 and s.machines[me, colour] > 0):
            count += 1
    return count


assert COLOURS_OUT == 2  # write_time looks for the second colour
