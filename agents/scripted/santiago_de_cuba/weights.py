"""The weights of each style, one number per weight and number of players, in victory points unless stated otherwise."""

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from tradewinds.envs.santiago_de_cuba.tables import BUILDINGS


class Weight(IntEnum):
    """Indices into a style's row of weights."""

    # Goods
    NEAR_2 = 0  # a good in hand that the ship wants, while the marker is at 2
    NEAR_3 = 1
    NEAR_4 = 2
    CONTEST = 3  # share of that which is lost if the opponents hold as much of the good as the ship wants
    FAR_RAW = 4  # sugar or tobacco that this ship does not want, early in the game
    FAR_MADE = 5  # rum or cigars
    FAR_FRUIT = 6
    FAR_WOOD = 7
    DECLINE = 8  # what each further piece of the same good, not wanted now, is worth less
    HALF_LIFE = 9  # ships to come at which the future counts half
    CAFE = 10  # rum or cigars at any time, for a later visit to the café
    # Pesos
    PESO_FEW = 11  # each of the first three
    PESO_SOME = 12  # each of the next three
    PESO_MANY = 13  # each one more
    PESO_LAST = 14  # share of that which is left on the last ship
    # Opponents
    SPITE = 15  # a point of an opponent, counted against mine; shared by all opponents
    OWNER = 16  # the point that the owner of a building gets for my visit
    # The port
    PORT = 17  # share of my gain in a round that I start
    PORT_THEIRS = 18  # share of the opponents' gain in it
    PORT_CONTEST = 19  # share of a second and later good that opponents take before me, if they hold what the ship wants of it
    HOLD_2 = 20  # in a round at 2: a wanted good kept for the next round
    HOLD_3 = 21
    FILLING = 22  # share of that which is lost if the opponents can fill the ship in this round
    URGENCY = 23  # share of what waiting may lose that counts for delivering now
    RISE = 24  # share of the gain when the marker rises and I have passed the port
    ROLL = 25  # to be the one who rolls for the next ship
    SIZE = 26  # each piece that a new ship wants
    # The street
    LEAVE_1 = 27  # share of the worth of the next Cuban, free for the next player
    LEAVE_2 = 28  # ... of the second next
    ZORRO = 29  # what one opponent hands over
    NEWS = 30  # the newspaper's hold on a Cuban
    CLAIM = 31  # the points that all buildings of a flower bring their owners, for each ship and opponent
    APPEAL = 32  # by building, twelve numbers: how it is liked beside the others of its flower; only their relation counts


SIZE = int(Weight.APPEAL) + BUILDINGS
FEWEST = 2  # players that the first numbers are for

Row = Mapping[Weight, tuple[float, ...]]

# How well each building is liked: found together with the numbers below.
APPEAL = (0.68, 1.0, 0.32, 0.31, 0.37, 0.37, 0.79, 0.22, 0.27, 0.19, 0.7, 0.46)

