"""The wheel that users install: built, put into an empty environment, imported and played."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT

ROOT = Path(__file__).parents[1]
PLAY = """
import tradewinds.envs as tw
import importlib.metadata, sys
assert importlib.metadata.version("tradewinds")
assert ".venv-of-the-wheel" in tw.__file__, tw.__file__
for name in tw.games():
    env = tw.make(name)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        env.step(None if over or cut else env.legal_actions()[0])
    assert "torch" not in sys.modules
    assert "<!doctype html>" in tw.Replay.of(env).html()[:100]
print("played", *tw.games())
"""


@pytest.mark.skipif(not JIT or BOUNDSCHECK, reason="one wheel is enough")
def test_the_wheel_installs_into_an_empty_environment_and_plays(tmp_path: Path) -> None:
    def run(*command: str | Path, **environment: str) -> str:
        clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run(command, cwd=tmp_path, env={**clean, **environment}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("tradewinds-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "tradewinds/envs/py.typed" in names
    for name in tw.games():
        assert f"tradewinds/envs/{name}/RULES.md" in names
    assert not [name for name in names if name.startswith(("tests", "notebooks"))]
    venv = tmp_path / ".venv-of-the-wheel"
    run(sys.executable, "-m", "venv", venv)
    python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
    # Plain Python: what is tested is the packaging, and compiling takes a minute a game.
    assert run(python, "-c", PLAY, TRADEWINDS_JIT="0").split() == ["played", *tw.games()]
