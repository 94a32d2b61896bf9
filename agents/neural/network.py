"""The network: an observation and the legal actions in, log-probabilities and every seat's values out."""

from dataclasses import dataclass
from typing import NamedTuple

from torch import Tensor, nn
from torch.nn import functional

from tradewinds.envs.core.spec.game import Variant

from .checkpoint import MOST_OUTPUT

EXPECTED = REWARD, MARGIN = 0, 1  # what the value head predicts for each seat


@dataclass(frozen=True)
class Shape:
    """The sizes of a network, which determine its tensors."""

    inputs: int  # the observation, and with `has_base` one more number per action
    actions: int
    players: int
    width: int = 256
    blocks: int = 2
    has_base: bool = False  # a residual policy: see Network

    @classmethod
    def of(cls, variant: Variant, width: int, blocks: int) -> "Shape":
        """A network without a base policy that reads the variant's observations."""
        return cls(variant.layout.size, len(variant.game.actions), variant.players, width, blocks)


class Choices(NamedTuple):
    """The legal actions of n decisions, padded to K: a few of the game's hundreds."""

    actions: Tensor  # int64 (n, K); padding is 0
    logits: Tensor  # float32 (n, K): of the base policy, 0 without one; padding is ILLEGAL

    def __getitem__(self, rows: Tensor) -> "Choices":  # type: ignore[override]
        return Choices(self.actions[rows], self.logits[rows])


class Block(nn.Module):
    """A pre-norm residual block: x + f(norm(x))."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, width)
        self.join = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Map float32 (n, width) to the same shape."""
        return x + self.join(functional.relu(self.widen(self.norm(x))))


class Network(nn.Module):
    """A residual multilayer perceptron with two heads.

    The policy head rates the actions. The value head predicts for each seat, the seat to move first, then clockwise as in the observation,
    its reward and its margin (which is learned faster, and helps to learn the first).

    With `has_base` the policy is a residual one: the head's output is added to the logits of a base policy, and the network also reads
    exp(those logits). The head starts at 0, so that the first policy is the base policy.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.observed = shape.inputs - shape.actions * shape.has_base
        self.enter = nn.Linear(shape.inputs, shape.width)
        self.blocks = nn.ModuleList(Block(shape.width) for _ in range(shape.blocks))
        self.norm = nn.LayerNorm(shape.width)
        self.policy = nn.Linear(shape.width, shape.actions)
        self.value = nn.Linear(shape.width, len(EXPECTED) * shape.players)
        # Small heads: nearly uniform at first, or the base policy; values near 0.
        nn.init.orthogonal_(self.policy.weight, 0.0 if shape.has_base else 0.01)
        nn.init.orthogonal_(self.value.weight, 0.01)
        nn.init.zeros_(self.policy.bias)
        nn.init.zeros_(self.value.bias)

    def forward(self, observations: Tensor, choices: Choices | None = None) -> tuple[Tensor, Tensor]:
        """Rate actions and predict the values.

        Args:
            observations: float32 (n, D).
            choices: The legal actions of each decision. A network without a base policy can do without: it then rates all actions.

        Returns:
            Logits (n, K) of the legal actions, ILLEGAL in the padding, or (n, A) of all; values (n, 2, players): rewards and margins.
        """
        x = self.features(observations, choices)
        logits = self.policy(x)
        if choices is not None:
            # Limited, so that no action of a network that diverged is less probable than the padding.
            logits = logits.gather(1, choices.actions).clamp(-MOST_OUTPUT, MOST_OUTPUT) + choices.logits
        return logits, self.value(x).unflatten(1, (len(EXPECTED), self.shape.players))

    def features(self, observations: Tensor, choices: Choices | None = None) -> Tensor:
        """The last hidden layer (n, width), which both heads read."""
        if choices is None or not self.shape.has_base:
            x = self.enter(observations)
        else:
            weights = self.enter.weight
            x = functional.linear(observations, weights[:, : self.observed], self.enter.bias)
            # Nearly all of the base policy's part of the input is 0: only the rows of legal actions are read.
            of_actions = weights[:, self.observed :].t().contiguous()
            x = x + functional.embedding_bag(choices.actions, of_actions, mode="sum", per_sample_weights=choices.logits.exp())
        for block in self.blocks:
            x = block(x)
        return functional.relu(self.norm(x))
