"""What the seat to move may do: each phase has its chapter's `allow_*`."""

from ...core.engine.kernel import kernel
from ..state import Phase
from .buildings import allow_use
from .car import allow_drive
from .cubans import allow_alonso, allow_give, allow_take
from .pawn import allow_enter
from .port import allow_deliver
from .ship import allow_aside


@kernel
def legal(s, mask):
    for action in range(mask.size):  # a plain loop compiles to one memset
        mask[action] = False
    me = int(s.seat)
    phase = s.phase
    if phase == Phase.DICE:
        return allow_aside(s, mask)
    if phase == Phase.CAR:
        return allow_drive(s, mask)
    if phase == Phase.PABLO:
        return allow_take(s, mask)
    if phase == Phase.EL_ZORRO:
        return allow_give(s, me, mask)
    if phase == Phase.ALONSO:
        return allow_alonso(s, mask)
    if phase == Phase.PAWN:
        return allow_enter(s, mask)
    if phase == Phase.BUILDING:
        return allow_use(s, mask)
    return allow_deliver(s, me, mask)
