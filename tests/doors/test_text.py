"""Prompts and answers: what a language model is told, and what its answers mean."""

from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, any_game, every_game
from tradewinds.envs import text
from tradewinds.envs.core.engine.kernel import JIT


def running(name: str, steps: int = 30, seed: int = 3, **options: Any) -> tw.TableEnv:
    env = tw.make(name, **options)
    env.reset(seed=seed)
    choose = np.random.default_rng(seed)
    for _ in range(steps):
        if not env.legal_actions():  # the game is over
            env.reset()
        env.step(int(choose.choice(env.legal_actions())))
    return env


@any_game()
def test_a_prompt_has_rules_board_and_every_legal_action_by_name(name: str) -> None:
    env = running(name)
    said = text.prompt(env)
    assert text.rules(env.game) in said and text.board(env).strip() in said and text.FORMAT in said
    for action in env.legal_actions():
        assert f"{action}: {env.describe(action)}" in said
    assert len(text.prompt(env, how="none")) <= len(said) <= len(text.prompt(env, how="whole"))
    with pytest.raises(ValueError, match="'short' or 'whole' or 'none'"):
        text.prompt(env, how="long")
    with pytest.raises(tw.GameOverError, match="reset"):
        text.prompt(tw.make(name))


@every_game()
def test_short_rules_are_shorter_than_a_prompt_may_be(name: str) -> None:
    game = tw.game(name)
    assert 500 < len(text.rules(game)) < 3000 < len(text.rules(game, "whole"))


@any_game()
def test_a_seat_that_is_not_to_move_is_given_no_actions(name: str) -> None:
    env = running(name)
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    said = text.prompt(env, other)
    assert "It is not your turn" in said and "Your legal actions" not in said


@any_game()
def test_a_prompt_does_not_depend_on_what_its_seat_cannot_know(name: str) -> None:
    differed = False
    for steps in range(0, amount(120, 20), 5):
        env = running(name, steps, seed=steps)
        for agent in env.possible_agents:
            dealt = env.redeal(agent, seed=steps + 1, perfect_recall=False)
            differed |= dealt.record().tobytes() != env.record().tobytes()
            if agent == env.agent_selection:
                assert text.prompt(dealt, agent) == text.prompt(env, agent)
            assert text.board(dealt, agent) == text.board(env, agent)
    assert differed or not JIT  # a few steps in plain Python may hide nothing yet


@any_game()
def test_prompts_of_decisions_are_those_of_the_environment(name: str) -> None:
    env = running(name)
    (asked,) = text.decision_prompts(env.decision())
    assert f"{text.system_prompt(env.variant)}\n\n{asked}" == text.prompt(env)


@any_game()
def test_every_legal_action_is_read_by_number_and_by_name(name: str) -> None:
    env = running(name)
    for action in env.legal_actions():
        said = env.describe(action)
        for answer in (
            str(action),
            said,
            said.upper(),
            f"`{said}`.",
            f"Action: {action}",
            f"I think about it.\nAction: {said}",
            f"**Action:** {action}: {said}",
            f"Action: 99999\nNo, better:\nAction: {said}\n",
        ):
            assert text.read_answer(answer, env) == (action, ""), answer


def test_small_mistakes_are_understood_and_numbers_never_guessed() -> None:
    env = running("santiago_de_cuba", 0)
    drive = env.parse("car: drive 2 stops for 1 peso")
    while drive not in env.legal_actions():
        env.step(env.legal_actions()[0])
    for answer in ("car: drive 2 stop for 1 peso", "drive 2 stops for 1 peso", "Car - drive 2 stops for 1 pesos"):
        assert text.read_answer(answer, env).action == drive, answer
    found = text.read_answer("car: drive 7 stops for 1 peso", env)
    assert found.action is None and "Legal are" in found.reason


@pytest.mark.parametrize(
    "answer",
    ["", "   ", None, 7, "I would rather not.", "Action:", "Action: dance", "\x00", "-1", "99999999999999999999", "9" * 5000, "{}", "[]"],
)
def test_an_answer_that_names_no_action_says_what_is_legal(answer: Any) -> None:
    env = running("santiago_de_cuba")
    before = env.save()
    found = text.read_answer(answer, env)
    assert found.action is None and "Legal are" in found.reason and env.save() == before


def test_many_empty_lines_before_an_answer_cost_no_more_than_their_number() -> None:
    pattern = text._MARKED
    assert pattern.findall("\n\n" + "- Action:\n4") == ["4"]
    assert pattern.match("\n\n\nAction: 4") is None  # else each of n empty lines is the start of a search through all n


def test_an_illegal_number_or_name_is_told_by_its_name() -> None:
    env = running("santiago_de_cuba")
    illegal = next(action for action in range(len(env.game.actions)) if action not in env.legal_actions())
    assert f"action {illegal} ({env.describe(illegal)!r}) is not legal now" in text.read_answer(str(illegal), env).reason
    assert "is not legal now" in text.read_answer(f"Action: {env.describe(illegal)}", env).reason


def test_an_answer_that_names_two_actions_is_refused() -> None:
    env = running("santiago_de_cuba", 0)
    first, second = (env.describe(action) for action in env.legal_actions()[:2])
    found = text.read_answer(f"either {first} or {second}", env)
    assert found.action is None and "more than one action" in found.reason
