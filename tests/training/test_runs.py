"""Runs on disk: killed and resumed, damaged, full."""

import errno
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import TOY, registered, toy_game
from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("files are the same, and whole runs as plain Python are slow", allow_module_level=True)


from tradewinds.agents.neural import checkpoint, load_net
from tradewinds.agents.neural.checkpoint import find_net
from tradewinds.cli.main import main
from tradewinds.training import checkpoints
from tradewinds.training.config import Config, ConfigError, dump_config
from tradewinds.training.ppo import Trainer
from tradewinds.training.run_dir import Run, RunError
from tradewinds.training.train import InterruptedRunError, check_agents, train

from .tiny import GAME, Quiet, StoppedError, figures, no_pictures, tiny, whole_run


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run in one go, drawn and all."""
    with registered(toy_game()):
        return whole_run(tmp_path_factory.mktemp("runs") / "unbroken", toy())


@pytest.fixture(autouse=True)
def _many_runs_take_little_time(unbroken: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    no_pictures(monkeypatch)
    with registered(toy_game()):
        yield


def toy(**parts: Any) -> Config:
    """A run of the game with the shortest episodes."""
    return tiny(game=TOY, **parts)


def stopped_run(folder: Path, after: int) -> None:
    run = Run.create(folder, toy())
    with pytest.raises(StoppedError):
        train(run, Quiet(stop_after=after))
    run.close()


def resumed(folder: Path) -> tuple[Run, Quiet]:
    run, quiet = Run(folder), Quiet()
    train(run, quiet)
    run.close()
    return run, quiet


def last_tensors(run: Run) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.checkpoints()[0].glob("*.safetensors")}


def test_a_run_leaves_its_files(unbroken: Run) -> None:
    names = {path.name for path in unbroken.folder.iterdir()}
    assert {"config.yaml", "versions.json", "metrics.csv", "curve.png", "tensorboard", "checkpoints"} <= names
    assert json.loads((unbroken.folder / "versions.json").read_text())["torch"]
    assert {row["phase"] for row in unbroken.rows()} == {"start", "bc", "ppo"}
    assert [int(row["iteration"]) for row in unbroken.rows()] == list(range(len(unbroken.rows())))
    assert any(row["charts/win_rate_random"] for row in unbroken.rows())
    assert len(unbroken.checkpoints()) == 2


class _Begun(Quiet):
    """Keeps the first weights of a run."""

    def begin(self, trainer: Trainer) -> None:
        self.weights = {name: tensor.clone() for name, tensor in trainer.net.state_dict().items()}


def test_a_run_begins_with_the_network_that_it_is_given(unbroken: Run, tmp_path: Path) -> None:
    config = toy(network={"start": str(unbroken.folder)})
    check_agents(config)
    run, begun = Run.create(tmp_path / "next", config), _Begun(stop_after=1)
    with pytest.raises(StoppedError):
        train(run, begun)
    run.close()
    given, _ = load_net(find_net(unbroken.folder), config.variant())
    assert all((given.state_dict()[name] == tensor).all() for name, tensor in begun.weights.items())
    with pytest.raises(ConfigError, match=r"network.start: .* another shape; set network.width=16, network.blocks=1"):
        check_agents(toy(network={"start": str(unbroken.folder), "width": 8}))
    with pytest.raises(ConfigError, match=r"network.start: .* does not exist"):
        check_agents(toy(network={"start": "nowhere"}))


class _CtrlC(Quiet):
    """Presses Ctrl-C in the middle of an iteration, or right after it."""

    def __init__(self, iteration: int, step: int | None) -> None:
        super().__init__()
        self.iteration = iteration
        self.step = step

    def begin(self, trainer: Trainer) -> None:
        play, calls = trainer.batch.step, 0

        def step(actions: Any) -> Any:
            nonlocal calls
            calls += trainer.iteration == self.iteration
            if calls == self.step:
                raise KeyboardInterrupt
            return play(actions)

        trainer.batch.step = step  # type: ignore[method-assign]

    def row(self, trainer: Trainer, row: dict[str, Any]) -> None:
        if self.step is None and row["iteration"] == self.iteration:
            raise KeyboardInterrupt


@pytest.mark.parametrize(("iteration", "step", "saved"), [(1, 3, 0), (4, 7, 3), (5, None, 4), (0, None, 0)])
def test_ctrl_c_saves_the_run_at_once_and_it_resumes_to_the_same_end(
    unbroken: Run, iteration: int, step: int | None, saved: int, tmp_path: Path
) -> None:
    run = Run.create(tmp_path / "run", toy())
    with pytest.raises(InterruptedRunError) as interrupted:
        train(run, _CtrlC(iteration, step))
    run.close()
    assert interrupted.value.checkpoint == run.checkpoints()[0] == tmp_path / "run" / "checkpoints" / f"{saved:08d}"
    run, quiet = resumed(tmp_path / "run")
    assert figures(run) == figures(unbroken) and quiet.notes == []
    assert last_tensors(run) == last_tensors(unbroken)


def test_a_run_without_a_checkpoint_says_that_it_starts_again(unbroken: Run, tmp_path: Path) -> None:
    stopped_run(tmp_path / "run", 1)
    run, quiet = resumed(tmp_path / "run")
    assert len(quiet.notes) == 1 and "starts from its first step: it has no checkpoint yet" in quiet.notes[0]
    assert figures(run) == figures(unbroken)


@pytest.mark.parametrize("after", [1, 2, 5])
def test_a_stopped_run_goes_on_to_the_same_end_bit_by_bit(unbroken: Run, after: int, tmp_path: Path) -> None:
    stopped_run(tmp_path / "run", after)
    run, _ = resumed(tmp_path / "run")
    assert figures(run) == figures(unbroken)
    assert last_tensors(run) == last_tensors(unbroken)


ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), os.getcwd()])}


def _default_sigint() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def signalled(folder: Path, number: int) -> "tuple[int, str]":
    """The exit code and the messages of `tradewinds train` after a signal in the middle of the run."""
    (folder / "tiny.yaml").write_text(dump_config(tiny()))
    command = [
        sys.executable,
        "-m",
        "tradewinds",
        "train",
        GAME,
        "--runs",
        str(folder),
        "--name",
        "run",
        "--config",
        str(folder / "tiny.yaml"),
        "--own-agents",
    ]
    # A test run in the background ignores SIGINT, and its children would too.
    process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, preexec_fn=_default_sigint)
    metrics = folder / "run" / "metrics.csv"
    while process.poll() is None and not (metrics.exists() and metrics.read_text().count("\n") > 4):
        time.sleep(0.01)
    process.send_signal(number)
    _, messages = process.communicate()
    return process.returncode, messages


@pytest.fixture(scope="module")
def unbroken_command(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """What the command trains: the toy game is no game of the command line."""
    return whole_run(tmp_path_factory.mktemp("runs") / "unbroken")


def test_a_run_killed_at_any_moment_resumes_to_the_same_end(unbroken_command: Run, tmp_path: Path) -> None:
    code, _ = signalled(tmp_path, signal.SIGKILL)
    assert code in (-signal.SIGKILL, 0)
    run, _ = resumed(tmp_path / "run")
    assert figures(run) == figures(unbroken_command)
    assert last_tensors(run) == last_tensors(unbroken_command)


def test_ctrl_c_prints_the_command_that_resumes(unbroken_command: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = tmp_path / "my runs"
    runs.mkdir()
    code, messages = signalled(runs, signal.SIGINT)
    assert code == 130
    assert "interrupted; saved" in messages and "Traceback" not in messages
    program, *command = shlex.split(messages.partition("Continue with: ")[2])
    assert program == "tradewinds" and main(command) == 0
    assert "curve.png" in capsys.readouterr().out
    run = Run(runs / "run")
    run.close()
    assert figures(run) == figures(unbroken_command)
    assert last_tensors(run) == last_tensors(unbroken_command)


def test_a_half_written_checkpoint_is_not_read(unbroken: Run, tmp_path: Path) -> None:
    stopped_run(tmp_path / "run", 5)
    whole = Run(tmp_path / "run").checkpoints()[0]
    half = whole.with_name(".00000006.unfinished")
    half.mkdir()
    (half / "net.json").write_text('{"format"')
    run, quiet = resumed(tmp_path / "run")
    assert figures(run) == figures(unbroken) and quiet.notes == []


@pytest.mark.parametrize("name", ["net.safetensors", "net.json", "state.safetensors", "state.json"])
def test_a_damaged_checkpoint_is_put_aside_and_an_older_one_taken(unbroken: Run, name: str, tmp_path: Path) -> None:
    stopped_run(tmp_path / "run", 5)
    newest = Run(tmp_path / "run").checkpoints()[0]
    data = (newest / name).read_bytes()
    (newest / name).write_bytes(data[: len(data) // 2])
    run, quiet = resumed(tmp_path / "run")
    assert "damaged" in quiet.notes[0] and newest.name in quiet.notes[0]
    assert newest.with_name(f"damaged-{newest.name}").exists()
    assert figures(run) == figures(unbroken)


def test_a_full_disk_leaves_the_old_checkpoint_and_gives_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped_run(tmp_path / "run", 3)
    before = {path: path.read_bytes() for path in (tmp_path / "run" / "checkpoints").rglob("*.*")}

    def full(path: Path, data: bytes) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    run = Run(tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write_file", full)
        with pytest.raises(RunError, match="No space left on device; checkpoint 00000002 is intact"):
            train(run, Quiet())
    run.close()
    assert {path: path.read_bytes() for path in (tmp_path / "run" / "checkpoints").rglob("*.*")} == before
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "write_file", full)
        with pytest.raises(RunError, match="No space left on device"):
            resumed(tmp_path / "run")


def test_a_run_is_never_written_over(unbroken: Run) -> None:
    with pytest.raises(RunError, match="--resume"):
        Run.create(unbroken.folder, toy())


def test_two_processes_do_not_train_one_run(unbroken: Run) -> None:
    first = Run(unbroken.folder)
    with pytest.raises(RunError, match="another process"):
        Run(unbroken.folder)
    first.close()


def test_a_folder_without_a_config_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"config\.yaml"):
        Run(tmp_path)
