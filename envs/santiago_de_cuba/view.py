"""What a seat cannot know, drawn anew (SC-INF-1).

Who sees which field is declared in state.py. Under visibility="open" nothing in this game is unknown.
"""

from ..core.engine.kernel import kernel
from ..core.engine.rng import below
from ..core.spec.fields import Visibility
from .state import MOST_PESOS
from .tables import GOODS, MAX_PLAYERS, SUPPLY

# What a seat that does not count along supposes of an opponent, since only goods have a known sum: about what good players hold.
SUPPOSED_POINTS = 4  # an own turn brought from 0 to this


@kernel
def a_few(stream):
    """Two on average, any number perhaps."""
    count = 0
    while below(stream, 3) and count < MOST_PESOS:
        count += 1
    return count


@kernel
def redeal(s, viewer, stream):
    """Opponents' goods, of which the sum is known, fall to any of them; their pesos and points are a guess.

    Reads nothing that the viewer may not see, so `s` may be the viewer's view.
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
