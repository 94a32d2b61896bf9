"""A full disk at any write of what commands and libraries leave behind: the old content or the new, and one clear message."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.core.test_faults import failing, names
from tests.training.terminal_tools import Terminal
from tradewinds.cli import benchmark as command
from tradewinds.cli.main import main
from tradewinds.training import expert
from tradewinds.training.config import check_config
from tradewinds.training.datasets import DecisionTable, load
from tradewinds.training.evaluation.evaluate import evaluate
from tradewinds.training.run_dir import Run, RunError
from tradewinds.training.teacher import Lessons, load_shard, save_shard

GAME = "santiago_de_cuba"


def table(rows: int) -> DecisionTable:
    arrays: dict[str, Any] = {name: np.zeros(rows) for name in DecisionTable.__dataclass_fields__ if name != "provenance"}
    return DecisionTable(**arrays, provenance={"rows": rows})


def lessons(rows: int) -> Lessons:
    few = np.zeros((rows, 2), np.float32)
    return Lessons(np.zeros((rows, 4), np.float32), few.astype(np.int64), few, few + 0.5, np.zeros((rows, 2, 2), np.float32))


@pytest.mark.parametrize(
    ("save", "rows"),
    [
        (lambda path, rows: table(rows).save(path), lambda path: len(load(path))),
        (lambda path, rows: save_shard(path, lessons(rows)), lambda path: load_shard(path).size),
    ],
    ids=["dataset", "shard"],
)
def test_a_file_of_arrays_is_the_old_or_the_new(
    save: Callable[[Path, int], None], rows: Callable[[Path], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, failed = tmp_path / "arrays.npz", 0
    save(file, 2)
    for error in failing(monkeypatch, lambda: save(file, 3)):
        assert rows(file) in (2, 3) and names(tmp_path) == ["arrays.npz"]
        assert rows(file) == 3 or error is not None
        assert error is None or (isinstance(error, OSError) and error.filename == str(file))
        failed += error is not None
        save(file, 2)
    assert failed >= 10


# Commands: one line on stderr, an exit code, and no half file.


class CommandError(Exception):
    """A command that ended with an exit code other than 0."""


def commanded(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command, whose failure must be told in one line."""
    capsys.readouterr()
    if main(arguments):
        said = capsys.readouterr().err.splitlines()
        assert sum("error" in line for line in said) == 1 and "No space left" in said[-1], said
        raise CommandError(said[-1])


def test_a_result_of_the_benchmark_is_whole_or_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = {"tasks": [], "failures": 0, "agent": "random"}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "_run", lambda *_: result)
    monkeypatch.setattr(command, "show", lambda *_: None)
    monkeypatch.setattr(command, "figures", lambda result: result)
    out, figures, failed = tmp_path / "out.json", tmp_path / "figures.json", 0
    for error in failing(
        monkeypatch, lambda: commanded(["benchmark", "--agent", "random", "--out", str(out), "--json", str(figures)], capsys)
    ):
        assert error is None or isinstance(error, CommandError), repr(error)
        failed += error is not None
        assert not out.exists() or json.loads(out.read_text()) == result
        assert not figures.exists() or json.loads(figures.read_text()) == result
        assert set(names(tmp_path)) <= {"out.json", "figures.json"}
        for file in (out, figures):
            file.unlink(missing_ok=True)
    assert failed >= 15


def test_pictures_of_a_game_are_the_old_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    env = tw.make(GAME, players=2)
    env.reset(seed=1)
    tw.Replay.of(env).save(tmp_path / "game.jsonl")
    picture, failed = tmp_path / "game.svg", 0
    picture.write_text("old")
    for error in failing(
        monkeypatch, lambda: commanded(["watch", str(tmp_path / "game.jsonl"), "--svg", str(picture), "--seat", "0"], capsys)
    ):
        assert error is None or isinstance(error, CommandError), repr(error)
        failed += error is not None
        text = picture.read_text()
        assert text == "old" or text.endswith("</svg>") or text.endswith("</svg>\n")
        assert names(tmp_path) == ["game.jsonl", "game.svg"]
        picture.write_text("old")
    assert failed >= 8


def test_a_game_in_the_terminal_goes_on_when_its_file_cannot_be_written(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, failed = tmp_path / "game.jsonl", 0
    command = ["play", GAME, "--players", "2", "--opponents", "random", "--seed", "1", "--replay", str(file)]

    def act() -> None:
        said = terminal.run(*command, lines=["1", "1", "q"])
        assert said.out.count("choice>") == 3 or said.code == 2, "the game did not go on"
        if "No space left" in said.out + said.err:
            raise CommandError(said.err)
        assert "Continue with: " in said.out and said.code == 0

    for error in failing(monkeypatch, act):
        assert error is None or (isinstance(error, CommandError) and "Traceback" not in str(error)), repr(error)
        failed += error is not None
        assert set(names(tmp_path)) <= {"game.jsonl"}
        assert not file.exists() or tw.load_replay(file)
        file.unlink(missing_ok=True)
    assert failed >= 15


# Expert iteration, with games and learning that cost nothing


@pytest.mark.slow
def test_generations_of_an_expert_that_meet_a_full_disk_are_the_same_after_resuming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = {"generations": 1, "games": 1, "match_games": 2, "search_match_games": 0, "update_epochs": 1}
    settings = {"game": GAME, "options": {"players": 2}, "threads": 1, "network": {"width": 4, "blocks": 0}, "expert": part}
    config = check_config(settings, "test")
    match = evaluate(GAME, "random", "random", games=2, workers=0, players=2)
    wide = lessons(3)._replace(observations=np.zeros((3, expert.shape_of(config).inputs), np.float32))
    monkeypatch.setattr(expert, "evaluate", lambda *_, **__: match)
    monkeypatch.setattr(expert, "is_kept", lambda *_: True)
    monkeypatch.setattr("tradewinds.training.teacher._pool", lambda *_: Played(wide))

    def trained(run: Run) -> Any:
        try:
            return expert.train_expert(run, workers=0)
        finally:
            run.close()

    whole = trained(Run.create(tmp_path / "whole", config))
    said: list[Exception | None] = []
    for error in failing(monkeypatch, lambda: trained(Run.create(tmp_path / f"run-{len(said)}", config)), (False,)):
        assert error is None or (isinstance(error, RunError) and "No space left" in str(error)), repr(error)
        folder = tmp_path / f"run-{len(said)}"
        said.append(error)
        if folder.exists():
            found = trained(Run(folder))
            assert [result["losses"] for result in found] == [result["losses"] for result in whole]
            assert names(folder / "best") == ["00000000", "00000001"]
            assert not list(folder.rglob(".*unfinished*"))
    assert sum(error is not None for error in said) >= 30


class Played:
    """A pool that has played all games already."""

    def __init__(self, lessons: Lessons) -> None:
        self.lessons = lessons

    def run_tasks(self, queue: Any) -> Any:
        while queue:
            yield queue.popleft(), self.lessons

    def close(self) -> None:
        pass
