"""A full disk at any write of a run: one clear error, and the run goes on from what is on disk."""

from pathlib import Path

import pytest

from tests.core.test_faults import failing, names
from tests.training.tiny import Quiet, figures, tiny, whole_run
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.training.checkpoints import load_checkpoint, take_snapshot
from tradewinds.training.ppo import Trainer
from tradewinds.training.run_dir import Run, RunError
from tradewinds.training.train import train

SHORT = {
    "bc": {"total_timesteps": 0},
    "ppo": {"total_timesteps": 64, "num_envs": 4, "num_steps": 8, "update_epochs": 1},
    "save_every": 1,
    "evaluation": {"every": 10, "episodes": 2},
}


def test_a_run_is_created_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number, failed = iter(range(100)), 0
    for at, error in failing(monkeypatch, lambda: Run.create(tmp_path / f"run-{next(number)}", tiny()).close()):
        assert error is None or isinstance(error, RunError)
        failed += error is not None
        for name in names(tmp_path):
            Run(tmp_path / name).close()
        assert error is not None or f"run-{at - 1}" in names(tmp_path)
    assert failed >= 5


def test_a_checkpoint_that_cannot_be_written_leaves_the_ones_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, trainer = Run.create(tmp_path / "run", tiny(**SHORT)), Trainer(tiny(**SHORT))
    run.save(trainer, take_snapshot(trainer), 1.0)
    trainer.iterate()
    snapshot, failed = take_snapshot(trainer), 0
    for _, error in failing(monkeypatch, lambda: run.save(trainer, snapshot, 2.0)):
        assert error is None or (isinstance(error, RunError) and "No space left" in str(error) and "--resume" in str(error))
        failed += error is not None
        found = run.checkpoints()
        assert [folder.name for folder in reversed(found)] == ["00000000", "00000001"][: len(found)] and found
        assert not list(run.folder.rglob(".*unfinished*"))
        assert all(load_checkpoint(folder, Trainer(tiny(**SHORT)))["seconds"] == int(folder.name) + 1 for folder in found)
        if error is not None and len(found) == 2:  # renamed, and then the sync of the folder above failed: it counts as written
            break
    assert failed >= 10
    run.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:TensorBoard could not be written", "ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.skipif(not JIT, reason="dozens of trainings take long in plain Python")
def test_a_training_that_meets_a_full_disk_resumes_to_the_same_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = figures(whole_run(tmp_path / "whole", tiny(**SHORT)))
    number = iter(range(1000))

    def act() -> None:
        run = Run.create(tmp_path / f"run-{next(number)}", tiny(**SHORT))
        try:
            train(run, Quiet())
        finally:
            run.close()

    failed = 0
    for at, error in failing(monkeypatch, act, step=4):
        assert error is None or isinstance(error, RunError), f"operation {at}: {error!r}"
        failed += error is not None
        folder = tmp_path / f"run-{(at - 1) // 4}"
        if not folder.exists():
            continue  # the run could not be created
        run = Run(folder)
        train(run, Quiet())
        run.close()
        assert figures(run) == whole
    assert failed >= 10
