"""OpenSpiel: its information-set MCTS against its uniform random bot.

python examples/openspiel_ismcts.py --game container --players 3
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random

import tradewinds.envs.spiel  # noqa: F401  registers the game


def main() -> None:
    """Play one game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="santiago_de_cuba")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--steps", type=int, default=10_000, help="stop after so many decisions")
    args = parser.parse_args()
    game = pyspiel.load_game("python_tradewinds", {"game": args.game, "players": args.players, "seed": 1})
    random = np.random.RandomState(1)
    searcher = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, random), 1.4, args.simulations, random_state=random)
    others = [uniform_random.UniformRandomBot(player, random) for player in range(1, args.players)]
    bots = [searcher, *others]
    state = game.new_initial_state()
    for _ in range(args.steps):
        if state.is_terminal():
            break
        state.apply_action(bots[state.current_player()].step(state))
    print(f"returns {state.returns()}")


if __name__ == "__main__":
    main()
