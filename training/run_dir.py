"""The folder of a training run.

    config.yaml  versions.json      the settings, and the versions of all libraries
    metrics.csv  tensorboard/       one row per iteration
    curve.png                       the learning curve
    final/                          the games of the last table, as `evaluate` keeps them
    checkpoints/00000120/           to resume from, each with the network that plays as net:RUN; the last two are kept

A process may be killed at any time: files are complete or absent, and `restore` returns to the last checkpoint, metrics included.
"""

import csv
import io
import shutil
import warnings
from collections.abc import Callable, Iterator
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from torch.utils.tensorboard import SummaryWriter

from tradewinds.agents.neural.checkpoint import NetError
from tradewinds.benchmarks import machine
from tradewinds.envs.core.api.errors import FormatError
from tradewinds.envs.core.api.processes import available_cores
from tradewinds.envs.core.io.atomic import append_line, write_file, write_folder, write_json
from tradewinds.envs.core.io.parse import read_bytes

from .checkpoints import Snapshot, load_checkpoint, save_checkpoint
from .config import Config, dump_config, load_config
from .evaluation.stats import bounded
from .plots import draw_curve
from .ppo import Trainer

KEPT = 2
MOST_METRICS = 1 << 30  # bytes of metrics.csv; a row takes some 400
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
        """Start a new run; an existing one is never overwritten.

        Args:
            folder: Where it is kept; there must be nothing yet.
            config: The config, which is written into it.
        """
        if folder.exists():
            raise RunError(f"{folder} exists: resume it with --resume, or give another --name")

        def write(unfinished: Path) -> None:
            write_file(unfinished / "config.yaml", dump_config(config).encode())
            write_json(unfinished / "versions.json", _versions(config))

        try:
            write_folder(folder, write)
        except FileExistsError:
            raise RunError(f"{folder} exists: resume it with --resume, or give another --name") from None
        except OSError as error:
            raise RunError(f"{folder} could not be written: {error.strerror or error}") from None
        return cls(folder, is_new=True)

    def close(self) -> None:
        """Close the TensorBoard writer and release the lock."""
        self._show(lambda board: board.close())
        self._lock.release()

    def _show(self, act: Callable[[SummaryWriter], None]) -> None:
        """Write to TensorBoard, which shows what metrics.csv holds: if it cannot be written, the run goes on without it."""
        if self._board is None:
            return
        try:
            act(self._board)
        except OSError as error:
            self._board = None
            warnings.warn(f"TensorBoard could not be written: {error.strerror}; metrics.csv has all metrics", stacklevel=3)

    # ---- checkpoints ---------------------------------------------------------------------------------------------------------------

    def checkpoints(self) -> list[Path]:
        """Complete checkpoints, newest first."""
        return sorted((self.folder / "checkpoints").glob(NUMBER), reverse=True)

    def restore(self, trainer: Trainer) -> tuple[float, list[str]]:
        """Load the newest checkpoint that can be read, and drop metrics of later iterations.

        Args:
            trainer: A new trainer with the run's config.

        Returns:
            The seconds so far, and notes for the user.

        Raises:
            RunError: A damaged checkpoint cannot be put aside.
        """
        seconds, notes, is_restored = 0.0, [], False
        for folder in self.checkpoints():
            try:
                found, is_restored = load_checkpoint(folder, trainer).get("seconds"), True
                seconds = float(found) if isinstance(found, (int, float)) and 0 <= found < 1e12 else 0.0
                break
            except NetError as error:
                aside = folder.with_name(f"damaged-{folder.name}")
                try:
                    shutil.rmtree(aside, ignore_errors=True)
                    folder.rename(aside)
                except OSError as problem:
                    raise RunError(f"{error}. It could not be renamed to {aside.name}: {problem.strerror}") from None
                notes.append(f"{error}. It is now {aside}")
        logged = self.rows()
        if not self.is_new and not is_restored:
            reason = "none of its checkpoints can be read" if notes else "it has no checkpoint yet"
            notes.append(f"{self.folder} starts from its first step: {reason}")
        self._write_rows([row for row in logged if is_restored and int(row["iteration"]) <= trainer.iteration])
        self._board = SummaryWriter(str(self.folder / "tensorboard"), purge_step=trainer.global_step + 1 if is_restored else 0)
        if not is_restored:
            self._show(lambda board: board.add_text("hyperparameters", f"```yaml\n{dump_config(self.config)}```"))
        return seconds, notes

    def save(self, trainer: Trainer, snapshot: Snapshot, seconds: float) -> Path:
        """Write a checkpoint unless this iteration has one, and remove all but the last two.

        Args:
            trainer: The trainer, for what never changes during a run.
            snapshot: Its state after some iteration.
            seconds: The time that the run has taken so far.
        """
        folder = self.folder / "checkpoints" / f"{snapshot.iteration:08d}"
        try:
            if not folder.exists():
                save_checkpoint(folder, trainer, snapshot, {"seconds": seconds})
        except OSError as error:
            last = self.checkpoints()
            intact = f"checkpoint {last[0].name} is intact" if last else "there is no earlier checkpoint"
            raise RunError(f"{folder} could not be written: {error.strerror}; {intact}. Fix it and continue with --resume") from None
        for old in self.checkpoints()[KEPT:]:
            shutil.rmtree(old, ignore_errors=True)  # what cannot be removed now is tried again after the next checkpoint
        return folder

    # ---- metrics -------------------------------------------------------------------------------------------------------------------

    def log(self, row: dict[str, Any]) -> None:
        """Append the metrics of one iteration; they are on disk before the checkpoint that relies on them.

        Args:
            row: Values by column, as `columns` lists them.
        """
        line = io.StringIO(newline="")
        csv.DictWriter(line, self.columns).writerow(row)
        try:
            append_line(self.folder / "metrics.csv", line.getvalue().encode())
        except OSError as error:
            raise RunError(
                f"{self.folder / 'metrics.csv'} could not be written: {error.strerror}. Fix it and continue with --resume"
            ) from None
        for name, value in row.items():
            if "/" in name and isinstance(value, (int, float)):
                self._show(lambda board, name=name, value=value: board.add_scalar(name, value, row["global_step"]))

    def rows(self) -> list[dict[str, str]]:
        """All complete rows of metrics.csv. A partial last row, left by a killed process, is dropped, and so are damaged ones."""
        rows: list[dict[str, str]] = []
        try:
            text = read_bytes(self.folder / "metrics.csv", "metrics.csv", MOST_METRICS).decode("utf-8", "replace")
            rows += (row for row in csv.DictReader(io.StringIO(text, newline="")) if _is_complete(row))
        except (FileNotFoundError, csv.Error):
            pass
        except FormatError as error:
            raise RunError(f"{self.folder}: {error}") from None
        return rows

    def _write_rows(self, rows: list[dict[str, str]]) -> None:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, self.columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
        write_file(self.folder / "metrics.csv", text.getvalue().encode())

    def draw(self) -> Path:
        """Redraw curve.png from metrics.csv. Returns its path."""
        return draw_curve(self.folder / "curve.png", self.config, self.rows())


