"""The uniform random legal policy."""

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.engine.masks import sample_legal
from tradewinds.envs.core.spec.game import Variant

from .base import VariantAgent


class Random(VariantAgent):
    """Uniformly random legal actions."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant, "random", {})

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose one legal action per decision: integers (n,)."""
        self.check(decisions)
        actions = np.zeros(len(decisions), np.int64)
        streams = decisions.seeds.reshape(-1, 1).copy()
        sample_legal(decisions.mask_words, decisions.counts, streams, actions, 0, len(decisions))
        return actions
