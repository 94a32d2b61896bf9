"""The plantation stacks: drawn from at reveal (PR-SETTLER-2), laid on islands, discarded from them."""

from ...core.engine.kernel import kernel
from ...core.engine.rng import below
from ..actions import BY_NOBLE, NOBODY
from ..tables import EMPTY, FIRST_TILE, FOREST, GOODS, WINDROSE
from .common import do_move_person


@kernel
def face_down(s, good):
    """What the stacks hold: `stack` also counts what was drawn in secret."""
    count = int(s.stack[good])
    if s.new_buildings:
        for seat in range(s.players):
            count -= s.own_forests[seat, good]
            if s.drawn[seat] == good:
                count -= 1
    return count


@kernel
def stack_size(s):
    count = 0
    for good in range(GOODS):
        count += face_down(s, good)
    return count


@kernel
def can_draw(s):  # PR-SETTLER-2
    """A tile in the stacks, or among the discards, which would be shuffled."""
    for good in range(GOODS):
        if s.discards[good] > 0 or face_down(s, good) > 0:
            return True
    return False


@kernel
def draw(s, stream):  # PR-SETTLER-2
    """Draw a tile; returns its kind. It stays counted in `stack` until everybody has seen it."""
    size = stack_size(s)
    if size == 0:
        for good in range(GOODS):
            s.stack[good] += s.discards[good]
            s.discards[good] = 0
        size = stack_size(s)
    if size == 0:
        return EMPTY
    left = below(stream, size)
    for good in range(GOODS):
        left -= face_down(s, good)
        if left < 0:
            return good
    return EMPTY


@kernel
def do_open(s, stream):
    """Turn one tile of the stacks face up, if there is one."""
    good = draw(s, stream)
    if good != EMPTY:
        s.stack[good] -= 1
        s.face_up[good] += 1


@kernel
def do_lay(s, seat, tile):
    s.tiles[seat, tile] += 1
    s.island[seat] += 1


@kernel
def do_lay_drawn(s, seat, good):
    """Lay the drawn tile face up, as a plantation."""
    s.stack[good] -= 1
    do_lay(s, seat, good)


@kernel
def do_lay_drawn_forest(s, seat, good):  # PR-NB-FOREST-HOUSE
    s.own_forests[seat, good] += 1
    do_lay(s, seat, int(FOREST))


@kernel
def can_discard(s, seat, good, who):  # PR-NO-LAND-OFFICE, PR-NO-HUNTING-LODGE
    """An own plantation on which nobody, a colonist or a noble stands."""
    place = FIRST_TILE + good
    here = s.workers[seat, place]
    if who == NOBODY:
        return s.tiles[seat, good] > here
    if who == BY_NOBLE:
        return s.nobles_at[seat, place] > 0
    return here > s.nobles_at[seat, place]


@kernel
def do_discard(s, seat, good, who):
    """Who stood there goes to the windrose."""
    if who != NOBODY:
        do_move_person(s, seat, who == BY_NOBLE, FIRST_TILE + good, int(WINDROSE))
    s.tiles[seat, good] -= 1
    s.island[seat] -= 1
    s.discards[good] += 1


@kernel
def can_discard_forest(s, seat, good):  # PR-NO-HUNTING-LODGE
    return s.known_forests[seat, good] + s.own_forests[seat, good] > 0


@kernel
def do_discard_forest(s, seat, good):  # PR-NO-HUNTING-LODGE
    """The tile is turned up; one whose kind everybody knows goes first."""
    if s.known_forests[seat, good] > 0:
        s.known_forests[seat, good] -= 1
    else:
        s.own_forests[seat, good] -= 1
        s.stack[good] -= 1
    s.tiles[seat, FOREST] -= 1
    s.island[seat] -= 1
    s.discards[good] += 1
