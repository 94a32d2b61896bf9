"""Worker processes that play games: given tasks, monitored, and replaced when they hang or die."""

# Why not `pebble` or `concurrent.futures`: their time limits are per task, ours is per decision inside a task of many games. And when a
# process hangs or dies, the parent must know which agent it was asking and which actions were played, so both share memory.

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import pickle
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

from tradewinds.agents import Agent, FunctionAgent, build
from tradewinds.agents.base import describe_error
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.api.decisions import comes_with_tradewinds
from tradewinds.envs.core.api.processes import ONE_THREAD, end_with_parent, sigint_blocked
from tradewinds.envs.core.spec.game import Variant

from .arena import AgentLostError, AgentRunner, Monitor, play_games
from .results import Results

POLL = 0.1  # seconds between two checks of the workers
GRACE = 0.25  # seconds over the time limit before a worker is killed: an answer that is merely late is reported by the worker itself
PAUSE = 1.0  # seconds; a longer time between two checks means that this process was paused, and its workers with it
PATIENCE = 10  # times the time limit, by the clock, before a worker is killed whose limit is one of processor time
START_LIMIT = 600  # seconds; a game may have to be compiled
MAX_LENGTH = 1 << 16  # env steps of a game that are recorded in shared memory
ASKED, AGENT, FINISHED, LENGTH = range(4)  # counters in shared memory
COUNTERS = 4
NOBODY = -1
CLOSED = 3  # exit code of a worker whose files an agent has closed


class WorkerError(RuntimeError):
    """Workers cannot be started, or die while no agent is asked."""


class Task(NamedTuple):
    """Consecutive games of a chunk."""

    chunk: int
    first: int
    seat_assignments: np.ndarray
    seeds: np.ndarray
    agent_seeds: np.ndarray
    record: bool = False  # see `play_games`
    sources: bool = False

    @property
    def games(self) -> range:
        """The numbers of its games within the match."""
        return range(self.first, self.first + len(self.seeds))

    def split(self) -> "list[Task]":
        """One task per game."""
        rows, flags = [slice(i, i + 1) for i in range(len(self.seeds))], (self.record, self.sources)
        return [
            Task(self.chunk, self.first + row.start, self.seat_assignments[row], self.seeds[row], self.agent_seeds[row], *flags)
            for row in rows
        ]

    def play(self, variant: Variant, runner: AgentRunner) -> Results:
        """Play all games with the agents of `runner`."""
        return play_games(variant, runner.agents, self.seat_assignments, self.seeds, self.agent_seeds, runner, self.record, self.sources)


def warm_up(variant: Variant, agents: Sequence[Agent]) -> None:
    """Compile and load everything before the clock starts. Agents of users are not called: they may count their calls."""
    batch = Batch(variant, 2, 0)
    for agent in agents:
        if comes_with_tradewinds(agent) and not isinstance(agent, FunctionAgent):
            agent.act(batch.decisions(seeds=np.zeros(2, np.uint64)))
        elif prepare := getattr(agent, "prepare", None):
            with contextlib.suppress(AgentLostError):  # it fails again, and is charged, when it is asked
                prepare()


