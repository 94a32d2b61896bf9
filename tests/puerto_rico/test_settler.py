"""PR-SETTLER, with hacienda, construction hut and hospice."""

import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .board import board, legal, pass_until, play, player

OPEN = {"corn": 1, "sugar": 2, "coffee": 1}


@pytest.mark.rule("PR-SETTLER-1")
def test_only_the_settler_may_take_a_quarry_and_all_take_one_tile() -> None:
    s = board(player(), player(), player(), face_up=OPEN)
    play(s, "role: settler")
    assert legal(s) == {"settler: take corn", "settler: take sugar", "settler: take coffee", "settler: take a quarry", "pass"}
    play(s, "settler: take a quarry")
    assert s.island_of(0) == {"quarry": 1}
    assert s.quarries_left == 7
    assert legal(s) == {"settler: take corn", "settler: take sugar", "settler: take coffee", "pass"}
    play(s, "settler: take coffee")
    assert legal(s) == {"settler: take corn", "settler: take sugar", "pass"}
    play(s, "pass")
    assert [s.island_of(seat) for seat in range(3)] == [{"quarry": 1}, {"coffee": 1}, {}]
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-SETTLER-1")
def test_a_full_island_takes_nothing_and_without_quarries_there_is_no_privilege() -> None:
    s = board(player(tiles={"indigo": 9, "corn": 3}), player(), player(), face_up=OPEN)
    play(s, "role: settler")
    assert s.seat == 1
    s = board(player(), player(), player(), face_up=OPEN, quarries_left=0)
    play(s, "role: settler")
    assert "settler: take a quarry" not in legal(s)


