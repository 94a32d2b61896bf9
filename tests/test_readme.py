"""The samples of the README and the docs run, with warnings as errors; links lead somewhere; the fact table is true."""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import tradewinds.envs as tw

from .pages import broken_links

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
OTHERS = [ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "training/RLLIB.md")]
LINKED = [*PAGES, *OTHERS, *sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "agents" / "pretrained").glob("*/CARD.md"))]
QUESTIONS = ("install", "step-a-game", "train-for-three-players", "play-against-it", "add-your-agent", "add-a-game")
SAMPLES = {page: re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL) for page in PAGES}
# Each sample by itself, and the samples of a page in a copy of a process that has imported the libraries that take longest, and no more.
RUN = """
import gc, json, os, sys
import gymnasium, numba, numpy, pettingzoo, torch
gc.freeze()  # or each collection in a copy would go through all of them
failed = []
for page, (folder, samples) in json.load(sys.stdin).items():
    if not (copy := os.fork()):
        os.chdir(folder)
        for number, sample in enumerate(samples):
            exec(compile(sample, f"<sample {number} of {page}>", "exec"), {"__name__": "__main__"})
        sys.exit()
    if os.waitpid(copy, 0)[1]:
        failed.append(page)
sys.exit(f"failed: {failed}" if failed else 0)
"""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # Python warns where a process with threads is copied


def test_there_are_samples() -> None:
    assert sum(map(len, SAMPLES.values())) >= 15


@pytest.mark.integration
def test_the_samples_of_every_page_run_without_a_warning(tmp_path: Path) -> None:
    pages = {}
    for page in (page for page in PAGES if SAMPLES[page]):
        folder = tmp_path / str(len(pages))
        folder.mkdir()
        samples = [sample for sample in SAMPLES[page] if "tradewinds.envs.openenv" not in sample or find_spec("openenv")]
        pages[page.relative_to(ROOT).as_posix()] = str(folder), samples
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN],
        input=json.dumps(pages),
        cwd=tmp_path,
        env={**os.environ, **ONE_THREAD},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_the_samples_for_clusters_compile() -> None:
    samples = re.findall(r"```python\n(.*?)```", (ROOT / "training" / "RLLIB.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(samples) == 2
    for number, sample in enumerate(samples):
        compile(sample, f"sample {number}", "exec")


def test_the_episodes_that_batches_for_clusters_hold_are_as_long_as_the_games_say() -> None:
    text = (ROOT / "training" / "RLLIB.md").read_text(encoding="utf-8")
    stated = re.search(r"about (\d+) env steps each in Santiago de Cuba and (\d+) in Puerto Rico", text)
    assert stated is not None
    for name, steps in zip(("santiago_de_cuba", "puerto_rico"), stated.groups(), strict=True):
        assert int(steps) == pytest.approx(tw.game(name).mean_steps[4], abs=5)


@pytest.mark.parametrize("name", tw.games())
def test_every_game_stands_in_the_readme(name: str) -> None:
    assert tw.game(name).title in README.read_text(encoding="utf-8")
    assert f"`{name}`" in README.read_text(encoding="utf-8")


def test_the_commands_of_the_readme_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (README.parent / "Makefile").read_text(), flags=re.MULTILINE))
    named = set(re.findall(r"`make ([a-z]+)`", README.read_text(encoding="utf-8")))
    assert {"train", "test", "lint", "bench"} <= named <= targets


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert not list(broken_links(page))


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pictures_are_files_as_github_drops_those_within_a_page(page: Path) -> None:
    assert "<svg" not in page.read_text(encoding="utf-8")


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# One thing")
    (tmp_path / "page.md").write_text("[a](other.md#one-thing) [b](other.md#two) [c](missing.md) `[d](code.md)`")
    assert list(broken_links(tmp_path / "page.md")) == ["other.md#two", "missing.md"]


def test_the_first_questions_are_answered_one_click_from_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    assert all(f"](docs/getting_started.md#{question})" in text for question in QUESTIONS)


@pytest.mark.parametrize("name", tw.games())
def test_the_fact_table_is_true(name: str) -> None:
    game = tw.game(name)
    players = next(option for option in game.options if option.name == "players").choices
    row = next(line for line in README.read_text(encoding="utf-8").splitlines() if f"| `{name}` |" in line)
    assert f"| {players[0]} to {players[-1]} |" in row
    assert f"| {len(game.actions)} |" in row
    assert f"| {' / '.join(str(game.with_options(players=count).layout.size) for count in players)} |" in row
    assert game.mean_steps is not None
    assert f"| {' / '.join(str(game.mean_steps[count]) for count in players)} steps |" in row


@pytest.mark.parametrize("name", tw.games())
def test_the_fact_table_has_the_figures_that_tradewinds_games_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from tradewinds.cli.main import main

    assert main(["games"]) == 0
    printed = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(f"{name} "))
    row = next(line for line in README.read_text(encoding="utf-8").splitlines() if f"| `{name}` |" in line)
    _, _, players, _, actions, observation, steps = (cell.strip() for cell in row.strip("|").split("|"))
    assert re.split(" {2,}", printed.strip())[:5] == [name, players, actions, observation, steps.removesuffix(" steps")]


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 200
