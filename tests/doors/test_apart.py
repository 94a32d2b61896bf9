"""What cannot be installed beside the tested libraries, in an environment of its own on top of this one.

The environment adds to this one what the tool needs in other versions, so neither torch nor the compiled kernels come again.
"""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tradewinds.envs.core.engine.kernel import JIT

from .test_examples import EXAMPLES, RUNS

if not JIT:
    pytest.skip("whole games take long in plain Python", allow_module_level=True)

ROOT = Path(__file__).parents[2]
UNREACHABLE = (
    "NewConnectionError",
    "ConnectTimeout",
    "No matching distribution found",
    "ProxyError",
    "Temporary failure in name resolution",
)


def environment(folder: Path, *what: str, untested: str) -> Path:
    """The Python of a new environment on top of this one, with what pip installs there: one package not in its tested version."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    inside = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    inside.joinpath("below.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.lower().startswith(f"{untested}==")]
    folder.joinpath("constraints.txt").write_text("\n".join(pins))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "-c", str(folder / "constraints.txt"), *what]
    done = subprocess.run(pip, capture_output=True, text=True, timeout=600)
    if done.returncode and any(word in done.stderr for word in UNREACHABLE):
        pytest.skip(f"the package index cannot be reached, or has not all of {what}")
    assert done.returncode == 0, done.stderr[-2000:]
    return python


def run(python: Path, *arguments: str) -> str:
    done = subprocess.run([python, *arguments], capture_output=True, text=True, timeout=600, cwd=ROOT)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return done.stdout


def run_example(python: Path, name: str) -> None:
    _, arguments, last = RUNS[name]
    assert last in run(python, str(EXAMPLES / name), *(arguments or [])).splitlines()[-1]


@pytest.mark.integration
def test_openenv_passes_its_tests_and_runs_its_example(tmp_path: Path) -> None:
    python = environment(tmp_path / "apart", "openenv-core>=0.3", "pillow<13", untested="pillow")
    said = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/doors/test_openenv.py")
    assert " passed" in said and "skipped" not in said
    run_example(python, "openenv_game.py")


@pytest.mark.integration
def test_tianshou_runs_its_example(tmp_path: Path) -> None:
    # Without dependencies: Tianshou pins tools of its own development. These are what it imports and what is not here.
    packages = ["tianshou>=2", "pandas<3", "pytz", "deepdiff<8", "ordered-set<4.2", "overrides<8", "sensai-utils>=1.6"]
    python = environment(tmp_path / "apart", "--no-deps", *packages, untested="pandas")
    run_example(python, "tianshou_dqn.py")
