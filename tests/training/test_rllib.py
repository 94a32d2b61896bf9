"""RLlib: masks, self-play with snapshots, and a local cluster of two workers that trains, saves and goes on."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds as tw
from tradewinds.agents.neural.checkpoint import save_net
from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("processes that play as plain Python are slow", allow_module_level=True)


from tradewinds.training.evaluation.evaluate import evaluate

ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
pytest.importorskip("ray.rllib")
torch = pytest.importorskip("torch")

from tradewinds.training import rllib  # noqa: E402

GAME, OPTIONS = "santiago_de_cuba", {"players": 2}
pytestmark = pytest.mark.ray


class Episode:
    def __init__(self, number: int) -> None:
        self.id_ = f"game {number}"


def test_a_game_asks_the_seat_to_move_and_pays_all_seats_at_its_end() -> None:
    env = rllib.TableMultiAgentEnv({"game": GAME, "players": 3})
    seen, _ = env.reset(seed=1)
    over, paid = False, {}
    while not over:
        ((agent, observation),) = seen.items()
        assert env.observation_spaces[agent].contains(observation) and observation["action_mask"].any()
        seen, paid, ended, cut, infos = env.step({agent: int(env.action_spaces[agent].sample())})
        over = ended["__all__"]
        assert not cut["__all__"]
        assert over or (list(infos) == [] and not any(paid.values()))
    assert sorted(seen) == sorted(infos) == env.possible_agents
    assert sum(paid.values()) == pytest.approx(0, abs=1e-6) and any(paid.values())


def test_a_module_gives_illegal_actions_no_chance_and_its_value_is_the_network_s() -> None:
    env = rllib.TableMultiAgentEnv({"game": GAME, **OPTIONS})
    seen, _ = env.reset(seed=1)
    ((agent, observation),) = seen.items()
    config = rllib.ppo(GAME, width=16, blocks=1, **OPTIONS)
    module = config.rl_module_spec.rl_module_specs[rllib.LEARNER]
    module.observation_space, module.action_space = env.observation_spaces[agent], env.action_spaces[agent]
    learner = module.build()
    batch = {"obs": {name: torch.as_tensor(array)[None] for name, array in observation.items()}}
    out = learner.forward_exploration(batch)
    chances = torch.softmax(out["action_dist_inputs"], dim=1)[0].numpy()
    legal = observation["action_mask"].astype(bool)
    assert chances[legal].min() > 0 and chances[~legal].max() == 0
    assert learner.compute_values(batch).item() == pytest.approx(learner.compute_values(batch, out["embeddings"]).item())


def test_a_residual_policy_starts_as_the_bot_and_plays_the_same_as_a_saved_network(tmp_path: Path) -> None:
    config = rllib.ppo(GAME, width=16, blocks=1, base="scripted", **OPTIONS)
    env = rllib.TableMultiAgentEnv(config.env_config)
    module = config.rl_module_spec.rl_module_specs[rllib.LEARNER]
    module.observation_space, module.action_space = env.observation_spaces["player_0"], env.action_spaces["player_0"]
    learner = module.build()
    variant, spec = rllib.variant_of(config.env_config)
    bot = tw.make_agent("scripted", GAME, **OPTIONS)
    torch.manual_seed(0)

    def log_probabilities(seen: dict[str, Any]) -> np.ndarray:
        batch = {"obs": {name: torch.as_tensor(array)[None] for name, array in seen.items()}}
        with torch.no_grad():
            return learner.forward_inference(batch)["action_dist_inputs"][0].numpy()

    for is_trained in (False, True):
        if is_trained:
            torch.nn.init.normal_(learner.network.policy.weight)
        save_net(tmp_path / str(is_trained), learner.network, variant, {}, spec)
        saved = tw.make_agent(f"net:{tmp_path / str(is_trained)}", GAME, **OPTIONS)
        seen, _ = env.reset(seed=4)
        for _ in range(20):
            ((agent, observation),) = seen.items()
            assert env.observation_spaces[agent].contains(observation)
            found, decision = log_probabilities(observation), env.table.decision()
            rates, legal = saved.rate(decision)[0], observation["action_mask"].astype(bool)
            np.testing.assert_allclose(found[legal], rates[legal], atol=1e-4)
            assert (found[~legal] < -1e6).all()
            action = int(bot.act(decision)[0])
            assert is_trained or found[action] >= found.max() - 1e-5, "it does not start as the bot"
            seen, *_ = env.step({agent: action})


def test_the_learner_has_one_seat_beside_one_snapshot_or_all_seats() -> None:
    seating = rllib.Seating(4, 0.5, ("snapshot_1", "snapshot_2"))
    games = [[seating(f"player_{seat}", Episode(number)) for seat in range(4)] for number in range(400)]
    alone = [game for game in games if set(game) == {"learner"}]
    assert 150 < len(alone) < 250
    for game in games:
        assert game in alone or (game.count("learner") == 1 and len(set(game)) == 2)
    beside = [game for game in games if game not in alone]
    assert {game.index("learner") for game in beside} == {0, 1, 2, 3}
    assert {name for game in beside for name in game} == {"learner", "snapshot_1", "snapshot_2"}


@pytest.mark.parametrize("wrong", [{"past": 1.5}, {"bar": 0}, {"games": 0}, {"keep": 0}])
def test_an_impossible_league_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        rllib.League(**wrong)


def test_an_unknown_option_is_refused_before_anything_starts() -> None:
    with pytest.raises(ValueError, match="playrs"):
        rllib.ppo(GAME, playrs=3)
    with pytest.raises(ValueError, match="base must be scripted or none"):
        rllib.ppo(GAME, base="bot")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def weights_of(algorithm: Any) -> list[dict[str, Any]]:
    """Every policy's weights as each env runner has them, then as the learner has."""
    states = algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.module.get_state())
    return [*states, algorithm.learner_group.get_weights()]


