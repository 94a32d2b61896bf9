"""`tradewinds compile`: what is compiled, in which order, and what it says."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tradewinds.cli import compile as command
from tradewinds.cli.app import run
from tradewinds.cli.compile import PARTS, Job, run_jobs
from tradewinds.envs.core.engine.kernel import JIT


def pretend(game: str, part: str) -> bool:
    """Stands in for compiling, in another process."""
    if (game, part) == ("container", "actions"):
        raise OSError("disk full")
    return part == "search"


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "compile_part", pretend)


@pytest.mark.usefixtures("pretended")
def test_each_part_waits_for_what_it_builds_on() -> None:
    together: list[set[str]] = []
    assert run_jobs(["puerto_rico"], 2, lambda _, running: together.append({job.part for job in running})) == (True, [])
    assert together[0] == {"actions", "ratings"}
    for number, running in enumerate(together):
        begun = set().union(*together[:number])
        for part in running:
            assert begun - running >= set(PARTS[part].needs), f"{part} did not wait"
    assert set().union(*together) == set(PARTS)


@pytest.mark.usefixtures("pretended")
def test_a_part_that_fails_is_named_and_the_other_games_are_compiled() -> None:
    running: set[Job] = set()
    compiled, failures = run_jobs(["container", "puerto_rico"], 2, lambda _, jobs: running.update(jobs))
    assert compiled
    assert failures == ["container (actions) was not compiled: OSError: disk full"]
    assert Job("puerto_rico", "search") in running
    assert Job("container", "search") not in running


@pytest.mark.skipif(not JIT, reason="about compiled kernels")
@pytest.mark.usefixtures("pretended")
def test_the_exit_code_tells_whether_everything_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", "container"]) == 1
    assert "error: container (actions) was not compiled" in capsys.readouterr().err
    assert run(["compile", "puerto_rico"]) == 0
    assert "compiled puerto_rico in" in capsys.readouterr().err
    assert run(["compile", "chess"]) == 2
    assert "there is no game 'chess'" in capsys.readouterr().err


@pytest.mark.skipif(not JIT, reason="about compiled kernels")
def test_what_is_compiled_already_is_not_compiled_again() -> None:
    command_line = [sys.executable, "-m", "tradewinds", "compile", "santiago_de_cuba"]
    subprocess.run(command_line, check=True, capture_output=True)
    again = subprocess.run(command_line, check=True, capture_output=True, text=True)
    assert again.stderr.splitlines()[-1] == "everything is compiled"


HANGING = """
import os, sys, time
from pathlib import Path
from tradewinds.cli import compile as command

def hang(game, part):
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(300)

if __name__ == "__main__":
    command.compile_part = hang
    try:
        command.run_jobs(["puerto_rico"], 2, lambda done, running: None)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_no_worker_outlives_the_command(number: signal.Signals, tmp_path: Path) -> None:
    script, folder = tmp_path / "hanging.py", tmp_path / "workers"
    script.write_text(HANGING)
    folder.mkdir()
    command_line = [sys.executable, str(script), str(folder)]
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(command_line, start_new_session=True, stderr=said)
    try:
        wait_until(lambda: len(list(folder.iterdir())) == 2)
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        assert process.wait(timeout=60) == (130 if number == signal.SIGINT else -number)
        assert "Traceback" not in (tmp_path / "said").read_text()
        wait_until(lambda: not any(is_running(int(file.name)) for file in folder.iterdir()))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 120  # processes start slowly on a loaded machine
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_plain_python_has_nothing_to_compile(tmp_path: Path) -> None:
    environment = {**os.environ, "TRADEWINDS_JIT": "0", "TRADEWINDS_CACHE": str(tmp_path)}
    said = subprocess.run([sys.executable, "-m", "tradewinds", "compile"], env=environment, check=True, capture_output=True, text=True)
    assert "nothing to compile" in said.stderr
    assert list(tmp_path.iterdir()) == []
