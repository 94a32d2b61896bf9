"""Part B: the pawn enters a building (SC-BLD)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import BUILDINGS, EMPTY, FLOWER_OF_CUBAN, MAX_PLAYERS, OWNER_POINTS, SITES_OF_A_FLOWER


@kernel
def sites_here(s):  # SC-BLD-1
    """The first site under the flower of the Cuban at the car, and the one after the last."""
    first = SITES_OF_A_FLOWER * int(FLOWER_OF_CUBAN[s.street[s.car - 1]])
    return first, min(first + SITES_OF_A_FLOWER, BUILDINGS)  # none under the transparent one


@kernel
def can_enter(s, building):  # SC-BLD-1
    """Whether a building under that flower is free."""
    taken = False
    for seat in range(MAX_PLAYERS):  # without a branch: stopping early costs more than it saves
        taken |= s.pawn[seat] == building
    return not taken


@kernel
def begin_pawn(s):  # SC-BLD-1, SC-BLD-2
    """False if no building is free, so that the pawn stays."""
    s.phase = Phase.PAWN
    s.seat = s.active
    first, last = sites_here(s)
    for site in range(first, last):
        if can_enter(s, s.sites[site]):
            return True
    return False


@kernel
def allow_enter(s, mask):  # SC-BLD-1
    count = 0
    first, last = sites_here(s)
    for site in range(first, last):
        building = s.sites[site]
        count += allow(mask, FIRST[Kind.ENTER] + building, can_enter(s, building))
    return count


@kernel
def do_pay_owner(s):  # SC-BLD-4
    building = s.pawn[s.active]
    if building == EMPTY:
        return
    owner = s.owner[building]
    if owner != EMPTY and owner != s.active:
        s.points[owner] += OWNER_POINTS
