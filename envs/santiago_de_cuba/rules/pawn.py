"""Part B: the pawn enters a building (SC-BLD)."""

from ...core.kernel import kernel
from ..state import Phase
from ..tables import BUILDINGS, EMPTY, FLOWER_OF_CUBAN, OWNER_POINTS


@kernel
def can_enter(s, building):  # SC-BLD-1
    if s.flower[building] != FLOWER_OF_CUBAN[s.street[s.car - 1]]:
        return False
    for seat in range(s.players):
        if s.pawn[seat] == building:
            return False
    return True


@kernel
def begin_pawn(s):  # SC-BLD-1, SC-BLD-2
    """False if no building is free, so that the pawn stays."""
    s.phase = Phase.PAWN
    s.seat = s.active
    for building in range(BUILDINGS):
        if can_enter(s, building):
            return True
    return False


@kernel
def do_pay_owner(s):  # SC-BLD-4
    building = s.pawn[s.active]
    if building == EMPTY:
        return
    owner = s.owner[building]
    if owner != EMPTY and owner != s.active:
        s.points[owner] += OWNER_POINTS
