"""Puerto Rico as PettingZoo users know it: `puerto_rico_v0.env(players=4, new_buildings=True)`.

Version history:

* v0: first release.
"""

from .core.api.facade import facade
from .puerto_rico import GAME

env, raw_env, seat_env = facade(__name__, GAME)
