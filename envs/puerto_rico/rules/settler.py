"""The settler (PR-SETTLER) with hacienda, construction hut, forest house, hospice, library and hunting lodge."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import A_COLONIST, A_NOBLE, AS_FOREST, AS_PLANTATION, FIRST, NOBODY, PASS, Kind
from ..state import Phase
from ..tables import EMPTY, FIRST_TILE, FOREST, GOODS, ISLAND, LODGE_POINTS, QUARRIES, QUARRY, WINDROSE, Building, Role
from .common import can_take_colonist, can_take_noble, do_score, do_take_person, has_island_room, has_noble, is_working, next_seat
from .guests import has_guests
from .plantations import (
    can_discard,
    can_discard_forest,
    can_draw,
    do_discard,
    do_discard_forest,
    do_lay,
    do_lay_drawn,
    do_lay_drawn_forest,
    do_open,
    draw,
)


@kernel
def can_take_plantation(s, me, good):  # PR-SETTLER-1
    return s.face_up[good] > 0 and has_island_room(s, me)


@kernel
def can_take_forest(s, me, good):  # PR-NB-FOREST-HOUSE
    return can_take_plantation(s, me, good) and is_working(s, me, Building.FOREST_HOUSE)


@kernel
def can_take_quarry(s, me):  # PR-SETTLER-1, PR-B-HUT, PR-B-HACIENDA, PR-NB-LIBRARY
    """By privilege or hut; instead of the hacienda's tile and as the library's second only with a hut."""
    if s.quarries_left == 0 or not has_island_room(s, me):
        return False
    has_hut = is_working(s, me, Building.CONSTRUCTION_HUT)
    if s.phase == Phase.HACIENDA:
        return has_hut and is_working(s, me, Building.HACIENDA)
    if s.phase == Phase.LIBRARY:
        return has_hut
    if me == s.active:
        return not s.quarry_taken
    return has_hut


@kernel
def can_use_hacienda(s, me):  # PR-B-HACIENDA
    return is_working(s, me, Building.HACIENDA) and has_island_room(s, me) and can_draw(s)


@kernel
def begin_settler(s):
    s.seat = s.active
    s.phase = Phase.HACIENDA


@kernel
def begin_hacienda(s, me):  # PR-SETTLER-3
    """True if the seat may use its hacienda, or could with a guest."""
    if not s.done and has_island_room(s, me) and s.built[me, Building.HACIENDA]:
        if is_working(s, me, Building.HACIENDA) or has_guests(s, me):
            return True
    s.done = 0
    s.phase = Phase.PICK
    return False


@kernel
def begin_pick(s, me):  # PR-SETTLER-1, PR-SETTLER-3
    if not s.done and has_island_room(s, me):
        return True
    s.done = 0
    s.quarry_taken = 0
    s.phase = Phase.HACIENDA if next_seat(s) else Phase.LIBRARY
    return False


@kernel
def begin_library(s, me, stream):  # PR-NB-LIBRARY
    """The settler's second tile, after all have chosen."""
    if not s.done and has_island_room(s, me) and s.built[me, Building.LIBRARY]:
        if is_working(s, me, Building.LIBRARY) or has_guests(s, me):
            return True
    s.done = 0
    s.second = 0
    s.phase = Phase.LODGE
    if not s.nobles:
        end_settler(s, stream)
    return False


@kernel
def allow_hacienda(s, me, mask):
    count = allow(mask, PASS, True)
    count += allow(mask, FIRST[Kind.DRAW], can_use_hacienda(s, me))
    count += allow(mask, FIRST[Kind.TAKE_QUARRY], can_take_quarry(s, me))
    return count


@kernel
def allow_pick(s, me, mask):
    count = allow(mask, PASS, True)
    if s.phase == Phase.LIBRARY and not is_working(s, me, Building.LIBRARY):
        return count
    for good in range(GOODS):
        count += allow(mask, FIRST[Kind.TAKE_PLANTATION] + good, can_take_plantation(s, me, good))
        count += allow(mask, FIRST[Kind.TAKE_FOREST] + good, can_take_forest(s, me, good))
    count += allow(mask, FIRST[Kind.TAKE_QUARRY], can_take_quarry(s, me))
    return count


@kernel
def do_use_hacienda(s, me, stream):  # PR-B-HACIENDA
    s.done = 1
    do_draw_tile(s, me, stream)


@kernel
def do_draw_tile(s, me, stream):  # PR-B-HACIENDA, PR-NO-LAND-OFFICE
    """Lay the top tile; with a forest house the owner first sees it."""
    good = draw(s, stream)
    if is_working(s, me, Building.FOREST_HOUSE):
        s.drawn[me] = good
        s.phase = Phase.LAY
    else:
        do_lay_drawn(s, me, good)


@kernel
def allow_lay(mask):  # PR-NB-FOREST-HOUSE
    return allow(mask, FIRST[Kind.LAY] + AS_PLANTATION, True) + allow(mask, FIRST[Kind.LAY] + AS_FOREST, True)


