"""PettingZoo, Gymnasium and what Tradewinds adds to them."""

import copy
import importlib
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import tradewinds.envs as tw
from tests.contract.tools import amount, any_game, any_rule_set, any_variant, variants
from tests.support import TOY
from tradewinds.envs.core.engine.kernel import JIT


def play_on(env: tw.TableEnv, steps: int, seed: int = 0) -> None:
    choose = np.random.default_rng(seed)
    for _ in range(steps):
        if not env.agents:
            return
        over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        env.step(None if over else int(choose.choice(env.legal_actions())))


def facts(env: tw.TableEnv) -> tuple[Any, ...]:
    """All that an environment shows."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    dicts = (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
    vectors = tuple(part.tobytes() for one in seen for part in one.values())
    return (env.agents, env.agent_selection, *map(dict, dicts), vectors, env.state().tobytes(), list(tw.Replay.of(env).lines()))


# The habit for masks, {"observation": ..., "action_mask": ...}; the test exempts only PettingZoo's own games by name.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be", "ignore:Observation is not a NumPy array")
@any_variant()
def test_pettingzoo_api_test_passes(name: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(tw.make(name, **options), num_cycles=amount(60, 10))
    assert "Passed API test" in capsys.readouterr().out


@any_game()
def test_pettingzoo_seed_test_passes(name: str) -> None:
    seed_test(lambda: tw.make(name), num_cycles=amount(200, 10))


@pytest.mark.compiled
@any_game()
def test_pettingzoo_render_test_passes_in_every_mode(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resvg_py")
    assert set(tw.make(name).metadata["render_modes"]) == {"ansi", "human", "rgb_array"}
    render_test(lambda render_mode: tw.make(name, render_mode=render_mode))
    assert capsys.readouterr().out  # of "human"


@any_game()
def test_gymnasium_check_env_passes(name: str) -> None:
    """The checker steps with an action drawn before a reset, so it needs an environment that bears illegal actions."""
    env = gymnasium.make(f"tradewinds/{name}-v{tw.game(name).version}", illegal="random", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*ansi.*")
        check_env(env.unwrapped)


@any_game()
def test_an_illegal_action_of_a_seat_raises_or_is_replaced(name: str) -> None:
    strict, lenient = tw.make_seat(name), tw.make_seat(name, illegal="random")
    for env in (strict, lenient):
        env.reset(seed=1)
    illegal = int(np.flatnonzero(~strict.action_masks())[0])
    before = strict.table.save()
    with pytest.raises(tw.IllegalActionError, match="legal actions: "):
        strict.step(illegal)
    assert strict.table.save() == before
    assert lenient.step(illegal)[4]["illegal"]
    assert not lenient.step(lenient.action_space.sample())[4]["illegal"]
    with pytest.raises(ValueError, match="'raise' or 'random'"):
        tw.make_seat(name, illegal="ignore")


@any_game()
def test_the_registries_know_the_game(name: str) -> None:
    env_id = f"tradewinds/{name}-v{tw.game(name).version}"
    env = pettingzoo.make("aec", env_id, players=3)
    assert isinstance(env, tw.TableEnv)
    assert env.max_num_agents == 3
    seat = gymnasium.make(env_id, players=3, seat=1)
    assert seat.reset(seed=1)[0].shape == env.variant.layout.space.shape


@any_game()
def test_the_module_of_the_pettingzoo_habit_is_there(name: str) -> None:
    game = tw.game(name)
    package = game.module if name == TOY else "tradewinds.envs"
    module = importlib.import_module(f"{package}.{game.env_id}")
    assert isinstance(module.env(players=3), pettingzoo.AECEnv)
    assert isinstance(module.raw_env(), pettingzoo.AECEnv)
    assert isinstance(module.seat_env(), gymnasium.Env)


@any_rule_set()
def test_a_game_played_to_its_end_lets_all_agents_go(name: str, options: dict[str, Any]) -> None:
    env = tw.make(name, **options)
    env.reset(seed=amount(4, 4))
    choose = np.random.default_rng(0)
    last = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            last[agent] = reward
            assert not observation["action_mask"].any()
            assert set(info) == {"score", "rank", "breakdown"}
            assert len(info["breakdown"]) == len(env.sources) and (name == TOY or sum(info["breakdown"]) == info["score"])
            assert dict(zip(env.sources, info["breakdown"], strict=True)) == env.breakdown()[agent]
            env.step(None)
        else:
            assert observation["action_mask"].sum() >= 2
            env.step(int(choose.choice(np.flatnonzero(observation["action_mask"]))))
    assert sorted(last) == env.possible_agents
    assert sum(last.values()) == pytest.approx(0, abs=1e-5)
    with pytest.raises(tw.GameOverError, match="reset"):
        env.step(0)


@any_game()
def test_stepping_an_agent_whose_game_is_over_says_so(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=1)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        play_on(env, 1)
    before = facts(env)
    with pytest.raises(tw.GameOverError, match=r"step\(None\)"):
        env.step(0)
    assert facts(env) == before


@any_game()
def test_a_step_before_reset_says_so(name: str) -> None:
    with pytest.raises(tw.GameOverError, match="reset"):
        tw.make(name).step(0)


@any_game()
def test_an_illegal_or_impossible_action_leaves_the_game_as_it_was(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=3)
    play_on(env, 20)
    before = facts(env)
    illegal = next(a for a in range(len(env.game.actions)) if a not in env.legal_actions())
    with pytest.raises(tw.IllegalActionError, match="legal actions: ") as caught:
        env.step(illegal)
    assert caught.value.legal == env.legal_actions()
    for wrong in (-1, len(env.game.actions)):
        with pytest.raises(ValueError, match="does not exist"):
            env.step(wrong)
    for wrong in (1.5, "1", None, [1], True):
        with pytest.raises(TypeError, match="must be an integer"):
            env.step(wrong)  # type: ignore[arg-type]
    assert facts(env) == before


@any_game()
@pytest.mark.parametrize("copier", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), "save"], ids=["deepcopy", "pickle", "save"])
@pytest.mark.parametrize("steps", [0, 37, "end", "leaving"])
def test_a_copy_of_a_running_game_is_equal_and_independent(name: str, copier: Any, steps: Any) -> None:
    env = tw.make(name, reward="score")
    env.reset(seed=6)
    if isinstance(steps, int):
        play_on(env, steps)
    elif not JIT and copier is not copy.deepcopy:
        pytest.skip("a whole game takes long in plain Python: one way to copy will do")
    else:
        while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
            play_on(env, 1)
        play_on(env, 2 if steps == "leaving" else 0)
    if copier == "save":
        twin = tw.make(name, reward="score")
        twin.load(env.save())
    else:
        twin = copier(env)
    before = facts(env)
    assert facts(twin) == before
    play_on(twin, 30, seed=1)
    assert facts(env) == before
    play_on(env, 30, seed=1)
    assert facts(env) == facts(twin)
    env.reset()
    twin.reset()
    assert facts(env) == facts(twin)


@any_game()
def test_two_environments_with_one_seed_never_disturb_each_other(name: str) -> None:
    alone, one, two = (tw.make(name) for _ in range(3))
    for env in (alone, one, two):
        env.reset(seed=9)
    play_on(alone, 60)
    for i in range(60):
        play_on(two, 1, seed=i + 100)
        play_on(one, 1, seed=0) if i == 0 else None
    one.reset(seed=9)
    play_on(one, 60)
    assert facts(one) == facts(alone)


@any_game()
def test_a_copy_before_reset_is_a_fresh_environment(name: str) -> None:
    env = tw.make(name, players=3)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.reset(seed=1)
        env.reset(seed=1)
        assert facts(twin) == facts(env)


@any_game()
def test_a_damaged_or_foreign_save_is_refused_and_changes_nothing(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=2)
    play_on(env, 25)
    data, before = env.save(), facts(env)
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for wrong, message in (
        (bytes(flipped), "damaged"),
        (data[:-9], "damaged"),
        (b"", "not a Tradewinds save"),
        (b"PK\3\4", "not a Tradewinds save"),
    ):
        with pytest.raises(tw.FormatError, match=message):
            env.load(wrong)
    with pytest.raises(TypeError, match="bytes"):
        env.load("text")  # type: ignore[arg-type]
    other = tw.make(name, players=3, visibility="open")
    other.reset(seed=2)
    with pytest.raises(tw.FormatError, match=r"players|visibility"):
        env.load(other.save())
    assert facts(env) == before
    with pytest.raises(tw.GameOverError, match="reset"):
        tw.make(name).save()


@any_game()
def test_a_save_of_another_version_says_so(name: str) -> None:
    import zlib

    env = tw.make(name)
    env.reset(seed=2)
    body = env.save()[:-4].replace(f'"version": {env.game.version}'.encode(), b'"version": 99', 1)
    with pytest.raises(tw.FormatError, match="version 99"):
        env.load(body + zlib.crc32(body).to_bytes(4, "little"))
    body = env.save()[:-4].replace(name.encode(), b"some_other_game", 1)
    with pytest.raises(tw.FormatError, match="some_other_game"):
        env.load(body + zlib.crc32(body).to_bytes(4, "little"))


@any_game()
def test_unknown_and_impossible_options_say_what_is_possible(name: str) -> None:
    players = tw.game(name).options[0].choices
    with pytest.raises(ValueError, match=rf"players must be an integer from {players[0]} to {players[-1]}"):
        tw.make(name, players=players[-1] + 1)
    with pytest.raises(ValueError, match="players must be an integer"):
        tw.make(name, players=float(players[0]))
    with pytest.raises(ValueError, match="did you mean 'players'"):
        tw.make(name, player=3)
    with pytest.raises(ValueError, match="'rules' or 'open'"):
        tw.make(name, visibility="all")
    with pytest.raises(ValueError, match="'win' or 'rank' or 'score'"):
        tw.make_batch(name, 4, reward=1)
    with pytest.raises(ValueError, match="ansi, rgb_array, human"):
        tw.make(name, render_mode="text")
    with pytest.raises(ValueError, match="seed must be an integer"):
        tw.make(name).reset(seed=-1)
    for size in (0, -1, 2.0, True):
        with pytest.raises(ValueError, match="size must be a positive integer"):
            tw.make_batch(name, size)  # type: ignore[arg-type]
    assert tw.make(name, players=np.int64(players[0])).max_num_agents == players[0]


@any_game()
def test_reset_has_no_options_and_says_where_they_go(name: str) -> None:
    env_id = f"tradewinds/{name}-v{tw.game(name).version}"
    vector = gymnasium.make_vec(env_id, num_envs=2, vectorization_mode="vector_entry_point")
    for env in (tw.make(name), tw.make_seat(name), vector):
        for given in ({"x": 1}, {"players": 3}, {"options": 2}):
            with pytest.raises(ValueError, match=rf"reset\(\) has no options, got '{next(iter(given))}'; .* make\(\): players, reward"):
                env.reset(seed=1, options=given)
        for given in (None, {}, {"options": 1}):  # the last is what PettingZoo's `api_test` gives
            env.reset(seed=1, options=given)


def test_an_unknown_game_says_which_there_are() -> None:
    with pytest.raises(ValueError, match="did you mean 'santiago_de_cuba'"):
        tw.make("santiago")


@any_game()
def test_a_batch_refuses_actions_of_the_wrong_type_or_shape(name: str) -> None:
    batch = tw.make_batch(name, 3, seed=1)
    with pytest.raises(TypeError, match="must be integers"):
        batch.step(np.zeros(3))
    with pytest.raises(ValueError, match=r"actions must have shape \(3,\), one per game"):
        batch.step([0, 0])
    with pytest.raises(ValueError, match="read-only"):
        batch.masks[:] = True


@any_game()
def test_the_state_vector_does_not_depend_on_who_moves_or_what_is_hidden_from_whom(name: str) -> None:
    closed, opened = tw.make(name), tw.make(name, visibility="open")
    for env in (closed, opened):
        env.reset(seed=8)
        play_on(env, 30)
    assert closed.state().tobytes() == opened.state().tobytes() == opened.observe("player_0")["observation"].tobytes()
    assert closed.state_space.contains(closed.state())


@any_game()
def test_an_observation_of_an_unknown_agent_says_which_there_are(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="player_0, player_1"):
        env.observe("player_9")


@any_game()
def test_rendering_gives_text_or_pixels_or_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = tw.make(name, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert len(text.splitlines()) > 10
    env = tw.make(name, render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == text + "\n"
    pytest.importorskip("resvg_py")
    env = tw.make(name, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3 and picture.shape[2] == 3
    assert picture.std() > 5
    with pytest.raises(ValueError, match="render_mode"):
        tw.make(name).render()


@pytest.mark.compiled
@any_game()
def test_frames_of_one_seat_show_what_that_seat_may_see(name: str) -> None:
    """They may be observations: Gymnasium's AddRenderObservation makes them so."""
    pytest.importorskip("resvg_py")
    from tradewinds.envs.core.render.raster import pixels

    for mode in ("ansi", "rgb_array"):
        env = gymnasium.make(f"tradewinds/{name}-v{tw.game(name).version}", render_mode=mode, players=3, seat=1)
        env.reset(seed=1)
        table, frame = env.unwrapped.table, env.render()
        view = table.view("player_1")
        own = table.game.text(view, 1) if mode == "ansi" else pixels(table.game.svg(view, 1))
        assert np.array_equal(frame, own)
        if name != TOY:
            other = table.game.text(table.record()[0], None) if mode == "ansi" else pixels(table.game.svg(table.record()[0], None))
            assert not np.array_equal(frame, other)


