"""Guests of the guest house: sent to work when the moment has come at which it pays."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import FIRST, PASS, Kind
from tradewinds.envs.puerto_rico.rules.common import goods_held
from tradewinds.envs.puerto_rico.rules.guests import MATTERS, is_of_use
from tradewinds.envs.puerto_rico.rules.storage import stored_goods
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import (
    EMPTY,
    FACTORY_DOUBLOONS,
    FIRST_TILE,
    LARGE_PLANT,
    QUARRIES,
    SMALL_PLANT,
    WINDROSE,
    Building,
    Good,
)

from .outlook import look_at_large, use
from .scratch import GOOD_OF, KINDS, MONEY, PLANTS, STORE, UNIT

WAIT = 0.15  # what a guest is worth who waits for a better moment


@kernel
def at_once(s, me, place, w, scratch):
    """What a guest brings at a place in the phase that runs now."""
    phase = s.phase
    if phase == Phase.PRODUCTION:
        if place == Building.FACTORY:
            return FACTORY_DOUBLOONS[int(scratch[KINDS])] * scratch[MONEY]
        if place >= FIRST_TILE:
            good = place - FIRST_TILE
            if good == Good.CORN:
                return scratch[UNIT]
            hands = int(s.workers[me, LARGE_PLANT[good]])
            if SMALL_PLANT[good] != EMPTY:
                hands += s.workers[me, SMALL_PLANT[good]]
            return scratch[UNIT + good] if hands > s.workers[me, place] else -0.1
        if place < PLANTS:
            good = GOOD_OF[place]
            hands = int(s.workers[me, LARGE_PLANT[good]])
            if SMALL_PLANT[good] != EMPTY:
                hands += s.workers[me, SMALL_PLANT[good]]
            return scratch[UNIT + good] if hands < s.workers[me, FIRST_TILE + good] else -0.1
        return scratch[MONEY]
    if phase == Phase.BUILD:
        return scratch[MONEY] * (1.0 if place == QUARRIES or place == Building.LIBRARY else 0.5)
    if phase == Phase.LOAD:
        return 0.5 * goods_held(s, me)
    if phase == Phase.STORAGE:
        return scratch[STORE] * (goods_held(s, me) - stored_goods(s, me))
    if phase == Phase.FINAL:
        return use(place, w, scratch)
    return 0.6


@kernel
def rate_guests(s, me, mask, w, scratch, values):
    """Beside the other actions: a guest who helps now is sent before the rest is decided, any other one waits."""
    best = values[PASS] if mask[PASS] else -1000.0
    for action in range(FIRST[Kind.GUEST]):
        if mask[action]:
            best = max(best, values[action])
    if s.phase == Phase.FINAL:
        look_at_large(s, me, w, scratch)
    for place in range(WINDROSE):
        action = FIRST[Kind.GUEST] + place
        if mask[action]:
            gain = -0.3
            if MATTERS[s.phase, place] and is_of_use(s, me, place):
                gain = at_once(s, me, place, w, scratch) - WAIT
            values[action] = best + gain
