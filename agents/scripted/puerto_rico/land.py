"""The settler: plantations, quarries, forests; and the buildings that draw or discard tiles."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import AS_FOREST, AS_PLANTATION, FIRST, NOBODY, PASS, Kind
from tradewinds.envs.puerto_rico.rules.common import has_island_room, has_noble, is_working
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import FIRST_TILE, GOODS, ISLAND, PLANTATIONS, QUARRY, Building

from .outlook import quarry_worth, tile_worth
from .scratch import NEXT_PAIR, STAGE
from .weights import W


@kernel
def forest_worth(w, scratch):
    """Every second one takes a doubloon off."""
    return w[W.FOREST] * scratch[STAGE]


@kernel
def drawn_worth(w, scratch):
    """An unseen tile from the stacks: the mean over all plantations of the game, without tracking which are left."""
    total, tiles = 0.0, 0
    for good in range(GOODS):
        total += PLANTATIONS[good] * tile_worth(good, w, scratch)
        tiles += PLANTATIONS[good]
    return total / tiles


@kernel
def island_place(s, me, scratch):
    """What an empty place is worth: the last ones are kept for better tiles."""
    return 0.1 * scratch[STAGE] * max(0, s.island[me] - ISLAND + 4)


@kernel
def best_tile(s, me, may_quarry, w, scratch):
    """The best of the tiles that lie open, or a quarry."""
    if not has_island_room(s, me):
        return 0.0
    best = 0.0
    for good in range(GOODS):
        if s.face_up[good] > 0:
            best = max(best, tile_worth(good, w, scratch))
    if (may_quarry or is_working(s, me, Building.CONSTRUCTION_HUT)) and s.quarries_left > 0:
        best = max(best, quarry_worth(int(s.tiles[me, QUARRY]), s, me, w, scratch))
    return best


@kernel
def rate_tiles(s, me, w, scratch, values):
    place = island_place(s, me, scratch)
    values[PASS] = 0.0
    values[FIRST[Kind.TAKE_QUARRY]] = quarry_worth(int(s.tiles[me, QUARRY]), s, me, w, scratch) - place
    for good in range(GOODS):
        values[FIRST[Kind.TAKE_PLANTATION] + good] = tile_worth(good, w, scratch) - place
    if s.new_buildings:
        for good in range(GOODS):
            # A tile that others would like is taken away with it.
            values[FIRST[Kind.TAKE_FOREST] + good] = forest_worth(w, scratch) - place + 0.01 * good
    if s.phase == Phase.HACIENDA:
        values[FIRST[Kind.DRAW]] = drawn_worth(w, scratch) - place


@kernel
def rate_laying(s, me, w, scratch, values):
    values[FIRST[Kind.LAY] + AS_PLANTATION] = tile_worth(int(s.drawn[me]), w, scratch)
    values[FIRST[Kind.LAY] + AS_FOREST] = forest_worth(w, scratch)


@kernel
def rate_discards(s, me, mask, gain, w, scratch, values):
    """What gives way: a plantation without work, more so if it is one of many. Who stood there is free for another place only later."""
    crowded = 0.3 if s.island[me] == ISLAND and scratch[STAGE] > 0.2 else 0.0
    lodge = 0.2 if s.phase == Phase.LODGE and has_noble(s, me, Building.HUNTING_LODGE) else 0.0
    for good in range(GOODS):
        tile = max(0.1, tile_worth(good, w, scratch)) if s.workers[me, FIRST_TILE + good] < s.tiles[me, good] else scratch[NEXT_PAIR + good]
        for who in range(NOBODY, NOBODY + 3):
            action = FIRST[Kind.DISCARD] + 3 * good + who
            if mask[action]:
                values[action] = gain + crowded + lodge - tile
                if who != NOBODY:
                    values[action] -= 0.5 * scratch[NEXT_PAIR + good] + w[W.SLOT]


@kernel
def rate_lodge(s, me, mask, w, scratch, values):
    values[PASS] = 0.0
    rate_discards(s, me, mask, 0.0, w, scratch, values)
    for good in range(GOODS):
        values[FIRST[Kind.DISCARD_FOREST] + good] = -forest_worth(w, scratch) - 0.1
