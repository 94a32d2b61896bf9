"""Puerto Rico as PettingZoo users know it: `puerto_rico_v0.env(players=4, new_buildings=True)`.

Version history:

* v0: first release.
"""

from functools import partial

from .core.api.aec import TableEnv
from .core.api.gymnasium_env import SeatEnv
from .puerto_rico import GAME

raw_env = partial(TableEnv, GAME)
env = raw_env  # the environment checks order and legality itself, so it needs no wrapper
seat_env = partial(SeatEnv, GAME)
