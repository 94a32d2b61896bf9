"""The settler (PR-SETTLER) with hacienda, construction hut, forest house, hospice, library and hunting lodge."""

from ...core.kernel import kernel
from ..actions import A_COLONIST, A_NOBLE, AS_FOREST, FIRST, NOBODY, PASS, Kind
from ..state import Phase
from ..tables import EMPTY, FIRST_TILE, FOREST, GOODS, ISLAND, LODGE_POINTS, QUARRIES, QUARRY, WINDROSE, Building
from .common import (
    can_take_colonist,
    can_take_noble,
    do_score,
    do_take_person,
    has_island_room,
    has_noble,
    is_working,
    next_seat,
)
from .guests import guests_matter
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
def can_take_plantation(s, good):  # PR-SETTLER-1
    return s.face_up[good] > 0 and has_island_room(s, int(s.seat))


@kernel
def can_take_forest(s, good):  # PR-NB-FOREST-HOUSE
    return can_take_plantation(s, good) and is_working(s, int(s.seat), Building.FOREST_HOUSE)


@kernel
def can_take_quarry(s):  # PR-SETTLER-1, PR-B-HUT, PR-B-HACIENDA, PR-NB-LIBRARY
    """By privilege or hut; instead of the hacienda's tile and as the library's second only with a hut."""
    if s.quarries_left == 0 or not has_island_room(s, int(s.seat)):
        return False
    has_hut = is_working(s, int(s.seat), Building.CONSTRUCTION_HUT)
    if s.phase == Phase.HACIENDA:
        return has_hut and is_working(s, int(s.seat), Building.HACIENDA)
    if s.phase == Phase.LIBRARY:
        return has_hut
    if s.seat == s.active:
        return not s.quarry_taken
    return has_hut


@kernel
def can_use_hacienda(s):  # PR-B-HACIENDA
    return is_working(s, int(s.seat), Building.HACIENDA) and has_island_room(s, int(s.seat)) and can_draw(s)


@kernel
def has_something_to_take(s):
    for good in range(GOODS):
        if can_take_plantation(s, good):
            return True
    return can_take_quarry(s)


@kernel
def begin_settler(s):
    s.seat = s.active
    s.phase = Phase.HACIENDA
    s.tile_taken = 0
    s.quarry_taken = 0
    s.second = 0


@kernel
def begin_hacienda(s):  # PR-SETTLER-3
    """True if the seat may use its hacienda, or could with a guest."""
    if can_use_hacienda(s) or can_take_quarry(s):
        return True
    if has_island_room(s, int(s.seat)) and guests_matter(s, Phase.HACIENDA):
        return True
    s.phase = Phase.PICK
    return False


@kernel
def begin_pick(s):
    if has_something_to_take(s):
        return True
    if has_island_room(s, int(s.seat)) and guests_matter(s, Phase.PICK):
        return True
    end_pick(s)
    return False


@kernel
def end_pick(s):
    """On to the next seat, or to the library."""
    s.quarry_taken = 0
    s.phase = Phase.HACIENDA if next_seat(s) else Phase.LIBRARY


@kernel
def begin_library(s):  # PR-NB-LIBRARY
    """The settler's second tile, after all have chosen."""
    if s.new_buildings and has_something_to_take(s):
        if is_working(s, int(s.active), Building.LIBRARY) or guests_matter(s, Phase.LIBRARY):
            return True
    end_library(s)
    return False


@kernel
def end_library(s):
    s.second = 0
    s.seat = s.active
    s.phase = Phase.LODGE


@kernel
def allow_hacienda(s, mask):
    count = 1
    mask[PASS] = True
    if can_use_hacienda(s):
        mask[FIRST[Kind.DRAW]] = True
        count += 1
    if can_take_quarry(s):
        mask[FIRST[Kind.TAKE_QUARRY]] = True
        count += 1
    return count


@kernel
def allow_pick(s, mask):
    count = 1
    mask[PASS] = True
    if s.phase == Phase.LIBRARY and not is_working(s, int(s.seat), Building.LIBRARY):
        return count
    for good in range(GOODS):
        if can_take_plantation(s, good):
            mask[FIRST[Kind.TAKE_PLANTATION] + good] = True
            count += 1
        if can_take_forest(s, good):
            mask[FIRST[Kind.TAKE_FOREST] + good] = True
            count += 1
    if can_take_quarry(s):
        mask[FIRST[Kind.TAKE_QUARRY]] = True
        count += 1
    return count


@kernel
def do_use_hacienda(s, stream):  # PR-B-HACIENDA
    do_draw_tile(s, stream)
    if s.phase != Phase.LAY:
        s.phase = Phase.PICK


@kernel
def do_draw_tile(s, stream):  # PR-B-HACIENDA, PR-NO-LAND-OFFICE
    """Lay the top tile; with a forest house the owner first sees it."""
    me = int(s.seat)
    good = draw(s, stream)
    if is_working(s, me, Building.FOREST_HOUSE):
        s.drawn[me] = good
        s.phase = Phase.LAY
    else:
        do_lay_drawn(s, me, good)


