"""The start page and the tables: who may sit where, and what a seat's browser may ask."""

import asyncio
import contextlib
import hashlib
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

import tradewinds.envs as tw
from tradewinds.agents.neural.checkpoint import pretrained_net
from tradewinds.agents.registry import AgentError
from tradewinds.agents.scripted.bot import bot_of
from tradewinds.envs.core.api.batch import check_seed
from tradewinds.envs.core.render.svg import SEAT_COLOURS
from tradewinds.envs.core.render.words import guide
from tradewinds.envs.core.spec.game import Game, Variant

from .export import html
from .requests import body_of, onward
from .server import RequestError, Server, replay_id, same
from .session import Seat, Session, Subscriber, Viewer, saved_games

HERE, LINK = "here", "link"  # a person at the owner's browser, and one who gets a link
LONGEST_NAME = 40
PATIENCE = 0.15  # seconds that an answer to a move waits for the agents
HEARTBEAT = 15.0  # seconds
KEPT = 64  # games in memory, finished ones included


def levels(variant: Variant) -> dict[str, str]:
    """Strength in words, and the agent code that stands for it in this variant."""
    bot = bot_of(variant.game)
    easy = "scripted:greedy" if bot is not None and "greedy" in bot.styles else "random"
    hardest = "pretrained" if pretrained_net(variant) is not None else "search:3000"
    return {"easy": easy, "medium": "search:100" if bot is None else "scripted", "hard": "search:300", "hardest": hardest}


def offered(server: Server, variant: Variant) -> dict[str, str]:
    """What may sit at a seat: the name on the page, and the code."""
    return {**levels(variant), "random": "random", **{code: code for code in server.settings.agents}}


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
        """The seat that a request speaks for.

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
        """The same, for what only a player does."""
        found = self.viewer(request, session, given)
        if found is None:
            raise RequestError(403, "this seat is not yours: open it by its own link")
        return found

    def check_owner(self, request: Request) -> None:
        """Refuse what only the owner may do."""
        if not self.server.is_owner(request):
            raise RequestError(403, "only the owner of the server may do this")

    def grant(self, answer: Response, session: Session, seats: list[int]) -> None:
        """Open seats to the browser that gets this answer."""
        tokens = ".".join(session.seats[seat].token for seat in seats)
        answer.set_cookie(f"seat-{session.id}", tokens, max_age=90 * 86400, httponly=True, samesite="strict", path="/")

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
            self.grant(answer, session, sorted(mine))
        return answer

    # Starting

    async def setup(self, request: Request) -> Response:
        """What can be played: games, options, strengths."""
        return JSONResponse(await asyncio.to_thread(self.what_can_be_played))

    def what_can_be_played(self) -> dict[str, Any]:
        """The games with their options, and the agents."""
        found = []
        for name in tw.games():
            game = tw.game(name)
            players = next(option for option in game.options if option.name == "players")
            found.append(
                {
                    "name": name,
                    "title": game.title,
                    "goal": goal_of(game),
                    "players": list(players.choices),
                    "default": players.default,
                    "levels": {count: levels(game.with_options(players=count)) for count in players.choices},
                    "options": [
                        {
                            "name": option.name,
                            "default": option.default,
                            "choices": None if isinstance(option.choices, range) else list(option.choices),
                            "min": option.choices[0],
                            "max": option.choices[-1],
                            "text": option.text,
                        }
                        for option in game.options
                        if option.name not in ("players", "reward")
                    ],
                }
            )
        return {"games": found, "agents": ["random", *self.server.settings.agents], "colours": SEAT_COLOURS}

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
        seats = self.seats_of(body, variant)
        seed = seed_of(body)
        with self.server.lock:
            sessions = list(self.server.sessions.values())
            running = [session for session in sessions if not session.is_stopped and session.status(0) != "over"]
            if len(running) >= (most := self.server.settings.max_games):
                raise RequestError(429, f"{len(running)} games are running, and --games allows {most}: finish or stop one first")
            for session in sessions[: max(0, len(sessions) - KEPT)]:
                if session not in running and not session.subscribers:
                    del self.server.sessions[session.id]
        session = await asyncio.to_thread(Session.new, self.server, variant, seats, seed)
        with self.server.lock:
            self.server.sessions[session.id] = session
        answer = JSONResponse({"id": session.id, "path": f"/table/{session.id}", "links": self.links(session)}, 201)
        self.grant(answer, session, [at for at, seat in enumerate(seats) if seat.here])
        return answer

    def seats_of(self, body: dict[str, Any], variant: Variant) -> list[Seat]:
        """Who sits where, as the start page says.

        Raises:
            RequestError: An agent is not offered, or a name is too long.
        """
        given = body.get("seats")
        if not isinstance(given, list) or len(given) != variant.players:
            raise RequestError(422, f"seats must be a list of {variant.players}, one for each player")
        known = offered(self.server, variant)
        seats = []
        for at, row in enumerate(given):
            who = row.get("who") if isinstance(row, dict) else None
            if who in (HERE, LINK):
                seats.append(Seat(name_of(row.get("name"), f"Player {at}"), None, secrets.token_urlsafe(24), who == HERE))
            elif isinstance(who, str) and who in known:
                code = known[who]
                seats.append(Seat(code if who == code else f"{who.capitalize()} · {code}", code, secrets.token_urlsafe(24)))
            else:
                raise RequestError(
                    422,
                    f"the agent {str(who)[:60]!r} is not offered here; possible are {HERE}, {LINK}, {', '.join(known)}."
                    " Others are named when the server is started, by --agent CODE",
                )
        return seats

    # At a table

    async def facts(self, request: Request) -> Response:
        """The table, and which seats this browser has."""
        session = self.session(request)
        held = self.held(request, session)
        if not held:
            raise RequestError(403, "this table is open to its players only: use the link of your seat")
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
        """A stream that says when a seat of this browser has something new to see, and nothing else."""
        session = self.session(request)
        held = self.held(request, session)
        if not held:
            raise RequestError(403, "this table is open to its players only: use the link of your seat")
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
        """Play an action; the answer is what the seat is shown then, with the agents' moves if they are quick."""
        session, body = self.session(request), await body_of(request)
        seat = self.seat(request, session, body.get("seat"))
        future = await asyncio.to_thread(session.move, seat, body.get("seq"), body.get("action"))
        if future is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), PATIENCE)
        return JSONResponse(session.board(seat))

    async def undo(self, request: Request) -> Response:
        """Take back, ask the others for it, or answer their wish."""
        session, body = self.session(request), await body_of(request)
        seat = self.seat(request, session, body.get("seat"))
        await asyncio.to_thread(session.undo, seat, body.get("seq"), body.get("agree", True) is True)
        return JSONResponse(session.board(seat))

    async def hint(self, request: Request) -> Response:
        """What the hint agent would play."""
        session, body = self.session(request), await body_of(request)
        seat = self.seat(request, session, body.get("seat"))
        return JSONResponse(await self.server.run(session.advice.hint, seat, body.get("seq")))

    async def analysis(self, request: Request) -> Response:
        """What a search finds at this position, from what the seat knows."""
        session, body = self.session(request), await body_of(request)
        seat = self.seat(request, session, body.get("seat"))
        return JSONResponse(await self.server.run(session.advice.analysis, seat, body.get("seq")))

    async def retry(self, request: Request) -> Response:
        """Go on after an agent failed, with it or with another."""
        session, body = self.session(request), await body_of(request)
        if not self.held(request, session):
            self.check_owner(request)
        who = body.get("agent")
        known = offered(self.server, session.variant)
        if who is not None and who not in known:
            raise RequestError(422, f"the agent {str(who)[:60]!r} is not offered here; possible are {', '.join(known)}")
        await self.server.run(session.retry, None if who is None else known[str(who)])
        return JSONResponse({})

    async def stop(self, request: Request) -> Response:
        """End a game before its end."""
        self.check_owner(request)
        await asyncio.to_thread(self.session(request).stop)
        return JSONResponse({})

    async def replay(self, request: Request) -> Response:
        """The replay of a finished game, as a file or as a page of its own."""
        session = self.session(request)
        if not self.held(request, session):
            self.check_owner(request)
        if session.table is None or not session.table.is_over:
            raise RequestError(403, "the replay tells everything, so there is none before the game is over")
        names = [seat.name for seat in session.seats]
        found = tw.Replay.of(session.table.env, names)
        name = f"{session.variant.game.name}-{session.id[:6]}"
        if request.path_params.get("form") == "html":
            text = await self.server.run(html, found)
            return Response(text, media_type="text/html", headers={"content-disposition": f'attachment; filename="{name}.html"'})
        lines = "\n".join(found.lines()) + "\n"
        return Response(lines, media_type="application/jsonl", headers={"content-disposition": f'attachment; filename="{name}.jsonl"'})

    async def rules(self, request: Request) -> Response:
        """The rules of the game at a table, and what its pieces do."""
        session = self.session(request)
        if not self.held(request, session):
            self.check_owner(request)
        return JSONResponse(rules_of(session.variant.game, session.variant.options))


