"""The web application: its routes, and what every request must fulfil before it reaches one."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from html import escape
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .requests import onward
from .server import PAGE, RequestError, Server, same

PARTS = ("tables", "replays", "analysis", "dashboards")  # modules with a function routes(server)
BODY = 64 * 1024  # bytes
BODY_SECONDS = 30.0  # that a body may take to arrive
LARGE_BODY = {"/api/replays": 1024 * 1024}
OPEN_TO_SEATS = ("/table/", "/api/games/", "/page/", "/favicon.ico")  # for those who have a seat's link only; the rest is the owner's
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
CLOSED = "this page belongs to whoever started the server: open the address that `tradewinds web` printed"


def create_app(server: Server) -> Starlette:
    """The application with all pages."""
    found: list[Route | Mount] = []
    for name in PARTS:
        module = f"{__package__}.{name}"
        if find_spec(module) is not None:
            found += importlib.import_module(module).routes(server)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        server.loop = asyncio.get_running_loop()
        yield

    async def icon(request: Request) -> Response:
        """What browsers ask for by themselves where an answer names no icon."""
        return FileResponse(str(PAGE / "icon.svg"))

    static = [Route("/favicon.ico", icon), Mount("/page", StaticFiles(directory=str(PAGE)))]
    app = Starlette(
        routes=[*found, *static],
        middleware=[
            Middleware(Guard, server=server),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=4),
        ],
        exception_handlers=refuse_by(server),
        lifespan=lifespan,
    )
    app.state.server = server
    return app


class Guard:
    """Checks Host, Origin, the owner's cookie and the size of the body; adds the headers of every answer."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app = app
        self.server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-cache" if scope["path"].startswith("/page/") else "no-store")
            await send(message)

        try:
            answer = self.check(request)
        except RequestError as error:
            answer = refusal(self.server, request, error)
        if answer is not None:
            await answer(scope, receive, send_with_headers)
            return
        limit = LARGE_BODY.get(scope["path"], BODY)
        received = 0

        async def limited() -> Message:
            nonlocal received
            # A stream that answers a GET waits here for its end, however long that takes.
            wait = None if request.method == "GET" else BODY_SECONDS
            try:
                message = await asyncio.wait_for(receive(), wait)
            except TimeoutError:
                raise RequestError(408, "the body of the request did not arrive") from None
            received += len(message.get("body", b""))
            if received > limit:
                raise RequestError(413, too_large(limit))
            return message

        await self.app(scope, limited, send_with_headers)

    def check(self, request: Request) -> Response | None:
        """Refuse what must not be served. Returns an answer that replaces the page's, if there is one."""
        headers = request.headers
        host = headers.get("host", "")
        if without_port(host) not in self.server.settings.hosts:
            raise RequestError(400, f"this server is not called {host!r}; start it with --allow-host {without_port(host)} if it should be")
        if request.method not in ("GET", "HEAD") or request.url.path.startswith("/api/"):
            check_origin(headers, host)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > (limit := LARGE_BODY.get(request.url.path, BODY)):
            raise RequestError(413, too_large(limit) if length.isdecimal() else "the content length must be a number")
        if request.method == "GET" and "token" in request.query_params and request.url.path == "/":
            return self.exchange(request)
        if not request.url.path.startswith(OPEN_TO_SEATS) and not self.server.is_owner(request):
            raise RequestError(403, CLOSED)
        return None

    def exchange(self, request: Request) -> Response:
        """Give the browser a cookie for the token of the address, which then disappears from it."""
        if not same(request.query_params["token"], self.server.token):
            raise RequestError(403, "this token is not valid: open the address that `tradewinds web` printed")
        to = request.query_params.get("to", "/")
        answer = onward(to if to.startswith("/") and not to.startswith("//") else "/")
        answer.set_cookie(self.server.cookie, self.server.token, httponly=True, samesite="strict", path="/")
        return answer


def without_port(host: str) -> str:
    """The name of a Host header."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def check_origin(headers: Headers, host: str) -> None:
    """Refuse what another site's page sends."""
    origin = headers.get("origin")
    try:
        sender = host if origin is None else urlsplit(origin).netloc
    except ValueError:  # not an address
        sender = ""
    if sender != host or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise RequestError(403, f"requests from {origin or 'another site'} are not accepted")


def too_large(limit: int) -> str:
    """The message about a body over the limit."""
    return f"the request is too large: at most {limit // 1024} KB"


def refusal(server: Server, request: Request, error: RequestError) -> Response:
    """An error as JSON for programs and scripts, as a page for people."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": error.message, **error.facts}, error.status, {"retry-after": "2"} if error.status == 503 else None)
    message = error.message[:1].upper() + error.message[1:]
    back = '<p><a class="plain" href="/">Back to the start</a></p>' if server.is_owner(request) else ""
    content = f'<main class="sheet"><h1>{error.status}</h1><p class="notice error" role="alert">{escape(message)}.</p>{back}</main>'
    answer = server.page(request, str(error.status), content=content)
    answer.status_code = error.status
    return answer


def refuse_by(server: Server) -> dict[Any, Callable[[Request, Exception], Coroutine[Any, Any, Response]]]:
    """What answers each kind of error."""

    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestError)
        return refusal(server, request, error)

    async def refuse_http(request: Request, error: Exception) -> Response:
        """Unknown paths and methods."""
        assert isinstance(error, HTTPException)
        known = {404: f"there is nothing at {request.url.path}", 405: f"{request.method} is not possible at {request.url.path}"}
        return refusal(server, request, RequestError(error.status_code, known.get(error.status_code, str(error.detail))))

    async def fail(request: Request, error: Exception) -> Response:
        """A mistake of ours; the server's log has the traceback."""
        return refusal(server, request, RequestError(500, f"the server failed: {type(error).__name__}"))

    return {RequestError: refuse, HTTPException: refuse_http, Exception: fail}