class SharedMonitor(Monitor):
    """Keeps in shared memory which agent is being asked, how many games are finished, and the actions of a game played alone."""

    SIZE = COUNTERS * 8 + MAX_LENGTH * 2

    def __init__(self, memory: Any, guarded: Sequence[int] = ()) -> None:
        """Count in this memory.

        Args:
            memory: SIZE bytes.
            guarded: Files that this process cannot do without. If an agent closes one, the process ends while that agent is still asked.
        """
        self._files = [(file, os.fstat(file).st_ino) for file in guarded]
        self._counters = np.frombuffer(memory, np.int64, COUNTERS)
        self._actions = np.frombuffer(memory, np.int16, MAX_LENGTH, COUNTERS * 8)

    def reset(self) -> None:
        """Start a new task. The call counter goes up, so that the parent restarts its timer."""
        self._counters[:] = (self._counters[ASKED] + 1, NOBODY, 0, 0)

    def asked(self, agent: int) -> None:
        """Record which agent is being called, in memory that the parent reads."""
        self._counters[ASKED] += 1
        self._counters[AGENT] = agent

    def answered(self) -> None:
        """Record that no agent is being called."""
        try:
            if any(os.fstat(file).st_ino != node for file, node in self._files):
                os._exit(CLOSED)
        except OSError:
            os._exit(CLOSED)
        self._counters[AGENT] = NOBODY

    def stepped(self, action: int) -> None:
        """Record an action; those beyond MAX_LENGTH are only counted."""
        at = int(self._counters[LENGTH])
        if at < MAX_LENGTH:
            self._actions[at] = action
        self._counters[LENGTH] = at + 1

    def finished(self, games: int) -> None:
        """Record how many games of the task have ended."""
        self._counters[FINISHED] = games

    @property
    def call(self) -> tuple[int, int]:
        """The number of the last call, and the agent that has not answered it or NOBODY."""
        return int(self._counters[ASKED]), int(self._counters[AGENT])

    @property
    def games(self) -> int:
        """Games of the current task that have ended."""
        return int(self._counters[FINISHED])

    @property
    def actions(self) -> np.ndarray:
        """A copy of the actions of the current game, if the task is a single game: int16 (steps,)."""
        return self._actions[: min(int(self._counters[LENGTH]), MAX_LENGTH)].copy()


def worker_main(
    connection: Connection, memory: Any, variant: Variant, agents: list[Any], time_limit: float | None, processor_time: bool
) -> None:
    """Entry point of a worker process: build the agents, send "ready", then play tasks until the connection is closed."""
    os.dup2(sys.stderr.fileno(), 1)  # stdout is for the command's JSON, whatever agents print
    end_with_parent()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parent has built the same agents and shown what they warn of
            built = [build(agent, variant) if isinstance(agent, str) else agent for agent in agents]
        warm_up(variant, built)
    except BaseException as error:
        connection.send(("failed", describe_error(error)))
        return
    monitor = SharedMonitor(memory, (connection.fileno(), 1, 2))
    runner = AgentRunner(built, time_limit, monitor, processor_time=processor_time)
    connection.send(("ready", None))
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        monitor.reset()
        connection.send(("played", task.play(variant, runner)))


@dataclass(frozen=True)
class LostTask:
    """A task whose worker hung or died."""

    task: Task
    agent: int | None  # the agent that was being asked
    kind: str  # slow: killed for the time limit; died: for any other cause
    reason: str
    actions: np.ndarray  # the actions so far, if the task was one game


class _Worker:
    """The parent's side of a worker process."""

    def __init__(self, variant: Variant, agents: Sequence[Any], time_limit: float | None, processor_time: bool) -> None:
        context = multiprocessing.get_context("spawn")
        memory = context.RawArray("b", SharedMonitor.SIZE)
        self.monitor = SharedMonitor(memory)
        self.connection, theirs = context.Pipe()
        self.task: Task | None = None
        self.ready = False
        self._call, self._waited, self._checked = self.monitor.call, 0.0, time.monotonic()
        arguments = (theirs, memory, variant, list(agents), time_limit, processor_time)
        self.process = context.Process(target=worker_main, args=arguments, daemon=True, name="tradewinds worker")
        with _child_settings():
            self.process.start()
        theirs.close()

    def send(self, task: Task) -> None:
        self.task = task
        self._waited, self._checked = 0.0, time.monotonic()
        with contextlib.suppress(BrokenPipeError):  # the next check finds a dead worker
            self.connection.send(task)

    def receive(self) -> Results | None:
        """The results of its task if they are there; a WorkerError if the worker could not start."""
        try:
            if not self.connection.poll():
                return None
            word, content = self.connection.recv()
        except (EOFError, OSError):
            if not self.ready:
                self.process.join()
                raise WorkerError(f"a worker process could not start: exit code {self.process.exitcode}") from None
            return None
        if word == "failed":
            raise WorkerError(f"a worker process could not start: {content}")
        if word == "ready":
            self.ready = True
            return None
        return content

    def waiting_for(self) -> tuple[int, float]:
        """The agent that is being asked or NOBODY, and for how many seconds at least, pauses of this process not counted."""
        now, call = time.monotonic(), self.monitor.call
        self._waited = self._waited + min(now - self._checked, PAUSE) if call == self._call else 0.0
        self._call, self._checked = call, now
        return call[1], self._waited

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


