"""What a seat is shown of a game: a document that depends on nothing but what the seat may know."""

from typing import TYPE_CHECKING, Any

import numpy as np

from tradewinds.agents.table import Table
from tradewinds.envs.core.io.history import Line, steps
from tradewinds.envs.core.render.words import detail, question
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.core.spec.game import Game

from .seats import Viewer

if TYPE_CHECKING:
    from .session import Session

LOOKED_BACK = 40  # moves, for the last one that a seat knows of


def document(session: "Session", viewer: Viewer) -> dict[str, Any]:
    """Everything on the page of a seat."""
    status = session.status(viewer)
    found: dict[str, Any] = {"status": status, "failure": session.failure, "warning": session.warning}
    table = session.table
    if table is None:
        return found
    game = session.variant.game
    record = table.history.positions[-1]
    view = record[0]
    if viewer is not None and record[0].status == Status.RUNNING:
        view = session.variant.masked_view(record.view(np.ndarray), viewer)
    seat = table.seat if viewer is None else viewer
    return found | {
        "svg": game.svg(view, viewer, [seat.name for seat in session.seats]),
        "text": game.text(view, seat),
        "question": "" if table.is_over else question(game, view, seat),
        "choices": choices(game, view, seat, table.env.legal_actions()) if status == "yours" else [],
        "log": log(session, table, viewer),
        "last": last_places(table, viewer),
        "undo": session.undo.state(viewer),
        "result": result(table) if table.is_over else None,
    }


def choices(game: Game, view: Any, seat: int, actions: list[int]) -> list[dict[str, Any]]:
    """The legal actions of the seat to move: name, where on the board, an amount, and what it means in words."""
    found = []
    for action in actions:
        spot = game.spot(view, seat, action) if game.spot is not None else None
        found.append(
            {
                "id": action,
                "name": game.in_words(view, seat, action),
                "detail": detail(game, view, seat, action),
                "places": list(spot.places) if spot is not None else [],
                "amount": spot.amount if spot is not None else None,
            }
        )
    return found


def log(session: "Session", table: Table, viewer: Viewer) -> list[Line]:
    """What a seat has learned so far, with what was taken back."""
    lines, done = [], 0
    for after, viewers, line in session.undo.notes:
        if viewer is None or viewer in viewers:
            lines += [*table.history.lines(viewer, done, after), line]
            done = max(done, after)
    return lines + table.history.lines(viewer, done)


def last_places(table: Table, viewer: Viewer) -> list[str]:
    """Where the last action was played that this seat knows of."""
    variant, history, moves = table.history.variant, table.history, table.env.moves
    game = variant.game
    if game.spot is None:
        return []
    for at in range(len(moves) - 1, max(-1, len(moves) - LOOKED_BACK), -1):
        if not any(not step.is_secret or viewer in (None, step.seat) for step in history.moves[at]):
            continue
        state = history.positions[at].copy()
        _, action, chance = moves[at]
        before, found = state.copy(), []
        for step in steps(variant, state, action, chance):
            if not step.is_secret or viewer in (None, step.seat):
                found = list(game.spot(before[0], step.seat, game.actions.parse(step.name)).places) or found
            before = state.copy()
        return found
    return []


def result(table: Table) -> dict[str, Any]:
    """Final scores, where they come from, and now the seed."""
    points = table.env.breakdown()
    sources = list(next(iter(points.values())))
    return {
        "places": [place._asdict() for place in table.places()],
        "sources": sources,
        "points": [[row[source] for source in sources] for row in points.values()],
        "truncated": bool(table.is_truncated),
        "seed": table.seed,
    }
