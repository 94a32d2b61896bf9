"""Search simulations per second on one core: `python -m tradewinds.benchmarks.searching`.

Each game is searched in states of random play. With random rollouts every simulation plays its game to the end; the scripted rollouts are
those of `search:1000`, and with `prior=policy` the network that comes with Tradewinds gives the priors and evaluates the ends of rollouts.
"""

import time
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents.search import Search

from .machine import quiet_cores
from .processes import pinned

POSITIONS = 16
SIMULATIONS = 1000
ROUNDS = 3
SETTINGS: dict[str, dict[str, Any]] = {
    "random": {"rollout": "random"},
    "scripted": {"rollout": "scripted"},
    "prior=policy": {"prior": "policy"},
}


def simulations_per_second(
    game: str, settings: dict[str, Any], positions: int = POSITIONS, simulations: int = SIMULATIONS, players: int = 4
) -> float:
    """Return the best of a few rounds with these settings of `Search`: other work on the machine only makes it slower."""
    batch = tw.make_batch(game, positions, seed=1, players=players)
    streams = np.arange(positions, dtype=np.uint64).reshape(-1, 1)
    search = Search(batch.variant, simulations=simulations, reuse=False, **settings)
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
            speeds = {name: simulations_per_second(game, settings) for name, settings in SETTINGS.items()}
            print(f"{game:18}" + "".join(f"{speed:10,.0f}/s {name}" for name, speed in speeds.items()))


if __name__ == "__main__":
    main()
