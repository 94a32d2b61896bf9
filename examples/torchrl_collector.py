"""TorchRL: a masked policy plays all seats in thousands of games, and each decision is credited with its own seat's reward.

    python examples/torchrl_collector.py --frames 500000

A step belongs to the seat to move, so the next step of a row is often another seat's. What a decision was worth is the reward of its seat
at the end of the game, which `credit` carries back.
"""

import argparse

import torch
from tensordict.nn import ProbabilisticTensorDictModule, TensorDictModule, TensorDictSequential
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical

from tradewinds.envs.torchrl import TableBatchEnv


def credit(rewards: torch.Tensor, dones: torch.Tensor, seats: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The final reward of each decision's seat, (games, steps), and whether its game ended within the rollout."""
    returns, known = torch.zeros(seats.shape), torch.zeros(seats.shape, dtype=torch.bool)
    ahead, is_known = torch.zeros_like(rewards[:, 0]), torch.zeros(len(seats), dtype=torch.bool)
    for step in range(seats.shape[1] - 1, -1, -1):
        ahead = torch.where(dones[:, step, None], rewards[:, step], ahead)
        is_known = is_known | dones[:, step]
        returns[:, step] = ahead.gather(1, seats[:, step, None]).squeeze(1)
        known[:, step] = is_known
    return returns, known


def main() -> None:
    """REINFORCE in self-play: the mean reward stays 0, as every game has winners and losers, but play gets better."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="santiago_de_cuba")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--frames", type=int, default=500_000)
    args = parser.parse_args()
    torch.manual_seed(1)
    env = TableBatchEnv(args.game, args.size, seed=1, players=args.players, reward="score")
    (_, inputs), actions = env.observation_spec["observation"].shape, len(env.games.action_names)
    network = torch.nn.Sequential(torch.nn.Linear(inputs, 128), torch.nn.ReLU(), torch.nn.Linear(128, actions))
    head = ProbabilisticTensorDictModule({"logits": "logits", "mask": "action_mask"}, ["action"], distribution_class=MaskedCategorical)
    policy = TensorDictSequential(TensorDictModule(network, ["observation"], ["logits"]), head)
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    steps = 256  # longer than a game of two, so that most decisions learn how it ended
    collector = Collector(env, policy, frames_per_batch=args.size * steps, total_frames=max(args.frames, args.size * steps))
    for data in collector:
        seats, end = data["seat"].squeeze(-1), data["next"]
        returns, known = credit(end["rewards"], end["done"].squeeze(-1), seats)
        logs = MaskedCategorical(logits=network(data["observation"]), mask=data["action_mask"]).log_prob(data["action"])
        loss = -(logs * returns / 20)[known].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{data.numel():,} decisions, {int(end['done'].sum())} games, loss {loss.item():+.3f}", flush=True)
    collector.shutdown()


if __name__ == "__main__":
    main()
