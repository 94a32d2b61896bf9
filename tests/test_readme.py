"""The README's samples run, with warnings as errors, and its figures of options are true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tradewinds.envs as tw

README = Path(__file__).parents[1] / "README.md"
SAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_there_are_samples() -> None:
    assert len(SAMPLES) >= 4


@pytest.mark.integration
@pytest.mark.parametrize("sample", SAMPLES, ids=range(len(SAMPLES)))
def test_a_sample_runs_without_a_warning(sample: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH")]))}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", sample], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("name", tw.games())
def test_every_game_stands_in_the_readme(name: str) -> None:
    assert tw.game(name).title in README.read_text(encoding="utf-8")
    assert f"`{name}`" in README.read_text(encoding="utf-8")


def test_the_commands_of_the_readme_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (README.parent / "Makefile").read_text(), flags=re.MULTILINE))
    named = set(re.findall(r"`make ([a-z]+)`", README.read_text(encoding="utf-8")))
    assert {"train", "test", "lint", "bench"} <= named <= targets