@any_game()
def test_one_seat_plays_a_whole_game_against_agents(name: str) -> None:
    asked = []

    def first_legal(observation: np.ndarray, mask: np.ndarray) -> int:
        asked.append(observation.shape)
        return int(np.flatnonzero(mask)[-1])

    env = tw.make_seat(name, seat=1, opponents=first_legal, players=3)
    observation, info = env.reset(seed=5)
    env.action_space.seed(1)
    terminated = truncated = False
    while not (terminated or truncated):
        assert observation.shape == env.observation_space.shape
        assert (info["action_mask"] == env.action_masks()).all()
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    assert asked
    assert {"score", "rank"} <= set(info)
    assert reward == pytest.approx((1 if info["rank"] == 1 else 0) - 1 / 3, abs=0.34)


@any_game()
def test_a_seat_environment_copies_and_repeats(name: str) -> None:
    env = tw.make_seat(name, seat=None)
    env.reset(seed=3)
    env.action_space.seed(1)
    for _ in range(5):
        env.step(env.action_space.sample())
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(20):
        action = env.action_space.sample()
        one, two = env.step(action), twin.step(action)
        assert one[0].tobytes() == two[0].tobytes()
        assert one[1:4] == two[1:4]
        if one[2] or one[3]:
            break


def play_seat(env: tw.SeatEnv) -> None:
    for seed in range(50):
        env.reset(seed=seed)


