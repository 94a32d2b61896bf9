"""Gymnasium: `make` with opponents by code, and `make_vec` on the batch."""

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import tradewinds.envs as tw
from tests.contract.tools import amount
from tradewinds.envs.vector import SeatVectorEnv

GAME = "santiago_de_cuba"
ID = f"tradewinds/{GAME}-v{tw.game(GAME).version}"


def last_legal(_: Any, mask: np.ndarray) -> int:
    return int(np.flatnonzero(mask)[-1])


def first_legal(masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def vector(**arguments: Any) -> Any:
    return gymnasium.make_vec(ID, **{"num_envs": 4, "players": 3, "vectorization_mode": "vector_entry_point", **arguments})


def assert_same(one: Any, two: Any) -> None:
    """Equal, key by key; the vector also tells the seat."""
    if isinstance(one, dict):
        assert set(one) - {"seat", "_seat"} <= set(two) <= set(one)
        for key in two:
            assert_same(one[key], two[key])
    elif isinstance(one, np.ndarray) and one.dtype == object:
        assert [item is None for item in one] == [item is None for item in two]
        for mine, theirs in zip(one, two, strict=True):
            if mine is not None:
                assert_same(mine, theirs)
    else:
        assert np.array_equal(one, two)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("mask", ["info", "observation"])
def test_each_row_is_the_environment_of_gymnasiums_own_vector(mode: AutoresetMode, mask: str) -> None:
    settings = {"num_envs": 3, "players": 3, "seat": 1, "opponents": last_legal, "mask": mask}
    ours = gymnasium.make_vec(ID, vectorization_mode="vector_entry_point", autoreset_mode=mode, **settings)
    theirs = gymnasium.make_vec(ID, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **settings)
    assert isinstance(ours.unwrapped, SeatVectorEnv)
    one, two = ours.reset(seed=3), theirs.reset(seed=3)
    ended = 0
    for _ in range(amount(200, 12)):
        for mine, other in zip(one, two, strict=True):
            assert_same(mine, other)
        actions = first_legal(one[-1]["action_mask"])
        one, two = ours.step(actions), theirs.step(actions)
        over = one[2] | one[3]
        final = one[4].get("final_info", one[4])
        assert (final["breakdown"][over].sum(axis=1) == final["score"][over]).all() and final["breakdown"].shape[0] == 3
        ended += int(over.sum())
        assert ours.observation_space.contains(one[0])
    assert ended >= amount(3, 0)


@pytest.mark.integration
def test_gymnasiums_vector_of_processes_plays_the_same_games() -> None:
    def play(mode: str) -> list[Any]:
        envs = gymnasium.make_vec(ID, num_envs=2, players=2, illegal="random", vectorization_mode=mode)
        try:
            seen = [envs.reset(seed=3)]
            seen += [envs.step(first_legal(seen[-1][-1]["action_mask"])) for _ in range(3)]
            return [(one[0], one[-1]["action_mask"]) for one in seen]
        finally:
            envs.close()

    for one, two in zip(play("sync"), play("async"), strict=True):
        assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1])


def test_a_vector_is_sampled_blindly_and_recorded_by_gymnasiums_wrapper() -> None:
    envs = RecordEpisodeStatistics(vector(opponents="random", seat=None, num_envs=6))
    envs.reset(seed=1)
    envs.action_space.seed(2)
    lengths = 0
    for _ in range(amount(150, 5)):
        _, _, terminations, truncations, infos = envs.step(envs.action_space.sample())
        over = terminations | truncations
        assert (infos["action_mask"][over] == 1).all() and (infos["rank"][over] > 0).all() and (infos["rank"][~over] == 0).all()
        if "episode" in infos:
            lengths += int((infos["episode"]["l"] > 0).sum())
    assert lengths >= amount(6, 0)


def test_seeds_give_the_same_games_again_and_a_reset_without_one_others() -> None:
    def play(seed: Any) -> bytes:
        envs = vector(opponents={"random": 2, "scripted:greedy": 1})
        seen = [envs.reset(seed=seed)[0]]
        envs.action_space.seed(1)
        seen += [envs.step(envs.action_space.sample())[0] for _ in range(10)]
        return np.stack(seen).tobytes()

    assert play(5) == play([5, 6, 7, 8]) == play(5) != play(6)
    envs = vector()
    assert envs.reset(seed=1)[0].tobytes() != envs.reset()[0].tobytes()


