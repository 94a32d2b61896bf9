"""The draft of New Buildings (PR-NB-DRAFT-1)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ...core.engine.rng import below
from ..actions import DRAFT_AT
from ..state import Phase
from ..tables import COPIES, COPIES_FOR_TWO, COST, DRAFT_PLACES, IS_NOBLES, IS_VIOLET, NEW_BUILDINGS_END
from .common import after


@kernel
def copies(s, building):  # PR-SET-2
    return COPIES_FOR_TWO[building] if s.players == 2 else COPIES[building]


@kernel
def has_draft_place(s, cost):
    taken = 0
    for building in range(NEW_BUILDINGS_END):
        if IS_VIOLET[building] and COST[building] == cost and s.buildings_left[building] > 0:
            taken += 1
    return taken < DRAFT_PLACES[cost]


@kernel
def can_draft(s, building):  # PR-NB-DRAFT-1
    """A kind of the base game or of New Buildings, while the board has a free place of its cost."""
    return IS_VIOLET[building] == 1 and IS_NOBLES[building] == 0 and s.buildings_left[building] == 0 and has_draft_place(s, COST[building])


@kernel
def draftable(s):
    count = 0
    for building in range(NEW_BUILDINGS_END):
        if can_draft(s, building):
            count += 1
    return count


@kernel
def allow_draft(s, mask):
    count = 0
    for building in range(NEW_BUILDINGS_END):
        if can_draft(s, building):  # the others have no id
            count += allow(mask, DRAFT_AT[building], True)
    return count


@kernel
def do_draft(s, me, building):
    s.buildings_left[building] = copies(s, building)
    s.seat = after(s, me)


@kernel
def begin_draft(s):
    if draftable(s) > 0:
        return True
    s.seat = s.governor
    s.phase = Phase.ROLE
    return False


@kernel
def do_draft_at_random(s, stream):
    while True:
        left = draftable(s)
        if left == 0:
            return
        chosen = below(stream, left)
        for building in range(NEW_BUILDINGS_END):
            if can_draft(s, building):
                if chosen == 0:
                    s.buildings_left[building] = copies(s, building)
                    break
                chosen -= 1
