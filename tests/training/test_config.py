"""Configs: what is refused, and what is said then."""

from pathlib import Path

import pytest

import tradewinds.envs as tw
from tradewinds.training.config import CONFIGS, ConfigError, differences, dump_config, find_config, load_config

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
        ("game: santiago_de_cuba\npp: {lr: 1}", ["no key pp", "ppo"]),
        ("game: santiago_de_cuba\nppo: {learning: 1}", ["no key ppo.learning", "epochs"]),
        ("game: santiago_de_cuba\nppo: {row: 64}", ["no key ppo.row", "did you mean rows?"]),
        ("game: santiago_de_cuba\nmargin_until: 64", ["no key margin_until", "did you mean reward.margin_until?"]),
        ("game: santiago_de_cuba\nppo: {rows: 0}", ["ppo.rows", "greater than or equal to 1"]),
        ("game: santiago_de_cuba\nppo: {lr: fast}", ["ppo.lr", "fast"]),
        ("game: santiago\n", ["santiago_de_cuba"]),
        ("game: santiago_de_cuba\noptions: {players: 7}", ["players=7"]),
        ("game: santiago_de_cuba\npool: {past: 0.7, agents: {random: 0.7}}", ["1.4"]),
        ("ppo: {rows: 64}", ["game", "required"]),
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
    config = load_config(find_config("quick"), ["ppo.lr=0.5", "pool.agents={random: 0.1}", "options.players=3"])
    assert (config.ppo.lr, config.pool.agents, config.variant().players) == (0.5, {"random": 0.1}, 3)


@pytest.mark.parametrize(
    ("setting", "said"), [("ppo.lr", "key=value"), ("game.x=1", "game"), ("ppo.rows=[", "value"), ("ppo.row=3", "rows")]
)
def test_a_wrong_setting_is_refused(setting: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_config(find_config("quick"), [setting])


def test_a_config_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ConfigError, match="quick"):
        find_config("quack")


def test_differences_name_the_keys_and_both_values() -> None:
    assert differences(tiny(), tiny(ppo={"rows": 9})) == ["ppo.rows 8 -> 9"]
    assert differences(tiny(), tiny()) == []
