"""What several roles need: occupied buildings, people, points, room."""

import numpy as np

from ...core.engine.kernel import kernel
from ..tables import BASE_BUILDINGS, BUILDINGS, CITY, FIRST_TILE, GOODS, ISLAND, NEW_BUILDINGS_END, PLACES, SLOTS, Building


@kernel
def is_working(s, seat, building):
    """Built and occupied; guests wait at the guest house, so it does no work by itself."""
    return s.workers[seat, building] > 0


@kernel
def has_noble(s, seat, building):  # PR-NO-2
    return s.nobles_at[seat, building] > 0


@kernel
def last_building(s):
    """Buildings of this variant have numbers below this."""
    if s.nobles:
        return BUILDINGS
    if s.new_buildings:
        return NEW_BUILDINGS_END
    return BASE_BUILDINGS


@kernel
def slots(s, seat, place):
    """How many can work at a place: a building's slots, or one for each tile of a kind."""
    if place < BUILDINGS:
        return s.built[seat, place] * SLOTS[place]
    return int(s.tiles[seat, place - FIRST_TILE])


@kernel
def has_island_room(s, seat):  # PR-SET-4
    return s.island[seat] < ISLAND


@kernel
def city_room(s, seat):  # PR-SET-4
    return CITY - s.city[seat]


@kernel
def privilege_size(s, seat):  # PR-NB-LIBRARY
    """How many times the player who took the role may use its privilege."""
    if seat != s.active:
        return 0
    return 2 if is_working(s, seat, Building.LIBRARY) else 1


@kernel
def all_nobles(s, seat):
    count = 0
    for place in range(s.nobles * PLACES):
        count += int(s.nobles_at[seat, np.uintp(place)])
    return count


@kernel
def do_score(s, seat, points):  # PR-END-1
    """Victory points: chips while there are any, then noted down."""
    chips = min(points, int(s.chips_left))
    s.chips[seat] += chips
    s.chips_left -= chips
    s.noted[seat] += points - chips
    if s.chips_left == 0 and points > 0:
        s.last_round = 1


@kernel
def goods_held(s, seat):
    count = 0
    for good in range(GOODS):
        count += s.goods[seat, good]
    return count


@kernel
def do_return_goods(s, seat, good, count):
    s.goods[seat, good] -= count
    s.goods_left[good] += count


@kernel
def can_take_colonist(s):  # PR-B-HOSPICE, PR-B-UNIVERSITY
    """From the supply, else from the ship."""
    return s.colonists_left > 0 or s.ship_colonists > 0


@kernel
def can_take_noble(s):  # PR-NO-2
    """Only from the ship, when the supply has no colonist left."""
    return s.colonists_left == 0 and s.ship_nobles > 0


@kernel
def do_take_person(s, seat, noble, place):  # PR-B-HOSPICE, PR-B-UNIVERSITY, PR-NO-2
    if noble:
        s.ship_nobles -= 1
        s.nobles_at[seat, place] += 1
    elif s.colonists_left > 0:
        s.colonists_left -= 1
    else:
        s.ship_colonists -= 1
    s.workers[seat, place] += 1


@kernel
def do_move_person(s, seat, noble, source, target):
    s.workers[seat, source] -= 1
    s.workers[seat, target] += 1
    if noble:
        s.nobles_at[seat, source] -= 1
        s.nobles_at[seat, target] += 1


@kernel
def after(s, seat):
    """The next seat clockwise. A comparison, since an integer division would dominate the cost."""
    return 0 if seat + 1 == s.players else seat + 1


@kernel
def next_seat(s):
    """On to the next seat clockwise; False when that is the one who took the role."""
    s.seat = after(s, int(s.seat))
    return s.seat != s.active
