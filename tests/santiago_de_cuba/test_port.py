"""The port: delivery rounds."""

import pytest

from tests.santiago_de_cuba.board import board, drive, legal, play
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.state import Phase

ROLL = (1, 1, 1, 1, 1)


@pytest.mark.rule("SC-PORT-1")
def test_the_active_player_delivers_first_and_then_the_others_clockwise():
    s = board(before="port", active=2, goods=[{"fruit": 2}] * 4, demand={"fruit": 4, "rum": 3})
    drive(s, "port")
    order = []
    for _ in range(4):
        order.append(int(s.seat))
        play(s, "port: deliver 1 fruit")
    assert order == [2, 3, 0, 1]
    assert (s.active, s.decides) == (3, Phase.CAR)


@pytest.mark.rule("SC-PORT-1")
def test_any_number_of_one_good_up_to_the_demand_and_the_holdings_may_be_delivered():
    s = board(before="port", goods=[{"fruit": 3, "rum": 4, "cigars": 2}], demand={"fruit": 4, "rum": 2, "sugar": 1})
    drive(s, "port")
    assert legal(s, "port:") == {"pass", "deliver 1 fruit", "deliver 2 fruit", "deliver 3 fruit", "deliver 1 rum", "deliver 2 rum"}


@pytest.mark.rule("SC-PORT-1")
def test_goods_delivered_go_back_to_the_supply_and_the_die_drops_by_their_number():
    s = board(before="port", goods=[{"fruit": 4}, {"rum": 1}], demand={"fruit": 4, "rum": 2})
    drive(s, "port")
    play(s, "port: deliver 3 fruit")
    assert (s.held(0), s.left("fruit"), s.wanted) == ({"fruit": 1}, 7, {"fruit": 1, "rum": 2})


@pytest.mark.rule("SC-PORT-1")
def test_four_fruit_can_go_in_one_delivery_and_three_of_any_other_good():
    s = board(
        before="port", goods=[{"fruit": 8, "sugar": 8, "tobacco": 8, "rum": 8}], demand={"fruit": 4, "sugar": 3, "tobacco": 3, "rum": 3}
    )
    drive(s, "port")
    largest = {"deliver 4 fruit", "deliver 3 sugar", "deliver 3 tobacco", "deliver 3 rum"}
    assert legal(s, "port:") >= largest
    assert len(legal(s, "port:")) == 14


@pytest.mark.rule("SC-PORT-2")
@pytest.mark.parametrize("value", [2, 3, 4])
@pytest.mark.parametrize("good", ["sugar", "tobacco", "rum", "cigars", "fruit"])
def test_each_good_pays_the_value_marker(value, good):
    s = board(before="port", goods=[{good: 2}, {"wood": 1}], demand={good: 3}, value=value)
    drive(s, "port")
    play(s, f"port: deliver 2 {good}")
    assert s.points.tolist() == [2 + 2 * value, 2, 2, 2]


@pytest.mark.rule("SC-PORT-2")
def test_the_one_who_delivers_is_paid():
    s = board(before="port", goods=[{}, {"rum": 1}], demand={"rum": 2})
    drive(s, "port")
    play(s, "port: deliver 1 rum")
    assert s.points.tolist() == [2, 4, 2, 2]


@pytest.mark.rule("SC-PORT-3")
def test_wood_stands_in_for_one_demanded_good():
    s = board(before="port", goods=[{"wood": 3, "cigars": 1}], demand={"rum": 2, "fruit": 4})
    drive(s, "port")
    wood = {f"deliver {n} wood as rum" for n in (1, 2)} | {f"deliver {n} wood as fruit" for n in (1, 2, 3)}
    assert legal(s, "port:") == wood | {"pass"}


@pytest.mark.rule("SC-PORT-3")
@pytest.mark.parametrize("value", [2, 3, 4])
def test_wood_pays_a_point_each_whatever_the_marker_says(value):
    s = board(before="port", goods=[{"wood": 3, "rum": 1}, {"fruit": 1}], demand={"rum": 2, "fruit": 4}, value=value)
    drive(s, "port")
    play(s, "port: deliver 2 wood as fruit")
    assert (s.points[0], s.held(0), s.left("wood"), s.left("fruit")) == (4, {"wood": 1, "rum": 1}, 7, 7)
    assert s.wanted == {"rum": 2, "fruit": 2}


