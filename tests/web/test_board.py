"""board.js by itself: outlines, hot places and zoom, on a picture of its own."""

from collections.abc import Iterator
from typing import Any

import pytest

from tradewinds.envs.core.render.svg import area, circle, document, group, place, rect
from tradewinds.web.export import read, script

pytestmark = pytest.mark.browser

PICTURE = document(
    400,
    200,
    "toy",
    [
        rect(0, 0, 400, 200, "white"),
        group(
            [area("left", "Left", [place("slot:1", [rect(10, 10, 40, 40, "red")]), place("slot:1", [rect(60, 10, 40, 40, "red")])])], 20, 30
        ),
        area("right", "Right", [place("round", [group([circle(0, 0, 30, "blue", "black", 2)], 300, 100)])]),
    ],
)


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page with `board` on it, which writes down the places that were played in `played`."""
    opened = browser.new_page(viewport={"width": 800, "height": 600})
    opened.set_content(
        f"<style>{read('app.css')}</style><div id=host style='width: 800px; height: 400px'></div><script type=module>{script()}\n"
        "window.played = []; window.board = new Board(document.getElementById('host'), (place) => window.played.push(place));</script>"
    )
    opened.wait_for_function("window.board")
    opened.evaluate("picture => { board.host.className = 'board'; board.show(picture); }", PICTURE)
    yield opened
    opened.close()


def test_hot_places_are_buttons_that_are_played_by_mouse_and_by_key(page: Any) -> None:
    page.evaluate("board.outline({ hot: new Map([['slot:1', 'build here'], ['round', 'sail there']]) })")
    page.mouse.click(*middle(page, "[data-place='slot:1'] >> nth=1"))  # any piece of the place
    page.get_by_role("button", name="sail there").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="build here").focus()
    page.keyboard.press(" ")
    assert page.evaluate("window.played") == ["slot:1", "round", "slot:1"]
    assert page.get_by_role("button").count() == 2, "one button for a place, however many pieces it has"


def test_places_that_are_not_hot_cannot_be_played(page: Any) -> None:
    page.evaluate("board.outline({ last: ['round'], hot: [] })")
    page.mouse.click(*middle(page, "[data-place='round']"))
    assert page.evaluate("window.played") == []


def test_outlines_lie_on_their_places_and_stay_when_the_picture_changes(page: Any) -> None:
    page.evaluate("board.outline({ last: ['round', 'not there'] })")
    page.evaluate("picture => board.show(picture)", PICTURE)
    assert page.locator(".outline").count() == 1
    assert middle(page, ".outline") == pytest.approx(middle(page, "[data-place='round']"), abs=1)
    assert page.locator("[data-place='round'] circle").get_attribute("fill") == "blue", "the picture itself is as it was"


def test_a_panel_fills_the_board(page: Any) -> None:
    assert page.evaluate("board.panels()") == [{"name": "left", "title": "Left"}, {"name": "right", "title": "Right"}]
    page.evaluate("board.zoom('left')")
    box = [float(number) for number in page.locator("#host svg").get_attribute("viewBox").split()]
    assert box == pytest.approx([24, 34, 102, 52], abs=1)
    page.evaluate("board.zoom('not there')")
    assert page.locator("#host svg").get_attribute("viewBox") == "0 0 400 200"


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
