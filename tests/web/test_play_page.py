"""The start page and the table in a browser, played by mouse alone and by keys alone."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import every_game
from tests.support import registered, sample, toy_game
from tradewinds.agents.analysis import Analysis, Choice, Review, agent_code, analysis_path
from tradewinds.envs.core.render.places import Spot
from tradewinds.envs.core.render.svg import area, document, rect
from tradewinds.envs.core.render.svg import place as named
from tradewinds.training.evaluation.evaluate import tournament
from tradewinds.web.server import Server, replay_id

from .conftest import played
from .server_tools import METRICS, Open, fewest, listening, new_server, start, wait_for

pytestmark = pytest.mark.browser
NAME = "santiago_de_cuba"
RICHEST = {"puerto_rico": {"new_buildings": True, "nobles": True}, "container": {"investment_bank": True, "void_bids": True}}  # rules
TIMES = sample(2, 3000)  # decisions between the same kinds of action that are made on the page
AXE = Path(__file__).with_name("axe.min.js")


def decide(page: Any, server: Server, game: str, act: Callable[[Any, dict[str, Any]], None]) -> int:
    """Let `act` make the first decisions of each kind, until the game is over; returns how many it made.

    What it does plays exactly once. Later decisions between the same kinds of action are made at random without the page.
    """
    session, random = server.sessions[game], np.random.default_rng(4)
    wait_for(lambda: session.table is not None, 180)  # it may have to be compiled
    made: Counter[frozenset[str]] = Counter()

    def decided() -> int:
        return sum(seat == 0 for seat, _, _ in session.table.env.moves)

    for number in range(3000):
        shown = wait_for(lambda: (found := session.board(0))["status"] in ("yours", "over", "failed") and found)
        if shown["status"] != "yours":
            assert shown["status"] == "over"
            return made.total()
        assert decided() == number
        kinds = frozenset(session.table.env.describe(choice["id"]).partition(":")[0] for choice in shown["choices"])
        if made[kinds] == TIMES:
            session.move(0, shown["seq"], random.choice([choice["id"] for choice in shown["choices"]]).item())
            continue
        made[kinds] += 1
        page.locator(f'.table[data-seq="{shown["seq"]}"]').wait_for()
        act(page, shown)
        try:
            wait_for(lambda number=number: decided() > number, seconds=20)
        except AssertionError:
            raise AssertionError(f"nothing was played: {[choice['name'] for choice in shown['choices']]}") from None
    raise AssertionError("the game does not end")


def is_at(page: Any, shown: dict[str, Any]) -> bool:
    """Whether the page still asks for the same decision, and nothing is on its way."""
    page.locator(".choices:not([aria-busy])").wait_for()
    return page.locator(".table").get_attribute("data-seq") == str(shown["seq"])


@pytest.mark.slow
@every_game()
def test_a_whole_game_by_clicks_alone(name: str, open_page: Open, shared_server: Server, address: str) -> None:
    page, random = open_page(), np.random.default_rng(2)
    made = start(page, address, name, ["here", *["random"] * (fewest(name) - 1)])
    clicked = 0

    def act(page: Any, shown: dict[str, Any]) -> None:
        nonlocal clicked
        choice = shown["choices"][int(random.integers(len(shown["choices"])))]
        for place in choice["places"]:
            hot = page.locator(f'.outline.hot[data-for="{place}"]').first
            if hot.count():
                hot.click(force=True)
                clicked += 1
                if not is_at(page, shown):
                    return
        page.locator(f'.choices [data-action="{choice["id"]}"]').click()

    assert decide(page, shared_server, made["id"], act) > 5
    assert clicked > 5
    page.locator(".result .winner").first.wait_for()


@pytest.mark.slow
@every_game()
def test_a_game_with_all_rules_by_keys_alone(name: str, open_page: Open, shared_server: Server, address: str) -> None:
    page, random = open_page(), np.random.default_rng(3)
    made = start(page, address, name, ["here", *["random"] * (fewest(name) - 1)], **RICHEST.get(name, {}))

    def act(page: Any, shown: dict[str, Any]) -> None:
        at = int(random.integers(len(shown["choices"])))
        way = int(random.integers(3))
        keys = page.locator(".choices kbd").all_inner_texts() or page.locator(".choices .chip").all_inner_texts()  # amounts are typed
        if way == 1 and page.locator('.hot[role="button"]').count():
            page.keyboard.press("ArrowRight")  # a place on the board
            page.keyboard.press("Enter")
            while is_at(page, shown):  # several choices are left
                page.keyboard.press("ArrowDown")
                page.keyboard.press("Enter")
        elif way == 2 and keys:
            page.keyboard.type(keys[at])
        else:
            for _ in range(at + 1):
                page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")

    assert decide(page, shared_server, made["id"], act) > 5
    page.locator(".result .winner").first.wait_for()


def test_a_game_is_started_by_the_form_and_waits_for_the_first_choice(open_page: Open, address: str) -> None:
    page = open_page()
    page.get_by_role("radio", name=re.compile("Santiago")).check()
    page.locator(".segments label").first.click()
    page.locator(".seat-row").nth(2).wait_for(state="detached")
    page.get_by_label("Seat 1", exact=True).select_option("random")
    page.get_by_label("Seat 0: Name").fill("<b>Ann</b>")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url(re.compile("/table/"))
    page.locator(".pill.yours").wait_for()
    assert page.locator(".board svg").count() == 1 and page.locator(".players b").count() == 0
    assert "<b>Ann</b>" in page.locator(".players").inner_text()


def test_hint_undo_rules_text_board_and_filter(open_page: Open, shared_server: Server, address: str) -> None:
    page = open_page()
    made = start(page, address, NAME, ["here", "random"])
    page.locator(".pill.yours").wait_for()
    page.keyboard.press("h")
    page.locator(".hint-box").wait_for()
    assert page.locator(".choice.hinted, .chip.hinted").count() >= 1
    page.keyboard.press("b")
    assert page.locator(".text-board").is_visible() and not page.locator(".board").is_visible()
    page.keyboard.press("b")
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog", name="Rules")
    assert "Goal" in dialog.inner_text()
    dialog.get_by_role("button", name="What things do").click()
    dialog.get_by_role("searchbox").fill("rum")
    assert dialog.locator(".entry:visible").count() >= 1
    dialog.get_by_role("button", name="All rules").click()
    assert dialog.locator("table").count() >= 1
    dialog.get_by_role("button", name="Close").click()
    log = page.locator(".log li").count()
    seq = shared_server.sessions[made["id"]].board(0)["seq"]
    page.keyboard.press("1")
    wait_for(lambda: shared_server.sessions[made["id"]].board(0)["seq"] != seq)
    page.locator(".pill.yours").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("took back").wait_for()
    assert page.locator(".log li").count() == log + 1


def test_a_choice_under_the_pointer_shows_its_places_on_the_board(open_page: Open, address: str) -> None:
    page = open_page()
    start(page, address, NAME, ["here", "random"])
    page.locator(".pill.yours").wait_for()
    placed = page.evaluate("() => Array.from(document.querySelectorAll('.outline.hot'), (one) => one.dataset.for)")
    choice = page.locator(".choices button").first
    choice.hover()
    outlined = page.locator(".outline.chosen")
    outlined.first.wait_for()
    assert outlined.first.get_attribute("data-for") in placed
    page.mouse.move(0, 0)
    outlined.first.wait_for(state="detached")


def test_the_analysis_of_the_own_decisions_is_shown_beside_and_on_the_board(open_page: Open, address: str) -> None:
    page = open_page()
    start(page, address, NAME, ["here", "random"])
    page.locator(".pill.yours").wait_for()
    page.keyboard.press("a")
    page.locator(".live .review-table").wait_for()
    assert page.locator(".live tbody tr").count() > 1 and page.locator(".outline.heat").count() >= 1
    written = page.locator(".outlines .value").all_text_contents()
    assert written and set(written) <= set(page.locator(".live tbody td:last-child").all_inner_texts()), "the mover's win rate"
    shares = [int(text.removesuffix("%").strip()) for text in page.locator(".players .rate").all_inner_texts()]
    assert abs(sum(shares) - 100) <= 1
    page.keyboard.press("1")
    page.locator(".live").wait_for(state="hidden")
    page.locator(".live .review-table").wait_for()  # of the next decision
    page.keyboard.press("a")
    assert not page.locator(".live").is_visible() and page.locator(".outline.heat, .outlines .value").count() == 0


def test_two_presses_a_held_key_and_a_double_click_play_once(open_page: Open, shared_server: Server, address: str) -> None:
    page = open_page()
    made = start(page, address, NAME, ["here", "random"])
    session = shared_server.sessions[made["id"]]
    press = "(repeat) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, repeat }))"

    def decided() -> int:
        return sum(seat == 0 for seat, _, _ in session.table.env.moves)

    def after(act: Callable[[], Any], expected: int) -> int:
        """How many decisions are made, once the page shows the last one and nothing is on its way."""
        page.locator(".pill.yours").wait_for()
        before = decided()
        act()
        wait_for(lambda: decided() >= before + expected)
        page.locator(".choices:not([aria-busy])").wait_for()
        page.locator(".pill.yours").wait_for()
        page.locator(f'.table[data-seq="{session.board(0)["seq"]}"]').wait_for()
        return decided() - before

    assert after(lambda: page.evaluate(press, True), 0) == 0
    assert after(lambda: page.evaluate(f"() => {{ const press = {press}; press(false); press(false); press(true); }}"), 1) == 1
    assert after(lambda: page.locator(".choice").first.dblclick(), 1) == 1


def to_a_wish(session: Any, ann: Any) -> None:
    """Play until Ann, at seat 0, decides, and Bob would have to ask before he takes back."""
    while session.table.seat != 0 or session.board(1)["undo"]["how"] != "ask" or len(session.board(0)["choices"]) < 3:
        seat = session.table.seat
        session.move(seat, session.board(seat)["seq"], session.board(seat)["choices"][0]["id"])
    ann.locator(f'.table[data-seq="{session.board(0)["seq"]}"]').wait_for()


def test_the_focus_stays_when_another_asks_for_something(open_page: Open, shared_server: Server, address: str) -> None:
    ann = open_page()
    made = start(ann, address, NAME, ["here", {"who": "link", "name": "Bob"}])
    session = shared_server.sessions[made["id"]]
    wait_for(lambda: session.table is not None)
    to_a_wish(session, ann)
    for _ in range(3):
        ann.keyboard.press("ArrowDown")
    action = int(ann.locator(".choices :focus").get_attribute("data-action"))
    session.take_back(1, session.board(1)["seq"])
    ann.get_by_text("Bob would like to take back").wait_for()
    ann.keyboard.press("Enter")
    wait_for(lambda: [move for move in session.table.env.moves if move[0] == 0][-1][1] == action)


def test_a_choice_that_crosses_a_wish_of_another_is_played(open_page: Open, shared_server: Server, address: str) -> None:
    ann = open_page()
    made = start(ann, address, NAME, ["here", {"who": "link", "name": "Bob"}])
    session = shared_server.sessions[made["id"]]
    wait_for(lambda: session.table is not None)
    to_a_wish(session, ann)
    ann.route("**/events", lambda route: route.fulfill(content_type="text/event-stream", body=": nothing\n\n"))
    ann.reload()
    shown = session.board(0)
    ann.locator(f'.table[data-seq="{shown["seq"]}"]').wait_for()
    session.take_back(1, session.board(1)["seq"])
    count = len(session.table.env.moves)
    ann.keyboard.press("1")
    wait_for(lambda: len(session.table.env.moves) == count + 1)
    assert session.table.env.moves[-1][1] == shown["choices"][0]["id"]


def test_two_people_in_two_browsers_see_their_own_seats(open_page: Open, shared_server: Server, address: str) -> None:
    ann = open_page()
    made = start(ann, address, NAME, ["here", {"who": "link", "name": "Bob"}])
    bob = open_page(path=made["links"][0]["path"])
    for page, seat in ((ann, 0), (bob, 1)):
        page.locator(".board svg").wait_for()
        assert f"seen by player_{seat}" in page.locator(".board svg").text_content()
    assert "seat=" not in bob.url
    session = shared_server.sessions[made["id"]]
    for _ in range(6):
        seat = session.table.seat
        page, other = (ann, bob)[seat], (ann, bob)[1 - seat]
        page.locator(".pill.yours").wait_for()
        assert other.locator(".pill.others").count() == 1 and other.locator(".choice, .chip").count() == 0
        before = session.board(seat)["seq"]
        page.locator(".choices button").first.click()
        wait_for(lambda seat=seat, before=before: session.board(seat)["seq"] != before)
    assert bob.locator("nav").count() == 0, "a guest is not shown the owner's pages"


def test_a_curtain_falls_between_two_people_at_one_device(open_page: Open, shared_server: Server, address: str) -> None:
    page = open_page()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "/api/" in request.url and "/board" in request.url else None)
    made = start(page, address, NAME, [{"who": "here", "name": "Ann"}, {"who": "here", "name": "Bob"}])
    session = shared_server.sessions[made["id"]]
    wait_for(lambda: session.table is not None)
    first = session.table.seat
    page.get_by_role("button", name=re.compile("show my board")).click()
    page.locator(".pill.yours").wait_for()
    assert all(f"seat={first}" in url for url in sent), f"something of the other seat was asked for: {sent}"
    for _ in range(20):
        if session.table.seat != first:
            break
        seq = session.board(first)["seq"]
        page.locator(".choices button").first.click()
        wait_for(lambda seq=seq: session.board(first)["seq"] != seq)
    page.locator(".curtain").wait_for()
    assert page.locator(".board svg").count() == 0 and page.locator(".choices button").count() == 0
    name = ("Ann", "Bob")[session.table.seat]
    page.get_by_role("button", name=f"I am {name}").click()
    page.locator(".pill.yours").wait_for()


def test_a_fourth_game_needs_places_only(open_page: Open, shared_server: Server, address: str) -> None:
    count = len(toy_game().actions)

    def picture(view: Any, seat: int | None, names: Any = ()) -> str:
        pieces = [named(f"action:{at}", [rect(10 + 60 * (at % 10), 10 + 60 * (at // 10), 50, 50, "#cde")]) for at in range(count)]
        return document(620, 80 + 60 * (count // 10), "Toy Market", [area("market", "Market", pieces)])

    game = replace(toy_game(), svg=picture, spot=lambda view, seat, action: Spot((f"action:{action}",)))
    with registered(game):
        page = open_page()
        made = start(page, address, game.name, ["here", *["random"] * (fewest(game.name) - 1)])

        def act(page: Any, shown: dict[str, Any]) -> None:
            page.locator(f'.outline.hot[data-for="{shown["choices"][-1]["places"][0]}"]').click(force=True)

        assert decide(page, shared_server, made["id"], act) > 2
        page.locator(".result .winner").first.wait_for()


@pytest.mark.parametrize("width", [390, 1024, 1600])
def test_nothing_is_wider_than_the_screen(
    width: int, open_page: Open, shared_server: Server, address: str, dashboards: dict[str, str]
) -> None:
    page = open_page(width=width, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for path, filled in dashboards.items():
        page.goto(address + path)
        page.locator(filled).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    for name in (*(other for other in tw.games() if other != NAME), NAME):
        start(page, address, name, ["here", *["random"] * (fewest(name) - 1)])
        page.locator(".pill.yours").wait_for()
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name}, {theme}"
    choice = page.locator(".choices button").first.bounding_box()
    assert choice["y"] + 24 <= 844, "the choices are in sight"
    assert choice["height"] >= 24
    if width == 390:
        assert page.locator('.tabs [aria-pressed="true"]').inner_text() != "Whole board", "the part with the choices is shown"


@pytest.fixture(scope="module")
def dashboards(shared_server: Server) -> dict[str, str]:
    """Pages of a tournament, a run and an analysed replay, by what is on them and a selector that shows that they are filled."""
    tournament(NAME, ["random", "scripted"], games=4, folder=shared_server.settings.runs / "cup", workers=0, players=2)
    (shared_server.settings.runs / "run").mkdir()
    (shared_server.settings.runs / "run" / "metrics.csv").write_text(METRICS)
    replay, path = played(NAME, 4, players=2, names=True), shared_server.settings.runs / "game.jsonl"
    replay.save(path)
    equal = (0.5, 0.5)
    reviews = [Review(move.seat, move.action, equal, (Choice(move.action, 8, equal),), (move.action,), 0.06) for move in replay.moves]
    Analysis(agent_code(replay.game.with_options(**replay.options)), tuple(reviews), None).save(analysis_path(path), replay)
    return {
        "/compare": ".figures",
        "/training": ".plot",
        "/replays": "table, li",
        f"/replay/{replay_id(path)}#5": ".analysis .review-table",
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault(
    theme: str, browser: Any, shared_server: Server, address: str, dashboards: dict[str, str], tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme=theme, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{address}/?token={shared_server.token}")
    page.wait_for_selector(".pick")

    def faults(page: Any) -> list[str]:
        return faults_of(page, None if theme == "light" else ["color-contrast"])  # nothing else depends on the theme

    found = {"start": faults(page)}
    for path, filled in {**dashboards, "/nothing": ".notice.error"}.items():
        page.goto(address + path)
        page.locator(filled).first.wait_for()
        found[path] = faults(page)
    for name in tw.games():
        start(page, address, name, ["here", *["random"] * (fewest(name) - 1)])
        page.locator(".pill.yours").wait_for()
        if name == NAME:
            page.keyboard.press("a")
            page.locator(".live table").wait_for()
        found[name] = faults(page)
    page.keyboard.press("r")
    page.get_by_role("dialog").wait_for()
    found["rules"] = faults(page)
    session = shared_server.sessions[start(page, address, NAME, ["here", "random"])["id"]]
    page.locator(".pill.yours").wait_for()
    session.fail("The agent of player_1 failed", RuntimeError())
    page.locator(".pill.failed").wait_for()
    found["failed"] = faults(page)
    session.retry(None)
    while (shown := session.board(0))["status"] != "over":
        if shown["status"] == "yours":
            session.move(0, shown["seq"], shown["choices"][-1]["id"])
    page.locator(".result .winner").first.wait_for()
    found["result"] = faults(page)
    start(page, address, NAME, [{"who": "here", "name": "Ann"}, {"who": "here", "name": "Bob"}])
    page.locator(".curtain").wait_for()
    found["curtain"] = faults(page)
    (tmp_path / "game.html").write_text(tw.load_replay(session.path).html(), encoding="utf-8")
    page.goto((tmp_path / "game.html").as_uri())
    page.locator(".board svg").wait_for()
    found["export"] = faults(page)
    context.close()
    assert {name: those for name, those in found.items() if those} == {}


def faults_of(page: Any, rules: list[str] | None) -> list[str]:
    """What axe finds on a page, by all rules or by some."""
    page.add_script_tag(path=AXE)
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = page.evaluate("async (options) => (await axe.run(document, options)).violations", options)
    return [
        f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def test_a_lost_connection_is_said_and_found_again(browser: Any, tmp_path: Path) -> None:
    server = new_server(tmp_path)
    page = browser.new_page()
    with listening(server) as address:
        page.goto(f"{address}/?token={server.token}")
        page.wait_for_selector(".pick")
        start(page, address, NAME, ["here", "random"])
        page.locator(".pill.yours").wait_for()
        assert not page.locator(".stage > .notice.error").is_visible()
    page.get_by_text("The connection to the server is lost").wait_for()
    page.close()