@kernel
def do_lay_as(s, as_what):  # PR-NB-FOREST-HOUSE
    me = int(s.seat)
    good = int(s.drawn[me])
    s.drawn[me] = EMPTY
    if as_what == AS_FOREST:
        do_lay_drawn_forest(s, me, good)
    else:
        do_lay_drawn(s, me, good)


@kernel
def do_take_plantation(s, good):  # PR-SETTLER-1
    s.face_up[good] -= 1
    do_lay(s, int(s.seat), good)
    after_tile(s, FIRST_TILE + good)


@kernel
def do_take_forest(s, good):  # PR-NB-FOREST-HOUSE
    s.face_up[good] -= 1
    s.known_forests[s.seat, good] += 1
    do_lay(s, int(s.seat), FOREST)
    after_tile(s, WINDROSE)


@kernel
def do_take_quarry(s):  # PR-SETTLER-1, PR-B-HACIENDA
    s.quarries_left -= 1
    s.quarry_taken = 1
    do_lay(s, int(s.seat), QUARRY)
    if s.phase == Phase.HACIENDA:
        s.phase = Phase.PICK
    else:
        after_tile(s, QUARRIES)


@kernel
def after_tile(s, place):  # PR-B-HOSPICE
    """The hospice's colonist goes to the new tile; a forest's to the windrose. Of the settler's two tiles only the first brings one."""
    is_second = s.phase == Phase.LIBRARY
    s.second = 1 if is_second else 0
    s.place = place
    s.phase = Phase.HOSPICE
    if is_second and s.tile_taken:
        end_hospice(s)
    elif s.seat == s.active:
        s.tile_taken = 1


@kernel
def begin_hospice(s):  # PR-B-HOSPICE
    if is_working(s, int(s.seat), Building.HOSPICE) and (can_take_colonist(s) or can_take_noble(s)):
        return True
    end_hospice(s)
    return False


@kernel
def end_hospice(s):
    s.place = EMPTY
    if s.second:
        end_library(s)
    else:
        end_pick(s)


@kernel
def allow_person(s, mask):  # PR-B-HOSPICE, PR-B-UNIVERSITY
    """A colonist from the supply, else anybody from the ship, or nobody."""
    count = 1
    mask[PASS] = True
    if can_take_colonist(s):
        mask[A_COLONIST] = True
        count += 1
    if can_take_noble(s):
        mask[A_NOBLE] = True
        count += 1
    return count


@kernel
def do_hospice(s, noble):
    do_take_person(s, int(s.seat), noble, int(s.place))
    end_hospice(s)


@kernel
def begin_lodge(s, stream):  # PR-NO-HUNTING-LODGE
    """True if a lodge with a colonist has something to discard, or a guest could go there."""
    if s.nobles:
        me = int(s.seat)
        if guests_matter(s, Phase.LODGE):
            return True
        if is_working(s, me, Building.HUNTING_LODGE):
            if has_noble(s, me, Building.HUNTING_LODGE):
                if has_most_room(s, me):
                    do_score(s, me, LODGE_POINTS)
            elif has_lodge_game(s, me):
                return True
    end_lodge(s, stream)
    return False


@kernel
def has_lodge_game(s, seat):
    return s.island[seat] > s.tiles[seat, QUARRY]


@kernel
def has_most_room(s, seat):  # PR-NO-HUNTING-LODGE
    """Strictly more empty island places than any other."""
    for other in range(s.players):
        if other != seat and s.island[other] <= s.island[seat]:
            return False
    return s.island[seat] < ISLAND


@kernel
def end_lodge(s, stream):
    if not next_seat(s):
        end_settler(s, stream)


@kernel
def allow_lodge(s, mask):  # PR-NO-HUNTING-LODGE
    me = int(s.seat)
    count = 1
    mask[PASS] = True
    if not is_working(s, me, Building.HUNTING_LODGE) or has_noble(s, me, Building.HUNTING_LODGE):
        return count
    count += allow_discard(s, mask)
    for good in range(GOODS):
        if can_discard_forest(s, me, good):
            mask[FIRST[Kind.DISCARD_FOREST] + good] = True
            count += 1
    return count


@kernel
def do_hunt(s, good, who, stream):
    do_discard(s, int(s.seat), good, who)
    end_lodge(s, stream)


@kernel
def do_hunt_forest(s, good, stream):
    do_discard_forest(s, int(s.seat), good)
    end_lodge(s, stream)


@kernel
def allow_discard(s, mask):  # PR-NO-LAND-OFFICE, PR-NO-HUNTING-LODGE
    count = 0
    for good in range(GOODS):
        for who in range(NOBODY, NOBODY + 3):
            if can_discard(s, int(s.seat), good, who):
                mask[FIRST[Kind.DISCARD] + 3 * good + who] = True
                count += 1
    return count


@kernel
def end_settler(s, stream):  # PR-SETTLER-2
    for good in range(GOODS):
        s.discards[good] += s.face_up[good]
        s.face_up[good] = 0
    do_open_row(s, stream)
    s.phase = Phase.ROLE


@kernel
def do_open_row(s, stream):  # PR-SETTLER-2
    for _ in range(s.players + 1):
        do_open(s, stream)