def bring_back(algorithm: Any) -> None:
    """Take a worker's process down, and train until it is back."""
    runners = algorithm.env_runner_group
    runners.foreach_env_runner(lambda runner: os._exit(1), local_env_runner=False, remote_worker_ids=[1], timeout_seconds=5)
    for _ in range(15):
        algorithm.train()
        if runners.num_healthy_remote_workers() == 2:
            return
        time.sleep(3)  # it imports as much as this process did
    raise AssertionError("the worker has not come back")


def same(some: dict[str, Any], other: dict[str, Any]) -> bool:
    return some.keys() == other.keys() and all(np.array_equal(some[name], other[name]) for name in some)


@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_two_workers_train_against_snapshots_and_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    league = rllib.League(past=0.7, bar=1e-9, games=4, keep=2)
    config = rllib.ppo(GAME, workers=2, tables=8, width=32, blocks=1, league=league, base="scripted", **OPTIONS)
    algorithm = config.training(train_batch_size_per_learner=1024, minibatch_size=256).build_algo()
    try:
        before = algorithm.learner_group.get_weights([rllib.LEARNER])[rllib.LEARNER]
        result = algorithm.train()
        assert result["env_runners"][rllib.GAMES]["snapshot_1"] >= 4 and 0 < result["env_runners"][rllib.WIN_RATE]["snapshot_1"] <= 1
        *runners, learner = weights_of(algorithm)
        assert len(runners) == 3  # two workers, and the one of this process
        assert not same(learner[rllib.LEARNER], before), "nothing was learned"
        assert same(learner["snapshot_1"], runners[1]["snapshot_1"])
        assert rllib.seating_of(algorithm).snapshots == ("snapshot_1", "snapshot_2")
        for runner in runners:
            assert same(runner["snapshot_2"], learner[rllib.LEARNER]), "the snapshot is not the learner as it was"

        algorithm.train()
        assert rllib.add_snapshot(algorithm, keep=2) not in ("snapshot_1", "snapshot_2")
        *runners, learner = weights_of(algorithm)
        names = {rllib.LEARNER, *rllib.seating_of(algorithm).snapshots}
        assert len(names) == 3 and all(set(state) == names for state in [*runners, learner])

        bring_back(algorithm)
        names = {rllib.LEARNER, *rllib.seating_of(algorithm).snapshots}
        *runners, learner = weights_of(algorithm)
        assert len(runners) == 3
        for runner in runners:
            assert all(same(runner[name], learner[name]) for name in names), "a worker that came back plays with other policies"
        seatings = algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.config.policy_mapping_fn.snapshots)
        assert set(seatings) == {rllib.seating_of(algorithm).snapshots}

        algorithm.save_to_path(str(tmp_path / "checkpoint"))
        rllib.save_net(algorithm, tmp_path / "net")
        found = evaluate(GAME, f"net:{tmp_path / 'net'}", rllib.agent_of(algorithm), games=8, workers=0, **OPTIONS)
        assert found.games == 8 and not found.failures
    finally:
        algorithm.stop()
    again = rllib.restore(tmp_path / "checkpoint")
    try:
        assert {rllib.LEARNER, *rllib.seating_of(again).snapshots} == names
        for state in weights_of(again):
            assert all(same(state[name], learner[name]) for name in names)
        assert again.train()["training_iteration"] > 3
    finally:
        again.stop()
