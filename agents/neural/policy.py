"""The agent around a network that comes with Tradewinds, computed by compiled code: it needs no torch."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.engine.kernel import compiling
from tradewinds.envs.core.spec.game import Variant, load_template

from ..search import value_net
from .base import NetworkAgent, Outputs
from .checkpoint import INFORMATION_STATE, NetError, name_of, pretrained_names, pretrained_net, read_for_search
from .inputs import InputReader, Inputs

TEMPLATE = Path(__file__).with_name("batch_template.py")


class Policy(NetworkAgent):
    """The policy of the network that comes with Tradewinds for a variant, without search."""

    def __init__(self, variant: Variant, sample: bool = False) -> None:
        """Make the agent of a variant.

        Args:
            variant: The variant that it plays. Reward, visibility and limits may be any: the network reads the information state.
            sample: Sample from the policy instead of playing its most probable action.

        Raises:
            NetError: No network comes with Tradewinds for this variant.
        """
        super().__init__(variant, "policy:sample" if sample else "policy", {"sample": sample})
        path = pretrained_net(variant)
        if path is None:
            raise NetError(f"no network comes with Tradewinds for {name_of(variant)}; there are {pretrained_names()}")
        tensors, spec = read_for_search(path, variant)
        self.sample = sample
        self.reader = InputReader(variant, replace(spec, reads=INFORMATION_STATE))
        self._evaluate = evaluator()
        self._net = value_net.arrange(tensors)
        self._scratch = np.zeros(len(self._net.enter), np.float32), np.zeros((3, self._net.enter_bias.size), np.float32)

    @classmethod
    def from_code(cls, variant: Variant, rest: str) -> "Policy":
        """Make the agent of a code: what follows `policy:`, which is nothing or `sample`."""
        if rest not in ("", "sample"):
            raise ValueError(f"policy has no setting {rest!r}; its only one is sample, as in policy:sample")
        return cls(variant, sample=rest == "sample")

    def ask(self, decisions: Decisions) -> tuple[Inputs, Outputs]:
        """What the network reads and what it says."""
        self.check(decisions)
        inputs = self.reader.read(decisions)
        outputs = Outputs(inputs.logits.copy(), np.zeros((len(decisions), 2, self.variant.players), np.float32))
        self._evaluate(self._net, inputs.observations, inputs.actions, decisions.counts, *self._scratch, *outputs)
        return inputs, outputs


@cache
def evaluator() -> Callable[..., Any]:
    """The kernel, one for all games, compiled on first use."""
    module = load_template(TEMPLATE, f"{__package__}.batch", {}, uses=[value_net])
    with compiling(module.__name__, "the networks"):
        none, scratch = np.zeros((0, 1), np.float32), (np.zeros(1, np.float32), np.zeros((3, 1), np.float32))
        actions, counts, values = np.zeros((0, 1), np.int64), np.zeros(0, np.int32), np.zeros((0, 2, 1), np.float32)
        module.evaluate_all(value_net.no_weights(), none, actions, counts, *scratch, none, values)
    return module.evaluate_all
