"""The games in TextArena."""

import re
from typing import Any

import pytest

from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("whole games take long in plain Python", allow_module_level=True)


import tradewinds.envs as tw
from tests.contract.tools import every_game

ta = pytest.importorskip("textarena")
from tradewinds.envs import textarena as door  # noqa: E402


def shown(observation: Any) -> str:
    """All that a player was told, as TextArena's own wrapper joins it."""
    return "\n".join(message for _, message, _ in observation) if isinstance(observation, list) else observation


def last_choice(told: str) -> str:
    return f"Action: {re.findall(r'^([0-9]+):', told.rpartition('Your legal actions')[2], re.MULTILINE)[-1]}"


@every_game()
def test_a_fake_model_plays_a_game_to_its_end_against_agents(name: str) -> None:
    env = ta.wrappers.LLMObservationWrapper(env=door.make(name, opponents="random", players=3, seat=1))
    env.reset(num_players=1, seed=3)
    done, steps = False, 0
    while not done:
        player, told = env.get_observation()
        assert player == 0
        done, _ = env.step(last_choice(shown(told)))
        steps += 1
    rewards, info = env.close()
    assert rewards[0] in (-1.0, 1.0) and "Final scores" in info[0]["reason"] and steps > 5


@pytest.mark.parametrize("players", [2, 3])
def test_all_seats_may_be_models(players: int) -> None:
    env = door.make("santiago_de_cuba", players=players)
    env.reset(num_players=players, seed=3)
    asked, done = set(), False
    while not done:
        player, told = env.get_observation()
        assert env.table.agent_selection == f"player_{player}"
        asked.add(player)
        done, _ = env.step(last_choice(shown(told)))
    rewards, _ = env.close()
    assert asked == set(range(players)) == set(rewards) and max(rewards.values()) == 1.0


def test_a_player_is_never_told_what_others_see() -> None:
    env = door.make("santiago_de_cuba", players=2)
    env.reset(num_players=2, seed=3)
    told: dict[int, str] = {0: "", 1: ""}
    for _ in range(20):
        player, observation = env.get_observation()
        told[player] += shown(observation)
        env.step(last_choice(shown(observation)))
    for player, all_of_it in told.items():
        assert f"seen by player_{player}" in all_of_it and f"seen by player_{1 - player}" not in all_of_it


@pytest.mark.parametrize("players", [1, 2, 3])
def test_an_answer_that_names_no_action_leaves_the_game_as_it_was_and_one_too_many_loses(players: int) -> None:
    if players == 1:
        env = door.make("santiago_de_cuba", opponents="random", players=3, error_allowance=1)
    else:
        env = door.make("santiago_de_cuba", players=players, error_allowance=1)
    env.reset(num_players=players, seed=3)
    before = env.table.save()
    player, _ = env.get_observation()
    done, _ = env.step("I resign.")
    again, told = env.get_observation()
    assert not done and again == player and "Legal are" in shown(told) and env.table.save() == before
    done, _ = env.step("No, really.")
    rewards, _ = env.close()
    assert done and rewards[player] == -1.0 and env.table.save() == before


def test_another_number_of_players_is_refused() -> None:
    with pytest.raises(ValueError, match="num_players must be 1"):
        door.make("santiago_de_cuba", opponents="random").reset(num_players=2)
    with pytest.raises(ValueError, match="num_players must be 4"):
        door.make("santiago_de_cuba").reset(num_players=1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"seat": seat}, "seat must be .*from 0 to") for seat in (9, -1, 1.5, True, None)] + [({"how": "long"}, "how must be")],
)
def test_bad_arguments_are_refused_when_the_environment_is_made(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        door.make("santiago_de_cuba", opponents="random", **arguments)


def test_a_step_before_the_first_reset_says_so() -> None:
    with pytest.raises(tw.GameOverError, match=r"call reset\(\) first"):
        door.make("santiago_de_cuba", opponents="random").step("Action: 1")


@every_game()
def test_games_are_made_by_their_ids(name: str) -> None:
    env_id = f"Tradewinds-{''.join(map(str.capitalize, name.split('_')))}-v{tw.game(name).version}"
    if tw.game(name).module.startswith("tradewinds."):
        assert ta.make(f"{env_id}-raw", opponents="random").table.game.name == name
        env = ta.make(env_id, opponents="random", players=3)
        env.reset(num_players=1, seed=1)
        _, told = env.get_observation()
        assert isinstance(told, str) and not env.step(last_choice(told))[0]
