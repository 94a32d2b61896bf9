"""What the twelve buildings do."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.santiago_de_cuba.board import CUBANS, Position, board, drive, legal, play
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.state import Phase

ROLL = (1, 1, 1, 1, 1)
PORT_BUILDINGS = ["customs office", "harbour authority", "contractor's office"]


def visit(building: str, goods: Mapping[str, int] | None = None, **position: Any) -> Position:
    """Seat 0 has come by Maria and entered the building, whose use is now to be decided."""
    s = board(before="Maria", under={"red": [building]}, goods=[goods or {}], **position)
    drive(s, "Maria")
    play(s, f"pawn: enter the {building}")
    return s


@pytest.mark.rule("SC-B-BANK")
def test_the_bank_gives_two_pesos():
    s = visit("bank")
    assert legal(s) == {"bank: take 2 pesos", "building: no use"}
    play(s, "bank: take 2 pesos")
    assert (s.pesos.tolist(), s.active) == ([5, 3, 3, 3], 1)


@pytest.mark.rule("SC-B-CHURCH")
def test_the_church_gives_a_point():
    s = visit("church")
    assert legal(s) == {"church: take 1 point", "building: no use"}
    play(s, "church: take 1 point")
    assert (s.points.tolist(), s.active) == ([5, 2, 2, 2], 1)


@pytest.mark.rule("SC-B-DISTILLERY")
def test_the_distillery_turns_any_number_of_sugar_into_as_many_rum():
    s = visit("distillery", {"sugar": 3, "tobacco": 2})
    assert legal(s) == {f"distillery: turn {n} sugar into rum" for n in (1, 2, 3)} | {"building: no use"}
    play(s, "distillery: turn 2 sugar into rum")
    assert s.held(0) == {"sugar": 1, "tobacco": 2, "rum": 2}
    assert (s.left("sugar"), s.left("rum"), s.active) == (7, 6, 1)


@pytest.mark.rule("SC-B-CIGAR")
def test_the_cigar_factory_turns_any_number_of_tobacco_into_as_many_cigars():
    s = visit("cigar factory", {"sugar": 3, "tobacco": 2})
    assert legal(s) == {f"cigar factory: turn {n} tobacco into cigars" for n in (1, 2)} | {"building: no use"}
    play(s, "cigar factory: turn 2 tobacco into cigars")
    assert s.held(0) == {"sugar": 3, "cigars": 2}
    assert (s.left("tobacco"), s.left("cigars"), s.active) == (8, 6, 1)


@pytest.mark.rule("SC-B-DISTILLERY", "SC-B-CIGAR")
@pytest.mark.parametrize(("building", "raw", "made"), [("distillery", "sugar", "rum"), ("cigar factory", "tobacco", "cigars")])
def test_distillery_and_factory_are_limited_by_the_supply(building, raw, made):
    s = board(before="Maria", under={"red": [building]}, goods=[{raw: 8}, {made: 6}])
    drive(s, "Maria")
    play(s, f"pawn: enter the {building}")
    assert legal(s, f"{building}:") == {f"turn {n} {raw} into {made}" for n in (1, 2)}
    s = board(before="Maria", under={"red": [building]}, goods=[{raw: 8}])
    drive(s, "Maria")
    play(s, f"pawn: enter the {building}", f"{building}: turn 8 {raw} into {made}")
    assert s.held(0) == {made: 8}
    s = board(before="Maria", under={"red": [building]}, goods=[{raw: 2}, {made: 8}])
    drive(s, "Maria")
    play(s, f"pawn: enter the {building}")
    assert (s.decides, s.active) == (Phase.CAR, 1)


@pytest.mark.rule("SC-B-MARKET")
def test_the_black_market_swaps_one_good_for_a_different_one_and_no_wood_either_way():
    s = visit("black market", {"sugar": 2, "cigars": 1, "wood": 2})
    swaps = {("sugar", t) for t in ("tobacco", "rum", "cigars", "fruit")} | {("cigars", t) for t in ("sugar", "tobacco", "rum", "fruit")}
    assert legal(s) == {f"black market: swap 1 {g} for 1 {t}" for g, t in swaps} | {"building: no use"}
    play(s, "black market: swap 1 sugar for 1 rum")
    assert s.held(0) == {"sugar": 1, "cigars": 1, "wood": 2, "rum": 1}
    assert (s.left("sugar"), s.left("rum"), s.active) == (7, 7, 1)


@pytest.mark.rule("SC-B-MARKET")
def test_the_black_market_gives_only_what_is_in_supply():
    s = board(before="Maria", under={"red": ["black market"]}, goods=[{"sugar": 8}, {"rum": 8, "fruit": 8}, {"cigars": 8}])
    drive(s, "Maria")
    play(s, "pawn: enter the black market")
    assert legal(s, "black market:") == {"swap 1 sugar for 1 tobacco"}


@pytest.mark.rule("SC-B-SAWMILL")
def test_the_sawmill_turns_one_wood_into_a_point_and_a_peso():
    s = visit("sawmill", {"wood": 3})
    assert legal(s) == {"sawmill: turn 1 wood into 1 point and 1 peso", "building: no use"}
    play(s, "sawmill: turn 1 wood into 1 point and 1 peso")
    assert (s.held(0), s.points[0], s.pesos[0], s.left("wood"), s.active) == ({"wood": 2}, 5, 4, 6, 1)


@pytest.mark.rule("SC-B-SAWMILL")
def test_the_sawmill_needs_wood():
    s = visit("sawmill", {"rum": 1, "sugar": 1})
    assert (s.decides, s.active) == (Phase.CAR, 1)


@pytest.mark.rule("SC-B-CAFE")
@pytest.mark.parametrize(
    ("goods", "ways"),
    [
        ({"cigars": 3, "rum": 2}, {"1 cigars", "1 rum", "1 cigars and 1 rum"}),
        ({"cigars": 2, "sugar": 1}, {"1 cigars"}),
        ({"rum": 2, "tobacco": 1}, {"1 rum"}),
    ],
)
def test_the_cafe_takes_one_cigar_and_or_one_rum(goods, ways):
    s = visit("café", goods)
    assert legal(s, "café: hand in") == ways


@pytest.mark.rule("SC-B-CAFE")
@pytest.mark.parametrize(
    ("handed_in", "points", "left"),
    [
        ("1 cigars", 2, {"cigars": 1, "rum": 2}),
        ("1 rum", 2, {"cigars": 2, "rum": 1}),
        ("1 cigars and 1 rum", 4, {"cigars": 1, "rum": 1}),
    ],
)
def test_the_cafe_pays_two_points_for_each(handed_in, points, left):
    s = visit("café", {"cigars": 2, "rum": 2})
    play(s, f"café: hand in {handed_in}")
    assert (s.points[0], s.held(0), s.active) == (4 + points, left, 1)


@pytest.mark.rule("SC-B-CUSTOMS")
def test_the_customs_office_turns_a_die_on_the_ship_to_zero():
    s = visit("customs office", {"rum": 1}, demand={"sugar": 3, "rum": 1, "fruit": 4})
    assert legal(s) == {f"customs office: turn the {good} die to 0" for good in ("sugar", "rum", "fruit")} | {"building: no use"}
    play(s, "customs office: turn the fruit die to 0")
    assert (s.wanted, s.points[0], s.held(0), s.ship, s.active) == ({"sugar": 3, "rum": 1}, 4, {"rum": 1}, 1, 1)


@pytest.mark.rule("SC-B-CUSTOMS", "SC-NEW-1", "SC-NEW-2")
def test_the_customs_office_sends_the_ship_away_with_its_last_die():
    s = visit("customs office", demand={"sugar": 3}, value=3)
    play(s, "customs office: turn the sugar die to 0", rolls=[ROLL])
    assert (s.ship, s.value, s.points[0], s.decides, s.seat) == (2, 2, 4, Phase.DICE, 0)


@pytest.mark.rule("SC-B-CASINO")
def test_the_casino_sells_points_for_three_pesos_each():
    s = visit("casino", pesos=[11], points=[0])
    assert legal(s, "casino: buy") == {"1 point for 3 pesos", "2 points for 6 pesos", "3 points for 9 pesos"}
    play(s, "casino: buy 3 points for 9 pesos")
    assert (s.pesos[0], s.points[0], s.active) == (2, 5, 1)


@pytest.mark.rule("SC-B-CASINO")
def test_the_casino_buys_points_for_three_pesos_each():
    s = visit("casino", pesos=[2], points=[1])
    assert legal(s) == {
        "casino: sell 1 point for 3 pesos",
        "casino: sell 2 points for 6 pesos",
        "casino: sell 3 points for 9 pesos",
        "building: no use",
    }
    play(s, "casino: sell 2 points for 6 pesos")
    assert (s.pesos[0], s.points[0], s.active) == (8, 1, 1)


@pytest.mark.rule("SC-B-CASINO")
def test_more_than_ten_points_are_bought_in_one_visit_and_in_one_direction():
    s = visit("casino", pesos=[70], points=[5])
    play(s, "casino: buy 10 points for 30 pesos")
    assert (s.decides, s.seat, s.pesos[0], s.points[0]) == (Phase.BUILDING, 0, 40, 17)
    assert legal(s, "casino: sell") == set()
    assert len(legal(s, "casino: buy")) == 10
    play(s, "casino: buy 10 points for 30 pesos")
    assert legal(s, "casino: buy") == {"1 point for 3 pesos", "2 points for 6 pesos", "3 points for 9 pesos"}
    assert "building: no use" in legal(s)
    play(s, "casino: buy 2 points for 6 pesos")
    assert (s.pesos[0], s.points[0], s.active) == (4, 29, 1)


@pytest.mark.rule("SC-B-CASINO")
def test_more_than_ten_points_are_sold_in_one_visit_and_in_one_direction():
    s = visit("casino", points=[20])
    play(s, "casino: sell 10 points for 30 pesos")
    assert legal(s, "casino: buy") == set()
    assert len(legal(s, "casino: sell")) == 10
    play(s, "building: no use")
    assert (s.pesos[0], s.points[0], s.active, s.exchange) == (33, 12, 1, 0)


@pytest.mark.rule("SC-B-CASINO")
def test_the_visit_ends_when_ten_were_all():
    s = visit("casino", pesos=[32], points=[0])
    play(s, "casino: buy 10 points for 30 pesos")
    assert (s.pesos[0], s.points[0], s.active) == (2, 12, 1)
    s = visit("casino", pesos=[32], points=[8])
    play(s, "casino: sell 10 points for 30 pesos")
    assert (s.pesos[0], s.points[0], s.active) == (62, 0, 1)


@pytest.mark.rule("SC-B-CASINO")
def test_fewer_than_ten_end_the_visit():
    s = visit("casino", pesos=[70])
    play(s, "casino: buy 9 points for 27 pesos")
    assert (s.pesos[0], s.points[0], s.active) == (43, 13, 1)


@pytest.mark.rule("SC-B-CASINO", "SC-CUB-6")
def test_a_long_visit_to_the_own_casino_through_alonso_goes_on_and_part_b_follows():
    s = board(before="Alonso", owners={"casino": 0}, pesos=[60])
    drive(s, "Alonso")
    play(s, "Alonso: use the own casino")
    assert "building: no use" not in legal(s)
    play(s, "casino: buy 10 points for 30 pesos")
    assert legal(s) >= {"building: no use", "casino: buy 10 points for 30 pesos"}
    play(s, "building: no use")
    assert (s.pesos[0], s.points[0], s.decides, s.seat) == (30, 12, Phase.PAWN, 0)


@pytest.mark.rule("SC-B-CASINO")
def test_the_casino_of_one_who_has_neither_is_not_asked_about():
    s = board(before="José", under={"yellow": ["casino"]}, pesos=[2], points=[0])
    drive(s, "José")
    play(s, "pawn: enter the casino")
    assert (s.decides, s.active) == (Phase.CAR, 1)


@pytest.mark.rule("SC-B-AUTHORITY")
@pytest.mark.parametrize(("value", "ways"), [(2, {"raise"}), (3, {"raise", "lower"}), (4, {"raise", "lower"})])
def test_the_harbour_authority_moves_the_marker_either_way_but_at_two_only_right(value, ways):
    s = visit("harbour authority", value=value)
    assert legal(s) == {f"harbour authority: {way} the value" for way in ways} | {"building: no use"}


@pytest.mark.rule("SC-B-AUTHORITY")
@pytest.mark.parametrize(("value", "way", "after"), [(2, "raise", 3), (3, "raise", 4), (3, "lower", 2), (4, "lower", 3)])
def test_the_harbour_authority_moves_it_one_flag(value, way, after):
    s = visit("harbour authority", value=value)
    play(s, f"harbour authority: {way} the value")
    assert (s.value, s.ship, s.in_port, s.active) == (after, 1, 1, 1)


@pytest.mark.rule("SC-B-AUTHORITY", "SC-VAL-2", "SC-NEW-2")
def test_the_harbour_authority_sends_a_ship_away_from_four():
    s = visit("harbour authority", value=4)
    play(s, "harbour authority: raise the value", rolls=[ROLL])
    assert (s.value, s.ship, s.decides, s.seat) == (2, 2, Phase.DICE, 0)


@pytest.mark.rule("SC-B-OFFICE")
@pytest.mark.parametrize("value", [2, 3, 4])
def test_the_contractors_office_delivers_one_demanded_good_for_two_points(value):
    s = visit(
        "contractor's office", {"sugar": 1, "fruit": 2, "cigars": 1, "wood": 1}, demand={"fruit": 3, "rum": 2, "sugar": 1}, value=value
    )
    assert legal(s) == {"contractor's office: deliver 1 sugar", "contractor's office: deliver 1 fruit", "building: no use"}
    play(s, "contractor's office: deliver 1 fruit")
    assert (s.points[0], s.wanted) == (6, {"fruit": 2, "rum": 2, "sugar": 1})
    assert (s.held(0), s.left("fruit")) == ({"sugar": 1, "fruit": 1, "cigars": 1, "wood": 1}, 7)
    assert (s.value, s.ship, s.active) == (value, 1, 1)


@pytest.mark.rule("SC-B-OFFICE", "SC-NEW-1", "SC-NEW-2")
def test_the_contractors_office_sends_the_ship_away_with_the_last_good():
    s = visit("contractor's office", {"rum": 2}, demand={"rum": 1}, value=4)
    play(s, "contractor's office: deliver 1 rum", rolls=[ROLL])
    assert (s.points[0], s.held(0), s.ship, s.value) == (6, {"rum": 1}, 2, 2)
    assert (s.decides, s.seat) == (Phase.DICE, 0)


@pytest.mark.rule("SC-B-OFFICE", "SC-END-1")
def test_the_last_good_for_the_seventh_ship_is_paid_by_the_contractors_office():
    s = visit("contractor's office", {"rum": 1}, demand={"rum": 1}, ship=7)
    play(s, "contractor's office: deliver 1 rum")
    assert (s.status, s.points[0]) == (Status.ENDED, 6)


@pytest.mark.rule("SC-B-NEWS")
def test_the_newspaper_gives_a_peso_and_may_turn_any_active_cuban_but_the_one_at_the_car():
    s = visit("newspaper", inactive=["Pedro"])
    turned = {f"newspaper: take 1 peso and turn {cuban} over" for cuban in CUBANS if cuban not in ("Pedro", "Maria")}
    assert legal(s) == turned | {"newspaper: take 1 peso", "building: no use"}
    play(s, "newspaper: take 1 peso and turn Alonso over")
    assert (s.pesos[0], s.inactive_cubans, s.active) == (4, {"Pedro", "Alonso"}, 1)


@pytest.mark.rule("SC-B-NEWS")
def test_the_newspaper_may_turn_nobody():
    s = visit("newspaper")
    play(s, "newspaper: take 1 peso")
    assert (s.pesos[0], s.inactive_cubans, s.active) == (4, set(), 1)


@pytest.mark.rule("SC-B-NEWS")
def test_with_no_cuban_to_turn_the_newspaper_gives_the_peso_only():
    s = visit("newspaper", street=["Maria"], inactive=[cuban for cuban in CUBANS if cuban != "Maria"])
    assert legal(s) == {"newspaper: take 1 peso", "building: no use"}


@pytest.mark.rule("SC-B-NEWS", "SC-CUB-6")
def test_the_newspaper_used_through_alonso_cannot_turn_alonso():
    s = board(before="Alonso", owners={"newspaper": 0})
    drive(s, "Alonso")
    play(s, "Alonso: use the own newspaper")
    assert legal(s, "newspaper: take 1 peso and turn") == {f"{cuban} over" for cuban in CUBANS if cuban != "Alonso"}


@pytest.mark.rule("SC-NEW-4", "SC-B-CUSTOMS", "SC-B-AUTHORITY", "SC-B-OFFICE")
@pytest.mark.parametrize("building", PORT_BUILDINGS)
def test_with_no_ship_in_port_the_pawn_enters_a_port_building_in_vain(building):
    s = board(car_at="Alonso", value=4, under={"white": [building]}, goods=[{"sugar": 1}])
    play(s, "car: drive 2 stops for 1 peso")
    play(s, f"pawn: enter the {building}", rolls=[ROLL])
    assert (s.decides, s.seat, s.ship, s.value, s.points[0]) == (Phase.DICE, 0, 2, 2, 2)
    assert s.held(0) == {"sugar": 1, "tobacco": 2}


@pytest.mark.rule("SC-NEW-4", "SC-CUB-6")
def test_with_no_ship_in_port_alonso_does_not_open_the_port_buildings():
    owners = dict.fromkeys(PORT_BUILDINGS, 0)
    s = board(car_at="Conchita", owners=owners, goods=[{"sugar": 1}])
    drive(s, "Alonso")
    assert legal(s, "Alonso: use the own") == set(PORT_BUILDINGS)
    s = board(car_at="Conchita", owners=owners, goods=[{"sugar": 1}], value=4, pesos=[10])
    play(s, "car: drive 11 stops for 10 pesos")
    assert (s.car_at, s.in_port) == ("Alonso", 0)
    assert s.decides == Phase.PAWN


@pytest.mark.rule("SC-NEW-4", "SC-CUB-6")
def test_a_ship_sent_away_through_alonso_is_gone_when_the_pawn_enters():
    s = board(before="Alonso", owners={"harbour authority": 0}, value=4, under={"white": ["customs office", "bank"]})
    drive(s, "Alonso")
    play(s, "Alonso: use the own harbour authority", "harbour authority: raise the value")
    assert (s.ship, s.in_port, s.decides) == (2, 0, Phase.PAWN)
    play(s, "pawn: enter the customs office", rolls=[ROLL])
    assert (s.decides, s.ship, s.seat) == (Phase.DICE, 2, 0)
