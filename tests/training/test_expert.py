"""Expert iteration: what a teacher's games hold, a student that learns from them, generations that are kept only if they win."""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tradewinds.agents.neural.checkpoint import find_net, load_net
from tradewinds.agents.neural.inputs import ILLEGAL
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.training import expert, teacher
from tradewinds.training.config import check_config
from tradewinds.training.evaluation.arena import AgentRunner
from tradewinds.training.evaluation.evaluate import evaluate
from tradewinds.training.evaluation.schedule import agent_seeds, paired_seeds
from tradewinds.training.networks import spec_of
from tradewinds.training.run_dir import Run, RunError
from tradewinds.training.teacher import GAMES, TeacherTask, load_shard, play_lessons
from tradewinds.training.train import ConfigError, InterruptedRunError, check_agents

pytestmark = pytest.mark.skipif(not JIT, reason="searches as plain Python are slow")
GAME = "santiago_de_cuba"


def config(**changes: Any) -> Any:
    part = {
        "generations": 1,
        "games": 12,
        "teacher": "search:12:horizon=5",
        "sampled_moves": 6,
        "update_epochs": 6,
        "minibatch_size": 64,
    }
    part |= {"match_games": 8, "search_match": "search:4:prior=policy", "search_match_games": 4, **changes}
    network, policy = {"width": 16, "blocks": 1}, {"base": "scripted"}
    evaluation = {"eval_opponents": ["scripted"], "final_episodes": 4}
    options = {"players": 2}
    settings = {"game": GAME, "options": options, "seed": 3, "threads": 1, "network": network, "policy": policy, "evaluation": evaluation}
    return check_config({**settings, "expert": part}, "test")


def lessons(seeds: list[int], sampled_moves: int = 6, random_move_prob: float = 0.0, search_value_coef: float = 0.0) -> Any:
    from tradewinds.agents import build

    wanted = config()
    variant, numbers = wanted.variant(), np.array(seeds, np.uint64)
    task = TeacherTask(0, 0, numbers, numbers, spec_of(wanted), sampled_moves, random_move_prob, search_value_coef)
    return variant, task.play(variant, AgentRunner([build("search:12:horizon=0", variant)]))


def test_lessons_hold_legal_visit_shares_and_the_results_of_the_game_from_the_mover_s_seat() -> None:
    variant, found = lessons([5, 6])
    legal = found.logits > ILLEGAL / 2
    assert np.allclose(found.policies.sum(axis=1), 1) and (found.policies[~legal] == 0).all()
    assert (legal.sum(axis=1) > 1).all() and ((found.policies > 0).sum(axis=1) > 1).mean() > 0.3, "the shares are not soft"
    assert found.observations.shape == (found.size, variant.state_layout.size)
    reward, margin = found.values[:, 0], found.values[:, 1]
    assert np.allclose(reward.sum(axis=1), 0, atol=1e-6) and (np.abs(margin) < 1).all()
    assert (np.sign(reward[:, 0]) == np.sign(margin[:, 0])).mean() > 0.9 and len(np.unique(reward[:, 0])) > 1
    _, alone = lessons([5])
    of_first = [i for i in range(found.size) if (found.observations[i] == alone.observations).all(axis=1).any()]
    assert len(of_first) == alone.size, "a game depends on the games beside it"


def test_targets_of_values_are_the_outcomes_of_the_search_mixed_with_the_result() -> None:
    (_, results), (_, mixed), (variant, found) = (lessons([5, 6], search_value_coef=part) for part in (0.0, 0.5, 1.0))
    assert (found.observations == results.observations).all()
    assert np.allclose(mixed.values, (found.values + results.values) / 2, atol=1e-6)
    assert np.allclose(found.values[:, 0].sum(axis=1), 0, atol=1e-5) and (np.abs(found.values[:, 1]) < 1).all()
    assert found.values[:, 0].min() >= -1 / variant.players - 1e-6 and found.values[:, 0].max() <= 1 - 1 / variant.players + 1e-6
    assert len(np.unique(results.values[:, 0])) <= 6 < len(np.unique(found.values[:, 0])), "the search's values are no means"
    late = np.arange(found.size) >= found.size - 20
    errors = np.abs(found.values - results.values)[:, 1].mean(axis=1)
    assert errors[late].mean() < errors[~late].mean(), "they are not nearer to the result towards the end"


def test_random_moves_lead_to_other_positions_and_are_not_copied() -> None:
    (_, plain), (_, often) = (lessons([5], sampled_moves=0, random_move_prob=part) for part in (0.0, 0.9))
    count = min(plain.policies.shape[1], often.policies.shape[1])
    assert (plain.observations[0] == often.observations[0]).all() and (plain.policies[0, :count] == often.policies[0, :count]).all()
    same = [(plain.observations == row).all(axis=1).any() for row in often.observations]
    assert np.mean(same) < 0.5


