"""What can go wrong, said so that one knows what to do."""

from ..spec.actions import ActionTable

SHOWN = 8  # legal actions named in a message


class IllegalActionError(ValueError):
    """An action that the seat to move may not play now. The game is as it was."""

    def __init__(self, actions: ActionTable, action: int, possible: list[int], where: str) -> None:
        name = f" ({actions.names[action]!r})" if 0 <= action < len(actions) else f" (there are {len(actions)} actions, from 0)"
        named = ", ".join(f"{i} {actions.names[i]!r}" for i in possible[:SHOWN])
        more = f" and {len(possible) - SHOWN} more" if len(possible) > SHOWN else ""
        super().__init__(f"action {action}{name} is not legal here: {where}; legal are {named}{more}")
        self.action = action
        self.legal = possible


class GameOverError(RuntimeError):
    """A step in a game that is over."""


class FormatError(ValueError):
    """A save or a replay that cannot be read: damaged, foreign, or of another version."""
