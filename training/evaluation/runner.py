"""Run a schedule: in this process or in several, from the beginning or from where an earlier run stopped."""

import contextlib
import json
import os
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

import tradewinds.envs as tw
from tradewinds.agents.base import shorten
from tradewinds.envs.core.api.errors import FormatError, OutsideError
from tradewinds.envs.core.api.processes import available_cores
from tradewinds.envs.core.io.atomic import append_line, write_json
from tradewinds.envs.core.io.parse import parse_json, read_bytes

from ..isolation import IsolatedAgent
from ..ray_pool import RayPool
from .arena import AgentRunner, digest_actions, forfeit
from .results import NO_TIME, Failure, Results, checked, concatenate, parse_line, results_of_chunk, results_to_json
from .schedule import Schedule
from .workers import LostTask, Task, WorkerError, WorkerPool, warm_up

FORMAT = 2  # of a results folder
MOST_RESULTS = 16 << 30  # bytes of results.jsonl; a game takes some 100
SMALL = 10_000  # games inside the compiled loop are over before a worker process has started
MAX_RETRIES = 2  # of games whose worker died while no agent was asked
MAX_REPLAYS = 20  # saved failures per agent
MAX_NOTES = 3  # messages about failures per agent
REPLAYS = Path("runs") / "failures"


@dataclass(frozen=True)
class ScheduleResults:
    """Results of each match, and how the run went."""

    matches: list[Results]
    seconds: float  # of play, over all sessions
    workers: int
    lost_workers: list[dict[str, Any]]
    replays: dict[tuple[int, int], str]  # match and game of a failure -> file


def run_schedule(
    schedule: Schedule,
    workers: int | None = None,
    folder: "str | Path | None" = None,
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
    ray: str | None = None,
) -> ScheduleResults:
    """Play all games of a schedule that are not yet in the folder.

    The arguments are those of `evaluate`.

    Raises:
        ValueError: If an argument is not possible; a FolderError if the folder cannot be used.
        WorkerError: If worker processes cannot start, or die again and again while no agent is asked; if a Ray cluster cannot be used.
    """
    if ray is not None and workers == 0:
        raise ValueError("workers=0 plays in this process, not on a Ray cluster: leave one of them out")
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 0):
        raise ValueError(f"workers must be a non-negative integer, got {workers!r}")
    if folder is not None and not all(isinstance(getattr(agent, "agent", agent), str) for agent in schedule.agents):
        raise ValueError("a results folder needs agents given as codes: a resumed run could not recognise others")
    with contextlib.ExitStack() as stack:
        store = None
        if folder is not None:
            store = stack.enter_context(contextlib.closing(ResultsFolder(Path(folder), schedule.settings())))
        return _ScheduleRun(schedule, store, on_progress, on_note).run(workers, ray)


