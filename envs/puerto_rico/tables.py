"""Components, prices and limits of Puerto Rico, the clause beside every number."""

from enum import IntEnum

import numpy as np


class Good(IntEnum):
    """The goods: the index of every array over goods, and of their plantations in `Tile`."""

    CORN = 0
    INDIGO = 1
    SUGAR = 2
    TOBACCO = 3
    COFFEE = 4


class Tile(IntEnum):
    """Island tiles. The first five are the plantations of the goods."""

    CORN = 0
    INDIGO = 1
    SUGAR = 2
    TOBACCO = 3
    COFFEE = 4
    QUARRY = 5
    FOREST = 6


class Role(IntEnum):
    """The role cards."""

    SETTLER = 0
    MAYOR = 1
    BUILDER = 2
    CRAFTSMAN = 3
    TRADER = 4
    CAPTAIN = 5
    PROSPECTOR = 6
    SECOND_PROSPECTOR = 7


class Building(IntEnum):
    """The buildings of the base game, then those of New Buildings and of Nobles."""

    SMALL_INDIGO_PLANT = 0
    SMALL_SUGAR_MILL = 1
    INDIGO_PLANT = 2
    SUGAR_MILL = 3
    TOBACCO_STORAGE = 4
    COFFEE_ROASTER = 5
    SMALL_MARKET = 6
    HACIENDA = 7
    CONSTRUCTION_HUT = 8
    SMALL_WAREHOUSE = 9
    HOSPICE = 10
    OFFICE = 11
    LARGE_MARKET = 12
    LARGE_WAREHOUSE = 13
    FACTORY = 14
    UNIVERSITY = 15
    HARBOUR = 16
    WHARF = 17
    GUILD_HALL = 18
    RESIDENCE = 19
    FORTRESS = 20
    CUSTOMS_HOUSE = 21
    CITY_HALL = 22
    # New Buildings
    AQUEDUCT = 23
    FOREST_HOUSE = 24
    BLACK_MARKET = 25
    STOREHOUSE = 26
    GUEST_HOUSE = 27
    TRADING_POST = 28
    CHURCH = 29
    SMALL_WHARF = 30
    LIGHTHOUSE = 31
    SPECIALTY_FACTORY = 32
    LIBRARY = 33
    UNION_HALL = 34
    STATUE = 35
    CLOISTER = 36
    # Nobles
    LAND_OFFICE = 37
    CHAPEL = 38
    HUNTING_LODGE = 39
    ZONING_OFFICE = 40
    ROYAL_SUPPLIER = 41
    VILLA = 42
    JEWELLER = 43
    ROYAL_GARDEN = 44


MIN_PLAYERS, MAX_PLAYERS = 2, 5
GOODS = len(Good)
TILES = len(Tile)
ROLES = len(Role)
BUILDINGS = len(Building)
BASE_BUILDINGS = int(Building.AQUEDUCT)
NEW_BUILDINGS_END = int(Building.LAND_OFFICE)
SHIPS = 3
EMPTY = -1  # no good on a ship, nobody's role, nothing pending

# Enum members that kernels hand on as numbers.
CORN, INDIGO = int(Good.CORN), int(Good.INDIGO)
QUARRY, FOREST = int(Tile.QUARRY), int(Tile.FOREST)
GUEST_HOUSE = int(Building.GUEST_HOUSE)
FIRST_PROSPECTOR = int(Role.PROSPECTOR)

# Places where a colonist can be: the buildings by their number, then the tiles that have a slot, then the windrose.
FIRST_TILE = BUILDINGS
SLOT_TILES = 6  # a forest has no slot (PR-NB-FOREST-HOUSE)
QUARRIES = FIRST_TILE + int(Tile.QUARRY)
WINDROSE = FIRST_TILE + SLOT_TILES
PLACES = WINDROSE + 1

ISLAND, CITY = 12, 12  # PR-SET-4

# Setup numbers, by the number of players; the columns below 2 are never read.
START_DOUBLOONS = np.array([0, 0, 3, 2, 3, 4], np.int64)
CHIPS = np.array([0, 0, 65, 75, 100, 122], np.int64)
COLONISTS = np.array([0, 0, 40, 55, 75, 95], np.int64)  # in the supply; besides one a player on the ship
SHIP_SIZE = np.array([[0, 0, 0], [0, 0, 0], [4, 6, 0], [4, 5, 6], [5, 6, 7], [6, 7, 8]], np.int64)
CARGO_SHIPS = np.array([0, 0, 2, 3, 3, 3], np.int64)
PROSPECTORS = np.array([0, 0, 1, 0, 1, 2], np.int64)
FIRST_INDIGO = np.array([0, 0, 1, 2, 2, 3], np.int64)  # seats that begin with indigo; the rest with corn
ROLES_EACH = np.array([0, 0, 3, 1, 1, 1], np.int64)  # PR-RND-1
LARGEST_SHIP = 8

