"""Damage to a run costs what is damaged, and leaves the trainer as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.tiny import tiny
from tradewinds.agents.neural.agent import Net
from tradewinds.agents.neural.checkpoint import NetError, load_net, save_net
from tradewinds.agents.neural.network import Network
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


Arrays = dict[str, np.ndarray]


def put(name: str, value: float, at: int = 0) -> Callable[[Arrays], Any]:
    return lambda arrays: arrays[name].reshape(-1).__setitem__(at, value)


# In the run of `trained`: no cloning, `random` (0) and past versions (1) as opponents.
CHANGES: dict[str, Callable[[Arrays], Any]] = {
    "a seat of nobody": put("seat_assignments", 7),
    "a seat of the teacher, who is not cloned": put("seat_assignments", -2),
    "no learner": lambda arrays: arrays["seat_assignments"][0].fill(0),
    "a past version is missing a tensor": lambda arrays: arrays.pop("past/0/norm.bias"),
    "a past version of another shape": lambda arrays: arrays.update({"past/0/norm.bias": np.zeros(3, np.float32)}),
    "too many past versions": lambda arrays: arrays.update(
        {name.replace("/0/", f"/{n}/"): arrays[name] for name in list(arrays) if name.startswith("past/0/") for n in range(1, 4)}
    ),
    "an optimizer without steps": lambda arrays: arrays.pop("optimizer/0/step"),
    "an optimizer of another shape": lambda arrays: arrays.update({"optimizer/0/step": np.zeros(2, np.float32)}),
    "weights of another type": lambda arrays: arrays.update({"net/norm.bias": arrays["net/norm.bias"].astype(np.float64)}),
}


@pytest.fixture(scope="module")
def trainer() -> Trainer:
    return Trainer(tiny())


@pytest.fixture(scope="module")
def trained() -> Trainer:
    trainer = Trainer(tiny(bc={"total_timesteps": 0}))
    trainer.iterate()
    return trainer


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_checkpoint_is_refused_and_the_trainer_is_as_it_was(
    trainer: Trainer, damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    before = take_snapshot(trainer)
    later = before._replace(facts={**before.facts, "iteration": 5, "episodes": 7})  # or what is put back could not be told from it
    save_checkpoint(tmp_path / "checkpoint", trainer, later, {"seconds": 1.0})
    file = tmp_path / "checkpoint" / "state.json"
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(NetError) as refused:
        load_checkpoint(tmp_path / "checkpoint", trainer)
    assert str(refused.value).isprintable() and (damage is not DAMAGE["a key is missing"] or "KeyError: 'iteration'" in str(refused.value))
    after = take_snapshot(trainer)
    assert after.facts == before.facts
    assert all((after.arrays[name] == before.arrays[name]).all() for name in before.arrays)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_checkpoint_of_another_run_is_refused_and_the_trainer_is_as_it_was(
    trained: Trainer, change: Callable[[Arrays], Any], tmp_path: Path
) -> None:
    before = take_snapshot(trained)
    assert any(name.startswith("past/0/") for name in before.arrays) and (before.arrays["seat_assignments"][0] != 0).any()
    arrays = {name: array.copy() for name, array in before.arrays.items()}
    change(arrays)
    save_checkpoint(tmp_path / "checkpoint", trained, before._replace(arrays=arrays), {"seconds": 1.0})
    with pytest.raises(NetError, match="damaged"):
        load_checkpoint(tmp_path / "checkpoint", trained)
    after = take_snapshot(trained)
    assert after.facts == before.facts and after.arrays.keys() == before.arrays.keys()
    assert all((after.arrays[name] == before.arrays[name]).all() for name in before.arrays)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 10**400, "long", None, True])
def test_a_run_resumes_whatever_its_checkpoint_says_of_the_time(trained: Trainer, seconds: Any, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", trained.config)
    save_checkpoint(run.folder / "checkpoints" / "00000001", trained, take_snapshot(trained), {"seconds": seconds})
    assert run.restore(trained)[0] <= 1
    run.close()


@pytest.mark.parametrize(("name", "value"), [("policy.weight", np.nan), ("enter.bias", np.inf), ("norm.weight", 1e30), ("value.bias", 1e9)])
def test_a_network_that_computes_no_finite_number_is_refused(trained: Trainer, name: str, value: float, tmp_path: Path) -> None:
    net = Network(trained.net.shape)
    save_net(tmp_path / "good", net, trained.variant, spec=trained.spec)
    load_net(tmp_path / "good", trained.variant)
    with torch.no_grad():
        net.get_parameter(name)[:] = value
    save_net(tmp_path / "bad", net, trained.variant, spec=trained.spec)
    with pytest.raises(NetError, match="not finite or far too large"):
        load_net(tmp_path / "bad", trained.variant)


@pytest.mark.parametrize("value", [-1e30, 1e30, -np.inf, np.nan])
def test_a_diverged_network_still_plays_legal_actions(trained: Trainer, value: float) -> None:
    net = Network(trained.net.shape)
    with torch.no_grad():
        net.policy.bias[1:] = value
    for sample in (False, True):
        batch = trained.batch.copy()
        for _ in range(30):
            batch.step(Net(trained.variant, net, trained.spec, sample).act(batch.decisions()))


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