@pytest.mark.rule("SC-PORT-3")
def test_four_wood_can_stand_in_for_four_fruit():
    s = board(before="port", goods=[{"wood": 5}], demand={"fruit": 4})
    drive(s, "port")
    play(s, "port: deliver 4 wood as fruit", rolls=[ROLL])
    assert (s.points[0], s.held(0), s.ship) == (6, {"wood": 1}, 2)


@pytest.mark.rule("SC-PORT-3")
def test_wood_and_the_good_are_delivered_on_different_laps_only():
    s = board(before="port", goods=[{"wood": 1, "rum": 1}], demand={"rum": 2, "fruit": 1}, value=4)
    drive(s, "port")
    assert legal(s, "port:") == {"pass", "deliver 1 rum", "deliver 1 wood as rum", "deliver 1 wood as fruit"}
    play(s, "port: deliver 1 rum")
    assert (s.seat, s.points[0], legal(s, "port:")) == (0, 6, {"pass", "deliver 1 wood as rum", "deliver 1 wood as fruit"})
    play(s, "port: deliver 1 wood as rum", rolls=[ROLL])
    assert (s.points[0], s.value, s.ship) == (7, 2, 2)


@pytest.mark.rule("SC-PORT-4")
def test_one_who_passes_is_out_of_this_round():
    s = board(3, before="port", goods=[{"fruit": 2}] * 3, demand={"fruit": 4, "rum": 3})
    drive(s, "port")
    play(s, "port: pass")
    assert (s.seat, s.passed.tolist()) == (1, [1, 0, 0])
    play(s, "port: deliver 1 fruit", "port: deliver 1 fruit")
    assert (s.seat, s.decides, s.held(0)) == (1, Phase.PORT, {"fruit": 2})
    play(s, "port: pass")
    assert (s.seat, s.decides) == (2, Phase.PORT)


@pytest.mark.rule("SC-PORT-4")
def test_one_who_passed_is_in_the_next_round_again():
    s = board(2, before="port", goods=[{"fruit": 1}, {"fruit": 1}], demand={"fruit": 4}, pesos=[3, 9])
    drive(s, "port")
    play(s, "port: pass", "port: pass")
    assert (s.active, s.passed.tolist()) == (1, [0, 0])
    drive(s, "port")
    play(s, "port: pass")
    assert (s.seat, s.decides) == (0, Phase.PORT)
    play(s, "port: deliver 1 fruit")
    assert s.points.tolist() == [5, 2]


@pytest.mark.rule("SC-PORT-4")
def test_those_who_have_nothing_to_deliver_pass_unasked():
    s = board(before="port", goods=[{"cigars": 3}, {"rum": 1}, {"sugar": 2}, {"fruit": 1}], demand={"fruit": 2, "rum": 1})
    drive(s, "port")
    assert (s.seat, s.passed.tolist()) == (1, [1, 0, 0, 0])
    play(s, "port: deliver 1 rum")
    assert (s.seat, s.passed.tolist()) == (3, [1, 0, 1, 0])
    play(s, "port: pass")
    assert (s.active, s.decides, s.value, s.wanted) == (1, Phase.CAR, 3, {"fruit": 2})


@pytest.mark.rule("SC-PORT-4")
def test_a_part_may_be_delivered_and_the_last_one_left_goes_on_alone():
    s = board(before="port", goods=[{"fruit": 4, "rum": 1}, {"rum": 1}], demand={"fruit": 4, "rum": 2})
    drive(s, "port")
    play(s, "port: deliver 1 fruit", "port: pass")
    for left in (3, 2):
        assert (s.seat, s.wanted["fruit"]) == (0, left)
        play(s, "port: deliver 1 fruit")
    play(s, "port: deliver 1 rum")
    assert (s.seat, s.decides, s.wanted) == (0, Phase.PORT, {"fruit": 1, "rum": 1})
    play(s, "port: pass")
    assert (s.active, s.value, s.points[0], s.held(0)) == (1, 3, 10, {"fruit": 1})


