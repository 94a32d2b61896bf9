"""The weights of each style, in victory points unless stated otherwise."""

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from tradewinds.envs.puerto_rico.tables import BUILDINGS, Building


class W(IntEnum):
    """The columns of a row of weights. The first ones, by building, say what it brings if it is at work for a whole game."""

    # Time
    ROUNDS_BY_CITY = BUILDINGS  # rounds for an empty city place of the fullest city
    ROUNDS_BY_PEOPLE = BUILDINGS + 1  # rounds for a colonist of the supply, by the number of players
    ROUNDS_BY_CHIPS = BUILDINGS + 2  # ... for a chip
    # Money and goods
    MONEY_EARLY = BUILDINGS + 3  # a doubloon at the start, on top of the following
    MONEY_LATE = BUILDINGS + 4  # a doubloon while it can still be spent
    SHIP = BUILDINGS + 5  # a good, for its shipping
    SALE = BUILDINGS + 6  # the share of its price that the first good of a kind is likely to bring
    CRAFTS = BUILDINGS + 7  # production phases per round
    STORED = BUILDINGS + 8  # a good that is kept after the captain
    # Land and people
    MATCHED = BUILDINGS + 9  # the share of a pair that a tile is worth when a plant waits for it, or the other way round
    HOPED = BUILDINGS + 10  # ... when there is no partner yet
    CORN = BUILDINGS + 11  # ... of a corn plantation
    QUARRY = BUILDINGS + 12  # the first quarry, for a whole game
    QUARRY_LESS = BUILDINGS + 13  # how much less each further one
    NEW_KIND = BUILDINGS + 14  # a kind of good not made yet, for a whole game
    FOREST = BUILDINGS + 15  # a forest, for a whole game
    SLOT = BUILDINGS + 16  # any occupied slot
    # Buildings
    MANNED = BUILDINGS + 17  # how much of a large building's bonus to count on
    BONUS_GROWTH = BUILDINGS + 18  # how much the bonus of a large building grows per round
    PLACE = BUILDINGS + 19  # a city place, the more the fuller the city is
    END = BUILDINGS + 20  # to end the game, for each point of lead
    # Roles
    RIVALS = BUILDINGS + 21  # the mean gain of the others counts as a loss
    COLONIST = BUILDINGS + 22  # a colonist for an empty slot, for a whole game
    TILE = BUILDINGS + 23  # a tile for somebody else, for a whole game
    PURCHASE = BUILDINGS + 24  # a rival's building, for each doubloon it can spend
    PRODUCE = BUILDINGS + 25  # how much of the goods' worth a craftsman can count on
    LATER = BUILDINGS + 26  # how much of a phase it is to come later than first
    ANYWAY_SETTLER = BUILDINGS + 27  # how likely somebody else takes the role, if there is one more pick for each role
    ANYWAY_MAYOR = BUILDINGS + 28
    ANYWAY_BUILDER = BUILDINGS + 29
    ANYWAY_CRAFTSMAN = BUILDINGS + 30
    ANYWAY_TRADER = BUILDINGS + 31
    ANYWAY_CAPTAIN = BUILDINGS + 32
    LOST = BUILDINGS + 33  # a good that I lose after the captain
    CARD = BUILDINGS + 34  # a doubloon on a card, which nobody else will have: a factor on its worth
    NEXT_SEAT = BUILDINGS + 35  # after the craftsman the next player may be first to ship or to sell: a share of its goods
    # A constant per role on top of its computed worth, and another that fades during the game
    SETTLER = BUILDINGS + 36
    MAYOR = BUILDINGS + 37
    BUILDER = BUILDINGS + 38
    CRAFTSMAN = BUILDINGS + 39
    TRADER = BUILDINGS + 40
    CAPTAIN = BUILDINGS + 41
    SETTLER_EARLY = BUILDINGS + 42
    MAYOR_EARLY = BUILDINGS + 43
    BUILDER_EARLY = BUILDINGS + 44
    CRAFTSMAN_EARLY = BUILDINGS + 45
    TRADER_EARLY = BUILDINGS + 46
    CAPTAIN_EARLY = BUILDINGS + 47
    ANYWAY_CARD = BUILDINGS + 48  # how much likelier somebody takes a role for each doubloon on it
    RIVALS_OF_TWO = BUILDINGS + 49  # RIVALS with two players
    CROWD = BUILDINGS + 50  # how much less likely a sale is for each rival who grows the good too


