"""Win rates after the same number of env steps: `python -m tradewinds.benchmarks.learning santiago_de_cuba 200000 0 tradewinds sb3`.

With `--row` and `sb3`, the row SB3 of the table "what learns what" is measured with the agent, and kept in docs/results.

Ours, SB3's MaskablePPO and RLlib's PPO, where they are installed: the same network, minibatches, epochs and learning rate, self-play with
past policies, no behaviour cloning. Between two updates a seat acts about as often in all of them: ours counts the steps of all seats of
an environment, SB3 those of one, and RLlib plays whole episodes. Only env steps that are learned from count. The time is that of
collecting and learning, without start-up.
"""

import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any

import tradewinds.envs as tw
from tradewinds.agents import Agent, build

WIDTH, BLOCKS = 128, 2
ROWS, STEPS, MINIBATCH, EPOCHS = 256, 64, 2048, 2  # of one seat
LEARNING = {"lr": 5e-4, "gamma": 1.0, "gae_lambda": 0.97, "entropy": 0.01}
OPPONENTS, GAMES = ("random", "scripted:greedy", "scripted"), 400

Learned = tuple[Agent, int, float]  # the agent, env steps, seconds


def tradewinds(game: str, timesteps: int, seed: int) -> Learned:
    """Train with our trainer."""
    from tradewinds.agents.neural.agent import Net
    from tradewinds.training.config import check_config
    from tradewinds.training.ppo import Trainer

    players = tw.game(game).with_options().players
    batch = {"num_envs": ROWS // players, "num_steps": STEPS * players, "minibatch_size": MINIBATCH, "update_epochs": EPOCHS}
    rates = {
        "learning_rate": LEARNING["lr"],
        "learning_rate_end": LEARNING["lr"],
        "gamma": LEARNING["gamma"],
        "gae_lambda": LEARNING["gae_lambda"],
        "ent_coef": LEARNING["entropy"],
        "ent_coef_end": LEARNING["entropy"],
    }
    settings = {
        "game": game,
        "network": {"width": WIDTH, "blocks": BLOCKS},
        "observation": "observation",
        "ppo": {**batch, **rates, "total_timesteps": timesteps},
        "reward": {"margin_coef": 0.0, "margin_coef_end": 0.0},
        "opponent_pool": {"past_every": 1},
        "average": {"last": 0.0},
        "seed": seed,
    }
    trainer = Trainer(check_config(settings, "the comparison"))
    began = time.perf_counter()
    while not trainer.done:
        trainer.iterate()
    return Net(trainer.variant, trainer.net, trainer.spec), trainer.ppo_steps, time.perf_counter() - began


def stable_baselines3(game: str, timesteps: int, seed: int) -> Learned:
    """Train with SB3's MaskablePPO."""
    from sb3_contrib import MaskablePPO

    from tradewinds.training import sb3

    env = sb3.SeatVecEnv(game, ROWS, seed=seed)
    rates: dict[str, Any] = {
        "learning_rate": LEARNING["lr"],
        "gamma": LEARNING["gamma"],
        "gae_lambda": LEARNING["gae_lambda"],
        "ent_coef": LEARNING["entropy"],
    }
    batch: dict[str, Any] = {"n_steps": STEPS, "batch_size": MINIBATCH, "n_epochs": EPOCHS}
    model = MaskablePPO("MlpPolicy", env, policy_kwargs=sb3.same_network(WIDTH, BLOCKS), device="cpu", seed=seed, **batch, **rates)
    began = time.perf_counter()
    model.learn(timesteps, sb3.SelfPlayCallback(every=1, keep=5, alone=True))
    return sb3.SB3Agent(env.variant, model), model.num_timesteps, time.perf_counter() - began


def rllib(game: str, timesteps: int, seed: int) -> Learned:
    """Train with RLlib's PPO."""
    from tradewinds.training import rllib as door

    config = door.ppo(game, workers=2, tables=32, width=WIDTH, blocks=BLOCKS)
    config.debugging(seed=seed)
    algorithm = config.training(train_batch_size_per_learner=ROWS * STEPS, minibatch_size=MINIBATCH, num_epochs=EPOCHS).build_algo()
    began, learned = time.perf_counter(), 0
    while learned < timesteps:
        found = algorithm.train()
        learned = int(found["env_runners"]["num_module_steps_sampled_lifetime"][door.LEARNER])
    seconds = time.perf_counter() - began
    agent = door.agent_of(algorithm)
    algorithm.stop()
    return agent, learned, seconds


TRAINERS: dict[str, tuple[Callable[[str, int, int], Learned], str]] = {
    "tradewinds": (tradewinds, "torch"),
    "sb3": (stable_baselines3, "sb3_contrib"),
    "rllib": (rllib, "ray"),
}


def main(game: str, timesteps: int, seed: int, names: list[str], row: bool = False) -> None:
    """Train with each library and print its win rates; with `row`, keep those of SB3 for the table "what learns what"."""
    from tradewinds.training.cards import measure_row
    from tradewinds.training.evaluation.arena import win_rate

    variant = tw.game(game).with_options()
    for name in names or list(TRAINERS):
        train, library = TRAINERS[name]
        if importlib.util.find_spec(library) is None:
            print(f"{name}: not installed")
            continue
        agent, learned, seconds = train(game, timesteps, seed)
        rates = [f"{code} {win_rate(variant, agent, build(code, variant), GAMES, seed=1):.1%}" for code in OPPONENTS]
        speed = f"{learned:,} env steps in {seconds:.0f} s, {learned / seconds:,.0f} per second"
        print(f"{name}, seed {seed}: {speed}; win rate against {', '.join(rates)}", flush=True)
        if row and name == "sb3":
            measure_row(game, "SB3", agent, workers=0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), [name for name in sys.argv[4:] if name != "--row"], "--row" in sys.argv)
