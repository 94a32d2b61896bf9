"""The benchmark: fixed tasks and a normalised score. The files of results and their check are in `files.py`.

A *task* is a set-up of a game and one opponent in all other seats, with fixed seeds and a fixed number of games: each seed is played once
with the agent in each seat. Its id says all of it, `GAME-vVERSION/4p+EXPANSION/OPPONENT`. The tasks of a suite follow from what the games
declare: `quick` has the default set-up of each game, `full` every number of players, and every expansion at the default number of players.

The score. For each set-up, W is the mean of the agent's win rates over its tasks, one per opponent; a tie shares the win. With W of the
agents `random` and `scripted` in the same set-up, measured by this same command and kept in `leaderboard/`, the score of the set-up is
100 * (W - W_random) / (W_scripted - W_random), so that `random` has 0 and `scripted` has 100; it may be below 0 and above 100. The score of
a suite is the mean over its set-ups. Its 95% interval is that of a sum of independent rates (MOVER; Zou & Donner 2008, Statistics in
Medicine 27): the distances from each task's rate to the ends of its own interval (see `win_rate_interval`) are added as squares, lower and
upper ends apart. The reference values are taken as exact.

Figures are the same on every run and every machine for agents whose actions depend on nothing but the decision and the numbers drawn for
it. That excludes budgets in seconds. The time limit per decision is one of processor time, so neither a busy machine nor a pause can
change a result; a game that an agent lost by it is named.
"""

import dataclasses
import hashlib
import importlib.metadata
import importlib.resources
import json
import math
import platform
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents import build
from tradewinds.agents.registry import is_built_in
from tradewinds.envs.core.engine.cache import SOURCES, Layer, fingerprint
from tradewinds.envs.core.spec.game import Game

from ..evaluation.evaluate import schedule_evaluation
from ..evaluation.results import Results
from ..evaluation.runner import run_schedule
from ..evaluation.schedule import Schedule, files_digest, paired_seeds, rotated
from ..evaluation.stats import mean_by_seed, win_rate_interval

VERSION = 1  # of the suites: raised whenever a task, a number of games or a seed changes
FORMAT = "tradewinds benchmark 1"
OPPONENTS = ("random", "scripted:greedy", "scripted", "search:100")
# Seeds by opponent: games against search cost most, by far.
SEEDS = {"quick": (30, 30, 30, 8), "full": (25, 25, 25, 5)}
TIME_LIMIT = 30.0  # seconds of processor time per decision
REFERENCES = ("random", "scripted")  # the agents that have the scores 0 and 100


@dataclass(frozen=True)
class BenchmarkTask:
    """A set-up of a game and the opponent in all other seats."""

    set_up: str
    game: str
    options: dict[str, Any]
    opponent: str
    seeds: int

    @property
    def id(self) -> str:
        """Set-up and opponent."""
        return f"{self.set_up}/{self.opponent}"

    @property
    def games(self) -> int:
        """Each seed once in each seat."""
        return self.seeds * self.options["players"]

    @property
    def seed(self) -> int:
        """The seed of all games, from the id and the version of the suites."""
        return int.from_bytes(hashlib.sha256(f"{VERSION} {self.id}".encode()).digest()[:7], "little")

    def schedule(self, agent: Any) -> Schedule:
        """The games of one agent in this task.

        Args:
            agent: A code, or an agent.
        """
        made = schedule_evaluation(self.game, agent, [self.opponent], self.games, self.seed, TIME_LIMIT, self.options)
        return dataclasses.replace(made, record=True, processor_time=True)


def tasks(suite: str) -> list[BenchmarkTask]:
    """The tasks of a suite, from the declarations of the games that come with Tradewinds.

    Args:
        suite: "quick" or "full".

    Raises:
        ValueError: There is no such suite.
    """
    if suite not in SEEDS:
        raise ValueError(f"the suite must be {' or '.join(SEEDS)}, got {suite!r}")
    games = [tw.game(name) for name in tw.games()]
    own = __name__.split(".")[0]
    return [
        BenchmarkTask(_name_set_up(game, options), game.name, options, opponent, seeds)
        for game in games
        if game.module.split(".")[0] == own
        for options in set_ups(game, suite)
        for opponent, seeds in zip(OPPONENTS, SEEDS[suite], strict=True)
    ]


