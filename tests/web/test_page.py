"""The replay page in a browser, opened from a file with the network off."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import tradewinds.envs as tw
from tests.contract.tools import every_game
from tradewinds.agents.analysis import Analysis, Choice, Review
from tradewinds.web.analysis import as_data

from .conftest import Made, everyone
from .server_tools import wait_for

pytestmark = pytest.mark.browser
Open = Callable[..., Any]
NAME = "santiago_de_cuba"


@pytest.fixture(scope="module")
def texts(games: dict[str, tw.Replay]) -> dict[str, str]:
    """The page of each game, which takes seconds to draw."""
    return Made(lambda name: games[name].html(everyone(games[name])))


@pytest.fixture
def open_page(browser: Any, games: dict[str, tw.Replay], texts: dict[str, str], tmp_path: Path) -> Iterator[Open]:
    """Opens a game's page from a file; fails if the page asked for anything or had an error."""
    wrong: list[str] = []
    contexts = []

    def opened(name: str, width: int = 1400, height: int = 900, theme: str = "light", analysis: Any = None, at: str = "") -> Any:
        file = tmp_path / f"{name}.html"
        text = games[name].html(analysis=analysis) if analysis else texts[name]
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("console", lambda message: wrong.append(f"{message.type}: {message.text}"))
        page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith((file.as_uri(), "data:")) else None)
        page.goto(file.as_uri() + at)
        page.wait_for_selector(".board svg")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


def labels(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def shown(page: Any) -> list[str]:
    return page.locator(".board svg text").all_text_contents()


def count(page: Any) -> tuple[int, int]:
    at, end = page.locator(".count").inner_text().split(" / ")
    return int(at), int(end)


@every_game()
def test_the_first_and_the_last_board_are_those_of_the_game(name: str, open_page: Open, games: dict[str, tw.Replay]) -> None:
    page = open_page(name)
    positions = games[name].positions()
    start = next(positions)
    assert shown(page) == labels(games[name].game.svg(start.record()[0], None, games[name].players))
    page.keyboard.press("End")
    at, end = count(page)
    assert at == end > 50
    *_, over = positions
    assert shown(page) == labels(games[name].game.svg(over.record()[0], None, games[name].players))
    assert page.locator(".players .winner").count() >= 1


def test_keys_buttons_slider_and_log_lead_to_positions(open_page: Open) -> None:
    page = open_page(NAME)
    for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", count(page)[1]), ("Home", 0)):
        page.keyboard.press(key)
        assert count(page)[0] == expected
    page.get_by_label("One step forward").click()
    assert count(page)[0] == 1
    page.get_by_label("Position").fill("7")
    assert count(page)[0] == 7
    page.locator(".log button").nth(5).click()
    assert count(page)[0] == 5
    assert page.locator(".log [aria-current] button").inner_text().split() == page.locator(".said").inner_text().split()
    assert page.url.endswith("#5")


def test_an_address_with_a_number_opens_that_position(open_page: Open) -> None:
    assert count(open_page(NAME, at="#9"))[0] == 9


def test_arrows_up_and_down_go_to_moves_of_the_same_player(open_page: Open, documents: dict[str, Any]) -> None:
    log = documents[NAME]["views"][0]["log"]
    page = open_page(NAME, at="#3")
    (seat, _), *_ = log[3]
    page.keyboard.press("ArrowDown")
    at = count(page)[0]
    assert at == next(later for later in range(4, len(log)) if log[later] and log[later][0][0] == seat)
    page.keyboard.press("ArrowUp")
    assert count(page)[0] == 3


def test_it_plays_by_itself_and_pauses(open_page: Open) -> None:
    page = open_page(NAME)
    page.get_by_label("Speed").select_option("8")
    page.keyboard.press(" ")
    page.get_by_label("Pause").wait_for()
    wait_for(lambda: count(page)[0] >= 2)
    page.keyboard.press(" ")
    at = count(page)[0]
    page.wait_for_timeout(400)
    assert count(page)[0] == at


def test_the_last_move_is_outlined_on_the_board(open_page: Open, documents: dict[str, Any]) -> None:
    marks = documents[NAME]["views"][0]["marks"]
    at = next(at for at, places in enumerate(marks) if at > 5 and places)
    page = open_page(NAME, at=f"#{at}")
    outlined = page.locator(".outline.last").evaluate_all("all => all.map((one) => one.dataset.for)")
    assert set(outlined) == set(marks[at])
    place = page.locator(f'[data-place="{marks[at][0]}"]').first.bounding_box()
    outline = page.locator(".outline.last").first.bounding_box()
    assert abs(place["x"] - outline["x"]) < 12 and abs(place["y"] - outline["y"]) < 12


def test_a_view_hides_what_its_seat_cannot_see(open_page: Open) -> None:
    page = open_page(NAME, at="#20")
    assert "?" not in shown(page)
    page.get_by_label("View").select_option(label="What player_1 sees".replace("player_1", "player_1 (agent 1)"))
    assert shown(page).count("?") == 8 and count(page)[0] == 20
    page.keyboard.press("v")
    assert "?" not in shown(page), "after the last view comes the first"


def test_secret_moves_that_a_seat_does_not_see_are_passed_over(open_page: Open, documents: dict[str, Any]) -> None:
    data = documents["container"]
    views = [(index, view) for index, view in enumerate(data["views"]) if view["seat"] is not None and view["log"] is not None]
    index, at = next(
        (index, at)
        for index, view in views
        for at in range(1, len(view["frames"]) - 1)
        if not view["log"][at] and len(view["frames"][at]) == 1
    )
    page = open_page("container", at=f"#{at - 1}")
    page.get_by_label("View").select_option(str(index))
    page.keyboard.press("ArrowRight")
    assert count(page)[0] > at


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_light_and_dark_follow_the_system_and_can_be_switched(theme: str, open_page: Open) -> None:
    page = open_page(NAME, theme=theme)

    def brightness() -> int:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)))

    first = brightness()
    page.keyboard.press("t")
    assert (first > 380) == (theme == "light")
    assert (brightness() > 380) != (theme == "light")


