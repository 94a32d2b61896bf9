"""The record of a game of Puerto Rico, and who sees what of it (PR-INF-1)."""

from enum import IntEnum

from ..core.spec.fields import Fields, Seen, field
from .tables import (
    ALL_COLONISTS,
    ALL_NOBLES,
    BUILDINGS,
    CHIPS,
    CITY,
    COPIES,
    EMPTY,
    GOODS,
    GOODS_SUPPLY,
    HOUSE,
    ISLAND,
    LARGEST_SHIP,
    MAX_PLAYERS,
    MOST_ROUNDS,
    PLACES,
    PLANTATIONS,
    QUARRY_TILES,
    ROLES,
    SHIPS,
    TILES,
)


class Phase(IntEnum):
    """What is decided now. A phase without a decision is carried out at once."""

    ROLE = 0
    HACIENDA = 1
    PICK = 2  # the own tile of the settler phase
    HOSPICE = 3
    PRIVILEGED_MAYOR = 4
    PLACE = 5  # how many colonists go to `place`
    BUILD = 6
    UNIVERSITY = 7
    PRIVILEGED_CRAFTSMAN = 8
    TRADE = 9
    LOAD = 10
    KEEP = 11  # how much of `good` is kept
    # New Buildings
    DRAFT = 12
    LAY = 13  # the drawn tile as plantation or forest
    LIBRARY = 14  # the settler's second tile
    PAY_COLONIST = 15  # the black market's three payments
    PAY_GOOD = 16
    PAY_POINT = 17
    SMALL_WHARF = 18  # how much of `good` is shipped
    # ... moments at which only guests may move (PR-NB-GUEST-HOUSE)
    ROLE_TAKEN = 19
    MAYOR_BEGINS = 20
    PRODUCTION = 21
    CAPTAIN_BEGINS = 22
    STORAGE = 23
    FINAL = 24
    # Nobles
    LODGE = 25
    VILLA = 26
    FROM_SHIP = 27
    PLACE_NOBLES = 28  # how many of those at `place` are nobles
    SUPPLIER = 29


BASE_PHASES = int(Phase.DRAFT)
NEW_BUILDINGS_PHASES_END = int(Phase.LODGE)

MOST_DOUBLOONS = 30_000  # a round brings a seat less than 70, and there are at most 400
MOST_POINTS = 1_000  # chips last for 122, and a game ends with the round in which they run out
MOST_PLANTATIONS = int(PLANTATIONS.max())
MOST_GOODS = int(GOODS_SUPPLY.max())

