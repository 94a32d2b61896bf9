"""The mayor: who comes, and who works where."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import A_COLONIST, A_NOBLE, FIRST, PASS, PLACE_AT, Kind
from tradewinds.envs.puerto_rico.rules.common import last_building
from tradewinds.envs.puerto_rico.rules.mayor import most_here
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import (
    COLUMN,
    EMPTY,
    FIRST_TILE,
    GOODS,
    LARGE_COLUMN,
    LARGE_PLANT,
    QUARRIES,
    SLOTS,
    SMALL_PLANT,
    WINDROSE,
    Building,
    Good,
)

from .outlook import look_at_large, quarry_worth, slot_use
from .scratch import FIRST_LARGE, GOOD_OF, HOLD, KINDS, LEFT, NEXT_PAIR, PAIR, PLANTS, ROOM_OF, SLOT_VALUES, STAGE, TILES_OF
from .weights import W

NOBLE = 1.0  # PR-NO-2: points at the end


@kernel
def pair_worth(good, number, scratch):
    """The pair of that number of a good, from 0."""
    return scratch[PAIR + good] if number == 0 else scratch[NEXT_PAIR + good] * (1.0 - 0.03 * number)


@kernel
def people_in_plants(s, me, good, place):
    """Those who have been placed in a good's plants before the place that is asked for."""
    count = 0
    if SMALL_PLANT[good] != EMPTY and SMALL_PLANT[good] < place:
        count += int(s.workers[me, SMALL_PLANT[good]])
    if LARGE_PLANT[good] != EMPTY and LARGE_PLANT[good] < place:
        count += int(s.workers[me, LARGE_PLANT[good]])
    return count


@kernel
def plant_slot(good, number, w, scratch):
    """The slot of that number of all of a good's plants: half a pair, if a plantation is there for it."""
    if number < scratch[TILES_OF + good]:
        return 0.5 * pair_worth(good, number, scratch) + w[W.SLOT]
    return w[W.SLOT]


@kernel
def tile_slot(good, number, are_plants_done, w, scratch):
    """The plantation of that number: half a pair, or a whole one when its plant is occupied already."""
    if good == Good.CORN:
        return pair_worth(good, number, scratch) + w[W.SLOT]
    if are_plants_done:
        return (pair_worth(good, number, scratch) if number < scratch[HOLD + good] else 0.0) + w[W.SLOT]
    if number < scratch[ROOM_OF + good]:
        return 0.5 * pair_worth(good, number, scratch) + w[W.SLOT]
    return w[W.SLOT]


@kernel
def slot_at(s, me, place, number, are_plants_done, w, scratch):
    """What the slot of that number at a place is worth."""
    if place == QUARRIES:
        return quarry_worth(number, s, me, w, scratch)
    if place >= FIRST_TILE:
        return tile_slot(place - FIRST_TILE, number, are_plants_done, w, scratch)
    if place < PLANTS:
        good = GOOD_OF[place]
        return plant_slot(good, int(scratch[HOLD + good]) + number, w, scratch)
    return w[W.SLOT] + slot_use(place, w, scratch)


@kernel
def rate_placing(s, me, w, scratch, values):
    """The slots still to come by their worth: those here that are among the best, as many as there are people, are filled.

    Plants are asked for before plantations, so a plant's slot counts as half of the pair it makes possible.
    """
    here = int(s.place)
    most = int(most_here(s, me))
    people = int(s.workers[me, WINDROSE])
    are_plants_done = here >= PLANTS
    for good in range(1, GOODS):
        scratch[HOLD + good] = people_in_plants(s, me, good, here)
    last = last_building(s)
    if here < last:
        for building in range(max(here, FIRST_LARGE), last):
            if COLUMN[building] == LARGE_COLUMN and s.built[me, building]:
                look_at_large(s, me, w, scratch)
                break
    count = 0
    if here < last:
        for building in range(here + 1, last):
            if s.built[me, building]:
                # The large plant of a good counts on from its small one, if that is asked for now.
                offset = most if building < PLANTS and here < PLANTS and GOOD_OF[building] == GOOD_OF[here] else 0
                for number in range(SLOTS[building]):
                    scratch[SLOT_VALUES + count] = slot_at(s, me, building, number + offset, are_plants_done, w, scratch)
                    count += 1
    for place in range(max(FIRST_TILE, here + 1), WINDROSE):
        for number in range(s.tiles[me, place - FIRST_TILE]):
            scratch[SLOT_VALUES + count] = slot_at(s, me, place, number, are_plants_done, w, scratch)
            count += 1
    total = 0.0
    first = PLACE_AT[here]
    values[first] = 0.0
    for number in range(most):
        own = slot_at(s, me, here, number, are_plants_done, w, scratch)
        better, spare = 0, 0.0
        for other in range(count):
            if scratch[SLOT_VALUES + other] > own:
                better += 1
            else:
                spare = max(spare, scratch[SLOT_VALUES + other])
        if better + number < people:
            total += own - spare if better + number + 1 >= people else own
        else:
            total -= 0.05 + 0.1 * (better + number + 1 - people)
        values[first + number + 1] = total


@kernel
def noble_worth(s, me, place, scratch):
    """A noble rather than a colonist at a place."""
    if place == Building.CHAPEL:
        return 0.3 * scratch[LEFT]
    if place == Building.HUNTING_LODGE:
        for other in range(s.players):
            if other != me and s.island[other] <= s.island[me]:
                return 0.0
        return 0.5 * scratch[LEFT]
    if place == Building.ZONING_OFFICE:
        return 0.5 if s.doubloons[me] + s.workers[me, QUARRIES] >= 6 else -0.2
    if place == Building.LAND_OFFICE:
        return -0.3
    return 0.0


@kernel
def rate_nobles(s, me, scratch, values):
    """Nobles go where they do more than a colonist; elsewhere they wait for such a place."""
    here = noble_worth(s, me, int(s.place), scratch)
    best = 0.0
    for building in range(int(s.place) + 1, last_building(s)):
        if s.built[me, building]:
            best = max(best, noble_worth(s, me, building, scratch))
    for count in range(s.workers[me, s.place] + 1):
        values[FIRST[Kind.NOBLES] + count] = count * (here - best - 0.01)


@kernel
def rate_person(s, me, w, scratch, values):
    """A colonist, a noble or nobody."""
    phase = s.phase
    colonist = w[W.SLOT] + 0.3 * w[W.COLONIST] * scratch[STAGE]
    noble = colonist + NOBLE + 0.1 * scratch[KINDS] * scratch[STAGE]
    if s.guest_to != EMPTY:
        noble = noble_worth(s, me, int(s.guest_to), scratch)
        colonist = 0.0
    elif phase == Phase.PAY_COLONIST:
        colonist, noble = 0.0, -NOBLE
    values[PASS] = 0.0
    values[A_COLONIST] = colonist
    values[A_NOBLE] = noble
