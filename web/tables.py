"""The start page and the tables: pages, permissions, and the requests of players."""

import asyncio
import contextlib
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

import tradewinds.envs as tw
from tradewinds.agents.registry import AgentError

from .advice import Advice
from .export import html
from .offers import offered, rules_of, seats_of, seed_of, variant_of, what_can_be_played
from .requests import attachment, body_of, grant, onward
from .saved import saved_games
from .seats import Subscriber, Viewer
from .server import RequestError, Server, replay_id, same
from .session import Session

PATIENCE = 0.15  # seconds that an answer to a move waits for the agents
HEARTBEAT = 15.0  # seconds
KEPT = 64  # games in memory, finished ones included
MOST_STREAMS = 64  # per game


class Tables:
    """The requests about games."""

    def __init__(self, server: Server) -> None:
        self.server = server
        server.on_stop.append(self.save_all)

    def save_all(self) -> None:
        """Write every running game, for the end of the server."""
        for session in list(self.server.sessions.values()):
            if not session.is_stopped:
                session.save()

    # Who may do what

    def session(self, request: Request) -> Session:
        """The game of a request; one of an earlier run is opened.

        Raises:
            RequestError: There is none.
        """
        number = request.path_params["id"]
        with self.server.lock:
            found = self.server.sessions.get(number)
        if found is not None:
            return found
        try:
            if not re.fullmatch(r"[0-9a-f]{16}", number):
                raise ValueError(number)
            found = Session.open(self.server, number)
        except AgentError:
            raise RequestError(409, "an agent of this game is not offered here: start the server with --agent CODE") from None
        except (OSError, ValueError, TypeError, KeyError):
            raise RequestError(404, "there is no such game") from None
        with self.server.lock:
            return self.server.sessions.setdefault(number, found)

    def held(self, request: Request, session: Session) -> list[Viewer]:
        """The seats that a browser has opened."""
        given = request.cookies.get(f"seat-{session.id}", "").split(".")
        seats = enumerate(session.seats)
        found: list[Viewer] = [at for at, seat in seats if seat.is_person and any(same(token, seat.token) for token in given)]
        return found or ([None] if not session.people and self.server.is_owner(request) else [])

    def viewer(self, request: Request, session: Session, given: Any) -> Viewer:
        """The seat that a request acts for.

        Raises:
            RequestError: Its browser has not opened that seat.
        """
        held = self.held(request, session)
        text = "" if given is None else str(given)
        wanted = int(text) if text.isdecimal() and len(text) < 3 else None if text == "" else -1
        if wanted not in held:
            raise RequestError(403, "this seat is not yours: open it by its own link")
        return wanted

    def seat(self, request: Request, session: Session, given: Any) -> int:
        """The same for requests that only a player makes."""
        found = self.viewer(request, session, given)
        if found is None:
            raise RequestError(403, "this seat is not yours: open it by its own link")
        return found

    def check_owner(self, request: Request) -> None:
        """Refuse a request of anyone but the owner."""
        if not self.server.is_owner(request):
            raise RequestError(403, "only the owner of the server may do this")

    def of_player(self, request: Request) -> Session:
        """The game of a request by one of its players, or by the owner.

        Raises:
            RequestError: It is somebody else's.
        """
        session = self.session(request)
        if not self.held(request, session):
            self.check_owner(request)
        return session

    def opened(self, request: Request) -> tuple[Session, list[Viewer]]:
        """The game of a request, and the seats that its browser has opened.

        Raises:
            RequestError: It has opened none.
        """
        session = self.session(request)
        held = self.held(request, session)
        if not held:
            raise RequestError(403, "this table is open to its players only: use the link of your seat")
        return session, held

    async def asked(self, request: Request) -> tuple[Session, int, dict[str, Any]]:
        """The game, the seat and the body of a request that only a player makes."""
        session, body = self.session(request), await body_of(request)
        return session, self.seat(request, session, body.get("seat")), body

    # Pages

    async def start(self, request: Request) -> Response:
        """The start page."""
        return self.server.page(request, "Play", "start.js", ("start.css",))

    async def page(self, request: Request) -> Response:
        """The table. A link opens its seat; the owner gets the seats that are played here."""
        session = self.session(request)
        held = [seat for seat in self.held(request, session) if seat is not None]
        link = request.query_params.get("seat")
        mine = set(held)
        if link is not None:
            found = [at for at, seat in enumerate(session.seats) if seat.is_person and same(link, seat.token)]
            if not found:
                raise RequestError(403, "this link opens no seat of this game")
            mine |= set(found)
        elif self.server.is_owner(request):
            mine |= {at for at, seat in enumerate(session.seats) if seat.here}
            if not mine and session.people:
                raise RequestError(403, "everyone at this table plays by a link; open one of them to take a seat")
        elif not mine:
            raise RequestError(403, "this table is open to its players only: use the link of your seat")
        answer = (
            onward(f"/table/{session.id}")
            if link is not None
            else self.server.page(request, session.variant.game.title, "table.js", ("analysis.css", "table.css"))
        )
        if mine != set(held):
            grant(answer, session.id, [session.seats[at].token for at in sorted(mine)])
        return answer

    # Starting

    async def setup(self, request: Request) -> Response:
        """What can be played: games, options, strengths."""
        return JSONResponse(await asyncio.to_thread(what_can_be_played, self.server))

    async def games(self, request: Request) -> Response:
        """The running games."""
        return JSONResponse({"games": await asyncio.to_thread(self.running)})

    def running(self) -> list[dict[str, Any]]:
        """Games that are neither over nor stopped; those of earlier runs are opened when somebody comes."""
        with self.server.lock:
            sessions = list(self.server.sessions.values())
        found = [
            {**session.facts(), "links": self.links(session), "opened": True}
            for session in reversed(sessions)
            if not session.is_stopped and not (session.table is not None and session.table.is_over)
        ]
        known = {session.id for session in sessions}
        for number in saved_games(self.server.folder):
            if number in known:
                continue
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
                session = Session.read(self.server, number)
                found.append({**session.facts(), "links": self.links(session), "opened": False})
        return found

    def links(self, session: Session) -> list[dict[str, Any]]:
        """The links of the seats that are not played in the owner's browser."""
        return [
            {"seat": at, "name": seat.name, "path": f"/table/{session.id}?seat={seat.token}"}
            for at, seat in enumerate(session.seats)
            if seat.is_person and not seat.here
        ]

    async def create(self, request: Request) -> Response:
        """Start a game."""
        body = await body_of(request)
        variant = variant_of(body)
        seats = seats_of(self.server, body, variant)
        seed = seed_of(body)
        with self.server.lock:
            running, sessions = self.server.running(), list(self.server.sessions.values())
            for session in sessions[: max(0, len(sessions) - KEPT)]:
                if session not in running and not session.subscribers:
                    del self.server.sessions[session.id]
        session = await asyncio.to_thread(Session.new, self.server, variant, seats, seed)
        with self.server.lock:
            self.server.sessions[session.id] = session
        answer = JSONResponse({"id": session.id, "path": f"/table/{session.id}", "links": self.links(session)}, 201)
        grant(answer, session.id, [seat.token for seat in seats if seat.here])
        return answer

    # At a table

    async def facts(self, request: Request) -> Response:
        """The table, and which seats this browser has."""
        session, held = self.opened(request)
        is_owner = self.server.is_owner(request)
        more = {"links": self.links(session)} if is_owner else {}
        path = f"/replay/{replay_id(session.path)}" if is_owner else None
        return JSONResponse({**session.facts(), "seats": held, "owner": is_owner, "replay": path, **more})

    async def board(self, request: Request) -> Response:
        """What a seat is shown."""
        session = self.session(request)
        viewer = self.viewer(request, session, request.query_params.get("seat"))
        content = json.dumps(session.board(viewer), ensure_ascii=False, separators=(",", ":")).encode()
        tag = f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        return Response(content, media_type="application/json", headers={"etag": tag, "cache-control": "private, no-cache"})

    async def events(self, request: Request) -> Response:
        """Server-sent events: one whenever the document of a seat of this browser changes."""
        session, held = self.opened(request)
        if len(session.subscribers) >= MOST_STREAMS:
            raise RequestError(429, f"{MOST_STREAMS} pages follow this game already: close one first")
        return StreamingResponse(self.stream(session, held), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def stream(self, session: Session, held: list[Viewer]) -> AsyncIterator[str]:
        """The lines of a stream: the newest sequence number and status of each seat whenever they change."""
        subscriber = Subscriber(held)
        session.subscribers.append(subscriber)
        told: dict[Viewer, int] = {}
        stopping = asyncio.ensure_future(self.server.stopping.wait())
        waiting = asyncio.ensure_future(subscriber.changed.wait())
        try:
            while not self.server.stopping.is_set():
                subscriber.changed.clear()
                for viewer in held:
                    news = session.news(viewer)
                    if news["seq"] != told.get(viewer):
                        told[viewer] = news["seq"]
                        yield f"data: {json.dumps(news)}\n\n"
                waiting.cancel()
                waiting = asyncio.ensure_future(subscriber.changed.wait())
                done, _ = await asyncio.wait({waiting, stopping}, timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
                if not done:
                    yield ": still here\n\n"
        finally:
            waiting.cancel()
            stopping.cancel()
            session.subscribers.remove(subscriber)

    async def move(self, request: Request) -> Response:
        """Play an action; the answer is the new document of the seat, with the agents' moves if they are quick."""
        session, seat, body = await self.asked(request)
        future = await asyncio.to_thread(session.move, seat, body.get("seq"), body.get("action"))
        if future is not None:
            try:
                await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), PATIENCE)
            except TimeoutError:
                await asyncio.to_thread(session.settle)
        return JSONResponse(session.board(seat))

    async def undo(self, request: Request) -> Response:
        """Take back a move, ask the others for their consent, or answer such a request."""
        session, seat, body = await self.asked(request)
        await asyncio.to_thread(session.take_back, seat, body.get("seq"), body.get("agree", True) is True)
        return JSONResponse(session.board(seat))

    async def hint(self, request: Request) -> Response:
        """What the hint agent would play."""
        return await self.advice(request, lambda advice: (advice.prepare_hint, advice.hint))

    async def analysis(self, request: Request) -> Response:
        """What a search finds at this position, from what the seat knows."""
        return await self.advice(request, lambda advice: (advice.prepare_analysis, advice.analysis))

    async def advice(self, request: Request, chosen: Callable[[Advice], tuple[Callable[..., Any], Callable[..., Any]]]) -> Response:
        """What an agent of the game says to a seat, once it is prepared."""
        session, seat, body = await self.asked(request)
        prepare, say = chosen(session.advice)
        await self.server.run_preparing(session.variant.game.name, prepare, seat, body.get("seq"))
        return JSONResponse(await self.server.run(say, seat, body.get("seq")))

    async def retry(self, request: Request) -> Response:
        """Go on after an agent failed, with it or with another."""
        session, body = self.of_player(request), await body_of(request)
        who = body.get("agent")
        known = offered(self.server, session.variant)
        if who is not None and who not in known:
            raise RequestError(422, f"the agent {str(who)[:60]!r} is not offered here; possible are {', '.join(known)}")
        await self.server.run_preparing(session.variant.game.name, session.retry, None if who is None else known[str(who)])
        return JSONResponse({})

    async def stop(self, request: Request) -> Response:
        """Stop a game."""
        self.check_owner(request)
        await asyncio.to_thread(self.session(request).stop)
        return JSONResponse({})

    async def replay(self, request: Request) -> Response:
        """The replay of a finished game, as a file or as a page of its own."""
        session = self.of_player(request)
        if session.table is None or not session.table.is_over:
            raise RequestError(403, "the replay tells everything, so there is none before the game is over")
        names = [seat.name for seat in session.seats]
        found = tw.Replay.of(session.table.env, names)
        name = f"{session.variant.game.name}-{session.id[:6]}"
        if request.path_params.get("form") == "html":
            return attachment(await self.server.run(html, found), "text/html", f"{name}.html")
        return attachment("\n".join(found.lines()) + "\n", "application/jsonl", f"{name}.jsonl")

    async def rules(self, request: Request) -> Response:
        """The rules of the game at a table, and what its pieces do."""
        session = self.of_player(request)
        return JSONResponse(rules_of(session.variant.game, session.variant.options))


def routes(server: Server) -> list[Route]:
    """The start page and everything about games that are played."""
    tables = Tables(server)

    def post(path: str, act: Callable[..., Any]) -> Route:
        return Route(path, act, methods=["POST"])

    return [
        Route("/", tables.start),
        Route("/table/{id}", tables.page),
        Route("/api/setup", tables.setup),
        Route("/api/games", tables.games, methods=["GET"]),
        post("/api/games", tables.create),
        Route("/api/games/{id}", tables.facts),
        Route("/api/games/{id}/board", tables.board),
        Route("/api/games/{id}/events", tables.events),
        Route("/api/games/{id}/rules", tables.rules),
        Route("/api/games/{id}/replay", tables.replay),
        Route("/api/games/{id}/replay.{form}", tables.replay),
        post("/api/games/{id}/move", tables.move),
        post("/api/games/{id}/undo", tables.undo),
        post("/api/games/{id}/hint", tables.hint),
        post("/api/games/{id}/analysis", tables.analysis),
        post("/api/games/{id}/retry", tables.retry),
        post("/api/games/{id}/stop", tables.stop),
    ]
