"""What the nine Cubans do."""

import pytest

from tests.santiago_de_cuba.board import BUILDINGS, board, drive, legal, play
from tradewinds.envs.santiago_de_cuba.state import Phase

GIFTS = {"sugar": "give 1 sugar", "tobacco": "give 1 tobacco", "rum": "give 1 rum", "cigars": "give 1 cigars", "fruit": "give 1 fruit"}
PESO, POINT = "give 1 peso", "give 1 point"


@pytest.mark.rule("SC-CUB-1")
@pytest.mark.parametrize(
    ("cuban", "goods"),
    [("Pedro", {"tobacco": 2}), ("Miguel", {"wood": 2}), ("José", {"sugar": 2}), ("Conchita", {"fruit": 2})],
)
def test_four_cubans_give_two_goods(cuban, goods):
    s = board(before=cuban)
    drive(s, cuban)
    assert (s.held(0), s.pesos[0], s.points[0]) == (goods, 3, 2)
    assert s.decides == Phase.PAWN


@pytest.mark.rule("SC-CUB-1")
def test_maria_gives_two_points_and_martinez_three_pesos():
    s = board(before="Maria", active=1)
    drive(s, "Maria")
    assert (s.points.tolist(), s.pesos.tolist(), s.held(1)) == ([2, 4, 2, 2], [3, 3, 3, 3], {})
    s = board(before="Martinez", active=1)
    drive(s, "Martinez")
    assert (s.points.tolist(), s.pesos.tolist(), s.held(1)) == ([2, 2, 2, 2], [3, 6, 3, 3], {})


@pytest.mark.rule("SC-CUB-2")
@pytest.mark.parametrize(("elsewhere", "taken"), [(6, 2), (7, 1), (8, 0)])
@pytest.mark.parametrize(("cuban", "good"), [("Pedro", "tobacco"), ("Miguel", "wood"), ("José", "sugar"), ("Conchita", "fruit")])
def test_goods_come_from_the_supply_while_it_lasts_and_part_b_follows(cuban, good, elsewhere, taken):
    s = board(before=cuban, goods=[{}, {good: elsewhere}])
    drive(s, cuban)
    assert s.held(0) == ({good: taken} if taken else {})
    assert s.left(good) == 8 - elsewhere - taken
    assert (s.decides, s.seat) == (Phase.PAWN, 0)


@pytest.mark.rule("SC-CUB-3")
def test_pablo_gives_one_good_of_choice_but_no_wood():
    s = board(before="Pablo")
    drive(s, "Pablo")
    assert legal(s) == {f"Pablo: take 1 {good}" for good in ("sugar", "tobacco", "rum", "cigars", "fruit")}
    play(s, "Pablo: take 1 cigars")
    assert (s.held(0), s.left("cigars"), s.decides) == ({"cigars": 1}, 7, Phase.PAWN)


@pytest.mark.rule("SC-CUB-2", "SC-CUB-3")
def test_pablo_offers_only_what_is_in_supply():
    s = board(before="Pablo", goods=[{"sugar": 8}, {"rum": 8}, {"fruit": 8}])
    drive(s, "Pablo")
    assert legal(s, "Pablo: take 1") == {"tobacco", "cigars"}


@pytest.mark.rule("SC-CUB-3")
def test_pablo_does_not_ask_when_one_good_is_left():
    s = board(before="Pablo", goods=[{"sugar": 8}, {"rum": 8}, {"fruit": 8}, {"tobacco": 8, "cigars": 7}])
    drive(s, "Pablo")
    assert (s.held(0), s.decides) == ({"sugar": 8, "cigars": 1}, Phase.PAWN)


@pytest.mark.rule("SC-CUB-2", "SC-CUB-3")
def test_pablo_has_nothing_when_only_wood_is_left_and_part_b_follows():
    s = board(before="Pablo", goods=[{"sugar": 8}, {"rum": 8}, {"fruit": 8}, {"tobacco": 8, "cigars": 8}])
    drive(s, "Pablo")
    assert (s.held(0), s.left("wood"), s.decides, s.seat) == ({"sugar": 8}, 8, Phase.PAWN, 0)


