"""Places in a picture, their outlines, and the table of spots."""

from enum import IntEnum

import pytest

from tests.contract.tools import places_in
from tradewinds.envs.core.render.places import MARK, Spot, mark, spots
from tradewinds.envs.core.render.svg import area, bounds, circle, group, label, place, rect
from tradewinds.envs.core.spec.actions import ActionTable


class Kind(IntEnum):
    PASS = 0
    PLACE = 1


ACTIONS = ActionTable("toy", Kind, [(Kind.PASS, (), "pass"), (Kind.PLACE, (2, 5), "five on c"), (Kind.PLACE, (0, 1), "one on a")])


def test_a_place_and_a_panel_are_groups_that_can_be_found_by_name():
    assert place("slot:1", ["x"]) == '<g data-place="slot:1">x</g>'
    assert area("market", "The market", ["x"]) == '<g data-panel="market" data-title="The market">x</g>'
    assert places_in(area("a", "A", [place("b", ["x"]), place("a:1", ["y"])])) == ["b", "a:1"]


def test_the_first_shape_of_a_place_is_outlined_and_nothing_else_changes():
    picture = place("a", [group([rect(1, 2, 3, 4, "red", 5, "blue", 2), circle(0, 0, 1, "red")], 7, 7)]) + place(
        "b", [circle(0, 0, 1, "red")]
    )
    outline = f'<rect x="1" y="2" width="3" height="4" rx="5" fill="none" stroke="{MARK}" stroke-width="4"/>'
    marked = mark(picture, ["a", "not there"])
    assert marked.count(outline) == 1 and marked.replace(outline, "") == picture
    assert marked.index(outline) > marked.index('fill="red"')


def test_a_name_that_begins_like_another_is_not_mistaken_for_it():
    picture = place("a:1", [bounds(0, 0, 1, 1)]) + place("a:12", [bounds(0, 0, 2, 2)])
    assert mark(picture, ["a:1"]).count(MARK) == 1


def test_every_piece_of_a_place_that_is_drawn_twice_is_outlined():
    assert mark(place("a", [rect(0, 0, 1, 1, "red")]) * 3, ["a"]).count(MARK) == 3


def test_a_place_without_a_shape_is_left_as_it_is():
    picture = place("a", [label(0, 0, "words")])
    assert mark(picture, ["a"]) == picture


def test_a_spot_is_found_by_kind_and_gets_the_view_the_seat_and_the_arguments():
    spot = spots(
        ACTIONS,
        {Kind.PASS: lambda view, seat: Spot(), Kind.PLACE: lambda view, seat, at, count: Spot((f"{view}:{seat}:{at}",), count)},
    )
    assert [spot("view", 3, action) for action in range(3)] == [Spot(), Spot(("view:3:2",), 5), Spot(("view:3:0",), 1)]


def test_a_kind_without_an_entry_is_refused_by_name():
    with pytest.raises(ValueError, match=r"toy: no places are given for the kinds of action \[1\]"):
        spots(ACTIONS, {Kind.PASS: lambda view, seat: Spot()})