ALL_COLONISTS = 100  # PR-NO-1
ALL_NOBLES = 20  # PR-NO-1

GOODS_SUPPLY = np.array([10, 11, 11, 9, 9], np.int64)  # PR-SET-1
PLANTATIONS = np.array([10, 12, 11, 9, 8], np.int64)  # PR-SET-1
QUARRY_TILES = 8  # PR-SET-1
FEWER_TILES, FEWER_GOODS = 3, 2  # PR-SET-2: of each kind, with two players
HOUSE = 4  # PR-SET-3: places of the trading house
PRICE = np.array([0, 1, 2, 3, 4], np.int64)  # PR-SET-3

# The buildings: cost, victory points, column, slots, copies (the tables of RULES.md)
_B = Building
_TABLE = {
    _B.SMALL_INDIGO_PLANT: (1, 1, 1, 1, 4),
    _B.SMALL_SUGAR_MILL: (2, 1, 1, 1, 4),
    _B.INDIGO_PLANT: (3, 2, 2, 3, 3),
    _B.SUGAR_MILL: (4, 2, 2, 3, 3),
    _B.TOBACCO_STORAGE: (5, 3, 3, 3, 3),
    _B.COFFEE_ROASTER: (6, 3, 3, 2, 3),
    _B.SMALL_MARKET: (1, 1, 1, 1, 2),
    _B.HACIENDA: (2, 1, 1, 1, 2),
    _B.CONSTRUCTION_HUT: (2, 1, 1, 1, 2),
    _B.SMALL_WAREHOUSE: (3, 1, 1, 1, 2),
    _B.HOSPICE: (4, 2, 2, 1, 2),
    _B.OFFICE: (5, 2, 2, 1, 2),
    _B.LARGE_MARKET: (5, 2, 2, 1, 2),
    _B.LARGE_WAREHOUSE: (6, 2, 2, 1, 2),
    _B.FACTORY: (7, 3, 3, 1, 2),
    _B.UNIVERSITY: (8, 3, 3, 1, 2),
    _B.HARBOUR: (8, 3, 3, 1, 2),
    _B.WHARF: (9, 3, 3, 1, 2),
    _B.GUILD_HALL: (10, 4, 4, 1, 1),
    _B.RESIDENCE: (10, 4, 4, 1, 1),
    _B.FORTRESS: (10, 4, 4, 1, 1),
    _B.CUSTOMS_HOUSE: (10, 4, 4, 1, 1),
    _B.CITY_HALL: (10, 4, 4, 1, 1),
    _B.AQUEDUCT: (1, 1, 1, 1, 2),
    _B.FOREST_HOUSE: (2, 1, 1, 1, 2),
    _B.BLACK_MARKET: (2, 1, 1, 1, 2),
    _B.STOREHOUSE: (3, 1, 1, 1, 2),
    _B.GUEST_HOUSE: (4, 2, 2, 2, 2),
    _B.TRADING_POST: (5, 2, 2, 1, 2),
    _B.CHURCH: (5, 2, 2, 1, 2),
    _B.SMALL_WHARF: (6, 2, 2, 1, 2),
    _B.LIGHTHOUSE: (7, 3, 3, 1, 2),
    _B.SPECIALTY_FACTORY: (8, 3, 3, 1, 2),
    _B.LIBRARY: (8, 3, 3, 1, 2),
    _B.UNION_HALL: (9, 3, 3, 1, 2),
    _B.STATUE: (10, 8, 4, 0, 1),
    _B.CLOISTER: (10, 4, 4, 1, 1),
    _B.LAND_OFFICE: (2, 1, 1, 1, 2),
    _B.CHAPEL: (3, 1, 1, 1, 2),
    _B.HUNTING_LODGE: (4, 2, 2, 1, 2),
    _B.ZONING_OFFICE: (5, 2, 2, 1, 2),
    _B.ROYAL_SUPPLIER: (6, 2, 2, 1, 2),
    _B.VILLA: (7, 3, 3, 1, 2),
    _B.JEWELLER: (8, 3, 3, 1, 2),
    _B.ROYAL_GARDEN: (10, 4, 4, 1, 1),
}
_ROWS = np.array([_TABLE[b] for b in Building], np.int64)
COST, POINTS, COLUMN, SLOTS, COPIES = (np.ascontiguousarray(_ROWS[:, i]) for i in range(5))

