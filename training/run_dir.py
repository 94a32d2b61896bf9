"""The folder of a training run.

    config.yaml  versions.json      the settings, and the versions of all libraries
    metrics.csv  tensorboard/       one row per iteration
    curve.png                       the learning curve
    checkpoints/00000120/           to resume from, each with the network that plays as net:RUN; the last two are kept

A process may be killed at any time: files are complete or absent, and `restore` returns to the last checkpoint, metrics included.
"""

import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from torch.utils.tensorboard import SummaryWriter

from tradewinds.agents.neural.checkpoint import NetError, write_file, write_folder
from tradewinds.benchmarks import machine

from .checkpoints import Snapshot, load_checkpoint, save_checkpoint
from .config import Config, dump_config, load_config
from .plots import draw_curve
from .ppo import Trainer

KEPT = 2
NUMBER = "[0-9]" * 8
STAGES = ("act", "games", "advantages", "update", "evaluate", "save")
LIBRARIES = ("tradewinds", "torch", "numpy", "numba", "gymnasium", "pettingzoo", "safetensors", "pydantic")


class RunError(Exception):
    """A run that cannot be started or resumed; the message is one line."""


class Run:
    """A run on disk, locked against other processes until `close`."""

    def __init__(self, folder: Path, is_new: bool = False) -> None:
        self.folder = folder
        self.is_new = is_new
        if not (folder / "config.yaml").is_file():
            raise RunError(f"{folder} is not a run: it has no config.yaml")
        self.config = load_config(folder / "config.yaml")
        self.columns = columns_of(self.config)
        self._lock = FileLock(folder / ".lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise RunError(f"another process is training {folder}") from None
        self._board: SummaryWriter | None = None

    @classmethod
    def create(cls, folder: Path, config: Config) -> "Run":
        """Start a new run; an existing one is never overwritten."""
        if folder.exists():
            raise RunError(f"{folder} exists: resume it with --resume, or give another --name")

        def write(unfinished: Path) -> None:
            write_file(unfinished / "config.yaml", dump_config(config).encode())
            write_file(unfinished / "versions.json", (json.dumps(_versions(config), indent=2) + "\n").encode())

        write_folder(folder, write)
        return cls(folder, is_new=True)

    def close(self) -> None:
        """Close the TensorBoard writer and release the lock."""
        if self._board is not None:
            self._board.close()
        self._lock.release()

    # ---- checkpoints ---------------------------------------------------------------------------------------------------------------

    def checkpoints(self) -> list[Path]:
        """Complete checkpoints, newest first."""
        return sorted((self.folder / "checkpoints").glob(NUMBER), reverse=True)

    def restore(self, trainer: Trainer) -> tuple[float, list[str]]:
        """Load the newest checkpoint that can be read, and drop metrics of later iterations.

        Returns:
            The seconds so far, and notes for the user.
        """
        seconds, notes, is_restored = 0.0, [], False
        for folder in self.checkpoints():
            try:
                seconds, is_restored = load_checkpoint(folder, trainer)["seconds"], True
                break
            except NetError as error:
                aside = folder.with_name(f"damaged-{folder.name}")
                shutil.rmtree(aside, ignore_errors=True)
                folder.rename(aside)
                notes.append(f"{error}. It is now {aside}, and an older checkpoint is used")
        logged = self.rows()
        if not self.is_new and not is_restored:
            reason = "none of its checkpoints can be read" if notes else "it has no checkpoint yet"
            notes.append(f"{self.folder} starts from its first step: {reason}")
        self._write_rows([row for row in logged if is_restored and int(row["iteration"]) <= trainer.iteration])
        self._board = SummaryWriter(str(self.folder / "tensorboard"), purge_step=trainer.global_step + 1 if is_restored else 0)
        if not is_restored:
            self._board.add_text("hyperparameters", f"```yaml\n{dump_config(self.config)}```")
        return seconds, notes

    def save(self, trainer: Trainer, snapshot: Snapshot, seconds: float) -> Path:
        """Write a checkpoint unless this iteration has one, and remove all but the last two."""
        folder = self.folder / "checkpoints" / f"{snapshot.iteration:08d}"
        try:
            if not folder.exists():
                save_checkpoint(folder, trainer, snapshot, {"seconds": seconds})
        except OSError as error:
            last = self.checkpoints()
            intact = f"checkpoint {last[0].name} is intact" if last else "there is no earlier checkpoint"
            raise RunError(f"{folder} could not be written: {error.strerror}; {intact}. Fix it and continue with --resume") from None
        for old in self.checkpoints()[KEPT:]:
            shutil.rmtree(old)
        return folder

    # ---- metrics -------------------------------------------------------------------------------------------------------------------

    def log(self, row: dict[str, Any]) -> None:
        """Append the metrics of one iteration; they are on disk before the checkpoint that relies on them."""
        with (self.folder / "metrics.csv").open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self.columns).writerow(row)
            file.flush()
            os.fsync(file.fileno())
        assert self._board is not None
        for name, value in row.items():
            if "/" in name and isinstance(value, (int, float)):
                self._board.add_scalar(name, value, row["global_step"])

    def rows(self) -> list[dict[str, str]]:
        """All complete rows of metrics.csv. A partial last row, left by a killed process, is dropped."""
        try:
            with (self.folder / "metrics.csv").open(newline="", encoding="utf-8") as file:
                return [row for row in csv.DictReader(file) if row["iteration"].isdigit() and None not in row.values()]
        except FileNotFoundError:
            return []

    def _write_rows(self, rows: list[dict[str, str]]) -> None:
        fresh = self.folder / ".metrics.csv"
        with fresh.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
        os.replace(fresh, self.folder / "metrics.csv")

    def draw(self) -> Path:
        """Redraw curve.png from metrics.csv. Returns its path."""
        return draw_curve(self.folder / "curve.png", self.config, self.rows())


