"""What a scripted bot is: one kernel that rates actions, and styles, which are rows of weights for it."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tradewinds.envs.core.engine.kernel import kernel

SCRATCH_SIZE = 256  # float64 values of scratch memory for a bot


@dataclass(frozen=True, eq=False)
class Bot:
    """A game's scripted bot.

    `rate(s, me, mask, weights, scratch, values)` writes into `values` what each legal action is worth to seat `me`. It reads only what that
    seat may know, so `s` may be the seat's view or any determinization of it. `scratch` is memory for its own use. The bot plays the action
    with the highest value.

    Raises:
        ValueError: The styles differ in their number of weights, or these are not float64.
    """

    game: str
    rate: Callable[..., Any]
    styles: Mapping[str, np.ndarray]  # name -> weights, float64; the first is the default
    temperature: float  # search takes softmax(values / temperature) as the prior of each action

    def __post_init__(self) -> None:
        shapes = {weights.shape for weights in self.styles.values()}
        if len(shapes) != 1 or any(weights.dtype != np.float64 or weights.ndim != 1 for weights in self.styles.values()):
            raise ValueError(f"{self.game}: all styles must be vectors of float64 weights of one length")

    @property
    def default(self) -> str:
        """The name of the strongest style."""
        return next(iter(self.styles))


@kernel
def rate_equal(s, me, mask, weights, scratch, values):
    """Rate all actions equally."""
    for action in range(values.size):
        values[action] = 0.0


# Fills the place of `rate` in the kernels of a game without a bot; agents never play it.
NO_BOT = Bot(game="", rate=rate_equal, styles={"random": np.zeros(1)}, temperature=1.0)


@cache
def bot_of(game: "tw.Game | str") -> Bot | None:
    """The scripted bot of a game, or None if it has none.

    Args:
        game: The game or its name.

    Raises:
        ValueError: The game names a bot that cannot be imported, or that is the bot of another game.
    """
    found = tw.game(game) if isinstance(game, str) else game
    if found.bot is None:
        return None
    module, _, name = found.bot.partition(":")
    try:
        bot = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"the bot of {found.name}, {found.bot!r}, cannot be imported: {error}") from None
    if not isinstance(bot, Bot) or bot.game != found.name:
        raise ValueError(f"{found.bot} is not the bot of {found.name}")
    return bot
