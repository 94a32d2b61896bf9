"""Components, prices and limits of Container, the clause beside every number."""

from enum import IntEnum

import numpy as np


class Colour(IntEnum):
    """The colours of containers and machines: the index of every array over colours."""

    BLACK = 0
    BROWN = 1
    PURPLE = 2
    BEIGE = 3
    GREY = 4


COLOURS = len(Colour)
MIN_PLAYERS, MAX_PLAYERS = 3, 5
EMPTY = -1  # nobody, nothing

# Components by player count; the rows below MIN_PLAYERS are never read.
WAREHOUSES = np.array([0, 0, 0, 12, 16, 20], np.int64)
MACHINES = np.array([0, 0, 0, 2, 3, 4], np.int64)  # of each colour
CONTAINERS = np.array([0, 0, 0, 10, 13, 16], np.int64)  # of each colour
MOST_CONTAINERS = 17  # of a colour in the box: 16 of the game and 1 of the Investment Bank

# Components: the value cards. Card k gives colour (k + i) mod 5 the i-th of these.
CARD_VALUES = np.array([10, 5, 6, 4, 2], np.int64)
FIVE_TEN = 1  # the place of the 5/10 among them
FULL_SET_VALUE = 10  # CT-END-2

MACHINE_COST = np.array([0, 6, 9, 12], np.int64)  # components: by slot
WAREHOUSE_COST = np.array([0, 4, 5, 6, 7], np.int64)  # components: by slot
MACHINE_SLOTS = 4
WAREHOUSE_SLOTS = 5
STORED_A_MACHINE = 2  # components: the factory store's room
STORED_A_WAREHOUSE = 1  # components: the harbour store's room
FACTORY_ROOM = STORED_A_MACHINE * MACHINE_SLOTS
HARBOUR_ROOM = STORED_A_WAREHOUSE * WAREHOUSE_SLOTS
FACTORY_PRICE = 1  # components: prices 1 to 4
FACTORY_PRICES = 4
HARBOUR_PRICE = 2  # components: prices 2 to 6
HARBOUR_PRICES = 5
MOST_PRICE = HARBOUR_PRICE + HARBOUR_PRICES - 1
SHIP_ROOM = 5  # components

FACTORY, HARBOUR = 0, 1  # the two stores of a player
STORES = 2

START_MONEY = 20  # CT-SET-1
START_PRICE = 2  # CT-SET-2

# Where a ship may be: the harbour of a seat (0 to 4), or
SEA, ISLAND, BANK = MAX_PLAYERS, MAX_PLAYERS + 1, MAX_PLAYERS + 2
PLACES = MAX_PLAYERS + 3

ACTIONS_A_TURN = 2  # CT-TURN-1
MOST_LOANS = 2  # components
LOAN = 10  # CT-LOAN-1, CT-LOAN-2
INTEREST = 1  # CT-INT-1
LOAN_AT_THE_END = 11  # CT-END-4
UNION_FEE = 1  # CT-PROD-1
COLOURS_OUT = 2  # CT-END-1
HARBOUR_VALUE = 2  # CT-END-4
SHIP_VALUE = 3  # CT-END-4
BANK_HARBOUR_VALUE = 3  # CT-IB-END-1

BROKERS = 3  # CT-IB-SET-1
BOXES = 2 * BROKERS  # container boxes I, II, III, then money boxes I, II, III
START_BOX_CONTAINERS = np.array([2, 1, 0], np.int64)  # CT-IB-SET-1
START_BOX_MONEY = np.array([1, 2, 3], np.int64)  # CT-IB-SET-1

DIGITS = 5  # CT-AUC-1: a bid is given digit by digit
MOST_BID = 10**DIGITS - 1  # CT-AUC-1
TENS = np.array([1, 10, 100, 1_000, 10_000, 100_000], np.int64)

MOST_TURNS = 10_000  # CT-STALL-1: what max_turns may be
DEFAULT_MOST_TURNS = 300  # CT-STALL-1

COLOUR_NAMES = ("black", "brown", "purple", "beige", "grey")
BROKER_NAMES = ("I", "II", "III")
LEFT_NAMES = ("1st", "2nd", "3rd", "4th")
