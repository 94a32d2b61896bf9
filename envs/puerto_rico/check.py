"""What holds in every state of Puerto Rico that the rules can lead to, for states that come from outside."""

from typing import Any

import numpy as np

from ..core.io.states import broken, columns, while_running
from .state import BASE_PHASES, NEW_BUILDINGS_PHASES_END, Phase
from .tables import (
    ALL_COLONISTS,
    ALL_NOBLES,
    BASE_BUILDINGS,
    BUILDINGS,
    CARGO_SHIPS,
    CHIPS,
    CITY_PLACES,
    COLONISTS,
    COPIES,
    COPIES_FOR_TWO,
    DRAFTED,
    EMPTY,
    FEWER_GOODS,
    FEWER_TILES,
    FIRST_TILE,
    GOODS,
    GOODS_SUPPLY,
    GUEST_HOUSE,
    HOUSE,
    IS_NOBLES,
    IS_VIOLET,
    MOST_ROUNDS,
    NEW_BUILDINGS_END,
    PLANTATIONS,
    QUARRY_TILES,
    ROLES_EACH,
    SHIP_SIZE,
    SLOT_TILES,
    SLOTS,
    WINDROSE,
    Role,
    Tile,
)

OF_A_SEAT = ("goods", "tiles", "workers", "nobles_at", "built", "doubloons", "chips", "noted", "known_forests", "own_forests", "wharf_used")
OF_GOODS = (Phase.KEEP, Phase.SMALL_WHARF)  # phases that have come to a good
OF_A_PLACE = (Phase.PLACE, Phase.PLACE_NOBLES)
# The phases of each role; in all others no role is played, or it is not known yet which.
OF_A_ROLE = {
    Role.SETTLER: (Phase.HACIENDA, Phase.PICK, Phase.HOSPICE, Phase.LIBRARY, Phase.LODGE, Phase.LAY),
    Role.MAYOR: (Phase.PRIVILEGED_MAYOR, Phase.PLACE, Phase.VILLA, Phase.FROM_SHIP, Phase.PLACE_NOBLES, Phase.MAYOR_BEGINS),
    Role.BUILDER: (Phase.BUILD, Phase.UNIVERSITY, Phase.PAY_COLONIST, Phase.PAY_GOOD, Phase.PAY_POINT),
    Role.CRAFTSMAN: (Phase.PRIVILEGED_CRAFTSMAN, Phase.PRODUCTION),
    Role.TRADER: (Phase.TRADE, Phase.LAY),
    Role.CAPTAIN: (Phase.LOAD, Phase.KEEP, Phase.SMALL_WHARF, Phase.CAPTAIN_BEGINS, Phase.STORAGE, Phase.SUPPLIER),
}
WITHOUT_ROLE = (Phase.ROLE, Phase.DRAFT, Phase.FINAL)
SMALL = np.int8  # numbers of a batch in as few bytes as possible: reading them is what takes time
OF_A_BUILDING = (Phase.PAY_COLONIST, Phase.PAY_GOOD, Phase.PAY_POINT, Phase.UNIVERSITY)


def _phases_by_role() -> np.ndarray:
    """Whether a role has a phase: bool (roles and none, phases)."""
    has = np.zeros((len(Role) + 1, len(Phase)), bool)
    for role, phases in OF_A_ROLE.items():
        has[role, list(phases)] = True
    has[: len(Role), Phase.ROLE_TAKEN] = True
    has[EMPTY, list(WITHOUT_ROLE)] = True
    return has


_ROLE_HAS_PHASE = _phases_by_role()


def check_state(states: np.ndarray) -> list[str]:
    """What is impossible in states of one variant whose fields are within their bounds.

    Args:
        states: Records (n,).

    Returns:
        The laws that a state breaks; none if the rules can lead to all of them, as far as this tells.
    """
    s = columns(states)
    players = int(s["players"][0])
    return broken(_pieces(s, players), _buildings(s, players), _places(s, players), _seats(s, players), _turn(s, players))


