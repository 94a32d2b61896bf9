"""`tradewinds bench --training`: training speed of our trainer beside Stable-Baselines3's MaskablePPO, collecting and learning together.

Another setting measures our trainer alone: a residual policy, which rates every decision with the bot.

All play the same game in the same number of environments, with the same steps per iteration, minibatch size, epochs and network: trunk
and policy head are ours in both, and SB3's value head has one output where ours has two per seat.

Only env steps that are learned from count. In our trainer all seats learn. An SB3 environment has one learning seat; the steps of its
opponents are played but not learned from. They are copies of the policy (self-play), or random, which costs next to nothing.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from . import machine
from .bench import Crew, Entry, Settings, Watch, build_all, median_ratio, play_rounds
from .subjects import Spec, Subject

Setting = dict[str, Any]

CORES = 2
# A network about as large as that of configs/quick.yaml, a larger one, and the residual policy and batch of quick.yaml.
SETTINGS = (
    {"width": 128, "blocks": 2, "rows": 256, "steps": 64, "minibatch": 2048, "epochs": 2},
    {"width": 256, "blocks": 2, "rows": 512, "steps": 64, "minibatch": 4096, "epochs": 2},
    {"width": 128, "blocks": 1, "rows": 512, "steps": 256, "minibatch": 8192, "epochs": 2, "base": "scripted"},
)
OPPONENTS = {"self": "self-play", "random": "random opponents"}
# On two cores, beside MaskablePPO with the same network, batch and epochs.
AIMS = {"times_sb3": 2.0, "games_share": 0.05}


class NativeTraining:
    """`training/ppo.py`: all seats of all games learn. With a base policy the network reads what it reads in the configs."""

    def __init__(self, game: str, width: int, blocks: int, base: str = "none", **batch: int) -> None:
        from tradewinds.training.config import check_config
        from tradewinds.training.ppo import Trainer

        settings = {
            "game": game,
            "network": {"width": width, "blocks": blocks},
            "policy": {"base": base},
            "observation": "observation" if base == "none" else "information_state",
            "ppo": {
                "num_envs": batch["rows"],
                "num_steps": batch["steps"],
                "minibatch_size": batch["minibatch"],
                "update_epochs": batch["epochs"],
            },
            "opponent_pool": {"past_prob": 0.0},
            "evaluation": {"eval_opponents": ["random"]},
        }
        self.trainer = Trainer(check_config(settings, "the benchmark"))
        self.parameters = sum(tensor.numel() for tensor in self.trainer.net.parameters())
        self.burst()
        self.trainer.seconds.clear()

    def burst(self) -> int:
        """Collect and learn once."""
        before = self.trainer.global_step
        self.trainer.iterate()
        return self.trainer.global_step - before

    def account(self) -> dict[str, Any]:
        """Return the seconds of each stage, and the number of parameters."""
        return {"games_seconds": self.trainer.seconds["games"], "stages": dict(self.trainer.seconds), "parameters": self.parameters}


class TimedAgent:
    """An opponent whose inference is timed."""

    def __init__(self, agent: Any, account: "Sb3Training") -> None:
        self.agent = agent
        self.account_of = account

    def act(self, decisions: Any) -> Any:
        """Act, and add the time it took."""
        began = time.perf_counter()
        actions = self.agent.act(decisions)
        self.account_of.inference += time.perf_counter() - began
        return actions


class Sb3Training:
    """MaskablePPO in a SeatVecEnv. Stepping is the time in `env.step` without the opponents' inference."""

    def __init__(self, game: str, width: int, blocks: int, rows: int, steps: int, minibatch: int, epochs: int, opponents: str) -> None:
        from sb3_contrib import MaskablePPO

        from tradewinds.training import sb3

        self.inference = self.stepping = 0.0
        account = self

        class Timed(sb3.SeatVecEnv):
            def step_wait(self) -> Any:
                began = time.perf_counter()
                done = super().step_wait()
                account.stepping += time.perf_counter() - began
                return done

            def _agents(self, given: Any) -> list[Any]:
                return [TimedAgent(agent, account) for agent in super()._agents(given)]

        self.env = Timed(game, rows, seed=1, threads=len(machine.available_cores()))
        self.callback = sb3.SelfPlayCallback(every=1, keep=1, alone=True) if opponents == "self" else None
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            n_steps=steps,
            batch_size=minibatch,
            n_epochs=epochs,
            gamma=1.0,
            gae_lambda=0.97,
            policy_kwargs=sb3.same_network(width, blocks),
            device="cpu",
            seed=1,
        )
        self.decisions = rows * steps
        self.burst()
        self.inference = self.stepping = 0.0

    def burst(self) -> int:
        """Collect and learn once."""
        self.model.learn(self.decisions, self.callback, reset_num_timesteps=False)
        return self.decisions

    def account(self) -> dict[str, Any]:
        """Return the seconds of each stage, and the number of parameters."""
        games = self.stepping - self.inference
        parameters = sum(tensor.numel() for tensor in self.model.policy.parameters())
        return {"games_seconds": games, "stages": {"games": games, "opponents": self.inference}, "parameters": parameters}


