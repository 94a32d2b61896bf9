"""How the scripted bot plays Santiago de Cuba: sentences of strategy, each on a position that shows it."""

from collections import Counter

import numpy as np
import pytest

from tests.santiago_de_cuba.board import Position, apply, begin, board, drive, drive_name, play
from tests.santiago_de_cuba.positions import random_position
from tradewinds.agents.scripted.bot import SCRATCH_SIZE
from tradewinds.agents.scripted.santiago_de_cuba import BOT
from tradewinds.envs.santiago_de_cuba import GAME
from tradewinds.envs.santiago_de_cuba.state import Phase

STYLES = list(BOT.styles)


def values(s: Position, style: str = "balanced") -> dict[str, float]:
    """What the bot thinks of each legal action, from what the seat to move sees."""
    return rated(s, s.variant.masked_view(s.record, int(s.seat)), style)


def rated(s: Position, record: np.record, style: str = "balanced") -> dict[str, float]:
    out = np.full(len(GAME.actions), np.nan)
    BOT.rate(record, int(s.seat), s.mask, BOT.styles[style], np.full(SCRATCH_SIZE, np.nan), out)
    return {GAME.actions.names[i]: float(out[i]) for i in np.flatnonzero(s.mask)}


def choice(s: Position, style: str = "balanced") -> str:
    rating = values(s, style)
    return max(rating, key=lambda name: rating[name])


def at_port(**settings) -> Position:
    """A delivery round that seat 0 has started."""
    s = board(before="port", **settings)
    drive(s, "port")
    assert s.decides == Phase.PORT
    return s


def in_building(building: str, **settings) -> Position:
    """Seat 0 has been to Martinez and stands in a yellow building."""
    s = board(before="Martinez", under={"yellow": [building]}, **settings)
    drive(s, "Martinez")
    play(s, f"pawn: enter the {building}")
    assert s.decides == Phase.BUILDING
    return s


def test_it_drives_to_the_port_to_deliver_much_while_it_pays_four():
    s = board(before="port", goods=[{"sugar": 3, "fruit": 3}], value=4)
    assert choice(s) == drive_name(1)


def test_it_does_not_stop_at_the_port_with_nothing_to_deliver():
    s = board(before="port", goods=[{}, {"sugar": 3, "fruit": 3}])
    assert choice(s) != drive_name(1)


def test_it_delivers_first_what_opponents_could_deliver_before_it():
    s = at_port(goods=[{"sugar": 2, "fruit": 2}, {"sugar": 3}], demand={"sugar": 2, "fruit": 2, "rum": 1}, value=4)
    assert choice(s) == "port: deliver 2 sugar"
    s = at_port(goods=[{"sugar": 2, "fruit": 2}, {"fruit": 3}], demand={"sugar": 2, "fruit": 2, "rum": 1}, value=4)
    assert choice(s) == "port: deliver 2 fruit"


def test_it_delivers_all_it_can_while_four_is_paid():
    s = at_port(goods=[{"tobacco": 3, "wood": 1}], value=4)
    assert choice(s) == "port: deliver 3 tobacco"


def test_it_spends_its_wood_on_the_last_ship():
    s = at_port(goods=[{"wood": 2}], ship=7, value=4)
    assert choice(s).startswith("port: deliver 2 wood")


def test_wood_stands_in_for_a_good_that_it_does_not_hold_itself():
    s = at_port(goods=[{"wood": 2, "sugar": 2}], demand={"sugar": 2, "rum": 2}, ship=7, value=4)
    rating = values(s)
    assert rating["port: deliver 2 wood as rum"] > rating["port: deliver 2 wood as sugar"]


@pytest.mark.parametrize(("raw", "made", "building"), [("sugar", "rum", "distillery"), ("tobacco", "cigars", "cigar factory")])
def test_it_makes_what_the_ship_wants(raw, made, building):
    s = in_building(building, goods=[{raw: 2}], demand={made: 3}, value=4)
    assert choice(s) == f"{building}: turn 2 {raw} into {made}"


def test_it_does_not_make_rum_while_the_ship_wants_sugar():
    s = in_building("distillery", goods=[{"sugar": 2}], demand={"sugar": 3}, ship=7, value=4)
    assert choice(s) == "building: no use"


def test_the_black_market_gives_what_the_ship_wants():
    s = in_building("black market", goods=[{"fruit": 1}], demand={"cigars": 3}, value=3)
    assert choice(s) == "black market: swap 1 fruit for 1 cigars"


def test_on_the_last_ship_the_cafe_gets_what_the_ship_does_not_want():
    s = in_building("café", goods=[{"rum": 1, "cigars": 1}], demand={"sugar": 3}, ship=7)
    assert choice(s) == "café: hand in 1 cigars and 1 rum"
    s = in_building("café", goods=[{"rum": 1, "cigars": 1}], demand={"cigars": 3}, ship=7, value=4)
    assert choice(s) == "café: hand in 1 rum"


def test_on_the_last_ship_pesos_are_turned_into_points():
    s = in_building("casino", pesos=[6], ship=7, value=4)
    assert choice(s) == "casino: buy 3 points for 9 pesos"


def test_it_never_sells_points_on_the_last_ship():
    for pesos in range(10):
        s = in_building("casino", pesos=[pesos], points=[30], ship=7)
        assert "sell" not in choice(s)


def test_it_sends_a_ship_off_that_only_opponents_could_load():
    s = in_building("harbour authority", goods=[{}, {"sugar": 3}, {"tobacco": 3}, {"fruit": 3}], value=4)
    assert choice(s) == "harbour authority: raise the value"


def test_it_keeps_a_ship_that_only_it_could_load():
    s = in_building("harbour authority", goods=[{"sugar": 3, "fruit": 3}], value=4)
    assert choice(s) != "harbour authority: raise the value"