def test_a_teacher_plays_none_of_the_deals_of_evaluations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Tasks:
        def run_tasks(self, queue: deque[Any]) -> Iterator[None]:
            tasks.extend(queue)
            yield from ()

        def close(self) -> None:
            pass

    variant, games, tasks = config().variant(), 500, []
    monkeypatch.setattr(teacher, "_pool", lambda *arguments: Tasks())
    for seed in (0, 1, 2**63 - 1):  # of runs
        for generation in (1, 2, 3):
            number = expert._seed_of(config().model_copy(update={"seed": seed}), generation)
            play_lessons(tmp_path / str(number), variant, "random", spec_of(config()), games, number, sampled_moves=0)
    deals, numbers = (set(np.concatenate([getattr(task, name) for task in tasks]).tolist()) for name in ("seeds", "agent_seeds"))
    assert len(deals) == len(numbers) == 9 * games and deals.isdisjoint(numbers)
    for seed in range(11):  # of evaluations
        assert deals.isdisjoint(paired_seeds(variant.players, games, seed).tolist())
        assert numbers.isdisjoint(agent_seeds(games, seed).tolist())


def test_a_run_makes_shards_a_student_and_a_verdict_and_is_the_same_after_a_kill(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", config())
    played: list[str] = []
    report = expert.Reporter(stage=lambda title, total: played.append(title))
    (result,) = expert.train_expert(run, report, workers=0)
    shards = sorted((run.folder / "generation-001" / "teacher").iterdir())
    assert len(shards) == -(-12 // GAMES) and sum(load_shard(path).size for path in shards) > 200
    assert result == json.loads((run.folder / "generation-001" / "result.json").read_text())
    assert result["losses"]["after"]["policy_loss"] < result["losses"]["before"]["policy_loss"], "nothing was learned"
    assert result["policy"]["games"] == 8 and result["search"]["games"] == 4
    assert result["teacher"].startswith("search:12:horizon=0:net="), "the values of an untrained network end rollouts"
    for name in ("policy", "search"):
        settings = json.loads((run.folder / "generation-001" / f"{name}-match" / "settings.json").read_text())
        assert settings["seed"] not in range(11), "a network is chosen on the deals that it is reported on"
    assert find_net(run.folder).name == f"{int(result['kept']):08d}"
    played.clear()
    assert expert.train_expert(run, report, workers=0) == [result] and not played  # all is there
    run.close()

    again = Run.create(tmp_path / "again", config())

    def interrupt(games: int) -> None:
        if games:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError):
        expert.train_expert(again, expert.Reporter(progress=interrupt), workers=0)
    first = again.folder / "generation-001" / "teacher" / "00000.npz"
    written = first.stat().st_mtime_ns
    expert.train_expert(again, workers=0)
    assert first.stat().st_mtime_ns == written, "a shard was played twice"
    for shard in shards:
        here, there = load_shard(shard), load_shard(again.folder / "generation-001" / "teacher" / shard.name)
        assert all(np.array_equal(some, other) for some, other in zip(here, there, strict=True))
    nets = [load_net(folder / "generation-001" / "net", config().variant())[0].state_dict() for folder in (run.folder, again.folder)]
    assert all((nets[0][name] == nets[1][name]).all() for name in nets[0])
    again.close()


def test_a_generation_is_kept_only_if_its_policy_wins_and_its_search_does_not_lose() -> None:
    match = evaluate(GAME, "scripted", "random", games=4, workers=0, players=4)
    wins, even, loses = (replace(match, ci95=interval) for interval in ((0.26, 0.4), (0.24, 0.3), (0.1, 0.24)))
    assert expert.is_kept({"policy": wins}, 4) and expert.is_kept({"policy": wins, "search": even}, 4)
    assert not expert.is_kept({"policy": even, "search": wins}, 4) and not expert.is_kept({"policy": wins, "search": loses}, 4)


def test_a_damaged_shard_is_named(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", config())
    folder = run.folder / "generation-001" / "teacher"
    folder.mkdir(parents=True)
    for number in range(2):
        (folder / f"{number:05d}.npz").write_bytes(b"PK not a shard")
    with pytest.raises(RunError, match=r"0000\d.npz is damaged .* delete it"):
        expert.train_expert(run, workers=0)
    run.close()


@pytest.mark.parametrize("changes", [{"teacher": "scripted"}, {"search_match": "search:4:net=elsewhere"}])
def test_a_teacher_that_is_no_search_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="must be a search without net="):
        check_agents(config(**changes))
