"""What the bot's judgement hangs on: one number a weight and a number of players, all in victory points unless told otherwise."""

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from tradewinds.envs.santiago_de_cuba.tables import BUILDINGS


class Weight(IntEnum):
    """The numbers of a style, in the order of its row."""

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
    CAFE = 10  # rum or cigars at any time, in the hope of the café
    MAKING = 11  # share of the gain that sugar or tobacco has in prospect, while the ship wants what is made of it
    # Pesos
    PESO_FEW = 12  # each of the first three
    PESO_SOME = 13  # each of the next three
    PESO_MANY = 14  # each one more
    PESO_LAST = 15  # share of that which is left on the last ship
    # Opponents
    SPITE = 16  # a point of an opponent, counted against mine; shared by all opponents
    OWNER = 17  # the point that the owner of a building gets for my visit
    # The port
    PORT = 18  # share of my gain in a round that I start
    PORT_THEIRS = 19  # share of the opponents' gain in it
    PORT_CONTEST = 20  # share of a second and later good that opponents take before me, if they hold what the ship wants of it
    HOLD_2 = 21  # in a round at 2: a wanted good kept for the next round
    HOLD_3 = 22
    FILLING = 23  # share of that which is lost if the opponents can fill the ship in this round
    URGENCY = 24  # share of what waiting may lose that counts for delivering now
    RISE = 25  # share of the gain when the marker rises and I have passed the port
    ROLL = 26  # to be the one who rolls for the next ship
    SIZE = 27  # each piece that a new ship wants
    # The street
    LEAVE_1 = 28  # share of the worth of the next Cuban, free for the next player
    LEAVE_2 = 29  # ... of the second next
    ZORRO = 30  # what one opponent hands over
    NEWS = 31  # the newspaper's hold on a Cuban
    CLAIM = 32  # the points that all buildings of a flower bring their owners, for each ship and opponent
    PORT_BASE = 33  # share of a wanted good's worth that a delivery gives up
    THREAT_1 = 34  # share of the balance of a round that an opponent starts, if I leave the car one stop before the port
    THREAT_2 = 35  # ... two stops, and so on
    THREAT_3 = 36
    THREAT_4 = 37
    THREAT_5 = 38
    THREAT_6 = 39
    THREAT_7 = 40
    THREAT_8 = 41
    THREAT_9 = 42
    APPEAL = 43  # by building, twelve numbers: how it is liked beside the others of its flower; only their relation counts


SIZE = int(Weight.APPEAL) + BUILDINGS
FEWEST = 2  # players that the first numbers are for

Row = Mapping[Weight, tuple[float, float, float]]

APPEAL = (0.8, 1.4, 0.5, 0.5, 0.7, 0.7, 1.0, 0.1, 0.4, 0.4, 0.8, 0.4)

START: Row = {
    Weight.NEAR_2: (1.5,) * 3,
    Weight.NEAR_3: (1.9,) * 3,
    Weight.NEAR_4: (2.1,) * 3,
    Weight.CONTEST: (0.4,) * 3,
    Weight.FAR_RAW: (0.9,) * 3,
    Weight.FAR_MADE: (1.2,) * 3,
    Weight.FAR_FRUIT: (1.1,) * 3,
    Weight.FAR_WOOD: (0.9,) * 3,
    Weight.DECLINE: (0.15,) * 3,
    Weight.HALF_LIFE: (1.0,) * 3,
    Weight.CAFE: (0.3,) * 3,
    Weight.MAKING: (0.3,) * 3,
    Weight.PESO_FEW: (0.5,) * 3,
    Weight.PESO_SOME: (0.35,) * 3,
    Weight.PESO_MANY: (0.2,) * 3,
    Weight.PESO_LAST: (0.4,) * 3,
    Weight.SPITE: (0.8,) * 3,
    Weight.OWNER: (0.5,) * 3,
    Weight.PORT: (1.0,) * 3,
    Weight.PORT_THEIRS: (0.5,) * 3,
    Weight.PORT_CONTEST: (0.4,) * 3,
    Weight.HOLD_2: (1.5,) * 3,
    Weight.HOLD_3: (1.9,) * 3,
    Weight.FILLING: (0.5,) * 3,
    Weight.URGENCY: (0.5,) * 3,
    Weight.RISE: (1.0,) * 3,
    Weight.ROLL: (0.2,) * 3,
    Weight.SIZE: (0.0,) * 3,
    Weight.THREAT_1: (0.3,) * 3,
    Weight.THREAT_2: (0.15,) * 3,
    Weight.THREAT_3: (0.0,) * 3,
    Weight.THREAT_4: (0.0,) * 3,
    Weight.THREAT_5: (0.0,) * 3,
    Weight.THREAT_6: (0.0,) * 3,
    Weight.THREAT_7: (0.0,) * 3,
    Weight.THREAT_8: (0.0,) * 3,
    Weight.THREAT_9: (0.0,) * 3,
    Weight.LEAVE_1: (0.1,) * 3,
    Weight.LEAVE_2: (0.05,) * 3,
    Weight.ZORRO: (0.5,) * 3,
    Weight.NEWS: (0.2,) * 3,
    Weight.CLAIM: (0.3,) * 3,
    Weight.PORT_BASE: (1.0,) * 3,
}


def style(row: Row, changes: Mapping[Weight, float] | None = None, appeal: tuple[float, ...] = APPEAL) -> np.ndarray:
    """The weights as kernels take them: for two, three and four players one after the other."""
    named = {**row, **{weight: (value,) * 3 for weight, value in (changes or {}).items()}}
    parts = [[*(named[weight][count] for weight in Weight if weight != Weight.APPEAL), *appeal] for count in range(3)]
    return np.array(parts, np.float64).ravel()