@any_game()
def test_bad_seats_and_opponents_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="seat must be None or an integer from 0 to 2"):
        tw.make_seat(name, players=3, seat=3)
    with pytest.raises(ValueError, match="opponents must be"):
        tw.make_seat(name, players=3, opponents=[lambda o, m: 0])
    env = tw.make_seat(name, players=3, seat=None, opponents=lambda o, m: -1)
    with pytest.raises(ValueError, match="does not exist"):
        play_seat(env)


@any_game()
def test_replay_files_are_written_and_read(name: str, tmp_path: Any) -> None:
    options = variants(name)[-1]
    env = tw.make(name, **options)
    env.reset(seed=12)
    play_on(env, amount(10_000, 40))
    tw.Replay.of(env).save(tmp_path / "game.jsonl")
    replay = tw.Replay.load(tmp_path / "game.jsonl", env.game)
    assert replay.seed == 12
    *_, again = replay.positions()
    assert again.state().tobytes() == env.state().tobytes()
    assert list(replay.lines()) == list(tw.Replay.of(env).lines())


@any_game()
def test_a_running_game_goes_on_from_its_replay_as_it_would_have(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=12)
    play_on(env, 50)
    *_, again = tw.Replay.of(env).positions()
    play_on(env, 40, seed=2)
    play_on(again, 40, seed=2)
    assert facts(env) == facts(again)


