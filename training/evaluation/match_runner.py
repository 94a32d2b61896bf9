"""Playing a plan: in this process or in several, from the beginning or from where it stopped."""

import contextlib
import os
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tradewinds.envs as tw

from .agent_runner import NO_TIME, Referee
from .arena import Failure, Results, forfeit, join
from .results_store import Folder, from_json, to_json
from .schedule import Plan
from .worker import NOBODY, Task, play_task, warm_up
from .workers import Loss, Pool, WorkerError

SMALL = 10_000  # games inside the compiled loop are over before a worker process has started
MOST_RETRIES = 2  # of games whose worker died while no agent was asked
MOST_REPLAYS = 20  # of failures of one agent
MOST_NOTES = 3  # about failures of one agent, while playing
REPLAYS = Path("runs") / "failures"


@dataclass(frozen=True)
class Played:
    """Results of each match, and how it went."""

    results: list[Results]
    seconds: float  # of play, all sessions together
    workers: int
    losses: list[dict[str, Any]]  # workers that were lost, whatever came of it
    replays: dict[tuple[int, int], str]  # match and game of a failure -> the file


def run(
    plan: Plan,
    workers: int | None = None,
    folder: "str | Path | None" = None,
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
) -> Played:
    """Play all that is not yet in the folder. `workers` are processes, by default one a core; 0 plays in this process.

    `on_progress` is told the number of games finished, `on_note` what a person should know at once.
    """
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 0):
        raise ValueError(f"workers={workers!r} is not possible; it is a whole number, at least 0")
    if folder is not None and not all(isinstance(agent, str) for agent in plan.agents):
        raise ValueError("only agents named by codes can be played in a folder: others could not be told apart when the run goes on")
    store = Folder(Path(folder), plan.settings()) if folder is not None else None
    try:
        return _Run(plan, store, on_progress, on_note).play(workers)
    finally:
        if store is not None:
            store.close()


