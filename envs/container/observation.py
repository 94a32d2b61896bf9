"""The observation vector of Container: the seat itself first, then clockwise."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.fields import Visibility
from ..core.kernel import kernel
from ..core.layout import Layout, Part
from .state import ASKED_PHASES, BASE_PHASES, MOST_MONEY, Phase
from .tables import (
    ACTIONS_A_TURN,
    BANK,
    BOXES,
    BROKERS,
    CARD_VALUES,
    COLOURS,
    DIGITS,
    EMPTY,
    FACTORY,
    FACTORY_PRICES,
    FIVE_TEN,
    HARBOUR,
    HARBOUR_PRICES,
    ISLAND,
    MOST_BID,
    MOST_CONTAINERS,
    MOST_LOANS,
    MOST_PRICE,
    MOST_TURNS,
    SEA,
    WAREHOUSE_SLOTS,
)

# Scales: what counts as 1.
MONEY, SUPPLY, STOCK, WAREHOUSE_STOCK, STORED, HELD = 20.0, 16.0, 4.0, 20.0, 2.0, 5.0
VALUE, TURNS, CURSOR, PAYMENT = 10.0, 100.0, 50.0, 20.0


def layout(options: Mapping[str, Any]) -> Layout:
    """The parts, in the order in which `observe` writes them. Parts by player begin with the seat itself."""
    players, bank = options["players"], options["investment_bank"]
    stored = MOST_CONTAINERS / STORED
    parts = [
        Part("phase", ASKED_PHASES if bank else BASE_PHASES, 1, "what is decided now: one of Phase"),
        Part("to_move", players, 1, "who decides it; all who bid while bids are secret"),
        Part("active", players, 1, "whose turn it is"),
        Part("actions_left", 1, 1, "actions of this turn still to begin, of 2"),
        Part("produced", 1, 1, "production is used up in this turn"),
        Part("money", 1, MOST_MONEY / MONEY, "own money, of 20"),
        Part("values", COLOURS, 1, "what the own card gives each colour, of 10; the 5/10 as 5"),
        Part("five_ten", COLOURS, 1, "the own card's 5/10 colour"),
        Part("supply", COLOURS, MOST_CONTAINERS / SUPPLY, "containers in the supply, of 16"),
        Part("machine_stock", COLOURS, 1, "machines in the stock, of 4"),
        Part("warehouse_stock", 1, 1, "warehouses in the stock, of 20"),
        Part("loans", players, 1, "loans, of 2"),
        Part("fresh", players, 1, "of these, loans that have borne no interest, of 2"),
        Part("warehouses", players, 1, "warehouses, of 5"),
        Part("machines", players * COLOURS, 1, "machines by player and colour"),
        Part("factory", players * COLOURS * FACTORY_PRICES, stored, "factory stores by player, colour and price, of 2"),
        Part("harbour", players * COLOURS * HARBOUR_PRICES, stored, "harbour stores by player, colour and price, of 2"),
        Part("cargo", players * COLOURS, 1, "on the ships, by player and colour, of 5"),
        Part("island", players * COLOURS, MOST_CONTAINERS / HELD, "on the island, by player and colour, of 5"),
        Part("ships", players * (players + 2), 1, "by player: the harbour its ship is in, from the own on; the open sea; the island"),
        Part("trader", players, 1, "who is bought from"),
        Part("cursor", 1, 1, "where a row of choices in a fixed order goes on, of 50"),
        Part("to_make", 1, 1, "containers still to choose for production, of 5"),
        Part("pile", COLOURS, stored, "containers in hand, to be priced or bid, of 2"),
        Part("floor", 1, 1, "the least price for the next of them, of 6"),
        Part("seizures", 1, 1, "containers that the bank still takes, of 2"),
        Part("seller", players, 1, "whose auction is on, or was the last"),
        Part("standing", players, 1, "still in the auction"),
        Part("shown_bid", players, MOST_BID / MONEY, "bids shown in this auction or the last, of 20"),
        Part("bid", 1, MOST_BID / MONEY, "the own bid so far, of 20"),
        Part("bid_digits", DIGITS, 1, "its next digit: ones, tens, ..."),
        Part("bid_loans", 1, 1, "loans taken for it, of 2"),
        Part("turn", 1, MOST_TURNS / TURNS, "turns played, of 100"),
        Part("turns_left", 1, 1, "turns until the limit, of the limit"),
    ]
    if bank:
        parts += [
            Part("called", 1, 1, "a broker has been called in this turn"),
            Part("won", 1, 1, "this turn began by winning a broker's auction"),
            Part("ships_at_bank", players, 1, "by player: the ship is in its bank harbour"),
            Part("bank_harbour", players * COLOURS, MOST_CONTAINERS / HELD, "in the bank harbours, by player and colour, of 5"),
            Part("box_containers", BROKERS * COLOURS, MOST_CONTAINERS / HELD, "container boxes by broker and colour, of 5"),
            Part("box_money", BROKERS, MOST_MONEY / MONEY, "money boxes, of 20"),
            Part("payer", players, 1, "who holds the payment card"),
            Part("marked", BOXES, 1, "the box under auction: container boxes I to III, then money boxes"),
            Part("payment_money", 1, MOST_BID / MONEY, "on the payment card, of 20"),
            Part("payment", 2 * COLOURS, stored, "on the payment card: from the factory, from the harbour, by colour, of 2"),
            Part("payment_size", 1, 1, "containers of the bid that is being paid, of 20"),
            Part("factory_pile", COLOURS, stored, "containers in hand that belong to the factory store, of 2"),
        ]
    if options["visibility"] == "open":
        parts.append(Part("opponents_money", players - 1, MOST_MONEY / MONEY, "by opponent: money, of 20"))
    return Layout(parts)


@kernel
def put_players(s, me, out, at):
    """What lies open before each player."""
    players = np.int64(s.players)
    loans, machines = at, at + 3 * players
    factory = machines + players * COLOURS
    harbour = factory + players * COLOURS * FACTORY_PRICES
    cargo = harbour + players * COLOURS * HARBOUR_PRICES
    island = cargo + players * COLOURS
    ships = island + players * COLOURS
    for offset in range(players):
        seat = (me + offset) % players
        out[loans + offset] = s.loans[seat] / MOST_LOANS
        out[loans + players + offset] = s.fresh[seat] / MOST_LOANS
        out[loans + 2 * players + offset] = s.warehouses[seat] / WAREHOUSE_SLOTS
        for colour in range(COLOURS):
            out[machines] = s.machines[seat, colour]
            machines += 1
            for price in range(FACTORY_PRICES):
                out[factory] = s.factory[seat, colour, price] / STORED
                factory += 1
            for price in range(HARBOUR_PRICES):
                out[harbour] = s.harbour[seat, colour, price] / STORED
                harbour += 1
            out[cargo] = s.cargo[seat, colour] / HELD
            cargo += 1
            out[island] = s.island[seat, colour] / HELD
            island += 1
        place = s.ship_at[seat]
        if place < SEA:
            out[ships + (place - me) % players] = 1
        elif place == SEA:
            out[ships + players] = 1
        elif place == ISLAND:
            out[ships + players + 1] = 1
        ships += players + 2
    return ships


@kernel
def put_auction(s, me, out, at):
    players = np.int64(s.players)
    if s.seller != EMPTY:
        out[at + (s.seller - me) % players] = 1
    for offset in range(players):
        seat = (me + offset) % players
        out[at + players + offset] = s.standing[seat]
        out[at + 2 * players + offset] = s.shown_bid[seat] / MONEY
    at += 3 * players
    out[at] = max(s.bid[me], 0) / MONEY
    if s.bid_digits[me] > 0:
        out[at + s.bid_digits[me]] = 1
    out[at + 1 + DIGITS] = s.bid_loans[me] / MOST_LOANS
    return at + 2 + DIGITS


@kernel
def put_bank(s, me, out, at):
    players = np.int64(s.players)
    out[at] = s.called
    out[at + 1] = s.won
    at += 2
    for offset in range(players):
        seat = (me + offset) % players
        out[at + offset] = 1 if s.ship_at[seat] == BANK else 0
        for colour in range(COLOURS):
            out[at + players + offset * COLOURS + colour] = s.bank_harbour[seat, colour] / HELD
    at += players + players * COLOURS
    for broker in range(BROKERS):
        for colour in range(COLOURS):
            out[at + broker * COLOURS + colour] = s.box_containers[broker, colour] / HELD
        out[at + BROKERS * COLOURS + broker] = s.box_money[broker] / MONEY
    at += BROKERS * COLOURS + BROKERS
    if s.payer != EMPTY:
        out[at + (s.payer - me) % players] = 1
    at += players
    if s.marked != EMPTY:
        out[at + s.marked] = 1
    at += BOXES
    out[at] = s.payment_money / MONEY
    at += 1
    for colour in range(COLOURS):
        out[at + colour] = s.payment[FACTORY, colour] / STORED
        out[at + COLOURS + colour] = s.payment[HARBOUR, colour] / STORED
    at += 2 * COLOURS
    out[at] = s.payment_size / PAYMENT
    at += 1
    for colour in range(COLOURS):
        out[at + colour] = s.pile[FACTORY, colour] / STORED
    return at + COLOURS


@kernel
def is_secret_round(s):  # CT-AUC-1
    return s.phase == Phase.BID or s.phase == Phase.SECOND_BID


@kernel
def observe(s, me, out):
    """`s` is a record veiled for `me`."""
    players = np.int64(s.players)
    out[:] = 0
    out[s.phase] = 1
    at = ASKED_PHASES if s.investment_bank else BASE_PHASES
    if is_secret_round(s):  # whom the core asks first says nothing
        for seat in range(players):
            out[at + (seat - me) % players] = s.standing[seat]
    else:
        out[at + (s.seat - me) % players] = 1
    at += players
    out[at + (s.active - me) % players] = 1
    at += players
    out[at] = s.actions_left / ACTIONS_A_TURN
    out[at + 1] = s.produced
    out[at + 2] = s.money[me] / MONEY
    at += 3
    card = s.value_card[me]
    for colour in range(COLOURS):
        out[at + colour] = CARD_VALUES[(colour - card) % COLOURS] / VALUE
    out[at + COLOURS + (card + FIVE_TEN) % COLOURS] = 1
    at += 2 * COLOURS
    for colour in range(COLOURS):
        out[at + colour] = s.supply[colour] / SUPPLY
        out[at + COLOURS + colour] = s.machine_stock[colour] / STOCK
    at += 2 * COLOURS
    out[at] = s.warehouse_stock / WAREHOUSE_STOCK
    at = put_players(s, me, out, at + 1)
    if s.trader != EMPTY:
        out[at + (s.trader - me) % players] = 1
    at += players
    out[at] = s.cursor / CURSOR
    out[at + 1] = s.to_make / HELD
    at += 2
    for colour in range(COLOURS):
        if s.investment_bank or s.pile[FACTORY, colour] == 0:
            out[at + colour] = s.pile[HARBOUR, colour] / STORED
        else:
            out[at + colour] = s.pile[FACTORY, colour] / STORED
    at += COLOURS
    out[at] = s.floor / MOST_PRICE
    out[at + 1] = s.seizures / MOST_LOANS
    at = put_auction(s, me, out, at + 2)
    out[at] = s.turn / TURNS
    out[at + 1] = (s.max_turns - s.turn) / s.max_turns
    at += 2
    if s.investment_bank:
        at = put_bank(s, me, out, at)
    if s.visibility == Visibility.OPEN:
        for offset in range(1, players):
            out[at + offset - 1] = s.money[(me + offset) % players] / MONEY
