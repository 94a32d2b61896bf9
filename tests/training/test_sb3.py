"""Stable-Baselines3: the vector is the batch, plays the same games as one seat alone, and self-play puts copies into the pool."""

import copy
import importlib
import importlib.util
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("the batch is the same, and training as plain Python is slow", allow_module_level=True)

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.logger import Logger

import tradewinds.envs as tw
from tradewinds.agents import AgentError, Decisions
from tradewinds.envs.core.api.gymnasium_env import SeatEnv
from tradewinds.envs.core.api.optional import MissingExtraError
from tradewinds.training import sb3
from tradewinds.training.evaluation.evaluate import evaluate

from .tiny import GAME, First

PLAYERS = 3


def table(size: int = 8, **settings: Any) -> sb3.SeatVecEnv:
    return sb3.SeatVecEnv(GAME, size, **{"opponents": First(), "seed": 5, "players": PLAYERS, **settings})


def last_legal(masks: np.ndarray) -> np.ndarray:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def model_of(env: sb3.SeatVecEnv, **settings: Any) -> MaskablePPO:
    settings = {"n_steps": 8, "batch_size": 32, "n_epochs": 1, "seed": 1, "device": "cpu", **settings}
    return MaskablePPO("MlpPolicy", env, policy_kwargs=sb3.same_network(16, 1), **settings)


def weights(policy: Any) -> np.ndarray:
    return np.concatenate([tensor.detach().numpy().ravel() for tensor in policy.parameters()])


def test_each_row_is_the_game_that_one_seat_plays_alone() -> None:
    env = table()
    seen = env.reset()
    rows: list[SeatEnv] = []

    def begin(row: int) -> SeatEnv:
        alone = SeatEnv(tw.game(GAME), seat=int(env.own_seats[row]), opponents=lambda _, mask: int(mask.argmax()), players=PLAYERS)
        begun, _ = alone.reset(seed=int(env.batch.seeds[row]))
        assert np.array_equal(begun, seen[row])
        return alone

    rows = [begin(row) for row in range(8)]
    ended = 0
    for _ in range(200):
        masks = get_action_masks(env)
        assert np.array_equal(masks, env.action_masks())
        actions = last_legal(masks)
        seen, rewards, dones, infos = env.step(actions)
        for row, alone in enumerate(rows):
            assert np.array_equal(alone.action_masks(), masks[row])
            observation, reward, over, cut, info = alone.step(actions[row])
            assert (rewards[row], dones[row]) == (pytest.approx(reward), over or cut)
            if not dones[row]:
                assert np.array_equal(seen[row], observation) and infos[row] == {}
                continue
            ended += 1
            told = infos[row]
            assert np.array_equal(told["terminal_observation"], observation)
            assert (told["score"], told["rank"], told["seat"]) == (info["score"], info["rank"], alone.seat)
            assert told["cut_off"] == cut and not told["TimeLimit.truncated"]
            assert told["episode"]["r"] == reward and told["episode"]["l"] > 1
            rows[row] = begin(row)
    assert ended > 8


def test_the_learner_has_all_seats_alike_and_another_one_in_each_game() -> None:
    env = table(size=6)
    env.reset()
    assert env.own_seats.tolist() == [0, 1, 2, 0, 1, 2]
    before, games = env.own_seats.copy(), np.zeros(6, int)
    for _ in range(300):
        _, _, dones, _ = env.step(last_legal(env.action_masks()))
        games += dones
        assert np.array_equal(env.own_seats, (before + games) % PLAYERS)
        assert np.array_equal(env.batch.seats, env.own_seats)
        assert ((env.seat_assignments == sb3.LEARNER).sum(axis=1) == 1).all()
    assert games.min() > 0


def test_a_fixed_seat_stays() -> None:
    env = table(seat=1)
    env.reset()
    for _ in range(60):
        env.step(last_legal(env.action_masks()))
        assert (env.own_seats == 1).all() and (env.batch.seats == 1).all()


