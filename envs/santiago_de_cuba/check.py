"""What holds in every state of Santiago de Cuba that the rules can lead to, for states that come from outside."""

from typing import Any

import numpy as np

from ..core.io.states import broken, columns, while_running
from .state import Exchange, Phase
from .tables import (
    BUILDINGS,
    CUBANS,
    DICE,
    EMPTY,
    FLOWERS,
    HIGHEST_DIE,
    MARKERS,
    MOST_TURNS,
    PORT,
    SHIPS,
    SITES_OF_A_FLOWER,
    SUPPLY,
    Building,
    Cuban,
)

OF_ALL = (1 << CUBANS) - 1, (1 << BUILDINGS) - 1
CUBAN_OF_PHASE = {Phase.PABLO: Cuban.PABLO, Phase.EL_ZORRO: Cuban.EL_ZORRO, Phase.ALONSO: Cuban.ALONSO}


def check_state(states: np.ndarray) -> list[str]:
    """What is impossible in states of one variant whose fields are within their bounds.

    Args:
        states: Records (n,).

    Returns:
        The laws that a state breaks; none if the rules can lead to all of them, as far as this tells.
    """
    s = columns(states)
    players = int(s["players"][0])
    return broken(_pieces(s, players), _seats(s, players), _turn(s))


def _pieces(s: dict[str, np.ndarray], players: int) -> dict[str, Any]:
    pawns = np.sort(s["pawn"], axis=1)
    at = np.arange(BUILDINGS) // SITES_OF_A_FLOWER
    placed = np.stack([(s["owner"] == seat).sum(axis=1) for seat in range(players)], axis=1)
    wants = s["demand"].sum(axis=1)
    return {
        "goods that the box does not hold": s["goods"].sum(axis=1) + s["supply"] != SUPPLY,
        "markers that the box does not hold": placed + s["markers"][:, :players] != MARKERS,
        "a Cuban twice on the street": np.bitwise_or.reduce(1 << s["street"].astype(np.int64), axis=1) != OF_ALL[0],
        "a building on two sites": np.bitwise_or.reduce(1 << s["sites"].astype(np.int64), axis=1) != OF_ALL[1],
        "a building under another flower": np.take_along_axis(s["flower"], s["sites"].astype(np.int64), axis=1) != at,
        "two pawns in one building": (pawns[:, 1:] == pawns[:, :-1]) & (pawns[:, 1:] != EMPTY),
        "a die without such a face": ~(s["dice"][:, :, None] == DICE[None]).any(axis=2),
        "more demand than a die shows": s["demand"] > HIGHEST_DIE,
        "demand for the die put aside": (s["aside"] != EMPTY) & (np.take_along_axis(s["demand"], _column(s["aside"]), axis=1)[:, 0] > 0),
        "demand without a ship, or a ship that wants nothing": (s["in_port"] == 1) != (wants > 0),
        "flowers that do not exist": s["flower"] >= FLOWERS,
    }


def _seats(s: dict[str, np.ndarray], players: int) -> dict[str, Any]:
    """Nothing belongs to a seat that nobody takes."""
    return {
        "a seat beyond the players": (s["active"] >= players) | (s["owner"] >= players).any(axis=1),
        "a pawn of a seat that nobody takes": s["pawn"][:, players:] != EMPTY,
        **{f"{name} of a seat that nobody takes": s[name][:, players:] != 0 for name in ("goods", "pesos", "points", "markers", "passed")},
    }


def _turn(s: dict[str, np.ndarray]) -> dict[str, Any]:
    """Phase, seat and board agree, in games that go on."""
    phase, seat, active = s["phase"], s["seat"], s["active"]
    rows = np.arange(len(s["seat"]))
    met = np.where(s["car"] == PORT, -1, s["street"][rows, s["car"] - 1])
    uses = phase == Phase.BUILDING
    owned = s["owner"][rows, s["building"]] == active
    stands = s["pawn"][rows, active] == s["building"]
    delivers = phase == Phase.PORT
    laws = {
        "the turn of another seat": (seat != active) & (phase != Phase.EL_ZORRO) & ~delivers,
        "a gift to oneself": (seat == active) & (phase == Phase.EL_ZORRO),
        "a roll with a ship in port": (phase == Phase.DICE) & ((s["in_port"] == 1) | (s["dice"] == 0).all(axis=1)),
        "a turn without a ship": (phase == Phase.CAR) & (s["in_port"] == 0),
        "a Cuban whom the car does not visit": np.any([(phase == p) & (met != cuban) for p, cuban in CUBAN_OF_PHASE.items()], axis=0),
        "a pawn that moves while the car is in port": (phase == Phase.PAWN) & (s["car"] == PORT),
        "a building in use at another time": uses != (s["building"] != EMPTY),
        "a building used by another": uses & ~np.where(s["by_alonso"] == 1, owned, stands),
        "Alonso without a building": ~uses & (s["by_alonso"] == 1),
        "an exchange outside the casino": (s["exchange"] != Exchange.NONE) & (s["building"] != Building.CASINO),
        "a delivery without a ship": delivers & ((s["in_port"] == 0) | (s["car"] != PORT)),
        "a delivery by a seat that has passed": delivers & (s["passed"][rows, seat] == 1),
        "a seat that has passed without a delivery": ~delivers & s["passed"].any(axis=1),
        "a game that should have ended": (s["turn"] >= MOST_TURNS) | (s["ship"] > SHIPS),
        "a ship before the first turn": (s["turn"] < 0) & (phase != Phase.DICE),
    }
    return while_running(s, laws)


def _column(indices: np.ndarray) -> np.ndarray:
    return np.maximum(indices, 0).astype(np.int64)[:, None]