@pytest.mark.rule("SC-PORT-4")
def test_passing_is_always_allowed():
    s = board(before="port", goods=[{"fruit": 4}, {"fruit": 1}], demand={"fruit": 4})
    drive(s, "port")
    assert "port: pass" in legal(s)
    play(s, "port: deliver 1 fruit")
    assert "port: pass" in legal(s)


@pytest.mark.rule("SC-PORT-5")
@pytest.mark.parametrize(("value", "after"), [(2, 3), (3, 4)])
def test_when_all_have_passed_the_marker_moves_one_flag_right_and_the_ship_stays(value, after):
    s = board(before="port", goods=[{"fruit": 1}, {"rum": 1}], demand={"fruit": 2, "rum": 2}, value=value)
    drive(s, "port")
    play(s, "port: pass", "port: deliver 1 rum")
    assert (s.value, s.ship, s.in_port, s.wanted) == (after, 1, 1, {"fruit": 2, "rum": 1})
    assert (s.active, s.decides) == (1, Phase.CAR)


@pytest.mark.rule("SC-PORT-5")
def test_a_round_in_which_nobody_can_deliver_moves_the_marker_too():
    s = board(before="port", demand={"fruit": 2, "rum": 2})
    drive(s, "port")
    assert (s.value, s.active, s.decides) == (3, 1, Phase.CAR)


@pytest.mark.rule("SC-PORT-5", "SC-VAL-2", "SC-NEW-2")
def test_when_all_have_passed_at_four_the_ship_leaves_and_the_one_who_began_the_round_rolls():
    s = board(before="port", active=1, goods=[{"fruit": 1}, {}, {"fruit": 1}, {"rum": 2}], demand={"fruit": 2, "rum": 2}, value=4)
    drive(s, "port")
    play(s, "port: pass", "port: deliver 1 rum", "port: pass")
    play(s, "port: pass", rolls=[ROLL])
    assert (s.ship, s.value, s.decides, s.seat, s.points.tolist()) == (2, 2, Phase.DICE, 1, [2, 2, 2, 6])
    play(s, "ship: put the cigars die aside")
    assert s.active == 2


@pytest.mark.rule("SC-PORT-5", "SC-NEW-1")
def test_the_ship_leaves_in_the_middle_of_a_round_once_all_dice_show_zero():
    s = board(
        before="port",
        active=3,
        goods=[{"rum": 2}, {"fruit": 3}, {"rum": 1, "wood": 2}, {"fruit": 2}],
        demand={"fruit": 2, "rum": 1},
        value=3,
    )
    drive(s, "port")
    play(s, "port: deliver 2 fruit")
    play(s, "port: deliver 1 rum", rolls=[ROLL])
    assert s.points.tolist() == [5, 2, 2, 8]
    assert (s.ship, s.value, s.in_port) == (2, 2, 0)
    assert (s.decides, s.seat, s.active) == (Phase.DICE, 3, 3)
    assert s.passed.tolist() == [0, 0, 0, 0]


@pytest.mark.rule("SC-PORT-5", "SC-END-1")
def test_the_seventh_ship_ends_the_game_in_the_middle_of_a_round():
    s = board(before="port", goods=[{"fruit": 3}, {"fruit": 3}], demand={"fruit": 2}, ship=7, value=4)
    drive(s, "port")
    play(s, "port: deliver 2 fruit")
    assert (s.status, s.points.tolist()) == (Status.ENDED, [10, 2, 2, 2])


@pytest.mark.rule("SC-PORT-5", "SC-END-1", "SC-BLD-4")
def test_the_seventh_ship_leaves_when_all_pass_at_four_and_no_owner_is_paid():
    s = board(before="port", demand={"fruit": 2}, ship=7, value=4, pawns=["bank"], owners={"bank": 3})
    drive(s, "port")
    assert (s.status, s.points.tolist()) == (Status.ENDED, [2, 2, 2, 2])
