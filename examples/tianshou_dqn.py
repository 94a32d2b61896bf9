"""Tianshou 2: DQN with masks for one seat against random opponents.

    python examples/tianshou_dqn.py --steps 20000

Tianshou's DQN takes masks as `{"obs": ..., "mask": ...}`; its PPO has none. Tianshou 2 wants pandas below 3, which other tested versions do
not have, so install it in an environment of its own.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv

import tradewinds.envs  # noqa: F401  registers the games with Gymnasium


class TianshouKeys(gymnasium.ObservationWrapper):
    """Observation and mask under the names that Tianshou looks for."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        spaces = env.observation_space
        self.observation_space = gymnasium.spaces.Dict({"obs": spaces["observation"], "mask": spaces["action_mask"]})

    def observation(self, observation: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Rename the parts."""
        return {"obs": observation["observation"], "mask": observation["action_mask"]}


class Network(torch.nn.Module):
    """Action values."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(inputs, 128), torch.nn.ReLU(), torch.nn.Linear(128, actions))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Values of all actions, and Tianshou's recurrent state."""
        return self.layers(torch.as_tensor(np.asarray(obs), dtype=torch.float32)), state


def main() -> None:
    """Collect and learn in turn, then measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--env", default="tradewinds/santiago_de_cuba-v0")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--games", type=int, default=40)
    args = parser.parse_args()

    def make() -> gymnasium.Env:
        return TianshouKeys(gymnasium.make(args.env, players=2, opponents=args.opponents, reward="score", mask="observation"))

    one = make()
    network = Network(one.observation_space["obs"].shape[0], one.action_space.n)
    policy = DiscreteQLearningPolicy(model=network, action_space=one.action_space, eps_training=0.2)
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=200)
    collector = Collector(algorithm, DummyVectorEnv([make for _ in range(8)]), VectorReplayBuffer(50_000, 8), exploration_noise=True)
    tester = Collector(algorithm, DummyVectorEnv([make for _ in range(8)]), VectorReplayBuffer(50_000, 8))
    collector.reset()
    print(f"margin before: {margin(policy, tester, args.games):+.1f} points")
    for _ in range(max(1, args.steps // 400)):
        with torch.no_grad():
            collector.collect(n_step=400)
        policy.is_within_training_step = True
        for _ in range(20):
            algorithm.update(buffer=collector.buffer, sample_size=128)
        policy.is_within_training_step = False
    print(f"margin after: {margin(policy, tester, args.games):+.1f} points")


def margin(policy: DiscreteQLearningPolicy, tester: Collector, games: int) -> float:
    """The mean reward of games played greedily."""
    tester.reset()
    policy.eval()
    with torch.no_grad():
        found = tester.collect(n_episode=games)
    policy.train()
    return float(found.returns.mean())


if __name__ == "__main__":
    main()
