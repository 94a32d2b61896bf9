"""The training loop: iterate, evaluate, log and save, from the first step or the last checkpoint to the end."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tradewinds.agents import build
from tradewinds.agents.neural.checkpoint import find_net

from .checkpoints import take_snapshot
from .config import Config, ConfigError
from .evaluation.evaluate import Evaluation, schedule_evaluation, summarize_evaluation
from .evaluation.runner import FolderError, run_schedule
from .evaluation.workers import WorkerError
from .networks import spec_of, start_of
from .ppo import Trainer
from .run_dir import STAGES, Run, RunError

FINAL_SEED = 2  # games that no evaluation during the run has played


class Watcher(Protocol):
    """Shows the progress of a run."""

    def begin(self, trainer: Trainer) -> None:
        """Called once, after the trainer was restored.

        Args:
            trainer: The trainer before its first iteration.
        """
        ...

    def row(self, trainer: Trainer, row: dict[str, Any]) -> None:
        """Called after each iteration with its row of metrics.csv.

        Args:
            trainer: The trainer after the iteration.
            row: Values by column.
        """
        ...

    def note(self, text: str) -> None:
        """Called with messages for the user, such as a damaged checkpoint.

        Args:
            text: One line.
        """
        ...


class Reporter(NamedTuple):
    """Where long evaluations say what they do."""

    stage: Callable[[str, int], None] = lambda title, total: None  # begins with so many games
    progress: Callable[[int], None] = lambda games: None
    note: Callable[[str], None] = lambda text: None


class InterruptedRunError(Exception):
    """The run was interrupted by Ctrl-C and saved; `--resume` continues it."""

    def __init__(self, checkpoint: Path) -> None:
        super().__init__(str(checkpoint))
        self.checkpoint = checkpoint


def train(run: Run, watcher: Watcher) -> None:
    """Train until the config's total timesteps are reached. Metrics do not depend on interruptions.

    Args:
        run: The run, new or with checkpoints to continue from.
        watcher: Receives the progress.

    Raises:
        InterruptedRunError: After Ctrl-C. The iteration under way is dropped and the state before it is saved.
        RunError: Something could not be written.
    """
    try:
        _train(run, watcher, Trainer(run.config))
    except OSError as error:
        raise unwritten(error, run.folder) from None


def unwritten(error: OSError, folder: Path) -> RunError:
    """The error of a run that could not write a file."""
    return RunError(f"{error.filename or folder} could not be written: {error.strerror}. Fix it and continue with --resume")


def _train(run: Run, watcher: Watcher, trainer: Trainer) -> None:
    seconds, notes = run.restore(trainer)
    for note in notes:
        watcher.note(note)
    if trainer.iteration == 0 and run.config.network.start is not None:
        trainer.start_from(start_of(run.config))
    watcher.begin(trainer)
    began = time.perf_counter() - seconds
    snapshot = take_snapshot(trainer)
    saved = trainer.iteration
    try:
        if not run.rows():
            _finish(run, watcher, trainer, _metrics(trainer, {"phase": "start", **trainer.evaluate(run.config.evaluation.episodes)}), began)
        while not trainer.done:
            _finish(run, watcher, trainer, _iterate(trainer, run), began)
            since = time.perf_counter()
            snapshot = take_snapshot(trainer)
            if trainer.done or trainer.iteration - saved >= run.config.save_every:
                run.save(trainer, snapshot, time.perf_counter() - began)
                saved = trainer.iteration
            trainer.seconds["save"] += time.perf_counter() - since
    except KeyboardInterrupt:
        with _ignore_sigint():
            raise InterruptedRunError(run.save(trainer, snapshot, time.perf_counter() - began)) from None


def _iterate(trainer: Trainer, run: Run) -> dict[str, Any]:
    """One iteration, and the evaluation that may be due after it."""
    before, was_cloning = trainer.global_step, trainer.is_cloning
    began = time.perf_counter()
    metrics = trainer.iterate()
    metrics["charts/SPS"] = (trainer.global_step - before) / (time.perf_counter() - began)
    evaluation = run.config.evaluation
    if trainer.iteration % evaluation.every == 0 or trainer.done or trainer.is_cloning != was_cloning:
        metrics |= trainer.evaluate(evaluation.episodes)
    return _metrics(trainer, metrics)


def _metrics(trainer: Trainer, metrics: dict[str, Any]) -> dict[str, Any]:
    """A row of metrics.csv, with the seconds that each stage took since the last one."""
    row = {"iteration": trainer.iteration, "global_step": trainer.global_step, **metrics}
    row |= {f"seconds/{stage}": trainer.seconds[stage] for stage in STAGES}
    trainer.seconds.clear()
    return row


def _finish(run: Run, watcher: Watcher, trainer: Trainer, row: dict[str, Any], began: float) -> None:
    row["seconds"] = time.perf_counter() - began
    run.log(row)
    if any(name.startswith("charts/win_rate_") for name in row):
        run.draw()
    watcher.row(trainer, row)


@contextmanager
def _ignore_sigint() -> Iterator[None]:
    """Ignore SIGINT, so that a second Ctrl-C does not interrupt the checkpoint."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def named_agents(config: Config) -> set[str]:
    """The codes of all agents and networks that a config names."""
    start = [config.network.start] if config.network.start is not None else []
    teacher = [config.bc.teacher] if config.bc.total_timesteps else []
    codes = {*config.opponent_pool.agents, *config.evaluation.eval_opponents, *config.evaluation.final_opponents, *teacher}
    if config.expert.generations:
        codes |= {config.expert.teacher, config.expert.search_match}
    return codes | {code if code.startswith("net:") else f"net:{code}" for code in start}


