"""The guest house (PR-NB-GUEST-HOUSE): its guests may go to work at any moment."""

import numpy as np

from ...core.engine.kernel import kernel
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
def can_go(s, place):  # PR-NB-GUEST-HOUSE
    """A guest of the seat to move may go to an empty slot there."""
    return place != GUEST_HOUSE and s.workers[s.seat, place] < slots(s, int(s.seat), place)


@kernel
def has_guests(s):
    return s.new_buildings and s.workers[s.seat, GUEST_HOUSE] > 0


@kernel
def is_of_use(s, place):
    """Not what helps only the one who took the role, nor a hut that brings no quarry: the settler needs none for the own pick."""
    if place == Building.LIBRARY or place == Building.LIGHTHOUSE:
        return s.seat == s.active
    if place == Building.CONSTRUCTION_HUT:
        if s.quarries_left == 0:
            return False
        if s.phase == Phase.HACIENDA:
            return is_working(s, int(s.seat), Building.HACIENDA)
        if s.phase == Phase.LIBRARY:
            return is_working(s, int(s.seat), Building.LIBRARY)
        return s.seat != s.active
    return True


@kernel
def allow_guests(s, mask, others):
    """Guests beside the `others` ways to decide. If one could only pass, guests may go where it matters now; elsewhere they can go when
    that moment comes."""
    count = 0
    if has_guests(s):
        is_idle = others == 1 and mask[PASS]
        for place in range(WINDROSE):
            if can_go(s, place) and (not is_idle or (MATTERS[s.phase, place] and is_of_use(s, place))):
                mask[FIRST[Kind.GUEST] + place] = True
                count += 1
    return others + count


@kernel
def do_call_guest(s, place):
    """If the guests are a colonist and a noble, who goes is asked next."""
    guests, nobles = s.workers[s.seat, GUEST_HOUSE], s.nobles_at[s.seat, GUEST_HOUSE]
    if 0 < nobles < guests:
        s.guest_to = place
    else:
        do_move_person(s, int(s.seat), nobles > 0, int(GUEST_HOUSE), place)


@kernel
def do_send_guest(s, noble):
    do_move_person(s, int(s.seat), noble, int(GUEST_HOUSE), int(s.guest_to))
    s.guest_to = EMPTY


@kernel
def allow_either(mask):
    mask[A_COLONIST] = True
    mask[A_NOBLE] = True
    return 2
