"""Container as PettingZoo users know it: `container_v0.env(players=3)`.

Version history:

* v0: first release.
"""

from functools import partial

from .container import GAME
from .core.api.aec import TableEnv
from .core.api.gymnasium_env import SeatEnv

raw_env = partial(TableEnv, GAME)
env = raw_env  # the environment checks order and legality itself, so it needs no wrapper
seat_env = partial(SeatEnv, GAME)
