"""Networks as agents: what is loaded, and what is refused with which words."""

import copy
import importlib.util
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import tradewinds.envs as tw
from tradewinds.agents import AgentError, build
from tradewinds.agents.neural import Net, Network, Shape, save_net
from tradewinds.agents.neural.checkpoint import find_net
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.spec.game import Variant

from .tiny import GAME, whole_run


def variant_of(**options: object) -> Variant:
    return tw.game(GAME).with_options(**{"players": 3, **options})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    torch.manual_seed(5)
    save_net(tmp_path / "net", Network(Shape.of(variant_of(), 16, 1)), variant_of())
    return tmp_path / "net"


def decisions(size: int = 50, steps: int = 20) -> tw.Batch:
    batch = tw.make_batch(GAME, size, seed=1, players=3)
    for _ in range(steps):
        batch.step(batch.masks.argmax(axis=1))
    return batch


@pytest.mark.parametrize("setting", ["", ":sample"])
def test_a_network_plays_legal_actions_the_same_from_the_same_seeds(folder: Path, setting: str) -> None:
    batch, seeds = decisions(), np.random.default_rng(0).integers(0, 2**63, 50).astype(np.uint64)
    player = build(f"net:{folder}{setting}", variant_of())
    actions = player.act(batch.decisions(None, seeds))
    assert batch.masks[np.arange(50), actions].all()
    assert (player.act(batch.decisions(None, seeds)) == actions).all()
    assert (build(f"net:{folder / 'net.safetensors'}{setting}", variant_of()).act(batch.decisions(None, seeds)) == actions).all()


@pytest.mark.parametrize("setting", ["", ":sample"])
def test_a_pickled_or_copied_network_plays_on(folder: Path, setting: str) -> None:
    asked = decisions().decisions(seeds=np.arange(50, dtype=np.uint64))
    player = build(f"net:{folder}{setting}", variant_of())
    for again in (pickle.loads(pickle.dumps(player)), copy.deepcopy(player)):
        assert type(again) is Net and repr(again) == repr(player)
        assert (again.act(asked) == player.act(asked)).all()


def test_what_a_network_expects_is_told_by_seat(folder: Path) -> None:
    batch = decisions()
    player = build(f"net:{folder}", variant_of())
    assert isinstance(player, Net)
    with torch.no_grad():
        player.network.value.weight.zero_()
        player.network.value.bias.copy_(torch.tensor([0.3, 0.1, -0.2, 9, 9, 9]))
    rates, shares = player.expect(batch.decisions())
    assert (np.isinf(rates) == ~batch.masks).all()
    to_move = batch.seats.astype(np.int64)
    for k, value in enumerate([0.3, 0.1, -0.2]):
        assert np.allclose(shares[np.arange(50), (to_move + k) % 3], value + 1 / 3)
    assert (player.rate(batch.decisions()) == rates).all()


@pytest.mark.skipif(not JIT, reason="a whole run as plain Python is slow")
def test_a_run_plays_as_the_network_of_its_last_checkpoint(tmp_path: Path) -> None:
    run = whole_run(tmp_path / "run")
    assert find_net(run.folder) == run.checkpoints()[0]
    notes = json.loads((run.checkpoints()[0] / "net.json").read_text())["notes"]
    assert notes["iteration"] == int(run.rows()[-1]["iteration"])


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        (lambda: tw.game("container").with_options(), f"plays {GAME}, not container"),
        (lambda: variant_of(players=4), "trained with players=3"),
        (lambda: variant_of(visibility="open"), "trained with visibility='rules'"),
    ],
)
def test_a_network_for_something_else_is_refused(folder: Path, variant: object, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        build(f"net:{folder}", variant())  # type: ignore[operator]


def test_another_reward_is_no_other_game(folder: Path) -> None:
    build(f"net:{folder}", variant_of(reward="rank"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 99}, "another version"),
        ({"observation": "3 numbers"}, "another version"),
        ({"format": 99}, "format 99"),
        ({"sha256": "0"}, "damaged"),
        ({"network": {"inputs": 3, "actions": 3, "players": 3, "width": 4, "blocks": 0}}, "another network"),
    ],
)
def test_another_version_or_a_changed_file_is_refused(folder: Path, change: dict[str, object], said: str) -> None:
    facts = json.loads((folder / "net.json").read_text())
    (folder / "net.json").write_text(json.dumps({**facts, **change}))
    with pytest.raises(AgentError, match=said):
        build(f"net:{folder}", variant_of())


@pytest.mark.parametrize("name", ["net.json", "net.safetensors"])
def test_a_damaged_or_missing_file_is_refused(folder: Path, name: str) -> None:
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(AgentError, match="damaged"):
        build(f"net:{folder}", variant_of())
    (folder / name).unlink()
    with pytest.raises(AgentError, match=r"cannot be read|holds no network"):
        build(f"net:{folder}", variant_of())


@pytest.mark.parametrize(
    ("code", "said"), [("net", "runs/NAME"), ("net:", "runs/NAME"), ("net:nowhere", "does not exist"), ("net:.", "no network")]
)
def test_a_path_without_a_network_is_refused(code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AgentError, match=said):
        build(code, variant_of())


def test_without_torch_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None if name == "torch" else found(name, package))
    with pytest.raises(AgentError, match=r"'\.\[train\]"):
        build(f"net:{folder}", variant_of())


def test_importing_the_agents_does_not_import_torch() -> None:
    code = "import sys, tradewinds.agents; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
