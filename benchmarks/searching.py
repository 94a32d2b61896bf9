"""Search simulations per second on one core: `python -m tradewinds.benchmarks.searching`.

Each game is searched in states of random play. With random rollouts every simulation plays its game to the end; the scripted rollouts are
those of `search:1000`.
"""

import time

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents.search import Search

from .machine import quiet_cores
from .processes import pinned

POSITIONS = 16
SIMULATIONS = 1000
ROUNDS = 3


def simulations_per_second(game: str, rollout: str, positions: int = POSITIONS, simulations: int = SIMULATIONS, players: int = 4) -> float:
    """Return the best of a few rounds: other work on the machine only makes it slower."""
    batch = tw.make_batch(game, positions, seed=1, players=players)
    streams = np.arange(positions, dtype=np.uint64).reshape(-1, 1)
    search = Search(batch.variant, simulations=simulations, rollout=rollout, reuse=False)
    best = 0.0
    for _ in range(ROUNDS):
        batch.play_random(20, streams)
        done, began = 0, time.process_time()
        for row in range(positions):
            done += search.visits(batch.decisions(np.array([row]), np.zeros(1, np.uint64))).sum()
        best = max(best, float(done / (time.process_time() - began)))
    return best


def main() -> None:
    """Print one line per game."""
    with pinned(quiet_cores()[:1]):
        for game in tw.games():
            speeds = {rollout: simulations_per_second(game, rollout) for rollout in ("random", "scripted")}
            print(f"{game:18}" + "".join(f"{speed:10,.0f}/s {rollout}" for rollout, speed in speeds.items()))


if __name__ == "__main__":
    main()