def _is_complete(row: dict[str, str]) -> bool:
    """Whether a row has all its cells, and numbers where there are numbers."""
    if None in row or None in row.values() or not (row.get("iteration", "").isascii() and row.get("iteration", "").isdecimal()):
        return False
    try:
        return all(np.isfinite(float(cell)) for name, cell in row.items() if name != "phase" and cell)
    except ValueError:
        return False


def columns_of(config: Config) -> list[str]:
    """The columns of metrics.csv, named as CleanRL names its charts."""
    codes = config.evaluation.eval_opponents
    rates = [f"charts/{name}_{code}" for code in codes for name in (*bounded("win_rate"), "margin")]
    rates += [f"charts/{name}_{codes[-1]}" for kind in ("win_rate_sampled", "win_rate_of") for name in bounded(kind)]
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
        *rates,
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
        "threads": config.threads or len(available_cores()),
    }


def find_run(runs: Path, stem: str) -> Path:
    """The newest run of that name: NAME, NAME-2, NAME-3 ...

    Args:
        runs: The folder of all runs.
        stem: NAME, the name without a number.
    """
    found = [folder for folder in takewhile(Path.exists, _names(runs, stem)) if folder.is_dir()]
    if not found:
        raise RunError(f"there is no run {stem} in {runs} to resume")
    return found[-1]


def free_name(runs: Path, stem: str) -> Path:
    """The first folder of NAME, NAME-2, NAME-3 ... that does not exist yet.

    Args:
        runs: The folder of all runs.
        stem: NAME, the name without a number.
    """
    return next(folder for folder in _names(runs, stem) if not folder.exists())


def _names(runs: Path, stem: str) -> Iterator[Path]:
    yield runs / stem
    yield from (runs / f"{stem}-{number}" for number in count(2))
