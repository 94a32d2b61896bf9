"""Final scores, ranks and ties; the length limit."""

import pytest

from tests.santiago_de_cuba.board import CUBANS, board, drive, play, result
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.state import Phase


@pytest.mark.rule("SC-END-2")
@pytest.mark.parametrize(
    ("goods", "worth"),
    [
        ({}, 0),
        ({"rum": 2}, 0),
        ({"sugar": 1, "tobacco": 1, "fruit": 1}, 1),
        ({"wood": 3}, 1),
        ({"wood": 2, "cigars": 3}, 1),
        ({"sugar": 1, "tobacco": 1, "rum": 1, "cigars": 1, "fruit": 1, "wood": 1}, 2),
        ({"wood": 8, "rum": 8, "sugar": 8}, 8),
    ],
)
def test_every_three_goods_left_are_a_point_wood_included(goods, worth):
    assert result(board(2, goods=[goods], points=[10, 0]))[0] == [10 + worth, 0]


@pytest.mark.rule("SC-END-2")
def test_pesos_are_worth_nothing():
    assert result(board(2, pesos=[30, 0], points=[5, 6])) == ([5, 6], [2, 1])


@pytest.mark.rule("SC-END-2")
def test_most_points_win_after_the_goods_are_counted():
    s = board(3, points=[10, 11, 9], goods=[{"wood": 6}, {"rum": 2}, {"fruit": 3}])
    assert result(s) == ([12, 11, 10], [1, 2, 3])


@pytest.mark.rule("SC-END-2")
def test_a_tie_goes_to_more_goods_as_counted_before_the_exchange():
    s = board(2, points=[12, 10], goods=[{"sugar": 2}, {"rum": 6}], pesos=[9, 0])
    assert result(s) == ([12, 12], [2, 1])


@pytest.mark.rule("SC-END-2")
def test_a_tie_in_goods_goes_to_more_pesos():
    s = board(3, points=[10, 10, 10], goods=[{"sugar": 2}, {"wood": 1, "rum": 1}, {"fruit": 1}], pesos=[4, 5, 9])
    assert result(s) == ([10, 10, 10], [2, 1, 3])


@pytest.mark.rule("SC-END-2")
def test_a_tie_in_all_three_is_shared():
    s = board(4, points=[10, 12, 12, 12], goods=[{}, {"sugar": 1}, {"rum": 1}, {}], pesos=[9, 4, 4, 4])
    assert result(s) == ([10, 12, 12, 12], [4, 1, 1, 3])


@pytest.mark.rule("SC-STALL-1")
def test_after_a_thousand_turns_a_game_is_truncated_and_scored_as_it_stands():
    s = board(2, before="José", inactive=CUBANS, turn=998, points=[3, 2], goods=[{"wood": 3}])
    drive(s, "José")
    assert (s.turn, s.active, s.status) == (999, 1, Status.RUNNING)
    drive(s, "Pablo")
    assert (s.turn, s.status) == (1000, Status.TRUNCATED)
    assert result(s) == ([4, 2], [1, 2])


@pytest.mark.rule("SC-STALL-1")
def test_the_thousandth_turn_may_still_end_the_game():
    s = board(2, car_at="Alonso", value=4, ship=7, turn=999)
    play(s, "car: drive 2 stops for 1 peso")
    assert s.status == Status.ENDED


@pytest.mark.rule("SC-STALL-1")
def test_without_the_harbour_authority_a_game_lasts_at_most_210_turns():
    s = board(2, car_at="port", inactive=CUBANS, turn=0)
    while not s.is_over:
        if s.decides == Phase.DICE:
            play(s, "ship: put the sugar die aside")
        elif s.car_at == "Alonso":
            last = s.value == 4
            play(s, "car: drive 1 stop for 0 pesos", rolls=[(1, 1, 1, 1, 1)] if last and s.ship < 7 else [])
        else:
            s.record["inactive"][:] = 1
            play(s, "car: drive 1 stop for 0 pesos")
    assert (s.status, s.turn) == (Status.ENDED, 209)
