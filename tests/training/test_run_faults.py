"""A full disk at any write of a run: one clear error, and the run goes on from what is on disk."""

import errno
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.core.test_faults import failing, names
from tests.training.tiny import Quiet, figures, tiny
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.io.atomic import write_file
from tradewinds.training import run_dir
from tradewinds.training import train as training
from tradewinds.training.checkpoints import Snapshot, _put, load_checkpoint, take_snapshot
from tradewinds.training.ppo import Trainer
from tradewinds.training.run_dir import Run, RunError
from tradewinds.training.train import train

SHORT = {
    "bc": {"total_timesteps": 0},
    "ppo": {"total_timesteps": 64, "num_envs": 4, "num_steps": 8, "update_epochs": 1},
    "save_every": 1,
    "evaluation": {"every": 2, "episodes": 2},
}


def test_a_run_is_created_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Exception | None] = []
    for error in failing(monkeypatch, lambda: Run.create(tmp_path / f"run-{len(said)}", tiny()).close()):
        assert error is None or (isinstance(error, RunError) and "No space left" in str(error))
        for name in names(tmp_path):
            Run(tmp_path / name).close()
        assert error is not None or f"run-{len(said)}" in names(tmp_path)
        said.append(error)
    assert sum(error is not None for error in said) >= 20


def test_a_checkpoint_that_cannot_be_written_leaves_the_ones_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(tiny(**SHORT))
    first = take_snapshot(trainer)
    trainer.iterate()
    second, failed, runs = take_snapshot(trainer), 0, iter(range(1000))
    run = Run.create(tmp_path / "run", tiny(**SHORT))
    run.save(trainer, first, 1.0)
    for error in failing(monkeypatch, lambda: run.save(trainer, second, 2.0)):
        assert error is None or (isinstance(error, RunError) and "No space left" in str(error) and "--resume" in str(error))
        failed += error is not None
        found = run.checkpoints()
        assert [folder.name for folder in reversed(found)] == ["00000000", "00000001"][: len(found)] and found
        assert not list(run.folder.rglob(".*unfinished*"))
        assert all(load_checkpoint(folder, trainer)["seconds"] == int(folder.name) + 1 for folder in found)
        if len(found) == 2:  # written, or renamed before the sync of the folder above failed: the next try is for another one
            found[0].rename(tmp_path / f"written-{next(runs)}")
    assert failed >= 30
    run.close()


def test_a_checkpoint_that_cannot_be_removed_or_put_aside_ends_in_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: Any, ignore_errors: bool = False, **__: Any) -> None:
        if not ignore_errors:
            raise PermissionError(errno.EACCES, "Permission denied")

    trainer = Trainer(tiny(**SHORT))
    snapshot, run = take_snapshot(trainer), Run.create(tmp_path / "run", tiny(**SHORT))
    monkeypatch.setattr(run_dir.shutil, "rmtree", refuses)
    for number in range(4):
        run.save(trainer, snapshot._replace(facts={**snapshot.facts, "iteration": number}), 1.0)
    assert len(run.checkpoints()) == 4
    (run.checkpoints()[0] / "state.json").write_bytes(b"\xff")
    monkeypatch.setattr(Path, "rename", refuses)
    with pytest.raises(RunError, match=r"00000003.*damaged.*could not be renamed to damaged-00000003: Permission denied"):
        run.restore(trainer)
    run.close()


class Recorded(Trainer):
    """A trainer that learned all it will learn when the tests began: its iterations cost nothing, so that every write can fail."""

    metrics: ClassVar[list[dict[str, Any]]] = []
    snapshots: ClassVar[list[Snapshot]] = []

    def iterate(self) -> dict[str, Any]:
        """The next iteration, as it was."""
        number = self.iteration + 1
        if number == len(self.snapshots):
            self.metrics.append(super().iterate())
            self.snapshots.append(take_snapshot(self))
        else:
            _put(self, self.snapshots[number])
        return dict(self.metrics[number])

    def evaluate(self, episodes: int) -> dict[str, float]:
        """A result that depends on the iteration alone."""
        return {f"charts/{name}random": 0.1 * self.iteration for name in ("win_rate_", "win_rate_low_", "win_rate_high_", "margin_")}


class Board:
    """Stands in for TensorBoard, which writes from a thread of its own, so that no two runs have the same order of writes."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def drawn(path: Path, config: Any, rows: list[dict[str, str]]) -> Path:
    """Writes a curve as `draw_curve` does, without the second that drawing takes."""
    write_file(path, repr(rows).encode())
    return path


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="the files are the same as in plain Python")
def test_a_training_that_meets_a_full_disk_at_any_operation_resumes_to_the_same_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tiny(**SHORT)
    monkeypatch.setattr(training, "Trainer", Recorded)
    monkeypatch.setattr(run_dir, "SummaryWriter", Board)
    monkeypatch.setattr(run_dir, "draw_curve", drawn)
    monkeypatch.setattr(Recorded, "metrics", [{}])
    monkeypatch.setattr(Recorded, "snapshots", [take_snapshot(Trainer(config))])

    def trained(run: Run) -> Run:
        try:
            train(run, Quiet())
        finally:
            run.close()
        return run

    whole = figures(trained(Run.create(tmp_path / "whole", config)))
    assert len(whole) > run_dir.KEPT + 1, "no checkpoint was removed"
    said: list[Exception | None] = []
    for error in failing(monkeypatch, lambda: trained(Run.create(tmp_path / f"run-{len(said)}", config)), (False,)):
        assert error is None or (isinstance(error, RunError) and "No space left" in str(error)), f"operation {len(said) + 1}: {error!r}"
        folder = tmp_path / f"run-{len(said)}"
        said.append(error)
        if not folder.exists():
            continue  # the run could not be created
        assert figures(trained(Run(folder))) == whole
        assert not list(folder.rglob(".*unfinished*"))
    assert sum(error is not None for error in said) >= 100
