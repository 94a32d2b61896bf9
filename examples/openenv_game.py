"""One game in OpenEnv, with a function in place of a language model.

pip install '.[openenv]'
python examples/openenv_game.py --opponents scripted
"""

import argparse

from tradewinds.envs.openenv import Answer, Seen, TradewindsEnvironment


def fake_model(seen: Seen) -> str:
    """Stands in for a model, which would read `seen.prompt`."""
    return f"I have thought about it.\nAction: {seen.legal[len(seen.prompt) % len(seen.legal)]}"


def main() -> None:
    """Play one game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="santiago_de_cuba")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--opponents", default="random", help="an agent code, such as scripted")
    parser.add_argument("--steps", type=int, default=10_000, help="stop after so many answers")
    args = parser.parse_args()
    env = TradewindsEnvironment(args.game, opponents=args.opponents, players=args.players)
    seen = env.reset(seed=1)
    while not seen.done and env.state.step_count < args.steps:
        seen = env.step(Answer(text=fake_model(seen)))
        if seen.refused:  # a real model would be shown why, and asked again
            print(seen.refused)
    print(f"{env.state.step_count} answers, over: {seen.done}, reward {seen.reward:g}, rank {seen.rank}, score {seen.score}")


if __name__ == "__main__":
    main()
