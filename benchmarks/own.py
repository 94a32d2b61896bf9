"""Our own contestants: the batch and the AEC environment."""

import functools
import json
from typing import Any

import numpy as np

import tradewinds.envs as tw

from .contest import AecLoop

SEED = 1
POOL = 1024  # games played to learn the mean length, and to take positions from


class RandomBatch:
    """`batch.sample` draws the moves and `batch.step` plays them, both compiled; for several steps a call `batch.play_random` does it."""

    SMALL = 64  # games; smaller batches make several steps a burst, so that the clock costs nothing

    def __init__(self, game: str, options: dict[str, Any], size: int, threads: int, steps_a_call: int = 1) -> None:
        draw = np.random.default_rng(SEED)
        self.batch = tw.make_batch(game, size, seed=SEED, threads=threads, **options)
        self.streams = draw.integers(0, 2**64, (size, 1), np.uint64)
        self.actions = np.zeros(size, np.int64)
        self.steps_a_call = steps_a_call
        self.repeats = -(-self.SMALL // (size * steps_a_call))
        positions, _ = midgame(game, json.dumps(options))
        chosen = draw.permutation(np.arange(size) % POOL)
        arrays = {name: array[chosen] for name, array in positions.items()}
        arrays["streams"] = draw.integers(0, 2**64, arrays["streams"].shape, np.uint64)
        self.batch.load_state_dict(arrays)

    def burst(self) -> int:
        batch, streams, actions = self.batch, self.streams, self.actions
        for _ in range(self.repeats):
            if self.steps_a_call == 1:
                batch.step(batch.sample(streams, actions))
            else:
                batch.play_random(self.steps_a_call, streams)
        return self.repeats * self.steps_a_call * batch.size


@functools.cache
def midgame(game: str, options: str) -> tuple[dict[str, np.ndarray], float]:
    """Positions from all parts of a game alike, and the mean length of a random game.

    A batch whose games all began together would stay in step for long: short rounds would see only openings, and no game's end.
    """
    draw = np.random.default_rng(SEED)
    batch = tw.make_batch(game, POOL, seed=SEED, **json.loads(options))
    streams, actions = draw.integers(0, 2**64, (POOL, 1), np.uint64), np.zeros(POOL, np.int64)
    lengths, steps = np.zeros(POOL, np.int64), 0
    while (lengths == 0).any():
        steps += 1
        _, finished = batch.step(batch.sample(streams, actions))
        lengths[(lengths == 0) & finished] = steps
    mean = float(lengths.mean())
    positions = batch.state_dict()
    taken_at = draw.integers(0, int(mean), POOL)
    for step in range(int(mean)):
        rows = taken_at == step
        for name, array in batch.state_dict().items():
            positions[name][rows] = array[rows]
        batch.step(batch.sample(streams, actions))
    return positions, mean


def build_batch(game: str, options: dict[str, Any], size: int, threads: int, steps_a_call: int = 1) -> RandomBatch:
    return RandomBatch(game, options, size, threads, steps_a_call)


def build_aec(game: str, options: dict[str, Any], choice: str) -> AecLoop:
    return AecLoop(tw.make(game, **options), choice)


def mean_length(game: str, options: dict[str, Any]) -> float:
    """Moves of a random game, forced ones not counted."""
    return midgame(game, json.dumps(options))[1]