def test_the_same_seed_gives_the_same_games() -> None:
    def play(seed: int, set_later: bool = False) -> np.ndarray:
        env = table(opponents="random", seed=None if set_later else seed)
        if set_later:
            env.seed(seed)
        seen = [env.reset()]
        seen += [env.step(last_legal(env.action_masks()))[0] for _ in range(40)]
        return np.stack(seen)

    assert np.array_equal(play(3), play(3)) and np.array_equal(play(3), play(3, set_later=True))
    assert not np.array_equal(play(3), play(4))


def test_every_opponent_of_the_pool_plays() -> None:
    asked: set[str] = set()

    def named(name: str) -> Callable[[np.ndarray, np.ndarray], int]:
        def choose(_: np.ndarray, mask: np.ndarray) -> int:
            asked.add(name)
            return int(mask.argmax())

        return choose

    env = table(opponents=[named("a"), "random", named("b")])
    env.reset()
    for _ in range(5):
        env.step(last_legal(env.action_masks()))
    assert asked == {"a", "b"} and len(env.pool) == 3


def test_a_mixture_says_how_often_each_opponent_plays() -> None:
    env = table(size=300, opponents={"random": 1, First(): 9})
    env.reset()
    others = env.seat_assignments[env.seat_assignments != sb3.LEARNER]
    assert 0.03 < np.mean(others == 0) < 0.2


def test_a_game_that_ends_before_the_learner_is_asked_is_not_told() -> None:
    env = table(size=2)
    env.reset()
    env.seat_assignments[0] = 0  # nobody learns in this game
    env.decisions[0] = -1  # ... and the step below is not its own
    _, _, dones, infos = env.step(last_legal(env.action_masks()))
    assert not dones[0] and infos[0] == {}
    assert env.batch.seats[0] == env.own_seats[0] and env.decisions[0] == 0


