"""Santiago de Cuba as PettingZoo users know it: `santiago_de_cuba_v0.env(players=3)`.

Version history:

* v0: first release.
"""

from .core.api.facade import facade
from .santiago_de_cuba import GAME

env, raw_env, seat_env = facade(__name__, GAME)
