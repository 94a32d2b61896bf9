"""The action table: complete, and no two actions that mean the same."""

import numpy as np
import pytest

from tests.santiago_de_cuba.board import BUILDINGS, GOODS, Position, apply, begin, board, drive, legal, new_game, play
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.santiago_de_cuba import GAME

FIVE = GOODS[:5]


def in_building(building: str, **position) -> set[str]:
    """What can be done in it, with the entry."""
    s = board(before="Maria", under={"red": [building]}, **position)
    drive(s, "Maria")
    entries = legal(s)
    play(s, f"pawn: enter the {building}")
    return entries | legal(s)


def at(stop: str, players: int = 2, **position) -> set[str]:
    s = board(players, before=stop, **position)
    drive(s, stop)
    return legal(s)


def test_every_action_of_the_table_is_legal_somewhere():
    one_of_each = dict.fromkeys(FIVE, 1)
    all_wood = {"wood": 8, **dict.fromkeys(FIVE, 8)}
    most = {"sugar": 3, "tobacco": 3, "rum": 3, "cigars": 3, "fruit": 4}
    seen = legal(new_game(2)) | legal(board(pesos=[39]))
    seen |= at("Pablo") | at("Alonso") | at("El Zorro", goods=[{}, one_of_each])
    for building in BUILDINGS:
        seen |= at("Alonso", owners={building: 0}, goods=[{**one_of_each, "wood": 1}], pesos=[3])
        seen |= in_building(building, goods=[{**one_of_each, "wood": 1}], pesos=[30], points=[8], value=3, demand={**most, "rum": 0})
    for aside in ("rum", "cigars"):
        demand = {**most, aside: 0}
        seen |= at("port", goods=[all_wood], demand=demand)
        seen |= in_building("customs office", demand=demand) | in_building("contractor's office", demand=demand, goods=[one_of_each])
    seen |= in_building("distillery", goods=[{"sugar": 8}]) | in_building("cigar factory", goods=[{"tobacco": 8}])
    s = board(before="Pedro", under={"white": ["newspaper"]})
    drive(s, "Pedro")
    play(s, "pawn: enter the newspaper")
    seen |= legal(s)
    assert set(GAME.actions.names) - seen == set()


def outcome(s: Position, action: int) -> bytes:
    """The position after an action, but for the dice that no longer matter."""
    after = Position(s.players)
    for name in GAME.fields.dtype.names or ():
        after.record[name] = s.record[name]
    GAME.kernels["apply"](after.record, action, new_tape(5))
    if after.record["in_port"]:
        after.record["dice"], after.record["aside"] = 0, 0
    return after.record.tobytes()


@pytest.mark.parametrize("players", [2, 4])
def test_every_question_has_several_answers_and_each_answer_leads_elsewhere(players):
    rng = np.random.default_rng(players)
    s = Position(players, seed=players)
    begin(s)
    asked = 0
    while not s.is_over:
        actions = np.flatnonzero(s.mask)
        assert len(actions) > 1
        if asked % 2:
            assert len({outcome(s, action) for action in actions}) == len(actions), sorted(legal(s))
        apply(s, rng.choice(actions))
        asked += 1
    assert asked > 50
