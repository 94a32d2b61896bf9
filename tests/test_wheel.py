"""The wheel that users install: built, put into an empty environment, imported and played."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import get_type_hints

import pytest

import tradewinds.envs as tw

ROOT = Path(__file__).parents[1]
PLAY = """
import tradewinds.envs as tw
import importlib.metadata, sys
assert importlib.metadata.version("tradewinds")
assert ".venv-of-the-wheel" in tw.__file__, tw.__file__
for name in tw.games():
    env = tw.make(name)
    env.reset(seed=1)
    for _ in range(30):
        env.step(env.legal_actions()[0])
    assert "torch" not in sys.modules
    assert "<!doctype html>" in tw.Replay.of(env).html(["player_0"])[:100]
print("played", *tw.games())
"""


USE = """import tradewinds.envs as tw

reveal_type(tw.make("container"))
"""
pytestmark = [pytest.mark.compiled, pytest.mark.integration]


def run(folder: Path, *command: str | Path, **environment: str) -> str:
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env={**clean, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_of(*tops: str) -> set[str]:
    """What of these folders the wheel must hold, by its name there."""
    found = {path.relative_to(ROOT) for top in tops for path in (ROOT / top).rglob("*") if path.is_file() and path.suffix != ".pyc"}
    return {(path if path.parts[0] == "tradewinds" else "tradewinds" / path).as_posix() for path in found}


def tracked() -> set[str]:
    """The files of the repository, if this is a clone."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


def test_the_wheel_of_the_source_distribution_installs_into_an_empty_environment_and_plays(tmp_path: Path) -> None:
    sdist = f"from setuptools.build_meta import build_sdist; build_sdist({str(tmp_path)!r})"
    run(ROOT, sys.executable, "-c", sdist)
    (archive,) = tmp_path.glob("tradewinds-*.tar.gz")
    with tarfile.open(archive) as files:
        packed = {name.partition("/")[2] for name in files.getnames()}
    assert not tracked() - packed, "files that the source distribution lacks: see MANIFEST.in"
    run(tmp_path, sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, archive)
    (wheel,) = tmp_path.glob("tradewinds-*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    (metadata,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA")]
    links = re.findall(r"\]\(([^)]*)\)", zipfile.ZipFile(wheel).read(metadata).decode())
    assert len(links) > 20 and all(link.startswith("https://") for link in links)
    assert names == files_of("tradewinds", "envs", "agents", "training", "benchmarks", "configs", "leaderboard", "web")
    venv = tmp_path / ".venv-of-the-wheel"
    run(tmp_path, sys.executable, "-m", "venv", "--without-pip", venv)
    python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile")
    run(tmp_path, *pip, "-c", ROOT / "constraints.txt", wheel)
    # Plain Python: what is tested is the packaging, and compiling takes a minute per game.
    assert run(tmp_path, python, "-c", PLAY, TRADEWINDS_JIT="0").split() == ["played", *tw.games()]


@pytest.mark.parametrize(
    ("checker", "clean"),
    [(["basedpyright", "--pythonpath"], "0 errors"), (["mypy", "--cache-dir", os.devnull, "--python-executable"], "no issues found")],
    ids=["basedpyright", "mypy"],
)
def test_a_type_checker_follows_the_editable_install_of_make_setup(checker: list[str], clean: str, tmp_path: Path) -> None:
    pytest.importorskip(checker[0])
    (tmp_path / "use.py").write_text(USE)
    found = run(tmp_path, sys.executable, "-m", *checker, sys.executable, "use.py")
    assert clean in found and re.search(rf'is "[\w.]*\b{get_type_hints(tw.make)["return"].__name__}"', found)
