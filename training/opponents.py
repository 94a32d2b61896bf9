"""Who sits where in a game that a network learns from, and how the others are asked."""

from collections.abc import Sequence

import numpy as np

from tradewinds.agents.base import Agent
from tradewinds.envs.core.api.batch import Batch

LEARNER = -1  # in a seat assignment; other numbers are places in the list of opponents


def assign_seats(learner_seats: np.ndarray, opponents: np.ndarray) -> np.ndarray:
    """The seat assignments of n games.

    Args:
        learner_seats: bool (n, players).
        opponents: int (n, players), or (n, 1) for the same opponent in all other seats.

    Returns:
        int64 (n, players): LEARNER, or the opponent of that seat.
    """
    return np.where(learner_seats, LEARNER, opponents)


def random_learner_seats(random: np.random.Generator, games: int, players: int) -> np.ndarray:
    """From one seat to all but one, at random places: bool (games, players)."""
    places = random.random((games, players)).argsort(axis=1)
    return places < random.integers(1, players, (games, 1))


def ask_opponents(
    agents: Sequence[Agent], batch: Batch, rows: np.ndarray, who: np.ndarray, random: np.random.Generator, actions: np.ndarray
) -> None:
    """Let opponents choose their actions.

    Args:
        agents: The opponents.
        batch: The games.
        rows: The rows of the batch that are asked about, (n,).
        who: For each of them the opponent's place in `agents`, (n,); other numbers are left out.
        random: The source of the decisions' seeds.
        actions: Where the actions are written, (n,).
    """
    for place, agent in enumerate(agents):
        asked = np.flatnonzero(who == place)
        if asked.size:
            seeds = random.integers(0, 2**64, asked.size, np.uint64)
            actions[asked] = agent.act(batch.decisions(rows[asked], seeds))
