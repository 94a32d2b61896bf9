"""Agents by their codes, and users' own."""

import copy
import pickle
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds import agents
from tradewinds.envs.core.api.decisions import Decisions

GAME = "santiago_de_cuba"


def first_legal(observation: np.ndarray, action_mask: np.ndarray) -> int:
    return int(np.flatnonzero(action_mask)[0])


class LastLegal:
    def act(self, decisions: Decisions) -> np.ndarray:
        return decisions.masks.shape[1] - 1 - decisions.masks[:, ::-1].argmax(axis=1)


class KnowsItsVariant(LastLegal):
    def __init__(self, variant: Any) -> None:
        self.players = variant.players


@pytest.fixture
def own_module(monkeypatch: pytest.MonkeyPatch) -> str:
    module = ModuleType("my_agents")
    vars(module).update(first_legal=first_legal, LastLegal=LastLegal, KnowsItsVariant=KnowsItsVariant, number=7)
    monkeypatch.setitem(sys.modules, "my_agents", module)
    return module.__name__


def test_a_function_a_class_and_a_class_that_asks_for_the_variant_are_agents(own_module: str) -> None:
    batch = tw.make_batch(GAME, 3, seed=1, players=3)
    decisions = batch.decisions()
    first = agents.make(f"{own_module}:first_legal", GAME, players=3).act(decisions)
    assert first.tolist() == batch.masks.argmax(axis=1).tolist()
    last = agents.make(f"{own_module}:LastLegal", GAME, players=3).act(decisions)
    assert all(batch.masks[range(3), last])
    assert agents.make(f"{own_module}:KnowsItsVariant", GAME, players=3).players == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "an agent's code must be a non-empty string, got ''"),
        (7, "an agent's code must be a non-empty string, got 7"),
        ("scriptd", r"no agent 'scriptd' \(did you mean 'scripted'\?\); the codes are random"),
        ("random:1", "random takes no setting"),
        ("no_such_module_here:Agent", "cannot be imported"),
        ("my_agents:Missing", "has no Missing"),
        ("my_agents:number", "is not an agent: an agent has a method act"),
    ],
)
def test_a_code_that_names_no_agent_is_refused_with_what_is_possible(own_module: str, code: Any, words: str) -> None:
    with pytest.raises(agents.AgentError, match=words):
        agents.make(code, GAME)


def test_a_class_given_for_an_agent_is_refused() -> None:
    with pytest.raises(TypeError, match="LastLegal is a class: give an instance"):
        agents.as_agent(LastLegal)


def test_a_function_that_answers_with_no_integer_is_told_so() -> None:
    batch = tw.make_batch(GAME, 1, seed=1)
    with pytest.raises(TypeError, match="an action must be an integer, got 'corn'"):
        agents.as_agent(lambda observation, mask: "corn").act(batch.decisions())


@pytest.mark.slow
@pytest.mark.parametrize("code", ["random", "scripted", "scripted:greedy", "search:4", "search:4:rollout=random:reuse=no:exploration=0.5"])
def test_agents_pickle_and_copy_and_say_what_they_are(code: str) -> None:
    agent = agents.make(code, GAME, players=3)
    decisions = tw.make_batch(GAME, 2, seed=1, players=3).decisions(seeds=np.arange(2, dtype=np.uint64))
    expected = agent.act(decisions).tolist()
    for again in (pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)):
        assert repr(again) == repr(agent) == f"<agent {again.code} for {GAME}, players=3>"
        assert type(again) is type(agent) and again.act(decisions).tolist() == expected
        assert repr(agents.make(again.code, GAME, players=3)) == repr(agent)


@pytest.mark.parametrize("code", ["random", "scripted", "search:2"])
def test_an_agent_refuses_decisions_of_another_game_or_variant(code: str) -> None:
    agent = agents.make(code, GAME, players=3)
    others: list[tuple[str, dict[str, Any]]] = [
        (GAME, {"players": 4}),
        (GAME, {"visibility": "open", "players": 3}),
        ("container", {"players": 3}),
    ]
    for name, options in others:
        with pytest.raises(ValueError, match=f"{code} for {GAME}, players=3> cannot play {name}"):
            agent.act(tw.make_batch(name, 1, seed=1, **options).decisions())
    assert agent.act(tw.make_batch(GAME, 1, seed=1, players=3, reward="rank").decisions()).shape == (1,)


def test_decisions_hold_what_the_seat_to_move_may_know() -> None:
    batch = tw.make_batch(GAME, 5, seed=1)
    rows = np.array([3, 1])
    decisions = batch.decisions(rows)
    assert len(decisions) == 2
    assert (decisions.observations == batch.observations[rows]).all()
    assert (decisions.masks == batch.masks[rows]).all()
    assert (decisions.counts == batch.counts[rows]).all()
    for i, row in enumerate(rows):
        assert decisions.views[i].tobytes() == batch.variant.masked_view(batch.states[row], int(batch.seats[row])).tobytes()


def test_one_game_asks_agents_as_a_batch_does() -> None:
    env = tw.make(GAME, players=2)
    with pytest.raises(tw.GameOverError, match="no decision"):
        env.decision()
    env.reset(seed=3)
    random = agents.make("random", GAME, players=2)
    moves = []
    while not any(env.terminations.values()):
        moves.append(int(random.act(env.decision())[0]))
        env.step(moves[-1])
    with pytest.raises(tw.GameOverError, match="no decision"):
        env.decision()
    env.reset(seed=3)
    for move in moves:
        assert random.act(env.decision())[0] == move
        env.step(move)


def test_agents_play_the_other_seats_of_a_single_seat_environment() -> None:
    seat = tw.make_seat(GAME, players=3, opponents=agents.make("scripted", GAME, players=3))
    plays = []
    for _ in range(2):
        _, info = seat.reset(seed=4)
        for _ in range(10):
            _, _, over, _, info = seat.step(np.flatnonzero(info["action_mask"])[0])
            assert not over
        plays.append(seat.table.save())
    assert plays[0] == plays[1]


@pytest.mark.parametrize(
    "setting",
    ["100000000000", "9" * 40, "10000001", "1e9s", "infs", "nans", "10:horizon=" + "9" * 40, "10:threads=1000000", "10:noise=nan"],
)
def test_a_budget_that_no_machine_has_is_refused(setting: str) -> None:
    """A replay of a stranger may name it."""
    with pytest.raises(agents.AgentError, match=r"simulations|seconds|horizon|threads|noise|setting"):
        agents.make(f"search:{setting}", GAME)
