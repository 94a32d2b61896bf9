"""Components, prices and limits of Santiago de Cuba, the clause beside every number."""

from enum import IntEnum

import numpy as np


class Good(IntEnum):
    """The goods: the index of every array over goods. All but wood have a die."""

    SUGAR = 0
    TOBACCO = 1
    RUM = 2
    CIGARS = 3
    FRUIT = 4
    WOOD = 5


class Cuban(IntEnum):
    """The Cubans; their order along the street differs from game to game."""

    PEDRO = 0
    MIGUEL = 1
    JOSE = 2
    PABLO = 3
    MARIA = 4
    EL_ZORRO = 5
    MARTINEZ = 6
    CONCHITA = 7
    ALONSO = 8


class Building(IntEnum):
    """The buildings; their order on the sites differs from game to game."""

    BANK = 0
    CHURCH = 1
    DISTILLERY = 2
    CIGAR_FACTORY = 3
    BLACK_MARKET = 4
    SAWMILL = 5
    CAFE = 6
    CUSTOMS_OFFICE = 7
    CASINO = 8
    HARBOUR_AUTHORITY = 9
    CONTRACTORS_OFFICE = 10
    NEWSPAPER = 11


class Flower(IntEnum):
    """The flower colours of building sites and Cubans. No site has the transparent one, which is El Zorro's."""

    YELLOW = 0
    BLUE = 1
    RED = 2
    WHITE = 3
    TRANSPARENT = 4


GOODS = len(Good)
DEMANDED_GOODS = 5  # all but wood: these have a die
CUBANS = len(Cuban)
BUILDINGS = len(Building)
FLOWERS = 4  # that grow over building sites
SITES_OF_A_FLOWER = 3  # SC-SET-1
MIN_PLAYERS, MAX_PLAYERS = 2, 4

STOPS = 1 + CUBANS  # SC-SET-2: the port, then the Cubans
PORT = 0  # SC-SET-2
EMPTY = -1  # no pawn on the board, no owner, nothing in use

SUPPLY = 8  # components: pieces of each good
START_PESOS = 3  # SC-SET-3
START_POINTS = 2  # SC-SET-3
START_GOODS = np.array([1, 1, 0, 0, 1, 0], np.int8)  # SC-SET-3: sugar, tobacco and fruit
MARKERS = 3  # SC-SET-3

SHIPS = 7  # SC-SET-4
LOWEST_VALUE, HIGHEST_VALUE = 2, 4  # SC-VAL-1
DICE = np.array(
    [
        [0, 1, 1, 2, 2, 3],  # components: sugar
        [0, 1, 1, 2, 2, 3],  # tobacco
        [0, 1, 1, 2, 2, 3],  # rum
        [0, 1, 1, 2, 2, 3],  # cigars
        [0, 1, 2, 2, 3, 4],  # fruit: a 4 in place of a 1
    ],
    np.int8,
)
HIGHEST_DIE = DICE.max(axis=1)

MOST_STOPS = 40  # SC-CAR-2: four laps, so that three port passes are possible from everywhere

FLOWER_OF_CUBAN = np.array(
    [
        Flower.WHITE,  # Pedro
        Flower.BLUE,  # Miguel
        Flower.YELLOW,  # José
        Flower.RED,  # Pablo
        Flower.RED,  # Maria
        Flower.TRANSPARENT,  # El Zorro
        Flower.YELLOW,  # Martinez
        Flower.BLUE,  # Conchita
        Flower.WHITE,  # Alonso
    ],
    np.int8,
)

CUBAN_GOODS = 2  # SC-CUB-1: Pedro, Miguel, José, Conchita
MARIA_POINTS = 2  # SC-CUB-1
MARTINEZ_PESOS = 3  # SC-CUB-1

BANK_PESOS = 2  # SC-B-BANK
CHURCH_POINTS = 1  # SC-B-CHURCH
SAWMILL_POINTS, SAWMILL_PESOS = 1, 1  # SC-B-SAWMILL
CAFE_POINTS = 2  # SC-B-CAFE
CASINO_PESOS = 3  # SC-B-CASINO
CASINO_AMOUNT = 10  # points per decision; after a full amount the casino asks again, so that any number is possible
OFFICE_POINTS = 2  # SC-B-OFFICE
NEWS_PESOS = 1  # SC-B-NEWS
OWNER_POINTS = 1  # SC-BLD-4
WOOD_POINTS = 1  # SC-PORT-3

GOODS_FOR_A_POINT = 3  # SC-END-2
MOST_TURNS = 1000  # SC-STALL-1

GOOD_NAMES = ("sugar", "tobacco", "rum", "cigars", "fruit", "wood")
CUBAN_NAMES = ("Pedro", "Miguel", "José", "Pablo", "Maria", "El Zorro", "Martinez", "Conchita", "Alonso")
BUILDING_NAMES = (
    "bank",
    "church",
    "distillery",
    "cigar factory",
    "black market",
    "sawmill",
    "café",
    "customs office",
    "casino",
    "harbour authority",
    "contractor's office",
    "newspaper",
)
FLOWER_NAMES = ("yellow", "blue", "red", "white")
