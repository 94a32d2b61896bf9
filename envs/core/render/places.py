"""Places: where on the board an action is played.

The pieces of a picture have names (`place` in svg.py), and a game says at which of them an action is played. Clicks, the mark of the last
move and everything else that joins actions and pictures come from these two.
"""

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from ..spec.actions import ActionTable

MARK = "#e0218a"  # around what was played last: a colour that no board uses
_SHAPE = r"<(?:rect|circle|polygon|path)\b[^>]*/>"
_PAINT = re.compile(r' (?:fill|stroke|stroke-width|stroke-dasharray|opacity)="[^"]*"')


class Spot(NamedTuple):
    """Where one action is played.

    Attributes:
        places: Names of places, in the order of clicking. Empty for an action that has none, which is a button only.
        amount: A number that goes with the places, as of goods or colonists; None if there is none.
    """

    places: tuple[str, ...] = ()
    amount: int | None = None


def spots(actions: ActionTable, table: Mapping[IntEnum, Callable[..., Spot]]) -> Callable[[Any, int, int], Spot]:
    """A game's `spot` function.

    Args:
        actions: The game's actions.
        table: For every kind of action a function (view, seat, *arguments) -> Spot.
    """
    missing = {int(kind) for kind in actions.kind} - {int(kind) for kind in table}
    if missing:
        raise ValueError(f"{actions.game}: no places are given for the kinds of action {sorted(missing)}")
    by_kind = {int(kind): (where, len(inspect.signature(where).parameters) - 2) for kind, where in table.items()}

    def spot(view: Any, seat: int, action: int) -> Spot:
        where, count = by_kind[int(actions.kind[action])]
        return where(view, seat, *(int(argument) for argument in actions.arguments[action, :count]))

    return spot


def mark(picture: str, places: Collection[str]) -> str:
    """The picture with an outline around each of these places; those that are not in it are passed over.

    Args:
        picture: An SVG document.
        places: Names of places.
    """
    for name in places:
        outline = re.compile(rf'(<g data-place="{re.escape(name)}"[^>]*>(?:<g\b[^>]*>)*)({_SHAPE})')
        picture = outline.sub(lambda found: found[1] + found[2] + _outline(found[2]), picture)
    return picture


def _outline(shape: str) -> str:
    return _PAINT.sub("", shape)[:-2] + f' fill="none" stroke="{MARK}" stroke-width="4"/>'
