"""Replays on the server: the list, a game with its views, uploads and the export. The browser names replays by id, never by a path."""

import asyncio
import gzip
import json
import secrets
from collections import OrderedDict
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import tradewinds.envs as tw
from tradewinds.agents.analysis import analysis_path, kept_analysis
from tradewinds.envs.core.api.errors import FormatError
from tradewinds.envs.core.io.parse import is_integer, printable
from tradewinds.envs.core.io.replay import Replay, check_head, parse_rows, read_rows

from .analysis import as_data
from .export import html
from .frames import ALL, described, document
from .requests import attachment
from .saved import read_facts
from .server import RequestError, Server, replay_id

MOST = 500  # replays of the list, the newest
MOST_SCORE = 2**31
MOST_BYTES = 1 << 20  # of an upload
KEPT = 24  # games in memory, and as many views of games
UPLOADS, FAILURES = "uploads", "failures"  # folders
LONGEST_NAME = 40


class Shelf:
    """A cache of what was read and drawn, by file and modification time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], Future[Any]] = OrderedDict()

    async def get(self, server: Server, path: Path, what: str, make: Any, *arguments: Any) -> Any:
        """The result of `make(*arguments)`, which depends on the file alone; those who ask at the same time share it."""
        key = (path, *stamp(path), what)
        future = self._kept.get(key)
        if future is None or (future.done() and (future.cancelled() or future.exception() is not None)):
            future = self._kept[key] = server.submit(make, *arguments)
            while len(self._kept) > 2 * KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return await asyncio.shield(asyncio.wrap_future(future))


def stamp(path: Path) -> tuple[int, int]:
    """Modification time and size of a file; zeros if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def shelf_of(server: Server) -> Shelf:
    """The shelf of a server."""
    return server.__dict__.setdefault("replay_shelf", Shelf())


def path_of(server: Server, number: str) -> Path:
    """The file of an id.

    Raises:
        RequestError: There is none.
    """
    path = server.replay_files().get(number)
    if path is None:
        raise RequestError(404, "there is no such replay; the list may be out of date")
    return path


async def replay_of(server: Server, request: Request) -> tuple[Path, Replay]:
    """The replay that a request names.

    Raises:
        RequestError: There is none, it is damaged, or the game is still being played here.
    """
    path = await asyncio.to_thread(path_of, server, request.path_params["id"])
    try:
        replay = await shelf_of(server).get(server, path, "replay", tw.load_replay, path)
    except (OSError, ValueError) as error:
        raise RequestError(422, f"{path.name}: {reason(error)}") from None
    if replay.result is None and path.parent == server.folder and not is_stopped(server, path):
        raise RequestError(403, "this game is still being played: its replay tells everything, so it opens when the game is over")
    return path, replay


def is_stopped(server: Server, path: Path) -> bool:
    """Whether a game of the page was stopped."""
    session = server.sessions.get(path.stem)
    if session is not None:
        return bool(session.is_stopped)
    try:
        return read_facts(path.with_suffix(".json"))["stopped"] is True
    except (OSError, ValueError, TypeError, KeyError):
        return False


def finished(replay: Replay) -> None:
    """Refuse a game that is not over.

    Raises:
        RequestError: It is not.
    """
    if replay.result is None:
        raise RequestError(409, "this game is not over: an analysis tells what the seats knew, so it is made after the end")


def reason(error: Exception) -> str:
    """An error in one line."""
    text = getattr(error, "strerror", None) or str(error)
    return printable(" ".join(text.split()))[:300] or type(error).__name__


def summary(path: Path) -> dict[str, Any]:
    """A line of the list, from the file's lines alone: the game is not played.

    Raises:
        ValueError: It is no replay.
        OSError: It cannot be read.
    """
    rows = read_rows(path)
    head = check_head(rows)
    game = tw.game(str(head.get("game")))
    options = head.get("options")
    variant = game.with_options(**(options if isinstance(options, dict) else {}))
    players = head.get("players")
    names = (
        [printable(str(name))[:LONGEST_NAME] for name in players] if isinstance(players, list) and len(players) == variant.players else []
    )
    last = rows[-1].get("result") if isinstance(rows[-1], dict) else None
    scores = ranks = None
    found = [last.get(key) for key in ("scores", "ranks")] if isinstance(last, dict) else []
    if found and all(
        isinstance(of, list) and len(of) == variant.players and all(is_integer(n, -MOST_SCORE, MOST_SCORE) for n in of) for of in found
    ):
        scores, ranks = found
    return {
        "title": game.title,
        "variant": described(variant),
        "names": names or [""] * variant.players,
        "moves": len(rows) - 1 - (scores is not None),
        "scores": scores,
        "ranks": ranks,
    }


