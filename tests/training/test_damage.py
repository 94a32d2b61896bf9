"""Damage to a run costs what is damaged, and leaves the trainer as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.training.tiny import tiny
from tradewinds.agents.neural.checkpoint import NetError
from tradewinds.cli.main import main
from tradewinds.training.checkpoints import load_checkpoint, save_checkpoint, take_snapshot
from tradewinds.training.config import ConfigError, check_config
from tradewinds.training.ppo import Trainer
from tradewinds.training.run_dir import Run, RunError


def edited(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        facts = json.loads(data)
        change(facts)
        return json.dumps(facts).encode()

    return edit


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "not UTF-8": lambda data: b"\xff" + data,
    "not JSON": lambda data: data[:20],
    "nested": lambda data: b"[" * 100_000,
    "a list": lambda data: b"[]",
    "a key is missing": edited(lambda facts: facts.pop("iteration")),
    "the notes are missing": edited(lambda facts: facts.pop("notes")),
    "a counter is text": edited(lambda facts: facts.__setitem__("episodes", "many")),
    "the generator is another": edited(lambda facts: facts.__setitem__("random", {"bit_generator": "MT19937"})),
}


@pytest.fixture(scope="module")
def trainer() -> Trainer:
    return Trainer(tiny())


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_checkpoint_is_refused_and_the_trainer_is_as_it_was(
    trainer: Trainer, damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    save_checkpoint(tmp_path / "checkpoint", trainer, take_snapshot(trainer), {"seconds": 1.0})
    file = tmp_path / "checkpoint" / "state.json"
    file.write_bytes(damage(file.read_bytes()))
    before = take_snapshot(trainer)
    with pytest.raises(NetError):
        load_checkpoint(tmp_path / "checkpoint", trainer)
    after = take_snapshot(trainer)
    assert after.facts == before.facts
    assert all((after.arrays[name] == before.arrays[name]).all() for name in before.arrays)


def test_damaged_rows_of_metrics_are_dropped(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", tiny())
    cells = ["1"] * len(run.columns)
    lines = [",".join(run.columns), ",".join(cells), ",".join(["x", *cells[1:]]), ",".join(cells[:4]), ",".join([*cells[:-1], "much"])]
    (tmp_path / "run" / "metrics.csv").write_bytes("\n".join(lines).encode() + b"\n\xff\xfe\x00,1\n")
    assert len(run.rows()) == 1
    run.close()


def test_a_run_that_exists_is_refused_also_at_the_last_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.yaml").touch()
    monkeypatch.setattr(Path, "exists", lambda path: False)
    with pytest.raises(RunError, match="run"):
        Run.create(tmp_path / "run", tiny())


@pytest.mark.parametrize("network", [{"width": 2147483648}, {"blocks": 10**9}, {"width": 0}])
def test_a_network_that_fits_no_memory_is_refused(network: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="network"):
        check_config({**tiny().model_dump(), "network": network}, "config")


def test_a_config_names_no_agents_of_somebodys_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("game: santiago_de_cuba\nopponent_pool: {agents: {'stranger_mod:A': 0.2}}\n")
    assert main(["train", "santiago_de_cuba", "--config", str(config), "--runs", str(tmp_path)]) == 2
    assert "--own-agents" in capsys.readouterr().err
