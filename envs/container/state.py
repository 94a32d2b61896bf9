"""The record of a game of Container, and who sees what of it (CT-INF-1)."""

from enum import IntEnum

from ..core.spec.fields import Fields, Seen, field
from .tables import (
    ACTIONS_A_TURN,
    BOXES,
    BROKERS,
    COLOURS,
    DIGITS,
    EMPTY,
    FACTORY_PRICES,
    FACTORY_ROOM,
    HARBOUR_PRICES,
    HARBOUR_ROOM,
    MAX_PLAYERS,
    MOST_BID,
    MOST_CONTAINERS,
    MOST_LOANS,
    MOST_PRICE,
    MOST_TURNS,
    PLACES,
    SHIP_ROOM,
    STORES,
    WAREHOUSE_SLOTS,
)


class Phase(IntEnum):
    """What is decided now. Those of the Investment Bank come after those of the base game."""

    ACTION = 0  # CT-TURN-1: which action
    SHOP = 1  # CT-HARB-1: containers from a factory store
    MAKE = 2  # CT-PROD-2: which containers are produced
    PRICE_FACTORY = 3  # CT-PROD-3
    PRICE_HARBOUR = 4  # CT-HARB-3
    SHIP = 5  # CT-SAIL-2: containers from a harbour store
    BID = 6  # CT-AUC-1
    SECOND_BID = 7  # CT-AUC-2
    SALE = 8  # CT-AUC-3, CT-AUC-4
    SEIZE = 9  # CT-INT-2
    CALL_MONEY = 10  # CT-IB-CALL-2: a bid of money
    CALL_CONTAINERS = 11  # CT-IB-CALL-2: a bid of containers
    PAY = 12  # CT-IB-PREP-2: the order of a payment in containers
    LOAD = 13  # CT-IB-SAIL-1
    # Never asked: on the way to the next decision.
    DONE = 14  # an action is over
    INTEREST = 15  # a turn's interest is due


BASE_PHASES = int(Phase.SEIZE) + 1
ASKED_PHASES = int(Phase.LOAD) + 1

# An auction needs a container that no other auction had, and brings the seller at most two highest bids: less than 200 million in all.
MOST_MONEY = 200_000_000

FIELDS = Fields(
    MAX_PLAYERS,
    (
        # Options
        field("investment_bank", 0, 1, "played with the Investment Bank"),
        field("void_bids", 0, 1, "a bluff card voids a bid (CT-AUC-6)"),
        field("max_turns", 1, MOST_TURNS, "turns after which the game is truncated"),
        # The turn
        field("turn", 0, MOST_TURNS, "turns played"),
        field("active", 0, MAX_PLAYERS - 1, "whose turn it is"),
        field("phase", 0, len(Phase) - 1, "Phase: what is decided now"),
        field("actions_left", 0, ACTIONS_A_TURN, "actions that the active player may still begin"),
        field("produced", 0, 1, "the active player has produced in this turn"),
        field("called", 0, 1, "the active player has called a broker in this turn"),
        field("won", 0, 1, "this turn began by winning the broker's auction"),
        # The common stock
        field("supply", 0, MOST_CONTAINERS, "containers by colour", COLOURS),
        field("removed", 0, MOST_CONTAINERS, "containers seized, by colour: out of the game", COLOURS),
        field("machine_stock", 0, 4, "machines by colour", COLOURS),
        field("warehouse_stock", 0, 20, "warehouses"),
        # The players
        field("machines", 0, 1, "by seat and colour", (MAX_PLAYERS, COLOURS)),
        field("warehouses", 0, WAREHOUSE_SLOTS, "by seat", MAX_PLAYERS),
        field("factory", 0, FACTORY_ROOM, "factory store by seat, colour and price from 1", (MAX_PLAYERS, COLOURS, FACTORY_PRICES)),
        field("harbour", 0, HARBOUR_ROOM, "harbour store by seat, colour and price from 2", (MAX_PLAYERS, COLOURS, HARBOUR_PRICES)),
        field("cargo", 0, SHIP_ROOM, "on the ship, by seat and colour", (MAX_PLAYERS, COLOURS)),
        field("ship_at", 0, PLACES - 1, "by seat: a seat's harbour, SEA, ISLAND or BANK", MAX_PLAYERS),
        field("island", 0, MOST_CONTAINERS, "by seat and colour", (MAX_PLAYERS, COLOURS)),
        field("loans", 0, MOST_LOANS, "by seat", MAX_PLAYERS),
        field("fresh", 0, MOST_LOANS, "by seat: loans that cannot be repaid yet", MAX_PLAYERS),
        field("money", 0, MOST_MONEY, "by seat", MAX_PLAYERS, Seen.SCREENED),
        field("value_card", 0, COLOURS - 1, "by seat: the colour worth 10; unused seats hold the undealt cards", MAX_PLAYERS, Seen.SECRET),
        field("issued", -MOST_MONEY, MOST_MONEY, "money that the bank has given out, less what it took in", seen=Seen.BY_NOBODY),
        # The action being played
        field("trader", EMPTY, MAX_PLAYERS - 1, "the seat bought from"),
        field("cursor", 0, 2 * MAX_PLAYERS * HARBOUR_PRICES, "where a row of choices in a fixed order goes on"),
        field("to_make", 0, COLOURS, "containers still to be chosen for production"),
        field("pile", 0, MOST_CONTAINERS, "by store and colour: containers in hand, to be priced or to be bid", (STORES, COLOURS)),
        field("floor", 0, MOST_PRICE, "the least price for the next container of the pile"),
        field("seizures", 0, MOST_LOANS, "containers that the bank still takes"),
        # The auction
        field("seller", EMPTY, MAX_PLAYERS - 1, "whose auction is on, or was the last"),
        field("standing", 0, 1, "by seat: still in the auction", MAX_PLAYERS),
        field("shown_bid", 0, MOST_BID, "by seat: the bid as shown, of this auction or the last", MAX_PLAYERS),
        field("bid", -MOST_BID, MOST_BID, "by seat: the bid being made; minus the first bid if it is voided", MAX_PLAYERS, Seen.SECRET),
        field("bid_digits", 0, DIGITS, "by seat: digits of it still to be given", MAX_PLAYERS, Seen.SECRET),
        field("bid_loans", 0, MOST_LOANS, "by seat: loans taken for it and not shown yet", MAX_PLAYERS, Seen.SECRET),
        # The Investment Bank
        field("box_containers", 0, MOST_CONTAINERS, "by broker and colour", (BROKERS, COLOURS)),
        field("box_money", 0, MOST_MONEY, "by broker", BROKERS),
        field("bank_harbour", 0, MOST_CONTAINERS, "containers in the own bank harbour, by seat and colour", (MAX_PLAYERS, COLOURS)),
        field("payer", EMPTY, MAX_PLAYERS - 1, "who holds the payment card"),
        field("marked", EMPTY, BOXES - 1, "the box under auction: container boxes I to III, then money boxes"),
        field("payment_money", 0, MOST_BID, "on the payment card"),
        field("payment", 0, MOST_CONTAINERS, "on the payment card, by the store it came from and colour", (STORES, COLOURS)),
        field("payment_size", 0, FACTORY_ROOM + HARBOUR_ROOM, "containers of the bid that is being paid"),
    ),
)
