"""The action table: ids, arguments and names from one list of rows."""

import difflib
import operator
from collections.abc import Iterable
from enum import IntEnum

import numpy as np

ARGUMENTS = 3  # at most, per action


class ActionTable:
    """Every action of a game, in id order.

    `first[kind]` to `first[kind + 1]` are a kind's ids, and `arguments[id]` its arguments: both are arrays that kernels read.

    Args:
        game: The game's name.
        kinds: The kinds of action.
        rows: (kind, arguments, name) of each action, in id order and in the order of `kinds`. Names are unique.

    Raises:
        ValueError: A kind is missing or out of order, or two actions share a name.
    """

    def __init__(self, game: str, kinds: type[IntEnum], rows: Iterable[tuple[IntEnum, tuple[int, ...], str]]) -> None:
        listed = list(rows)
        self.game = game
        self.kinds = kinds
        self.names = [name for _, _, name in listed]
        self._ids = {name: i for i, name in enumerate(self.names)}
        order = [int(kind) for kind, _, _ in listed]
        if order != sorted(order) or set(order) != {int(k) for k in kinds}:
            raise ValueError(f"{game}: actions must come kind by kind, in the order of {kinds.__name__}, and leave none out")
        if len(self._ids) < len(self.names):
            raise ValueError(f"{game}: two actions share a name")
        self.kind = np.array(order, np.int64)
        self.first = np.searchsorted(self.kind, np.arange(len(kinds) + 1))
        self.arguments = np.zeros((len(listed), ARGUMENTS), np.int64)
        for i, (_, arguments, _) in enumerate(listed):
            self.arguments[i, : len(arguments)] = arguments

    def __len__(self) -> int:
        return len(self.names)

    def describe(self, action: int) -> str:
        """The name of an action."""
        return self.names[self.check_id(action)]

    def parse(self, name: str) -> int:
        """The id of an action by its name.

        Raises:
            ValueError: There is no such action; the message suggests close matches.
        """
        if not isinstance(name, str):
            raise TypeError(f"an action's name must be a string, got {type(name).__name__}")
        found = self._ids.get(name.strip())
        if found is None:
            near = difflib.get_close_matches(name, self.names, n=3)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise ValueError(f"{self.game} has no action named {name!r}{hint}")
        return found

    def check_id(self, action: object) -> int:
        """Return the action as an int.

        Raises:
            TypeError: It is not an integer.
            ValueError: There is no such id.
        """
        is_scalar = getattr(action, "ndim", 0) == 0 and not str(getattr(action, "dtype", type(action).__name__)).endswith("bool")
        try:
            index = operator.index(action) if is_scalar else None  # type: ignore[arg-type]
        except TypeError:
            index = None
        if index is None:
            raise TypeError(f"an action must be an integer from 0 to {len(self) - 1}, got {action!r}")
        if not 0 <= index < len(self):
            raise ValueError(f"action {index} does not exist: {self.game} has actions 0 to {len(self) - 1}")
        return index
