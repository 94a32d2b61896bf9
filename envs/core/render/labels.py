"""Labels that every game's text board and SVG use."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..spec.fields import HIDDEN, Status

LONGEST_NAME = 22  # letters
WIDTH = 80  # of a text board: of every line at most but the one that says what is decided


def amount(number: Any) -> str:
    return "?" if number == HIDDEN else str(number)


def player(seat: Any, viewer: int | None) -> str:
    return f"player_{seat} (you)" if seat == viewer else f"player_{seat}"


def seen_by(viewer: int | None) -> str:
    """Whose view a picture shows; empty for a spectator."""
    return "" if viewer is None else f", seen by player_{viewer}"


def titled(who: str, seat: int, names: Sequence[str]) -> str:
    """A player with the name of the person or agent at that seat, cut to what a heading holds."""
    name = names[seat] if seat < len(names) else ""
    return f"{who} · {name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + '…'}" if name else who


def listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def winners(standings: Iterable[Any], viewer: int | None) -> str:
    """Who wins: 'player_2 wins', or 'player_0 (you) and player_3 share the win'.

    Args:
        standings: One row per player, with its `seat` and `rank`.
        viewer: The seat that is called 'you'.
    """
    names = [player(row.seat, viewer) for row in standings if row.rank == 1]
    return f"{listed(names)} {'wins' if len(names) == 1 else 'share the win'}"


def outcome(view: Any, standings: Sequence[Any], viewer: int | None) -> str:
    """How a finished game ended: 'Game over: player_2 wins with 30 points'.

    Args:
        view: The final position.
        standings: One row per player, the best first, with its `seat`, `rank` and `final` score.
        viewer: The seat that is called 'you'.
    """
    how = "Game cut off" if view.status == Status.TRUNCATED else "Game over"
    return f"{how}: {winners(standings, viewer)} with {standings[0].final} points"


def ranked(view: Any, score: Callable[..., Any]) -> list[tuple[int, int, int]]:
    """Seat, rank and score of every player, the best first; those who tie share a rank and stay in seat order.

    Args:
        view: The final position.
        score: The game's kernel.
    """
    scores, ranks = results = np.zeros((2, int(view.players)), np.int32)
    score(view, results)
    rows = [(seat, int(ranks[seat]), int(scores[seat])) for seat in range(view.players)]
    return sorted(rows, key=lambda row: row[1])


def heading(title: str, viewer: int | None) -> list[str]:
    """The first lines of a text board: what it shows and whose view it is."""
    return [f"{title}{seen_by(viewer).removeprefix(', '):>{WIDTH - len(title)}}", "=" * WIDTH]


def joined(parts: Iterable[Iterable[str]]) -> str:
    """The parts of a text board, with an empty line between them and no spaces at the ends of lines."""
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def is_over(view: Any) -> bool:
    return view.status != Status.RUNNING