@pytest.mark.parametrize("width", [390, 1024, 1600])
@every_game()
def test_nothing_is_wider_than_the_screen_and_the_controls_are_in_sight(name: str, width: int, open_page: Open) -> None:
    page = open_page(name, width=width, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".controls").bounding_box()
    assert box["y"] + box["height"] <= 844
    board = page.locator(".board svg").bounding_box()
    assert board["width"] > 0.6 * min(width, 1000)


@every_game()
def test_a_phone_shows_the_parts_of_the_board_one_by_one(name: str, open_page: Open) -> None:
    page = open_page(name, width=390, height=844)
    whole = page.locator(".board svg").get_attribute("viewBox")
    tabs = page.locator(".tabs button")
    assert tabs.count() > 5
    for index in range(1, tabs.count()):
        tabs.nth(index).click()
        x, y, width, height = map(float, page.locator(".board svg").get_attribute("viewBox").split())
        assert 0 < width * height < 0.6 * float(whole.split()[2]) * float(whole.split()[3])
        assert x >= -7 and y >= -7
    page.keyboard.press("ArrowRight")
    assert tabs.nth(tabs.count() - 1).get_attribute("aria-pressed") == "true", "the part stays when the position changes"
    tabs.nth(0).click()
    assert page.locator(".board svg").get_attribute("viewBox") == whole


def test_win_shares_are_drawn_and_lead_to_positions(open_page: Open, games: dict[str, tw.Replay]) -> None:
    shares = [[0.25, 0.75]] * (len(games[NAME].moves) + 1)
    page = open_page(NAME, analysis={"agent": "search:400", "shares": shares})
    assert page.locator(".chart polyline").count() == 2
    box = page.locator(".chart").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    at, end = count(page)
    assert abs(at - end / 2) < 3


def test_visits_and_values_are_shown_on_the_board_where_an_analysed_choice_is_played(
    open_page: Open, games: dict[str, tw.Replay], documents: dict[str, Any]
) -> None:
    values = (0.25, 0.75)
    reviews = [Review(move.seat, move.action, values, (Choice(move.action, 8, values),), (move.action,), 0) for move in games[NAME].moves]
    analysis = Analysis("search:8:margin=0:reuse=no", tuple(reviews), None)
    data = as_data(analysis, games[NAME])["reviews"]
    for seat in (0, 1):
        decision = next(at for at, review in enumerate(data) if review["seat"] == seat and review["choices"][0][3])
        before = [at for at, number in enumerate(documents[NAME]["decisions"]) if number == decision]
        page = open_page(NAME, analysis=analysis, at=f"#{before[-1]}")
        places = set(data[decision]["choices"][0][3])
        assert set(page.locator(".outline.heat").evaluate_all("all => all.map((one) => one.dataset.for)")) == places
        assert page.locator(".outlines .value").all_text_contents() == [f"{values[seat]:.0%}"] * len(places)


def test_the_keys_are_listed(open_page: Open) -> None:
    page = open_page(NAME)
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("ArrowRight")
    assert count(page)[0] == 0, "no key acts behind the list"
    page.get_by_role("button", name="Close").click()
    assert not page.get_by_role("dialog").is_visible()


def test_a_notebook_cell_shows_the_game(browser: Any, games: dict[str, tw.Replay]) -> None:
    page = browser.new_page()
    page.set_content(f"<p>Out[1]:</p>{games[NAME]._repr_html_()}")
    frame = page.frame_locator("iframe")
    frame.locator(".board svg").wait_for()
    frame.get_by_label("To the end").click()
    assert frame.locator(".players .winner").count() >= 1
    page.close()
