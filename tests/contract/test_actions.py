"""Ids, names and arguments of actions."""

from pathlib import Path

import pytest

import tradewinds.envs as tw
from tests.contract.tools import any_game, every_game

GOLDEN = Path(__file__).parents[1] / "golden"


@any_game()
def test_names_are_unique_and_parsed_back(name: str) -> None:
    actions = tw.game(name).actions
    assert len(set(actions.names)) == len(actions)
    for action in range(len(actions)):
        assert actions.parse(actions.describe(action)) == action


@every_game()
def test_ids_are_frozen(name: str) -> None:
    """Changing an id breaks every trained agent: raise the game's version and write the file again with tests/golden/write.py."""
    frozen = (GOLDEN / name / "actions.txt").read_text(encoding="utf-8").splitlines()
    assert tw.game(name).actions.names == frozen


@any_game()
def test_an_unknown_name_says_what_is_near(name: str) -> None:
    actions = tw.game(name).actions
    with pytest.raises(ValueError, match="did you mean"):
        actions.parse(actions.names[0][:-1] + "x")
    with pytest.raises(TypeError, match="must be a string"):
        actions.parse(3)  # type: ignore[arg-type]


@any_game()
@pytest.mark.parametrize("wrong", [1.0, "0", None, True, [0]])
def test_an_action_of_the_wrong_type_is_refused(name: str, wrong: object) -> None:
    with pytest.raises(TypeError, match="must be an integer"):
        tw.game(name).actions.describe(wrong)  # type: ignore[arg-type]