@pytest.mark.rule("PR-SETTLER-2")
def test_what_is_left_is_discarded_and_a_new_row_opened() -> None:
    s = board(player(), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take corn", "settler: take sugar")
    play(s, "settler: take sugar", draws=["indigo", "indigo", "tobacco", "tobacco"])
    assert s.open_tiles() == {"indigo": 2, "tobacco": 2}
    assert s.discards.tolist() == [0, 0, 0, 0, 1]


@pytest.mark.rule("PR-SETTLER-2")
def test_when_the_stacks_run_short_the_discards_are_shuffled_in() -> None:
    s = board(player(), player(), player(), face_up=OPEN, stack={"tobacco": 1})
    play(s, "role: settler", "settler: take a quarry", "pass", "pass")
    # One tile was left, then the four discards were shuffled, three of them opened.
    assert s.face_up.sum() == 4
    assert s.open_tiles()["tobacco"] == 1
    assert s.stack.sum() == 1
    assert s.discards.sum() == 0


@pytest.mark.rule("PR-SETTLER-2")
def test_with_too_few_tiles_fewer_lie_open_and_nothing_can_be_drawn() -> None:
    s = board(player(), player(buildings={"hacienda": 1}), player(), face_up={"corn": 2}, stack={})
    play(s, "role: settler", "settler: take corn")
    assert s.seat == 1
    assert "hacienda: draw a plantation" not in legal(s)
    play(s, "settler: take corn")
    assert s.decides == Phase.ROLE
    assert s.face_up.sum() == 0


@pytest.mark.rule("PR-B-HACIENDA", "PR-SETTLER-3")
def test_a_hacienda_draws_a_tile_before_the_own_pick() -> None:
    s = board(player(), player(buildings={"hacienda": 1}), player(buildings={"hacienda": 0}), face_up=OPEN)
    play(s, "role: settler", "pass")
    assert legal(s) == {"hacienda: draw a plantation", "pass"}
    play(s, "hacienda: draw a plantation", draws=["tobacco"])
    assert s.island_of(1) == {"tobacco": 1}
    play(s, "settler: take corn")
    assert s.island_of(1) == {"tobacco": 1, "corn": 1}
    assert s.seat == 2
    assert s.decides == Phase.PICK  # an empty hacienda does nothing


@pytest.mark.rule("PR-B-HACIENDA", "PR-SETTLER-2")
def test_a_hacienda_shuffles_the_discards_when_the_stacks_are_empty() -> None:
    s = board(player(buildings={"hacienda": 1}), player(), player(), face_up={"corn": 1}, stack={})
    s.record["discards"][4] = 2
    s.totals["plantations"][0, 4] += 2
    play(s, "role: settler", "hacienda: draw a plantation")
    assert s.island_of(0) == {"coffee": 1}
    assert s.stack[4] == 1
    assert s.discards.sum() == 0


@pytest.mark.rule("PR-B-HACIENDA")
def test_a_hacienda_that_fills_the_island_leaves_no_pick() -> None:
    s = board(player(buildings={"hacienda": 1}, tiles={"indigo": 9, "sugar": 2}), player(), player(), face_up=OPEN)
    play(s, "role: settler", "hacienda: draw a plantation")
    assert s.island[0] == 12
    assert s.seat == 1


@pytest.mark.rule("PR-B-HUT")
def test_a_construction_hut_takes_a_quarry_only_when_occupied() -> None:
    s = board(player(), player(buildings={"construction hut": 1}), player(buildings={"construction hut": 0}), face_up=OPEN)
    play(s, "role: settler", "pass")
    assert "settler: take a quarry" in legal(s)
    play(s, "settler: take a quarry")
    assert "settler: take a quarry" not in legal(s)
    assert s.island_of(1) == {"quarry": 1}


@pytest.mark.rule("PR-B-HACIENDA", "PR-B-HUT")
def test_hacienda_and_hut_take_two_quarries_but_the_settler_only_one() -> None:
    both = {"hacienda": 1, "construction hut": 1}
    s = board(player(buildings=both), player(buildings=both), player(), face_up=OPEN)
    play(s, "role: settler")
    assert legal(s) == {"hacienda: draw a plantation", "settler: take a quarry", "pass"}
    play(s, "settler: take a quarry")
    assert "settler: take a quarry" not in legal(s)
    play(s, "settler: take corn", "settler: take a quarry", "settler: take a quarry")
    assert s.island_of(0) == {"quarry": 1, "corn": 1}
    assert s.island_of(1) == {"quarry": 2}


@pytest.mark.rule("PR-B-HACIENDA")
def test_without_a_hut_the_hacienda_brings_no_quarry() -> None:
    s = board(player(buildings={"hacienda": 1, "construction hut": 0}), player(), player(), face_up=OPEN)
    play(s, "role: settler")
    assert legal(s) == {"hacienda: draw a plantation", "pass"}


@pytest.mark.rule("PR-B-HOSPICE")
def test_a_hospice_settles_a_colonist_on_the_tile_taken() -> None:
    s = board(player(buildings={"hospice": 1}), player(buildings={"hospice": 0}), player(), face_up=OPEN)
    before = int(s.colonists_left)
    play(s, "role: settler", "settler: take a quarry")
    assert legal(s) == {"people: a colonist", "pass"}
    play(s, "people: a colonist")
    assert s.at(0, "quarry") == 1
    assert s.colonists_left == before - 1
    play(s, "settler: take corn")
    assert s.at(1, "corn") == 0
    assert s.seat == 2


@pytest.mark.rule("PR-B-HOSPICE")
def test_a_hospice_may_be_left_unused() -> None:
    s = board(player(buildings={"hospice": 1}), player(), player(), face_up=OPEN)
    play(s, "role: settler", "settler: take corn", "pass")
    assert s.at(0, "corn") == 0
    assert s.seat == 1


@pytest.mark.rule("PR-B-HOSPICE")
def test_without_a_supply_the_hospice_takes_from_the_ship_and_without_that_nobody() -> None:
    s = board(player(buildings={"hospice": 1}), player(), player(), face_up=OPEN, colonists_left=0)
    play(s, "role: settler", "settler: take corn", "people: a colonist")
    assert s.ship_colonists == 2
    s = board(player(buildings={"hospice": 1}), player(), player(), face_up=OPEN, colonists_left=0, colonist_ship=0)
    play(s, "role: settler", "settler: take corn")
    assert s.seat == 1
    assert s.at(0, "corn") == 0


@pytest.mark.rule("PR-B-HOSPICE", "PR-B-HACIENDA")
def test_the_hacienda_s_extra_tile_brings_no_colonist() -> None:
    s = board(player(buildings={"hospice": 1, "hacienda": 1}), player(), player(), face_up=OPEN)
    play(s, "role: settler")
    play(s, "hacienda: draw a plantation", draws=["tobacco"])
    assert s.decides == Phase.PICK
    play(s, "settler: take corn")
    assert s.decides == Phase.HOSPICE
    play(s, "people: a colonist")
    assert (s.at(0, "corn"), s.at(0, "tobacco")) == (1, 0)


@pytest.mark.rule("PR-SETTLER-3")
def test_the_settler_phase_goes_round_once() -> None:
    s = board(player(), player(), player(), face_up=OPEN, governor=1)
    play(s, "role: settler")
    seats = []
    while s.decides == Phase.PICK:
        seats.append(int(s.seat))
        play(s, "pass")
    assert seats == [1, 2, 0]
    pass_until(s, Phase.ROLE)
    assert s.seat == 2
