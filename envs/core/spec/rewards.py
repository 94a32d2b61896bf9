"""Rewards from final scores and ranks."""

import numpy as np

from ..engine.kernel import kernel

# The order of options.REWARDS.
WIN, RANK, SCORE = 0, 1, 2


@kernel
def score_margin(results, seat):
    """How far a seat's score is ahead of the best other score; negative if it is behind."""
    best_other = np.int64(-(2**31))
    for other in range(results.shape[1]):
        if other != seat and results[0, other] > best_other:
            best_other = np.int64(results[0, other])
    return np.int64(results[0, seat]) - best_other


@kernel
def pay_rewards(results, reward, out):
    """Write the rewards of all seats from scores and ranks. Rank 1 is a win, and ties share a rank."""
    players = out.size
    for seat in range(players):
        rank = results[1, seat]
        level = 0
        for other in range(players):
            if results[1, other] == rank:
                level += 1
        if reward == WIN:
            out[seat] = (1.0 / level if rank == 1 else 0.0) - 1.0 / players
        elif reward == RANK:
            place = (rank - 1) + 0.5 * (level - 1)
            out[seat] = 1.0 - 2.0 * place / (players - 1)
        else:
            out[seat] = score_margin(results, seat)
