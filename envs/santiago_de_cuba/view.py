"""What a seat cannot know, drawn anew (SC-INF-1).

Who sees which field is declared in state.py. Under visibility="open" nothing in this game is unknown.
"""

from ..core.fields import Visibility
from ..core.kernel import kernel
from ..core.stream import below
from .tables import GOODS, MAX_PLAYERS, START_POINTS, SUPPLY

# What a seat that does not count along supposes of an opponent, since only goods have a known sum.
SUPPOSED_PESOS = 9  # pesos run from 0 to this
SUPPOSED_POINTS_A_TURN = 3  # points run from 0 to the start's and this for each own turn


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
            s.pesos[seat] = below(stream, SUPPOSED_PESOS + 1)
            s.points[seat] = below(stream, START_POINTS + SUPPOSED_POINTS_A_TURN * own_turns + 1)
