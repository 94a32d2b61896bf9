"""Generalised advantage estimation where several seats take turns in one row of the batch."""

import numpy as np


def advantages_and_targets(
    seats: np.ndarray,
    own: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    finished: np.ndarray,
    end_values: np.ndarray,
    gamma: float,
    lam: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Each seat has a line of its own decisions through a row; what the others do between two of them is part of its environment.

    | argument | shape | holds |
    |---|---|---|
    | `seats` | (T, N) | who decided |
    | `own` | (T, N) bool | the learner decided, so `values` holds something |
    | `values` | (T, N) | what the seat that decided expected |
    | `rewards` | (T, N, P) | what every seat got after that decision |
    | `finished` | (T, N) bool | that decision ended the game, and the next one is of a new game |
    | `end_values` | (N, P) | what every seat expects after the last decision |

    Returns the advantage of each decision, float32 (T, N), and the lambda-return of every seat at that moment, float32 (T, N, P): for the
    seat that decided its own, for the others that of their next decision. A reward counts for the last decision of its seat before it,
    whoever made the move that paid it; gamma counts from one decision of a seat to its next.
    """
    steps, rows = seats.shape
    every = np.arange(rows)
    advantages = np.zeros((steps, rows), np.float32)
    targets = np.zeros(rewards.shape, np.float32)
    ahead = end_values.astype(np.float64)  # of each seat: what it expects at its next decision ...
    surplus = np.zeros_like(ahead)  # ... the advantage found there ...
    earned = np.zeros_like(ahead)  # ... and the rewards up to it
    for t in reversed(range(steps)):
        over = finished[t]
        ahead[over] = surplus[over] = earned[over] = 0
        earned += rewards[t]
        total = earned + gamma * (ahead + lam * surplus)
        targets[t] = total
        advantages[t] = total[every, seats[t]] - values[t]
        i = np.flatnonzero(own[t])
        seat = seats[t, i]
        ahead[i, seat] = values[t, i]
        surplus[i, seat] = advantages[t, i]
        earned[i, seat] = 0
    return advantages, targets
