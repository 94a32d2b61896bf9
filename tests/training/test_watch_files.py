"""`tradewinds watch` with --html, --gif and --svg: a game as files."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.render.places import MARK

from .terminal_tools import Terminal
from .test_play import HERE, at_an_auction

LIVE = ("watch", "santiago_de_cuba", "--players", "2", "--agents", f"{HERE}:First,random", "--seed", "6")


@pytest.mark.slow
def test_a_game_between_agents_goes_into_a_page_a_picture_and_its_replay(terminal: Terminal) -> None:
    said = terminal.run(*LIVE, "--html", "game.html", "--seats", "--svg", "game.svg", "--replay", "game.jsonl")
    assert said.code == 0
    assert re.fullmatch(r"game\.html: \d+ kB\ngame\.svg: \d+ kB\n", said.out)
    replay = tw.load_replay("game.jsonl")
    assert Path("game.html").read_text(encoding="utf-8") == replay.html(["all", "player_0", "player_1"])
    picture = Path("game.svg").read_text(encoding="utf-8")
    *_, env = replay.positions()
    ElementTree.fromstring(picture)
    plain = re.sub(rf'<[^>]*stroke="{MARK}"[^>]*/>', "", picture)
    assert plain == replay.game.svg(env.record()[0], None, replay.players)


def test_a_seat_s_page_of_an_unfinished_game_shows_what_that_seat_knows(terminal: Terminal) -> None:
    at_an_auction(Path("game.jsonl"), ["bid: 1 x $10", "bid: 7 x $1"])
    assert terminal.run("watch", "game.jsonl", "--html", "own.html").code == 0, "the person's own seat is the default"
    replay = tw.load_replay("game.jsonl")
    assert Path("own.html").read_text(encoding="utf-8") == replay.html(["player_1"])
    assert (
        "so its pictures show what one seat knows; add --seat N"
        in terminal.run("watch", "game.jsonl", "--seat", "all", "--html", "all.html").one_line()
    )
    assert not Path("all.html").exists()


@pytest.mark.slow
def test_a_gif_has_a_frame_for_each_action_that_is_seen(terminal: Terminal) -> None:
    images = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    at_an_auction(Path("game.jsonl"), ["bid: 1 x $10", "bid: 7 x $1"])
    lines = Path("game.jsonl").read_text(encoding="utf-8").splitlines()
    Path("short.jsonl").write_text("\n".join(lines[:6]) + "\n", encoding="utf-8")
    assert terminal.run("watch", "short.jsonl", "--seat", "1", "--gif", "game.gif").code == 0
    with images.open("game.gif") as picture:
        assert picture.size[0] == 800
        assert picture.n_frames >= 5
        assert picture.info["loop"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seats"], "--seats goes with --html"),
        (["--html", "g.html", "--seats", "--seat", "0"], "leave --seat out"),
        (["--html", "missing/g.html"], "--html missing/g.html: No such file"),
        (["--svg", "."], "--svg .: Is a directory"),
    ],
)
def test_what_cannot_be_drawn_gives_one_line(arguments: list[str], message: str, terminal: Terminal) -> None:
    assert message in terminal.run(*LIVE, *arguments).one_line()
    assert not list(Path().iterdir())