class WorkerPool:
    """Plays tasks in several processes. A worker that dies, or waits for an agent longer than the time limit, is replaced.

    Args:
        workers: The number of processes.
        variant: The game.
        agents: Codes, or agents that can be pickled.
        time_limit: Seconds per decision, or None.
        processor_time: Whether the limit is one of processor time. A worker that gives no answer is then killed after PATIENCE times the
            limit by the clock.

    Raises:
        ValueError: If an agent cannot be pickled.
        WorkerError: If the workers cannot start.
    """

    def __init__(
        self, workers: int, variant: Variant, agents: Sequence[Any], time_limit: float | None, processor_time: bool = False
    ) -> None:
        for agent in agents:
            try:
                pickle.dumps(agent)
            except Exception as error:
                raise ValueError(f"agent {agent!r} cannot be sent to worker processes ({error}); use workers=0") from None
        self._start: Callable[[], _Worker] = lambda: _Worker(variant, agents, time_limit, processor_time)
        self._time_limit = time_limit and time_limit * (PATIENCE if processor_time else 1)  # by the clock
        self._workers: list[_Worker] = []
        try:
            for _ in range(workers):
                self._workers.append(self._start())
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while waiting := [worker for worker in self._workers if not worker.ready]:
            multiprocessing.connection.wait([worker.connection for worker in waiting], POLL)
            for worker in waiting:
                worker.receive()
            if time.monotonic() > deadline:
                raise WorkerError(f"worker processes were not ready after {START_LIMIT} s")

    def run_tasks(self, queue: deque[Task]) -> Iterator[tuple[Task, Results] | LostTask | None]:
        """Play the tasks of the queue until it is empty and all are back. The caller may add tasks at any time.

        Yields:
            A task with its results, a lost task, or None after each check of the workers.
        """
        poll = POLL if self._time_limit is None else min(POLL, self._time_limit / 2)
        while queue or any(worker.task is not None for worker in self._workers):
            for worker in self._workers:
                if queue and worker.ready and worker.task is None:
                    worker.send(queue.popleft())
            multiprocessing.connection.wait([worker.connection for worker in self._workers], poll)
            for i, worker in enumerate(self._workers):
                alive = worker.process.is_alive()  # check liveness before draining the pipe
                event = self._check(worker, alive)
                if isinstance(event, LostTask) or not alive:
                    worker.kill()
                    self._workers[i] = self._start()
                if event is not None:
                    yield event
            yield None

    def _check(self, worker: _Worker, alive: bool) -> tuple[Task, Results] | LostTask | None:
        results, task = worker.receive(), worker.task
        if task is None:
            return None
        if results is not None:
            worker.task = None
            return task, results
        agent, seconds = worker.waiting_for()
        if not alive:
            code = worker.process.exitcode
            why = "it closed files of the process" if code == CLOSED else f"exit code {code}"
            kind, reason = "died", f"its process died: {why}"
        elif self._time_limit is not None and agent != NOBODY and seconds > self._time_limit + GRACE:
            kind, reason = "slow", f"gave no answer in {self._time_limit:g} s, the limit per decision"
        else:
            return None
        return LostTask(task, None if agent == NOBODY else agent, kind, reason, worker.monitor.actions)

    def games_in_progress(self) -> int:
        """Finished games of tasks that are not finished."""
        return sum(worker.monitor.games for worker in self._workers if worker.task is not None)

    def close(self) -> None:
        """Kill all workers. Tasks under way are lost."""
        for worker in self._workers:
            worker.kill()
        self._workers = []


@contextlib.contextmanager
def _child_settings() -> Iterator[None]:
    """A process started in this context uses one thread per library and has SIGINT blocked, which the parent handles."""
    settings = {**ONE_THREAD, "PYTHONSAFEPATH": "1"}  # the working folder does not come before the installed packages
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        with sigint_blocked():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
