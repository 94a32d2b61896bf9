"""What all pages share: the settings of the command, the secret of its owner, the games that are played, and a pool of threads."""

import asyncio
import hashlib
import hmac
import os
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse

from tradewinds.envs.core.io.atomic import write_file

PAGE = files("tradewinds.web") / "page"
OWN_GAMES = "web"  # the folder under `runs` that holds the games of the page
NAVIGATION = (("Play", "/"), ("Replays", "/replays"), ("Compare", "/compare"), ("Training", "/training"))


class RequestError(Exception):
    """A request that cannot be served: an HTTP status and one sentence for the person."""

    def __init__(self, status: int, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.facts = facts  # more keys of the JSON object


@dataclass
class Settings:
    """What the command line says.

    Attributes:
        runs: The folder of replays, runs, tournaments and evaluations.
        agents: Codes that may be chosen on the page besides those that come with Tradewinds.
        hosts: Names under which the server may be addressed, without the port.
        max_games: How many games may run at the same time.
        hint: The agent whose advice the button gives.
    """

    runs: Path = Path("runs")
    agents: list[str] = field(default_factory=list)
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    max_games: int = 16
    hint: str = "scripted"


class Server:
    """The state of a running `tradewinds web`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.folder = settings.runs / OWN_GAMES
        self.token = read_token(self.folder)
        self.cookie = "tradewinds-" + hashlib.sha256(self.token.encode()).hexdigest()[:8]  # cookies are shared by all ports of a host
        self.pool = ThreadPoolExecutor(max(2, os.cpu_count() or 1), thread_name_prefix="tradewinds-web")
        self.sessions: dict[str, Any] = {}  # by id, the games of web/tables.py
        self.lock = threading.Lock()  # for `sessions`
        self.loop: asyncio.AbstractEventLoop | None = None  # of the running app
        self.stopping = asyncio.Event()  # set when the server ends: streams must end too
        self.on_stop: list[Callable[[], None]] = []
        self.extra_replays: list[Path] = []  # named on the command line
        self._preparers: dict[str, ThreadPoolExecutor] = {}  # by game

    def prepare(self, game: str, work: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Run work that may compile a game in the thread of that game: it takes minutes, and the pool must stay free."""
        with self.lock:
            if game not in self._preparers:
                self._preparers[game] = ThreadPoolExecutor(1, f"tradewinds-{game}")
            return self._preparers[game].submit(work, *arguments)

    def running(self) -> list[Any]:
        """The games that go on, before one more begins. The caller holds the lock.

        Raises:
            RequestError: There are as many as the settings allow.
        """
        found = [session for session in self.sessions.values() if not session.is_stopped and session.status(0) != "over"]
        if len(found) >= (most := self.settings.max_games):
            raise RequestError(429, f"{len(found)} games are running, and --games allows {most}: finish or stop one first")
        return found

    def is_owner(self, request: Request) -> bool:
        """Whether the request comes from a browser that has opened the address which the command printed."""
        return same(request.cookies.get(self.cookie, ""), self.token)

    def submit(self, work: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Run something slow in the pool."""
        return self.pool.submit(work, *arguments)

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run something slow in the pool, and wait for it without blocking other requests."""
        return await asyncio.wrap_future(self.submit(work, *arguments))

    async def run_preparing(self, game: str, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run work that may compile a game, and wait for it without blocking other requests."""
        return await asyncio.wrap_future(self.prepare(game, work, *arguments))

    def end_streams(self) -> None:
        """Let all streams end, as before a shutdown, which waits for them."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.stopping.set)

    def stop(self) -> None:
        """Save all games and accept no more work."""
        for pool in (self.pool, *self._preparers.values()):
            pool.shutdown(wait=False, cancel_futures=True)
        for act in self.on_stop:
            act()

    def page(self, request: Request, title: str, module: str = "", styles: tuple[str, ...] = (), content: str = "") -> HTMLResponse:
        """One of the pages: the common frame with a module that fills `#page`, or with content of its own.

        Args:
            request: The request; only the owner sees the navigation.
            title: The title of the tab.
            module: The JavaScript file in page/.
            styles: More CSS files in page/, besides app.css and site.css.
            content: HTML.
        """
        links = "".join(
            f'<a href="{path}"{" aria-current=page" if path == request.url.path else ""}>{name}</a>' for name, path in NAVIGATION
        )
        parts = {
            "title": title,
            "module": f'<script type="module" src="/page/{module}"></script>\n' if module else "",
            "styles": "".join(f'<link rel="stylesheet" href="/page/{name}">\n' for name in styles),
            "navigation": f'<nav aria-label="Pages">{links}</nav>' if self.is_owner(request) else "",
            "content": content,  # last, so that nothing in it is replaced
        }
        text = (PAGE / "index.html").read_text(encoding="utf-8")
        for name, value in parts.items():
            text = text.replace("{{" + name + "}}", value)
        return HTMLResponse(text)

    def shown_name(self, path: Path) -> str:
        """A file or folder as the owner knows it."""
        with suppress(ValueError):
            relative = path.relative_to(self.settings.runs).as_posix()
            return path.resolve().name if relative == "." else relative
        return path.name

    def replay_files(self) -> dict[str, Path]:
        """The replays under `runs` by the id that the browser names; it never names a file. Unfinished games are among them."""
        found = [*sorted(self.settings.runs.rglob("*.jsonl")), *self.extra_replays]
        # A pipe would be waited for.
        return {replay_id(path): path for path in found if not path.name.endswith((".analysis.jsonl", "results.jsonl")) and path.is_file()}


def replay_id(path: Path) -> str:
    """What the browser calls a replay file."""
    return hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]


def same(given: str, secret: str) -> bool:
    """Whether two secrets are equal, compared in constant time."""
    return hmac.compare_digest(given.encode(), secret.encode())


def read_token(folder: Path) -> str:
    """The owner's secret. It is kept, so that open pages go on working when the server is started again."""
    path = folder / "token"
    try:
        if len(token := path.read_text(encoding="ascii").strip()) >= 32:
            return token
    except (OSError, ValueError):
        pass
    token = secrets.token_urlsafe(32)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_file(path, token.encode(), mode=0o600)
    except OSError:
        pass  # pages must then be opened again after a restart
    return token