def test_the_customs_office_clears_a_die_that_only_opponents_could_serve():
    s = in_building("customs office", goods=[{"sugar": 3}, {"fruit": 3}], demand={"sugar": 3, "fruit": 3}, value=4)
    assert choice(s) == "customs office: turn the fruit die to 0"


def test_it_puts_aside_the_die_that_only_opponents_could_serve():
    s = at_port(goods=[{"sugar": 3, "tobacco": 2}, {"fruit": 4}], demand={"sugar": 1}, value=2)
    play(s, "port: deliver 1 sugar", rolls=[(2, 2, 1, 1, 3)])
    assert s.decides == Phase.DICE
    assert choice(s) == "ship: put the fruit die aside"


def test_el_zorro_gets_what_it_misses_least():
    s = board(before="El Zorro", goods=[{}, {"tobacco": 1, "cigars": 1}], pesos=[3, 0], demand={"cigars": 3}, ship=7, value=4)
    drive(s, "El Zorro")
    assert (s.decides, s.seat) == (Phase.EL_ZORRO, 1)
    assert choice(s) == "El Zorro: give 1 tobacco"


def test_pablo_is_asked_for_what_the_ship_wants():
    s = board(before="Pablo", demand={"rum": 3}, value=4)
    drive(s, "Pablo")
    assert choice(s) == "Pablo: take 1 rum"


def test_it_claims_a_building_early_in_the_game():
    s = board(before="Alonso")
    drive(s, "Alonso")
    assert choice(s).startswith("Alonso: claim")


def test_an_opponents_marker_on_a_building_costs_a_little():
    free, owned = (board(before="Martinez", under={"yellow": ["bank", "church"]}, owners=owners) for owners in ({}, {"bank": 1}))
    ratings = []
    for s in (free, owned):
        drive(s, "Martinez")
        ratings.append(values(s))
    assert ratings[1]["pawn: enter the bank"] < ratings[0]["pawn: enter the bank"]
    assert ratings[1]["pawn: enter the church"] == ratings[0]["pawn: enter the church"]


def test_an_inactive_cuban_is_worth_no_stop():
    active, inactive = (values(board(before="Maria", inactive=cubans)) for cubans in ((), ("Maria",)))
    assert inactive[drive_name(1)] < active[drive_name(1)] - 2


def test_it_does_not_end_the_game_for_a_stop_that_it_would_not_reach():
    """Past the port at 4 the seventh ship leaves, and the Cuban behind gives nothing any more."""
    maria, pedro = (values(board(car_at="Conchita", street=[first], pesos=[9], value=4, ship=7)) for first in ("Maria", "Pedro"))
    assert maria[drive_name(3)] == pedro[drive_name(3)]
    assert max(maria, key=lambda name: maria[name]) in (drive_name(1), drive_name(2))


def test_driving_far_for_nothing_better_is_worse():
    rating = values(board(before="Maria", pesos=[30]))
    assert rating[drive_name(11)] < rating[drive_name(1)]


@pytest.mark.parametrize("style", STYLES)
def test_every_phase_is_rated_from_what_the_seat_may_know(style):
    """Random records of every phase: finite values, the same on the masked view and on determinizations."""
    seen: Counter[Phase] = Counter()
    for seed in range(120):
        s = random_position(2 + seed % 3, seed)
        if s.mask.sum() < 2:
            continue
        seen[s.decides] += 1
        expected = values(s, style)
        assert np.isfinite(list(expected.values())).all()
        before = s.record.tobytes()
        assert rated(s, s.record, style) == expected
        assert s.record.tobytes() == before
        GAME.kernels["redeal"](s.record, int(s.seat), s.stream)
        assert rated(s, s.record, style) == expected
    assert set(seen) == set(Phase)


def test_phases_are_not_rated_alike():
    """Most decisions are made by a clear preference."""
    ties = decisions = 0
    for seed in range(200):
        s = random_position(4, 1000 + seed)
        if s.mask.sum() >= 2:
            rating = sorted(values(s).values())
            ties += rating[0] == rating[-1]
            decisions += 1
    assert ties < decisions / 20


def play_game(players: int, seed: int, styles: list[str | None]) -> np.ndarray:
    """Points at the end; a seat without a style plays at random."""
    rng = np.random.default_rng(seed)
    s = Position(players, seed=seed)
    begin(s)
    out = np.zeros(len(GAME.actions))
    scratch = np.zeros(SCRATCH_SIZE)
    while not s.is_over:
        seat = int(s.seat)
        style = styles[seat]
        legal = np.flatnonzero(s.mask)
        if style is None:
            action = rng.choice(legal)
        else:
            BOT.rate(s.record, seat, s.mask, BOT.styles[style], scratch, out)
            action = legal[np.argmax(out[legal])]
        apply(s, int(action))
    return s.points.copy()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", STYLES)
def test_every_style_beats_random_players(players, style):
    seat = players - 1
    points = play_game(players, 5, [style if other == seat else None for other in range(players)])
    assert points[seat] == points.max()


def test_styles_play_differently():
    """On positions of real games each pair of styles parts ways in more than one decision of ten."""
    parted: Counter[tuple[str, str]] = Counter()
    decisions = 0
    s = Position(4, seed=3)
    begin(s)
    while not s.is_over:
        chosen = {style: choice(s, style) for style in STYLES}
        decisions += 1
        for i, one in enumerate(STYLES):
            for other in STYLES[i + 1 :]:
                parted[one, other] += chosen[one] != chosen[other]
        apply(s, GAME.actions.parse(chosen["balanced"]))
    assert min(parted.values()) > decisions / 10, parted
