"""Speed of the web page: `python -m tradewinds.benchmarks.web [start] [cold] [clicks] [games] [analysis]`, all by default.

- start: from the command to the printed address, from the request for a game to its board, and from a signal to the end.
- cold: from the request for a game that must be compiled to the page that says so.
- clicks: from a click to the next own decision on the page, in a whole game of Santiago de Cuba against three agents.
- games: 16 games at once, a move per second in each.
- analysis: a whole game of each kind at 400 simulations per decision, in seconds and in processor seconds.

`start`, `cold` and `clicks` need Playwright and Chromium. Compiled kernels must be in the cache, and nothing else may run on the machine.
"""

import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents import build
from tradewinds.agents.analysis import agent_code, analyse

from .doors import Line

GAME = list(tw.games())[-1]  # the aims are those of the last one
OPPONENTS = {"medium": ("scripted", 50, 150), "search:1000": ("search:1000", 150, 700)}  # by seat: the agent, and the aims in ms
GAMES, MOVES = 16, 20
# Clicks a choice, and waits until the page shows the next own decision or the end.
CLICK = """async (at) => {
  const table = document.querySelector(".table");
  const { seq } = table.dataset;
  const buttons = table.querySelectorAll(".choices button");
  const began = performance.now();
  const isNext = () => table.dataset.seq !== seq && table.querySelector(".pill.yours, .pill.over");
  const shown = new Promise((done) => {
    const changes = new MutationObserver(() => isNext() && (changes.disconnect(), requestAnimationFrame(done)));
    changes.observe(table, { attributes: true, childList: true, subtree: true });
  });
  buttons[at % buttons.length].click();
  await shown;
  return performance.now() - began;
}"""