WEIGHTS = BUILDINGS + len(W)
_B = Building

BALANCED: dict[IntEnum, float] = {
    # Plants: a factor on what their pairs are worth
    _B.SMALL_INDIGO_PLANT: 1.11,
    _B.SMALL_SUGAR_MILL: 1.03,
    _B.INDIGO_PLANT: 0.74,
    _B.SUGAR_MILL: 1.01,
    _B.TOBACCO_STORAGE: 0.99,
    _B.COFFEE_ROASTER: 1.3,
    # Violet ones
    _B.SMALL_MARKET: 2.74,
    _B.HACIENDA: 1.77,
    _B.CONSTRUCTION_HUT: 2.49,
    _B.SMALL_WAREHOUSE: 4.1,
    _B.HOSPICE: 0.0,
    _B.OFFICE: 1.21,
    _B.LARGE_MARKET: 3.1,
    _B.LARGE_WAREHOUSE: 3.5,
    _B.FACTORY: 11.8,
    _B.UNIVERSITY: 2.88,
    _B.HARBOUR: 7.6,
    _B.WHARF: 7.0,
    # Large buildings: a factor on their bonus
    _B.GUILD_HALL: 1.38,
    _B.RESIDENCE: 0.98,
    _B.FORTRESS: 1.22,
    _B.CUSTOMS_HOUSE: 0.97,
    _B.CITY_HALL: 1.01,
    # New Buildings
    _B.AQUEDUCT: 3.0,
    _B.FOREST_HOUSE: 0.95,
    _B.BLACK_MARKET: 2.03,
    _B.STOREHOUSE: 3.7,
    _B.GUEST_HOUSE: 1.24,
    _B.TRADING_POST: 2.23,
    _B.CHURCH: 4.0,
    _B.SMALL_WHARF: 3.6,
    _B.LIGHTHOUSE: 5.6,
    _B.SPECIALTY_FACTORY: 5.6,
    _B.LIBRARY: 5.3,
    _B.UNION_HALL: 5.4,
    # ... the large ones; the statue has its points alone
    _B.STATUE: 0.0,
    _B.CLOISTER: 1.05,
    # Nobles, the royal garden a factor on its bonus
    _B.LAND_OFFICE: 1.06,
    _B.CHAPEL: 5.4,
    _B.HUNTING_LODGE: 1.34,
    _B.ZONING_OFFICE: 3.8,
    _B.ROYAL_SUPPLIER: 4.0,
    _B.VILLA: 8.5,
    _B.JEWELLER: 7.0,
    _B.ROYAL_GARDEN: 0.94,
    # The rest, as W says
    W.ROUNDS_BY_CITY: 1.17,
    W.ROUNDS_BY_PEOPLE: 0.62,
    W.ROUNDS_BY_CHIPS: 0.6,
    W.MONEY_EARLY: 0.54,
    W.MONEY_LATE: 0.61,
    W.SHIP: 0.46,
    W.SALE: 0.27,
    W.CRAFTS: 0.59,
    W.STORED: 0.43,
    W.MATCHED: 0.52,
    W.HOPED: 0.13,
    W.CORN: 0.72,
    W.QUARRY: 6.4,
    W.QUARRY_LESS: 0.81,
    W.NEW_KIND: 0.59,
    W.FOREST: 0.96,
    W.SLOT: 0.06,
    W.MANNED: 1.41,
    W.BONUS_GROWTH: 0.24,
    W.PLACE: 0.18,
    W.END: 0.26,
    W.RIVALS: 1.06,
    W.COLONIST: 1.88,
    W.TILE: 2.34,
    W.PURCHASE: 0.12,
    W.PRODUCE: 0.58,
    W.LATER: 1.4,
    W.ANYWAY_SETTLER: 1.0,
    W.ANYWAY_MAYOR: 0.56,
    W.ANYWAY_BUILDER: 1.02,
    W.ANYWAY_CRAFTSMAN: 0.8,
    W.ANYWAY_TRADER: 0.9,
    W.ANYWAY_CAPTAIN: 1.06,
    W.LOST: 0.26,
    W.CARD: 2.15,
    W.NEXT_SEAT: 0.05,
    W.SETTLER: -0.23,
    W.MAYOR: 0.21,
    W.BUILDER: -0.11,
    W.CRAFTSMAN: 0.13,
    W.TRADER: 0.03,
    W.CAPTAIN: -0.07,
    W.SETTLER_EARLY: -0.03,
    W.MAYOR_EARLY: 0.2,
    W.BUILDER_EARLY: -0.12,
    W.CRAFTSMAN_EARLY: -0.01,
    W.TRADER_EARLY: -0.15,
    W.CAPTAIN_EARLY: 0.16,
    W.ANYWAY_CARD: 0.04,
    W.RIVALS_OF_TWO: 1.03,
    W.CROWD: 0.1,
}

