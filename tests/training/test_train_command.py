"""`tradewinds train`: bad input gives one line, and what exists stays as it was."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("files are the same, and whole runs as plain Python are slow", allow_module_level=True)


from tradewinds.cli.main import main
from tradewinds.training import train as training
from tradewinds.training.config import dump_config, find_config, load_config
from tradewinds.training.evaluation.runner import run_schedule
from tradewinds.training.train import final_pairs

from .tiny import GAME, tiny


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "tiny.yaml").write_text(dump_config(tiny(bc={"total_timesteps": 0}, ppo={"total_timesteps": 200})))
    return ["train", GAME, "--config", str(tmp_path / "tiny.yaml"), "--runs", str(tmp_path / "runs")]


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(arguments) == 2
    captured: Any = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    return captured.err


def test_training_ends_with_a_table_a_curve_and_figures(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--json", str(tmp_path / "figures.json")]) == 0
    out = capsys.readouterr().out
    assert "random" in out and "curve.png" in out and "net:" in out
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [found["opponents"][0].split("/")[0] for found in figures["results"]][:2] == ["random", "random"]
    assert main(command) == 0 and (tmp_path / "runs" / "tiny-2").is_dir()
    before = sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "runs").rglob("*"))
    assert "--resume" in refused([*command, "--name", "tiny"], capsys)
    message = refused([*command, "--name", "tiny", "--resume", "--set", "ppo.learning_rate=0.25"], capsys)
    assert "ppo.learning_rate 0.0007 -> 0.25" in message
    assert sorted((path, path.stat().st_mtime_ns) for path in (tmp_path / "runs").rglob("*")) == before


def test_the_last_table_has_the_whole_ladder_and_both_directions() -> None:
    for name in ("quick", "scratch", "cloned"):
        config = load_config(find_config(name))
        pairs = final_pairs("net:run", config)
        assert [(agent, opponent) for agent, opponent, _ in pairs] == [
            ("net:run", "random"),
            ("net:run", "scripted:greedy"),
            ("net:run", "scripted"),
            ("net:run", "search:100"),
            ("net:run:sample", "scripted"),
            ("scripted", "net:run"),
        ]
        assert all(games >= 2000 for *pair, games in pairs if "search:100" not in pair)


def test_an_interrupted_last_evaluation_says_how_to_continue_and_plays_no_match_twice(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[tuple[str, ...], int | None]] = []

    def play(schedule: Any, workers: int | None, *arguments: Any) -> Any:
        started.append((schedule.names, workers))
        if len(started) == 2:
            raise KeyboardInterrupt
        return run_schedule(schedule, 0, *arguments)

    monkeypatch.setattr(training, "run_schedule", play)
    ladder = ["--set", "evaluation.final_opponents={'search:2': 2}", "--set", "threads=2"]
    assert main([*command, *ladder]) == 130
    program, *again = capsys.readouterr().err.replace("\n", " ").partition("Continue with: ")[2].split()
    (kept,) = (tmp_path / "runs" / "tiny" / "final").glob("*/results.jsonl")
    written = kept.stat().st_mtime_ns
    assert program == "tradewinds" and main(again) == 0
    assert kept.stat().st_mtime_ns == written, "a match was played twice"
    matches = [tuple("net" if "net:" in name else name for name in names) for names, _ in started]
    assert matches == [("net", "random"), ("net", "search:2")] + [
        ("net", "random"),
        ("net", "search:2"),
        ("net", "random"),
        ("random", "net"),
    ]
    assert [workers for _, workers in started[2:]] == [0, 2, 0, 0], "search uses all cores, and nothing else starts processes"
    assert "search:2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "ppo.num_env=3"], "did you mean num_envs?"),
        (["--set", "ppo.rows=3"], "ppo.rows is now ppo.num_envs"),
        (["--set", "opponent_pool.agents={scriptid: 0.1}"], "scriptid"),
        (["--resume"], "no run tiny"),
        (["--resume", "--name", "nothing"], "not a run"),
        (["--config", "quack"], "quack"),
    ],
)
def test_bad_input_is_refused_and_leaves_nothing_behind(
    command: list[str], arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused([*command, *arguments], capsys)
    assert not list((tmp_path / "runs").glob("*"))


def test_a_config_for_another_game_is_refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert GAME in refused(["train", "container", *command[2:]], capsys)


def test_without_torch_the_extra_is_named(command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None if name == "torch" else found(name, package))
    assert "pip install '.[train]' in a clone" in refused(command, capsys)


def test_train_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--help"]) == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert all(option in text for option in ("--config", "--set", "--resume", "--name", "--json"))
