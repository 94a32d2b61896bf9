"""The environments.

>>> import tradewinds.envs as tw
>>> env = tw.make("santiago_de_cuba", players=3)                   # a PettingZoo AEC environment
>>> batch = tw.make_batch("santiago_de_cuba", size=4096, seed=7)   # thousands of games, stepped in place
"""

import importlib
from pathlib import Path
from typing import Any, Literal, Unpack, get_args, overload

import numpy as np

from .core.api.aec import TableEnv
from .core.api.batch import Batch
from .core.api.errors import FormatError, GameOverError, IllegalActionError
from .core.api.gymnasium_env import SeatEnv
from .core.io.replay import Replay, check_head, read_rows
from .core.spec.game import Game, Variant
from .registry import game, games, register
from .typed import CommonOptions, ContainerOptions, PuertoRicoOptions, RenderMode

__all__ = [
    "Batch",
    "FormatError",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "Replay",
    "SeatEnv",
    "TableEnv",
    "Variant",
    "game",
    "games",
    "load_replay",
    "make",
    "make_batch",
    "make_seat",
    "register",
]

# The games that come with Tradewinds, one line each: packages beside this file.
BuiltIn = Literal[
    "puerto_rico",
    "container",
    "santiago_de_cuba",
]


@overload
def make(name: Literal["puerto_rico"], *, render_mode: RenderMode | None = None, **options: Unpack[PuertoRicoOptions]) -> TableEnv: ...


@overload
def make(name: Literal["container"], *, render_mode: RenderMode | None = None, **options: Unpack[ContainerOptions]) -> TableEnv: ...


@overload
def make(name: Literal["santiago_de_cuba"], *, render_mode: RenderMode | None = None, **options: Unpack[CommonOptions]) -> TableEnv: ...


@overload
def make(name: str, *, render_mode: str | None = None, **options: Any) -> TableEnv: ...


def make(name: str, *, render_mode: str | None = None, **options: Any) -> TableEnv:
    """Make a PettingZoo AEC environment.

    Args:
        name: The game; `games()` lists all.
        render_mode: "ansi", "rgb_array", "human" or None.
        **options: The game's options, such as `players=3`; `game(name).options` lists them.

    Raises:
        ValueError: There is no such game or option.
    """
    return TableEnv(game(name), render_mode, **options)


@overload
def make_batch(
    name: Literal["puerto_rico"],
    size: int,
    *,
    seed: "int | np.ndarray | None" = None,
    threads: int = 1,
    track_history: bool = True,
    **options: Unpack[PuertoRicoOptions],
) -> Batch: ...


@overload
def make_batch(
    name: Literal["container"],
    size: int,
    *,
    seed: "int | np.ndarray | None" = None,
    threads: int = 1,
    track_history: bool = True,
    **options: Unpack[ContainerOptions],
) -> Batch: ...


@overload
def make_batch(
    name: Literal["santiago_de_cuba"],
    size: int,
    *,
    seed: "int | np.ndarray | None" = None,
    threads: int = 1,
    track_history: bool = True,
    **options: Unpack[CommonOptions],
) -> Batch: ...


@overload
def make_batch(
    name: str,
    size: int,
    *,
    seed: "int | np.ndarray | None" = None,
    threads: int = 1,
    track_history: bool = True,
    **options: Any,
) -> Batch: ...


def make_batch(
    name: str,
    size: int,
    *,
    seed: "int | np.ndarray | None" = None,
    threads: int = 1,
    track_history: bool = True,
    **options: Any,
) -> Batch:
    """Make many games that are stepped together, in place.

    Args:
        name: The game; `games()` lists all.
        size: How many games.
        seed: One seed for all, or one for each game (uint64).
        threads: How many threads step them.
        track_history: Whether agents in the batch have perfect recall.
        **options: The game's options, such as `players=3`.

    Raises:
        ValueError: There is no such game or option.
    """
    return Batch(game(name).with_options(**options), size, seed, threads, track_history)


def make_seat(name: "BuiltIn | str", **arguments: Any) -> SeatEnv:
    """Make a Gymnasium environment for one seat.

    Args:
        name: The game; `games()` lists all.
        **arguments: `seat`, `opponents`, `illegal` and `render_mode` as SeatEnv takes them, and the game's options.

    Raises:
        ValueError: There is no such game, option, seat or opponent.
    """
    return SeatEnv(game(name), **arguments)


def load_replay(path: "str | Path") -> Replay:
    """Read a replay of any game.

    Args:
        path: The file.

    Raises:
        FormatError: The file is no replay, or one of a game that is not installed.
    """
    rows = read_rows(path)
    name = check_head(rows).get("game")
    if name not in games():
        raise FormatError(f"this is a replay of {name!r}, a game that is not here; the games are {', '.join(games())}")
    return Replay.from_rows(rows, game(name))


def __dir__() -> list[str]:
    return __all__


for _name in get_args(BuiltIn):
    register(importlib.import_module(f".{_name}", __name__).GAME)