def columns_of(config: Config) -> list[str]:
    """The columns of metrics.csv, named as CleanRL names its charts."""
    codes = config.evaluation.eval_opponents
    rates = [f"charts/{name}_{code}" for code in codes for name in ("win_rate", "win_rate_low", "win_rate_high", "margin")]
    losses = (
        "policy_loss",
        "value_loss",
        "entropy",
        "approx_kl",
        "clipfrac",
        "explained_variance",
        "explained_variance_margin",
        "bc_accuracy",
    )
    return [
        *("iteration", "phase", "global_step", "charts/SPS", "charts/learning_rate", "charts/episodes", "charts/truncated"),
        *(*rates, f"charts/win_rate_sampled_{codes[-1]}"),
        *(f"charts/train_win_ratio_{name}" for name in (*config.opponent_pool.agents, "past")),
        *(f"losses/{name}" for name in losses),
        *("seconds", *(f"seconds/{stage}" for stage in STAGES)),
    ]


def _versions(config: Config) -> dict[str, Any]:
    return {
        "game": {config.game: config.variant().game.version},
        **{name: machine.version(name) for name in LIBRARIES},
        "python": machine.facts()["python"],
        "processor": machine.processor(),
        "threads": config.threads or len(machine.available_cores()),
    }


def find_run(runs: Path, stem: str) -> Path:
    """The newest run of that name: NAME, NAME-2, NAME-3 ..."""
    found = [folder for folder in _numbered(runs, stem) if folder.is_dir()]
    if not found:
        raise RunError(f"there is no run {stem} in {runs} to resume")
    return found[-1]


def free_name(runs: Path, stem: str) -> Path:
    """The first folder of NAME, NAME-2, NAME-3 ... that does not exist yet."""
    return next(folder for folder in _endless(runs, stem) if not folder.exists())


def _numbered(runs: Path, stem: str) -> list[Path]:
    found = []
    for folder in _endless(runs, stem):
        if not folder.exists():
            return found
        found.append(folder)
    return found


def _endless(runs: Path, stem: str) -> Any:
    yield runs / stem
    number = 2
    while True:
        yield runs / f"{stem}-{number}"
        number += 1
