"""Generalised advantage estimation for envs in which several seats take turns."""

import numpy as np


def advantages_and_targets(
    seats: np.ndarray,
    learner_mask: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    finished: np.ndarray,
    end_values: np.ndarray,
    gamma: float,
    lam: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Compute GAE for each seat over its own decisions. The moves of other seats in between are part of its environment.

    A reward is credited to the last decision of the seat that receives it, whichever seat made the move.

    Args:
        seats: (T, N), the seat that moved.
        learner_mask: bool (T, N), whether the learner moved, so that `values` holds its prediction.
        values: (T, N), the predicted return of the seat that moved.
        rewards: (T, N, P), the reward of every seat after that step.
        finished: bool (T, N), whether that step ended the game; the next one belongs to a new game.
        end_values: (N, P), the predicted return of every seat after the last step.
        gamma: The discount from one decision of a seat to its next.
        lam: Lambda: 0 trusts the predicted values, 1 the returns.

    Returns:
        The advantages, float32 (T, N), and the lambda-returns of every seat, float32 (T, N, P): for the seat that moved its own, for the
        others that of their next decision.
    """
    steps, rows = seats.shape
    every_row = np.arange(rows)
    advantages = np.zeros((steps, rows), np.float32)
    targets = np.zeros(rewards.shape, np.float32)
    next_values = end_values.astype(np.float64)  # of each seat: the value at its next decision ...
    next_advantages = np.zeros_like(next_values)  # ... the advantage there ...
    earned = np.zeros_like(next_values)  # ... and the rewards up to it
    for t in reversed(range(steps)):
        over = finished[t]
        next_values[over] = next_advantages[over] = earned[over] = 0
        earned += rewards[t]
        total = earned + gamma * (next_values + lam * next_advantages)
        targets[t] = total
        advantages[t] = total[every_row, seats[t]] - values[t]
        i = np.flatnonzero(learner_mask[t])
        seat = seats[t, i]
        next_values[i, seat] = values[t, i]
        next_advantages[i, seat] = advantages[t, i]
        earned[i, seat] = 0
    return advantages, targets
