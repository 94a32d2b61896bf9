"""What goods, pesos and the ship in port are worth to a seat: noted once a decision, read by all that follows."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.santiago_de_cuba.state import Phase
from tradewinds.envs.santiago_de_cuba.tables import DEMANDED_GOODS, GOODS, GOODS_FOR_A_POINT, HIGHEST_VALUE, SHIPS, SUPPLY, Good

from .weights import Weight

# Where the notes hold what. By good:
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

# Kernels are compiled anew for every type they are called with, so goods and counts go from one to the other as plain integers.
SUGAR, TOBACCO, RUM, CIGARS = int(Good.SUGAR), int(Good.TOBACCO), int(Good.RUM), int(Good.CIGARS)
FRUIT, WOOD = int(Good.FRUIT), int(Good.WOOD)


@kernel
def note_worth(s, me, w, notes):
    """All that depends on the ship, the supply and my own goods, and not on the action."""
    to_come = max(SHIPS - s.ship, 0)
    future = to_come / (to_come + w[Weight.HALF_LIFE])
    notes[PURSE] = w[Weight.PESO_LAST] + (1.0 - w[Weight.PESO_LAST]) * future
    notes[SPITE] = w[Weight.SPITE] / (s.players - 1)
    notes[FAR + SUGAR] = LEAST + (w[Weight.FAR_RAW] - LEAST) * future
    notes[FAR + TOBACCO] = notes[FAR + SUGAR]
    notes[FAR + RUM] = LEAST + (w[Weight.FAR_MADE] - LEAST) * future + w[Weight.CAFE]
    notes[FAR + CIGARS] = notes[FAR + RUM]
    notes[FAR + FRUIT] = LEAST + (w[Weight.FAR_FRUIT] - LEAST) * future
    notes[FAR + WOOD] = LEAST + (w[Weight.FAR_WOOD] - LEAST) * future
    for good in range(GOODS):
        notes[OTHERS + good] = SUPPLY - s.supply[good] - s.goods[me, good]
    top = w[NEAR_AT + s.value]
    mine, theirs, my_loss, their_loss = 0, 0, 0.0, 0.0
    for good in range(DEMANDED_GOODS):
        demand = s.dice[good] if s.phase == Phase.DICE else s.demand[good]
        far = notes[FAR + good]
        near = far
        notes[MINE + good] = 0.0
        notes[THEIRS + good] = 0.0
        if demand > 0:
            held = min(int(s.goods[me, good]), demand)
            hidden = min(SUPPLY - s.supply[good] - s.goods[me, good], demand)
            notes[MINE + good] = held
            notes[THEIRS + good] = hidden
            if top > far:
                near = far + (top - far) * (1.0 - w[Weight.CONTEST] * hidden / demand)
                their_loss += hidden * (top - far)
                my_loss += held * (near - far)
            mine += held
            theirs += hidden
        notes[NEAR + good] = near
    notes[MY_STAKE] = mine
    notes[THEIR_STAKE] = theirs
    notes[MY_LOSS] = my_loss
    notes[THEIR_LOSS] = their_loss


@kernel
def piece_worth(s, w, notes, good, number, in_port):
    """The `number`-th piece of a good, from 1, that I hold or would hold."""
    spare = number
    if in_port and good != WOOD:
        if number <= s.demand[good]:
            return notes[NEAR + good]
        spare = number - s.demand[good]
    return max(notes[FAR + good] - w[Weight.DECLINE] * (spare - 1), LEAST)


@kernel
def purse_worth(w, notes, pesos):
    few = min(pesos, 3)
    some = min(pesos - few, 3)
    return notes[PURSE] * (few * w[Weight.PESO_FEW] + some * w[Weight.PESO_SOME] + (pesos - few - some) * w[Weight.PESO_MANY])


@kernel
def rise_worth(s, w, notes, flags):
    """What it is worth to me that the marker goes right by some flags; right of 4 the ship leaves."""
    if flags == 0 or not s.in_port:
        return 0.0
    if s.value + flags > HIGHEST_VALUE:
        return departure_worth(w, notes)
    gain = w[NEAR_AT + s.value + flags] - w[NEAR_AT + s.value]
    return w[Weight.RISE] * gain * (notes[MY_STAKE] - notes[SPITE] * notes[THEIR_STAKE])


@kernel
def departure_worth(w, notes):
    return notes[SPITE] * notes[THEIR_LOSS] - notes[MY_LOSS] + w[Weight.ROLL]
