"""PPO with action masks in one file: one seat learns against a scripted bot, on Gymnasium's vector interface.

    python examples/masked_ppo.py                     # four minutes on one core
    python examples/masked_ppo.py --steps 20000       # a short run

Copy it and change it. It needs tradewinds, gymnasium, numpy and torch, and nothing else.
"""

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn

import tradewinds.envs  # noqa: F401  registers the games with Gymnasium


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--env", default="tradewinds/santiago_de_cuba-v0")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--encoding", default="rich", help="of observations: compact or rich")
    parser.add_argument("--opponents", default="scripted:greedy", help="any agent code")
    parser.add_argument("--steps", type=int, default=2_000_000, help="env steps: decisions of the learner")
    parser.add_argument("--num-envs", type=int, default=512)
    parser.add_argument("--rollout", type=int, default=32, help="steps per environment between two updates")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--lr", type=float, default=7e-4)
    parser.add_argument("--gae-lambda", type=float, default=0.97)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.005)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--games", type=int, default=400, help="games of each evaluation")
    parser.add_argument("--reward-scale", type=float, default=0.05, help="of one point, so that returns are about 1")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class ActorCritic(nn.Module):
    """Two hidden layers, shared by policy and value."""

    def __init__(self, observations: int, actions: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observations, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities of all actions, with about -1e9 for illegal ones, and values."""
        features = self.body(observations)
        logits = self.policy(features).masked_fill(~masks, -1e9)
        return logits.log_softmax(dim=1), self.value(features).squeeze(1)


def tensors(observations: np.ndarray, infos: dict) -> tuple[torch.Tensor, torch.Tensor]:
    """What the network takes."""
    return torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()


def make(args: argparse.Namespace, num_envs: int) -> gymnasium.vector.VectorEnv:
    """Games in each of which one seat is ours, a different one in each game."""
    mode = gymnasium.vector.AutoresetMode.SAME_STEP  # no wasted step between two games
    # The margin in points is a denser signal than the win alone.
    settings = {"players": args.players, "opponents": args.opponents, "encoding": args.encoding, "reward": "score"}
    return gymnasium.make_vec(args.env, num_envs=num_envs, seat=None, autoreset_mode=mode, **settings)


def win_rate(args: argparse.Namespace, network: ActorCritic) -> float:
    """First places per game when the most likely actions are played, one game per environment."""
    envs = make(args, args.games)
    observations, infos = envs.reset(seed=10_000)
    wins = np.full(args.games, np.nan)
    while np.isnan(wins).any():
        with torch.no_grad():
            actions = network(*tensors(observations, infos))[0].argmax(dim=1).numpy()
        observations, _, terminations, truncations, infos = envs.step(actions)
        first = (terminations | truncations) & np.isnan(wins)
        wins[first] = infos["final_info"]["rank"][first] == 1 if first.any() else []
    return float(wins.mean())


def update(args: argparse.Namespace, network: ActorCritic, optimizer: torch.optim.Optimizer, batch: list[torch.Tensor]) -> None:
    """Several epochs of clipped policy gradients over one rollout."""
    size = len(batch[0])
    for _ in range(args.epochs):
        for rows in torch.randperm(size).split(args.minibatch):
            observations, masks, actions, old, advantages, returns = (part[rows] for part in batch)
            logs, values = network(observations, masks)
            ratio = (logs.gather(1, actions[:, None]).squeeze(1) - old).exp()
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            gain = torch.min(ratio * advantages, ratio.clamp(1 - args.clip, 1 + args.clip) * advantages).mean()
            entropy = -(logs.exp() * logs).sum(dim=1).mean()
            loss = -gain + 0.5 * (values - returns).square().mean() - args.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def main() -> None:
    """Train, and measure before and after."""
    args = parse_arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # networks this small gain nothing from more
    envs = make(args, args.num_envs)
    (inputs,), actions_count = envs.single_observation_space.shape, envs.single_action_space.n
    network = ActorCritic(inputs, actions_count, args.width)
    optimizer = torch.optim.Adam(network.parameters(), args.lr, eps=1e-5)
    print(f"win rate before: {win_rate(args, network):.1%} against {args.opponents}; a fair share is {1 / args.players:.1%}", flush=True)

    observations, infos = envs.reset(seed=args.seed)
    updates = max(1, args.steps // (args.rollout * args.num_envs))
    began, won, margins = time.perf_counter(), [], []
    for iteration in range(1, updates + 1):
        optimizer.param_groups[0]["lr"] = args.lr * (1 - (iteration - 1) / updates)
        seen, rewards, dones = [], [], []
        for _ in range(args.rollout):
            inputs_now, masks = tensors(observations, infos)
            with torch.no_grad():
                logs, values = network(inputs_now, masks)
            actions = torch.multinomial(logs.exp(), 1).squeeze(1)
            observations, reward, terminations, truncations, infos = envs.step(actions.numpy())
            over = terminations | truncations
            won += (infos["final_info"]["rank"][over] == 1).tolist() if over.any() else []
            margins += reward[over].tolist()
            seen.append((inputs_now, masks, actions, logs.gather(1, actions[:, None]).squeeze(1), values))
            rewards.append(torch.as_tensor(reward * args.reward_scale, dtype=torch.float32))
            dones.append(torch.as_tensor(over))

        # Generalised advantage estimation without discount: the one reward comes at the end of a game.
        with torch.no_grad():
            following = network(*tensors(observations, infos))[1]
        advantage, advantages = torch.zeros(args.num_envs), []
        for (*_, values), reward, over in zip(reversed(seen), reversed(rewards), reversed(dones), strict=True):
            advantage = reward + torch.where(over, 0.0, following) - values + torch.where(over, 0.0, args.gae_lambda * advantage)
            advantages.insert(0, advantage)
            following = values
        parts = [torch.cat(part) for part in zip(*seen, strict=True)]
        joined = torch.cat(advantages)
        update(args, network, optimizer, [*parts[:4], joined, joined + parts[4]])
        if iteration % max(1, updates // 20) == 0:
            steps = iteration * args.rollout * args.num_envs
            speed = steps / (time.perf_counter() - began)
            print(f"{steps:>9,} steps  {speed:>6,.0f}/s  wins {np.mean(won):.1%}  margin {np.mean(margins):+.1f} points", flush=True)
            won, margins = [], []
    print(f"win rate after: {win_rate(args, network):.1%}")


if __name__ == "__main__":
    main()
