"""Tradewinds: trading board games as reinforcement-learning environments.

>>> import tradewinds.envs as tw
>>> env = tw.make("santiago_de_cuba", players=3)                   # a PettingZoo AEC environment
>>> batch = tw.make_batch("santiago_de_cuba", size=4096, seed=7)   # thousands of games, stepped in place
"""

import difflib
import importlib
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from pettingzoo.env_registry import registration as pettingzoo_registry

from .core.api.aec import TableEnv
from .core.api.batch import Batch
from .core.api.errors import FormatError, GameOverError, IllegalActionError
from .core.api.gymnasium_env import SeatEnv
from .core.io.replay import Replay, check_head, read_rows
from .core.spec.game import Game

__all__ = [
    "Batch",
    "FormatError",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "Replay",
    "SeatEnv",
    "TableEnv",
    "game",
    "games",
    "load_replay",
    "make",
    "make_batch",
    "make_seat",
]

_VERSIONS = {"puerto_rico": 0, "container": 0, "santiago_de_cuba": 0}


def games() -> list[str]:
    """The names of all games."""
    return list(_VERSIONS)


def game(name: str) -> Game:
    """A game by its name: its options, actions, fields and kernels."""
    if name not in _VERSIONS:
        near = difflib.get_close_matches(str(name), _VERSIONS, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"there is no game {name!r}{hint}; the games are {', '.join(_VERSIONS)}")
    return importlib.import_module(f"{__name__}.{name}").GAME


def make(name: str, *, render_mode: str | None = None, **options: Any) -> TableEnv:
    """A PettingZoo AEC environment. `tw.game(name).options` lists the options."""
    return TableEnv(game(name), render_mode, **options)


def make_batch(
    name: str, size: int, *, seed: "int | np.ndarray | None" = None, threads: int = 1, track_history: bool = True, **options: Any
) -> Batch:
    """`size` games at once, stepped in place, by one thread or several. Without `track_history` agents in it do not have perfect recall."""
    return Batch(game(name).with_options(**options), size, seed, threads, track_history)


def make_seat(name: str, **arguments: Any) -> SeatEnv:
    """A Gymnasium environment for one seat; see SeatEnv for `seat` and `opponents`."""
    return SeatEnv(game(name), **arguments)


def load_replay(path: "str | Path") -> Replay:
    """A replay of any game; FormatError says what is wrong with a file that is none."""
    rows = read_rows(path)
    name = check_head(rows).get("game")
    if name not in games():
        raise FormatError(f"this is a replay of {name!r}, a game that is not here; the games are {', '.join(games())}")
    return Replay.from_rows(rows, game(name))


def _register() -> None:
    """`pettingzoo.make("aec", "tradewinds/...")` and `gymnasium.make("tradewinds/...")` find the games once this package is imported."""
    for name, version in _VERSIONS.items():
        module, env_id = f"{__name__}.{name}_v{version}", f"tradewinds/{name}-v{version}"
        if env_id not in pettingzoo_registry.aec_registry:
            pettingzoo_registry.register("aec", env_id, f"{module}:env")
        if env_id not in gymnasium.registry:
            gymnasium.register(env_id, f"{module}:seat_env")


_register()
