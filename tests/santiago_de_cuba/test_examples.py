"""The worked examples of the three rulebooks, by their numbers in RULES.md."""

import pytest

from tests.santiago_de_cuba.board import board, drive, legal, new_game, play, result
from tradewinds.envs.santiago_de_cuba.state import Phase

ROLL = (1, 1, 1, 1, 1)
PORT_EXAMPLE = {
    "before": "port",
    "goods": [{"fruit": 2, "rum": 1}, {"sugar": 2}, {"sugar": 2, "fruit": 1}, {}],
    "demand": {"fruit": 4, "sugar": 2, "rum": 1},
    "value": 3,
    "points": [0, 0, 0, 0],
}
PORT_MOVES = ("port: deliver 2 fruit", "port: deliver 2 sugar", "port: deliver 1 fruit")


@pytest.mark.rule("SC-SET-3")
def test_example_1_what_a_player_starts_with():
    s = new_game(4)
    assert (s.pesos[1], s.points[1], s.held(1)) == (3, 2, {"sugar": 1, "tobacco": 1, "fruit": 1})


@pytest.mark.rule("SC-CAR-1", "SC-CUB-1", "SC-BLD-1")
def test_example_2_from_maria_to_pedro_for_two_pesos_and_then_to_a_white_flower():
    white = ["bank", "café", "church"]
    s = board(street=["Maria", "José", "Martinez", "Pedro"], car_at="Maria", under={"white": white})
    drive(s, "Pedro")
    assert (s.pesos[0], s.held(0)) == (1, {"tobacco": 2})
    assert legal(s) == {f"pawn: enter the {building}" for building in white}


@pytest.mark.rule("SC-CUB-5")
def test_example_3_el_zorro_in_the_first_round_opens_no_building():
    s = new_game(2)
    s.record["street"][[0, 5]] = s.street[[5, 0]]
    play(s, "ship: put the rum die aside", "car: drive 1 stop for 0 pesos")
    assert (s.car_at, s.decides, s.seat) == ("El Zorro", Phase.EL_ZORRO, 1)
    play(s, "El Zorro: give 1 point")
    assert (s.points.tolist(), s.pawn_in(0), s.active, s.decides) == ([3, 1], None, 1, Phase.CAR)


@pytest.mark.rule("SC-CUB-6")
def test_example_4_the_own_bank_through_the_lawyer_without_moving_the_pawn_and_then_a_white_building():
    s = board(before="Alonso", owners={"bank": 0}, pawns=["sawmill"], under={"white": ["church", "café", "newspaper"]})
    drive(s, "Alonso")
    play(s, "Alonso: use the own bank")
    assert (s.pesos[0], s.pawn_in(0)) == (5, "sawmill")
    assert legal(s, "pawn: enter the") == {"church", "café", "newspaper"}
    play(s, "pawn: enter the church", "church: take 1 point")
    assert s.points[0] == 3


@pytest.mark.rule("SC-PORT-1", "SC-PORT-2", "SC-PORT-4", "SC-PORT-5")
def test_example_5_a_delivery_round():
    s = board(**PORT_EXAMPLE)
    drive(s, "port")
    play(s, PORT_MOVES[0])
    assert (s.points.tolist(), s.seat) == ([6, 0, 0, 0], 1)
    play(s, PORT_MOVES[1])
    assert (s.points.tolist(), s.seat) == ([6, 6, 0, 0], 2)
    assert legal(s) == {"port: deliver 1 fruit", "port: pass"}
    play(s, PORT_MOVES[2])
    assert (s.points.tolist(), s.seat, s.passed.tolist()) == ([6, 6, 3, 0], 0, [0, 0, 0, 1])
    play(s, "port: deliver 1 rum")
    assert s.points.tolist() == [9, 6, 3, 0]
    assert (s.wanted, s.value, s.ship, s.in_port) == ({"fruit": 1}, 4, 1, 1)
    assert (s.active, s.decides) == (1, Phase.CAR)


@pytest.mark.rule("SC-PORT-5", "SC-NEW-2")
def test_example_6_the_same_round_with_the_last_fruit_delivered():
    goods = [{"fruit": 2, "rum": 1}, {"sugar": 2, "fruit": 1}, {"sugar": 2, "fruit": 1}, {}]
    s = board(**{**PORT_EXAMPLE, "goods": goods})
    drive(s, "port")
    play(s, *PORT_MOVES, "port: deliver 1 rum")
    play(s, "port: deliver 1 fruit", rolls=[ROLL])
    assert s.points.tolist() == [9, 9, 3, 0]
    assert (s.ship, s.value, s.decides, s.seat) == (2, 2, Phase.DICE, 0)


@pytest.mark.rule("SC-PORT-3")
def test_example_7_two_wood_close_the_demand_for_sugar_or_rum():
    position = {"before": "port", "goods": [{"wood": 2, "sugar": 1}], "demand": {"sugar": 2, "rum": 2, "tobacco": 1}, "value": 3}
    s = board(**position)
    drive(s, "port")
    assert legal(s, "port: deliver") == {
        "1 sugar",
        "1 wood as sugar",
        "2 wood as sugar",
        "1 wood as rum",
        "2 wood as rum",
        "1 wood as tobacco",
    }
    for closed, left in (("sugar", "rum"), ("rum", "sugar")):
        s = board(**position)
        drive(s, "port")
        play(s, f"port: deliver 2 wood as {closed}")
        assert (s.points[0], s.wanted) == (4, {left: 2, "tobacco": 1})


