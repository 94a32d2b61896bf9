"""PufferLib 3: a native PufferEnv on the batch, which writes into PufferLib's own buffers.

PufferLib 3 pins numpy below 2, so it cannot be installed beside Tradewinds' tested versions: no test runs this file. Give it an environment
of your own.
One agent per game plays all seats in turn, so `num_agents` is the number of games. PufferLib's policies know no masks: the mask is the tail
of the observation, and an illegal action is replaced by a random legal one.
"""

import gymnasium
import numpy as np
import pufferlib

import tradewinds.envs as tw


class TradewindsPuffer(pufferlib.PufferEnv):
    """`num_envs` games of a batch."""

    def __init__(self, name: str = "santiago_de_cuba", num_envs: int = 1024, buf: object = None, seed: int = 0, **options: object) -> None:
        self.batch = tw.make_batch(name, num_envs, seed=seed, **options)
        size, actions = self.batch.observations.shape[1], len(self.batch.action_names)
        self.single_observation_space = gymnasium.spaces.Box(0, np.inf, (size + actions,), np.float32)
        self.single_action_space = gymnasium.spaces.Discrete(actions)
        self.num_agents = num_envs
        self.streams = np.arange(num_envs, dtype=np.uint64).reshape(-1, 1)
        self.legal = np.zeros(num_envs, np.int64)
        super().__init__(buf)

    def reset(self, seed: int = 0) -> tuple[np.ndarray, list]:
        """Start new games."""
        self.batch.reset(seed)
        self._show()
        return self.observations, []

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list]:
        """Play one action per game; finished games start again."""
        batch, rows = self.batch, np.arange(self.num_agents)
        movers = batch.seats.astype(int)
        chosen = np.where(batch.masks[rows, actions], actions, batch.sample(self.streams, self.legal))
        rewards, finished = batch.step(chosen)
        self.rewards[:], self.terminals[:] = rewards[rows, movers], finished
        self._show()
        return self.observations, self.rewards, self.terminals, self.truncations, []

    def _show(self) -> None:
        size = self.batch.observations.shape[1]
        self.observations[:, :size], self.observations[:, size:] = self.batch.observations, self.batch.masks

    def close(self) -> None:
        """End the batch's threads."""
        self.batch.close()
