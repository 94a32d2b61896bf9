"""Texts of a game beside its boards, for front ends.

A game may have a module `render.words` with any of these functions; without one the text is empty.

- `question(view, seat) -> str`: what is decided now, and by whom.
- `detail(view, seat, action) -> str`: the consequences of an action, beyond what `Game.in_words` says.
- `guide(options) -> list[Entry]`: what the pieces of the board do.
- `logged(action) -> str`: an action in a log, where its name is not correct English: `take 1 cigar` for `take 1 cigars`.

The name of an action is fixed, whatever the position: `car: drive 3 stops for 2 pesos`. The game's `words` function, which `wording` makes,
says what it leads to and costs here and now: `car: drive 3 stops to Martinez (3 pesos), pay 2 pesos`.
"""

import importlib
import importlib.util
import inspect
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from ..spec.actions import ActionTable
from ..spec.game import Game


def many(count: Any, one: str, more: str = "") -> str:
    """A number with its noun in the singular or the plural: `1 peso`, `2 pesos`.

    Args:
        count: The number, or "?".
        one: The noun in the singular.
        more: Its plural; by default with an s.
    """
    return f"{count} {one if str(count) == '1' else more or one + 's'}"


def wording(actions: ActionTable, table: Mapping[IntEnum, Callable[..., str]]) -> Callable[[Any, int, int], str]:
    """A game's `words` function.

    Args:
        actions: The game's actions.
        table: By kind of action a function (view, seat, *arguments) -> text. Actions of other kinds are called by their names.
    """
    by_kind = {int(kind): (said, len(inspect.signature(said).parameters) - 2) for kind, said in table.items()}

    def words(view: Any, seat: int, action: int) -> str:
        kind = int(actions.kind[action])
        if kind not in by_kind:
            return actions.names[action]
        said, count = by_kind[kind]
        return said(view, seat, *(int(argument) for argument in actions.arguments[action, :count]))

    return words


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
    """The consequences of a legal action; "" if its wording covers them."""
    told = _function(game, "detail")
    return "" if told is None else told(view, seat, action)


def guide(game: Game, options: Mapping[str, Any]) -> list[Entry]:
    """What the pieces of the board do under these options."""
    told = _function(game, "guide")
    return [] if told is None else told(options)


def logged(game: Game, action: int) -> str:
    """An action as a log has it, whatever the position: its name, unless the game says otherwise."""
    told = _function(game, "logged")
    return game.actions.names[action] if told is None else told(action)


@cache
def _function(game: Game, name: str) -> Callable[..., Any] | None:
    try:
        found = importlib.util.find_spec(f"{game.module}.render.words")
    except ModuleNotFoundError:  # a game whose module has no such folder
        return None
    return None if found is None else getattr(importlib.import_module(found.name), name, None)