def set_ups(game: Game, suite: str) -> list[dict[str, Any]]:
    """The options of the set-ups of a game: the default one; in the full suite also the other player counts, and the expansions.

    Args:
        game: The game.
        suite: "quick" or "full".
    """
    given: list[dict[str, Any]] = [{}]
    if suite == "full":
        switches = [option.name for option in game.options if option.default is False]
        given = [{"players": players} for players in next(option for option in game.options if option.name == "players").choices]
        given += [{name: True} for name in switches]
        given += [dict.fromkeys(switches, True)] if len(switches) > 1 else []
    return [game.with_options(**options).options for options in given]


def _name_set_up(game: Game, options: dict[str, Any]) -> str:
    added = [option.name for option in game.options if option.name != "players" and options[option.name] != option.default]
    return "+".join([f"{game.name}-v{game.version}/{options['players']}p", *added])


def run(
    agent: str,
    suite: str = "quick",
    *,
    workers: int | None = None,
    folder: "str | Path | None" = None,
    on_task: Callable[[str, int, int], None] = lambda task, number, count: None,
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
    **run_options: Any,
) -> dict[str, Any]:
    """Play an agent through a suite.

    Args:
        agent: The code of the agent.
        suite: "quick" or "full".
        workers: Worker processes, by default one per core; 0 plays in this process.
        folder: Keeps results, so that the same call continues after an interruption.
        on_task: Called with a task's id, its number from 1 and the number of tasks before it is played.
        on_progress: Called with the number of games of the task that are finished.
        on_note: Called with messages for the user.
        **run_options: Further arguments of `run_schedule`.

    Returns:
        The content of a result file, in JSON types; `files.text_of` gives its text.

    Raises:
        ValueError: An argument is not possible, or the agent cannot be made for one of the tasks.
        RuntimeError: An opponent failed, so that the figures would not be those of the suite.
    """
    chosen = tasks(suite)
    for task in chosen:  # before hours of play, not after them
        build(agent, tw.game(task.game).with_options(**task.options))
    played = []
    seconds = 0.0
    for number, task in enumerate(chosen, 1):
        on_task(task.id, number, len(chosen))
        schedule = task.schedule(agent)
        place = None if folder is None else Path(folder) / re.sub(r"[^\w.+-]+", "_", task.id)
        if is_built_in(agent) and not any(hasattr(player, "games_at_once") for player in schedule.built):
            found = run_schedule(schedule, 0, place, on_progress, on_note)  # it is over before a worker process has started
        else:
            found = run_schedule(schedule, workers, place, on_progress, on_note, **run_options)
        strange = [failure for failure in found.matches[0].failures if failure.agent != 0]
        if strange:
            raise RuntimeError(f"{task.id}: the opponent failed, so this is not the suite: {strange[0].reason}")
        seconds += found.seconds
        played.append(describe(task, found.matches[0]))
    result = {
        "format": FORMAT,
        "suite": suite,
        "version": VERSION,
        "agent": agent,
        **score(played, suite),
        "tasks": played,
        "failures": sum(len(task["failures"]) for task in played),
        "provenance": _provenance(agent, suite, seconds),
    }
    return {**result, "checksum": checksum(result)}