@contextmanager
def serving(*arguments: str, cache: str | None = None) -> Iterator[tuple[str, float]]:
    """`tradewinds web` with an empty folder. Gives its address and the seconds until it was printed.

    Args:
        *arguments: Of the command.
        cache: The folder of compiled kernels, by default the user's.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tradewinds", "web", "--no-browser", "--runs", folder, *arguments]
        began = time.perf_counter()
        environment = os.environ if cache is None else {**os.environ, "TRADEWINDS_CACHE": cache}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        assert process.stdout is not None
        try:
            found = next(match[1] for line in process.stdout if (match := re.search(r"Open (http://\S+)", line)))
            yield found, time.perf_counter() - began
        finally:
            process.terminate()
            process.wait(10)


class Client:
    """One browser without a page: its cookies and its connection."""

    def __init__(self, address: str) -> None:
        at = urlsplit(address)
        assert at.hostname is not None
        self.connection = http.client.HTTPConnection(at.hostname, at.port)
        self.cookies: dict[str, str] = {}
        self.ask("GET", f"/?{at.query}")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A request, and its answer if that is JSON."""
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), "content-type": "application/json"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        for cookie in answer.headers.get_all("set-cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        data = answer.read()
        return json.loads(data) if answer.headers.get_content_type() == "application/json" else None

    def start(self, opponent: str, players: int = 4, seed: int = 3) -> str:
        """A new game against agents; returns the path of its requests as soon as it can be played."""
        game = self.begin(opponent, players, seed)
        self.board(game)
        return game

    def begin(self, opponent: str, players: int = 4, seed: int = 3) -> str:
        """A new game against agents, which is still being prepared."""
        seats = [{"who": "here"}, *[{"who": opponent}] * (players - 1)]
        made = self.ask("POST", "/api/games", {"game": GAME, "options": {"players": players}, "seats": seats, "seed": seed})
        return f"/api/games/{made['id']}"

    def board(self, game: str) -> Any:
        """The board at the next own decision, or at the end."""
        while (found := self.ask("GET", f"{game}/board?seat=0"))["status"] not in ("yours", "over"):
            time.sleep(0.01)
        return found


def percentile(times: list[float], part: float) -> float:
    """A percentile of times in seconds, in milliseconds."""
    return float(np.percentile(times, part)) * 1000


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--headless", "--disable-gpu"])
        yield browser
        browser.close()


def opened(browser: Any, address: str, client: Client, game: str, awaited: str = ".board svg") -> Any:
    """The table of a game in a new page, once something is there; by default its board."""
    at = urlsplit(address)
    base = f"{at.scheme}://{at.netloc}"
    context = browser.new_context(viewport={"width": 1600, "height": 950})
    context.add_cookies([{"name": name, "value": value, "url": base} for name, value in client.cookies.items()])
    page = context.new_page()
    page.goto(base + game.replace("/api/games", "/table"))
    page.locator(awaited).wait_for()
    return page


def start() -> Iterator[Line]:
    """How soon the server listens, a board is on the page, and a signal ends it."""
    waits, boards, ends = [], [], []
    with chromium() as browser:
        for _ in range(3):
            with serving(GAME) as (address, seconds):
                waits.append(seconds)
                client, began = Client(address), time.perf_counter()
                opened(browser, address, client, client.begin("medium"))
                boards.append(time.perf_counter() - began)
                began = time.perf_counter()
            ends.append(time.perf_counter() - began)
    yield Line("address printed, s", statistics.median(waits), 3)
    yield Line("first board after the request for a game, s", statistics.median(boards), 1)
    yield Line("ended by a signal with a page open, s", statistics.median(ends), 2)


def cold() -> Iterator[Line]:
    """How soon the page says that a game is being compiled. The server is ended without waiting for it."""
    with chromium() as browser, tempfile.TemporaryDirectory() as cache, serving(cache=cache) as (address, _):
        client, began = Client(address), time.perf_counter()
        opened(browser, address, client, client.begin("medium"), ".waiting")
        yield Line("page of a game that is being compiled, s", time.perf_counter() - began, 2)


def clicks() -> Iterator[Line]:
    """From a click to the next decision."""
    with serving(*[f"--agent={who}" for who in OPPONENTS if ":" in who]) as (address, _), chromium() as browser:
        for who, (agent, median, most) in OPPONENTS.items():
            client, random, times = Client(address), np.random.default_rng(1), []
            page = opened(browser, address, client, client.start(who))
            page.locator(".pill.yours").wait_for()
            while page.locator(".pill.yours").count():
                times.append(page.evaluate(CLICK, int(random.integers(1000))) / 1000)
            page.context.close()
            yield Line(f"click to board against 3 x {agent}, median ms", percentile(times, 50), median)
            yield Line(f"click to board against 3 x {agent}, p95 ms", percentile(times, 95), most)


def games() -> Iterator[Line]:
    """Many games at once."""

    def played(client: Client, seed: int) -> list[float]:
        random, times = np.random.default_rng(seed), []
        game = client.start("medium", seed=seed)
        for _ in range(MOVES):
            shown = client.board(game)
            if shown["status"] == "over":
                break
            began = time.perf_counter()
            action = shown["choices"][int(random.integers(len(shown["choices"])))]["id"]
            client.ask("POST", f"{game}/move", {"seat": 0, "seq": shown["seq"], "action": action})
            client.board(game)
            times.append(time.perf_counter() - began)
            time.sleep(max(0.0, 1 - times[-1]))
        return times

    with serving() as (address, _), ThreadPoolExecutor(GAMES) as pool:
        clients = [Client(address) for _ in range(GAMES)]
        times = [one for found in pool.map(played, clients, range(GAMES)) for one in found]
    yield Line(f"{GAMES} games, a move per second in each, p95 ms", percentile(times, 95), 500)


def analysis() -> Iterator[Line]:
    """The analysis of whole games."""
    for name in tw.games():
        variant = tw.game(name).with_options()
        env, bot = tw.make(name), build("scripted", variant)
        env.reset(seed=5)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            env.step(int(bot.act(env.decision())[0]))
        replay = tw.Replay.of(env)
        analyse(tw.Replay(replay.game, replay.options, replay.seed, replay.opening, replay.moves[:1]))  # loads the kernels
        began, cpu = time.perf_counter(), time.process_time()
        analyse(replay)
        cpu = time.process_time() - cpu
        yield Line(f"{name}, {len(replay.moves)} decisions, {agent_code(variant)}, s", time.perf_counter() - began, 60)
        yield Line(f"{name}, processor seconds", cpu, 120)


PARTS = {"start": start, "cold": cold, "clicks": clicks, "games": games, "analysis": analysis}


def main() -> None:
    """Print what was measured beside its aim."""
    for part in sys.argv[1:] or PARTS:
        if part not in PARTS:
            sys.exit(f"{part!r} is not one of {', '.join(PARTS)}")
        for line in PARTS[part]():
            print(line, flush=True)


if __name__ == "__main__":
    main()
