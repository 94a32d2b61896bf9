"""Container as PettingZoo users know it: `container_v0.env(players=3)`.

Version history:

* v0: first release.
"""

from .container import GAME
from .core.api.facade import facade

env, raw_env, seat_env = facade(__name__, GAME)
