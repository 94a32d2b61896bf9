"""Behaviour cloning from a dataset of decisions: collect, learn, measure.

python examples/offline_cloning.py --games 300
"""

import argparse

import gymnasium
import numpy as np
import torch
from torch import nn

import tradewinds.envs as tw
from tradewinds.training.datasets import collect


def main() -> None:
    """Clone an agent and play the clone against random opponents."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="santiago_de_cuba")
    parser.add_argument("--agent", default="scripted")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(1)
    table = collect(args.game, args.agent, args.games, seed=1, players=args.players)
    print(f"{len(table):,} decisions of {args.games} games")
    seen, masks = torch.from_numpy(table.observations), torch.from_numpy(table.masks)
    actions = torch.from_numpy(table.actions.astype(np.int64))
    network = nn.Sequential(nn.Linear(seen.shape[1], 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, masks.shape[1]))
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    for epoch in range(args.epochs):
        losses = []
        for rows in torch.randperm(len(table)).split(512):
            loss = nn.functional.cross_entropy(network(seen[rows]).masked_fill(~masks[rows], -1e9), actions[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: cross-entropy {np.mean(losses):.3f}")

    env_id = f"tradewinds/{args.game}-v{tw.game(args.game).version}"
    envs = gymnasium.make_vec(env_id, num_envs=200, players=args.players, opponents="random", seat=None)
    vectors, infos = envs.reset(seed=1)
    ranks = np.zeros(200, int)
    while not ranks.all():
        with torch.no_grad():
            scores = network(torch.from_numpy(vectors)).masked_fill(torch.from_numpy(infos["action_mask"]) == 0, -1e9)
        vectors, _, terminations, truncations, infos = envs.step(scores.argmax(dim=1).numpy())
        first = (terminations | truncations) & (ranks == 0)
        ranks[first] = infos["rank"][first]
    print(f"the clone wins {np.mean(ranks == 1):.0%} of 200 games against random; a fair share is {1 / args.players:.0%}")


if __name__ == "__main__":
    main()
