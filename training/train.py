"""A training run from its beginning, or from its last checkpoint, to its end."""

import time
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from tradewinds.agents import build
from tradewinds.agents.neural.network import Shape
from tradewinds.benchmarks.machine import available_cores

from .config import Config
from .evaluation.evaluate import Evaluation, evaluate
from .ppo import Trainer, start_of
from .run_dir import STAGES, Run, RunError


class Watcher(Protocol):
    """Who is told how it goes."""

    def begin(self, trainer: Trainer) -> None: ...
    def row(self, trainer: Trainer, row: dict[str, Any]) -> None: ...
    def note(self, text: str) -> None: ...


def train(run: Run, watcher: Watcher) -> None:
    """Go on until the config's decisions are made. The same config gives the same rows of metrics, killed and resumed or not."""
    torch.set_num_threads(run.config.threads or len(available_cores()))
    trainer = Trainer(run.config)
    seconds, warnings = run.restore(trainer)
    for warning in warnings:
        watcher.note(warning)
    if trainer.iteration == 0 and run.config.network.start is not None:
        trainer.begin_with(start_of(run.config, trainer.net.shape))
    watcher.begin(trainer)
    began = time.perf_counter() - seconds
    saved = trainer.iteration
    try:
        while not trainer.done:
            row = _iterate(trainer, run)
            row["seconds"] = time.perf_counter() - began
            run.log(row)
            since = time.perf_counter()
            if any(f"win_{code}" in row for code in trainer.judges):
                run.draw()
            if trainer.done or trainer.iteration - saved >= run.config.save_every:
                run.save(trainer, row["seconds"])
                saved = trainer.iteration
            trainer.seconds["save"] += time.perf_counter() - since
            watcher.row(trainer, row)
    except OSError as error:
        raise RunError(
            f"{error.filename or run.folder} could not be written: {error.strerror}. Put it right and go on with --resume"
        ) from None


def _iterate(trainer: Trainer, run: Run) -> dict[str, Any]:
    """One iteration, the evaluation that may be due after it, and the time that each stage took."""
    before, imitating = trainer.imitated + trainer.decisions, trainer.imitating
    began = time.perf_counter()
    figures = trainer.iterate()
    row: dict[str, Any] = {
        "iteration": trainer.iteration,
        "imitated": trainer.imitated,
        "decisions": trainer.decisions,
        **figures,
        "per_second": (trainer.imitated + trainer.decisions - before) / (time.perf_counter() - began),
    }
    if trainer.iteration % run.config.evaluate.every == 0 or trainer.done or trainer.imitating != imitating:
        shares = trainer.evaluate(run.config.evaluate.games)
        row |= {f"win_{code}": share for code, share in shares.items()}
        if np.mean(list(shares.values())) > trainer.best:
            trainer.best = float(np.mean(list(shares.values())))
            run.save_best(trainer, shares)
    row |= {f"seconds_{stage}": trainer.seconds[stage] for stage in STAGES}
    trainer.seconds.clear()
    return row


def check_agents(config: Config) -> None:
    """An AgentError or a ConfigError, if the config names an agent or a network that cannot be made."""
    teacher = [config.imitate.teacher] if config.imitate.decisions else []
    for code in {*config.pool.agents, *config.evaluate.against, *teacher}:
        build(code, config.variant())
    if config.network.start is not None:
        start_of(config, Shape.of(config.variant(), config.network.width, config.network.blocks))


def final_results(folder: Path, config: Config) -> list[Evaluation]:
    """The best network of a run against a table of each fixed opponent."""
    settings: dict[str, Any] = {"games": config.evaluate.final_games, "seed": 2, "workers": 0, **config.options}
    return [evaluate(config.game, f"net:{folder}", code, **settings) for code in config.evaluate.against]
