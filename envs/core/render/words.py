"""What a game says in words beside its boards, for front ends.

A game may have a module `render.words` with any of these functions; one that is missing says nothing.

- `question(view, seat) -> str`: what is decided now, and by whom.
- `detail(view, seat, action) -> str`: what comes of an action by the rules, as far as `Game.in_words` does not say so.
- `guide(options) -> list[Entry]`: what the pieces of the board do.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from ..spec.game import Game


class Entry(NamedTuple):
    """What one piece of a game does."""

    title: str
    text: str
    places: tuple[str, ...] = ()  # where on the board it lies


def question(game: Game, view: Any, seat: int) -> str:
    """What is decided now, as a seat sees it."""
    told = _function(game, "question")
    return "" if told is None else told(view, seat)


def detail(game: Game, view: Any, seat: int, action: int) -> str:
    """What comes of an action of the seat to move by the rules; "" if its wording says all."""
    told = _function(game, "detail")
    return "" if told is None else told(view, seat, action)


def guide(game: Game, options: Mapping[str, Any]) -> list[Entry]:
    """What the pieces of the board do under these options."""
    told = _function(game, "guide")
    return [] if told is None else told(options)


@cache
def _function(game: Game, name: str) -> Callable[..., Any] | None:
    try:
        found = importlib.util.find_spec(f"{game.module}.render.words")
    except ModuleNotFoundError:  # a game whose module has no such folder
        return None
    return None if found is None else getattr(importlib.import_module(found.name), name, None)
