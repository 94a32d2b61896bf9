"""The fields of a game's record: type, bounds and visibility.

The dtype, the visibility masks and the bounds that tests check all come from one declaration.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

import numpy as np

HIDDEN = -1  # replaces hidden numbers
WORD = 8  # bytes


def as_words(states: np.ndarray) -> np.ndarray:
    """The memory of an array of records: uint64 (size, words)."""
    return states.view(np.ndarray).view(np.uint64).reshape(states.shape[0], -1)


class Seen(IntEnum):
    """Who sees a field. For SCREENED and SECRET fields the first axis is the seat, and a seat sees its own row."""

    BY_ALL = 0
    SCREENED = 1  # behind a screen, but known with perfect recall: visibility="open" shows it
    SECRET = 2  # visible only to its owner, under any visibility
    BY_NOBODY = 3


class Visibility(IntEnum):
    """The values of the option `visibility`: what the rulebook shows, or also what perfect recall would reveal."""

    RULES = 0
    OPEN = 1


class Status(IntEnum):
    """The status of a game. A truncated one was ended by its length limit."""

    RUNNING = 0
    ENDED = 1
    TRUNCATED = 2


class Field(NamedTuple):
    """One field of a game's record; `field` makes it."""

    name: str
    kind: type
    shape: tuple[int, ...]
    low: int
    high: int
    seen: Seen
    text: str


def field(name: str, low: int, high: int, text: str, shape: int | tuple[int, ...] = (), seen: Seen = Seen.BY_ALL) -> Field:
    """Declare a field, of the smallest signed type that holds its bounds and HIDDEN.

    Args:
        name: Its name in the record.
        low: The least value it may have.
        high: The greatest value it may have.
        text: What it holds.
        shape: The shape of an array field; a number is a vector of that length.
        seen: Who sees it.
    """
    kind = next(k for k in (np.int8, np.int16, np.int32) if np.iinfo(k).min <= low and high <= np.iinfo(k).max)
    return Field(name, kind, (shape,) if isinstance(shape, int) else shape, low, high, seen, text)


def header(seats: int) -> tuple[Field, ...]:
    """The fields that the core itself reads: every game's record begins with them."""
    return (
        field("players", 1, seats, "seats in this game"),
        field("visibility", 0, len(Visibility) - 1, "what seats are shown: Visibility.RULES or OPEN"),
        field("status", 0, len(Status) - 1, "Status: running, ended by the rules, or truncated"),
        field("seat", 0, seats - 1, "who decides now"),
    )


class Fields:
    """A game's fields, its dtype and its visibility masks.

    Args:
        seats: The most players that the game has.
        own: The game's own fields; the core's header comes before them.

    Raises:
        ValueError: A field is declared twice or cannot have its name, or one that only its owner sees has no axis of seats.
    """

    def __init__(self, seats: int, own: Iterable[Field]) -> None:
        self.seats = seats
        self.all = (*header(seats), *own)
        names = [f.name for f in self.all]
        if len(set(names)) < len(names):
            raise ValueError(f"a field is declared twice: {names}")
        taken = [name for name in names if not name.isidentifier() or hasattr(np.record, name)]
        if taken:
            raise ValueError(f"{', '.join(taken)} cannot be a field: not an identifier, or the name of a method of numpy's records")
        for f in self.all:
            if f.seen in (Seen.SCREENED, Seen.SECRET) and (not f.shape or f.shape[0] != seats):
                raise ValueError(f"{f.name} is seen by its owner, so its first axis must be the {seats} seats")
        # Wide fields first, so that a packed record is also an aligned one.
        ordered = sorted(self.all, key=lambda f: -np.dtype(f.kind).itemsize)
        packed = np.dtype([(f.name, f.kind, f.shape) for f in ordered])
        # Padded to 8-byte words, so that copies and visibility masks work on uint64. The padding is a field, so that copies include it.
        padding = -packed.itemsize % WORD
        self.dtype = np.dtype([*packed.descr, *([("padding", np.int8, (padding,))] if padding else [])])

    def visibility_mask(self, visibility: Visibility) -> np.ndarray:
        """For each viewer the bits that turn what it may not see into HIDDEN: uint64 (seats, words of a record)."""
        hidden = np.zeros(self.seats, self.dtype)
        for f in self.all:
            if f.seen == Seen.BY_ALL or (f.seen == Seen.SCREENED and visibility == Visibility.OPEN):
                continue
            hidden[f.name] = HIDDEN
            if f.seen != Seen.BY_NOBODY:
                for viewer in range(self.seats):
                    hidden[f.name][viewer, viewer] = 0
        return as_words(hidden)

    def out_of_bounds(self, states: np.ndarray) -> list[str]:
        """The fields of a batch that are out of their declared bounds, with their smallest and largest values."""
        plain = np.ascontiguousarray(states.view(np.ndarray))
        wrong = []
        for kind in {f.kind for f in self.all}:
            # All fields of one type together: reading field by field would read the memory of the batch once per field.
            numbers = plain.view(kind).reshape(plain.shape[0], -1)
            lows, highs = (np.ascontiguousarray(extreme).view(self.dtype)[0] for extreme in (numbers.min(axis=0), numbers.max(axis=0)))
            for f in self.all:
                if f.kind is kind and (np.min(lows[f.name]) < f.low or np.max(highs[f.name]) > f.high):
                    wrong.append(f"{f.name}: {np.min(lows[f.name])} to {np.max(highs[f.name])}, declared {f.low} to {f.high}")
        return wrong
