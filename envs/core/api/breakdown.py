"""Final scores by their sources."""

import importlib
import importlib.util
from collections.abc import Callable
from functools import cache
from typing import Any

from ..spec.game import Game


def breakdown(game: Game, record: Any) -> list[dict[str, int]]:
    """Where each seat's final score comes from: {source: points}, which add up to the score.

    A game tells it by a function `breakdown(record)` in its module `render.breakdown`; one without gives empty dicts.

    Args:
        game: The game.
        record: The record of a finished game.
    """
    told = _function_of(game)
    return [{} for _ in range(int(record["players"]))] if told is None else told(record)


@cache
def _function_of(game: Game) -> Callable[[Any], list[dict[str, int]]] | None:
    try:
        found = importlib.util.find_spec(f"{game.module}.render.breakdown")
    except ModuleNotFoundError:  # a game whose module has no such folder
        return None
    return None if found is None else importlib.import_module(found.name).breakdown
