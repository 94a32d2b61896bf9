"""What a scripted bot is: one kernel that rates actions, and styles, which are rows of weights for it."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

NOTES = 256  # numbers of scratch memory that a bot has


@dataclass(frozen=True, eq=False)
class Bot:
    """A game's scripted bot.

    `rate(s, me, mask, weights, notes, values)` writes into `values` what each legal action is worth to seat `me`. It reads only what that
    seat may know, so `s` may be the seat's view or any world that fits it. `notes` is scratch memory. The best action is played.
    """

    game: str
    rate: Callable[..., Any]
    styles: Mapping[str, np.ndarray]  # name -> weights, float64; the first is the default
    temperature: float  # search takes softmax(values / temperature) for the chance that an action is the right one
    spread: float  # points by which games are typically won
    horizon: int  # decisions that search plays on before a network, where there is one, tells the rest; 0: all

    def __post_init__(self) -> None:
        shapes = {weights.shape for weights in self.styles.values()}
        if len(shapes) != 1 or any(weights.dtype != np.float64 or weights.ndim != 1 for weights in self.styles.values()):
            raise ValueError(f"{self.game}: every style is a row of as many float64 weights")

    @property
    def default(self) -> str:
        return next(iter(self.styles))


@cache
def bot_of(game: str) -> Bot:
    """The bot of a game, by the game's name."""
    return importlib.import_module(f"{__package__}.{game}").BOT