def check_agents(config: Config) -> None:
    """Build every agent and network that the config names.

    Raises:
        AgentError: There is no such agent.
        ConfigError: The base policy or the network to start from does not fit.
    """
    teacher = [config.bc.teacher] if config.bc.total_timesteps else []
    for code in {*config.opponent_pool.agents, *config.evaluation.eval_opponents, *config.evaluation.final_opponents, *teacher}:
        build(code, config.variant())
    spec_of(config)
    for name in ("teacher", "search_match") if config.expert.generations else ():
        code = getattr(config.expert, name)
        if not code.startswith("search:") or ":net=" in code:
            raise ConfigError(f"expert.{name} must be a search without net=, such as search:150:horizon=30, not {code!r}")
    if config.network.start is not None:
        start_of(config)


def final_pairs(net: str, config: Config) -> list[tuple[str, str, int]]:
    """The matches at the end of a run: agent, opponent in all other seats, episodes.

    The network against each opponent, sampled against the hardest, and the hardest against the network.
    """
    evaluation = config.evaluation
    hardest = evaluation.eval_opponents[-1]
    pairs = [(net, code, evaluation.final_episodes) for code in evaluation.eval_opponents]
    pairs += [(net, code, episodes) for code, episodes in evaluation.final_opponents.items()]
    return [*pairs, (f"{net}:sample", hardest, evaluation.final_episodes), (hardest, net, evaluation.final_episodes)]


def final_results(folder: Path, config: Config, report: Reporter | None = None) -> list[Evaluation]:
    """Evaluate the final network of a run on new seeds. The run's folder keeps the games, so that none is played twice.

    Args:
        folder: The run, whose network plays.
        config: Its config, which names the opponents and the numbers of games.
        report: Where progress goes.

    Raises:
        InterruptedRunError: After Ctrl-C.
        RunError: Something could not be written or played.
    """
    report, net = report or Reporter(), find_net(folder)
    settings = (FINAL_SEED, None, config.options)
    schedules = [
        schedule_evaluation(config.game, agent, code, games, *settings) for agent, code, games in final_pairs(f"net:{net}", config)
    ]
    report.stage("final evaluation", sum(schedule.total_games for schedule in schedules))
    results, played = [], 0
    try:
        for schedule in schedules:

            def on_progress(games: int, before: int = played) -> None:
                report.progress(before + games)

            # Worker processes take seconds to start, which only agents that search are worth.
            is_slow = any(getattr(agent, "games_at_once", None) for agent in schedule.built)
            workers = (config.threads or None) if is_slow else 0
            run = run_schedule(schedule, workers, folder / "final" / schedule.digest, on_progress, report.note)
            results.append(summarize_evaluation(schedule, run))
            played += schedule.total_games
    except KeyboardInterrupt:
        raise InterruptedRunError(net) from None
    except (FolderError, WorkerError) as error:
        raise RunError(f"{error}; what was played is kept, continue with --resume") from None
    return results
