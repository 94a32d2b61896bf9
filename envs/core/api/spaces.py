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


class LegalVectorActions(spaces.MultiDiscrete):
    """One action for each of many games. `sample()` without a mask draws what is legal now.

    Args:
        legal: The current masks, int8 (games, actions): memory that its owner keeps up to date.
    """

    def __init__(self, legal: np.ndarray) -> None:
        super().__init__(np.full(len(legal), legal.shape[1], np.int64))
        self.legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """One random action per game.

        Args:
            mask: What may be drawn, one int8 array per game; by default what is legal now.
            probability: Weights instead of masks, as in `gymnasium.spaces.MultiDiscrete`.
        """
        if mask is None and probability is None:
            return sample_legal_rows(self.legal, self.np_random)
        return super().sample(mask=mask, probability=probability)


def sample_legal_rows(masks: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """One uniformly random legal action per row of the masks."""
    return ((1 - random.random(masks.shape)) * (masks != 0)).argmax(axis=1)
