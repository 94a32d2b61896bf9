"""Setup (SC-SET)."""

from ...core.engine.kernel import kernel
from ...core.engine.rng import below, shuffle
from ..tables import (
    BUILDINGS,
    CUBANS,
    EMPTY,
    GOODS,
    LOWEST_VALUE,
    MARKERS,
    PORT,
    SITES_OF_A_FLOWER,
    START_GOODS,
    START_PESOS,
    START_POINTS,
    SUPPLY,
)
from .ship import begin_roll


@kernel
def setup(s, stream):
    for stop in range(CUBANS):
        s.street[stop] = stop
    for site in range(BUILDINGS):
        s.sites[site] = site
    shuffle(stream, s.sites)  # SC-SET-1
    shuffle(stream, s.street)  # SC-SET-1, SC-SET-2
    for site in range(BUILDINGS):
        s.flower[s.sites[site]] = site // SITES_OF_A_FLOWER
    s.owner[:] = EMPTY
    s.pawn[:] = EMPTY
    s.building = EMPTY
    s.aside = EMPTY
    s.car = PORT  # SC-SET-2
    s.supply[:] = SUPPLY
    for seat in range(s.players):  # SC-SET-3
        s.pesos[seat] = START_PESOS
        s.points[seat] = START_POINTS
        s.markers[seat] = MARKERS
        for good in range(GOODS):
            s.goods[seat, good] = START_GOODS[good]
            s.supply[good] -= START_GOODS[good]
    s.ship = 1  # SC-SET-4
    s.value = LOWEST_VALUE  # SC-SET-4
    # SC-SET-5: the player to the first player's right rolls, as if in a turn before the first.
    first = below(stream, s.players)
    s.active = (first + s.players - 1) % s.players
    s.turn = -1
    begin_roll(s, stream)
