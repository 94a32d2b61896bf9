"""Monte Carlo tree search of your own in 60 lines, on the PettingZoo environment.

    python examples/mcts.py --games 4 --simulations 50

It plans without peeking: each simulation starts from `env.redeal(agent, seed)`, a game in which all that the agent cannot know is drawn
again. `env.copy()` would show it the others' secrets and the randomness ahead.
"""

import argparse

import numpy as np

import tradewinds.envs as tw


class Node:
    """Statistics of one information state: visits and total reward of each action for the seat to move."""

    def __init__(self) -> None:
        self.visits: dict[int, int] = {}
        self.values: dict[int, float] = {}
        self.children: dict[tuple[int, str], Node] = {}

    def select(self, legal: list[int], random: np.random.Generator) -> int:
        """An action that was never tried, else the one with the highest upper confidence bound."""
        untried = [action for action in legal if action not in self.visits]
        if untried:
            return int(random.choice(untried))
        total = sum(self.visits[action] for action in legal)
        bounds = [self.values[a] / self.visits[a] + np.sqrt(np.log(total) / self.visits[a]) for a in legal]
        return legal[int(np.argmax(bounds))]


def search(env: tw.TableEnv, simulations: int, random: np.random.Generator) -> int:
    """The most visited action for the agent to move. Seats are told apart by who moves next; chance results share a node."""
    root, agent = Node(), env.agent_selection
    for _ in range(simulations):
        world = env.redeal(agent, seed=int(random.integers(2**63)))
        node, path = root, []
        while not is_over(world):
            mover, action = world.agent_selection, node.select(world.legal_actions(), random)
            is_new = action not in node.visits
            path.append((node, mover, action))
            world.step(action)
            if is_new:
                break
            node = node.children.setdefault((action, world.agent_selection), Node())
        while not is_over(world):
            world.step(int(random.choice(world.legal_actions())))
        for node, mover, action in path:
            node.visits[action] = node.visits.get(action, 0) + 1
            node.values[action] = node.values.get(action, 0.0) + world.rewards[mover]
    return max(root.visits, key=root.visits.__getitem__)


def is_over(env: tw.TableEnv) -> bool:
    """Whether the game has ended."""
    return any(env.terminations.values()) or any(env.truncations.values())


def main() -> None:
    """Play the search in seat 0 against random play."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="santiago_de_cuba")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--steps", type=int, default=10_000, help="stop a game after so many decisions")
    args = parser.parse_args()
    random, wins, scores = np.random.default_rng(1), 0, []
    for game in range(args.games):
        env = tw.make(args.game, players=args.players)
        env.reset(seed=game)
        for _ in range(args.steps):
            if is_over(env):
                break
            is_ours = env.agent_selection == "player_0"
            env.step(search(env, args.simulations, random) if is_ours else int(random.choice(env.legal_actions())))
        scores.append([env.infos[agent]["score"] for agent in env.possible_agents])
        wins += env.infos["player_0"]["rank"] == 1
    print(f"{wins} of {args.games} games won; scores {scores}")


if __name__ == "__main__":
    main()
