"""A short run of the attack driver; `python -m tests.attack --seconds 3600` is a long one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.formats import FORMATS
from tradewinds.envs.core.engine.kernel import JIT

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_mutated_input_is_accepted_or_refused_and_never_anything_else(name: str) -> None:
    if not JIT and name not in ("saves", "states"):
        pytest.skip("only what reaches the kernels differs in plain Python")
    # The number of tries is fixed, so that a faster machine makes the same ones.
    command = [sys.executable, "-m", "tests.attack", "--seconds", "5", "--tries", "2000", "--seed", "1", "--formats", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    tries = int(done.stdout.split(": ")[1].split(" tries")[0].replace(",", ""))
    assert tries > 10
