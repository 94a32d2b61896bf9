"""Layout of the scratch memory that `rate` is given: numbers worked out once per decision."""

from enum import IntEnum

import numpy as np

from tradewinds.envs.puerto_rico.tables import BUILDINGS, GOODS, MAX_PLAYERS, SHIPS, Building, Good


class Driver(IntEnum):
    """What the use of a building depends on."""

    ALWAYS = 0
    TRADE = 1  # kinds worth selling
    ISLAND = 2  # empty island places
    QUARRIES = 3  # quarries that can still come
    GOODS = 4  # goods made
    FACTORY = 5  # kinds made
    CITY = 6  # empty city places
    SPECIALTY = 7  # the most of one kind
    AQUEDUCT = 8  # large indigo and sugar plants
    NOBLES = 9
    SUPPLIES = 10  # nobles that have a kind to hand in
    # The plants of goods, then the large buildings: worked out for each by itself.
    SMALL_INDIGO_PLANT = 11
    SMALL_SUGAR_MILL = 12
    INDIGO_PLANT = 13
    SUGAR_MILL = 14
    TOBACCO_STORAGE = 15
    COFFEE_ROASTER = 16
    GUILD_HALL = 17
    RESIDENCE = 18
    FORTRESS = 19
    CUSTOMS_HOUSE = 20
    CITY_HALL = 21
    CLOISTER = 22
    ROYAL_GARDEN = 23


_B = Building
_OF = {
    Driver.TRADE: [_B.SMALL_MARKET, _B.OFFICE, _B.LARGE_MARKET, _B.TRADING_POST],
    Driver.ISLAND: [_B.HACIENDA, _B.HOSPICE, _B.FOREST_HOUSE, _B.LAND_OFFICE, _B.HUNTING_LODGE],
    Driver.QUARRIES: [_B.CONSTRUCTION_HUT],
    Driver.GOODS: [
        _B.SMALL_WAREHOUSE,
        _B.LARGE_WAREHOUSE,
        _B.STOREHOUSE,
        _B.HARBOUR,
        _B.WHARF,
        _B.SMALL_WHARF,
        _B.LIGHTHOUSE,
        _B.UNION_HALL,
    ],
    Driver.FACTORY: [_B.FACTORY],
    Driver.CITY: [_B.UNIVERSITY, _B.CHURCH, _B.ZONING_OFFICE, _B.BLACK_MARKET],
    Driver.SPECIALTY: [_B.SPECIALTY_FACTORY],
    Driver.AQUEDUCT: [_B.AQUEDUCT],
    Driver.NOBLES: [_B.JEWELLER],
    Driver.SUPPLIES: [_B.ROYAL_SUPPLIER],
    **{driver: [Building[driver.name]] for driver in Driver if driver >= Driver.SMALL_INDIGO_PLANT},
}
DRIVER_OF = np.full(BUILDINGS, int(Driver.ALWAYS), np.int64)
for _driver, _buildings in _OF.items():
    DRIVER_OF[_buildings] = _driver

# The plants have the lowest numbers of all buildings.
PLANTS = int(_B.COFFEE_ROASTER) + 1
GOOD_OF = np.array([Good.INDIGO, Good.SUGAR, Good.INDIGO, Good.SUGAR, Good.TOBACCO, Good.COFFEE], np.int64)
FIRST_LARGE = int(_B.GUILD_HALL)

# Single numbers
LEFT = 0  # rounds to come
STAGE = 1  # ... as a share of a whole game: 1 at the start, 0 at the end
MONEY = 2  # a doubloon in victory points
MADE = 3  # goods that a craftsman can bring me once all is occupied
KINDS = 4  # ... of how many kinds
MARKET = 5  # doubloons that my markets add to a sale
GOOD = 6  # a good, for its shipping, while there is still time for it
STORE = 7  # ... that is kept after the captain
RIVAL = 8  # the gain of each rival counts so much as a loss

# One for each good
TILES_OF = 9  # my plantations
ROOM_OF = TILES_OF + GOODS  # slots of my plants, for corn my plantations
UNIT = ROOM_OF + GOODS  # one more of it, when I have none yet
PAIR = UNIT + GOODS  # a plantation and its plant at work to the end of the game, the first of its kind
NEXT_PAIR = PAIR + GOODS  # ... any more

DRIVERS = NEXT_PAIR + GOODS

# The simulated captain phase
HOLD = DRIVERS + len(Driver)  # by seat and good
CARRIER = HOLD + MAX_PLAYERS * GOODS  # by good: the ship that carries it, or -1
ROOM = CARRIER + GOODS  # by ship
IS_EMPTY = ROOM + SHIPS  # by ship
SHIPPED = IS_EMPTY + SHIPS  # by seat: points
WHARF_USED = SHIPPED + MAX_PLAYERS  # by seat

# What a role brings to each seat
GAIN = WHARF_USED + MAX_PLAYERS
SUPPLY = GAIN + MAX_PLAYERS  # by good: what is left while seats produce
EMPTY_SLOTS = SUPPLY + GOODS  # by seat
EMPTY_WORTH = EMPTY_SLOTS + MAX_PLAYERS  # ... and what they would be worth with people in them

# Placing: what each slot still to come is worth
SLOT_VALUES = EMPTY_WORTH + MAX_PLAYERS
MOST_SLOTS = 80
END = SLOT_VALUES + MOST_SLOTS

assert END <= 256