def checksum(result: dict[str, Any]) -> str:
    """The checksum of a result: a SHA-256 of its JSON text with sorted keys, without the checksum itself."""
    content = {name: value for name, value in result.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def describe(task: BenchmarkTask, results: Results) -> dict[str, Any]:
    """One task of a result file: its figures, and of each game the scores, the ranks, its length and the digest of its actions.

    Args:
        task: The task.
        results: Its results, with digests of the actions.
    """
    assert results.digests is not None
    players = task.options["players"]
    own = rotated(players, task.games) == 0
    units = mean_by_seed(results.wins[own], players)
    completed = own & results.completed[:, None]
    return {
        "task": task.id,
        "games": task.games,
        "win_rate": float(units.mean()),
        "ci95": list(win_rate_interval(units)),
        "mean_margin": float(results.margins[completed].mean()) if completed.any() else None,
        "seeds": [f"{seed:016x}" for seed in paired_seeds(players, task.games, task.seed)[::players].tolist()],
        "seats": own.argmax(axis=1).tolist(),
        "scores": results.scores.tolist(),
        "ranks": results.ranks.tolist(),
        "lengths": results.lengths.tolist(),
        "actions": [f"{digest:016x}" for digest in results.digests.tolist()],
        "failures": [{"game": f.game, "seat": f.seat, "kind": f.kind, "reason": f.reason} for f in results.failures],
    }


def score(
    played: Sequence[dict[str, Any]], suite: str, references: "tuple[dict[str, float], dict[str, float]] | None" = None
) -> dict[str, Any]:
    """The scores of a suite and of its set-ups, from the win rates of the tasks; the module's text says how.

    Args:
        played: The tasks of a result.
        suite: Their suite.
        references: Win rates of `random` and of `scripted` by task; by default those of this package. Without them scores are None.

    Returns:
        `score`, `ci95` and `set_ups`.
    """
    found = references or _references(suite)
    groups: dict[str, list[dict[str, Any]]] = {}
    for task in played:
        groups.setdefault(task["task"].rpartition("/")[0], []).append(task)
    each: dict[str, Any] = {}
    for set_up, members in groups.items():
        mean = float(np.mean([task["win_rate"] for task in members]))
        each[set_up] = {"win_rate": mean, "score": None, "ci95": None}
        if found is None:
            continue
        low, high = (float(np.mean([rates[task["task"]] for task in members])) for rates in found)
        below, above = (math.sqrt(sum((task["win_rate"] - task["ci95"][end]) ** 2 for task in members)) / len(members) for end in (0, 1))
        unit = 100 / (high - low)
        each[set_up].update(score=unit * (mean - low), ci95=[unit * (mean - below - low), unit * (mean + above - low)])
    if found is None:
        return {"score": None, "ci95": None, "set_ups": each}
    scores = [of["score"] for of in each.values()]
    total = float(np.mean(scores))
    below, above = (math.sqrt(sum((of["score"] - of["ci95"][end]) ** 2 for of in each.values())) / len(each) for end in (0, 1))
    return {"score": total, "ci95": [total - below, total + above], "set_ups": each}


def score_cells(figure: dict[str, Any]) -> tuple[str, str]:
    """A score and its interval, as tables show them."""
    if figure["score"] is None:
        return "-", "-"
    return f"{figure['score']:.1f}", f"{figure['ci95'][0]:.1f} to {figure['ci95'][1]:.1f}"


def _references(suite: str) -> "tuple[dict[str, float], dict[str, float]] | None":
    """The win rates by task of the agents that have the scores 0 and 100, as they come with Tradewinds; None if they do not."""
    folder = importlib.resources.files(f"{__name__.split('.')[0]}.leaderboard")
    rates = []
    for agent in REFERENCES:
        file = folder / file_name(agent, suite)
        if not file.is_file():
            return None
        rates.append({task["task"]: task["win_rate"] for task in json.loads(file.read_text(encoding="utf-8"))["tasks"]})
    return rates[0], rates[1]


def file_name(agent: str, suite: str) -> str:
    """The name of an agent's result file: suite, version and agent.

    Args:
        agent: The agent's code.
        suite: The name of the suite.
    """
    return f"{suite}-v{VERSION}-{re.sub(r'[^A-Za-z0-9]+', '_', agent).strip('_')}.json"


def command_of(agent: str, suite: str) -> str:
    """The command that gives a result: without options that change no figure, such as files and the number of workers.

    Args:
        agent: The agent's code.
        suite: The name of the suite.
    """
    return shlex.join(["tradewinds", "benchmark", "--agent", agent, "--suite", suite])


def _provenance(agent: str, suite: str, seconds: float) -> dict[str, Any]:
    own = __name__.split(".")[0]
    packages = {name: importlib.metadata.version(name) for name in (own, "numpy", "numba", "torch") if _is_installed(name)}
    return {
        "command": command_of(agent, suite),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "packages": packages,
        "python": platform.python_version(),
        "platform": platform.system(),
        "machine": platform.machine(),
        "sources": source_fingerprint(),
        "agent_files": files_digest(agent),
        "seconds": round(seconds, 1),
    }


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def source_fingerprint() -> str:
    """A hash of the sources of the games, the agents and the evaluation."""
    training = SOURCES / "training"
    roots = {SOURCES / "envs", SOURCES / "agents", training / "evaluation", training / "benchmark", training / "isolation.py"}
    return fingerprint(Layer("benchmark", frozenset(roots)))
