"""The record of a game of Santiago de Cuba, and who sees what of it (SC-INF-1)."""

from enum import IntEnum

from ..core.spec.fields import Fields, Seen, field
from .tables import (
    BUILDINGS,
    CUBANS,
    DEMANDED_GOODS,
    EMPTY,
    FLOWERS,
    GOODS,
    HIGHEST_DIE,
    HIGHEST_VALUE,
    LOWEST_VALUE,
    MARKERS,
    MAX_PLAYERS,
    MOST_TURNS,
    SHIPS,
    SITES_OF_A_FLOWER,
    STOPS,
    SUPPLY,
)


class Phase(IntEnum):
    """What is decided now."""

    DICE = 0  # SC-NEW-2: which die is put aside
    CAR = 1
    PABLO = 2
    EL_ZORRO = 3
    ALONSO = 4
    PAWN = 5  # SC-BLD-1: which building is entered
    BUILDING = 6
    PORT = 7


class Exchange(IntEnum):
    """What the casino is doing, in a visit of more than one decision."""

    NONE = 0
    BUYING = 1  # points for pesos
    SELLING = 2


# Points can be exchanged for pesos and back without loss, so one bound serves both: in 1,000 turns a seat gains less than 20,000 pesos.
MOST_PESOS = 30_000
MOST_POINTS = 10_000

FIELDS = Fields(
    MAX_PLAYERS,
    (
        field("turn", -1, MOST_TURNS, "turns played; -1 until the first ship is in port"),
        field("active", 0, MAX_PLAYERS - 1, "whose turn it is; before the first turn the player who rolls"),
        field("phase", 0, len(Phase) - 1, "Phase: what is decided now"),
        # The board
        field("street", 0, CUBANS - 1, "the Cuban at each stop after the port", CUBANS),
        field("inactive", 0, 1, "by Cuban: the tile is turned over", CUBANS),
        field("car", 0, STOPS - 1, "the stop the car is at; 0 is the port"),
        field("sites", 0, BUILDINGS - 1, "the building on each site, three sites a flower", FLOWERS * SITES_OF_A_FLOWER),
        field("flower", 0, FLOWERS - 1, "by building: the flower over it (from `sites`)", BUILDINGS),
        field("owner", EMPTY, MAX_PLAYERS - 1, "by building: the seat whose marker lies on it", BUILDINGS),
        field("pawn", EMPTY, BUILDINGS - 1, "by seat: the building its pawn stands in", MAX_PLAYERS),
        field("markers", 0, MARKERS, "by seat: markers not yet placed", MAX_PLAYERS),
        # The port
        field("ship", 1, SHIPS + 1, "the ship track; 8 when the seventh has left"),
        field("in_port", 0, 1, "a ship is in port"),
        field("value", LOWEST_VALUE, HIGHEST_VALUE, "the value marker"),
        field("dice", 0, int(HIGHEST_DIE.max()), "the last roll", DEMANDED_GOODS),
        field("aside", EMPTY, DEMANDED_GOODS - 1, "the die not on the ship"),
        field("demand", 0, int(HIGHEST_DIE.max()), "what the ship still wants of each good", DEMANDED_GOODS),
        field("passed", 0, 1, "by seat: out of this delivery round", MAX_PLAYERS),
        # The building in use
        field("building", EMPTY, BUILDINGS - 1, "the building whose use is decided"),
        field("by_alonso", 0, 1, "it is used through Alonso, not by the pawn"),
        field("exchange", 0, len(Exchange) - 1, "Exchange: the casino's direction, within a visit"),
        # Holdings
        field("supply", 0, SUPPLY, "goods in the supply", GOODS),
        field("goods", 0, SUPPLY, "by seat and good", (MAX_PLAYERS, GOODS), Seen.SCREENED),
        field("pesos", 0, MOST_PESOS, "by seat", MAX_PLAYERS, Seen.SCREENED),
        field("points", 0, MOST_POINTS, "by seat: victory points", MAX_PLAYERS, Seen.SCREENED),
    ),
)