@pytest.mark.rule("SC-CUB-4")
def test_el_zorro_takes_one_thing_from_each_opponent_clockwise_from_the_active_player():
    s = board(before="El Zorro", active=2, goods=[{"rum": 1}, {}, {"fruit": 1}, {"sugar": 2}])
    drive(s, "El Zorro")
    assert (s.decides, s.seat) == (Phase.EL_ZORRO, 3)
    play(s, "El Zorro: give 1 sugar")
    assert (s.decides, s.seat, s.held(2)) == (Phase.EL_ZORRO, 0, {"fruit": 1, "sugar": 1})
    play(s, "El Zorro: give 1 peso")
    assert (s.decides, s.seat) == (Phase.EL_ZORRO, 1)
    play(s, "El Zorro: give 1 point")
    assert s.pesos.tolist() == [2, 3, 4, 3]
    assert s.points.tolist() == [2, 1, 3, 2]
    assert [s.held(seat) for seat in range(4)] == [{"rum": 1}, {}, {"fruit": 1, "sugar": 1}, {"sugar": 1}]
    assert (s.decides, s.seat) == (Phase.CAR, 3)


@pytest.mark.rule("SC-CUB-4")
def test_el_zorro_may_be_given_a_peso_a_point_or_any_good_one_has_but_no_wood():
    everything = {"sugar": 1, "tobacco": 1, "rum": 1, "cigars": 1, "fruit": 1, "wood": 1}
    s = board(2, before="El Zorro", goods=[{}, everything])
    drive(s, "El Zorro")
    assert legal(s, "El Zorro:") == {*GIFTS.values(), PESO, POINT}
    s = board(2, before="El Zorro", goods=[everything, {"cigars": 1, "wood": 2}], pesos=[3, 0])
    drive(s, "El Zorro")
    assert legal(s, "El Zorro:") == {"give 1 cigars", POINT}


@pytest.mark.rule("SC-CUB-4")
@pytest.mark.parametrize("good", ["sugar", "tobacco", "rum", "cigars", "fruit"])
def test_el_zorro_takes_the_good_that_is_given(good):
    s = board(2, before="El Zorro", goods=[{}, {good: 2}])
    drive(s, "El Zorro")
    play(s, f"El Zorro: give 1 {good}")
    assert (s.held(0), s.held(1)) == ({good: 1}, {good: 1})


@pytest.mark.rule("SC-CUB-4")
@pytest.mark.parametrize(("goods", "pesos", "points"), [({}, 2, 0), ({}, 0, 2), ({"rum": 2}, 0, 0)])
def test_an_opponent_with_one_kind_of_thing_to_give_gives_it_unasked(goods, pesos, points):
    s = board(2, before="El Zorro", pawns=["bank"], goods=[{}, goods], pesos=[3, pesos], points=[2, points])
    drive(s, "El Zorro")
    assert (s.decides, s.seat) == (Phase.BUILDING, 0)
    assert s.pesos.tolist() == ([4, 1] if pesos else [3, 0])
    assert s.points.tolist() == ([3, 1] if points else [2, 0])
    assert s.held(0) == s.held(1) == ({"rum": 1} if goods else {})


@pytest.mark.rule("SC-CUB-4")
def test_opponents_who_have_none_of_these_give_nothing():
    s = board(before="El Zorro", pawns=["bank"], goods=[{}, {"wood": 3}, {}, {}], pesos=[3, 0, 3, 0], points=[2, 0, 2, 0])
    drive(s, "El Zorro")
    assert s.seat == 2
    play(s, "El Zorro: give 1 point")
    assert (s.points.tolist(), s.pesos.tolist()) == ([3, 0, 1, 0], [3, 0, 3, 0])
    assert (s.held(0), s.held(1)) == ({}, {"wood": 3})
    assert (s.decides, s.seat) == (Phase.BUILDING, 0)


