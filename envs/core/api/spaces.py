"""Action spaces that sample legal actions."""

from typing import Any

import numpy as np
from gymnasium import spaces


class LegalActions(spaces.Discrete):
    """The actions of a game. `sample()` without a mask draws one of those that are legal now.

    Args:
        n: How many actions the game has.
        legal: The current mask, int8 (n,): memory that its owner keeps up to date. While nothing is legal, before and after a game, every
            action may be drawn.
    """

    def __init__(self, n: int, legal: np.ndarray | None = None) -> None:
        super().__init__(n)
        self.legal = np.ones(n, np.int8) if legal is None else legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action.

        Args:
            mask: int8 (n,), what may be drawn; by default what is legal now.
            probability: Weights instead of a mask, as in `gymnasium.spaces.Discrete`.
        """
        if mask is None and probability is None and self.legal.any():
            mask = self.legal
        return super().sample(mask=mask, probability=probability)