class _ScheduleRun:
    def __init__(
        self, schedule: Schedule, store: "ResultsFolder | None", on_progress: Callable[[int], None], on_note: Callable[[str], None]
    ) -> None:
        self.schedule = schedule
        self.store = store
        self.on_progress = on_progress
        self.on_note = on_note
        lines = store.lines if store else []
        self.done: dict[int, Results] = {}
        for number, line in enumerate(lines, 1):
            try:
                self.done[line["chunk"]] = results_of_chunk(schedule, line)
            except FormatError as error:
                where = f"line {number} of {store.path / 'results.jsonl' if store else ''}"
                raise FolderError(f"{where} holds results that are not those of these settings: {error}") from None
        self.lost_workers: list[dict[str, Any]] = [lost for line in lines for lost in line["losses"]]
        self.session_seconds: dict[int, float] = {}
        for line in lines:
            self.session_seconds[line["session"]] = max(line["at"], self.session_seconds.get(line["session"], 0.0))
        self.replays: dict[tuple[int, int], str] = {}
        self.replays_by_agent: Counter[int] = Counter()

    def run(self, workers: int | None, ray: str | None) -> ScheduleResults:
        s, chunks = self.schedule, self.schedule.chunks
        todo = [number for number in range(len(chunks)) if number not in self.done]
        self.on_progress(self.games)
        session = max(self.session_seconds, default=-1) + 1
        if ray is not None and todo:
            with contextlib.closing(RayPool(ray, workers, s.variant, s.agents, s.time_limit, s.processor_time)) as pool:
                workers = pool.workers
                self._play_in_pool(todo, pool, session)
        elif workers := min(self._default_workers() if workers is None else workers, len(todo)):
            with contextlib.closing(WorkerPool(workers, s.variant, s.agents, s.time_limit, s.processor_time)) as pool:
                self._play_in_pool(todo, pool, session)
        elif todo:
            self._play_here(todo, session)
        matches = [
            concatenate([self.done[number] for number, chunk in enumerate(chunks) if chunk.match == match])
            for match in range(len(self.schedule.matches))
        ]
        for match, results in enumerate(matches):
            for failure in results.failures:
                self._save_replay(match, failure.game, failure)
        return ScheduleResults(matches, sum(self.session_seconds.values()), workers, self.lost_workers, self.replays)

    @property
    def games(self) -> int:
        return sum(map(len, self.done.values()))

    def _default_workers(self) -> int:
        if self.schedule.compiled and self.schedule.total_games <= SMALL:
            return 0
        return len(available_cores())

    def _task(self, number: int) -> Task:
        s, (match, first, last) = self.schedule, self.schedule.chunks[number]
        seats = s.seat_assignments(match, first, last)
        return Task(number, first, seats, s.seeds[first:last], s.agent_seeds[first:last], s.record, s.sources)

    def _play_here(self, todo: list[int], session: int) -> None:
        s = self.schedule
        warm_up(s.variant, s.built)
        runner = AgentRunner(s.built, s.time_limit, processor_time=s.processor_time)
        began = time.perf_counter()
        try:
            for number in todo:
                results = self._task(number).play(s.variant, runner)
                self._keep(number, results, [], session, time.perf_counter() - began)
        finally:
            for agent in s.built:
                if isinstance(agent, IsolatedAgent):
                    agent.close()

    def _play_in_pool(self, todo: list[int], pool: "WorkerPool | RayPool", session: int) -> None:
        """A task whose worker is lost while an agent is asked is played again game by game; a game lost then is a failure of that agent."""
        s = self.schedule
        began = time.perf_counter()
        queue = deque(self._task(number) for number in todo)
        parts: defaultdict[int, dict[int, Results]] = defaultdict(dict)  # chunk -> first game -> results
        lost_workers: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
        retries: Counter[tuple[int, int]] = Counter()
        for event in pool.run_tasks(queue):
            if event is None:
                in_parts = sum(len(results) for of_chunk in parts.values() for results in of_chunk.values())
                self.on_progress(self.games + in_parts + pool.games_in_progress())
                continue
            if isinstance(event, LostTask):
                task = event.task
                lost_workers[task.chunk].append(self._describe(event))
                if event.agent is None:
                    retries[task.chunk, task.first] += 1
                    if retries[task.chunk, task.first] > MAX_RETRIES:
                        raise WorkerError(f"{_span(task.games)} end their worker process whenever they are played: {event.reason}")
                    queue.appendleft(task)
                    continue
                if len(task.games) > 1:
                    queue.extendleft(reversed(task.split()))
                    continue
                results = self._lost_game(event, event.agent)
            else:
                task, results = event
            of_chunk = parts[task.chunk]
            of_chunk[task.first] = results
            _, first, last = s.chunks[task.chunk]
            if sum(map(len, of_chunk.values())) == last - first:
                whole = concatenate([results for _, results in sorted(parts.pop(task.chunk).items())])
                self._keep(task.chunk, whole, lost_workers.pop(task.chunk, []), session, time.perf_counter() - began)

    def _keep(self, number: int, results: Results, lost_workers: list[dict[str, Any]], session: int, at: float) -> None:
        self.done[number] = results
        self.lost_workers += lost_workers
        self.session_seconds[session] = at
        if self.store:
            self.store.append({"chunk": number, "session": session, "at": at, "losses": lost_workers, **results_to_json(results)})
        chunk = self.schedule.chunks[number]
        for failure in results.failures:
            game, name = chunk.first + failure.game, self.schedule.names[failure.agent]
            saved = self._save_replay(chunk.match, game, failure)
            if saved and self.replays_by_agent[failure.agent] <= MAX_NOTES:
                self.on_note(f"agent {name} failed as player_{failure.seat} of game {game}: {failure.reason} (replay: {saved})")
            if saved and self.replays_by_agent[failure.agent] == MAX_NOTES:
                self.on_note(f"further failures of {name} are counted, not printed")
        self.on_progress(self.games)

    def _describe(self, lost: LostTask) -> dict[str, Any]:
        agent = None if lost.agent is None else self.schedule.names[lost.agent]
        games = lost.task.games
        if len(games) > 1 or agent is None:  # one game alone is reported as a failure
            asked = f"while asking {agent}" if agent else "while no agent was asked"
            self.on_note(f"a worker process was lost {asked}: {lost.reason}; {_span(games)} are played again")
        match = self.schedule.chunks[lost.task.chunk].match
        return {"kind": lost.kind, "reason": shorten(lost.reason), "agent": agent, "match": match, "games": [games[0], games[-1]]}

    def _lost_game(self, lost: LostTask, agent: int) -> Results:
        """The results of one game whose worker was lost: the agent that was being asked loses."""
        env = self._position(lost.task.first, lost.actions)
        seat = env.possible_agents.index(env.agent_selection)
        failure = Failure(0, seat, agent, lost.kind, lost.reason, lost.actions)
        ranks = forfeit(lost.task.seat_assignments[0], seat).reshape(1, -1).astype(np.int32)
        times = np.tile(NO_TIME, (len(self.schedule.agents), 1))
        digests = np.array([digest_actions(lost.actions)], np.uint64)
        return Results(np.zeros_like(ranks), ranks, np.array([len(lost.actions)]), np.zeros(1, bool), times, (failure,), digests)

    def _position(self, game: int, actions: np.ndarray) -> tw.TableEnv:
        env = tw.TableEnv(self.schedule.variant.game, **self.schedule.variant.options)
        env.reset(seed=int(self.schedule.seeds[game]))
        for action in actions.tolist():
            env.step(action)
        return env

    def _save_replay(self, match: int, game: int, failure: Failure) -> str | None:
        """Save the position of a failure as a replay, for the first MAX_REPLAYS failures of an agent."""
        if (match, game) in self.replays or self.replays_by_agent[failure.agent] >= MAX_REPLAYS:
            return self.replays.get((match, game))
        name = re.sub(r"[^\w.-]+", "_", self.schedule.names[failure.agent])
        folder = self.store.path / "failures" if self.store else REPLAYS
        path = folder / f"{self.schedule.variant.game.name}-{name}-match{match}-game{game}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tw.Replay.of(self._position(game, failure.actions)).save(path)
        except OSError as error:
            self.on_note(f"{path} could not be written: {error.strerror}")
            return None
        except (ValueError, RuntimeError):  # of a results folder whose actions are not those of the game
            self.on_note(f"{path} could not be written: the actions of game {game} are not legal")
            return None
        self.replays_by_agent[failure.agent] += 1
        self.replays[match, game] = str(path)
        return str(path)


