"""Games to show, a browser to show them in, and a server for it."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.container.lively import choose
from tradewinds.web.frames import document
from tradewinds.web.server import Server

from .server_tools import Browser, Open, listening, new_server, owner_of


def played(name: str, seed: int, moves: int = 10_000, names: bool = False, **options: Any) -> tw.Replay:
    """A game of random moves, or its beginning; Container's are such that there are auctions."""
    env = tw.make(name, **options)
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    for _ in range(moves):
        if any(env.terminations.values()) or any(env.truncations.values()):
            break
        if name == "container":
            env.step(choose(env.observe(env.agent_selection)["action_mask"], random))
        else:
            env.step(int(random.choice(env.legal_actions())))
    return tw.Replay.of(env, [f"agent {seat}" for seat in range(env.variant.players)] if names else None)


class Made(dict[str, Any]):
    """What a function makes of each game, once it is asked for: most tests need one game."""

    def __init__(self, make: Callable[[str], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: str) -> Any:
        self[name] = self._make(name)
        return self[name]


@pytest.fixture(scope="session")
def games() -> dict[str, tw.Replay]:
    """A whole game of each kind, the shortest there are."""

    def game(name: str) -> tw.Replay:
        fewest = min(next(o for o in tw.game(name).options if o.name == "players").choices)
        return played(name, 4, names=True, players=fewest, **({"max_turns": 30} if name == "container" else {}))

    return Made(game)


@pytest.fixture(scope="session")
def documents(games: dict[str, tw.Replay]) -> dict[str, Any]:
    """They as the page gets them, with every view."""
    return Made(lambda name: json.loads(json.dumps(document(games[name], everyone(games[name])))))


def everyone(replay: tw.Replay) -> list[str]:
    return ["all", *(f"player_{seat}" for seat in range(replay.game.with_options(**replay.options).players))]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    if chromium is None:
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--headless", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return new_server(tmp_path / "runs")


@pytest.fixture
def owner(server: Server) -> Iterator[Browser]:
    with owner_of(server) as browser:
        yield browser
    server.stop()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """The server of all tests of a file that drive a browser."""
    return new_server(tmp_path_factory.mktemp("runs"), max_games=100)


@pytest.fixture(scope="module")
def address(shared_server: Server) -> Iterator[str]:
    with listening(shared_server) as found:
        yield found


@pytest.fixture
def open_page(browser: Any, shared_server: Server, address: str) -> Iterator[Open]:
    """Opens the start page in a context of its own; fails if a page had an error or asked another server for anything."""
    wrong: list[str] = []
    contexts = []

    def opened(width: int = 1400, height: int = 900, theme: str = "light", path: str | None = None) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on(
            "console",
            lambda message: (
                wrong.append(f"{message.type}: {message.text} ({message.location.get('url')})")
                if message.type in ("error", "warning") and "409 (Conflict)" not in message.text  # refused moves are part of the tests
                else None
            ),
        )
        page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith((address, "data:")) else None)
        page.goto(address + (path or f"/?token={shared_server.token}"))
        if path is None:
            page.wait_for_url(f"{address}/")
            page.wait_for_selector(".pick")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong
