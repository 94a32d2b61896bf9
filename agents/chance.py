"""The agent that plays by lot."""

import numpy as np

from tradewinds.envs.core.decisions import Decisions
from tradewinds.envs.core.game import Variant
from tradewinds.envs.core.sampling import sample_legal


class Random:
    """Uniformly random legal actions."""

    def __init__(self, variant: Variant) -> None:
        pass

    def act(self, decisions: Decisions) -> np.ndarray:
        actions = np.zeros(len(decisions), np.int64)
        streams = decisions.seeds.reshape(-1, 1).copy()
        sample_legal(decisions.mask_words, decisions.counts, streams, actions, 0, len(decisions))
        return actions