def test_the_vector_answers_what_sb3_asks_it() -> None:
    env = table(size=4)
    env.reset()
    assert is_masking_supported(env) and not env.has_attr("nothing")
    assert env.get_attr("render_mode", [0, 2]) == [None, None] and env.env_is_wrapped(object) == [False] * 4
    assert np.array_equal(env.env_method("action_masks", indices=2)[0], env.action_masks()[2])
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("render")
    with pytest.raises(AttributeError, match="SeatVecEnv"):
        env.set_attr("seat", 1)
    env.close()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"seat": 3}, "from 0 to 2"),
        ({"opponents": []}, "at least one"),
        ({"opponents": "scriptid"}, "did you mean 'scripted'"),
        ({"players": 9}, "players"),
        ({"size": 0}, "size"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        table(**settings)


def test_copies_of_the_policy_join_the_pool_and_the_oldest_give_way() -> None:
    env = table()
    callback = sb3.SelfPlayCallback(every=2, keep=2)
    model = model_of(env)
    first = weights(model.policy)
    model.learn(8 * 8 * 2, callback)
    assert isinstance(env.pool[0], First) and len(env.pool) == 2
    assert np.array_equal(weights(env.pool[1].policy), first), "the copy is not what the policy was"  # type: ignore[attr-defined]
    assert not np.array_equal(weights(model.policy), first), "nothing was learned"
    model.learn(8 * 8 * 4, callback, reset_num_timesteps=False)
    assert isinstance(env.pool[0], First) and len(env.pool) == 3
    kept = [weights(agent.policy) for agent in env.pool[1:]]  # type: ignore[attr-defined]
    assert not any(np.array_equal(one, first) for one in kept) and not np.array_equal(*kept)


def test_alone_the_learner_meets_only_itself() -> None:
    env = table()
    model = model_of(env)
    model.learn(8 * 8, sb3.SelfPlayCallback(every=1, keep=1, alone=True))
    assert [type(agent) for agent in env.pool] == [sb3.SB3Agent]


def test_win_shares_are_measured_and_the_best_model_is_saved_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(table())
    callback = sb3.WinRateCallback(against=["random"], every=2, games=6, save_best=tmp_path / "best.zip")
    told: list[float] = []
    record = Logger.record

    def listen(logger: Logger, key: str, value: Any, exclude: Any = None) -> None:
        if key == "win_rate/random":
            told.append(value)
        record(logger, key, value, exclude)

    monkeypatch.setattr(Logger, "record", listen)
    model.learn(8 * 8 * 4, callback)
    assert [steps for steps, _ in callback.history] == [128, 256]
    assert told == [shares["random"] for _, shares in callback.history]
    assert callback.best == max(shares["random"] for _, shares in callback.history)
    (tmp_path / "mine.py").write_text(
        f"from tradewinds.training.sb3 import SB3Agent\n\n\nclass Mine(SB3Agent):\n    path = {str(tmp_path / 'best.zip')!r}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = evaluate(GAME, "mine:Mine", "random", players=PLAYERS, games=6, workers=0, seed=0)
    assert found.games == 6 and not found.failures
    with pytest.raises(AgentError, match="observations of shape"):
        evaluate(GAME, "mine:Mine", "random", players=2, games=6, workers=0)


def test_an_agent_plays_what_its_policy_likes_best_or_draws_from_it() -> None:
    env = table(size=64)
    env.reset()
    decisions: Decisions = env.batch.decisions()
    model = model_of(env)
    best = sb3.SB3Agent(env.variant, model).act(decisions)
    told, _ = model.predict(decisions.observations, action_masks=decisions.masks, deterministic=True)
    assert np.array_equal(best, told)
    drawn = sb3.SB3Agent(env.variant, model.policy, sample=True)
    assert decisions.masks[np.arange(64), drawn.act(decisions)].all()
    assert np.array_equal(drawn.act(decisions), drawn.act(decisions)) and not np.array_equal(drawn.act(decisions), best)


@pytest.mark.parametrize("sample", [False, True])
def test_a_pickled_or_copied_agent_plays_on(sample: bool) -> None:
    env = table(size=64)
    env.reset()
    decisions = env.batch.decisions()
    agent = sb3.SB3Agent(env.variant, model_of(env), sample)
    for again in (pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)):
        assert np.array_equal(again.act(decisions), agent.act(decisions))


def test_an_agent_without_a_model_says_so(tmp_path: Path) -> None:
    variant = tw.game(GAME).with_options(players=PLAYERS)
    with pytest.raises(ValueError, match="`path`"):
        sb3.SB3Agent(variant)
    with pytest.raises(ValueError, match="there is no file"):
        sb3.SB3Agent(variant, tmp_path / "nothing.zip")


@pytest.mark.parametrize(
    "make", [lambda: sb3.SelfPlayCallback(every=0), lambda: sb3.SelfPlayCallback(keep=0), lambda: sb3.WinRateCallback(every=0)]
)
def test_impossible_callbacks_are_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match="must be a positive number"):
        make()


def test_the_network_is_that_of_the_native_trainer_but_for_the_value_head() -> None:
    env = table()
    policy: Any = MaskablePPO("MlpPolicy", env, policy_kwargs=sb3.same_network(32, 2), device="cpu").policy
    shape = sb3.Shape.of(env.variant, 32, 2)
    values = 2 * PLAYERS
    native = sum(tensor.numel() for tensor in sb3.Network(shape).parameters())
    assert weights(policy).size == native - (values - 1) * (32 + 1)
    seen = torch.from_numpy(env.reset())
    policy.features_extractor.network.load_state_dict(body := sb3.Network(shape).state_dict(), strict=False)
    twin = sb3.Network(shape)
    twin.load_state_dict(body)
    assert torch.equal(policy.extract_features(seen), twin.features(seen))


@pytest.mark.parametrize(("module", "library", "extra"), [("sb3", "sb3_contrib", "train"), ("rllib", "ray", "ray")])
def test_without_the_library_the_extra_is_named(module: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None if name == library else found(name, package))
    monkeypatch.delitem(sys.modules, f"tradewinds.training.{module}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"{library}: pip install '.\[{extra}\]'"):
        importlib.import_module(f"tradewinds.training.{module}")
