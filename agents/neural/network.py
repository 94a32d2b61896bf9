"""The network: an observation in, a number for each action and one for each seat out."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tradewinds.envs.core.spec.game import Variant

ILLEGAL = -1e8  # as a logit: no chance at all, and 0 * ILLEGAL is still 0, which -inf would spoil

EXPECTED = REWARD, MARGIN = 0, 1  # what the value head tells of each seat


@dataclass(frozen=True)
class Shape:
    """All that is needed to build a network again."""

    inputs: int
    actions: int
    players: int
    width: int = 256
    blocks: int = 2

    @classmethod
    def of(cls, variant: Variant, width: int, blocks: int) -> "Shape":
        return cls(variant.layout.size, len(variant.game.actions), variant.players, width, blocks)


class Block(nn.Module):
    """x + f(x), with the layer norm before f, so that deep networks start as easy as flat ones."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, width)
        self.join = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.join(functional.relu(self.widen(self.norm(x))))


class Network(nn.Module):
    """A residual multilayer perceptron with two heads.

    The policy head rates the actions. The value head tells what each seat can expect, the seat to move first, then clockwise, as in the
    observation: the reward, and how far its score will be from the others' (which is learned faster, and helps to learn the first).
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.enter = nn.Linear(shape.inputs, shape.width)
        self.blocks = nn.ModuleList(Block(shape.width) for _ in range(shape.blocks))
        self.norm = nn.LayerNorm(shape.width)
        self.policy = nn.Linear(shape.width, shape.actions)
        self.value = nn.Linear(shape.width, len(EXPECTED) * shape.players)
        # Heads that start near 0 rate all actions alike and expect nothing.
        for head in (self.policy, self.value):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """(n, inputs) -> logits (n, actions), values (n, 2, players): rewards and margins."""
        x = self.features(observations)
        return self.policy(x), self.value(x).unflatten(1, (len(EXPECTED), self.shape.players))

    def features(self, observations: Tensor) -> Tensor:
        """(n, inputs) -> (n, width): what both heads look at."""
        x = self.enter(observations)
        for block in self.blocks:
            x = block(x)
        return functional.relu(self.norm(x))


def legal_log_probabilities(logits: Tensor, masks: Tensor) -> Tensor:
    """The policy: log-probabilities in which an illegal action has no chance."""
    return torch.log_softmax(torch.where(masks, logits, ILLEGAL), dim=1)


def draw(probabilities: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """One action a row, by its probabilities (n, A), from one number a row in [0, 1): never one of probability 0."""
    heights = probabilities.cumsum(axis=1)
    marks = uniforms * heights[:, -1]
    # Rounding may put a mark on the very top, behind the last action that has a chance.
    marks = np.minimum(marks, np.nextafter(heights[:, -1], 0, dtype=heights.dtype))
    return (heights <= marks[:, None]).sum(axis=1)