def _pieces(s: dict[str, np.ndarray], players: int) -> dict[str, Any]:
    nobles = int(s["nobles"][0])
    loads = np.stack([((s["cargo"] == good) * s["load"]).sum(axis=1) for good in range(GOODS)], axis=1)
    tiles = s["tiles"].sum(axis=1)
    people, of_them_nobles = _total(s["workers"]), _total(s["nobles_at"]) if nobles else np.zeros(len(s["seat"]), np.int64)
    plantations = s["stack"] + s["discards"] + s["face_up"] + tiles[:, :GOODS] + s["known_forests"].sum(axis=1)
    colonists = s["colonists_left"] + s["ship_colonists"] + people - of_them_nobles
    fewer_goods, fewer_tiles = (FEWER_GOODS, FEWER_TILES) if players == 2 else (0, 0)
    return {
        "goods that the box does not hold": s["goods_left"] + s["goods"].sum(axis=1) + s["house"] + loads != GOODS_SUPPLY - fewer_goods,
        "plantations that the box does not hold": plantations != PLANTATIONS - fewer_tiles,
        "quarries that the box does not hold": s["quarries_left"] + tiles[:, Tile.QUARRY] != QUARRY_TILES - fewer_tiles,
        "colonists that the box does not hold": colonists != (ALL_COLONISTS if nobles else COLONISTS[players] + players),
        "nobles that the box does not hold": s["nobles_left"] + s["ship_nobles"] + of_them_nobles != (ALL_NOBLES if nobles else 0),
        "chips that the box does not hold": s["chips_left"] + s["chips"].sum(axis=1, dtype=np.int64) != CHIPS[players],
        "more in the trading house than it takes": s["house"].sum(axis=1) > HOUSE,
        "a ship with cargo and no load, or the other way round": (s["cargo"] == EMPTY) != (s["load"] == 0),
        "a ship that is overfull": s["load"] > SHIP_SIZE[players],
        "two ships with one good": np.any([(s["cargo"] == good).sum(axis=1) > 1 for good in range(GOODS)], axis=0),
    }


def _buildings(s: dict[str, np.ndarray], players: int) -> dict[str, Any]:
    count = s["buildings_left"] + s["built"].sum(axis=1)
    copies = COPIES_FOR_TWO if players == 2 else COPIES
    kinds = np.arange(BUILDINGS)
    end = BUILDINGS if s["nobles"][0] else NEW_BUILDINGS_END if s["new_buildings"][0] else BASE_BUILDINGS
    possible = (kinds < (NEW_BUILDINGS_END if s["new_buildings"][0] else BASE_BUILDINGS)) | ((IS_NOBLES == 1) & (kinds < end))
    violet = (IS_VIOLET == 1) & (IS_NOBLES == 0)
    drafted = s["phase"] != Phase.DRAFT
    return {
        "buildings that the box does not hold": (count != 0) & (count != copies),
        "buildings of another variant": (count > 0) & ~possible,
        "buildings missing": ((count == 0) & possible & ~violet).any(axis=1) | (drafted & (((count > 0) & violet).sum(axis=1) != DRAFTED)),
    }


def _places(s: dict[str, np.ndarray], players: int) -> dict[str, Any]:
    workers, tiles = s["workers"], s["tiles"]
    settled = s["phase"] != Phase.PLACE_NOBLES  # while nobles are picked out they are still counted at the windrose
    return {
        "more people than slots": (workers[:, :, :FIRST_TILE] > s["built"] * SLOTS.astype(SMALL)).any(axis=(1, 2))
        | (workers[:, :, FIRST_TILE:WINDROSE] > tiles[:, :, :SLOT_TILES]).any(axis=(1, 2)),
        "more nobles than people": (s["nobles_at"] > workers).any(axis=(1, 2)) & settled,
        "forests of no kind": s["known_forests"].sum(axis=2) + s["own_forests"].sum(axis=2) != tiles[:, :, Tile.FOREST],
        "forests that the stacks never held": s["own_forests"].sum(axis=1) > s["stack"],
        "island places that do not add up": tiles.sum(axis=2) != s["island"],
        "city places that do not add up": s["built"].astype(np.float32) @ CITY_PLACES.astype(np.float32) != s["city"],
        "people in a variant without nobles": (s["nobles"] == 0) & s["nobles_at"].any(axis=(1, 2)),
        "a ship that is not in the game": s["load"][:, CARGO_SHIPS[players] :].any(axis=1),
    }


def _seats(s: dict[str, np.ndarray], players: int) -> dict[str, Any]:
    beyond = np.any([s[name] >= players for name in ("governor", "active")], axis=0) | (s["role_owner"] >= players).any(axis=1)
    return {
        "a seat beyond the players": beyond,
        "more turns than players": (s["turns"] > players) | (s["idle"] > players),
        "a drawn tile of a seat that nobody takes": s["drawn"][:, players:] != EMPTY,
        **{f"{name} of a seat that nobody takes": s[name][:, players:].any() for name in OF_A_SEAT},
    }


