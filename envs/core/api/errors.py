"""Errors, with messages that say what is valid instead."""

from ..spec.actions import ActionTable

SHOWN = 8  # legal actions named in a message
MOST_LETTERS = 2_000  # of a message about something from outside


def printable(text: str) -> str:
    """The text with a question mark for each character that a terminal would obey or that no encoding has.

    Raises:
        TypeError: It is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected text, got {type(text).__name__}")
    return "".join(character if character.isprintable() else "?" for character in text)


def one_line(text: str, most: int) -> str:
    """The text in one printable line of at most so many characters; what is too long loses its middle."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= most else f"{line[: most - most // 3 - 5]} ... {line[len(line) - most // 3 :]}"


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


class OutsideError(ValueError):
    """Something from outside that cannot be used. The message is one printable line of bounded length, whatever it quotes."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message, MOST_LETTERS))


class FormatError(OutsideError):
    """A save or a replay that cannot be read: damaged, of another format or of another version."""