class _Run:
    def __init__(self, plan: Plan, store: Folder | None, on_progress: Callable[[int], None], on_note: Callable[[str], None]) -> None:
        self.plan = plan
        self.store = store
        self.on_progress = on_progress
        self.on_note = on_note
        lines = store.lines if store else []
        self.done = {line["chunk"]: from_json(line) for line in lines}
        self.losses: list[dict[str, Any]] = [loss for line in lines for loss in line["losses"]]
        self.seconds_of: dict[int, float] = {}  # by session
        for line in lines:
            self.seconds_of[line["session"]] = max(line["at"], self.seconds_of.get(line["session"], 0.0))
        self.replays: dict[tuple[int, int], str] = {}
        self.replays_of: Counter[int] = Counter()

    def play(self, workers: int | None) -> Played:
        todo = [number for number in range(len(self.plan.chunks)) if number not in self.done]
        workers = self._workers(workers, todo)
        self.on_progress(self.games)
        if todo:
            session = max(self.seconds_of, default=-1) + 1
            with contextlib.closing(self._in_workers(todo, workers) if workers else self._here(todo)) as results_of_chunks:
                next(results_of_chunks)  # all is compiled and loaded
                began = time.perf_counter()
                for number, results, losses in results_of_chunks:
                    self._keep(number, results, losses, session, time.perf_counter() - began)
        chunks = self.plan.chunks
        results = [
            join([self.done[number] for number in range(len(chunks)) if chunks[number].match == match])
            for match in range(len(self.plan.matches))
        ]
        for match, of_match in enumerate(results):
            for failure in of_match.failures:
                self._save(match, failure.game, failure)
        return Played(results, sum(self.seconds_of.values()), workers, self.losses, self.replays)

    @property
    def games(self) -> int:
        return sum(map(len, self.done.values()))

    def _workers(self, workers: int | None, todo: list[int]) -> int:
        if workers is None:
            here = self.plan.compiled and self.plan.total <= SMALL
            workers = 0 if here else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return min(workers, len(todo))

    def _keep(self, number: int, results: Results, losses: list[dict[str, Any]], session: int, at: float) -> None:
        self.done[number] = results
        self.losses += losses
        self.seconds_of[session] = at
        if self.store:
            self.store.add({"chunk": number, "session": session, "at": at, "losses": losses, **to_json(results)})
        chunk = self.plan.chunks[number]
        for failure in results.failures:
            game, name = chunk.first + failure.game, self.plan.names[failure.agent]
            saved = self._save(chunk.match, game, failure)
            if saved and self.replays_of[failure.agent] <= MOST_NOTES:
                self.on_note(f"agent {name} failed as player_{failure.seat} of game {game}: {failure.reason} (replay: {saved})")
            if saved and self.replays_of[failure.agent] == MOST_NOTES:
                self.on_note(f"further failures of {name} are counted, not told")
        self.on_progress(self.games)

    def _task(self, identity: int, match: int, first: int, last: int) -> Task:
        plan = self.plan
        return Task(identity, plan.seat_assignments(match, first, last), plan.seeds[first:last], plan.draws[first:last])

    def _here(self, todo: list[int]) -> Generator[Any, None, None]:
        plan = self.plan
        warm_up(plan.variant, plan.built)
        yield None
        for number in todo:
            referee = Referee(plan.built, plan.time_limit)
            yield number, play_task(plan.variant, self._task(number, *plan.chunks[number]), referee), []

    def _in_workers(self, todo: list[int], workers: int) -> Generator[Any, None, None]:
        """Chunks as they come back. A chunk whose worker is lost while an agent is asked is played again, game by game; a game whose worker
        is lost then is a failure of that agent."""
        plan = self.plan
        pool = Pool(workers, plan.variant, plan.agents, plan.time_limit)
        try:
            yield None
            queue = deque((number, plan.chunks[number].first, plan.chunks[number].last) for number in todo)
            given: dict[int, tuple[int, int, int]] = {}
            alone: dict[int, dict[int, Results]] = {}  # chunk -> game -> results, of chunks played game by game
            losses: dict[int, list[dict[str, Any]]] = {}
            retries: Counter[tuple[int, int]] = Counter()

            def next_task() -> Task | None:
                if not queue:
                    return None
                identity = len(given)
                number, first, last = given[identity] = queue.popleft()
                return self._task(identity, plan.chunks[number].match, first, last)

            for found in pool.run(next_task):
                if found is None:
                    self.on_progress(self.games + sum(map(len, alone.values())) + pool.games_under_way())
                    continue
                loss = found if isinstance(found, Loss) else None
                task, results = (found.task, None) if isinstance(found, Loss) else found
                number, first, last = given[task.number]
                if loss:
                    losses.setdefault(number, []).append(self._describe(loss, number, first, last))
                    if loss.agent == NOBODY:
                        retries[number, first] += 1
                        if retries[number, first] > MOST_RETRIES:
                            raise WorkerError(
                                f"games {first} to {last - 1} end their worker process whenever they are played: {loss.reason}"
                            )
                        queue.appendleft((number, first, last))
                        continue
                    if last - first > 1:
                        alone[number] = {}
                        queue.extendleft((number, game, game + 1) for game in reversed(range(first, last)))
                        continue
                    results = self._lost(number, first, loss)
                assert results is not None
                if number in alone:
                    alone[number][first] = results
                    chunk = plan.chunks[number]
                    if len(alone[number]) < chunk.last - chunk.first:
                        continue
                    results = join([games for _, games in sorted(alone.pop(number).items())])
                yield number, results, losses.pop(number, [])
        finally:
            pool.close()

    def _describe(self, loss: Loss, number: int, first: int, last: int) -> dict[str, Any]:
        agent = None if loss.agent == NOBODY else self.plan.names[loss.agent]
        if last - first > 1 or agent is None:  # one game alone is a failure, and told as such
            self.on_note(
                f"a worker was lost while {agent or 'nobody'} was asked: {loss.reason}; games {first} to {last - 1} are played again"
            )
        return {
            "kind": loss.kind,
            "reason": loss.reason,
            "agent": agent,
            "match": self.plan.chunks[number].match,
            "games": [first, last - 1],
        }

    def _lost(self, number: int, game: int, loss: Loss) -> Results:
        """The game that a worker did not survive."""
        plan = self.plan
        match = plan.chunks[number].match
        (seat_assignment,) = plan.seat_assignments(match, game, game + 1)
        env = self._position(game, loss.actions)
        seat = env.possible_agents.index(env.agent_selection)
        failure = Failure(0, seat, loss.agent, loss.kind, loss.reason, loss.actions)
        none = np.zeros((1, plan.variant.players), np.int32)
        ranks = forfeit(seat_assignment, seat).reshape(1, -1).astype(np.int32)
        return Results(none, ranks, np.array([len(loss.actions)]), np.zeros(1, bool), np.tile(NO_TIME, (len(plan.agents), 1)), (failure,))

    def _position(self, game: int, actions: np.ndarray) -> tw.TableEnv:
        env = tw.TableEnv(self.plan.variant.game, **self.plan.variant.options)
        env.reset(seed=int(self.plan.seeds[game]))
        for action in actions.tolist():
            env.step(action)
        return env

    def _save(self, match: int, game: int, failure: Failure) -> str | None:
        """The position in which an agent failed, as a replay; not of every one, if there are many."""
        if (match, game) in self.replays or self.replays_of[failure.agent] >= MOST_REPLAYS:
            return self.replays.get((match, game))
        name = re.sub(r"[^\w.-]+", "_", self.plan.names[failure.agent])
        folder = self.store.path / "failures" if self.store else REPLAYS
        path = folder / f"{self.plan.variant.game.name}-{name}-match{match}-game{game}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tw.Replay.of(self._position(game, failure.actions)).save(path)
        except OSError as error:
            self.on_note(f"{path} could not be written: {error.strerror}")
            return None
        self.replays_of[failure.agent] += 1
        self.replays[match, game] = str(path)
        return str(path)