# Found by playing many games between rows, each against older ones: for two, three and four players.
BALANCED: Row = {
    Weight.NEAR_2: (1.76, 1.72, 1.68),
    Weight.NEAR_3: (1.97, 1.95, 1.94),
    Weight.NEAR_4: (1.98, 2.08, 2.19),
    Weight.CONTEST: (0.46, 0.57, 0.67),
    Weight.FAR_RAW: (1.36, 1.31, 1.25),
    Weight.FAR_MADE: (1.35, 1.45, 1.56),
    Weight.FAR_FRUIT: (1.02, 1.0, 0.97),
    Weight.FAR_WOOD: (0.87, 0.78, 0.69),
    Weight.DECLINE: (0.04, 0.04, 0.04),
    Weight.HALF_LIFE: (1.28, 1.11, 0.95),
    Weight.CAFE: (0.23, 0.21, 0.19),
    Weight.PESO_FEW: (0.97, 0.91, 0.85),
    Weight.PESO_SOME: (0.63, 0.63, 0.63),
    Weight.PESO_MANY: (0.31, 0.34, 0.37),
    Weight.PESO_LAST: (0.21, 0.19, 0.17),
    Weight.SPITE: (0.66, 0.86, 1.07),
    Weight.OWNER: (0.66, 0.47, 0.28),
    Weight.PORT: (0.69, 0.78, 0.88),
    Weight.PORT_THEIRS: (0.39, 0.38, 0.38),
    Weight.PORT_CONTEST: (0.4, 0.42, 0.43),
    Weight.HOLD_2: (1.87, 1.9, 1.92),
    Weight.HOLD_3: (2.74, 2.73, 2.72),
    Weight.FILLING: (0.35, 0.36, 0.37),
    Weight.URGENCY: (0.21, 0.27, 0.32),
    Weight.RISE: (0.69, 0.69, 0.7),
    Weight.ROLL: (0.2, 0.17, 0.14),
    Weight.SIZE: (0.13, 0.1, 0.07),
    Weight.LEAVE_1: (0.06, 0.04, 0.02),
    Weight.LEAVE_2: (0.02, 0.03, 0.05),
    Weight.ZORRO: (0.87, 0.75, 0.62),
    Weight.NEWS: (0.26, 0.28, 0.3),
    Weight.CLAIM: (0.77, 0.65, 0.52),
}

# How other styles differ: factors on the numbers above.
SHIPPER = {  # fills its store for the ship, waits for a price above 2, and does not mind what others deliver
    Weight.NEAR_2: 1.3,
    Weight.NEAR_3: 1.3,
    Weight.NEAR_4: 1.3,
    Weight.PORT: 1.8,
    Weight.HOLD_2: 1.3,
    Weight.CAFE: 0.3,
    Weight.CLAIM: 0.7,
    Weight.SPITE: 0.6,
    Weight.PORT_THEIRS: 0.5,
}
LAWYER = {  # owns buildings, and makes life hard for those who have goods to deliver
    Weight.CLAIM: 2.5,
    Weight.OWNER: 2.5,
    Weight.SPITE: 2.5,
    Weight.NEWS: 2.5,
    Weight.NEAR_2: 0.7,
    Weight.NEAR_3: 0.7,
    Weight.NEAR_4: 0.7,
    Weight.PORT: 0.9,
    Weight.PORT_THEIRS: 1.5,
}

# Only the immediate gain of an action: all goods are worth the same, and opponents are ignored.
GREEDY: Row = dict.fromkeys(Weight, (0.0,) * 3) | {
    Weight.NEAR_2: (0.8,) * 3,
    Weight.NEAR_3: (0.8,) * 3,
    Weight.NEAR_4: (0.8,) * 3,
    Weight.FAR_RAW: (0.7,) * 3,
    Weight.FAR_MADE: (0.7,) * 3,
    Weight.FAR_FRUIT: (0.7,) * 3,
    Weight.FAR_WOOD: (0.5,) * 3,
    Weight.HALF_LIFE: (0.1,) * 3,
    Weight.PESO_FEW: (0.3,) * 3,
    Weight.PESO_SOME: (0.3,) * 3,
    Weight.PESO_MANY: (0.3,) * 3,
    Weight.PESO_LAST: (1.0,) * 3,
    Weight.PORT: (1.0,) * 3,
    Weight.ZORRO: (0.3,) * 3,
    Weight.CLAIM: (0.1,) * 3,
}


def style(row: Row, factors: Mapping[Weight, float] | None = None) -> np.ndarray:
    """The weights as kernels take them: for two, three and four players one after the other."""
    factors = factors or {}
    single = [weight for weight in Weight if weight != Weight.APPEAL]
    parts = [[*(row[weight][count] * factors.get(weight, 1.0) for weight in single), *APPEAL] for count in range(3)]
    return np.array(parts, np.float64).ravel()
