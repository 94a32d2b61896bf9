"""Errors, with messages that say what is valid instead."""

from ..spec.actions import ActionTable

SHOWN = 8  # legal actions named in a message


class IllegalActionError(ValueError):
    """An action that is not legal for the seat to move. The game is as it was.

    Attributes:
        action: The action that was given.
        legal: The legal ones.
    """

    def __init__(self, actions: ActionTable, action: int, possible: list[int], where: str) -> None:
        name = f" ({actions.names[action]!r})" if 0 <= action < len(actions) else f" (there are {len(actions)} actions, from 0)"
        named = ", ".join(f"{i} {actions.names[i]!r}" for i in possible[:SHOWN])
        more = f" and {len(possible) - SHOWN} more" if len(possible) > SHOWN else ""
        super().__init__(f"action {action}{name} is not legal here: {where}; legal actions: {named}{more}")
        self.action = action
        self.legal = possible


class GameOverError(RuntimeError):
    """A game that is over, or has not begun, was asked for something that only a running game has."""


class FormatError(ValueError):
    """A save or a replay that cannot be read: damaged, of another format or of another version."""
