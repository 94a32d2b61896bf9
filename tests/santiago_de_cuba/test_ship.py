"""The value marker, departures, the roll for the next ship, and the end of the game."""

import pytest

from tests.santiago_de_cuba.board import Position, board, drive, legal, play
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.state import Phase

ROLL = (1, 1, 1, 1, 1)
ZEROS = (0, 0, 0, 0, 0)


def departure(*rolls: tuple[int, ...], active: int = 0, ship: int = 1) -> Position:
    """The active player's last fruit has sent the ship away, and these were rolled."""
    s = board(before="port", active=active, goods=[{"fruit": 1}] * 4, demand={"fruit": 1}, value=3, ship=ship)
    drive(s, "port")
    play(s, "port: deliver 1 fruit", rolls=rolls)
    return s


@pytest.mark.rule("SC-VAL-1", "SC-VAL-2")
def test_the_marker_goes_from_two_to_three_to_four_and_then_the_ship_leaves():
    s = board(car_at="Pedro", pesos=[9, 9, 9], under={"white": ["church", "bank", "newspaper"]})
    seen = []
    for building in ("church", "bank", "newspaper"):
        drive(s, "Pedro")
        seen.append((int(s.value), int(s.ship), int(s.in_port)))
        if building != "newspaper":
            play(s, f"pawn: enter the {building}", "building: no use")
    assert seen == [(3, 1, 1), (4, 1, 1), (2, 2, 0)]


@pytest.mark.rule("SC-NEW-1")
def test_a_ship_leaves_only_when_all_its_dice_show_zero():
    s = board(before="port", goods=[{"fruit": 2}, {"rum": 1}], demand={"fruit": 2, "rum": 1})
    drive(s, "port")
    play(s, "port: deliver 2 fruit")
    assert (s.ship, s.in_port, s.seat) == (1, 1, 1)


@pytest.mark.rule("SC-NEW-2")
@pytest.mark.parametrize("active", range(4))
def test_the_next_ship_comes_at_two_and_the_active_player_chooses_four_dice(active):
    s = departure((3, 1, 2, 2, 4), active=active)
    assert (s.ship, s.value, s.seat, s.decides) == (2, 2, active, Phase.DICE)
    assert s.dice.tolist() == [3, 1, 2, 2, 4]
    assert legal(s) == {f"ship: put the {good} die aside" for good in ("sugar", "tobacco", "rum", "cigars", "fruit")}
    play(s, "ship: put the cigars die aside")
    assert (s.wanted, s.in_port, s.aside) == ({"sugar": 3, "tobacco": 1, "rum": 2, "fruit": 4}, 1, 3)
    assert (s.active, s.turn, s.decides) == ((active + 1) % 4, 9, Phase.CAR)


@pytest.mark.rule("SC-NEW-2")
def test_the_good_of_the_fifth_die_is_not_in_demand_whatever_it_shows():
    everything = {"sugar": 1, "tobacco": 1, "rum": 1, "cigars": 1, "fruit": 1, "wood": 1}
    on_the_ship = {"sugar", "tobacco", "rum", "cigars"}

    def fruit_aside() -> Position:
        under = {"blue": ["customs office", "contractor's office"]}
        s = board(before="port", goods=[{"rum": 1, "wood": 1}, everything], demand={"rum": 1}, pesos=[3, 9], under=under)
        drive(s, "port")
        play(s, "port: deliver 1 rum", rolls=[(1, 2, 3, 1, 4)])
        play(s, "ship: put the fruit die aside")
        assert s.wanted == {"sugar": 1, "tobacco": 2, "rum": 3, "cigars": 1}
        return s

    s = fruit_aside()
    drive(s, "Miguel")
    play(s, "pawn: enter the contractor's office")
    assert legal(s, "contractor's office: deliver 1") == on_the_ship
    s = fruit_aside()
    drive(s, "Miguel")
    play(s, "pawn: enter the customs office")
    assert legal(s, "customs office: turn the") == {f"{good} die to 0" for good in on_the_ship}
    s = fruit_aside()
    drive(s, "port")
    assert legal(s, "port: deliver 1") == on_the_ship | {f"wood as {good}" for good in on_the_ship}


@pytest.mark.rule("SC-NEW-2")
def test_dice_that_show_zero_are_the_same_aside_or_on_the_ship_so_one_of_them_is_offered():
    s = departure((2, 0, 1, 0, 0))
    assert legal(s, "ship: put the") == {"sugar die aside", "tobacco die aside", "rum die aside"}
    play(s, "ship: put the tobacco die aside")
    assert s.wanted == {"sugar": 2, "rum": 1}


