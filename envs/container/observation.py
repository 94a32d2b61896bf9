"""The observation vector of Container: the seat itself first, then clockwise."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.engine.encoding import seats_on
from ..core.engine.kernel import kernel
from ..core.spec.fields import Visibility
from ..core.spec.layout import Layout, Part, cut_parts
from .rich import put_rich, rich_parts
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
    FACTORY_ROOM,
    FIVE_TEN,
    HARBOUR,
    HARBOUR_PRICES,
    HARBOUR_ROOM,
    MOST_BID,
    MOST_CONTAINERS,
    MOST_LOANS,
    MOST_PRICE,
    SEA,
    WAREHOUSE_SLOTS,
)

# Scales: what counts as 1. Kernels multiply, which is several times faster than dividing.
MONEY, SUPPLY, STOCK, WAREHOUSE_STOCK, STORED, HELD = 20.0, 16.0, 4.0, 20.0, 2.0, 5.0
VALUE, TURNS, CURSOR, PAYMENT = 10.0, 100.0, 50.0, 20.0
A_DOLLAR, A_SUPPLIED, A_MACHINE, A_STOCKED, A_STORED, A_HELD = 1 / MONEY, 1 / SUPPLY, 1 / STOCK, 1 / WAREHOUSE_STOCK, 1 / STORED, 1 / HELD
A_VALUE, A_TURN, A_CURSOR, A_PAID = 1 / VALUE, 1 / TURNS, 1 / CURSOR, 1 / PAYMENT
A_LOAN, A_WAREHOUSE, A_PRICE, AN_ACTION = 1 / MOST_LOANS, 1 / WAREHOUSE_SLOTS, 1 / MOST_PRICE, 1 / ACTIONS_A_TURN
SHELVES, QUAYS = COLOURS * FACTORY_PRICES, COLOURS * HARBOUR_PRICES  # places of one factory and one harbour store


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
        Part("fresh", players, 1, "of these, loans that cannot be repaid yet, of 2"),
        Part("warehouses", players, 1, "warehouses, of 5"),
        Part("machines", players * COLOURS, 1, "machines by player and colour"),
        Part("factory", players * COLOURS * FACTORY_PRICES, FACTORY_ROOM / STORED, "factory stores by player, colour and price, of 2"),
        Part("harbour", players * COLOURS * HARBOUR_PRICES, HARBOUR_ROOM / STORED, "harbour stores by player, colour and price, of 2"),
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
        Part("turn", 1, options["max_turns"] / TURNS, "turns played, of 100"),
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
    if options["encoding"] == "rich":
        parts = [*cut_parts(parts), *rich_parts(options)]
    return Layout(parts)


@kernel
def put_colours(row, scale, out, at):
    """A row of the record by colour, each number times the scale; returns where the next part begins."""
    part = out[at : at + COLOURS]
    for colour in range(COLOURS):
        part[colour] = row[colour] * scale
    return at + COLOURS


@kernel
def put_stores(s, seat, factory, harbour):
    """Both stores of a player, each into its part of the vector."""
    for colour in range(COLOURS):
        for price in range(FACTORY_PRICES):
            factory[colour * FACTORY_PRICES + price] = s.factory[seat, colour, price] * A_STORED
        for price in range(HARBOUR_PRICES):
            harbour[colour * HARBOUR_PRICES + price] = s.harbour[seat, colour, price] * A_STORED


@kernel
def put_players(s, me, players, out, at):
    """What lies open before each player."""
    loans, machines = at, at + 3 * players
    factory = machines + players * COLOURS
    harbour = factory + players * SHELVES
    cargo = harbour + players * QUAYS
    island = cargo + players * COLOURS
    ships = island + players * COLOURS
    seat = me
    for offset in range(players):
        out[loans + offset] = s.loans[seat] * A_LOAN
        out[loans + players + offset] = s.fresh[seat] * A_LOAN
        out[loans + 2 * players + offset] = s.warehouses[seat] * A_WAREHOUSE
        put_stores(s, seat, out[factory : factory + SHELVES], out[harbour : harbour + QUAYS])
        factory += SHELVES
        harbour += QUAYS
        for colour in range(COLOURS):
            out[machines + colour] = s.machines[seat, colour]
            out[cargo + colour] = s.cargo[seat, colour] * A_HELD
            out[island + colour] = s.island[seat, colour] * A_HELD
        machines += COLOURS
        cargo += COLOURS
        island += COLOURS
        place = np.int64(s.ship_at[seat])
        if place < SEA:
            out[ships + seats_on(place, me, players)] = 1
        elif place != BANK:
            out[ships + players + place - SEA] = 1
        ships += players + 2
        seat = seat + 1 if seat + 1 < players else 0
    return ships


@kernel
def put_auction(s, me, players, out, at):
    if s.seller != EMPTY:
        out[at + seats_on(np.int64(s.seller), me, players)] = 1
    for seat in range(players):
        offset = at + seats_on(seat, me, players)
        out[offset + players] = s.standing[seat]
        out[offset + 2 * players] = s.shown_bid[seat] * A_DOLLAR
    at += 3 * players
    out[at] = max(s.bid[me], 0) * A_DOLLAR
    if s.bid_digits[me] > 0:
        out[at + s.bid_digits[me]] = 1
    out[at + 1 + DIGITS] = s.bid_loans[me] * A_LOAN
    return at + 2 + DIGITS


@kernel
def put_bank(s, me, players, out, at):
    out[at] = s.called
    out[at + 1] = s.won
    at += 2
    for seat in range(players):
        offset = seats_on(seat, me, players)
        if s.ship_at[seat] == BANK:
            out[at + offset] = 1
        put_colours(s.bank_harbour[seat], A_HELD, out, at + players + offset * COLOURS)
    at += players + players * COLOURS
    for broker in range(BROKERS):
        put_colours(s.box_containers[broker], A_HELD, out, at + broker * COLOURS)
        out[at + BROKERS * COLOURS + broker] = s.box_money[broker] * A_DOLLAR
    at += BROKERS * COLOURS + BROKERS
    if s.payer != EMPTY:
        out[at + seats_on(np.int64(s.payer), me, players)] = 1
    at += players
    if s.marked != EMPTY:
        out[at + np.int64(s.marked)] = 1
    at += BOXES
    out[at] = s.payment_money * A_DOLLAR
    at = put_colours(s.payment[FACTORY], A_STORED, out, at + 1)
    at = put_colours(s.payment[HARBOUR], A_STORED, out, at)
    out[at] = s.payment_size * A_PAID
    return put_colours(s.pile[FACTORY], A_STORED, out, at + 1)


@kernel
def is_secret_round(s):  # CT-AUC-1
    return s.phase == Phase.BID or s.phase == Phase.SECOND_BID


@kernel
def put_turn(s, me, players, out, at):
    """Who decides, whose turn it is, and how far that is."""
    if is_secret_round(s):  # whom the core asks first says nothing
        for seat in range(players):
            out[at + seats_on(seat, me, players)] = s.standing[seat]
    else:
        out[at + seats_on(np.int64(s.seat), me, players)] = 1
    at += players
    out[at + seats_on(np.int64(s.active), me, players)] = 1
    at += players
    out[at] = s.actions_left * AN_ACTION
    out[at + 1] = s.produced
    out[at + 2] = s.money[me] * A_DOLLAR
    return at + 3


@kernel
def put_card(s, me, out, at):
    colour = np.int64(s.value_card[me])
    for i in range(COLOURS):
        out[at + colour] = CARD_VALUES[i] * A_VALUE
        if i == FIVE_TEN:
            out[at + COLOURS + colour] = 1
        colour = colour + 1 if colour + 1 < COLOURS else 0
    return at + 2 * COLOURS


@kernel
def shown_pile(s):
    """Without the Investment Bank only one of the two piles is in use at a time; with it the other has a part of its own."""
    if not s.investment_bank and (s.phase == Phase.PRICE_FACTORY or s.phase == Phase.MAKE):
        return FACTORY
    return HARBOUR


@kernel
def observe(s, viewer, out):
    """`s` is a record masked for `viewer`."""
    me = np.int64(viewer)  # one type, so that the parts are compiled once
    players = np.int64(s.players)
    for i in range(out.size):  # a plain loop compiles to one memset
        out[i] = 0
    out[s.phase] = 1
    at = put_turn(s, me, players, out, ASKED_PHASES if s.investment_bank else BASE_PHASES)
    at = put_card(s, me, out, at)
    at = put_colours(s.supply, A_SUPPLIED, out, at)
    at = put_colours(s.machine_stock, A_MACHINE, out, at)
    out[at] = s.warehouse_stock * A_STOCKED
    at = put_players(s, me, players, out, at + 1)
    if s.trader != EMPTY:
        out[at + seats_on(np.int64(s.trader), me, players)] = 1
    at += players
    out[at] = s.cursor * A_CURSOR
    out[at + 1] = s.to_make * A_HELD
    at += 2
    at = put_colours(s.pile[shown_pile(s)], A_STORED, out, at)
    out[at] = s.floor * A_PRICE
    out[at + 1] = s.seizures * A_LOAN
    at = put_auction(s, me, players, out, at + 2)
    out[at] = s.turn * A_TURN
    out[at + 1] = (s.max_turns - s.turn) / s.max_turns
    at += 2
    if s.investment_bank:
        at = put_bank(s, me, players, out, at)
    if s.visibility == Visibility.OPEN:
        for seat in range(players):
            if seat != me:
                out[at + seats_on(seat, me, players) - 1] = s.money[seat] * A_DOLLAR
        at += players - 1
    if at < out.size:  # encoding="rich"
        put_rich(s, me, players, out, at)