BUILDERS: dict[str, Callable[..., Subject]] = {"native": NativeTraining, "sb3": Sb3Training}


def run_training(game: str, seconds: float, rounds: int, watch: Watch, settings: Sequence[Setting] = SETTINGS) -> dict[str, Any]:
    """Measure one game. A round is at least one iteration of collecting and learning."""
    facts = machine.facts()
    cores = min(CORES, facts["cores"])
    specs = []
    for setting in settings:
        arguments = {"game": game, **setting}
        specs.append(Spec("native", cores, arguments))
        if "base" not in setting:
            specs += [Spec("sb3", cores, {**arguments, "opponents": opponents}) for opponents in OPPONENTS]
    failures: list[dict[str, str]] = []
    with Crew(machine.quiet_cores()) as crew:
        entries = build_all(specs, crew, failures, watch)
        play_rounds(entries, Settings((), seconds, rounds, (), (), cold=False), failures, watch)
        trainers = [_figures(entry) for entry in entries if entry.speeds]
    measured = [(setting, [figures for other, figures in trainers if other == setting]) for setting in settings]
    return {
        "tradewinds": machine.version("tradewinds"),
        "machine": {**facts, **{name: machine.version(name) for name in ("torch", "stable-baselines3", "sb3-contrib")}},
        "settings": {"game": game, "cores": cores, "seconds": seconds, "rounds": rounds},
        "measured": [{"setting": setting, "trainers": alike, "aims": training_aims(alike)} for setting, alike in measured],
        "failures": failures,
    }


def _figures(entry: Entry) -> tuple[Setting, dict[str, Any]]:
    setting = {name: value for name, value in entry.spec.arguments.items() if name not in ("game", "opponents")}
    account = entry.worker.ask("account", number=entry.number)
    opponents = entry.spec.arguments.get("opponents")
    return setting, {
        "trainer": "tradewinds" if opponents is None else "sb3",
        "opponents": opponents,
        "steps_per_second": entry.figures["steps_per_second"],
        "rounds": entry.speeds,
        "cpu_rounds": entry.cpu_speeds,
        "games_share": account["games_seconds"] / entry.seconds,
        "stage_shares": {stage: seconds / entry.seconds for stage, seconds in account["stages"].items()},
        "parameters": account["parameters"],
    }


def training_aims(trainers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return ours against theirs, round by round, and the share of environment stepping in ours."""
    ours = next((one for one in trainers if one["trainer"] == "tradewinds"), None)
    if ours is None:
        return []
    lines = []
    for other in trainers:
        if other is not ours:
            times = {
                "value": median_ratio(ours["rounds"], other["rounds"]),
                "cpu_value": median_ratio(ours["cpu_rounds"], other["cpu_rounds"]),
            }
            lines.append(_line(f"steps/s, ours / SB3 with {OPPONENTS[other['opponents']]}", AIMS["times_sb3"], True, **times))
    lines.append(_line("share of environment stepping in ours", AIMS["games_share"], False, value=ours["games_share"], cpu_value=None))
    return lines


def _line(figure: str, aim: float, at_least: bool, value: float, cpu_value: float | None) -> dict[str, Any]:
    met = value >= aim if at_least else value <= aim
    return {"figure": figure, "value": value, "cpu_value": cpu_value, "aim": aim, "at_least": at_least, "met": met}