def _span(games: range) -> str:
    return f"games {games[0]} to {games[-1]}"


class FolderError(OutsideError):
    """A results folder that cannot be used for this run; the message says why."""


class ResultsFolder:
    """The folder of a run that can be resumed: its settings, and one line of JSON per finished chunk.

    Each line begins with its checksum. `lines` holds what earlier sessions wrote. A last line that was cut off by a kill is dropped.

    Args:
        path: The folder; created if needed.
        settings: What the results depend on. A folder with other settings is refused.

    Raises:
        FolderError: If the folder is in use, damaged, of other settings or not writable.
    """

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = []
        self._results = path / "results.jsonl"
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path / ".lock")
            self._lock.acquire(timeout=0)
        except Timeout:
            raise FolderError(f"{path} is in use by another process") from None
        except OSError as error:
            raise FolderError(f"{path} cannot be used: {error.strerror}") from None
        try:
            self._check_settings(settings)
            self._read()
        except BaseException:
            self.close()
            raise

    def _check_settings(self, settings: dict[str, Any]) -> None:
        file = self.path / "settings.json"
        here = json.loads(json.dumps({"format": FORMAT, **settings}))
        if not file.exists():
            if self._results.exists():
                raise FolderError(f"{self.path} has results but no settings.json: use another folder")
            try:
                write_json(file, here)
            except OSError as error:
                raise FolderError(f"{file} cannot be written: {error.strerror or error}") from None
            return
        try:
            there = parse_json(read_bytes(file, str(file)), str(file))
            if not isinstance(there, dict):
                raise FormatError("not an object")
        except (OSError, ValueError, RecursionError):
            raise FolderError(f"{file} cannot be read: use another folder") from None
        differences = [
            f"{name} is {json.dumps(there.get(name))} there and {json.dumps(here.get(name))} here"
            for name in {**here, **there}
            if here.get(name) != there.get(name)
        ]
        if differences:
            raise FolderError(f"{self.path} holds results of other settings ({'; '.join(differences)}): use another folder, or delete it")

    def _read(self) -> None:
        if not self._results.exists():
            return
        try:
            data = read_bytes(self._results, str(self._results), MOST_RESULTS)
            complete = data.rfind(b"\n") + 1
            if complete < len(data):
                os.truncate(self._results, complete)
        except (OSError, FormatError) as error:
            raise FolderError(f"{self._results} cannot be read: {getattr(error, 'strerror', None) or error}") from None
        for number, line in enumerate(data[:complete].split(b"\n")[:-1], 1):
            try:
                self.lines.append(parse_line(line))
            except ValueError:
                raise FolderError(f"line {number} of {self._results} is damaged: use another folder, or delete that line") from None

    def append(self, line: dict[str, Any]) -> None:
        """Add a line with its checksum: all of it is on disk afterwards, or nothing.

        Raises:
            FolderError: If it cannot be written.
        """
        text = json.dumps(line, separators=(",", ":")).encode()
        try:
            append_line(self._results, checked(text) + b"\n")
        except OSError as error:
            raise FolderError(
                f"{self._results} cannot be written: {error.strerror or error}; what is in it is whole, and the same command continues"
            ) from None

    def close(self) -> None:
        """Release the lock, so that another process may use the folder."""
        self._lock.release()
