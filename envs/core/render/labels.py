"""Labels that every game's text board and SVG use."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..spec.fields import HIDDEN, Status


def amount(number: Any) -> str:
    return "?" if number == HIDDEN else str(number)


def player(seat: Any, viewer: int) -> str:
    return f"player_{seat} (you)" if seat == viewer else f"player_{seat}"


def listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def winners(standings: Iterable[Any], viewer: int) -> str:
    """Who wins: 'player_2 wins', or 'player_0 (you) and player_3 share the win'.

    Args:
        standings: One row per player, with its `seat` and `rank`.
        viewer: The seat that is called 'you'.
    """
    names = [player(row.seat, viewer) for row in standings if row.rank == 1]
    return f"{listed(names)} {'wins' if len(names) == 1 else 'share the win'}"


def is_over(view: Any) -> bool:
    return view.status != Status.RUNNING
