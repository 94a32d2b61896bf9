"""Santiago de Cuba as PettingZoo users know it: `santiago_de_cuba_v0.env(players=3)`.

Version history:

* v0: first release.
"""

from functools import partial

from .core.api.aec import TableEnv
from .core.api.gymnasium_env import SeatEnv
from .santiago_de_cuba import GAME

raw_env = partial(TableEnv, GAME)
env = raw_env  # the environment checks order and legality itself, so it needs no wrapper
seat_env = partial(SeatEnv, GAME)
