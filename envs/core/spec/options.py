"""A game's options: what each may be, and an error that says so."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np


class Option(NamedTuple):
    name: str
    default: Any
    choices: "tuple[Any, ...] | range"
    text: str

    def possible(self) -> str:
        if isinstance(self.choices, range):
            return f"a whole number from {self.choices[0]} to {self.choices[-1]}"
        return " or ".join(map(repr, self.choices))


REWARDS = ("win", "rank", "score")
VISIBILITIES = ("rules", "open")


def common_options(players: range, default_players: int) -> tuple[Option, ...]:
    """The options that every game has."""
    return (
        Option("players", default_players, players, "how many play"),
        Option("reward", "win", REWARDS, "win: a win shared by its winners; rank: places from 1 to -1; score: margin to the best other"),
        Option("visibility", "rules", VISIBILITIES, "rules: what the rulebook lets a seat see; open: what one who counts along knows"),
    )


def check_options(game: str, options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value; a ValueError for one that is unknown or impossible."""
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
            raise ValueError(f"{game}: {option.name}={value!r} is not possible; {option.name} is {option.possible()}")
        checked[option.name] = value
    return checked
