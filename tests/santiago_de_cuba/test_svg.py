"""The board as SVG."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.santiago_de_cuba.views import STAGES, labels, view_in, view_of
from tradewinds.envs.core.render.raster import pixels
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba.render.text import svg, text
from tradewinds.envs.santiago_de_cuba.state import Phase
from tradewinds.envs.santiago_de_cuba.tables import BUILDING_NAMES, BUILDINGS, CUBAN_NAMES, EMPTY, Building


@pytest.mark.parametrize(("players", "moves"), STAGES)
def test_the_picture_is_well_formed_and_names_every_building_and_cuban_once(players, moves):
    picture = svg(view_of(players, moves), 0)
    root = ElementTree.fromstring(picture)
    assert root.get("viewBox") == "0 0 1200 800"
    words = labels(picture)
    for name in (*BUILDING_NAMES, *CUBAN_NAMES):
        assert words.count(name) == 1, name
    for seat in range(4):
        assert words.count(f"player_{seat}") == (1 if seat < players else 0)


@pytest.mark.parametrize(("players", "moves"), STAGES)
def test_the_picture_uses_one_font_and_nothing_from_outside(players, moves):
    picture = svg(view_of(players, moves), 0)
    assert re.findall(r'font-family="(.*?)"', picture) == ["Roboto, 'Helvetica Neue', Arial, sans-serif"]
    assert not re.search(r"href|<image|<style|<script|url\(", picture)


@pytest.mark.rule("SC-INF-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_picture_hides_what_the_text_hides(players):
    assert labels(svg(view_of(players), 0)).count("?") == 8 * (players - 1)
    assert labels(svg(view_of(players, visibility="open"), 0)).count("?") == 0


def text_boxes(picture: str) -> list[tuple[str, float, float, float, float]]:
    """Every label with its left, top, right and bottom, measured with the true font."""
    font_roboto = pytest.importorskip("font_roboto")
    fonts = pytest.importorskip("PIL.ImageFont")
    folder = Path(font_roboto.__file__).parent / "files"
    scale = 100
    faces = {bold: fonts.truetype(str(folder / f"Roboto-{bold}.ttf"), scale) for bold in ("Bold", "Regular")}
    found = []

    def walk(element: ElementTree.Element, x: float, y: float) -> None:
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)(?: rotate\(.*\))?", element.get("transform", "translate(0 0)"))
        assert moved is not None
        x, y = x + float(moved[1]), y + float(moved[2])
        if element.tag.endswith("text"):
            size = float(element.get("font-size", ""))
            width = faces["Bold" if element.get("font-weight") else "Regular"].getlength(element.text) * size / scale
            left = x + float(element.get("x", "")) - {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
            base = y + float(element.get("y", ""))
            found.append((element.text, left, base - 0.72 * size, left + width, base))
        for child in element:
            walk(child, x, y)

    walk(ElementTree.fromstring(picture), 0, 0)
    return found


def wide_view() -> Any:
    """Everything at its longest."""
    view = view_in(Phase.PORT, passed=[0, 1, 1, 1], players=4, seat=0, active=0, pesos=30_000, points=10_000, goods=8, turn=998)
    view.owner[:] = [0, 1, 2, 3] * 3
    view.pawn[:] = [Building.CONTRACTORS_OFFICE, Building.HARBOUR_AUTHORITY, Building.CUSTOMS_OFFICE, Building.CAFE]
    return view


@pytest.mark.parametrize("case", [*STAGES, "wide", "wide and over"])
def test_no_label_of_the_picture_is_cut_off_or_runs_into_another(case):
    if isinstance(case, tuple):
        view = view_of(*case)
    else:
        view = wide_view()
        view.status = Status.TRUNCATED if case == "wide and over" else Status.RUNNING
    boxes = text_boxes(svg(view, 0))
    for at, (words, left, top, right, bottom) in enumerate(boxes):
        assert left >= 0, words
        assert top >= 0, words
        assert right <= 1200, words
        assert bottom <= 800, words
        for other, *box in boxes[:at]:
            assert right <= box[0] or box[2] <= left or bottom <= box[1] or box[3] <= top, (words, other)


@pytest.mark.parametrize(("players", "moves"), STAGES)
def test_the_picture_becomes_pixels(players, moves):
    pytest.importorskip("resvg_py")
    picture = pixels(svg(view_of(players, moves), 0))
    assert picture.shape == (800, 1200, 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture @ np.array([1 << 16, 1 << 8, 1]))) > 20


def test_a_pawn_that_moves_changes_only_the_two_buildings():
    pytest.importorskip("resvg_py")
    view = view_in(Phase.CAR)
    view.sites[:] = range(BUILDINGS)
    view.pawn[:] = [Building.BANK, EMPTY, EMPTY, EMPTY]
    before = pixels(svg(view, 0)).astype(int)
    view.pawn[0] = Building.NEWSPAPER
    y, x = np.nonzero(np.abs(pixels(svg(view, 0)).astype(int) - before).sum(axis=2))
    is_yellow = (y > 72) & (y < 190) & (x > 186) & (x < 348)  # the bank is first under the yellow flower, above the street
    is_white = (x > 12) & (x < 180) & (y > 480) & (y < 580)  # the newspaper is last under the white one, left of it
    assert is_yellow.any()
    assert is_white.any()
    assert (is_yellow | is_white).all()


def test_the_environment_renders_what_the_game_draws():
    env = tw.make("santiago_de_cuba", players=3, render_mode="ansi")
    env.reset(seed=1)
    assert env.render("player_2") == text(env.view("player_2"), 2)
    assert env.svg("player_2") == svg(env.view("player_2"), 2)
