"""The board as text, read back and held against the state."""

import re
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.santiago_de_cuba.views import STAGES, labels, saved_game, view_in, view_of
from tradewinds.envs.core.spec.fields import HIDDEN, Status
from tradewinds.envs.santiago_de_cuba.render.text import svg, text
from tradewinds.envs.santiago_de_cuba.state import Exchange, Phase
from tradewinds.envs.santiago_de_cuba.tables import (
    BUILDING_NAMES,
    BUILDINGS,
    CUBAN_NAMES,
    EMPTY,
    FLOWER_NAMES,
    FLOWER_OF_CUBAN,
    GOOD_NAMES,
    SHIPS,
    STOPS,
    Building,
    Cuban,
    Good,
)


def rows(board: str) -> dict[str, list[str]]:
    """The table's rows by their label: one entry a column."""
    table = next(part for part in board.split("\n\n") if part.lstrip().startswith("sugar"))
    heading, *lines = table.splitlines()
    assert heading.split() == [*GOOD_NAMES, "pesos", "points", "markers"]
    found = {}
    for line in lines:
        label, *marks = line[:20].split() if line.startswith("P") else [line[:20].strip()]
        found[f"{label} player_{label[1:]}" if line.startswith("P") else label] = line[20:].split() + marks
    return found


def stops(board: str) -> list[tuple[str, ...]]:
    """The stops clockwise from the port: name, car or distance, and the two lines below."""
    lines = board[board.index("STREET") : board.index("BUILDINGS")].splitlines()
    above, below = lines[2:5], lines[8:11]
    ring = []
    for part in (above, [line[::-1] for line in below]):
        for left in range(0, 79, 16):
            cut = [line[left : left + 15] for line in part]
            name, *rest = [cell if part is above else cell[::-1] for cell in cut]
            words = name.strip("| ").split()
            ring.append((" ".join(words[:-1]), words[-1], *(cell.strip("| ") for cell in rest)))
    return ring


def sites(board: str) -> dict[str, tuple[str, str]]:
    """By building: its flower, and who is there."""
    lines = [line.removeprefix("|").split("|") for line in board[board.index("BUILDINGS") :].splitlines() if line.startswith("|")]
    flowers = [cell.split()[0].lower() for cell in lines[0]]
    found = {}
    for names, _, who in zip(lines[1::3], lines[2::3], lines[3::3], strict=True):
        for flower, name, there in zip(flowers, names, who, strict=True):
            found[name.strip()] = (flower, " ".join(there.split()))
    return found