LARGE_COLUMN = 4  # large buildings are those of column 4, on 2 city places
IS_LARGE = (COLUMN == LARGE_COLUMN).astype(np.int64)
CITY_PLACES = 1 + IS_LARGE
IS_PRODUCTION = np.array([b <= _B.COFFEE_ROASTER or b == _B.JEWELLER for b in Building], np.int64)  # PR-NO-JEWELLER
IS_VIOLET = 1 - IS_PRODUCTION
IS_NOBLES = np.array([b >= _B.LAND_OFFICE for b in Building], np.int64)
COPIES_FOR_TWO = np.where(IS_PRODUCTION == 1, 2, 1)  # PR-SET-2, PR-NO-3

# PR-NB-DRAFT-1: places of the board by cost; index 10 is the large buildings
DRAFT_PLACES = np.array([0, 1, 2, 1, 1, 2, 1, 1, 2, 1, 5], np.int64)
DRAFTED = int(DRAFT_PLACES.sum())

# The plants of each good: the small one, the large one (corn has none).
SMALL_PLANT = np.array([EMPTY, _B.SMALL_INDIGO_PLANT, _B.SMALL_SUGAR_MILL, EMPTY, EMPTY], np.int64)
LARGE_PLANT = np.array([EMPTY, _B.INDIGO_PLANT, _B.SUGAR_MILL, _B.TOBACCO_STORAGE, _B.COFFEE_ROASTER], np.int64)

FACTORY_DOUBLOONS = np.array([0, 0, 1, 2, 3, 5], np.int64)  # PR-B-FACTORY, by kinds produced
SMALL_MARKET_DOUBLOONS, LARGE_MARKET_DOUBLOONS = 1, 2  # PR-B-SMALL-MARKET, PR-B-LARGE-MARKET
SMALL_WAREHOUSE_KINDS, LARGE_WAREHOUSE_KINDS = 1, 2  # PR-B-SMALL-WAREHOUSE, PR-B-LARGE-WAREHOUSE
WINDROSE_GOODS = 1  # PR-CAPTAIN-4
STOREHOUSE_GOODS = 3  # PR-NB-STOREHOUSE
HARBOUR_POINTS = 1  # PR-B-HARBOUR
LIGHTHOUSE_DOUBLOONS = 1  # PR-NB-LIGHTHOUSE
GOODS_FOR_A_POINT = 2  # PR-NB-SMALL-WHARF, PR-NB-UNION-HALL
FORESTS_FOR_A_DOUBLOON = 2  # PR-NB-FOREST-HOUSE
CHURCH_POINTS = np.array([0, 0, 1, 1, 2], np.int64)  # PR-NB-CHURCH, by column
LAND_PRICE = 1  # PR-NO-LAND-OFFICE
CHAPEL_DOUBLOONS, CHAPEL_POINTS = 1, 1  # PR-NO-CHAPEL
LODGE_POINTS = 2  # PR-NO-HUNTING-LODGE
ZONING_SMALL, ZONING_LARGE = 1, 2  # PR-NO-ZONING-OFFICE
PROSPECTOR_DOUBLOONS = 1  # PR-PROSPECTOR-1

SMALL_PLANT_POINTS, LARGE_PLANT_POINTS = 1, 2  # PR-B-GUILD-HALL
RESIDENCE_POINTS = np.array([4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6, 7], np.int64)  # PR-B-RESIDENCE, by tiles
FORTRESS_COLONISTS = 3  # PR-B-FORTRESS
CUSTOMS_POINTS = 4  # PR-B-CUSTOMS-HOUSE
CLOISTER_SET = 3  # PR-NB-CLOISTER
CLOISTER_POINTS = np.array([0, 1, 3, 6, 10], np.int64)  # PR-NB-CLOISTER, by sets

MOST_ROUNDS = 400  # PR-STALL-1

GOOD_NAMES = tuple(good.name.lower() for good in Good)
TILE_NAMES = tuple(tile.name.lower() for tile in Tile)
ROLE_NAMES = tuple(role.name.lower().replace("_", " ") for role in Role)
BUILDING_NAMES = tuple(building.name.lower().replace("_", " ") for building in Building)
PLACE_NAMES = (*BUILDING_NAMES, *(f"{name} plantations" for name in TILE_NAMES[:GOODS]), "quarries", "windrose")
