"""What the agents around a network share, whatever computes it. No torch here."""

from typing import NamedTuple

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions

from ..base import VariantAgent
from .inputs import Inputs, best_choices, draw, uniforms_of

REWARD = 0  # the row of the values that predicts rewards, as in network.py


class Outputs(NamedTuple):
    """What a network says about n decisions."""

    logits: np.ndarray  # float32 (n, K): of the legal actions; padding is ILLEGAL
    values: np.ndarray  # float32 (n, 2, players): rewards and margins, the seat to move first


class NetworkAgent(VariantAgent):
    """Plays the most probable action of a network's policy, or samples from it."""

    sample = False

    def ask(self, decisions: Decisions) -> tuple[Inputs, Outputs]:
        """What the network reads and what it says."""
        raise NotImplementedError

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose one legal action per decision: int64 (n,)."""
        inputs, (logits, _) = self.ask(decisions)
        if self.sample:
            weights = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
            chosen = draw(weights, uniforms_of(decisions.seeds))
        else:
            chosen = np.zeros(len(decisions), np.int64)
            best_choices(logits, decisions.seeds.reshape(-1, 1).copy(), chosen)
        return inputs.actions[np.arange(len(chosen)), chosen]

    def rate(self, decisions: Decisions) -> np.ndarray:
        """The log-probability of every action: float32 (n, A), -inf where it is not legal.

        Args:
            decisions: Decisions of the network's variant.
        """
        return self.expect(decisions)[0]

    def expect(self, decisions: Decisions) -> tuple[np.ndarray, np.ndarray]:
        """One evaluation for a search.

        Args:
            decisions: Decisions of the network's variant.

        Returns:
            Log-probabilities as `rate` gives them, and each seat's probability of winning, player_0 first, float32 (n, players).
        """
        inputs, (logits, values) = self.ask(decisions)
        rates = np.full(decisions.masks.shape, -np.inf, np.float32)
        legal = np.arange(inputs.actions.shape[1]) < decisions.counts[:, None]
        rows = np.broadcast_to(np.arange(len(decisions))[:, None], legal.shape)
        shifted = logits - logits.max(axis=1, keepdims=True)
        rates[rows[legal], inputs.actions[legal]] = (shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))[legal]
        wins = np.clip(values[:, REWARD] + 1 / self.variant.players, 0, 1)
        seats = (np.arange(self.variant.players) - decisions.seats[:, None].astype(np.int64)) % self.variant.players
        return rates, np.take_along_axis(wins, seats, axis=1)