def test_an_illegal_action_touches_no_game_or_is_replaced() -> None:
    strict, lenient = vector(), vector(illegal="random")
    for envs in (strict, lenient):
        _, infos = envs.reset(seed=1)
    actions = first_legal(infos["action_mask"])
    actions[2] = int(np.flatnonzero(infos["action_mask"][2] == 0)[0])
    before = strict.unwrapped.games.batch.states.tobytes()
    with pytest.raises(tw.IllegalActionError, match="game 2"):
        strict.step(actions)
    assert strict.unwrapped.games.batch.states.tobytes() == before
    assert lenient.step(actions)[4]["illegal"].tolist() == [False, False, True, False]


@pytest.mark.parametrize("wrong", [np.zeros(3, int), np.zeros(4), np.zeros((4, 1), int), [0, 0, 0]])
def test_actions_of_the_wrong_length_or_type_are_refused(wrong: Any) -> None:
    envs = vector()
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=r"shape \(4,\)"):
        envs.step(wrong)


def test_a_step_before_reset_says_so() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        vector().step(np.zeros(4, int))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"opponents": "scriptid"}, "did you mean 'scripted'"),
        ({"opponents": ["random"]}, "a list of 1 for 2 other seats"),
        ({"opponents": {"random": 0}}, "positive weights"),
        ({"opponents": {}}, "positive weights"),
        ({"opponents": 7}, "opponents must be one agent"),
        ({"seat": 3}, "from 0 to 2"),
        ({"mask": "both"}, "'info' or 'observation'"),
        ({"illegal": "ignore"}, "'raise' or 'random'"),
        ({"players": 9}, "players"),
    ],
)
def test_bad_arguments_are_refused_by_make_and_by_make_vec(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        vector(**settings)
    with pytest.raises(ValueError, match=said):
        gymnasium.make(ID, **{"players": 3, **settings})


def test_a_vector_refuses_what_it_alone_takes() -> None:
    with pytest.raises(ValueError, match="'NextStep' or 'SameStep'"):
        vector(autoreset_mode="never")
    with pytest.raises(ValueError, match="size must be a positive integer"):
        vector(num_envs=0)
    with pytest.raises(ValueError, match="one per row"):
        vector().reset(seed=[1, 2])
    for seed in (1.5, 2**64, -1, "1", True, [1, 2, 3, 2**64], [1, 2, 3, 4.0]):
        with pytest.raises(ValueError, match=r"seed must be an integer from 0 to 2\*\*64 - 1"):
            vector().reset(seed=seed)
    with pytest.raises(ValueError, match=r"at most 2\*\*64 - 4"):
        vector().reset(seed=2**64 - 3)
    with pytest.raises(ValueError, match=r"gymnasium\.make"):
        vector(render_mode="ansi")


@pytest.mark.parametrize("opponents", ["scripted", ["random", "scripted:greedy"], {"random": 1, "scripted": 3}, "agent"])
def test_opponents_by_code_leave_a_spec_that_pickles_and_makes_the_environment_again(opponents: Any) -> None:
    from tradewinds import agents

    if opponents == "agent":
        opponents = agents.make("scripted", GAME, players=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(ID, players=3, opponents=opponents)
        assert env.spec is not None
        twin = gymnasium.make(pickle.loads(pickle.dumps(env.spec)))
    copy.deepcopy(env)
    seen = [one.reset(seed=4)[0].tobytes() for one in (env, twin)]
    assert seen[0] == seen[1]
    action = int(np.flatnonzero(env.unwrapped.action_masks())[0])  # type: ignore[attr-defined]
    assert env.step(action)[0].tobytes() == twin.step(action)[0].tobytes()


def test_a_mixture_is_drawn_for_each_game_and_seat() -> None:
    asked: set[tuple[int, str]] = set()

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def act(self, decisions: Any) -> np.ndarray:
            asked.add((int(decisions.seats[0]), self.name))
            return decisions.masks.argmax(axis=1)

    env = tw.make_seat(GAME, players=3, seat=2, opponents={Named("a"): 1, Named("b"): 1})
    for seed in range(12):
        env.reset(seed=seed)
    assert asked == {(0, "a"), (0, "b"), (1, "a"), (1, "b")}


def test_the_mask_in_the_observation_passes_gymnasiums_checker() -> None:
    env = gymnasium.make(ID, mask="observation", illegal="random", opponents="random")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*render.*")
        check_env(env.unwrapped, skip_render_check=True)
    seen, info = env.reset(seed=1)
    assert set(seen) == {"observation", "action_mask"} and np.array_equal(seen["action_mask"], info["action_mask"])


def test_a_game_that_is_over_has_a_mask_of_ones() -> None:
    env = tw.make_seat(GAME, players=2)
    env.reset(seed=amount(1, 1))
    env.action_space.seed(1)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(env.action_space.sample())
        over = terminated or truncated
    assert info["action_mask"].all() and env.action_masks().all()
    with pytest.raises(tw.GameOverError, match="reset"):
        env.step(0)
