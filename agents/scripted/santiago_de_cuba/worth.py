"""What goods, pesos and the ship in port are worth to a seat: computed once per decision."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.santiago_de_cuba.state import Phase
from tradewinds.envs.santiago_de_cuba.tables import DEMANDED_GOODS, GOODS, GOODS_FOR_A_POINT, HIGHEST_VALUE, SHIPS, SUPPLY, Good

from .weights import Weight

# Layout of the scratch memory. By good:
NEAR = 0  # a piece that the ship wants
FAR = 6  # a piece that it does not want
OTHERS = 12  # how many the opponents hold together
MINE = 18  # how many of mine the ship wants
THEIRS = 24  # how many of the opponents' it wants
KEPT = 30  # in a delivery round: a wanted piece kept for later
# Single numbers:
PURSE = 36  # what pesos are worth now, as a share of their worth early in the game
SPITE = 37  # a point of any opponent, counted against mine
MY_STAKE = 38  # my pieces that the ship wants
THEIR_STAKE = 39
MY_LOSS = 40  # what I lose if the ship leaves now
THEIR_LOSS = 41
STOP = 42  # by stop, the port first: what its Cuban gives

LEAST = 1.0 / GOODS_FOR_A_POINT  # SC-END-2: any piece, at the end
NEAR_AT = int(Weight.NEAR_2) - 2  # + the marker's value
HOLD_AT = int(Weight.HOLD_2) - 2

# Kernels are compiled once per argument type, so goods and counts are passed as plain integers.
SUGAR, TOBACCO, RUM, CIGARS = int(Good.SUGAR), int(Good.TOBACCO), int(Good.RUM), int(Good.CIGARS)
FRUIT, WOOD = int(Good.FRUIT), int(Good.WOOD)


@kernel
def write_worth(s, me, w, scratch):
    """All that depends on the ship, the supply and my own goods, and not on the action."""
    to_come = max(SHIPS - s.ship, 0)
    future = to_come / (to_come + w[Weight.HALF_LIFE])
    scratch[PURSE] = w[Weight.PESO_LAST] + (1.0 - w[Weight.PESO_LAST]) * future
    scratch[SPITE] = w[Weight.SPITE] / (s.players - 1)
    scratch[FAR + SUGAR] = LEAST + (w[Weight.FAR_RAW] - LEAST) * future
    scratch[FAR + TOBACCO] = scratch[FAR + SUGAR]
    scratch[FAR + RUM] = LEAST + (w[Weight.FAR_MADE] - LEAST) * future + w[Weight.CAFE]
    scratch[FAR + CIGARS] = scratch[FAR + RUM]
    scratch[FAR + FRUIT] = LEAST + (w[Weight.FAR_FRUIT] - LEAST) * future
    scratch[FAR + WOOD] = LEAST + (w[Weight.FAR_WOOD] - LEAST) * future
    for good in range(GOODS):
        scratch[OTHERS + good] = SUPPLY - s.supply[good] - s.goods[me, good]
    top = w[NEAR_AT + s.value]
    mine, theirs, my_loss, their_loss = 0, 0, 0.0, 0.0
    for good in range(DEMANDED_GOODS):
        demand = s.dice[good] if s.phase == Phase.DICE else s.demand[good]
        far = scratch[FAR + good]
        near = far
        scratch[MINE + good] = 0.0
        scratch[THEIRS + good] = 0.0
        if demand > 0:
            held = min(int(s.goods[me, good]), demand)
            hidden = min(SUPPLY - s.supply[good] - s.goods[me, good], demand)
            scratch[MINE + good] = held
            scratch[THEIRS + good] = hidden
            if top > far:
                near = far + (top - far) * (1.0 - w[Weight.CONTEST] * hidden / demand)
                their_loss += hidden * (top - far)
                my_loss += held * (near - far)
            mine += held
            theirs += hidden
        scratch[NEAR + good] = near
    scratch[MY_STAKE] = mine
    scratch[THEIR_STAKE] = theirs
    scratch[MY_LOSS] = my_loss
    scratch[THEIR_LOSS] = their_loss


@kernel
def piece_worth(s, w, scratch, good, number, in_port):
    """The `number`-th piece of a good, from 1, that I hold or would hold."""
    spare = number
    if in_port and good != WOOD:
        if number <= s.demand[good]:
            return scratch[NEAR + good]
        spare = number - s.demand[good]
    return max(scratch[FAR + good] - w[Weight.DECLINE] * (spare - 1), LEAST)


@kernel
def purse_worth(w, scratch, pesos):
    few = min(pesos, 3)
    some = min(pesos - few, 3)
    return scratch[PURSE] * (few * w[Weight.PESO_FEW] + some * w[Weight.PESO_SOME] + (pesos - few - some) * w[Weight.PESO_MANY])


@kernel
def rise_worth(s, w, scratch, flags):
    """What it is worth to me that the marker goes right by some flags; right of 4 the ship leaves."""
    if flags == 0 or not s.in_port:
        return 0.0
    if s.value + flags > HIGHEST_VALUE:
        return departure_worth(w, scratch)
    gain = w[NEAR_AT + s.value + flags] - w[NEAR_AT + s.value]
    return w[Weight.RISE] * gain * (scratch[MY_STAKE] - scratch[SPITE] * scratch[THEIR_STAKE])


@kernel
def departure_worth(w, scratch):
    return scratch[SPITE] * scratch[THEIR_LOSS] - scratch[MY_LOSS] + w[Weight.ROLL]
