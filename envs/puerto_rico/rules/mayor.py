"""The mayor (PR-MAYOR) with villa and nobles."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import A_COLONIST, A_NOBLE, FIRST, PASS, PLACE_AT, Kind
from ..state import Phase
from ..tables import EMPTY, FIRST_TILE, SLOT_TILES, SLOTS, WINDROSE, Building
from .common import all_nobles, is_working, last_building, next_seat, privilege_size, slots
from .guests import has_guests


@kernel
def begin_mayor(s):
    s.seat = s.active
    s.phase = Phase.MAYOR_BEGINS if s.nobles and s.new_buildings else Phase.PRIVILEGED_MAYOR


@kernel
def begin_mayor_guests(s, me):  # PR-NB-GUEST-HOUSE: a villa must be occupied when the phase starts
    if has_guests(s, me) and not s.done:
        return True
    s.done = 0
    if not next_seat(s):
        s.phase = Phase.PRIVILEGED_MAYOR
    return False


@kernel
def begin_mayor_privilege(s, me):  # PR-MAYOR-1, PR-NB-LIBRARY
    if not s.done and s.privilege < privilege_size(s, me) and s.colonists_left > 0:
        return True
    s.done = 0
    s.privilege = 0
    s.phase = Phase.VILLA
    if not s.nobles:
        do_share_ship(s)
    return False


@kernel
def do_share_ship(s):  # PR-MAYOR-1
    """Without nobles nobody has a choice: one at a time in turn order, from the mayor on."""
    while s.ship_colonists > 0:
        s.ship_colonists -= 1
        s.workers[s.seat, WINDROSE] += 1
        next_seat(s)
    s.seat = s.active
    begin_placing(s)


@kernel
def allow_mayor_privilege(s, mask):
    return allow(mask, PASS, True) + allow(mask, A_COLONIST, True)


@kernel
def do_mayor_privilege(s, me):  # PR-MAYOR-1
    s.privilege += 1
    s.colonists_left -= 1
    s.workers[me, WINDROSE] += 1


@kernel
def can_use_villa(s, me):  # PR-NO-VILLA
    return is_working(s, me, Building.VILLA) and s.turns < s.players and (s.nobles_left > 0 or s.colonists_left > 0)


@kernel
def begin_villa(s, me):
    """Each seat's first turn; in later laps straight on to the ship."""
    if not s.done and can_use_villa(s, me):
        return True
    s.done = 0
    s.phase = Phase.FROM_SHIP
    return False


@kernel
def allow_villa(s, mask):  # PR-NO-VILLA
    return allow(mask, PASS, True) + allow(mask, A_NOBLE if s.nobles_left > 0 else A_COLONIST, True)


@kernel
def do_villa(s, me, noble):
    if noble:
        s.nobles_left -= 1
        s.nobles_at[me, WINDROSE] += 1
    else:
        s.colonists_left -= 1
    s.workers[me, WINDROSE] += 1
    s.done = 1


@kernel
def begin_from_ship(s, me):  # PR-MAYOR-1, PR-NO-2
    """One at a time; a seat is asked if both kinds are on the ship. Laps go on until the ship is empty and all have had a first turn."""
    if not s.done:
        if s.ship_nobles > 0 and s.ship_colonists > 0:
            return True
        if s.ship_nobles + s.ship_colonists > 0:
            do_take_from_ship(s, me, s.ship_nobles > 0)
    s.done = 0
    if s.turns < s.players:
        s.turns += 1
    next_seat(s)
    s.phase = Phase.VILLA
    if s.turns == s.players and s.ship_colonists == 0 and s.ship_nobles == 0:
        s.seat = s.active
        begin_placing(s)
    return False


@kernel
def do_take_from_ship(s, me, noble):
    if noble:
        s.ship_nobles -= 1
        s.nobles_at[me, WINDROSE] += 1
    else:
        s.ship_colonists -= 1
    s.workers[me, WINDROSE] += 1
    s.done = 1