FIELDS = Fields(
    MAX_PLAYERS,
    (
        # Options
        field("new_buildings", 0, 1, "the expansion New Buildings is played"),
        field("nobles", 0, 1, "the expansion Nobles is played"),
        field("draft", 0, 1, "0 the players draft the buildings, 1 chance does"),
        # The round
        field("rounds", 0, MOST_ROUNDS, "rounds played"),
        field("governor", 0, MAX_PLAYERS - 1, "who began this round"),
        field("picks", 0, 6, "roles taken this round"),
        field("active", 0, MAX_PLAYERS - 1, "who took the role now played"),
        field("role", EMPTY, ROLES - 1, "the role now played"),
        field("phase", 0, len(Phase) - 1, "Phase: what is decided now"),
        field("last_round", 0, 1, "the game ends after this round"),
        field("role_owner", EMPTY, MAX_PLAYERS - 1, "by role: the seat that took it this round", ROLES),
        field("role_doubloons", 0, MOST_ROUNDS, "by role", ROLES),
        # The board
        field("buildings_left", 0, int(COPIES.max()), "by building: copies on the board", BUILDINGS),
        field("goods_left", 0, MOST_GOODS, "by good: in the supply", GOODS),
        field("face_up", 0, MAX_PLAYERS + 1, "by plantation: open for the settler phase", GOODS),
        field("stack", 0, MOST_PLANTATIONS, "by plantation: face down, as all can count it: forests drawn in secret included", GOODS),
        field("discards", 0, MOST_PLANTATIONS, "by plantation: discarded", GOODS),
        field("quarries_left", 0, QUARRY_TILES, "in the supply"),
        field("colonists_left", 0, ALL_COLONISTS, "in the supply"),
        field("nobles_left", 0, ALL_NOBLES, "in the supply"),
        field("ship_colonists", 0, ALL_COLONISTS, "on the colonist ship"),
        field("ship_nobles", 0, ALL_NOBLES, "on the colonist ship"),
        field("chips_left", 0, int(CHIPS.max()), "victory points in the supply"),
        field("cargo", EMPTY, GOODS - 1, "by ship: the good it carries", SHIPS),
        field("load", 0, LARGEST_SHIP, "by ship: how much", SHIPS),
        field("house", 0, HOUSE, "by good: in the trading house", GOODS),
        # Holdings
        field("doubloons", 0, MOST_DOUBLOONS, "by seat", MAX_PLAYERS),
        field("chips", 0, int(CHIPS.max()), "by seat: victory point chips", MAX_PLAYERS, Seen.SCREENED),
        field("noted", 0, MOST_POINTS, "by seat: victory points noted down when the chips had run out", MAX_PLAYERS),
        field("goods", 0, MOST_GOODS, "by seat and good", (MAX_PLAYERS, GOODS)),
        field("tiles", 0, ISLAND, "by seat and tile", (MAX_PLAYERS, TILES)),
        field("built", 0, 1, "by seat and building", (MAX_PLAYERS, BUILDINGS)),
        field("island", 0, ISLAND, "by seat: island places in use", MAX_PLAYERS),
        field("city", 0, CITY, "by seat: city places in use", MAX_PLAYERS),
        field("workers", 0, ALL_COLONISTS + ALL_NOBLES, "by seat and place: colonists, nobles included", (MAX_PLAYERS, PLACES)),
        field("nobles_at", 0, ALL_NOBLES, "by seat and place: how many of them are nobles", (MAX_PLAYERS, PLACES)),
        field("known_forests", 0, ISLAND, "by seat and plantation: forests that lay open before", (MAX_PLAYERS, GOODS)),
        field("own_forests", 0, ISLAND, "by seat and plantation: forests drawn in secret", (MAX_PLAYERS, GOODS), Seen.SECRET),
        field("drawn", EMPTY, GOODS - 1, "by seat: the plantation drawn and not yet laid", MAX_PLAYERS, Seen.SECRET),
        # Within a role
        field("place", EMPTY, PLACES - 1, "the place a colonist is put to or taken from"),
        field("guest_to", EMPTY, PLACES - 1, "where a guest goes, while it is decided who"),
        field("good", EMPTY, GOODS, "the good a row of decisions has come to"),
        field("pending", EMPTY, BUILDINGS - 1, "the building being paid or moved into"),
        field("amount", 0, ALL_COLONISTS, "what a row of decisions has come to: paid, shipped, supplied, slots still to come"),
        field("done", 0, 1, "the seat to move has nothing more to do in this phase"),
        field("tile_taken", 0, 1, "the settler's own pick brought a tile"),
        field("quarry_taken", 0, 1, "the seat to move took a quarry this turn"),
        field("second", 0, 1, "the library's second tile is laid"),
        field("privilege", 0, 2, "how often the role's privilege was used"),
        field("made", 0, MOST_GOODS, "by good: what the craftsman produced", GOODS),
        field("sold", 0, 1, "the seat to move has sold"),
        field("land_used", 0, 1, "the seat to move has used the land office"),
        field("turns", 0, MAX_PLAYERS, "seats that had their first turn in this phase"),
        field("idle", 0, MAX_PLAYERS, "turns since the last loading"),
        field("wharf_used", 0, 1, "by seat", MAX_PLAYERS),
        field("small_wharf_used", 0, 1, "by seat", MAX_PLAYERS),
    ),
)
