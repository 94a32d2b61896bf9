"""Decisions as datasets: the games they come from, the plain table, and Minari."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("whole games take long in plain Python", allow_module_level=True)


import tradewinds.envs as tw
from tradewinds.cli.main import main
from tradewinds.training import datasets

GAME = "santiago_de_cuba"


def table(games: int = 3, **settings: Any) -> datasets.DecisionTable:
    return datasets.collect(GAME, **{"agents": ["random", "scripted:greedy"], "games": games, "seed": 5, "players": 2, **settings})


def test_every_decision_is_that_of_the_game_its_seed_gives() -> None:
    found = table()
    assert (found.masks[np.arange(len(found)), found.actions]).all()
    for game, seed in enumerate(found.seeds):
        env = tw.make(GAME, players=2)
        env.reset(seed=int(seed))
        rows = np.flatnonzero(found.games == game)
        for row in rows:
            seen = env.observe(env.agent_selection)
            assert np.array_equal(seen["observation"], found.observations[row]) and np.array_equal(seen["action_mask"], found.masks[row])
            assert env.agent_selection == f"player_{found.seats[row]}"
            env.step(found.actions[row])
        rewards = np.array([env.rewards[agent] for agent in env.agents], np.float32)
        assert np.array_equal(found.returns[rows], rewards[found.seats[rows]])
        assert [env.infos[agent]["score"] for agent in env.agents] == found.scores[game].tolist()
        for seat, agent in enumerate(env.agents):
            assert np.array_equal(env.observe(agent)["observation"], found.final_observations[game, seat])


def test_the_same_seed_gives_the_same_table() -> None:
    one, two = table(), table()
    assert all(np.array_equal(array, two.arrays()[name]) for name, array in one.arrays().items())
    assert not np.array_equal(one.actions, table(seed=6).actions)


def test_files_are_read_back(tmp_path: Path) -> None:
    found = table()
    found.save(tmp_path / "x.npz")
    again = datasets.load(tmp_path / "x.npz")
    assert again.provenance == json.loads(json.dumps(found.provenance)) and again.provenance["agents"] == ["random", "scripted:greedy"]
    assert all(np.array_equal(array, again.arrays()[name]) for name, array in found.arrays().items())
    (tmp_path / "y.npz").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="no dataset of decisions"):
        datasets.load(tmp_path / "y.npz")
    parquet = pytest.importorskip("pyarrow.parquet")
    found.save(tmp_path / "x.parquet")
    read = parquet.read_table(tmp_path / "x.parquet")
    assert read.num_rows == len(found) and json.loads(read.schema.metadata[b"tradewinds"])["game"] == GAME
    assert np.array_equal(np.stack(read["observation"].to_numpy()), found.observations)
    assert np.array_equal(np.stack(read["action_mask"].to_numpy()), found.masks)


@pytest.mark.filterwarnings("ignore")
def test_minari_reads_episodes_with_masks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    found = table()
    found.to_minari("tradewinds/test/mixed-v0")
    stored = minari.load_dataset("tradewinds/test/mixed-v0")
    assert stored.total_episodes == 6 and stored.total_steps == len(found)
    episode = stored[1]
    rows = np.flatnonzero((found.games == 0) & (found.seats == 1))
    assert np.array_equal(episode.actions, found.actions[rows]) and np.array_equal(
        episode.observations["action_mask"][:-1], found.masks[rows]
    )
    assert episode.rewards[-1] == found.returns[rows[0]] and not episode.rewards[:-1].any() and episode.terminations[-1]
    assert episode.infos["seat"].tolist() == [1] * (len(rows) + 1)
    assert np.array_equal(episode.infos["return"], [*found.returns[rows], 0])
    env = stored.recover_environment()
    assert set(env.reset(seed=1)[0]) == {"observation", "action_mask"}
    with pytest.raises(ValueError, match="mixed-v0"):
        found.to_minari("tradewinds/test/mixed-v0")
    monkeypatch.setattr(datasets, "collect", lambda *_, **__: pytest.fail("games were played for a dataset that cannot be written"))
    for dataset_id, said in (("tradewinds/test/mixed-v0", "there is a Minari dataset"), ("no version", "Malformed dataset ID")):
        assert main(["dataset", GAME, "--agent", "random", "--minari", dataset_id]) == 2
        assert said in capsys.readouterr().err


def test_the_command_writes_a_file_and_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "x.npz"
    command = ["dataset", GAME, "--players", "2", "--games", "2"]
    assert main([*command, "--agent", "random", "--to", str(to), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["decisions"] == len(datasets.load(to))
    for arguments, said in (
        (["--agent", "random"], "--to or a Minari dataset"),
        (["--agent", "random", "--to", str(tmp_path / "x.csv")], ".npz or .parquet"),
        (["--agent", "scriptid", "--to", str(to)], "did you mean 'scripted'"),
        (["--agent", "random,random,random", "--to", str(to)], "one per seat; got 3"),
        (["--agent", "random", "--to", str(tmp_path / "no" / "x.npz")], "No such file"),
    ):
        assert main([*command, *arguments]) == 2
        assert said in capsys.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda name, package=None: None)
    with pytest.raises(ImportError, match=r"pip install '.\[data\]'"):
        datasets.need("a Minari dataset", "data", "minari")