@pytest.mark.rule("SC-INF-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_open_holdings_are_all_shown(players):
    view = view_of(players, seat=1, visibility="open")
    table = rows(text(view, 1))
    assert [label for label in table if label.startswith("P")] == [f"P{seat} player_{seat}" for seat in range(players)]
    for seat in range(players):
        shown = table[f"P{seat} player_{seat}"][:9]
        assert shown == [str(n) for n in (*view.goods[seat], view.pesos[seat], view.points[seat], view.markers[seat])]


@pytest.mark.rule("SC-INF-1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("viewer", [0, 1])
def test_what_stands_behind_a_screen_is_a_question_mark(players, viewer):
    view = view_of(players, seat=viewer)
    table = rows(text(view, viewer))
    for seat in range(players):
        shown = table[f"P{seat} player_{seat}"]
        if seat == viewer:
            assert shown[:8] == [str(n) for n in (*view.goods[seat], view.pesos[seat], view.points[seat])]
        else:
            assert view.pesos[seat] == HIDDEN
            assert shown[:8] == ["?"] * 8
        assert shown[8] == str(view.markers[seat])


@pytest.mark.rule("SC-INF-1")
def test_games_that_differ_only_behind_the_screens_look_the_same():
    game = tw.game("santiago_de_cuba")
    variant = game.with_options(players=3)
    state = np.zeros(1, game.fields.dtype)
    state[0] = view_of(visibility="open").tolist()
    other = state.copy()
    other["goods"][0, 1:3] = other["goods"][0, 2:0:-1]
    other["pesos"][0, 2] += 4
    other["points"][0, 1] += 7
    assert other.tobytes() != state.tobytes()
    for draw in (text, svg):
        assert draw(variant.masked_view(state, 0), 0) == draw(variant.masked_view(other, 0), 0)


@pytest.mark.parametrize(("players", "moves"), STAGES)
def test_the_supply_and_what_the_ship_wants_stand_under_their_goods(players, moves):
    view = view_of(players, moves)
    table = rows(text(view, 0))
    assert table["supply"] == [str(n) for n in view.supply]
    if view.status == Status.RUNNING and view.phase == Phase.DICE:
        assert table["rolled"] == [str(n) for n in view.dice]
    elif view.in_port:
        assert table["ship wants"] == ["aside" if good == view.aside else str(n) for good, n in enumerate(view.demand)]
    else:
        assert table["no ship"] == ["-"] * 5


@pytest.mark.rule("SC-NEW-2")
def test_rolled_dice_are_shown_until_one_is_put_aside():
    board = text(view_in(Phase.DICE, dice=[3, 0, 1, 2, 4], ship=5), 0)
    assert rows(board)["rolled"] == ["3", "0", "1", "2", "4"]
    assert "player_1 has rolled for ship 5" in board
    assert "Ship 5 of 7 is not in port yet" in board


@pytest.mark.rule("SC-NEW-4")
def test_after_a_departure_no_ship_is_in_port():
    assert rows(text(view_in(Phase.PAWN, in_port=0, aside=EMPTY, car=1), 0))["no ship"] == ["-"] * 5


@pytest.mark.rule("SC-SET-4", "SC-VAL-1")
@pytest.mark.parametrize("number", range(1, SHIPS + 1))
@pytest.mark.parametrize("value", [2, 3, 4])
def test_the_tracks_bracket_the_ship_and_the_value(number, value):
    line = text(view_in(Phase.CAR, ship=number, value=value), 0).splitlines()[2]
    assert f"Ship {number} of 7" in line
    assert re.findall(r"\[(\d)\]", line) == [str(number), str(value)]


@pytest.mark.rule("SC-SET-2")
@pytest.mark.parametrize(("players", "moves"), STAGES)
def test_the_street_is_a_ring_of_the_port_and_nine_cubans(players, moves):
    view = view_of(players, moves)
    ring = stops(text(view, 0))
    assert [stop[0] for stop in ring] == ["PORT", *(CUBAN_NAMES[cuban] for cuban in view.street)]
    for stop in range(STOPS):
        assert ring[stop][1] == ("CAR" if stop == view.car else f"+{(stop - int(view.car)) % STOPS}")
    for cuban, stop in zip(view.street, ring[1:], strict=True):
        assert stop[2] == (*FLOWER_NAMES, "transparent")[FLOWER_OF_CUBAN[cuban]]
        assert (stop[3] == "(inactive)") == bool(view.inactive[cuban])


@pytest.mark.parametrize("cuban", list(Cuban))
def test_a_cuban_that_is_turned_over_is_called_inactive(cuban):
    view = view_of()
    view.inactive[:] = 0
    view.inactive[cuban] = 1
    assert [stop[0] for stop in stops(text(view, 0)) if stop[3] == "(inactive)"] == [CUBAN_NAMES[cuban]]


@pytest.mark.rule("SC-SET-1")
@pytest.mark.parametrize(("players", "moves"), STAGES)
def test_every_building_stands_under_its_flower_with_owner_and_pawn(players, moves):
    view = view_of(players, moves)
    found = sites(text(view, 0))
    assert sorted(found) == sorted(BUILDING_NAMES)
    for building in range(BUILDINGS):
        who = [] if view.owner[building] == EMPTY else [f"owner P{view.owner[building]}"]
        who += [f"pawn P{seat}" for seat in range(players) if view.pawn[seat] == building]
        assert found[BUILDING_NAMES[building]] == (FLOWER_NAMES[view.flower[building]], " ".join(who))


def test_the_last_game_above_has_owners_and_pawns_to_show():
    view = view_of(4, 10_000)
    assert (view.owner != EMPTY).any()
    assert (view.pawn != EMPTY).any()


@pytest.mark.parametrize(
    ("phase", "fields", "words"),
    [
        (Phase.DICE, {"ship": 3}, "player_1 has rolled for ship 3 and puts one of the 5 dice aside."),
        (Phase.CAR, {}, "player_1 drives the car"),
        (Phase.PABLO, {}, "player_1 takes 1 good from Pablo"),
        (Phase.EL_ZORRO, {"seat": 2}, "player_2 gives player_1 1 peso, 1 good (not wood) or 1 point"),
        (Phase.EL_ZORRO, {"seat": 0}, "player_0 (you) gives player_1 1 peso"),
        (Phase.ALONSO, {}, "player_1 may claim a building or use an own one"),
        (Phase.PAWN, {"car": 1, "street": list(Cuban)}, "player_1 enters a building of the white flower, after Pedro."),
        (Phase.PAWN, {"car": 5, "street": list(Cuban)}, "player_1 enters a building of the red flower, after Maria."),
        (Phase.BUILDING, {"building": Building.SAWMILL}, "player_1 may use the sawmill."),
        (Phase.BUILDING, {"building": Building.CAFE, "by_alonso": 1}, "player_1 uses their own café, with Alonso."),
        (Phase.BUILDING, {"building": Building.CASINO, "exchange": Exchange.BUYING}, "may go on buying points in the casino."),
        (Phase.BUILDING, {"building": Building.CASINO, "exchange": Exchange.SELLING}, "may go on selling points in the casino."),
        (Phase.PORT, {}, "player_1 delivers one good or passes. Passed in this round: nobody."),
        (Phase.PORT, {"passed": [0, 0, 1, 0]}, "Passed in this round: player_2."),
        (Phase.PORT, {"passed": [1, 0, 1, 0]}, "Passed in this round: player_0 (you) and player_2."),
    ],
)
def test_the_board_says_who_decides_and_what(phase, fields, words):
    view = view_in(phase, **fields)
    assert words in text(view, 0).splitlines()[3]
    assert any(words in line for line in labels(svg(view, 0)))


def test_turn_decision_and_viewer_are_marked_in_the_table():
    table = rows(text(view_in(Phase.EL_ZORRO, seat=2), 0))
    assert [table[f"P{seat} player_{seat}"][9:] for seat in range(3)] == [["you"], ["turn"], ["decides"]]


@pytest.mark.rule("SC-PORT-4")
def test_those_who_have_passed_are_marked_in_the_table():
    table = rows(text(view_in(Phase.PORT, passed=[0, 0, 1, 0]), 0))
    assert [table[f"P{seat} player_{seat}"][9:] for seat in range(3)] == [["you"], ["turn", "decides"], ["passed"]]


@pytest.mark.parametrize("draw", [text, svg])
@pytest.mark.parametrize(
    ("field", "index", "value"),
    [
        ("turn", None, 77),
        ("active", None, 2),
        ("seat", None, 2),
        ("phase", None, Phase.PABLO),
        ("inactive", Cuban.JOSE, 1),
        ("car", None, 4),
        ("owner", Building.CHURCH, 2),
        ("pawn", 0, Building.CASINO),
        ("markers", 2, 0),
        ("ship", None, 6),
        ("in_port", None, 0),
        ("value", None, 4),
        ("aside", None, Good.FRUIT),
        ("demand", Good.SUGAR, 3),
        ("supply", Good.WOOD, 3),
        ("goods", (0, Good.CIGARS), 6),
        ("pesos", 0, 23),
        ("points", 0, 41),
        ("points", 1, 41),
        ("status", None, Status.TRUNCATED),
    ],
)
def test_a_change_of_one_number_is_seen(draw, field, index, value):
    view = view_in(Phase.CAR, turn=30, car=2, ship=3, value=2, demand=[1, 2, 0, 1, 2], owner=EMPTY, inactive=0, markers=3)
    view.pawn[:] = [Building.BANK, Building.CAFE, EMPTY, EMPTY]
    before = draw(view, 0)
    assert draw(view, 0) == before
    if index is None:
        view[field] = value
    else:
        view[field][index] = value
    assert draw(view, 0) != before


@pytest.mark.parametrize(("players", "moves"), STAGES)
def test_the_text_is_plain_and_at_most_80_columns_wide(players, moves):
    board = text(view_of(players, moves), 0)
    assert {c for c in board if not c.isprintable()} == {"\n"}
    assert max(map(len, board.splitlines())) <= 80
    assert all(line == line.rstrip() for line in board.splitlines())


def test_the_widest_board_still_fits():
    view = view_in(Phase.PORT, passed=[0, 1, 1, 1], players=4, seat=0, active=0, pesos=30_000, points=10_000, goods=8, turn=999)
    assert max(map(len, text(view, 0).splitlines())) <= 100
    view.status = Status.TRUNCATED
    assert max(map(len, text(view, 0).splitlines())) <= 100


# The end of the game


def finished(points: list[int], goods: list[int], pesos: list[int], status: Status = Status.ENDED) -> Any:
    """A game that is over; each seat has so many pieces of fruit."""
    view = view_of(len(points), 10_000)
    view.status = status
    view.goods[:] = 0
    for seat in range(len(points)):
        view.points[seat], view.goods[seat, Good.FRUIT], view.pesos[seat] = points[seat], goods[seat], pesos[seat]
    return view


def final_rows(board: str) -> list[list[int]]:
    """Rank, seat, points, points for goods, final, goods left, pesos."""
    found = re.findall(r"^(\d)\. player_(\d)(?: \(you\))? +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$", board, re.MULTILINE)
    return [list(map(int, line)) for line in found]


@pytest.mark.rule("SC-END-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_end_of_a_game_shows_the_scores_that_the_environment_gives(players):
    env = tw.make("santiago_de_cuba", players=players, render_mode="ansi")
    env.load(saved_game(players, 10_000, "rules"))
    board = env.render("player_0")
    lines = final_rows(board)
    assert sorted(line[1] for line in lines) == list(range(players))
    assert [line[0] for line in lines] == sorted(line[0] for line in lines)
    for rank, seat, _, _, final, _, _ in lines:
        info = env.infos[f"player_{seat}"]
        assert (info["score"], info["rank"]) == (final, rank)
        assert any(f"rank {rank}:" in line and f"= {final} points" in line for line in labels(env.svg("player_0")))
    assert "Game over: player_" in board
    assert "?" not in board
    assert "decides" not in board


@pytest.mark.rule("SC-END-2")
def test_the_final_scores_stand_in_rank_order_with_the_goods_exchanged():
    board = text(finished([10, 12, 11], [7, 0, 2], [0, 3, 9]), 0)
    assert final_rows(board) == [[1, 0, 10, 2, 12, 7, 0], [2, 1, 12, 0, 12, 0, 3], [3, 2, 11, 0, 11, 2, 9]]
    assert "Game over: player_0 (you) wins with 12 points." in board


@pytest.mark.rule("SC-END-2")
def test_pesos_break_a_tie_in_points_and_goods_and_a_full_tie_is_shared():
    board = text(finished([5, 5, 5, 5], [1, 1, 1, 1], [2, 6, 6, 0]), 3)
    assert [line[:2] for line in final_rows(board)] == [[1, 1], [1, 2], [3, 0], [4, 3]]
    assert "player_1 and player_2 share the win with 5 points." in board


@pytest.mark.rule("SC-STALL-1")
def test_a_game_that_was_cut_off_says_so():
    view = finished([5, 4], [0, 0], [0, 0], Status.TRUNCATED)
    view.turn = 1000
    assert "Game cut off: player_0" in text(view, 1)
    assert "after 1000 turns" in text(view, 1)


@pytest.mark.rule("SC-END-1")
def test_when_the_seventh_ship_has_left_none_is_bracketed():
    line = text(view_of(3, 10_000), 0).splitlines()[2]
    assert "All 7 ships have left" in line
    assert re.findall(r"\[(\d)\]", line) == ["2"]
