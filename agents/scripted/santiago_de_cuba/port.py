"""The port: whether to start a delivery round, and what to deliver in one."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.santiago_de_cuba.actions import ARGUMENTS, FIRST, Kind
from tradewinds.envs.santiago_de_cuba.tables import DEMANDED_GOODS, HIGHEST_VALUE, WOOD_POINTS

from .weights import Weight
from .worth import FAR, HOLD_AT, KEPT, MINE, NEAR, NEAR_AT, OTHERS, SPITE, THEIRS, WOOD


@kernel
def round_worth(s, me, w, scratch, value):
    """A round that I start, at this value: my first good is safe, of the others the opponents take some before me."""
    mine, theirs, safe, gap = 0.0, 0.0, 0.0, 0.0
    for good in range(DEMANDED_GOODS):
        demand = s.demand[good]
        if demand > 0:
            held, hidden = scratch[MINE + good], scratch[THEIRS + good]
            gain = held * max(value - scratch[NEAR + good], 0.0)
            lost = gain * w[Weight.PORT_CONTEST] * hidden / demand
            safe = max(safe, lost)
            mine += gain - lost
            theirs += min(hidden, demand - held) * max(value - w[NEAR_AT + value], 0.0)
            gap += max(demand - held - hidden, 0.0)
    wood = min(gap, s.goods[me, WOOD]) * max(WOOD_POINTS - scratch[FAR + WOOD], 0.0)
    return w[Weight.PORT] * (mine + safe + wood) - w[Weight.PORT_THEIRS] * scratch[SPITE] * theirs


@kernel
def write_kept(s, w, scratch):
    """What a wanted piece is worth if I keep it: at 4 the ship leaves after this round, and before that it may be filled."""
    gap = 0.0
    for good in range(DEMANDED_GOODS):
        gap += s.demand[good] - scratch[THEIRS + good]
    stays = 1.0 - w[Weight.FILLING] / (1.0 + gap)
    for good in range(DEMANDED_GOODS):
        far = scratch[FAR + good]
        scratch[KEPT + good] = far
        if s.value < HIGHEST_VALUE and s.demand[good] > 0:
            hope = w[HOLD_AT + s.value] - far
            if hope > 0.0:
                scratch[KEPT + good] = far + hope * stays * (1.0 - w[Weight.CONTEST] * scratch[THEIRS + good] / s.demand[good])


@kernel
def denied(s, scratch, good, count):
    """Pieces that the opponents could have delivered and then cannot."""
    return scratch[THEIRS + good] - min(scratch[OTHERS + good], s.demand[good] - count)


@kernel
def rate_deliveries(s, me, mask, w, scratch, values):
    write_kept(s, w, scratch)
    rivals = 0
    for seat in range(s.players):
        if seat != me and not s.passed[seat]:
            rivals += 1
    haste = w[Weight.URGENCY] * rivals / (s.players - 1)
    for action in range(FIRST[Kind.DELIVER], FIRST[Kind.DELIVER + 1]):
        if mask[action]:
            good, count = ARGUMENTS[action, 0], ARGUMENTS[action, 1]
            gain = s.value - scratch[KEPT + good]
            safe = s.demand[good] - scratch[THEIRS + good]
            value = count * gain + denied(s, scratch, good, count) * scratch[SPITE] * (s.value - scratch[FAR + good])
            if gain > 0.0 and count > safe:
                value += haste * (count - safe) * (s.value - scratch[FAR + good])
            values[action] = value
    if s.goods[me, WOOD] > 0:
        rate_wood(s, me, mask, w, scratch, values)
    values[FIRST[Kind.PASS]] = 0.0


@kernel
def rate_wood(s, me, mask, w, scratch, values):
    """Wood takes the place of goods, perhaps of my own."""
    for action in range(FIRST[Kind.WOOD], FIRST[Kind.WOOD + 1]):
        if mask[action]:
            good, count = ARGUMENTS[action, 0], ARGUMENTS[action, 1]
            own = max(scratch[MINE + good] - (s.demand[good] - count), 0.0)
            lost = own * (max(float(s.value), scratch[KEPT + good]) - scratch[FAR + good])
            gain = count * (WOOD_POINTS - scratch[FAR + WOOD]) - lost
            values[action] = gain + denied(s, scratch, good, count) * scratch[SPITE] * (s.value - scratch[FAR + good])