class Listing:
    """The list of replays; a file is read again when it has changed."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._known: dict[tuple[Any, ...], dict[str, Any]] = {}

    def read(self) -> dict[str, Any]:
        """All replays, the newest first, and the files that are none."""
        files = sorted(((stamp(path), number, path) for number, path in self.server.replay_files().items()), reverse=True)
        known, good, bad = {}, [], []
        for when, number, path in files[:MOST]:
            key = (number, when)
            known[key] = found = self._known.get(key) or self._line(path)
            line = {"id": number, "file": self.server.shown_name(path), "when": when[0] / 1e9, **found}
            if "error" in found:
                bad.append(line)
            elif path.parent.name == FAILURES:
                continue  # of agents in tournaments, which the page Compare leads to
            elif found["ranks"] is not None or path.parent != self.server.folder or is_stopped(self.server, path):
                good.append({**line, "analysed": analysis_path(path).is_file()})
        self._known = known
        return {"replays": good, "damaged": bad, "more": max(0, len(files) - MOST)}

    def _line(self, path: Path) -> dict[str, Any]:
        try:
            return summary(path)
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            return {"error": reason(error)}


def upload(server: Server, data: bytes) -> str:
    """Check a replay by playing it, and keep it.

    Returns:
        Its id.

    Raises:
        RequestError: It is no replay.
    """
    try:
        rows = parse_rows(data)
        head = check_head(rows)
        replay = Replay.from_rows(rows, tw.game(str(head.get("game"))))
    except (FormatError, ValueError, TypeError) as error:
        raise RequestError(422, f"this file was not accepted: {reason(error)}") from None
    if replay.players is not None:
        replay.players = [name[:LONGEST_NAME] for name in replay.players]
    folder = server.folder / UPLOADS
    path = folder / f"{replay.game.name}-{secrets.token_hex(6)}.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replay.save(path)
    except OSError as error:
        raise RequestError(507, f"the replay cannot be kept: {reason(error)}") from None
    return replay_id(path)


def packed(replay: Replay, view: str) -> bytes:
    """One view of a game, as gzipped JSON."""
    data = document(replay, [view])
    data["possible"] = possible_views(replay)
    return gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 6, mtime=0)


def possible_views(replay: Replay) -> list[str]:
    """The views of a game: of one that is not over nothing but what a seat knows is shown."""
    seats = [f"player_{seat}" for seat in range(replay.game.with_options(**replay.options).players)]
    return seats if replay.result is None else [ALL, *seats]


def default_view(replay: Replay) -> str:
    """Everything or, of a game that is not over, what the player to move sees."""
    if replay.result is not None:
        return ALL
    *_, end = replay.positions()
    return end.agent_selection


def routes(server: Server) -> list[Route]:
    """The list of replays, the page of one, its views, uploads and exports."""
    listing = Listing(server)
    shelf = shelf_of(server)

    async def list_page(request: Request) -> Response:
        return server.page(request, "Replays", "replays.js", ("pages.css",))

    async def replay_page(request: Request) -> Response:
        return server.page(request, "Replay", "watch.js", ("analysis.css", "pages.css"))

    async def list_all(request: Request) -> Response:
        return JSONResponse(await server.run(listing.read))

    async def add(request: Request) -> Response:
        data = await request.body()
        if len(data) > MOST_BYTES:
            raise RequestError(413, f"a replay may have at most {MOST_BYTES >> 20} MB")
        return JSONResponse({"id": await server.run(upload, server, data)}, 201)

    async def frames(request: Request) -> Response:
        path, replay = await replay_of(server, request)
        view = request.query_params.get("view") or await server.run(default_view, replay)
        if view not in possible_views(replay):
            raise RequestError(422, f"there is no view {view[:40]!r}; the views are {', '.join(possible_views(replay))}")
        data = await shelf.get(server, path, view, packed, replay, view)
        return Response(data, media_type="application/json", headers={"content-encoding": "gzip"})

    async def export(request: Request) -> Response:
        path, replay = await replay_of(server, request)
        views = possible_views(replay) if request.query_params.get("seats") and replay.result is not None else [default_view(replay)]
        kept = await server.run(kept_analysis, path, replay) if replay.result is not None else None
        analysis = None if kept is None else await server.run(as_data, kept, replay)
        text = await server.run(html, replay, views, analysis)
        return attachment(text, "text/html", f"{replay.game.name}-{request.path_params['id'][:8]}.html")

    return [
        Route("/replays", list_page),
        Route("/replay/{id}", replay_page),
        Route("/replays/{id}.html", export),
        Route("/api/replays", list_all, methods=["GET"]),
        Route("/api/replays", add, methods=["POST"]),
        Route("/api/replays/{id}/frames", frames),
    ]
