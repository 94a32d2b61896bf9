"""Part A of a turn: driving, the port passed, and tiles turned over."""

import pytest

from tests.santiago_de_cuba.board import CUBANS, board, drive, drive_name, legal, play
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.state import Phase

ROLL = (1, 1, 1, 1, 1)


@pytest.mark.rule("SC-CAR-1")
@pytest.mark.parametrize("pesos", [0, 1, 3, 12])
def test_the_car_moves_at_least_one_stop_and_each_after_the_first_costs_a_peso(pesos):
    s = board(pesos=[pesos])
    assert legal(s) == {drive_name(stops) for stops in range(1, pesos + 2)}


@pytest.mark.rule("SC-CAR-1")
@pytest.mark.parametrize("stops", [1, 2, 5])
def test_the_active_player_pays_for_every_stop_but_the_first(stops):
    s = board(active=2, car_at="Pedro", street=["Pedro", "Maria", "José", "Miguel", "Conchita", "Pablo"], pesos=[3, 3, 4])
    play(s, drive_name(stops))
    assert s.pesos.tolist() == [3, 3, 4 - (stops - 1), 3]


@pytest.mark.rule("SC-CAR-1")
def test_the_car_drives_clockwise():
    s = board(street=["Maria", "José", "Pedro"], car_at="Maria")
    play(s, "car: drive 1 stop for 0 pesos")
    assert s.car_at == "José"


@pytest.mark.rule("SC-CAR-2")
def test_laps_are_allowed_up_to_forty_stops():
    assert len(legal(board(pesos=[38]))) == 39
    assert len(legal(board(pesos=[39]))) == 40
    assert len(legal(board(pesos=[100]))) == 40


@pytest.mark.rule("SC-CAR-2")
@pytest.mark.parametrize("car_at", ["port", *CUBANS])
def test_forty_stops_are_enough_to_pass_the_port_three_times_and_stop_anywhere(car_at):
    for target in ["port", *CUBANS]:
        start, end = ("port", *CUBANS).index(car_at), ("port", *CUBANS).index(target)
        stops = (40 if end == 0 else 30 + end) - start
        s = board(car_at=car_at, pesos=[39])
        play(s, drive_name(stops), rolls=[ROLL] if target == "port" else [])
        assert (s.car_at, s.ship, s.in_port) == (target, 2, 0)


@pytest.mark.rule("SC-CAR-2")
def test_the_stop_of_an_inactive_cuban_counts_like_any_other():
    s = board(car_at="Pedro", inactive=["Miguel", "José"], pesos=[3])
    play(s, "car: drive 4 stops for 3 pesos")
    assert (s.car_at, s.pesos[0]) == ("Maria", 0)


@pytest.mark.rule("SC-CAR-2", "SC-END-1")
def test_the_payment_stands_when_the_move_ends_the_game():
    s = board(car_at="Conchita", value=4, ship=7, pesos=[5], goods=[{"wood": 3}])
    play(s, "car: drive 4 stops for 3 pesos")
    assert s.status == Status.ENDED
    assert s.pesos[0] == 2
    assert (s.points[0], s.held(0)) == (2, {"wood": 3})


@pytest.mark.rule("SC-CAR-3", "SC-VAL-1")
@pytest.mark.parametrize(("before", "after"), [(2, 3), (3, 4)])
def test_passing_the_port_moves_the_marker_one_flag_right(before, after):
    s = board(car_at="Alonso", value=before)
    play(s, "car: drive 2 stops for 1 peso")
    assert (s.car_at, s.value, s.ship, s.in_port) == ("Pedro", after, 1, 1)


@pytest.mark.rule("SC-CAR-3", "SC-VAL-2")
def test_passing_the_port_at_four_sends_the_ship_away():
    s = board(car_at="Alonso", value=4)
    play(s, "car: drive 2 stops for 1 peso")
    assert (s.car_at, s.value, s.ship, s.in_port, s.wanted) == ("Pedro", 2, 2, 0, {})
    assert s.decides == Phase.PAWN


@pytest.mark.rule("SC-CAR-3")
def test_two_passes_in_one_move_raise_the_value_by_two():
    s = board(car_at="Alonso", pesos=[11])
    play(s, "car: drive 12 stops for 11 pesos")
    assert (s.car_at, s.value, s.ship) == ("Pedro", 4, 1)


@pytest.mark.rule("SC-CAR-3", "SC-VAL-2")
def test_three_passes_in_one_move_send_the_ship_away():
    s = board(car_at="Alonso", pesos=[21])
    play(s, "car: drive 22 stops for 21 pesos")
    assert (s.car_at, s.value, s.ship, s.in_port) == ("Pedro", 2, 2, 0)


@pytest.mark.rule("SC-CAR-3")
def test_passing_the_port_with_no_ship_in_it_moves_nothing():
    s = board(car_at="Alonso", value=4, pesos=[31])
    play(s, "car: drive 32 stops for 31 pesos")
    assert (s.car_at, s.value, s.ship, s.in_port) == ("Pedro", 2, 2, 0)


@pytest.mark.rule("SC-CAR-3")
def test_starting_from_the_port_is_not_passing_it():
    s = board(car_at="port")
    play(s, "car: drive 3 stops for 2 pesos")
    assert (s.car_at, s.value) == ("José", 2)


@pytest.mark.rule("SC-CAR-3")
def test_stopping_at_the_port_is_not_passing_it():
    s = board(car_at="Alonso", goods=[{"fruit": 1}])
    play(s, "car: drive 1 stop for 0 pesos")
    assert (s.car_at, s.value, s.decides) == ("port", 2, Phase.PORT)


