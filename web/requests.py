"""What routes share: the body of a request, and answers of a kind."""

from collections.abc import Sequence
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tradewinds.envs.core.io.parse import parse_json

from .server import RequestError


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request.

    Raises:
        RequestError: It is not one.
    """
    try:
        found = parse_json(await request.body() or b"{}", "the body")
    except ValueError:
        raise RequestError(400, "the body must be a JSON object") from None
    if not isinstance(found, dict):
        raise RequestError(400, "the body must be a JSON object")
    return found


def grant(answer: Response, game: str, tokens: Sequence[str]) -> None:
    """Open seats to the browser that gets this answer.

    Args:
        answer: The answer.
        game: The game's id.
        tokens: Those of the seats.
    """
    answer.set_cookie(f"seat-{game}", ".".join(tokens), max_age=90 * 86400, httponly=True, samesite="strict", path="/")


def attachment(text: str, media_type: str, name: str) -> Response:
    """A file for the browser to save under this name."""
    return Response(text, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})


def onward(path: str) -> Response:
    """A page that leads on at once. After a redirect a browser that came from elsewhere would not send the new cookie."""
    return HTMLResponse(f'<!doctype html><title>Tradewinds</title><meta http-equiv="refresh" content="0;url={escape(path)}">')
