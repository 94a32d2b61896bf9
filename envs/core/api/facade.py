"""The module of one game as PettingZoo users know it."""

from functools import partial

from ..spec.game import Game
from .aec import TableEnv
from .gymnasium_env import SeatEnv


def facade(module: str, game: Game) -> tuple[partial[TableEnv], partial[TableEnv], partial[SeatEnv]]:
    """The three names that the module `<game>_v<version>` exports.

    The module assigns them: `env, raw_env, seat_env = facade(__name__, GAME)`. `env` is `raw_env`: the environment checks order and
    legality itself, so it needs no wrapper.

    Args:
        module: The module's own name, which must end in the game's name and version.
        game: The game.

    Raises:
        ValueError: The module is named after another version of the game.
    """
    if module.rpartition(".")[2] != game.env_id:
        raise ValueError(f"{module} must be named {game.env_id}: the version is that of the game")
    raw_env = partial(TableEnv, game)
    return raw_env, raw_env, partial(SeatEnv, game)
