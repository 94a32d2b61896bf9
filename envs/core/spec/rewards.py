"""Final scores and ranks, and rewards from them."""

import numpy as np

from ..engine.kernel import inlined, kernel

# The order of options.REWARDS.
WIN, RANK, SCORE = 0, 1, 2


@inlined
def rank_seats(s, final_score, tie_break, results):
    """Scores and ranks of a finished game. Inlined, since a compiled kernel that takes other kernels cannot be cached.

    Args:
        s: The game's state.
        final_score: Kernel of (s, seat), a number.
        tie_break: Kernel of (s, seat), a number or a tuple of them; the higher one wins among equal scores.
        results: Row 0 receives the scores, row 1 the ranks: 1 for the winners, and those who tie share it.
    """
    for seat in range(s.players):
        results[0, seat] = final_score(s, seat)
        results[1, seat] = 1
    for seat in range(s.players):
        for other in range(s.players):
            lead = results[0, other] - results[0, seat]
            if lead > 0 or (lead == 0 and tie_break(s, other) > tie_break(s, seat)):
                results[1, seat] += 1


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