@pytest.mark.rule("SC-CUB-4", "SC-CUB-5")
def test_el_zorro_among_paupers_takes_nothing_and_the_building_may_be_used_all_the_same():
    s = board(before="El Zorro", pawns=["church"], pesos=[3, 0, 0, 0], points=[2, 0, 0, 0])
    drive(s, "El Zorro")
    assert (s.decides, s.seat) == (Phase.BUILDING, 0)
    play(s, "church: take 1 point")
    assert (s.points[0], s.active) == (3, 1)


@pytest.mark.rule("SC-CUB-5")
@pytest.mark.parametrize("answer", ["bank: take 2 pesos", "building: no use"])
def test_after_el_zorro_the_pawn_stays_and_may_use_its_building_again(answer):
    s = board(2, before="El Zorro", pawns=["bank"])
    drive(s, "El Zorro")
    play(s, "El Zorro: give 1 point")
    assert (s.decides, s.seat, s.pawn_in(0)) == (Phase.BUILDING, 0, "bank")
    assert legal(s) == {"bank: take 2 pesos", "building: no use"}
    play(s, answer)
    assert (s.pesos[0], s.pawn_in(0), s.active) == (5 if answer.startswith("bank") else 3, "bank", 1)


@pytest.mark.rule("SC-CUB-5")
def test_after_el_zorro_a_pawn_off_the_board_uses_nothing():
    s = board(2, before="El Zorro")
    drive(s, "El Zorro")
    play(s, "El Zorro: give 1 point")
    assert (s.decides, s.seat, s.pawn_in(0)) == (Phase.CAR, 1, None)


@pytest.mark.rule("SC-CUB-6")
def test_alonso_lets_one_claim_any_building_that_nobody_owns():
    s = board(before="Alonso", owners={"bank": 1, "church": 0, "café": 3}, pawns=[None, "casino"])
    drive(s, "Alonso")
    free = set(BUILDINGS) - {"bank", "church", "café"}
    assert legal(s, "Alonso: claim the") == free
    play(s, "Alonso: claim the casino")
    assert (s.owner_of("casino"), s.markers[0]) == (0, 1)
    assert (s.decides, s.seat) == (Phase.PAWN, 0)


@pytest.mark.rule("SC-CUB-6")
def test_alonso_lets_one_use_an_own_building_and_no_other():
    s = board(before="Alonso", owners={"bank": 0, "church": 1})
    drive(s, "Alonso")
    assert legal(s, "Alonso: use the own") == {"bank"}
    play(s, "Alonso: use the own bank")
    assert (s.pesos[0], s.pawn_in(0), s.markers[0]) == (5, None, 2)
    assert (s.decides, s.seat) == (Phase.PAWN, 0)
    assert legal(s, "pawn: enter the") == {"harbour authority", "contractor's office", "newspaper"}


@pytest.mark.rule("SC-CUB-6")
def test_an_own_building_can_be_used_through_alonso_whoevers_pawn_is_there():
    s = board(before="Alonso", owners={"church": 0}, pawns=["bank", "church"])
    drive(s, "Alonso")
    play(s, "Alonso: use the own church")
    assert (s.points.tolist(), s.pawn_in(0), s.pawn_in(1)) == ([3, 2, 2, 2], "bank", "church")


@pytest.mark.rule("SC-CUB-6")
def test_the_own_building_may_be_the_one_that_the_own_pawn_is_in_which_must_then_leave_it():
    s = board(before="Alonso", under={"white": ["church", "bank", "casino"]}, owners={"church": 0}, pawns=["church"])
    drive(s, "Alonso")
    play(s, "Alonso: use the own church")
    assert (s.points[0], s.decides) == (3, Phase.PAWN)
    assert legal(s, "pawn: enter the") == {"bank", "casino"}