@pytest.mark.rule("SC-NEW-2")
def test_the_one_who_sent_the_ship_away_by_passing_the_port_rolls_at_the_end_of_the_turn():
    s = board(car_at="Alonso", active=2, value=4)
    play(s, "car: drive 2 stops for 1 peso", "pawn: enter the newspaper")
    play(s, "newspaper: take 1 peso", rolls=[ROLL])
    assert (s.decides, s.seat, s.active) == (Phase.DICE, 2, 2)


@pytest.mark.rule("SC-NEW-3")
def test_five_zeros_send_the_ship_away_unasked_and_the_same_player_rolls_again():
    s = departure(ZEROS, ROLL, active=1)
    assert (s.ship, s.seat, s.decides, s.value) == (3, 1, Phase.DICE, 2)
    play(s, "ship: put the sugar die aside")
    assert (s.active, s.ship) == (2, 3)


@pytest.mark.rule("SC-NEW-3")
@pytest.mark.parametrize("good", range(5))
def test_four_zeros_are_a_choice(good):
    names = ["sugar", "tobacco", "rum", "cigars", "fruit"]
    roll = [0] * 5
    roll[good] = 2
    s = departure(tuple(roll), active=1)
    zero = names[0] if good else names[1]
    assert legal(s, "ship: put the") == {f"{names[good]} die aside", f"{zero} die aside"}
    play(s, f"ship: put the {zero} die aside")
    assert (s.ship, s.wanted, s.active) == (2, {names[good]: 2}, 2)
    s = departure(tuple(roll), active=1)
    play(s, f"ship: put the {names[good]} die aside", rolls=[ROLL])
    assert (s.ship, s.in_port, s.wanted, s.decides, s.seat) == (3, 0, {}, Phase.DICE, 1)


@pytest.mark.rule("SC-NEW-3", "SC-END-1")
def test_the_seventh_ship_may_leave_by_a_roll_of_five_zeros():
    s = departure(ZEROS, ship=6)
    assert (s.status, s.ship) == (Status.ENDED, 8)


@pytest.mark.rule("SC-NEW-3", "SC-END-1")
def test_the_seventh_ship_may_leave_by_a_choice_of_four_zeros():
    s = departure((0, 3, 0, 0, 0), ship=6)
    play(s, "ship: put the tobacco die aside")
    assert (s.status, s.ship) == (Status.ENDED, 8)


@pytest.mark.rule("SC-NEW-4")
def test_after_a_departure_the_cuban_and_the_building_go_on_as_usual():
    s = board(car_at="Alonso", value=4, under={"white": ["church"]})
    play(s, "car: drive 2 stops for 1 peso")
    assert (s.in_port, s.held(0)) == (0, {"tobacco": 2})
    play(s, "pawn: enter the church", "church: take 1 point", rolls=[ROLL])
    assert s.points[0] == 3


@pytest.mark.rule("SC-END-1")
@pytest.mark.parametrize("ship", [5, 6])
def test_an_earlier_ship_does_not_end_the_game(ship):
    s = departure(ROLL, ship=ship)
    assert (s.status, s.ship) == (Status.RUNNING, ship + 1)


@pytest.mark.rule("SC-END-1")
def test_the_game_ends_the_moment_the_seventh_ship_leaves_and_the_rest_of_the_turn_is_not_played():
    s = board(car_at="Alonso", value=4, ship=7, owners={"bank": 1}, pawns=["bank"])
    play(s, "car: drive 2 stops for 1 peso")
    assert s.status == Status.ENDED
    assert (s.held(0), s.points.tolist(), s.pesos.tolist()) == ({}, [2, 2, 2, 2], [2, 3, 3, 3])
    assert legal(s) == set()


@pytest.mark.rule("SC-END-1")
@pytest.mark.parametrize(
    ("building", "use", "value"),
    [
        ("customs office", "customs office: turn the rum die to 0", 2),
        ("harbour authority", "harbour authority: raise the value", 4),
        ("contractor's office", "contractor's office: deliver 1 rum", 3),
    ],
)
def test_each_port_building_can_end_the_game(building, use, value):
    s = board(before="Maria", under={"red": [building]}, demand={"rum": 1}, goods=[{"rum": 1}], value=value, ship=7, owners={building: 2})
    drive(s, "Maria")
    play(s, f"pawn: enter the {building}", use)
    assert (s.status, s.points[2]) == (Status.ENDED, 2)


@pytest.mark.rule("SC-END-1", "SC-CUB-6")
def test_a_game_that_ends_through_alonso_has_no_part_b():
    s = board(before="Alonso", owners={"harbour authority": 0}, value=4, ship=7, pawns=["bank"])
    drive(s, "Alonso")
    play(s, "Alonso: use the own harbour authority", "harbour authority: raise the value")
    assert (s.status, s.pawn_in(0)) == (Status.ENDED, "bank")
