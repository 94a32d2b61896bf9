"""What every legal action is worth to the seat that decides, in victory points."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.santiago_de_cuba.actions import FIRST, PESO, POINT, Kind
from tradewinds.envs.santiago_de_cuba.state import Phase
from tradewinds.envs.santiago_de_cuba.tables import BUILDINGS, DEMANDED_GOODS, FLOWER_OF_CUBAN, Building, Cuban

from .buildings import NEWS_REACH, best_use, rate_uses
from .port import rate_deliveries
from .street import claim_worth, entering_worth, owner_cost, rate_drives, write_street
from .weights import FEWEST, SIZE, Weight
from .worth import FAR, MINE, NEAR, NEAR_AT, SPITE, THEIRS, WOOD, piece_worth, purse_worth, write_worth


@kernel
def rate(s, me, mask, weights, scratch, values):
    """Write values[action] for every legal action: its worth to seat `me`. The best one is played."""
    start = (int(s.players) - FEWEST) * SIZE
    w = weights[start : start + SIZE]
    write_worth(s, me, w, scratch)
    phase = s.phase
    if phase == Phase.CAR:
        rate_drives(s, me, w, scratch, values)
    elif phase == Phase.PORT:
        rate_deliveries(s, me, mask, w, scratch, values)
    elif phase == Phase.PAWN:
        rate_entrances(s, me, mask, w, scratch, values)
    elif phase == Phase.BUILDING:
        if s.building == Building.NEWSPAPER:
            write_street(s, me, w, scratch, NEWS_REACH)
        rate_uses(s, me, mask, w, scratch, values)
    elif phase == Phase.DICE:
        rate_dice(s, w, scratch, values)
    elif phase == Phase.PABLO:
        rate_pablo(s, me, mask, w, scratch, values)
    elif phase == Phase.EL_ZORRO:
        rate_gifts(s, me, mask, w, scratch, values)
    else:
        rate_alonso(s, me, mask, w, scratch, values)


@kernel
def rate_dice(s, w, scratch, values):
    """A die put aside: I lose what I could deliver of the good, and so do the opponents."""
    for good in range(DEMANDED_GOODS):
        mine = scratch[MINE + good] * (scratch[NEAR + good] - scratch[FAR + good])
        theirs = scratch[THEIRS + good] * max(w[NEAR_AT + s.value] - scratch[FAR + good], 0.0)
        values[FIRST[Kind.ASIDE] + good] = scratch[SPITE] * theirs - mine - w[Weight.SIZE] * s.dice[good]


@kernel
def rate_pablo(s, me, mask, w, scratch, values):
    """A good, and the building that it would be of use in."""
    in_port = s.in_port != 0
    flower = int(FLOWER_OF_CUBAN[Cuban.PABLO])
    for good in range(DEMANDED_GOODS):
        action = FIRST[Kind.TAKE] + good
        if mask[action]:
            piece = piece_worth(s, w, scratch, good, int(s.goods[me, good]) + 1, in_port)
            values[action] = piece + entering_worth(s, me, w, scratch, flower, good, 1, int(s.pesos[me]), in_port)


@kernel
def rate_gifts(s, me, mask, w, scratch, values):
    """What I miss least, and the thief gains least by."""
    pesos = int(s.pesos[me])
    first = FIRST[Kind.GIVE]
    for good in range(DEMANDED_GOODS):
        if mask[first + good]:
            piece = piece_worth(s, w, scratch, good, int(s.goods[me, good]), s.in_port != 0)
            values[first + good] = -piece - scratch[SPITE] * scratch[NEAR + good]
    if mask[first + PESO]:
        few = purse_worth(w, scratch, 1)
        values[first + PESO] = purse_worth(w, scratch, pesos - 1) - purse_worth(w, scratch, pesos) - scratch[SPITE] * few
    values[first + POINT] = -1.0 - scratch[SPITE]


@kernel
def rate_alonso(s, me, mask, w, scratch, values):
    for building in range(BUILDINGS):
        claim, use = FIRST[Kind.CLAIM] + building, FIRST[Kind.USE_OWN] + building
        if mask[claim]:
            values[claim] = claim_worth(s, w, building)
        if mask[use]:
            values[use] = best_use(s, me, w, scratch, building, WOOD, 0, int(s.pesos[me]), s.in_port != 0)
    values[FIRST[Kind.NO_ALONSO]] = 0.0


@kernel
def rate_entrances(s, me, mask, w, scratch, values):
    for building in range(BUILDINGS):
        action = FIRST[Kind.ENTER] + building
        if mask[action]:
            use = best_use(s, me, w, scratch, building, WOOD, 0, int(s.pesos[me]), s.in_port != 0)
            values[action] = use - owner_cost(s, me, w, building)
