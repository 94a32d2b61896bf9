"""Final scores and ranks of a finished game."""

from ..engine.kernel import inlined


@inlined
def rank_seats(s, final_score, tie_break, results):
    """Scores and ranks of a finished game. Inlined, so that both kernels are constants in the `score` that calls it.

    Args:
        s: The game's state.
        final_score: Kernel of (s, seat), a number.
        tie_break: Kernel of (s, seat), a number or a tuple of them; the higher one wins among equal scores.
        results: Row 0 receives the scores, row 1 the ranks: 1 for the winners, ties shared.
    """
    for seat in range(s.players):
        results[0, seat] = final_score(s, seat)
        results[1, seat] = 1
    for seat in range(s.players):
        for other in range(s.players):
            lead = results[0, other] - results[0, seat]
            if lead > 0 or (lead == 0 and tie_break(s, other) > tie_break(s, seat)):
                results[1, seat] += 1
