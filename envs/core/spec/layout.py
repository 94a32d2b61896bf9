"""The layout of the observation vector: consecutive named parts."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from gymnasium import spaces


class Part(NamedTuple):
    """One named part of the vector; `text` says what it holds."""

    name: str
    size: int
    high: float  # the largest value; the least is always 0
    text: str


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
        high = np.concatenate([np.full(p.size, p.high, np.float32) for p in self.parts])
        return spaces.Box(np.zeros_like(high), high, dtype=np.float32)
