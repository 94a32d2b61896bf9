"""What a network reads: observations, and the legal actions with the logits of a base policy. No torch here."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.core.engine.masks import list_legal
from tradewinds.envs.core.engine.rng import below
from tradewinds.envs.core.spec.game import Variant
from tradewinds.envs.core.spec.layout import Layout

from ..scripted.agent import Scripted
from ..scripted.bot import bot_of

ILLEGAL = -1e8  # a logit of probability 0; finite, so that the entropy has no NaN
READS = ("information_state", "observation")


@dataclass(frozen=True)
class PolicySpec:
    """What a network reads, and the base policy to which its logits are added."""

    reads: str = "observation"  # or information_state: the observation with perfect recall, whatever the environment's visibility is
    base: str = "none"  # or scripted: the game's bot
    style: str | None = None
    temperature: float = 1.0
    clip: float = 10.0
    encoding: str = "compact"  # or rich: how what it reads is encoded, whatever the environment's encoding is

    @classmethod
    def of(
        cls,
        variant: Variant,
        reads: str,
        base: str,
        style: str | None = None,
        temperature: float | None = None,
        clip: float = 10.0,
        encoding: str | None = None,
    ) -> "PolicySpec":
        """The spec with the game's defaults filled in: the variant's encoding, the bot's strongest style, half of its temperature.

        Args:
            variant: What is played.
            reads: "information_state" or "observation".
            base: "scripted" or "none".
            style: The bot's style; None: its strongest.
            temperature: What differences of its ratings are divided by; None: half of the bot's search temperature.
            clip: The largest difference to the best rating, after that division.
            encoding: That of the observations; None: the variant's own.

        Raises:
            ValueError: The game has no such encoding, or the bot no such style.
        """
        encoding = variant.encoded(encoding or variant.encoding).encoding
        if base == "none":
            return cls(reads, encoding=encoding)
        bot = bot_of(variant.game)
        if bot is None:
            raise ValueError(f"{variant.game.name} has no scripted bot; base must be none")
        temperature = bot.temperature / 2 if temperature is None else temperature
        return cls(reads, base, Scripted(variant, style).style, temperature, clip, encoding)

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> "PolicySpec":
        """The spec in a network's facts, as `facts` wrote it."""
        policy = {name: value for name, value in facts["policy"].items() if name != "weights"}
        return cls(facts["reads"], encoding=facts["encoding"], **policy)

    def facts(self, game: str) -> dict[str, Any]:
        """In JSON types, with a checksum of the bot's weights."""
        policy = {"base": self.base}
        if self.base != "none":
            more = {"style": self.style, "temperature": self.temperature, "clip": self.clip, "weights": weights_of(game, self.style)}
            policy |= more
        return {"reads": self.reads, "encoding": self.encoding, "policy": policy}

    def inputs(self, variant: Variant) -> int:
        """How many numbers a network reads."""
        return self.layout(variant).size + len(variant.game.actions) * (self.base != "none")

    def layout(self, variant: Variant) -> Layout:
        """The layout of the observations that a network reads."""
        variant = variant.encoded(self.encoding)
        return variant.state_layout if self.reads == "information_state" else variant.layout


def weights_of(game: str, style: str | None) -> str:
    """A checksum of the weights of a bot's style; none if there is no such style."""
    bot = bot_of(game)
    return f"{zlib.crc32(bot.styles[style].tobytes()):08x}" if bot is not None and style is not None and style in bot.styles else "none"


PLAIN = PolicySpec()  # reads the observation, no base policy


class Inputs(NamedTuple):
    """The input of a network for n decisions, the legal actions padded to the longest list of them."""

    observations: np.ndarray  # float32 (n, D)
    actions: np.ndarray  # int64 (n, K); padding is 0
    logits: np.ndarray  # float32 (n, K): of the base policy, 0 without one; padding is ILLEGAL


class InputReader:
    """Reads decisions for networks of one spec."""

    def __init__(self, variant: Variant, spec: PolicySpec, threads: int = 1) -> None:
        self.spec = spec
        self.threads = threads
        self._bot = Scripted(variant, spec.style) if spec.base != "none" else None

    def read(self, decisions: Decisions) -> Inputs:
        """The input for these decisions. The base policy rates what the network reads: the information states, or the views."""
        spec, most = self.spec, int(decisions.counts.max(initial=1))
        actions = np.zeros((len(decisions), most), np.int64)
        logits = np.full((len(decisions), most), ILLEGAL, np.float32)
        recalls = spec.reads == "information_state"
        if self._bot is None:
            list_choices(decisions.mask_words, actions, logits)
        else:
            views = decisions.information_states if recalls else decisions.views
            self._bot.base_logits(decisions, views, spec.temperature, spec.clip, actions, logits, self.threads)
        return Inputs(decisions.encode(spec.encoding, recalls), actions, logits)


@kernel
def list_choices(words, actions, logits):
    """The legal actions of each mask, all with logit 0."""
    for i in range(words.shape[0]):
        for k in range(list_legal(words[i], actions[i])):
            logits[i, k] = 0


@kernel
def best_choices(logits, streams, choices):
    """The index of the highest logit in each row, ties broken at random exactly as the bots do."""
    for i in range(logits.shape[0]):
        best, level = 0, 1
        for k in range(1, logits.shape[1]):
            if logits[i, k] > logits[i, best]:
                best, level = k, 1
            elif logits[i, k] == logits[i, best]:
                level += 1
                if below(streams[i], level) == 0:
                    best = k
        choices[i] = best


def draw(probabilities: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Sample one index per row of `probabilities` (n, A) with one uniform number in [0, 1) per row; never one of probability 0."""
    heights = probabilities.cumsum(axis=1)
    marks = uniforms * heights[:, -1]
    # Rounding may put a mark at the top, past the last action with a positive probability.
    marks = np.minimum(marks, np.nextafter(heights[:, -1], 0, dtype=heights.dtype))
    return (heights <= marks[:, None]).sum(axis=1)


def uniforms_of(seeds: np.ndarray) -> np.ndarray:
    """A number in [0, 1) from each seed, by its highest 53 bits."""
    return (seeds >> np.uint64(11)).astype(np.float64) * 2.0**-53