# Corn and ships: goods are there to be shipped, money is not for quarries.
SHIPPER: dict[IntEnum, float] = {
    W.SHIP: 0.6,
    W.SALE: 0.2,
    W.CORN: 1.0,
    W.QUARRY: 2.5,
    W.PRODUCE: 0.75,
    _B.SMALL_WAREHOUSE: 5.5,
    _B.LARGE_WAREHOUSE: 5.0,
    _B.FACTORY: 6.0,
    _B.HARBOUR: 14.0,
    _B.WHARF: 14.0,
    _B.CUSTOMS_HOUSE: 1.5,
    _B.STOREHOUSE: 5.0,
    _B.SMALL_WHARF: 7.0,
    _B.LIGHTHOUSE: 7.0,
    _B.UNION_HALL: 9.0,
}

# Quarries, sales and a full city: points stand on buildings.
BUILDER: dict[IntEnum, float] = {
    W.SHIP: 0.38,
    W.SALE: 0.4,
    W.QUARRY: 9.0,
    W.QUARRY_LESS: 0.7,
    _B.SMALL_MARKET: 4.0,
    _B.CONSTRUCTION_HUT: 4.5,
    _B.LARGE_MARKET: 5.0,
    _B.FACTORY: 14.0,
    _B.UNIVERSITY: 4.0,
    _B.HARBOUR: 3.0,
    _B.WHARF: 2.0,
    _B.GUILD_HALL: 1.6,
    _B.RESIDENCE: 1.3,
    _B.FORTRESS: 1.4,
    _B.CUSTOMS_HOUSE: 0.6,
    _B.CITY_HALL: 1.3,
}

# Only the immediate gain of an action: goods, doubloons and points, not what they lead to.
GREEDY: dict[IntEnum, float] = {
    W.ROUNDS_BY_CITY: 1.3,
    W.ROUNDS_BY_PEOPLE: 0.75,
    W.ROUNDS_BY_CHIPS: 0.6,
    W.MONEY_LATE: 0.4,
    W.SHIP: 0.3,
    W.SALE: 0.3,
    W.CRAFTS: 0.3,
    W.STORED: 0.3,
    W.MATCHED: 0.5,
    W.HOPED: 0.3,
    W.CORN: 0.5,
    W.QUARRY: 0.5,
    W.SLOT: 0.1,
    W.MANNED: 1.0,
    W.COLONIST: 0.3,
    W.PRODUCE: 1.0,
    W.LATER: 1.0,
    W.CARD: 1.0,
    _B.SMALL_INDIGO_PLANT: 1.0,
    _B.SMALL_SUGAR_MILL: 1.0,
    _B.INDIGO_PLANT: 1.0,
    _B.SUGAR_MILL: 1.0,
    _B.TOBACCO_STORAGE: 1.0,
    _B.COFFEE_ROASTER: 1.0,
    _B.GUILD_HALL: 1.0,
    _B.RESIDENCE: 1.0,
    _B.FORTRESS: 1.0,
    _B.CUSTOMS_HOUSE: 1.0,
    _B.CITY_HALL: 1.0,
    _B.CLOISTER: 1.0,
    _B.ROYAL_GARDEN: 1.0,
}


def row(*layers: Mapping[IntEnum, float]) -> np.ndarray:
    """Weights as kernels take them; later layers go over earlier ones."""
    weights = np.zeros(WEIGHTS)
    for layer in layers:
        for column, value in layer.items():
            weights[column] = value
    return weights
