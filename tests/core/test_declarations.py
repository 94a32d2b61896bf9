"""Fields, layouts, action tables and options refuse what cannot be meant."""

from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from tradewinds.envs.core.spec.actions import ActionTable
from tradewinds.envs.core.spec.fields import HIDDEN, Fields, Seen, Visibility, as_words, field
from tradewinds.envs.core.spec.layout import Layout, Part
from tradewinds.envs.core.spec.options import Option, check_options


class Kind(IntEnum):
    WAIT = 0
    MOVE = 1


def test_a_field_takes_the_smallest_type_that_holds_it() -> None:
    assert field("a", -1, 127, "").kind is np.int8
    assert field("a", -1, 128, "").kind is np.int16
    assert field("a", -1, 40_000, "").kind is np.int32


def test_a_record_is_a_whole_number_of_words_and_has_no_gap() -> None:
    fields = Fields(3, [field("money", 0, 1000, "", 3), field("flag", 0, 1, "")])
    assert fields.dtype.itemsize % 8 == 0
    assert sum(fields.dtype[name].itemsize for name in fields.dtype.names or ()) == fields.dtype.itemsize


def test_a_field_declared_twice_or_without_seats_is_refused() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        Fields(3, [field("seat", 0, 1, "")])
    with pytest.raises(ValueError, match="first axis must be the 3 seats"):
        Fields(3, [field("hand", 0, 1, "", 4, Seen.SECRET)])


def test_a_veil_turns_exactly_the_hidden_numbers_into_the_sentinel() -> None:
    seats = 3
    fields = Fields(
        seats,
        [
            field("money", 0, 1000, "", seats, Seen.SCREENED),
            field("card", 0, 9, "", (seats, 2), Seen.SECRET),
            field("deck", 0, 9, "", 4, Seen.BY_NOBODY),
            field("board", 0, 9, "", 4),
        ],
    )
    state = np.zeros(1, fields.dtype)
    state["money"], state["card"], state["deck"], state["board"] = [[100, 200, 300]], 5, 6, 7
    seen = as_words(state)[0] | fields.visibility_mask(Visibility.RULES)[1]
    view = seen.view(fields.dtype)[0]
    assert view["money"].tolist() == [HIDDEN, 200, HIDDEN]
    assert view["card"].tolist() == [[HIDDEN] * 2, [5] * 2, [HIDDEN] * 2]
    assert view["deck"].tolist() == [HIDDEN] * 4
    assert view["board"].tolist() == [7] * 4
    opened = (as_words(state)[0] | fields.visibility_mask(Visibility.OPEN)[1]).view(fields.dtype)[0]
    assert opened["money"].tolist() == [100, 200, 300]
    assert opened["card"].tolist() == [[HIDDEN] * 2, [5] * 2, [HIDDEN] * 2]


def test_numbers_out_of_bounds_are_named() -> None:
    fields = Fields(2, [field("money", 0, 1000, "")])
    states = np.zeros(4, fields.dtype)
    states["players"] = 2
    assert not fields.out_of_bounds(states)
    states["money"][2] = 1001
    assert fields.out_of_bounds(states) == ["money: 0 to 1001, declared 0 to 1000"]


def test_a_layout_finds_its_parts() -> None:
    layout = Layout([Part("a", 3, 1, ""), Part("b", 2, 5, "")])
    assert layout.slices == {"a": slice(0, 3), "b": slice(3, 5)}
    assert layout.space.high.tolist() == [1, 1, 1, 5, 5]
    assert repr(layout.space) == "Box(0, 1 to 5, (5,), float32)"
    with pytest.raises(ValueError, match="named 'a'"):
        Layout([Part("a", 3, 1, ""), Part("a", 2, 5, "")])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(Kind.WAIT, (), "wait")], "leave none out"),
        ([(Kind.MOVE, (), "move"), (Kind.WAIT, (), "wait")], "kind by kind"),
        ([(Kind.WAIT, (), "wait"), (Kind.MOVE, (), "wait")], "share a name"),
    ],
)
def test_a_table_of_actions_is_in_order_complete_and_unique(rows: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ActionTable("a game", Kind, rows)


def test_a_table_of_actions_gives_ids_and_arguments() -> None:
    table = ActionTable("a game", Kind, [(Kind.WAIT, (), "wait"), (Kind.MOVE, (3, 4), "move 3 4"), (Kind.MOVE, (5,), "move 5")])
    assert table.first.tolist() == [0, 1, 3]
    assert table.arguments.tolist() == [[0, 0, 0], [3, 4, 0], [5, 0, 0]]
    assert table.parse(" move 5 ") == 2


def test_options_are_checked_by_value_and_type() -> None:
    options = [Option("players", 4, range(2, 5), ""), Option("bank", False, (False, True), "")]
    assert check_options("a game", options, {"bank": np.True_}) == {"players": 4, "bank": True}
    for wrong in ({"bank": 1}, {"players": True}, {"players": 4.0}, {"players": 5}, {"bank": "yes"}):
        with pytest.raises(ValueError, match=r"(bank must be False or True|players must be an integer from 2 to 4), got"):
            check_options("a game", options, wrong)
    with pytest.raises(ValueError, match=r"no option 'bnak' \(did you mean 'bank'\?\); its options are players, bank"):
        check_options("a game", options, {"bnak": True})
