"""A server of the web pages inside the test process, or as a process of its own."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import tradewinds.envs as tw
from tradewinds.web.app import create_app
from tradewinds.web.server import Server, Settings
from tradewinds.web.serving import Uvicorn

HOST = "http://127.0.0.1:8000"
Open = Callable[..., Any]  # opens a page
SHORT: dict[str, dict[str, Any]] = {"container": {"max_turns": 9}}
RATES = ",".join(f"charts/win_rate_{name}scripted" for name in ("", "low_", "high_"))
METRICS = f"""iteration,phase,global_step,charts/SPS,{RATES},losses/entropy
0,start,0,,0.25,0.2,0.3,
1,ppo,1000,5000.0,,,,0.4
2,ppo,2000,5100.0,0.5,0.45,0.55,0.3
"""


def new_server(folder: Path, **settings: Any) -> Server:
    return Server(Settings(runs=folder, **settings))


class Browser:
    """A test client that keeps cookies like a browser."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def get(self, path: str, status: int = 200, **more: Any) -> Any:
        answer = self.client.get(path, **more)
        assert answer.status_code == status, answer.text[:500]
        return answer.json() if answer.headers["content-type"] == "application/json" else answer

    def post(self, path: str, body: Any = None, status: int = 200, **more: Any) -> Any:
        answer = self.client.post(path, json=body or {}, **more)
        assert answer.status_code == status, answer.text[:500]
        return answer.json()

    def start(self, game: str, seats: list[Any], status: int = 201, seed: int = 1, **options: Any) -> Any:
        rows = [{"who": who} if isinstance(who, str) else who for who in seats]
        return self.post("/api/games", {"game": game, "options": {"players": len(seats), **options}, "seats": rows, "seed": seed}, status)


@contextmanager
def owner_of(server: Server) -> Iterator[Browser]:
    """The browser of whoever started the server."""
    with TestClient(create_app(server), base_url=HOST) as client:
        assert client.get(f"/?token={server.token}").status_code == 200
        yield Browser(client)


def guest_of(browser: Browser) -> Browser:
    """Another browser at the same server, without any cookie. Its streams and tasks are those of the first."""
    guest = TestClient(browser.client.app, base_url=HOST)
    guest.portal = browser.client.portal
    return Browser(guest)


def wait_for(condition: Any, seconds: float = 60.0) -> Any:
    """Wait until a function returns something true, which is returned."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen in time")


def board(browser: Browser, game: str, seat: int | None = 0) -> Any:
    """What a seat is shown, once the game is ready and the agents have played."""

    def ready() -> Any:
        found = browser.get(f"/api/games/{game}/board" + ("" if seat is None else f"?seat={seat}"))
        return found if found["status"] in ("yours", "over", "failed", "stopped") else None

    return wait_for(ready)


def play_to_the_end(browser: Browser, game: str, seats: tuple[int, ...], most: int = 2000) -> Any:
    """Play the first legal action that is not a refusal of everything, seat after seat."""
    for number in range(most):
        for seat in seats:
            shown = browser.get(f"/api/games/{game}/board?seat={seat}")
            if shown["status"] == "over":
                return shown
            if shown["status"] == "yours":
                choice = shown["choices"][(7 * number) % len(shown["choices"])]
                browser.post(f"/api/games/{game}/move", {"seat": seat, "seq": shown["seq"], "action": choice["id"]})
    raise AssertionError("the game does not end")


class Patient:
    """Agents that answer when they are told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_answer = threading.Event()
        self.asked = self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        monkeypatch.setattr("tradewinds.web.session.answer", self.answer)

    def answer(self, agent: Any, env: tw.TableEnv) -> int:
        with self._lock:
            self.asked += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.may_answer.wait(60)
        with self._lock:
            self.at_once -= 1
        return env.legal_actions()[0]


def to_the_agents(owner: Browser, game: str) -> Any:
    """Play until an agent has to decide. Returns what the person was shown before, and the answer to the move."""
    while True:
        before = owner.get(f"/api/games/{game}/board?seat=0")
        after = owner.post(f"/api/games/{game}/move", {"seat": 0, "seq": before["seq"], "action": before["choices"][0]["id"]})
        if after["status"] == "others":
            return before, after


def run_async(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread of its own: Playwright's event loop, once started, keeps running in the thread of the tests."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def start(page: Any, address: str, name: str, seats: list[Any], **options: Any) -> dict[str, Any]:
    """Start a game as the start page does, and open its table."""
    rows = [{"who": who} if isinstance(who, str) else who for who in seats]
    body = {"game": name, "options": {"players": len(seats), **SHORT.get(name, {}), **options}, "seats": rows, "seed": 3}
    made = page.evaluate(
        """async (body) => {
          const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
          return (await fetch("/api/games", post)).json();
        }""",
        body,
    )
    page.goto(f"{address}/table/{made['id']}")
    return made


def fewest(name: str) -> int:
    return min(next(option for option in tw.game(name).options if option.name == "players").choices)


@contextmanager
def listening(server: Server) -> Iterator[str]:
    """The server at a free port, in a thread. Gives its address."""
    import uvicorn

    free = socket.socket()
    free.bind(("127.0.0.1", 0))
    free.listen(64)
    config = uvicorn.Config(create_app(server), log_level="error", timeout_graceful_shutdown=1, lifespan="on")
    running = Uvicorn(config, server)
    running.capture_signals = lambda: _nothing()  # type: ignore[method-assign]  # signals belong to the main thread
    thread = threading.Thread(target=lambda: running.run(sockets=[free]), daemon=True)
    thread.start()
    wait_for(lambda: running.started)
    try:
        yield f"http://127.0.0.1:{free.getsockname()[1]}"
    finally:
        server.end_streams()
        running.should_exit = True
        thread.join(10)
        server.stop()


@contextmanager
def _nothing() -> Iterator[None]:
    yield


class Process:
    """`tradewinds web` as a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "tradewinds", "web", "--no-browser", "--runs", str(folder), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ})
        self.lines: list[str] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if found := re.search(r"Open (http://\S+)", line):
                self.address = found[1]
                return
        raise AssertionError("".join(self.lines))
