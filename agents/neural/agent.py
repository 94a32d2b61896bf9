"""The agent around a network."""

from pathlib import Path

import numpy as np
import torch

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.spec.game import Variant

from ..base import VariantAgent
from .checkpoint import NetError, find_net, load_net
from .network import REWARD, Network, draw, legal_log_probabilities


class Net(VariantAgent):
    """Plays the action that its network likes best, or draws from what it likes."""

    def __init__(self, variant: Variant, network: Network, sample: bool = False, code: str = "net") -> None:
        super().__init__(variant, code, {"network": network, "sample": sample, "code": code})
        self.network = network
        self.sample = sample

    @classmethod
    def from_code(cls, variant: Variant, rest: str) -> "Net":
        """What follows `net:`: a folder of a network, a file in it, or a run, of which the best is taken; `:sample` draws."""
        path, colon, setting = rest.rpartition(":")
        if setting != "sample":
            path, colon = rest, ""
        if not path:
            raise NetError("a network is named by its folder: net:runs/NAME takes the best of a run")
        return cls(variant, load_net(find_net(Path(path)), variant)[0], sample=bool(colon), code=f"net:{rest}")

    def act(self, decisions: Decisions) -> np.ndarray:
        policy, _ = self._ask(decisions)
        if self.sample:
            return draw(policy.exp().double().numpy(), uniforms_of(decisions.seeds))
        return policy.argmax(dim=1).numpy()

    def rate(self, decisions: Decisions) -> np.ndarray:
        """The log-probability of every action: float32 (n, A), -inf where it is not legal."""
        policy, _ = self._ask(decisions)
        return np.where(decisions.masks, policy.numpy(), -np.inf)

    def expect(self, decisions: Decisions) -> tuple[np.ndarray, np.ndarray]:
        """One look for a search: log-probabilities as `rate`, and each seat's share of the win, player_0 first, float32 (n, players)."""
        policy, values = self._ask(decisions)
        shares = np.clip(values[:, REWARD].numpy() + 1 / self.variant.players, 0, 1)
        seats = (np.arange(self.variant.players) - decisions.seats[:, None].astype(np.int64)) % self.variant.players
        return np.where(decisions.masks, policy.numpy(), -np.inf), np.take_along_axis(shares, seats, axis=1)

    def _ask(self, decisions: Decisions) -> tuple[torch.Tensor, torch.Tensor]:
        self.check(decisions)
        with torch.inference_mode():
            logits, values = self.network(torch.from_numpy(decisions.observations))
            return legal_log_probabilities(logits, torch.from_numpy(decisions.masks)), values


def uniforms_of(seeds: np.ndarray) -> np.ndarray:
    """A number in [0, 1) from each seed, by its highest 53 bits."""
    return (seeds >> np.uint64(11)).astype(np.float64) * 2.0**-53
