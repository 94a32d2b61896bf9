"""Configs: what is refused, and what is said then."""

import dataclasses
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tests.support import TOY, registered, toy_game
from tradewinds.training.config import (
    CONFIGS,
    RENAMED,
    Config,
    ConfigError,
    check_config,
    differences,
    dump_config,
    find_config,
    game_config,
    load_config,
)

from .tiny import tiny


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_config_that_comes_along_is_in_order(path: Path) -> None:
    assert load_config(path).game in tw.games()


@pytest.mark.parametrize("game", tw.games())
def test_every_game_has_a_config_of_its_name(game: str) -> None:
    assert load_config(find_config(game)).game == game


def test_a_config_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(dump_config(tiny()))
    assert load_config(tmp_path / "config.yaml") == tiny()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("game: santiago_de_cuba\npp: {gamma: 1}", ["no key pp", "ppo"]),
        ("game: santiago_de_cuba\nppo: {zzz: 1}", ["no key ppo.zzz", "update_epochs"]),
        ("game: santiago_de_cuba\nppo: {num_env: 64}", ["no key ppo.num_env", "did you mean num_envs?"]),
        ("game: santiago_de_cuba\nmargin_coef: 64", ["no key margin_coef", "did you mean reward.margin_coef?"]),
        ("game: santiago_de_cuba\nppo: {num_envs: 0}", ["ppo.num_envs", "greater than or equal to 1"]),
        ("game: santiago_de_cuba\nppo: {learning_rate: fast}", ["ppo.learning_rate", "fast"]),
        ("game: santiago\n", ["santiago_de_cuba"]),
        ("game: santiago_de_cuba\noptions: {players: 7}", ["players must be", "got 7"]),
        ("game: santiago_de_cuba\nopponent_pool: {past_prob: 0.7, agents: {random: 0.7}}", ["1.4"]),
        ("ppo: {num_envs: 64}", ["game", "required"]),
        ("- a list", ["not a config"]),
        ("game: [", ["YAML"]),
    ],
)
def test_a_wrong_config_is_refused_with_the_place_and_the_nearest_key(lines: str, said: list[str], tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(lines)
    with pytest.raises(ConfigError) as error:
        load_config(path)
    assert all(text in str(error.value) for text in said), str(error.value)
    assert "\n" not in str(error.value)


def test_settings_change_single_keys() -> None:
    config = load_config(find_config("quick"), ["ppo.learning_rate=0.5", "opponent_pool.agents={random: 0.1}", "options.players=3"])
    assert (config.ppo.learning_rate, config.opponent_pool.agents, config.variant().players) == (0.5, {"random": 0.1}, 3)


@pytest.mark.parametrize(
    ("setting", "said"), [("ppo.gamma", "key=value"), ("game.x=1", "game"), ("ppo.num_envs=[", "value"), ("ppo.num_env=3", "num_envs")]
)
def test_a_wrong_setting_is_refused(setting: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_config(find_config("quick"), [setting])


def test_a_config_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ConfigError, match="quick"):
        find_config("quack")


def test_differences_name_the_keys_and_both_values() -> None:
    assert differences(tiny(), tiny(ppo={"num_envs": 9})) == ["ppo.num_envs 8 -> 9"]
    assert differences(tiny(), tiny()) == []


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_a_key_of_an_earlier_version_is_refused_with_its_new_name(old: str, tmp_path: Path) -> None:
    section, dot, key = old.partition(".")
    (tmp_path / "old.yaml").write_text(
        f"game: santiago_de_cuba\n{section}: {{{key}: 1}}" if dot else f"game: santiago_de_cuba\n{old}: {{x: 1}}"
    )
    with pytest.raises(ConfigError, match=f"{old} is now {RENAMED[old]}"):
        load_config(tmp_path / "old.yaml")


def test_a_renamed_section_is_named_beside_its_renamed_keys() -> None:
    with pytest.raises(ConfigError, match=r"pool is now opponent_pool; pool\.past is now opponent_pool\.past_prob"):
        check_config({"game": "container", "pool": {"past": 0.2, "past_every": 5}}, "old.yaml")


@pytest.mark.parametrize(("old", "new"), [("evaluation.games", "evaluation.episodes"), ("bc.by_lot", "bc.random_move_prob")])
def test_an_old_key_in_a_section_of_the_new_name_is_refused_with_its_new_name(old: str, new: str) -> None:
    section, _, key = old.partition(".")
    with pytest.raises(ConfigError, match=f"{old} is now {new}"):
        check_config({"game": "container", section: {key: 1}}, "half.yaml")


def test_a_key_that_also_means_something_else_is_refused_with_its_meaning() -> None:
    with pytest.raises(ConfigError, match=r"margin_until is now reward\.margin_coef_end, the coefficient at the end"):
        check_config({"game": "container", "reward": {"margin_until": 0.5}}, "old.yaml")


def test_a_game_without_a_config_of_its_own_is_trained_by_the_defaults_against_what_it_has() -> None:
    assert game_config("container", ["seed=5"]) == load_config(find_config("container"), ["seed=5"])
    with registered(toy_game()):
        scratch = game_config(TOY, ["seed=5"])
    with registered(dataclasses.replace(toy_game(), bot="somewhere:BOT")):
        residual = game_config(TOY)
    assert (scratch.game, scratch.seed, scratch.policy.base, scratch.evaluation.eval_opponents) == (TOY, 5, "none", ["random"])
    assert (residual.policy.base, residual.evaluation.eval_opponents) == ("scripted", ["random", "scripted"])


@pytest.mark.parametrize("new", sorted(set(RENAMED.values())))
def test_every_new_name_is_a_key(new: str) -> None:
    place: object = Config(game="container")
    for name in new.split("."):
        place = getattr(place, name)
