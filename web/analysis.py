"""Analyses for the page: the data that replay.js shows, and on the server their searches in the background.

Without the server only `as_data` is used, so the web framework is imported where routes are made.
"""

import asyncio
import json
import sys
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradewinds.agents.analysis import COSTLY, Analysis, CancelledError, agent_code, analyse, analysis_path, kept_analysis
from tradewinds.agents.base import describe_error
from tradewinds.envs.core.io.replay import Replay

if TYPE_CHECKING:
    from starlette.routing import Route

    from .server import Server

SHOWN = 12  # choices per decision
TICK = 0.4  # seconds between two messages of a stream


def as_data(analysis: Analysis, replay: Replay) -> dict[str, Any]:
    """An analysis in JSON types, as analysis.js reads it.

    Returns:
        `agent`; `shares`, the win rate of each seat by decision and at the end; `costly`, the numbers of costly decisions; `threshold`,
        from which cost on they are; and `reviews`: by decision its seat, the index of the played choice, its cost, the principal line, and
        the choices as `[name, visits, [win rate by seat], [places]]`.
    """
    game, reviews = replay.game, []
    for env, review in zip(replay.positions(), analysis.reviews, strict=False):
        view = env.record()[0]
        shown = [choice for at, choice in enumerate(review.choices) if at < SHOWN or choice.action == review.played]
        choices = []
        for choice in shown:
            spot = game.spot(view, review.seat, game.actions.parse(choice.action)) if game.spot is not None else None
            choices.append([choice.action, choice.visits, choice.values, spot.places if spot is not None else ()])
        played = next(at for at, choice in enumerate(shown) if choice.action == review.played)
        reviews.append({"seat": review.seat, "played": played, "cost": review.cost, "line": review.line, "choices": choices})
    return {"agent": analysis.agent, "shares": analysis.win_rates, "costly": analysis.costly, "threshold": COSTLY, "reviews": reviews}


class Job:
    """An analysis that is being made, or failed."""

    def __init__(self) -> None:
        self.done, self.total = 0, 0
        self.error = ""
        self.is_over = False

    def as_data(self) -> dict[str, Any]:
        """The state in JSON types."""
        state = "failed" if self.error else "done" if self.is_over else "running" if self.total else "waiting"
        return {"state": state, "done": self.done, "total": self.total, **({"error": self.error} if self.error else {})}


class Analyses:
    """The analyses of a server: one is made at a time, by as many threads as there are cores."""

    def __init__(self, server: "Server") -> None:
        self.server = server
        self.jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._queue = ThreadPoolExecutor(1, "analyses")
        self._is_stopped = False
        server.on_stop.append(self.stop)

    def stop(self) -> None:
        """Cancel the analysis that is being made; nothing of it is kept."""
        self._is_stopped = True
        self._queue.shutdown(wait=False, cancel_futures=True)

    def start(self, number: str, path: Path, replay: Replay) -> Job:
        """Start an analysis, or return the one that is running."""
        with self._lock:
            job = self.jobs.get(number)
            if job is None or job.is_over:
                job = self.jobs[number] = Job()
                self._queue.submit(self._make, job, path, replay)
            return job

    def _make(self, job: Job, path: Path, replay: Replay) -> None:
        def count(done: int, total: int) -> None:
            job.done, job.total = done, total

        try:
            if kept_analysis(path, replay) is None:
                job.total = len(replay.moves)
                analyse(replay, on_progress=count, is_cancelled=lambda: self._is_stopped).save(analysis_path(path), replay)
        except CancelledError:
            job.error = "The server is ending."
        except OSError as error:
            job.error = f"The analysis cannot be written: {error.strerror or error}."
        except Exception as error:  # a search must not end the queue
            print(f"tradewinds: analysis of {path}: {describe_error(error)}", file=sys.stderr, flush=True)
            job.error = f"The analysis failed: {type(error).__name__}. The terminal of the server says more."
        finally:
            job.is_over = True

    async def stream(self, job: Job) -> AsyncIterator[str]:
        """The progress as server-sent events, until it is over."""
        told = ""
        while not self.server.stopping.is_set():
            news = json.dumps(job.as_data())
            if news != told:
                told = news
                yield f"data: {news}\n\n"
            if job.is_over:
                return
            await asyncio.sleep(TICK)


def routes(server: "Server") -> "list[Route]":
    """The requests about analyses."""
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route

    from .replays import finished, replay_of
    from .server import RequestError

    analyses = Analyses(server)

    async def show(request: Request) -> Response:
        path, replay = await replay_of(server, request)
        finished(replay)
        kept = await server.run(kept_analysis, path, replay)
        if kept is not None:
            return JSONResponse({"state": "done", "analysis": await server.run(as_data, kept, replay)})
        job = analyses.jobs.get(request.path_params["id"])
        state = {"state": "none"} if job is None or (job.is_over and not job.error) else job.as_data()
        return JSONResponse({**state, "agent": agent_code(replay.game.with_options(**replay.options))})

    async def begin(request: Request) -> Response:
        path, replay = await replay_of(server, request)
        finished(replay)
        return JSONResponse(analyses.start(request.path_params["id"], path, replay).as_data(), 202)

    async def events(request: Request) -> Response:
        job = analyses.jobs.get(request.path_params["id"])
        if job is None:
            raise RequestError(404, "this game is not being analysed")
        return StreamingResponse(analyses.stream(job), media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    return [
        Route("/api/replays/{id}/analysis", show, methods=["GET"]),
        Route("/api/replays/{id}/analysis", begin, methods=["POST"]),
        Route("/api/replays/{id}/analysis/events", events),
    ]
