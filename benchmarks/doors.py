"""Speed of copies, saves, frames and the vector and TorchRL environments: `python -m tradewinds.benchmarks.doors [GAME ...]`.

Ratios are of CPU time, and the two sides take turns in one process, so that other work on the machine changes them little.
"""

import importlib.util
import pickle
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np

import tradewinds.envs as tw

from .machine import quiet_cores
from .processes import pinned

ROUNDS = 7  # the median counts
MOVES = 60  # played before positions are copied or loaded
ROWS = 1024
FRAMES = 40


class Line(NamedTuple):
    """One measured figure with its aim."""

    figure: str
    value: float
    aim: float
    at_least: bool = False  # else at most

    @property
    def is_met(self) -> bool:
        """Whether the aim is met."""
        return self.value >= self.aim if self.at_least else self.value <= self.aim

    def __str__(self) -> str:
        sign, said = ">=" if self.at_least else "<=", "met" if self.is_met else "not met"
        return f"{self.figure:48}{self.value:10,.3g}   aim {sign} {self.aim:g}: {said}"


def milliseconds(*calls: Callable[[], Any], number: int = 1, rounds: int = ROUNDS) -> list[float]:
    """CPU time of each call in milliseconds, the median of rounds in which the calls take turns."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, found in zip(calls, times, strict=True):
            began = time.process_time()
            for _ in range(number):
                call()
            found.append((time.process_time() - began) * 1000 / number)
    return [statistics.median(found) for found in times]


def midgame(game: str, moves: int = MOVES, **options: Any) -> tw.TableEnv:
    """A game after so many random moves, or at its end."""
    env = tw.make(game, **options)
    env.reset(seed=3)
    env.action_space("player_0").seed(3)
    for _ in range(moves):
        if not env.legal_actions():
            break
        env.step(env.action_space("player_0").sample())
    return env


def copies(game: str, number: int = 200) -> list[Line]:
    """`env.copy()`, alone and beside what any other object would need: a pickle."""
    env = midgame(game)
    (copied,), (pickled,) = milliseconds(env.copy, number=number), milliseconds(lambda: pickle.loads(pickle.dumps(env)), number=5)
    return [Line("copy(), ms", copied, 0.1), Line("copy(), times as fast as a pickle", pickled / copied, 20, at_least=True)]


def loads(game: str) -> list[Line]:
    """`env.load()` of a whole game of random moves."""
    env = midgame(game, moves=100_000)
    saved = env.save()
    (loaded,) = milliseconds(lambda: env.load(saved))
    return [Line(f"load() of a game of {len(env.moves)} moves, ms", loaded, 20)]


def checks(game: str, rows: int = 4096) -> list[Line]:
    """The check of states that come from outside, with all that is done before a batch goes on with them."""
    batch = tw.make_batch(game, rows, seed=1)
    batch.play_random(MOVES, np.arange(rows, dtype=np.uint64).reshape(-1, 1))
    given = batch.state_dict()
    (loaded,) = milliseconds(lambda: batch.load_state_dict(given))
    return [Line(f"load_state_dict() of {rows} games, ms", loaded, 50)]


def frames(game: str, count: int = FRAMES) -> list[Line]:
    """Frames of a video of random play, after the first few."""
    env = midgame(game, render_mode="rgb_array")
    times = []
    for number in range(count + 3):
        if env.legal_actions():
            env.step(env.action_space("player_0").sample())
        times += milliseconds(env.render, rounds=1) if number >= 3 else []
    return [Line("rgb_array frame, warm, median ms", statistics.median(times), 40)]


def vectors(game: str, steps: int = 20, rows: int = ROWS) -> list[Line]:
    """The vector environment beside `make_vec` with Gymnasium's own SyncVectorEnv, with random opponents in both."""
    env_id = f"tradewinds/{game}-v{tw.game(game).version}"
    sides = {mode: gymnasium.make_vec(env_id, num_envs=rows, vectorization_mode=mode) for mode in ("vector_entry_point", "sync")}
    masks = {mode: envs.reset(seed=1)[1]["action_mask"] for mode, envs in sides.items()}

    def play(mode: str, count: int) -> None:
        for _ in range(count):
            masks[mode] = sides[mode].step(np.stack(list(masks[mode])).argmax(axis=1))[4]["action_mask"]

    (ours,) = milliseconds(lambda: play("vector_entry_point", steps), rounds=3)
    (theirs,) = milliseconds(lambda: play("sync", 2), rounds=3)
    return [Line(f"vector of {rows}, times as fast as make_vec sync", theirs / 2 / (ours / steps), 7, at_least=True)]


def torchrl(game: str, steps: int = 60, rows: int = ROWS) -> list[Line]:
    """The TorchRL environment beside TorchRL's wrapper of the PettingZoo one."""
    if not importlib.util.find_spec("torchrl"):
        return []
    import torch
    from torchrl.envs import PettingZooWrapper

    from tradewinds.envs.torchrl import TableBatchEnv

    torch.set_num_threads(1)
    batched = TableBatchEnv(game, rows)
    wrapped = PettingZooWrapper(tw.make(game), use_mask=True, return_state=False, group_map=None)
    for env in (batched, wrapped):
        env.rollout(5)
    (ours,) = milliseconds(lambda: batched.rollout(steps, break_when_any_done=False), rounds=3)
    (theirs,) = milliseconds(lambda: wrapped.rollout(30, break_when_any_done=False), rounds=3)
    return [Line(f"TorchRL, {rows} rows, times as fast as its wrapper", theirs / 30 / (ours / (steps * rows)), 100, at_least=True)]


def main(games: list[str]) -> int:
    """Print one line per figure and game.

    Returns:
        The exit code: 1 if an aim is missed.
    """
    missed = 0
    with pinned(quiet_cores()[:1]):
        for game in games or tw.games():
            print(game)
            for measure in (copies, loads, checks, frames, vectors, torchrl):
                for line in measure(game):
                    print(f"  {line}", flush=True)
                    missed += not line.is_met
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
