"""A game's options: their values, defaults and validation."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np


class Option(NamedTuple):
    """One option of a game.

    Attributes:
        name: The keyword under which `make` takes it. A field of the record with this name is set to its value.
        default: The value without that keyword.
        choices: All possible values.
        text: What it means, in one line.
        limits_only: It limits how long a game may last and changes neither rules, actions nor observations, so a network trained under
            one value can be used under another.
    """

    name: str
    default: Any
    choices: "tuple[Any, ...] | range"
    text: str
    limits_only: bool = False

    def possible(self) -> str:
        """The choices as text, for error messages."""
        if isinstance(self.choices, range):
            return f"an integer from {self.choices[0]} to {self.choices[-1]}"
        return " or ".join(map(repr, self.choices))


REWARDS = ("win", "rank", "score")
VISIBILITIES = ("rules", "open")
ENCODINGS = ("compact", "rich")


def common_options(players: range, default_players: int, encodings: tuple[str, ...] = ENCODINGS[:1]) -> tuple[Option, ...]:
    """The options that every game has: `players`, `reward`, `visibility` and `encoding`.

    Args:
        players: The possible numbers of players.
        default_players: The number of players if none is given.
        encodings: The encodings of observations that the game has: "compact", or "compact" and "rich".
    """
    return (
        Option("players", default_players, players, "number of players"),
        Option(
            "reward",
            "win",
            REWARDS,
            "win: 1 for a win, split on ties, minus 1/players; rank: 1 for first to -1 for last; score: margin to the best other",
        ),
        Option(
            "visibility", "rules", VISIBILITIES, "rules: what the rulebook shows to a seat; open: also what it knows with perfect recall"
        ),
        Option(
            "encoding",
            encodings[0],
            encodings,
            "compact: each number once; rich: also thermometers of counts and what follows from the rules, for networks",
        ),
    )


def check_options(game: str, options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Check given options and fill in the defaults.

    Args:
        game: The game's name, for error messages.
        options: What the game declares.
        given: Values by name.

    Returns:
        Every declared option with its value.

    Raises:
        ValueError: An option does not exist or cannot have this value.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise ValueError(f"{game} has no option {name!r}{hint}; its options are {', '.join(known)}")
    checked = {}
    for option in known.values():
        value = given.get(option.name, option.default)
        if isinstance(value, np.generic):
            value = value.item()
        if type(value) is not type(option.default) or value not in option.choices:
            if len(option.choices) == 1:
                raise ValueError(f"{game} has only {option.name}={option.default!r}, got {value!r}")
            raise ValueError(f"{game}: {option.name} must be {option.possible()}, got {value!r}")
        checked[option.name] = value
    return checked
