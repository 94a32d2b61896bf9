"""Actions in words for people: what a choice leads to and costs in the position at hand.

The name of an action is fixed, whatever the position: `car: drive 3 stops for 2 pesos`. Its wording says what it means here and now:
`car: drive 3 stops to Martinez (3 pesos), pay 2 pesos`.
"""

import inspect
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

from ..spec.actions import ActionTable


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