@pytest.mark.rule("SC-CUB-1", "SC-BLD-1", "SC-BLD-4", "SC-B-BANK")
def test_example_8_only_the_bank_is_left_of_the_blue_buildings_and_its_owner_gets_a_point():
    s = board(
        before="Miguel",
        under={"blue": ["cigar factory", "black market", "bank"]},
        pawns=["black market", "cigar factory"],
        owners={"bank": 1},
    )
    drive(s, "Miguel")
    assert (s.held(0), s.pawn_in(0)) == ({"wood": 2}, "bank")
    play(s, "bank: take 2 pesos")
    assert (s.pesos[0], s.points.tolist()) == (5, [2, 3, 2, 2])


@pytest.mark.rule("SC-B-CAFE")
def test_example_9_the_cafe_pays_four_points_at_most():
    s = board(before="Pedro", under={"white": ["café"]}, goods=[{"cigars": 4, "rum": 4}])
    drive(s, "Pedro")
    play(s, "pawn: enter the café")
    assert legal(s, "café: hand in") == {"1 cigars", "1 rum", "1 cigars and 1 rum"}
    play(s, "café: hand in 1 cigars and 1 rum")
    assert (s.points[0], s.held(0)) == (6, {"cigars": 3, "rum": 3, "tobacco": 2})


@pytest.mark.rule("SC-B-CASINO")
@pytest.mark.parametrize(
    ("exchange", "pesos", "points"),
    [("buy 1 point for 3 pesos", 0, 3), ("sell 1 point for 3 pesos", 6, 1)],
)
def test_example_10_three_pesos_are_a_point_and_a_point_three_pesos(exchange, pesos, points):
    s = board(before="Pedro", under={"white": ["casino"]})
    drive(s, "Pedro")
    play(s, "pawn: enter the casino", f"casino: {exchange}")
    assert (s.pesos[0], s.points[0]) == (pesos, points)


@pytest.mark.rule("SC-B-AUTHORITY", "SC-VAL-2")
def test_example_11_the_authority_moves_only_right_from_two_and_sends_the_ship_away_from_four():
    s = board(before="Pedro", value=2)
    drive(s, "Pedro")
    play(s, "pawn: enter the harbour authority")
    assert legal(s) == {"harbour authority: raise the value", "building: no use"}
    s = board(before="Pedro", value=4)
    drive(s, "Pedro")
    play(s, "pawn: enter the harbour authority")
    play(s, "harbour authority: raise the value", rolls=[ROLL])
    assert (s.ship, s.decides, s.seat) == (2, Phase.DICE, 0)


@pytest.mark.rule("SC-B-OFFICE")
def test_example_12_the_office_pays_two_points_at_marker_four():
    s = board(before="Pedro", value=4, demand={"tobacco": 2})
    drive(s, "Pedro")
    play(s, "pawn: enter the contractor's office", "contractor's office: deliver 1 tobacco")
    assert (s.points[0], s.wanted, s.held(0)) == (4, {"tobacco": 1}, {"tobacco": 1})


@pytest.mark.rule("SC-NEW-3")
def test_example_13_all_zeros_move_the_track_and_the_same_player_rolls_again():
    s = board(before="port", active=2, demand={"rum": 1}, value=4)
    drive(s, "port", rolls=[(0, 0, 0, 0, 0), ROLL])
    assert (s.ship, s.seat, s.decides) == (3, 2, Phase.DICE)


@pytest.mark.rule("SC-CAR-3", "SC-NEW-2", "SC-NEW-4")
def test_example_14_a_port_passed_at_marker_four_bars_the_port_buildings_until_the_roll():
    s = board(car_at="Alonso", value=4, goods=[{"sugar": 1}], under={"white": ["harbour authority", "contractor's office", "bank"]})
    play(s, "car: drive 2 stops for 1 peso")
    assert (s.held(0), s.ship, s.decides) == ({"sugar": 1, "tobacco": 2}, 2, Phase.PAWN)
    play(s, "pawn: enter the contractor's office", rolls=[ROLL])
    assert (s.decides, s.seat, s.points[0]) == (Phase.DICE, 0, 2)
    play(s, "ship: put the rum die aside")
    assert (s.wanted, s.active) == ({"sugar": 1, "tobacco": 1, "cigars": 1, "fruit": 1}, 1)


@pytest.mark.rule("SC-END-2")
def test_example_15_seven_goods_at_the_end_are_two_points():
    assert result(board(2, goods=[{"wood": 3, "rum": 4}], points=[0, 0]))[0] == [2, 0]


@pytest.mark.rule("SC-B-NEWS", "SC-CAR-2", "SC-CAR-6")
def test_an_inactive_cuban_may_be_driven_past_at_the_usual_price_and_is_active_again_then():
    s = board(before="Pedro", under={"white": ["newspaper"]})
    drive(s, "Pedro")
    play(s, "pawn: enter the newspaper", "newspaper: take 1 peso and turn Miguel over")
    drive(s, "José")
    assert (s.pesos[1], s.inactive_cubans, s.held(1)) == (2, set(), {"sugar": 2})