def _turn(s: dict[str, np.ndarray], players: int) -> dict[str, Any]:
    """Phase, seat and what is in hand agree, in games that go on."""
    phase, seat, rows = s["phase"], s["seat"], np.arange(len(s["seat"]))
    end = len(Phase) if s["nobles"].any() else NEW_BUILDINGS_PHASES_END if s["new_buildings"].any() else BASE_PHASES
    of_goods, of_a_building = np.isin(phase, OF_GOODS), np.isin(phase, OF_A_BUILDING)
    of_a_place = np.isin(phase, OF_A_PLACE)
    of_a_role = ~np.isin(phase, (Phase.ROLE, Phase.DRAFT, Phase.FINAL))
    guests = s["workers"][rows, seat, GUEST_HOUSE]
    taken = (s["role_owner"] != EMPTY).sum(axis=1)
    is_slot = (s["place"] != EMPTY) & (s["place"] < WINDROSE)
    laws = {
        "a phase of another variant": phase >= end,
        "a phase of another role": ~_ROLE_HAS_PHASE[s["role"], phase],
        "a place at another time": (s["place"] != EMPTY) & ~of_a_place & ~np.isin(phase, (Phase.HOSPICE, Phase.PAY_COLONIST)),
        "a ship without a choice": (phase == Phase.FROM_SHIP) & ((s["ship_nobles"] == 0) | (s["ship_colonists"] == 0)),
        "a draft after the first round": (phase == Phase.DRAFT) & ((s["rounds"] > 0) | (s["picks"] > 0)),
        "a role taken by another seat": (phase == Phase.ROLE) & (seat != s["active"]),
        "a draft that nobody plays": (phase == Phase.DRAFT) & ((s["new_buildings"] == 0) | (s["draft"] != 0)),
        "a good that does not exist": of_goods & ((s["good"] == EMPTY) | (s["good"] == GOODS)),
        "a place that does not exist": of_a_place & (~is_slot | (_slots(s, rows, seat) == 0)),
        "places that are filled out of order": of_a_place & _is_ahead_wrong(s, rows, seat),
        "a tile that is not there": (phase == Phase.HOSPICE) & (s["place"] < FIRST_TILE),
        "a tile without room": (phase == Phase.HOSPICE) & is_slot & (s["workers"][rows, seat, s["place"]] >= _slots(s, rows, seat)),
        "a building that nobody builds": of_a_building & (s["pending"] == EMPTY),
        "a tile that nobody drew": (phase == Phase.LAY) & (s["drawn"][rows, seat] == EMPTY),
        "a role that nobody took": of_a_role & ((s["role"] == EMPTY) | (s["role_owner"][rows, s["role"]] != s["active"])),
        "roles that do not add up": (phase != Phase.FINAL) & (taken != s["picks"] + (s["role"] != EMPTY)),
        "more roles taken than a round has": s["picks"] >= players * ROLES_EACH[players],
        "a role taken out of turn": (phase != Phase.DRAFT) & (s["active"] != (s["governor"] + s["picks"]) % players),
        "a guest without a guest house": (s["guest_to"] != EMPTY) & ((guests == 0) | (s["guest_to"] >= WINDROSE)),
        "a game that should have ended": s["rounds"] >= MOST_ROUNDS,
    }
    return while_running(s, laws)


def _total(by_seat_and_place: np.ndarray) -> np.ndarray:
    return by_seat_and_place.reshape(len(by_seat_and_place), -1).sum(axis=1, dtype=np.int64)


def _is_ahead_wrong(s: dict[str, np.ndarray], rows: np.ndarray, seat: np.ndarray) -> np.ndarray:
    """While colonists are placed, nobody works at later places yet, and `amount` is the room there."""
    slots = np.concatenate([s["built"][rows, seat] * SLOTS.astype(SMALL), s["tiles"][rows, seat, :SLOT_TILES]], axis=1)
    ahead = np.arange(WINDROSE) > s["place"][:, None]
    workers = s["workers"][rows, seat, :WINDROSE]
    here = s["workers"][rows, seat, s["place"]] * (s["phase"] == Phase.PLACE)
    return ((slots * ahead).sum(axis=1) != s["amount"]) | (workers * ahead).any(axis=1) | (here > 0)


def _slots(s: dict[str, np.ndarray], rows: np.ndarray, seat: np.ndarray) -> np.ndarray:
    """How many can work at `place`, for the seat to move."""
    place = s["place"].astype(np.int64)
    tile = np.clip(place - FIRST_TILE, 0, SLOT_TILES - 1)
    building = np.clip(place, 0, BUILDINGS - 1)
    return np.where(place >= FIRST_TILE, s["tiles"][rows, seat, tile], s["built"][rows, seat, building] * SLOTS[building])
