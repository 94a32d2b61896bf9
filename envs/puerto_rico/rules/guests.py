"""The guest house (PR-NB-GUEST-HOUSE): its guests may go to work at any moment."""

import numpy as np

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import A_COLONIST, A_NOBLE, FIRST, PASS, Kind
from ..state import Phase
from ..tables import EMPTY, FIRST_TILE, GOODS, GUEST_HOUSE, IS_PRODUCTION, PLACES, QUARRIES, WINDROSE, Building
from .common import do_move_person, is_working, slots

# For each phase the places where a guest may change what can be decided, or what happens next by itself.
_B = Building
_MATTERS = {
    Phase.ROLE_TAKEN: [_B.LIBRARY],
    Phase.HACIENDA: [_B.HACIENDA, _B.CONSTRUCTION_HUT],
    Phase.PICK: [_B.CONSTRUCTION_HUT],
    Phase.LIBRARY: [_B.LIBRARY, _B.CONSTRUCTION_HUT],
    Phase.LODGE: [_B.HUNTING_LODGE],
    Phase.MAYOR_BEGINS: [_B.VILLA],
    Phase.BUILD: [QUARRIES, _B.ZONING_OFFICE, _B.BLACK_MARKET, _B.LIBRARY],
    Phase.PRODUCTION: [
        *range(FIRST_TILE, FIRST_TILE + GOODS),
        *np.flatnonzero(IS_PRODUCTION).tolist(),
        _B.AQUEDUCT,
        _B.FACTORY,
        _B.SPECIALTY_FACTORY,
        _B.CHAPEL,
    ],
    Phase.TRADE: [_B.OFFICE, _B.TRADING_POST, _B.LAND_OFFICE],
    Phase.CAPTAIN_BEGINS: [_B.LIGHTHOUSE, _B.UNION_HALL, _B.ROYAL_SUPPLIER],
    Phase.LOAD: [_B.WHARF, _B.SMALL_WHARF],
    Phase.STORAGE: [_B.SMALL_WAREHOUSE, _B.LARGE_WAREHOUSE, _B.STOREHOUSE],
    Phase.FINAL: [_B.GUILD_HALL, _B.RESIDENCE, _B.FORTRESS, _B.CUSTOMS_HOUSE, _B.CITY_HALL, _B.CLOISTER, _B.ROYAL_GARDEN],
}
MATTERS = np.zeros((len(Phase), PLACES), np.int8)
for _phase, _places in _MATTERS.items():
    MATTERS[_phase, _places] = 1


@kernel
def can_go(s, me, place):  # PR-NB-GUEST-HOUSE
    """A guest of the seat to move may go to an empty slot there."""
    return place != GUEST_HOUSE and s.workers[me, place] < slots(s, me, place)


@kernel
def has_guests(s, me):
    return s.new_buildings and s.workers[me, GUEST_HOUSE] > 0


@kernel
def is_of_use(s, me, place):
    """False for what helps only the player who took the role, and for a hut that brings no quarry: the settler's own pick needs none."""
    if place == Building.LIBRARY or place == Building.LIGHTHOUSE:
        return me == s.active
    if place == Building.CONSTRUCTION_HUT:
        if s.quarries_left == 0:
            return False
        if s.phase == Phase.HACIENDA:
            return is_working(s, me, Building.HACIENDA)
        if s.phase == Phase.LIBRARY:
            return is_working(s, me, Building.LIBRARY)
        return me != s.active
    return True


@kernel
def allow_guests(s, me, mask, others):
    """Allow guests to move, beside the `others` legal actions.

    If passing is the only other action, guests may go only where it matters now: the other places can wait for their own phase.
    """
    count = 0
    if has_guests(s, me):
        is_idle = others == 1 and mask[PASS]
        for place in range(WINDROSE):
            is_wanted = not is_idle or (MATTERS[s.phase, place] > 0 and is_of_use(s, me, place))
            count += allow(mask, FIRST[Kind.GUEST] + place, is_wanted and can_go(s, me, place))
    return others + count


@kernel
def allow_guests_alone(s, me, mask):
    """A moment at which there is nothing else to decide."""
    return allow_guests(s, me, mask, allow(mask, PASS, True))


@kernel
def do_call_guest(s, me, place):
    """If the guests are a colonist and a noble, who goes is asked next."""
    guests, nobles = s.workers[me, GUEST_HOUSE], s.nobles_at[me, GUEST_HOUSE]
    if 0 < nobles < guests:
        s.guest_to = place
    else:
        do_move_person(s, me, nobles > 0, int(GUEST_HOUSE), place)


@kernel
def do_send_guest(s, me, noble):
    do_move_person(s, me, noble, int(GUEST_HOUSE), int(s.guest_to))
    s.guest_to = EMPTY


@kernel
def allow_either(mask):
    return allow(mask, A_COLONIST, True) + allow(mask, A_NOBLE, True)
