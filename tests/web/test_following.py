"""Pages that follow what happens: a training, new runs, an analysis; and a server that was started again."""

import threading
from typing import Any

import pytest

from tradewinds.web.server import Server, replay_id
from tradewinds.web.session import Session

from .conftest import played
from .server_tools import METRICS, Open, start

pytestmark = pytest.mark.browser


def test_the_training_page_follows_runs_and_their_curves(open_page: Open, shared_server: Server, address: str) -> None:
    page = open_page()
    page.clock.install()
    page.goto(f"{address}/training")
    page.get_by_text("No runs yet").wait_for()

    def begin(name: str) -> Any:
        (shared_server.settings.runs / name).mkdir()
        (shared_server.settings.runs / name / "metrics.csv").write_text(METRICS)
        return shared_server.settings.runs / name / "metrics.csv"

    first = begin("first")
    page.clock.run_for(6_000)
    page.locator(".run-list a").get_by_text("first").wait_for()
    page.locator(".plot").first.wait_for()
    with first.open("a") as file:
        file.write("3,ppo,7654321,5200.0,0.6,0.55,0.65,0.2\n")
    page.clock.run_for(6_000)
    page.locator(".facts").get_by_text("60%").wait_for()
    begin("second")
    for _ in range(6):
        page.clock.run_for(6_000)
        page.wait_for_timeout(0)
    page.locator(".run-list a").get_by_text("second").wait_for()
    assert page.locator(".run-list [aria-current]").inner_text().startswith("first"), "the chosen run stays"


def test_while_a_game_is_compiled_its_page_says_so(open_page: Open, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    is_compiled, prepare = threading.Event(), Session.prepare

    def slow(session: Session, *arguments: Any) -> None:
        is_compiled.wait()
        prepare(session, *arguments)

    monkeypatch.setattr(Session, "prepare", slow)
    page = open_page()
    try:
        start(page, address, "santiago_de_cuba", ["here", "random"])
        page.locator(".pill.compiling").wait_for()
        page.locator(".waiting").get_by_text("Santiago de Cuba is compiled").wait_for()
    finally:
        is_compiled.set()
    page.locator(".pill.yours").wait_for()


def test_an_analysis_that_the_server_knows_nothing_of_is_offered_again(browser: Any, shared_server: Server, address: str) -> None:
    path = shared_server.settings.runs / "game.jsonl"
    played("santiago_de_cuba", 4, players=2, names=True).save(path)
    page = browser.new_page()
    page.goto(f"{address}/?token={shared_server.token}")
    page.wait_for_selector(".pick")
    page.route("**/analysis/events", lambda route: route.fulfill(status=404))
    page.route(
        "**/analysis", lambda route: route.fulfill(json={"state": "waiting"}) if route.request.method == "POST" else route.continue_()
    )
    page.goto(f"{address}/replay/{replay_id(path)}")
    page.get_by_role("button", name="Analyse this game").click()
    page.get_by_text("Waiting for another analysis").wait_for()
    page.get_by_role("button", name="Analyse this game").wait_for()
    page.close()
