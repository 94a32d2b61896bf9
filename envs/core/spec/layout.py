"""The layout of the observation vector: consecutive named parts."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from gymnasium import spaces

from ..engine.encoding import CUT


class Part(NamedTuple):
    """One named part of the vector; `text` says what it holds."""

    name: str
    size: int
    high: float  # the largest value
    text: str
    low: float = 0  # the least

    @classmethod
    def levels(cls, name: str, rows: int, levels: "Sequence[int] | np.ndarray", text: str) -> "Part":
        """A thermometer for each of so many counts, as the kernel `put_levels` writes it: a 1 for each level that the count reaches."""
        return cls(name, rows * len(levels), 1, f"{text}: at least {', '.join(str(level) for level in levels)}")


def cut_parts(parts: Iterable[Part]) -> list[Part]:
    """Parts whose numbers are cut, as the kernel `cut` does it."""
    return [part._replace(high=min(part.high, CUT)) for part in parts]


class Layout:
    """The parts of a vector: `slices[name]` finds one, `space` is its Box.

    Raises:
        ValueError: Two parts share a name.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)
        self.slices: dict[str, slice] = {}
        self.size = 0
        for part in self.parts:
            if part.name in self.slices:
                raise ValueError(f"two parts of the observation are named {part.name!r}")
            self.slices[part.name] = slice(self.size, self.size + part.size)
            self.size += part.size

    @property
    def space(self) -> spaces.Box:
        """The Gymnasium space of the vector."""
        sizes = [part.size for part in self.parts]
        low, high = (np.repeat(np.array(bounds, np.float32), sizes) for bounds in zip(*((p.low, p.high) for p in self.parts), strict=True))
        space = spaces.Box(low, high, dtype=np.float32)
        space.low_repr, space.high_repr = _range(low), _range(high)  # instead of hundreds of numbers
        return space


def _range(bounds: np.ndarray) -> str:
    least, most = (f"{bound:g}" for bound in (bounds.min(), bounds.max()))
    return least if least == most else f"{least} to {most}"
