"""The folder of a training run.

    config.yaml  versions.json      what was asked, and with which versions of everything
    metrics.csv  tensorboard/       one row an iteration
    curve.png                       the learning curve
    checkpoints/00000120/           to go on from; the last two are kept
    best/00000100/                  the network that did best in an evaluation

A process may be killed at any moment: what is there is whole, and `restore` goes back to the last checkpoint, rows of metrics included.
"""

import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from torch.utils.tensorboard import SummaryWriter

from tradewinds.agents.neural.checkpoint import NetError, save_net, write_file, write_folder
from tradewinds.benchmarks import machine

from .checkpoints import load_checkpoint, save_checkpoint
from .config import Config, dump_config, load_config
from .plots import draw_curve
from .ppo import Trainer

KEPT = 2
NUMBER = "[0-9]" * 8
STAGES = ("copy", "games", "network", "opponents", "advantages", "update", "evaluate", "save")
LIBRARIES = ("tradewinds", "torch", "numpy", "numba", "gymnasium", "pettingzoo", "safetensors", "pydantic")


class RunError(Exception):
    """A run that cannot be begun or continued, in one line."""


class Run:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "config.yaml").is_file():
            raise RunError(f"{folder} is no run: it holds no config.yaml")
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
        """A new run; never over another one."""
        if folder.exists():
            raise RunError(f"{folder} exists: go on with it by --resume, or give another --name")

        def write(unfinished: Path) -> None:
            write_file(unfinished / "config.yaml", dump_config(config).encode())
            write_file(unfinished / "versions.json", (json.dumps(_versions(config), indent=2) + "\n").encode())

        write_folder(folder, write)
        return cls(folder)

    def close(self) -> None:
        if self._board is not None:
            self._board.close()
        self._lock.release()

    # ---- checkpoints ---------------------------------------------------------------------------------------------------------------

    def checkpoints(self) -> list[Path]:
        """The whole ones, the newest first."""
        return sorted((self.folder / "checkpoints").glob(NUMBER), reverse=True)

    def bests(self) -> list[Path]:
        return sorted((self.folder / "best").glob(NUMBER), reverse=True)

    def restore(self, trainer: Trainer) -> tuple[float, list[str]]:
        """Load the newest checkpoint that can be read, and forget what came after it. Returns the seconds so far, and warnings."""
        seconds, warnings = 0.0, []
        for folder in self.checkpoints():
            try:
                seconds = load_checkpoint(folder, trainer)["seconds"]
                break
            except NetError as error:
                aside = folder.with_name(f"damaged-{folder.name}")
                shutil.rmtree(aside, ignore_errors=True)
                folder.rename(aside)
                warnings.append(f"{error}. It is now {aside}, and an older checkpoint is taken")
        for folder in self.bests():
            if int(folder.name) > trainer.iteration:
                shutil.rmtree(folder)
        rows = [row for row in self.rows() if int(row["iteration"]) <= trainer.iteration]
        self._write_rows(rows)
        self._board = SummaryWriter(str(self.folder / "tensorboard"), purge_step=trainer.iteration + 1)
        return seconds, warnings

    def save(self, trainer: Trainer, seconds: float) -> None:
        folder = self.folder / "checkpoints" / f"{trainer.iteration:08d}"
        try:
            save_checkpoint(folder, trainer, {"seconds": seconds})
        except OSError as error:
            last = self.checkpoints()
            whole = f"checkpoint {last[0].name} is still whole" if last else "there is no earlier one"
            raise RunError(f"{folder} could not be written: {error.strerror}; {whole}. Put it right and go on with --resume") from None
        for old in self.checkpoints()[KEPT:]:
            shutil.rmtree(old)
        # Besides the best one stays that was the best at the oldest checkpoint, in case that one must be taken.
        oldest = int(self.checkpoints()[-1].name)
        earlier = [best for best in self.bests() if int(best.name) <= oldest]
        for old in earlier[1:]:
            shutil.rmtree(old)

    def save_best(self, trainer: Trainer, shares: dict[str, float]) -> None:
        folder = self.folder / "best" / f"{trainer.iteration:08d}"
        notes = {"iteration": trainer.iteration, "decisions": trainer.imitated + trainer.decisions, "win_rates": shares}
        save_net(folder, trainer.net, trainer.variant, notes)

    # ---- metrics -------------------------------------------------------------------------------------------------------------------

    def log(self, row: dict[str, Any]) -> None:
        """One iteration's figures, on disk before a checkpoint that counts on them."""
        with (self.folder / "metrics.csv").open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, self.columns).writerow(row)
            file.flush()
            os.fsync(file.fileno())
        assert self._board is not None
        for name, value in row.items():
            if isinstance(value, (int, float)) and name != "iteration":
                self._board.add_scalar(name, value, row["iteration"])

    def rows(self) -> list[dict[str, str]]:
        """All whole rows of the metrics; the last may have been cut short by a kill."""
        try:
            with (self.folder / "metrics.csv").open(newline="", encoding="utf-8") as file:
                return [row for row in csv.DictReader(file) if row["iteration"].isdigit() and None not in row.values()]
        except FileNotFoundError:
            return []

    def _write_rows(self, rows: list[dict[str, str]]) -> None:
        fresh = self.folder / ".metrics.csv"
        with fresh.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.columns)
            writer.writeheader()
            writer.writerows(rows)
        os.replace(fresh, self.folder / "metrics.csv")

    def draw(self) -> Path:
        return draw_curve(self.folder / "curve.png", self.config, self.rows())


def columns_of(config: Config) -> list[str]:
    return [
        *("iteration", "phase", "imitated", "decisions", "games", "cut_off"),
        *("policy_loss", "value_loss", "entropy", "kl", "clipped", "explained", "explained_margin", "agreement", "lr"),
        *(f"against_{name}" for name in ("past", *config.pool.agents)),
        *(f"win_{code}" for code in config.evaluate.against),
        *("seconds", "per_second", *(f"seconds_{stage}" for stage in STAGES)),
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
        raise RunError(f"there is no run {stem} in {runs} to go on with")
    return found[-1]


def free_name(runs: Path, stem: str) -> Path:
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