@pytest.mark.rule("SC-CAR-3", "SC-CAR-5")
def test_a_lap_from_port_to_port_passes_it_not_once():
    s = board(car_at="port", pesos=[9], goods=[{"fruit": 1}])
    play(s, "car: drive 10 stops for 9 pesos")
    assert (s.car_at, s.value, s.decides) == ("port", 2, Phase.PORT)


@pytest.mark.rule("SC-CAR-4")
def test_stopping_at_a_cuban_uses_that_cuban_and_then_a_building():
    s = board(before="Maria")
    drive(s, "Maria")
    assert s.points[0] == 4
    assert (s.decides, s.seat) == (Phase.PAWN, 0)


@pytest.mark.rule("SC-CAR-4")
@pytest.mark.parametrize("cuban", CUBANS)
def test_an_inactive_cuban_gives_nothing_and_opens_no_building(cuban):
    s = board(before=cuban, inactive=[cuban], pawns=["bank"], goods=[{}, {"rum": 1}], owners={"church": 0})
    drive(s, cuban)
    assert s.pesos.tolist() == [3, 3, 3, 3]
    assert s.points.tolist() == [2, 2, 2, 2]
    assert (s.held(0), s.held(1), s.pawn_in(0)) == ({}, {"rum": 1}, "bank")
    assert (s.seat, s.active, s.turn, s.decides) == (1, 1, 9, Phase.CAR)
    assert s.inactive_cubans == {cuban}


@pytest.mark.rule("SC-CAR-5")
def test_stopping_at_the_port_begins_a_round_and_leaves_pawn_and_building_alone():
    s = board(before="port", pawns=["bank"], goods=[{"fruit": 1}])
    drive(s, "port")
    assert (s.decides, s.seat) == (Phase.PORT, 0)
    play(s, "port: pass")
    assert (s.decides, s.seat, s.pawn_in(0), s.pesos[0]) == (Phase.CAR, 1, "bank", 3)


@pytest.mark.rule("SC-CAR-5", "SC-NEW-4")
def test_nothing_happens_at_the_port_if_the_ship_left_in_the_same_move():
    s = board(car_at="Alonso", value=4, pesos=[10], goods=[{"fruit": 2}, {"fruit": 2}])
    play(s, "car: drive 11 stops for 10 pesos", rolls=[ROLL])
    assert s.car_at == "port"
    assert (s.ship, s.value, s.decides, s.seat) == (2, 2, Phase.DICE, 0)
    assert s.points.tolist() == [2, 2, 2, 2]


@pytest.mark.rule("SC-CAR-6")
def test_a_tile_that_the_car_passes_turns_active_again():
    s = board(car_at="Pedro", inactive=["Miguel", "Maria"])
    drive(s, "José")
    assert s.inactive_cubans == {"Maria"}


@pytest.mark.rule("SC-CAR-6")
def test_a_tile_stays_inactive_while_the_car_stands_at_it_and_turns_when_it_leaves():
    s = board(before="Miguel", inactive=["Miguel"])
    drive(s, "Miguel")
    assert (s.seat, s.inactive_cubans) == (1, {"Miguel"})
    drive(s, "José")
    assert s.inactive_cubans == set()


@pytest.mark.rule("SC-CAR-6")
def test_a_full_lap_back_to_an_inactive_tile_uses_it():
    s = board(car_at="Maria", inactive=["Maria"], pesos=[9])
    drive(s, "Maria")
    assert (s.points[0], s.decides, s.value) == (4, Phase.PAWN, 3)


@pytest.mark.rule("SC-CAR-6")
def test_a_tile_passed_on_the_first_lap_is_used_at_the_end_of_the_second():
    s = board(car_at="Pablo", inactive=["Maria"], pesos=[10])
    play(s, "car: drive 11 stops for 10 pesos")
    assert (s.car_at, s.points[0], s.inactive_cubans) == ("Maria", 4, set())


@pytest.mark.rule("SC-CAR-7")
def test_a_turn_goes_from_the_move_to_the_departure_the_cuban_the_pawn_the_building_the_owner_and_the_roll():
    s = board(car_at="Alonso", value=4, under={"white": ["bank"]}, owners={"bank": 2})
    play(s, "car: drive 2 stops for 1 peso")
    assert (s.ship, s.in_port, s.held(0), s.decides) == (2, 0, {"tobacco": 2}, Phase.PAWN)
    play(s, "pawn: enter the bank")
    assert (s.decides, s.points[2]) == (Phase.BUILDING, 2)
    play(s, "bank: take 2 pesos", rolls=[ROLL])
    assert (s.pesos[0], s.points[2], s.decides, s.seat, s.turn) == (4, 3, Phase.DICE, 0, 8)
    play(s, "ship: put the rum die aside")
    assert (s.decides, s.seat, s.turn) == (Phase.CAR, 1, 9)


@pytest.mark.rule("SC-CAR-7", "SC-CUB-1")
def test_what_the_cuban_gives_can_be_used_in_the_building():
    s = board(before="Miguel")
    drive(s, "Miguel")
    play(s, "pawn: enter the sawmill", "sawmill: turn 1 wood into 1 point and 1 peso")
    assert (s.held(0), s.points[0], s.pesos[0]) == ({"wood": 1}, 3, 4)


@pytest.mark.rule("SC-CAR-7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_clockwise(players):
    s = board(players, inactive=CUBANS, car_at="port")
    turns = []
    for _ in range(5):
        turns.append(int(s.seat))
        play(s, "car: drive 1 stop for 0 pesos")
    assert turns == [i % players for i in range(5)]