def rules_of(game: Game, options: dict[str, Any]) -> dict[str, Any]:
    """The rules, in short and in full, and the guide to the pieces."""
    entries = [entry._asdict() for entry in guide(game, options)]
    return {"short": rules_text(game, "RULES_SHORT.md"), "full": rules_text(game, "RULES.md"), "guide": entries}


def goal_of(game: Game) -> str:
    """The first line of the short rules."""
    line = rules_text(game, "RULES_SHORT.md").partition("\n")[0].removeprefix("Goal: ")
    return line[:1].upper() + line[1:]


def rules_text(game: Game, name: str) -> str:
    """A file of rules beside a game; "" if it has none."""
    try:
        return (files(game.module) / name).read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError, TypeError):
        return ""


def variant_of(body: dict[str, Any]) -> Variant:
    """The game and its options.

    Raises:
        RequestError: There is no such game or option.
    """
    name, options = body.get("game"), body.get("options", {})
    if not isinstance(name, str) or not isinstance(options, dict):
        raise RequestError(422, "a game is named by `game`, and its options are an object `options`")
    try:
        return tw.game(name[:100]).with_options(**{str(key): value for key, value in options.items()})
    except (ValueError, TypeError) as error:
        raise RequestError(422, str(error)) from None


def seed_of(body: dict[str, Any]) -> int:
    """The seed that is given, or a random one."""
    given = body.get("seed")
    if given is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
    try:
        return check_seed(given)
    except (ValueError, TypeError) as error:
        raise RequestError(422, str(error)) from None


def name_of(given: Any, default: str) -> str:
    """The name of a person: plain text.

    Raises:
        RequestError: It is too long or has control characters.
    """
    if given is None or given == "":
        return default
    if not isinstance(given, str) or not given.isprintable() or not 1 <= len(given.strip()) <= LONGEST_NAME:
        raise RequestError(422, f"a name is plain text of at most {LONGEST_NAME} characters")
    return given.strip()


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
