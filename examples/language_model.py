"""A language model at the table: prompt, answer, and why an answer was refused.

    OPENAI_BASE_URL=http://localhost:8000/v1 python examples/language_model.py --model my-model
    python examples/language_model.py                 # without a model: answers come from a function

The agent code `llm:MODEL` does the same in every command, with a time limit, retries and a log: see tradewinds.agents.llm.
"""

import argparse
from collections.abc import Callable

import numpy as np

import tradewinds.envs as tw
from tradewinds import agents
from tradewinds.envs import text


def fake_model(prompt: str) -> str:
    """Stands in for a model: sometimes talks, sometimes names an action in its own words."""
    choices = prompt.rpartition("Your legal actions:\n")[2].split("\n\n")[0].splitlines()
    number, _, name = choices[len(prompt) % len(choices)].partition(": ")
    return ["I pass on this question.", f"Action: {number}", f"I like the look of it.\nAction: {name.upper()}"][len(prompt) % 3]


def play(ask: Callable[[str], str], game: str, players: int, seed: int, steps: int) -> None:
    """One game: the model in seat 0, the scripted bot in the others."""
    env = tw.make(game, players=players)
    env.reset(seed=seed)
    bot = agents.make("scripted", game, players=players)
    random = np.random.default_rng(seed)
    for _ in range(steps):
        if any(env.terminations.values()) or any(env.truncations.values()):
            break
        if env.agent_selection != "player_0":
            env.step(int(bot.act(env.decision())[0]))
            continue
        prompt = text.prompt(env)
        answer = text.read_answer(ask(prompt), env)
        if answer.action is None:  # say why, and ask once more
            answer = text.read_answer(ask(f"{prompt}\n\n{answer.reason}"), env)
        env.step(int(random.choice(env.legal_actions())) if answer.action is None else answer.action)
    print({agent: info["score"] for agent, info in env.infos.items()})


def main() -> None:
    """Play one game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", help="a model at OPENAI_BASE_URL")
    parser.add_argument("--game", default="santiago_de_cuba")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=10_000, help="stop after so many decisions")
    args = parser.parse_args()
    if args.model is None:
        play(fake_model, args.game, args.players, seed=1, steps=args.steps)
        return
    env = tw.make_seat(args.game, players=args.players, seat=0, opponents="scripted")
    model = agents.make(f"llm:{args.model}", args.game, players=args.players)
    env.reset(seed=1)
    terminated = truncated = False
    while not (terminated or truncated):
        _, _, terminated, truncated, info = env.step(model.act(env.table.decision())[0])
    print(f"score {info['score']}, rank {info['rank']}")


if __name__ == "__main__":
    main()
