"""The agent around a network that torch computes."""

from pathlib import Path

import torch

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.spec.game import Variant

from .base import NetworkAgent, Outputs
from .checkpoint import NetError, find_net, load_net
from .inputs import PLAIN, InputReader, Inputs, PolicySpec
from .network import Choices, Network


class Net(NetworkAgent):
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

    def ask(self, decisions: Decisions) -> tuple[Inputs, Outputs]:
        """What the network reads and what it says."""
        self.check(decisions)
        inputs = self.reader.read(decisions)
        with torch.inference_mode():
            choices = Choices(torch.from_numpy(inputs.actions), torch.from_numpy(inputs.logits))
            logits, values = self.network(torch.from_numpy(inputs.observations), choices)
        return inputs, Outputs(logits.numpy(), values.numpy())
