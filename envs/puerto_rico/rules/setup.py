"""Setup (PR-SET, PR-NB-DRAFT-1, PR-NO-1)."""

from ...core.engine.kernel import kernel
from ..state import Phase
from ..tables import (
    ALL_COLONISTS,
    ALL_NOBLES,
    BASE_BUILDINGS,
    BUILDINGS,
    CHIPS,
    COLONISTS,
    CORN,
    EMPTY,
    FEWER_GOODS,
    FEWER_TILES,
    FIRST_INDIGO,
    GOODS,
    GOODS_SUPPLY,
    INDIGO,
    IS_NOBLES,
    IS_PRODUCTION,
    PLANTATIONS,
    QUARRY_TILES,
    START_DOUBLOONS,
)
from .draft import copies, do_draft_at_random
from .plantations import do_lay
from .settler import do_open_row

AT_RANDOM = 1  # the value of `draft`


@kernel
def setup(s, stream):
    players = int(s.players)
    s.role = EMPTY
    s.role_owner[:] = EMPTY
    s.cargo[:] = EMPTY
    s.drawn[:] = EMPTY
    s.place = EMPTY
    s.guest_to = EMPTY
    s.good = EMPTY
    s.pending = EMPTY
    for good in range(GOODS):  # PR-SET-1, PR-SET-2
        s.goods_left[good] = GOODS_SUPPLY[good] - (FEWER_GOODS if players == 2 else 0)
        s.stack[good] = PLANTATIONS[good] - (FEWER_TILES if players == 2 else 0)
    s.quarries_left = QUARRY_TILES - (FEWER_TILES if players == 2 else 0)
    s.chips_left = CHIPS[players]
    do_lay_out_people(s, players)
    for seat in range(players):
        s.doubloons[seat] = START_DOUBLOONS[players]
        first = INDIGO if seat < FIRST_INDIGO[players] else CORN
        s.stack[first] -= 1
        do_lay(s, seat, first)
    do_open_row(s, stream)
    do_lay_out_buildings(s, stream)


@kernel
def do_lay_out_people(s, players):
    if s.nobles:  # PR-NO-1
        s.colonists_left = ALL_COLONISTS - (players - 1)
        s.ship_colonists = players - 1
        s.nobles_left = ALL_NOBLES - 1
        s.ship_nobles = 1
    else:
        s.colonists_left = COLONISTS[players]
        s.ship_colonists = players


@kernel
def do_lay_out_buildings(s, stream):  # PR-SET-2, PR-NB-DRAFT-1, PR-NO-3
    for building in range(BUILDINGS):
        if IS_NOBLES[building]:
            is_there = s.nobles
        elif IS_PRODUCTION[building]:
            is_there = 1
        else:
            is_there = building < BASE_BUILDINGS and not s.new_buildings
        if is_there:
            s.buildings_left[building] = copies(s, building)
    s.phase = Phase.ROLE
    if s.new_buildings:
        if s.draft == AT_RANDOM:
            do_draft_at_random(s, stream)
        else:
            s.phase = Phase.DRAFT
