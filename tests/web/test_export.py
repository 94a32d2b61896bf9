"""A replay as one HTML file."""

import re
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tests.contract.tools import every_game
from tradewinds.web.export import MODULES, PAGE, read, script

from .conftest import everyone, played

MOST_BYTES = 250_000


@pytest.mark.slow
def test_a_page_of_a_long_game_with_every_seat_s_view_is_small() -> None:
    replay = played("puerto_rico", 3, names=True, players=4, new_buildings=True, nobles=True)
    assert len(replay.moves) > 250
    assert len(replay.html(everyone(replay)).encode()) < MOST_BYTES


@pytest.mark.slow
@every_game()
def test_a_page_asks_for_nothing_from_outside(name: str, games: dict[str, tw.Replay]) -> None:
    page = games[name].html()
    assert "default-src 'none'" in page
    assert not re.search(r"""\b(?:src|href)=|@import|\bfetch\(|https?://(?!www\.w3\.org/2000/svg")""", page)
    assert re.findall(r"url\(.{12}", page) == ["url(data:font/wo"] * 2
    assert not re.search(r"\{\{\w+\}\}", page)


def test_the_modules_of_the_page_become_one_script() -> None:
    joined = script()
    assert not re.search(r"^\s*(?:import|export)\b", joined, re.MULTILINE)
    for name in MODULES:
        for exported in re.findall(r"^export (?:async )?(?:class|const|function) (\w+)", read(name), re.MULTILINE):
            assert len(re.findall(rf"^(?:async )?(?:class|const|function) {exported}\b", joined, re.MULTILINE)) == 1


def test_the_fonts_come_with_their_licence() -> None:
    assert "Apache License" in read("Roboto-LICENSE.txt")
    assert {path.name for path in Path(str(PAGE)).glob("*.woff")} == {"Roboto-Regular.woff", "Roboto-Bold.woff"}


def test_the_names_of_players_cannot_break_out_of_the_page(games: dict[str, tw.Replay]) -> None:
    replay = games["santiago_de_cuba"]
    attack = tw.Replay(replay.game, replay.options, replay.seed, replay.opening, replay.moves)
    attack.result, attack.players = replay.result, ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>']
    assert "alert" not in attack.html(), "names are only inside the packed data"


def test_a_notebook_shows_a_finished_game_and_a_running_one_as_its_player_sees_it(games: dict[str, tw.Replay]) -> None:
    shown = games["santiago_de_cuba"]._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;') and 'sandbox="allow-scripts"' in shown
    assert shown.count('"') == 6, "nothing closes the attribute before its end"
    assert played("santiago_de_cuba", 2, moves=12)._repr_html_().startswith("<iframe")
