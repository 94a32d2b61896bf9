"""The weights and the styles. Money is in dollars, time in rounds."""

from collections.abc import Mapping
from enum import IntEnum, auto

import numpy as np


class Weight(IntEnum):
    """Indices into a style's row of weights."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return count

    # Time
    PACE = auto()  # containers that a machine makes in a round
    LINGER = auto()  # rounds more, since nobody must produce what ends the game
    PATIENCE = auto()  # rounds after which the market is thought to be stuck: all get cheaper, and nobody puts off the end
    HORIZON = auto()  # rounds at which the game is half over for plans: the future counts rounds / (rounds + this)
    # What containers are worth on the island
    SET_HOPE = auto()  # early on, how sure the set of five colours is
    DISCARD = auto()  # early on, the share of the most numerous colour's value that is given up for lost
    RIVAL_DISCARD = auto()  # how much less a rival values the colour it has most of
    RIVAL_MISSING = auto()  # how much more it values a colour it has none of
    OWN_MISSING = auto()  # how much more I value a colour I have none of
    OWN_DISCARD = auto()  # how much less I value the colour I have most of
    # What a container is worth on its way
    BROKE = auto()  # how little is to be had from a rival with all the loans there are
    LAND_SALE = auto()  # of a container on my ship: the share of the market value that an auction brings
    LAND_OWN = auto()  # ... and the share of what it is worth to me
    LAND_AGAIN = auto()  # less for each one of its colour on board already
    LAND_TIME = auto()  # rounds that a voyage needs
    DOCK_WORTH = auto()  # of a container in my harbour store: the share of its worth on a ship that the store price reaches
    DOCK_BASE = auto()  # ... and what it brings whatever its colour
    DOCK_TIME = auto()  # rounds until a ship calls
    MADE_WORTH = auto()  # of a container in my factory store: the share of its market value
    MADE_BASE = auto()
    MADE_TIME = auto()  # rounds until somebody buys it
    # Actions
    PRODUCE = auto()  # of the worth of what is produced
    FULL_STORE = auto()  # less for each container that is still in the factory store
    HURRY = auto()  # ending the game: of my lead
    GUESSED_MONEY = auto()  # what a rival is thought to hold
    GUESSED_GROWTH = auto()  # ... and more for each round played
    MACHINE = auto()  # of the worth of what a machine will make
    MACHINE_RIVAL = auto()  # less for each machine of the colour on the table
    WAREHOUSE = auto()  # for each round left
    WAREHOUSE_MORE = auto()  # less for each warehouse owned
    RESERVE = auto()  # money to keep
    SHORT = auto()  # what each dollar below it costs
    SHOP = auto()  # of the gain of a purchase for the harbour store
    SHOP_COST = auto()  # what the action costs, as another could be played
    REPRICE = auto()  # for each dollar that a price is wrong
    REPRICE_COST = auto()
    REMAKE = auto()  # ... in the factory store, when I produce
    CALL_AT_HARBOUR = auto()  # of the gain of a purchase for the ship
    VOYAGE_COST = auto()  # what a move of the ship costs
    TO_SEA_EMPTY = auto()  # to sea for goods: of the best gain in a harbour
    TO_SEA_LOADED = auto()  # to sea with cargo: of what it brings on the island
    ISLAND = auto()  # of what the cargo brings
    ISLAND_ROOM = auto()  # for each empty place on the ship
    ISLAND_WAIT = auto()  # of the best gain in a harbour, which could be fetched first
    LOAN_COST = auto()  # a loan costs this and the interest
    LOAN_GAIN = auto()  # of what the money makes possible
    # Prices
    FACTORY_PRICE = auto()
    FACTORY_DEMAND = auto()  # for each dollar of market value above the middle
    FACTORY_STOCK = auto()  # for each container in the store
    FACTORY_RIVAL = auto()  # for each container of its colour in the factories of rivals
    FACTORY_LATE = auto()  # at the end
    FACTORY_WEARY = auto()  # for each round in which the market is stuck
    HARBOUR_PRICE = auto()
    HARBOUR_DEMAND = auto()
    HARBOUR_STOCK = auto()
    HARBOUR_RIVAL = auto()  # for each container in the harbours of rivals
    HARBOUR_LATE = auto()
    HARBOUR_WEARY = auto()
    # The auction
    BID = auto()  # the share of what a lot is worth to me
    BID_LATE = auto()  # ... more of it at the end
    BID_TABLE = auto()  # ... more for each player above four
    BID_MARKET = auto()  # the share of what the lot is worth to others
    BID_AGAIN = auto()  # in the second round: the share of the gain that is left
    BID_KEEP = auto()  # dollars that early on are not bid
    BID_LOAN = auto()  # the least dollars by which my money must be short for a loan
    SALE_HOPE = auto()  # the highest bid that a seller expects: the share of the market value
    SPITE = auto()  # what a rival's gain costs me
    # The Investment Bank
    BANK_GOODS = auto()  # the share of the worth on a ship that a container in a broker's box has
    BANK_BID = auto()  # the share of that worth that is bid
    BANK_GAIN = auto()  # of the gain, as it may be outbid
    BANK_COST = auto()  # what the call costs


BALANCED: dict[Weight, float] = {
    Weight.PACE: 0.808,
    Weight.LINGER: 1.59,
    Weight.PATIENCE: 23.4,
    Weight.HORIZON: 2.89,
    Weight.SET_HOPE: 0.551,
    Weight.DISCARD: 0.478,
    Weight.RIVAL_DISCARD: 0.58,
    Weight.RIVAL_MISSING: 0.728,
    Weight.OWN_MISSING: 1.16,
    Weight.OWN_DISCARD: 0.653,
    Weight.BROKE: 0.676,
    Weight.LAND_SALE: 0.665,
    Weight.LAND_OWN: 0.113,
    Weight.LAND_AGAIN: 0.598,
    Weight.LAND_TIME: 1.01,
    Weight.DOCK_WORTH: 0.383,
    Weight.DOCK_BASE: 2.7,
    Weight.DOCK_TIME: 1.4,
    Weight.MADE_WORTH: 0.175,
    Weight.MADE_BASE: 1.28,
    Weight.MADE_TIME: 2.09,
    Weight.PRODUCE: 1.34,
    Weight.FULL_STORE: 0.213,
    Weight.HURRY: 0.561,
    Weight.GUESSED_MONEY: 16.6,
    Weight.GUESSED_GROWTH: 1.43,
    Weight.MACHINE: 0.591,
    Weight.MACHINE_RIVAL: 0.267,
    Weight.WAREHOUSE: 0.927,
    Weight.WAREHOUSE_MORE: 0.4,
    Weight.RESERVE: 12.5,
    Weight.SHORT: 0.556,
    Weight.SHOP: 1.03,
    Weight.SHOP_COST: 0.596,
    Weight.REPRICE: 0.43,
    Weight.REPRICE_COST: 0.478,
    Weight.REMAKE: 0.317,
    Weight.CALL_AT_HARBOUR: 0.559,
    Weight.VOYAGE_COST: 0.359,
    Weight.TO_SEA_EMPTY: 0.556,
    Weight.TO_SEA_LOADED: 0.357,
    Weight.ISLAND: 0.594,
    Weight.ISLAND_ROOM: 1.37,
    Weight.ISLAND_WAIT: 0.0595,
    Weight.LOAN_COST: 6.58,
    Weight.LOAN_GAIN: 1.87,
    Weight.FACTORY_PRICE: 2.41,
    Weight.FACTORY_DEMAND: 0.135,
    Weight.FACTORY_STOCK: -0.0358,
    Weight.FACTORY_RIVAL: -0.0846,
    Weight.FACTORY_LATE: -0.42,
    Weight.FACTORY_WEARY: -0.0614,
    Weight.HARBOUR_PRICE: 4.05,
    Weight.HARBOUR_DEMAND: 0.21,
    Weight.HARBOUR_STOCK: -0.24,
    Weight.HARBOUR_RIVAL: -0.0179,
    Weight.HARBOUR_LATE: -0.536,
    Weight.HARBOUR_WEARY: -0.122,
    Weight.BID: 0.308,
    Weight.BID_LATE: -0.0597,
    Weight.BID_TABLE: 0.0239,
    Weight.BID_MARKET: 0.188,
    Weight.BID_AGAIN: 0.313,
    Weight.BID_KEEP: 0.97,
    Weight.BID_LOAN: 7.58,
    Weight.SALE_HOPE: 0.759,
    Weight.SPITE: 0.175,
    Weight.BANK_GOODS: 0.833,
    Weight.BANK_BID: 0.62,
    Weight.BANK_GAIN: 0.761,
    Weight.BANK_COST: 0.834,
}

# What looks further than the action itself; greedy does without.
PLANS = (
    Weight.HURRY,
    Weight.MACHINE,
    Weight.WAREHOUSE,
    Weight.SET_HOPE,
    Weight.RIVAL_MISSING,
    Weight.OWN_MISSING,
    Weight.LAND_AGAIN,
    Weight.FULL_STORE,
    Weight.RESERVE,
    Weight.ISLAND_ROOM,
    Weight.ISLAND_WAIT,
    Weight.FACTORY_DEMAND,
    Weight.FACTORY_STOCK,
    Weight.FACTORY_RIVAL,
    Weight.HARBOUR_DEMAND,
    Weight.HARBOUR_STOCK,
    Weight.HARBOUR_RIVAL,
    Weight.BID_LATE,
    Weight.BID_MARKET,
    Weight.BID_KEEP,
    Weight.SPITE,
)


def style(times: Mapping[Weight, float]) -> np.ndarray:
    """The balanced weights, some of them multiplied."""
    return np.array([BALANCED[weight] * times.get(weight, 1.0) for weight in Weight], np.float64)


STYLES = {
    "balanced": style({}),
    # Machines, and what they make.
    "producer": style(
        {Weight.MACHINE: 1.6, Weight.MACHINE_RIVAL: 0.4, Weight.PRODUCE: 1.3, Weight.WAREHOUSE: 0.6, Weight.CALL_AT_HARBOUR: 0.9}
    ),
    # The ship: buys what lies in harbours and carries it to the island.
    "shipper": style(
        {
            Weight.MACHINE: 0.55,
            Weight.WAREHOUSE: 0.6,
            Weight.CALL_AT_HARBOUR: 1.4,
            Weight.TO_SEA_EMPTY: 1.5,
            Weight.TO_SEA_LOADED: 1.3,
            Weight.LAND_SALE: 1.06,
        }
    ),
    # Warehouses, filled from the factories of others.
    "merchant": style({Weight.MACHINE: 0.6, Weight.WAREHOUSE: 1.8, Weight.SHOP: 1.3}),
    # No plans, and the island is valued as if the game ended now.
    "greedy": style({**dict.fromkeys(PLANS, 0.0), Weight.DISCARD: 1.0 / BALANCED[Weight.DISCARD], Weight.BID: 1.5}),
}
