"""Rewards from final scores and ranks."""

import numpy as np

from ..engine.kernel import kernel

# The order of options.REWARDS.
WIN, RANK, SCORE = 0, 1, 2


@kernel
def pay_rewards(results, reward, out):
    """Rewards from scores and ranks; a rank is 1 for the winners, and those who tie share it."""
    players = out.size
    for seat in range(players):
        rank = results[1, seat]
        level = 0
        best_other = np.int32(-(2**31))
        for other in range(players):
            if results[1, other] == rank:
                level += 1
            if other != seat and results[0, other] > best_other:
                best_other = results[0, other]
        if reward == WIN:
            out[seat] = (1.0 / level if rank == 1 else 0.0) - 1.0 / players
        elif reward == RANK:
            place = (rank - 1) + 0.5 * (level - 1)
            out[seat] = 1.0 - 2.0 * place / (players - 1)
        else:
            out[seat] = results[0, seat] - best_other
