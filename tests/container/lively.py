"""Weighted random play: uniformly random players take loans they cannot pay for and soon do nothing but sail."""

import numpy as np

from tradewinds.envs.container import GAME

WEIGHTS = {
    "loan: take": 0.05,
    "turn:": 0.2,
    "machine:": 0.5,
    "warehouse:": 0.7,
    "factory: produce": 6.0,
    "harbour: buy": 5.0,
    "harbour: only": 0.3,
    "sail: to the island": 8.0,
    "sail: to the open": 4.0,
    "sail: to the own": 3.0,
    "buy:": 3.0,
    "load:": 3.0,
    "call:": 0.7,
}
WEIGHT = np.array([next((w for start, w in WEIGHTS.items() if name.startswith(start)), 1.0) for name in GAME.actions.names])


def choose(mask: np.ndarray, random: np.random.Generator) -> int:
    weight = WEIGHT * mask[: len(WEIGHT)]
    return int(random.choice(len(weight), p=weight / weight.sum()))
