"""Seat assignments of games with a learner and opponents, and the opponents' actions."""

from collections.abc import Sequence

import numpy as np

from tradewinds.agents.base import Agent
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.api.decisions import given_to

LEARNER = -1  # in a seat assignment; other numbers are indices into the list of opponents


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
    """Draw the learner's seats: from one seat to all but one, bool (games, players)."""
    places = random.random((games, players)).argsort(axis=1)
    return places < random.integers(1, players, (games, 1))


def ask_opponents(
    agents: Sequence[Agent], batch: Batch, rows: np.ndarray, indices: np.ndarray, random: np.random.Generator, actions: np.ndarray
) -> None:
    """Let opponents choose their actions.

    Args:
        agents: The opponents.
        batch: The games.
        rows: The rows of the batch to act in, (n,).
        indices: The index in `agents` of each row's opponent, (n,); rows with other numbers are skipped.
        random: The source of the decisions' seeds.
        actions: Receives the actions, (n,).
    """
    for index, agent in enumerate(agents):
        chosen = np.flatnonzero(indices == index)
        if chosen.size:
            seeds = random.integers(0, 2**64, chosen.size, np.uint64)
            actions[chosen] = agent.act(given_to(agent, batch.decisions(rows[chosen], seeds)))