@kernel
def begin_placing(s):  # PR-MAYOR-2
    """All people of the seat return to the windrose, to be placed again; `amount` counts the slots still to come."""
    me = int(s.seat)
    people, nobles, room = int(s.workers[me, WINDROSE]), all_nobles(s, me), 0
    for building in range(last_building(s)):
        people += s.workers[me, building]
        room += SLOTS[building] if s.built[me, building] else 0
    for tile in range(SLOT_TILES):
        people += s.workers[me, FIRST_TILE + tile]
        room += s.tiles[me, tile]
    s.workers[me, :] = 0
    s.nobles_at[me, :] = 0
    s.workers[me, WINDROSE] = people
    s.nobles_at[me, WINDROSE] = nobles
    s.amount = room
    s.place = EMPTY
    s.phase = Phase.PLACE


@kernel
def to_next_place(s, me):
    """On to the seat's next place with a slot; False after the last."""
    place = int(s.place) + 1
    last = last_building(s)
    while place < WINDROSE:
        if place == last:
            place = FIRST_TILE
        here = slots(s, me, place)
        if here > 0:
            s.place = place
            s.amount -= here
            return True
        place += 1
    return False


@kernel
def fewest_here(s, me):  # PR-MAYOR-2
    """The minimum: the remaining ones must fit into the later slots."""
    return max(0, min(slots(s, me, int(s.place)), s.workers[me, WINDROSE] - s.amount))


@kernel
def most_here(s, me):
    return min(slots(s, me, int(s.place)), int(s.workers[me, WINDROSE]))


@kernel
def begin_place(s, me):
    """Places with only one possible number are filled at once. When nobody is left, the other places stay empty."""
    while s.workers[me, WINDROSE] > 0 and to_next_place(s, me):
        fewest = fewest_here(s, me)
        if fewest < most_here(s, me):
            return True
        do_place(s, me, fewest)
        if s.phase != Phase.PLACE:
            return False
    end_placing(s)
    return False


@kernel
def allow_place(s, me, mask):
    fewest, most = fewest_here(s, me), most_here(s, me)
    for count in range(fewest, most + 1):
        allow(mask, PLACE_AT[s.place] + count, True)
    return most - fewest + 1


@kernel
def do_place(s, me, count):  # PR-MAYOR-2
    place = int(s.place)
    s.workers[me, WINDROSE] -= count
    s.workers[me, place] = count
    if s.nobles_at[me, WINDROSE] > 0:
        s.phase = Phase.PLACE_NOBLES


@kernel
def fewest_nobles(s, me):  # PR-NO-2
    """The people here beyond the seat's colonists must be nobles."""
    colonists = s.workers[me, WINDROSE] + s.workers[me, s.place] - s.nobles_at[me, WINDROSE]
    return max(0, s.workers[me, s.place] - colonists)


@kernel
def most_nobles(s, me):
    return min(int(s.workers[me, s.place]), int(s.nobles_at[me, WINDROSE]))


@kernel
def begin_place_nobles(s, me):
    fewest = fewest_nobles(s, me)
    if fewest < most_nobles(s, me):
        return True
    do_place_nobles(s, me, fewest)
    return False


@kernel
def allow_place_nobles(s, me, mask):
    fewest, most = fewest_nobles(s, me), most_nobles(s, me)
    for count in range(fewest, most + 1):
        allow(mask, FIRST[Kind.NOBLES] + count, True)
    return most - fewest + 1


@kernel
def do_place_nobles(s, me, count):
    s.nobles_at[me, WINDROSE] -= count
    s.nobles_at[me, s.place] = count
    s.phase = Phase.PLACE


@kernel
def end_placing(s):
    s.place = EMPTY
    s.amount = 0
    if next_seat(s):
        begin_placing(s)
    else:
        end_mayor(s)


@kernel
def empty_slots(s):  # PR-MAYOR-3
    """On buildings of all players."""
    count = 0
    last = last_building(s)
    for seat in range(s.players):
        for building in range(last):
            if s.built[seat, building]:
                count += SLOTS[building] - s.workers[seat, building]
    return count


@kernel
def end_mayor(s):
    do_fill_ship(s, max(int(s.players), empty_slots(s)))
    s.turns = 0
    s.phase = Phase.ROLE


@kernel
def do_fill_ship(s, wanted):  # PR-MAYOR-3, PR-NO-2
    if s.nobles_left > 0:
        s.nobles_left -= 1
        s.ship_nobles += 1
        wanted -= 1
    coming = min(wanted, int(s.colonists_left))
    s.colonists_left -= coming
    s.ship_colonists += coming
    if coming < wanted and not s.nobles:  # PR-NO-1
        s.last_round = 1
