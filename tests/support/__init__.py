"""What tests share: how much they test, and a game as an outside package would have it.

Without a call of `registered` no test sees the game: `tw.games()` are those that come with Tradewinds.
"""

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tradewinds.envs import registry
from tradewinds.envs.core.spec.game import Game

TOY = "toy_market"
TOY_PROJECT = Path(__file__).parent / TOY


def sample(usual: int, nightly: int) -> int:
    """How many cases to take: `TRADEWINDS_NIGHTLY=1` asks for more than `make test` has time for."""
    return nightly if os.environ.get("TRADEWINDS_NIGHTLY") == "1" else usual


def toy_game() -> Game:
    """The game Toy Market, imported as an installed package would be."""
    if str(TOY_PROJECT) not in sys.path:
        sys.path.append(str(TOY_PROJECT))
    return importlib.import_module(TOY).GAME


@contextlib.contextmanager
def registered(game: Game) -> Iterator[Game]:
    """Register a game for a while; within another `registered` of the same game nothing happens."""
    if registry._games.get(game.name) is game:
        yield game
        return
    registry.register(game)
    try:
        yield game
    finally:
        del registry._games[game.name]