@kernel
def do_lay_as(s, me, as_what):  # PR-NB-FOREST-HOUSE
    good = int(s.drawn[me])
    s.drawn[me] = EMPTY
    if as_what == AS_FOREST:
        do_lay_drawn_forest(s, me, good)
    else:
        do_lay_drawn(s, me, good)
    s.phase = Phase.HACIENDA if s.role == Role.SETTLER else Phase.TRADE


@kernel
def do_take_plantation(s, me, good):  # PR-SETTLER-1
    s.face_up[good] -= 1
    do_lay(s, me, good)
    do_settle_tile(s, me, FIRST_TILE + good)


@kernel
def do_take_forest(s, me, good):  # PR-NB-FOREST-HOUSE
    s.face_up[good] -= 1
    s.known_forests[me, good] += 1
    do_lay(s, me, int(FOREST))
    do_settle_tile(s, me, int(WINDROSE))


@kernel
def do_take_quarry(s, me):  # PR-SETTLER-1, PR-B-HACIENDA
    s.quarries_left -= 1
    s.quarry_taken = 1
    do_lay(s, me, int(QUARRY))
    if s.phase == Phase.HACIENDA:
        s.done = 1
    else:
        do_settle_tile(s, me, int(QUARRIES))


@kernel
def do_settle_tile(s, me, place):  # PR-B-HOSPICE
    """The hospice's colonist goes to the new tile, for a forest to the windrose. Of the settler's two tiles only the first brings one."""
    s.second = 1 if s.phase == Phase.LIBRARY else 0
    s.done = 1 if s.second and s.tile_taken else 0
    if me == s.active:
        s.tile_taken = 1
    s.place = place
    s.phase = Phase.HOSPICE


@kernel
def begin_hospice(s, me):  # PR-B-HOSPICE
    if not s.done and is_working(s, me, Building.HOSPICE) and (can_take_colonist(s) or can_take_noble(s)):
        return True
    s.done = 1
    s.place = EMPTY
    s.phase = Phase.LIBRARY if s.second else Phase.PICK
    return False


@kernel
def allow_person(s, mask):  # PR-B-HOSPICE, PR-B-UNIVERSITY
    """A colonist from the supply, else anybody from the ship, or nobody."""
    count = allow(mask, PASS, True)
    count += allow(mask, A_COLONIST, can_take_colonist(s))
    count += allow(mask, A_NOBLE, can_take_noble(s))
    return count


@kernel
def do_hospice(s, me, noble):
    do_take_person(s, me, noble, int(s.place))
    s.done = 1


@kernel
def begin_lodge(s, me, stream):  # PR-NO-HUNTING-LODGE
    """True if a colonist in a lodge may discard something, or a guest could go there."""
    if s.built[me, Building.HUNTING_LODGE] and not s.done:
        if has_noble(s, me, Building.HUNTING_LODGE):
            if has_most_room(s, me):
                do_score(s, me, int(LODGE_POINTS))
        elif is_working(s, me, Building.HUNTING_LODGE) or has_guests(s, me):
            return True
    s.done = 0
    if not next_seat(s):
        end_settler(s, stream)
    return False


@kernel
def has_most_room(s, seat):  # PR-NO-HUNTING-LODGE
    """Strictly more empty island places than any other."""
    for other in range(s.players):
        if other != seat and s.island[other] <= s.island[seat]:
            return False
    return s.island[seat] < ISLAND


@kernel
def allow_lodge(s, me, mask):  # PR-NO-HUNTING-LODGE
    count = allow(mask, PASS, True)
    if not is_working(s, me, Building.HUNTING_LODGE) or has_noble(s, me, Building.HUNTING_LODGE):
        return count
    count += allow_discard(s, me, mask)
    for good in range(GOODS):
        count += allow(mask, FIRST[Kind.DISCARD_FOREST] + good, can_discard_forest(s, me, good))
    return count


@kernel
def do_hunt(s, me, good, who):
    do_discard(s, me, good, who)
    s.done = 1


@kernel
def do_hunt_forest(s, me, good):
    do_discard_forest(s, me, good)
    s.done = 1


@kernel
def allow_discard(s, me, mask):  # PR-NO-LAND-OFFICE, PR-NO-HUNTING-LODGE
    count = 0
    for good in range(GOODS):
        for who in range(NOBODY, NOBODY + 3):
            count += allow(mask, FIRST[Kind.DISCARD] + 3 * good + who, can_discard(s, me, good, who))
    return count


@kernel
def end_settler(s, stream):  # PR-SETTLER-2
    for good in range(GOODS):
        s.discards[good] += s.face_up[good]
        s.face_up[good] = 0
    do_open_row(s, stream)
    s.tile_taken = 0
    s.quarry_taken = 0
    s.phase = Phase.ROLE


@kernel
def do_open_row(s, stream):  # PR-SETTLER-2
    for _ in range(s.players + 1):
        do_open(s, stream)