@pytest.mark.rule("SC-CUB-6")
def test_a_building_used_through_alonso_may_also_be_entered():
    s = board(before="Alonso", under={"white": ["church"]}, owners={"church": 0}, pawns=["bank"])
    drive(s, "Alonso")
    play(s, "Alonso: use the own church", "pawn: enter the church", "church: take 1 point")
    assert (s.points[0], s.active) == (4, 1)


@pytest.mark.rule("SC-CUB-6", "SC-BLD-4")
def test_a_building_claimed_now_cannot_be_used_through_alonso_but_may_be_entered():
    s = board(before="Alonso", under={"white": ["church"]})
    drive(s, "Alonso")
    play(s, "Alonso: claim the church")
    assert (s.decides, s.points[0]) == (Phase.PAWN, 2)
    play(s, "pawn: enter the church", "church: take 1 point")
    assert (s.points.tolist(), s.active) == ([3, 2, 2, 2], 1)


@pytest.mark.rule("SC-CUB-6")
def test_alonso_may_be_declined():
    s = board(before="Alonso", owners={"bank": 0})
    drive(s, "Alonso")
    play(s, "Alonso: nothing")
    assert (s.pesos[0], s.markers[0], s.decides) == (3, 2, Phase.PAWN)


@pytest.mark.rule("SC-CUB-6")
def test_with_no_marker_left_only_own_buildings_can_be_used():
    s = board(before="Alonso", owners={"bank": 0, "church": 0, "café": 0}, goods=[{"rum": 1}])
    drive(s, "Alonso")
    assert legal(s) == {"Alonso: nothing", "Alonso: use the own bank", "Alonso: use the own church", "Alonso: use the own café"}


@pytest.mark.rule("SC-CUB-6")
def test_alonso_asks_nothing_when_there_is_nothing_to_claim_or_to_use():
    owners = {building: seat // 3 for seat, building in enumerate(["café", "sawmill", "distillery"])}
    owners |= {building: 1 + i // 3 for i, building in enumerate(sorted(set(BUILDINGS) - set(owners)))}
    s = board(before="Alonso", owners=owners)
    drive(s, "Alonso")
    assert (s.decides, s.seat) == (Phase.PAWN, 0)


@pytest.mark.rule("SC-CUB-6")
def test_with_all_twelve_owned_an_own_building_can_still_be_used():
    owners = {building: i // 3 for i, building in enumerate(BUILDINGS)}
    s = board(before="Alonso", owners=owners)
    drive(s, "Alonso")
    assert legal(s) == {"Alonso: nothing", "Alonso: use the own bank", "Alonso: use the own church"}


@pytest.mark.rule("SC-CUB-6")
def test_one_who_chose_to_use_an_own_building_uses_it_in_one_of_its_ways():
    s = board(before="Alonso", owners={"café": 0}, goods=[{"rum": 1, "cigars": 1}])
    drive(s, "Alonso")
    play(s, "Alonso: use the own café")
    assert legal(s) == {"café: hand in 1 cigars", "café: hand in 1 rum", "café: hand in 1 cigars and 1 rum"}
    play(s, "café: hand in 1 cigars and 1 rum")
    assert (s.points[0], s.decides, s.held(0)) == (6, Phase.PAWN, {})


@pytest.mark.rule("SC-CUB-6")
@pytest.mark.parametrize(
    ("building", "goods"),
    [
        ("distillery", {"tobacco": 1}),
        ("cigar factory", {"sugar": 1}),
        ("black market", {"wood": 1}),
        ("sawmill", {"rum": 1}),
        ("café", {"wood": 1}),
        ("contractor's office", {"cigars": 1}),
    ],
)
def test_an_own_building_that_would_do_nothing_is_not_offered(building, goods):
    s = board(before="Alonso", owners={building: 0}, goods=[goods])
    drive(s, "Alonso")
    assert legal(s, "Alonso: use the own") == set()
