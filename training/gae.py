"""Generalised advantage estimation where several seats take turns in one env."""

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
    """Compute GAE for each seat over its own decisions; what the others do between two of them is part of its environment.

    | argument | shape | holds |
    |---|---|---|
    | `seats` | (T, N) | who decided |
    | `learner_mask` | (T, N) bool | the learner decided, so `values` holds its prediction |
    | `values` | (T, N) | what the seat that decided was predicted to get |
    | `rewards` | (T, N, P) | what every seat got after that decision |
    | `finished` | (T, N) bool | that decision ended the game; the next one belongs to a new game |
    | `end_values` | (N, P) | the prediction for every seat after the last decision |

    A reward counts for the last decision of its seat before it, whoever made the move that paid it; gamma applies from one decision of a
    seat to its next.

    Returns:
        The advantage of each decision, float32 (T, N), and the lambda-return of every seat at that moment, float32 (T, N, P): for the seat
        that decided its own, for the others that of their next decision.
    """
    steps, rows = seats.shape
    every_row = np.arange(rows)
    advantages = np.zeros((steps, rows), np.float32)
    targets = np.zeros(rewards.shape, np.float32)
    ahead = end_values.astype(np.float64)  # of each seat: the value at its next decision ...
    surplus = np.zeros_like(ahead)  # ... the advantage there ...
    earned = np.zeros_like(ahead)  # ... and the rewards up to it
    for t in reversed(range(steps)):
        over = finished[t]
        ahead[over] = surplus[over] = earned[over] = 0
        earned += rewards[t]
        total = earned + gamma * (ahead + lam * surplus)
        targets[t] = total
        advantages[t] = total[every_row, seats[t]] - values[t]
        i = np.flatnonzero(learner_mask[t])
        seat = seats[t, i]
        ahead[i, seat] = values[t, i]
        surplus[i, seat] = advantages[t, i]
        earned[i, seat] = 0
    return advantages, targets
