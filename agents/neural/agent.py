"""The agent around a network."""

from pathlib import Path

import numpy as np
import torch

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.spec.game import Variant

from ..base import VariantAgent
from .checkpoint import NetError, find_net, load_net
from .inputs import PLAIN, InputReader, Inputs, PolicySpec, best_choices
from .network import REWARD, Choices, Network, draw


class Net(VariantAgent):
    """Plays the most probable action of its network's policy, or samples from it."""

    def __init__(
        self,
        variant: Variant,
        network: Network,
        spec: PolicySpec = PLAIN,
        sample: bool = False,
        threads: int = 1,
        code: str = "net",
    ) -> None:
        """Make an agent of a network.

        Args:
            variant: The variant that it plays.
            network: The network.
            spec: What the network reads, and its base policy.
            sample: Sample from the policy instead of playing its most probable action.
            threads: Threads that rate actions for the base policy.
            code: The code that `agents.make` takes for it.
        """
        super().__init__(variant, code, {"network": network, "spec": spec, "sample": sample, "threads": threads, "code": code})
        self.network = network
        self.reader = InputReader(variant, spec, threads)
        self.sample = sample

    @classmethod
    def from_code(cls, variant: Variant, rest: str) -> "Net":
        """Load the network that a code names: what follows `net:`, the folder of a network, a file in it or a run, and maybe `:sample`.

        Raises:
            NetError: There is no such network, or it does not fit the variant.
        """
        path, colon, setting = rest.rpartition(":")
        if setting != "sample":
            path, colon = rest, ""
        if not path:
            raise NetError("a network is named by its folder: net:runs/NAME is that of a run")
        network, facts = load_net(find_net(Path(path)), variant)
        return cls(variant, network, PolicySpec.read(facts), sample=bool(colon), code=f"net:{rest}")

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose one legal action per decision: int64 (n,)."""
        inputs, logits, _ = self._ask(decisions)
        if self.sample:
            chosen = draw(torch.softmax(logits.double(), dim=1).numpy(), uniforms_of(decisions.seeds))
        else:
            chosen = np.zeros(len(decisions), np.int64)
            best_choices(logits.numpy(), decisions.seeds.reshape(-1, 1).copy(), chosen)
        return inputs.actions[np.arange(len(chosen)), chosen]

    def rate(self, decisions: Decisions) -> np.ndarray:
        """The log-probability of every action: float32 (n, A), -inf where it is not legal."""
        return self.expect(decisions)[0]

    def expect(self, decisions: Decisions) -> tuple[np.ndarray, np.ndarray]:
        """One evaluation for a search.

        Returns:
            Log-probabilities as `rate` gives them, and each seat's probability of winning, player_0 first, float32 (n, players).
        """
        inputs, logits, values = self._ask(decisions)
        rates = np.full(decisions.masks.shape, -np.inf, np.float32)
        legal = np.arange(inputs.actions.shape[1]) < decisions.counts[:, None]
        rows = np.broadcast_to(np.arange(len(decisions))[:, None], legal.shape)
        rates[rows[legal], inputs.actions[legal]] = torch.log_softmax(logits, dim=1).numpy()[legal]
        wins = np.clip(values[:, REWARD].numpy() + 1 / self.variant.players, 0, 1)
        seats = (np.arange(self.variant.players) - decisions.seats[:, None].astype(np.int64)) % self.variant.players
        return rates, np.take_along_axis(wins, seats, axis=1)

    def _ask(self, decisions: Decisions) -> tuple[Inputs, torch.Tensor, torch.Tensor]:
        self.check(decisions)
        inputs = self.reader.read(decisions)
        with torch.inference_mode():
            choices = Choices(torch.from_numpy(inputs.actions), torch.from_numpy(inputs.logits))
            return inputs, *self.network(torch.from_numpy(inputs.observations), choices)


def uniforms_of(seeds: np.ndarray) -> np.ndarray:
    """A number in [0, 1) from each seed, by its highest 53 bits."""
    return (seeds >> np.uint64(11)).astype(np.float64) * 2.0**-53
