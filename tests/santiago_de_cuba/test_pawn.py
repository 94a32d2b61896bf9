"""Part B of a turn: the pawn enters a building, and what its owner gets."""

import pytest

from tests.santiago_de_cuba.board import board, drive, legal, play
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.state import Phase

ROLL = (1, 1, 1, 1, 1)
YELLOW = {"yellow": ["bank", "church", "casino"]}


@pytest.mark.rule("SC-BLD-1")
@pytest.mark.parametrize(
    ("cuban", "flower"),
    [
        ("Pedro", "white"),
        ("Miguel", "blue"),
        ("José", "yellow"),
        ("Maria", "red"),
        ("Martinez", "yellow"),
        ("Conchita", "blue"),
    ],
)
def test_the_pawn_must_enter_one_of_the_three_buildings_under_the_cubans_flower(cuban, flower):
    three = ["casino", "newspaper", "sawmill"]
    s = board(before=cuban, under={flower: three}, pawns=["café"])
    drive(s, cuban)
    assert legal(s) == {f"pawn: enter the {building}" for building in three}


@pytest.mark.rule("SC-BLD-1")
@pytest.mark.parametrize(("cuban", "choice"), [("Pablo", "Pablo: take 1 rum"), ("Alonso", "Alonso: nothing")])
def test_pablo_and_alonso_open_the_buildings_of_their_flower_too(cuban, choice):
    three = ["casino", "newspaper", "sawmill"]
    s = board(before=cuban, under={"red" if cuban == "Pablo" else "white": three}, pawns=["café"])
    drive(s, cuban)
    play(s, choice)
    assert legal(s, "pawn: enter the") == set(three)


@pytest.mark.rule("SC-BLD-1")
def test_a_building_with_another_pawn_cannot_be_entered():
    s = board(before="José", under=YELLOW, pawns=[None, "church"])
    drive(s, "José")
    assert legal(s, "pawn: enter the") == {"bank", "casino"}


@pytest.mark.rule("SC-BLD-1")
def test_the_building_that_the_pawn_is_in_cannot_be_entered_again():
    s = board(before="José", under=YELLOW, pawns=["church"])
    drive(s, "José")
    assert legal(s, "pawn: enter the") == {"bank", "casino"}


@pytest.mark.rule("SC-BLD-1")
def test_a_marker_does_not_block_a_building():
    s = board(before="José", under=YELLOW, owners={"bank": 1, "church": 0, "casino": 3})
    drive(s, "José")
    assert legal(s, "pawn: enter the") == {"bank", "church", "casino"}


@pytest.mark.rule("SC-BLD-1")
def test_the_pawn_leaves_its_old_building():
    s = board(before="José", under=YELLOW, pawns=["newspaper"])
    drive(s, "José")
    play(s, "pawn: enter the church", "building: no use")
    assert s.pawn_in(0) == "church"


@pytest.mark.rule("SC-BLD-1")
def test_the_last_free_building_is_entered_unasked():
    s = board(before="José", under=YELLOW, pawns=["church", "casino"])
    drive(s, "José")
    assert (s.pawn_in(0), s.decides) == ("bank", Phase.BUILDING)
    assert legal(s) == {"bank: take 2 pesos", "building: no use"}


@pytest.mark.rule("SC-BLD-2")
def test_when_opponents_hold_all_three_the_pawn_stays_and_may_use_its_own_building():
    s = board(before="José", under=YELLOW, pawns=["newspaper", "bank", "church", "casino"])
    drive(s, "José")
    assert (s.pawn_in(0), s.decides, s.held(0)) == ("newspaper", Phase.BUILDING, {"sugar": 2})
    play(s, "newspaper: take 1 peso")
    assert (s.pesos[0], s.pawn_in(0), s.active) == (4, "newspaper", 1)


@pytest.mark.rule("SC-BLD-2")
def test_when_two_opponents_and_the_own_pawn_fill_the_flower_the_pawn_stays_and_may_use_its_building_again():
    s = board(before="José", under=YELLOW, pawns=["bank", None, "church", "casino"])
    drive(s, "José")
    assert (s.pawn_in(0), s.decides) == ("bank", Phase.BUILDING)
    play(s, "bank: take 2 pesos")
    assert (s.pesos[0], s.pawn_in(0), s.active) == (5, "bank", 1)


@pytest.mark.rule("SC-BLD-2")
def test_when_all_three_are_taken_a_pawn_off_the_board_stays_off_it():
    s = board(before="José", under=YELLOW, pawns=[None, "bank", "church", "casino"])
    drive(s, "José")
    assert (s.pawn_in(0), s.decides, s.active, s.held(0)) == (None, Phase.CAR, 1, {"sugar": 2})


@pytest.mark.rule("SC-BLD-2", "SC-CUB-6")
def test_after_alonso_too_a_blocked_pawn_stays():
    s = board(
        before="Alonso",
        under={"white": ["bank", "church", "casino"]},
        pawns=["newspaper", "bank", "church", "casino"],
        owners={"bank": 0},
    )
    drive(s, "Alonso")
    play(s, "Alonso: use the own bank")
    assert (s.pesos[0], s.decides, s.pawn_in(0)) == (5, Phase.BUILDING, "newspaper")


