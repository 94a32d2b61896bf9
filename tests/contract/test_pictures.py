"""Pictures of every game: a spectator's for videos, a seat's for players."""

import re

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import every_game
from tradewinds.envs.core.render import raster
from tradewinds.envs.core.render.places import MARK, mark
from tradewinds.envs.core.render.raster import pixels
from tradewinds.envs.core.render.svg import document, label, rect
from tradewinds.envs.core.spec.fields import HIDDEN

MARKED = tuple(int(MARK[at : at + 2], 16) for at in (1, 3, 5))


def is_marked(picture: np.ndarray) -> bool:
    return bool((picture == MARKED).all(axis=2).any())


@pytest.mark.slow
@every_game()
def test_frames_for_videos_show_everything_and_outline_the_last_move(name: str) -> None:
    pytest.importorskip("resvg_py")
    env = tw.make(name, render_mode="rgb_array")
    env.reset(seed=1)
    assert not is_marked(env.render())
    spot = env.game.spot
    assert spot is not None
    action = next(action for action in env.legal_actions() if spot(env.record()[0], int(env.record()[0].seat), action).places)
    places = spot(env.record()[0], int(env.record()[0].seat), action).places
    env.step(action)
    assert (env.render() == pixels(mark(env.game.svg(env.record()[0], None), places))).all()
    assert (env.render("player_1") == pixels(env.svg("player_1"))).all()
    saved = env.save()
    env.load(saved)
    assert not is_marked(env.render()), "a save does not know where its last move was played"
    env.step(env.legal_actions()[0])
    env.reset(seed=1)
    assert not is_marked(env.render())


@every_game()
def test_a_spectator_s_picture_keeps_the_seats_in_place_and_hides_nothing(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=2)
    orders = set()
    for _ in range(30):
        picture = env.game.svg(env.record()[0], None)
        assert ">?<" not in picture and "$?" not in picture and str(HIDDEN) not in [cell.split("<")[0] for cell in picture.split(">")]
        orders.add(tuple(re.findall(r'data-panel="player:(\d)"', picture)))
        env.step(env.legal_actions()[-1])
    assert orders == {tuple(map(str, range(env.variant.players)))}


@every_game()
def test_names_stand_beside_the_players_and_long_ones_are_cut(name: str) -> None:
    env = tw.make(name)
    env.reset(seed=2)
    names = ["scripted", "a" * 60, *[""] * (env.variant.players - 2)]
    picture = env.game.svg(env.view("player_0"), 0, names)
    assert "· scripted" in picture and "· " + "a" * 21 + "…" in picture and "a" * 22 not in picture
    assert picture.count("·") == 2
    assert "·" not in env.svg("player_0")


@every_game()
def test_the_end_shows_every_player_s_rank_and_score(name: str) -> None:
    env = tw.make(name, **({"max_turns": 3} if name == "container" else {}))
    env.reset(seed=3)
    random = np.random.default_rng(3)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(int(random.choice(env.legal_actions())))
    picture = env.svg()
    for info in env.infos.values():
        assert any(f"{sign}{info['score']}{end}" in picture for sign, end in ((">", "<"), (">$", "<"), ("= ", " points<")))


@pytest.mark.slow
@every_game()
def test_a_frame_drawn_from_what_changed_is_the_whole_picture(name: str) -> None:
    """Only antialiasing may differ, by a pixel here and there: what is missing or left over would fill a block."""
    pytest.importorskip("resvg_py")
    env = tw.make(name, render_mode="rgb_array")
    env.reset(seed=1)
    rng, drawn = np.random.default_rng(1), []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(raster, "draw", lambda svg, draw=raster.draw: drawn.append(draw(svg)) or drawn[-1])
        for _ in range(25):
            env.render()
            env.step(int(rng.choice(env.legal_actions())))
        frame = env.render()
    assert sum(part.size for part in drawn[1:]) < 0.5 * 25 * frame.size
    whole = raster.draw(mark(env.game.svg(env.record()[0], None), env._last_places()))
    height, width = (side - side % 8 for side in frame.shape[:2])
    difference = np.abs(frame[:height, :width].astype(int) - whole[:height, :width]).mean(axis=2)
    assert difference.reshape(height // 8, 8, width // 8, 8).mean(axis=(1, 3)).max() < 24


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
@pytest.mark.parametrize("bold", [False, True])
def test_the_box_of_a_line_holds_all_its_ink_with_less_than_a_font_size_around_it(anchor: str, bold: bool) -> None:
    pytest.importorskip("resvg_py")
    for text in ("AVATAR To Ty", "player_0 (you)", "Éj|gypq", "$12 & <3>", "wwwwww", "1"):
        svg = document(400, 60, "line", [label(200, 30, text, 20, anchor=anchor, bold=bold)])
        _, (piece,) = raster.split(svg)
        box, (y, x) = raster.box_of(piece), np.nonzero((raster.draw(svg) != 255).any(axis=2))
        ink = raster.Box(int(x.min()), int(y.min()), int(x.max()) + 1, int(y.max()) + 1)
        assert box & ink == ink, text
        assert max(ink.left - box.left, ink.top - box.top, box.right - ink.right, box.bottom - ink.bottom) < 20, text  # the font size


def test_pieces_that_only_change_places_are_drawn_again() -> None:
    pytest.importorskip("resvg_py")
    red, blue = rect(0, 0, 20, 20, "#ff0000"), rect(10, 10, 20, 20, "#0000ff")
    for parts, colour in (((red, blue), (0, 0, 255)), ((blue, red), (255, 0, 0))):
        assert tuple(raster.pixels(document(40, 40, "two", parts))[15, 15]) == colour


def test_the_memory_of_drawn_parts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(raster, "draw", lambda svg: drawn.append(svg) or np.zeros(int(svg), np.uint8))
    monkeypatch.setattr(raster, "_kept", {})
    monkeypatch.setattr(raster, "MOST_BYTES", 1000)
    for size in (400, 401, 400, 402, 400, 401, 5000):
        assert raster._drawn(str(size)).nbytes == size
        assert sum(part.nbytes for part in raster._kept.values()) <= 1000
    assert drawn == ["400", "401", "402", "401", "5000"]  # what was not used for the longest time is forgotten
    monkeypatch.setattr(raster, "MOST_PARTS", 3)
    for size in range(9):
        raster._drawn(str(size))
    assert list(raster._kept) == ["6", "7", "8"]
