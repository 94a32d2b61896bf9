"""Determinization: sample what a seat cannot know (PR-INF-1).

Who sees which field is declared in state.py. Under visibility="open" only what others drew in secret, their hidden forests, is unknown.
"""

from ..core.engine.kernel import kernel
from ..core.engine.rng import below
from ..core.spec.fields import Visibility
from .state import Phase
from .tables import CHIPS, EMPTY, FOREST, GOODS, MAX_PLAYERS


@kernel
def redeal(s, viewer, stream):
    """Determinize `s` for a viewer. Reads nothing hidden from the viewer, so `s` may be the viewer's masked view."""
    if s.visibility != Visibility.OPEN:
        redeal_chips(s, int(viewer), stream)
    redeal_forests(s, int(viewer), stream)


@kernel
def redeal_chips(s, viewer, stream):
    """Only the sum of the others' chips is known: each chip goes to one of them, uniformly at random."""
    hidden = CHIPS[s.players] - s.chips_left - s.chips[viewer]
    for seat in range(MAX_PLAYERS):
        if seat != viewer:
            s.chips[seat] = 0
    for _ in range(hidden):
        other = below(stream, s.players - 1)
        s.chips[other + 1 if other >= viewer else other] += 1


@kernel
def secret_forests(s, seat):
    """How many forests of a seat were drawn face down."""
    count = int(s.tiles[seat, FOREST])
    for good in range(GOODS):
        count -= s.known_forests[seat, good]
    return count


@kernel
def free(s, viewer, seat, good):
    """Tiles of a kind still to be sampled: face down, not the viewer's own, and not yet given to the seats up to this one."""
    count = int(s.stack[good]) - s.own_forests[viewer, good] - (s.drawn[viewer] == good)
    for other in range(seat + 1):
        if other != viewer:
            count -= s.own_forests[other, good]
    return count


@kernel
def deal_one(s, viewer, seat, stream):
    left = 0
    for good in range(GOODS):
        left += free(s, viewer, seat, good)
    left = below(stream, left)
    for good in range(GOODS):
        left -= free(s, viewer, seat, good)
        if left < 0:
            return good
    return EMPTY


@kernel
def redeal_forests(s, viewer, stream):
    """Each tile that another seat drew in secret is sampled from those that are face down for the viewer."""
    for seat in range(MAX_PLAYERS):
        if seat != viewer:
            s.drawn[seat] = EMPTY
            for good in range(GOODS):
                s.own_forests[seat, good] = 0
    if not s.new_buildings:
        return
    for seat in range(s.players):
        if seat != viewer:
            for _ in range(secret_forests(s, seat)):
                s.own_forests[seat, deal_one(s, viewer, seat, stream)] += 1
    if s.seat != viewer and s.phase == Phase.LAY:
        s.drawn[s.seat] = deal_one(s, viewer, s.players - 1, stream)