@pytest.mark.rule("SC-BLD-3")
@pytest.mark.parametrize("building", ["bank", "church", "casino"])
def test_using_the_building_is_optional(building):
    s = board(before="José", under=YELLOW)
    drive(s, "José")
    play(s, f"pawn: enter the {building}")
    assert "building: no use" in legal(s)
    play(s, "building: no use")
    assert (s.pesos[0], s.points[0], s.pawn_in(0), s.active) == (3, 2, building, 1)


@pytest.mark.rule("SC-BLD-3")
def test_a_building_that_can_do_nothing_is_entered_and_not_asked_about():
    s = board(before="José", under={"yellow": ["distillery", "sawmill", "café"]}, goods=[{}])
    drive(s, "José")
    play(s, "pawn: enter the sawmill")
    assert (s.pawn_in(0), s.active, s.decides) == ("sawmill", 1, Phase.CAR)


@pytest.mark.rule("SC-BLD-4")
def test_an_opponent_whose_building_is_entered_gets_a_point_at_the_end_of_the_turn():
    s = board(before="José", under=YELLOW, owners={"bank": 2, "church": 1})
    drive(s, "José")
    play(s, "pawn: enter the bank")
    assert s.points.tolist() == [2, 2, 2, 2]
    play(s, "building: no use")
    assert s.points.tolist() == [2, 2, 3, 2]


@pytest.mark.rule("SC-BLD-4")
def test_ones_own_building_and_one_that_nobody_owns_pay_nothing():
    for owners in ({"bank": 0}, {}):
        s = board(before="José", under=YELLOW, owners=owners)
        drive(s, "José")
        play(s, "pawn: enter the bank", "building: no use")
        assert s.points.tolist() == [2, 2, 2, 2]


@pytest.mark.rule("SC-BLD-4")
def test_only_the_building_where_the_pawn_ends_the_turn_pays_its_owner():
    s = board(before="José", under=YELLOW, pawns=["newspaper"], owners={"newspaper": 1, "church": 3})
    drive(s, "José")
    play(s, "pawn: enter the church", "building: no use")
    assert s.points.tolist() == [2, 2, 2, 3]


@pytest.mark.rule("SC-BLD-4")
def test_the_pawns_of_the_others_pay_nothing_in_this_turn():
    s = board(before="José", under=YELLOW, pawns=[None, "newspaper", "sawmill"], owners={"newspaper": 0, "sawmill": 1})
    drive(s, "José")
    play(s, "pawn: enter the bank", "building: no use")
    assert s.points.tolist() == [2, 2, 2, 2]


@pytest.mark.rule("SC-BLD-4")
def test_the_owner_is_paid_after_a_turn_in_port():
    s = board(before="port", pawns=["bank"], owners={"bank": 3})
    drive(s, "port")
    assert (s.points.tolist(), s.active) == ([2, 2, 2, 3], 1)


@pytest.mark.rule("SC-BLD-4")
def test_the_owner_is_paid_after_a_turn_in_port_that_sent_the_ship_away():
    s = board(before="port", pawns=["bank"], owners={"bank": 3}, goods=[{"fruit": 1, "wood": 1}], demand={"fruit": 1})
    drive(s, "port")
    play(s, "port: deliver 1 fruit", rolls=[ROLL])
    assert (s.points.tolist(), s.decides) == ([4, 2, 2, 3], Phase.DICE)
    play(s, "ship: put the rum die aside")
    assert s.points.tolist() == [4, 2, 2, 3]


@pytest.mark.rule("SC-BLD-4")
def test_the_owner_is_paid_after_a_stop_at_an_inactive_tile():
    s = board(before="José", inactive=["José"], pawns=["bank"], owners={"bank": 3})
    drive(s, "José")
    assert (s.points.tolist(), s.active) == ([2, 2, 2, 3], 1)


@pytest.mark.rule("SC-BLD-4")
def test_the_owner_is_paid_after_el_zorro():
    s = board(2, before="El Zorro", pawns=["bank"], owners={"bank": 1})
    drive(s, "El Zorro")
    play(s, "El Zorro: give 1 peso", "bank: take 2 pesos")
    assert (s.points.tolist(), s.active) == ([2, 3], 1)


@pytest.mark.rule("SC-BLD-4")
def test_the_owner_is_paid_when_the_pawn_was_blocked():
    s = board(before="José", under=YELLOW, pawns=["newspaper", "bank", "church", "casino"], owners={"newspaper": 1, "bank": 2})
    drive(s, "José")
    play(s, "building: no use")
    assert (s.points.tolist(), s.active) == ([2, 3, 2, 2], 1)


@pytest.mark.rule("SC-BLD-4", "SC-END-1")
def test_the_owner_is_not_paid_in_the_turn_that_ends_the_game():
    s = board(before="port", pawns=["bank"], owners={"bank": 3}, goods=[{"fruit": 1}], demand={"fruit": 1}, ship=7)
    drive(s, "port")
    play(s, "port: deliver 1 fruit")
    assert (s.status, s.points.tolist()) == (Status.ENDED, [4, 2, 2, 2])
