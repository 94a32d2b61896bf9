"""Determinization: sample what a seat cannot know (SC-INF-1).

Who sees which field is declared in state.py. Under visibility="open" nothing in this game is unknown.
"""

from ..core.engine.kernel import kernel
from ..core.engine.rng import below
from ..core.spec.fields import Visibility
from .state import MOST_PESOS
from .tables import GOODS, MAX_PLAYERS, SUPPLY

# The prior over an opponent's points for a viewer without perfect recall: roughly what good players hold.
SUPPOSED_POINTS = 4  # each own turn brought between 0 and this


@kernel
def a_few(stream):
    """A geometric number with mean 2."""
    count = 0
    while below(stream, 3) and count < MOST_PESOS:
        count += 1
    return count


@kernel
def redeal(s, viewer, stream):
    """Determinize `s` for a viewer: opponents' goods have a known sum and are split at random; their pesos and points come from a prior.

    Reads nothing hidden from the viewer, so `s` may be the viewer's masked view.
    """
    if s.visibility == Visibility.OPEN:
        return
    own_turns = max(s.turn, 0) // s.players + 1
    for seat in range(MAX_PLAYERS):
        if seat != viewer:
            for good in range(GOODS):
                s.goods[seat, good] = 0
            s.pesos[seat] = 0
            s.points[seat] = 0
    for good in range(GOODS):
        for _ in range(SUPPLY - s.supply[good] - s.goods[viewer, good]):
            other = below(stream, s.players - 1)
            s.goods[other + 1 if other >= viewer else other, good] += 1
    for seat in range(s.players):
        if seat != viewer:
            s.pesos[seat] = a_few(stream)
            s.points[seat] = a_few(stream)
            for _ in range(own_turns):
                s.points[seat] += below(stream, SUPPOSED_POINTS + 1)