@any_game()
def test_a_corrupt_or_foreign_replay_says_where(name: str, tmp_path: Any) -> None:
    env = tw.make(name)
    env.reset(seed=12)
    play_on(env, amount(10_000, 40))
    lines = list(tw.Replay.of(env).lines())
    path = tmp_path / "game.jsonl"
    for changed, message in (
        (["nonsense"], "not a replay"),
        ([], "not a Tradewinds replay"),
        (lines[1:], "not a Tradewinds replay"),
        ([lines[0].replace(f'"version": {env.game.version}', '"version": 77'), *lines[1:]], "version 77"),
        ([lines[0].replace('"tradewinds replay": 1', '"tradewinds replay": 2'), *lines[1:]], "format 2"),
        ([lines[0].replace(f'"{name}"', '"chess"'), *lines[1:]], "chess"),
        ([lines[0].replace('"players": ', '"players": 1'), *lines[1:]], "players"),
        ([lines[0].replace('"chance": [', '"chance": [90, '), *lines[1:]], "line 1"),
        ([lines[0], '{"seat": 0, "action": "no such thing"}', *lines[1:]], "line 2"),
        ([lines[0], *lines[2:]], "line"),
        ([*lines[:3], "[]", *lines[3:]], "line 4"),
    ):
        path.write_text("\n".join(changed))
        with pytest.raises(tw.FormatError, match=message):
            tw.Replay.load(path, env.game)
