"""Worker processes: given work, watched, and replaced when they hang or die."""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tradewinds.envs.core.spec.game import Variant

from .arena import Results
from .worker import NOBODY, NOTES_BYTES, SharedNotes, Task, work

POLL = 0.1  # seconds between two looks at the workers
GRACE = 0.25  # seconds over the time limit before a worker is killed: one that answers late says so itself
START_LIMIT = 600  # seconds; a game may have to be compiled
# Workers are as many as there are cores; threads of their libraries would only get in each other's way.
ONE_THREAD: dict[str, str] = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


class WorkerError(RuntimeError):
    """Workers cannot be started, or die without an agent being asked."""


@dataclass(frozen=True)
class Loss:
    """A worker that was lost with its task."""

    task: Task
    agent: int  # the agent that was being asked, or NOBODY
    kind: str  # slow: killed for the time limit; died: by itself or by somebody else
    reason: str
    actions: Any  # what had been played, if the task was one game


class _Worker:
    def __init__(self, variant: Variant, agents: Sequence[Any], time_limit: float | None) -> None:
        context = multiprocessing.get_context("spawn")
        memory = context.RawArray("b", NOTES_BYTES)
        self.notes = SharedNotes(memory)
        self.connection, theirs = context.Pipe()
        self.lifeline, their_lifeline = context.Pipe()
        self.task: Task | None = None
        self.ready = False
        self.alive = True
        self.since = time.monotonic()
        self.question = self.notes.question
        arguments = (theirs, their_lifeline, memory, variant, list(agents), time_limit)
        self.process = context.Process(target=work, args=arguments, daemon=True, name="tradewinds worker")
        with _for_children():
            self.process.start()
        theirs.close()
        their_lifeline.close()

    def give(self, task: Task) -> None:
        self.task = task
        self.since = time.monotonic()
        with contextlib.suppress(BrokenPipeError):  # a worker that is dead is found by the next look
            self.connection.send(task)

    def waits_for(self) -> tuple[int, float]:
        """The agent that is being asked, and for how long it has been seen to be."""
        now, question = time.monotonic(), self.notes.question
        if question != self.question:
            self.question, self.since = question, now
        return question[1], now - self.since

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()
        self.lifeline.close()


class Pool:
    """`run` plays tasks in several processes. Who waits for an answer longer than the time limit is killed and replaced."""

    def __init__(self, workers: int, variant: Variant, agents: Sequence[Any], time_limit: float | None) -> None:
        for agent in agents:
            try:
                pickle.dumps(agent)
            except Exception as error:
                raise ValueError(f"agent {agent!r} cannot be sent to worker processes ({error}); workers=0 plays in this one") from None
        self._make: Callable[[], _Worker] = lambda: _Worker(variant, agents, time_limit)
        self._time_limit = time_limit
        self._workers: list[_Worker] = []
        try:
            for _ in range(workers):
                self._workers.append(self._make())
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while waiting := [worker for worker in self._workers if not worker.ready]:
            multiprocessing.connection.wait([worker.connection for worker in waiting], POLL)
            for worker in waiting:
                self._hear(worker)
            if time.monotonic() > deadline:
                raise WorkerError(f"worker processes were not ready after {START_LIMIT} s")

    def _hear(self, worker: _Worker) -> tuple[Task, Results] | None:
        """What a worker has to say; a WorkerError if it could not even start."""
        try:
            if not worker.connection.poll():
                return None
            word, said = worker.connection.recv()
        except (EOFError, OSError):
            if not worker.ready:
                worker.process.join()
                raise WorkerError(f"a worker process could not start: exit code {worker.process.exitcode}") from None
            return None
        if word == "failed":
            raise WorkerError(f"a worker process could not start: {said}")
        if word == "ready":
            worker.ready = True
            return None
        task, worker.task = worker.task, None
        assert task is not None and task.number == word
        return task, said

    def run(self, next_task: Callable[[], Task | None]) -> Iterator[tuple[Task, Results] | Loss | None]:
        """Play tasks until `next_task` has none and all are back: yields tasks with their results, losses, and None now and then.

        A loss may lead to new tasks: `next_task` is asked again after it.
        """
        poll = POLL if self._time_limit is None else min(POLL, self._time_limit / 2)
        while True:
            out_of_tasks = False
            for worker in self._workers:
                if worker.ready and worker.task is None and not out_of_tasks:
                    task = next_task()
                    out_of_tasks = task is None
                    if task is not None:
                        worker.give(task)
            if out_of_tasks and all(worker.task is None for worker in self._workers):
                return
            multiprocessing.connection.wait([worker.connection for worker in self._workers], poll)
            for i, worker in enumerate(self._workers):
                found = self._look(worker)
                if isinstance(found, Loss) or not worker.alive:
                    worker.kill()
                    self._workers[i] = self._make()
                if found is not None:
                    yield found
            yield None

    def _look(self, worker: _Worker) -> tuple[Task, Results] | Loss | None:
        worker.alive = worker.process.is_alive()  # asked first, so that the last words of a dead one are heard
        heard = self._hear(worker)
        if heard is not None or worker.task is None:
            return heard
        agent, seconds = worker.waits_for()
        if not worker.alive:
            how = f"its process died, exit code {worker.process.exitcode}"
            return Loss(worker.task, agent, "died", how, worker.notes.actions)
        if self._time_limit is not None and agent != NOBODY and seconds > self._time_limit + GRACE:
            how = f"gave no answer in {self._time_limit:g} s, the limit for a decision"
            return Loss(worker.task, agent, "slow", how, worker.notes.actions)
        return None

    def games_under_way(self) -> int:
        """Games that are finished in chunks that are not."""
        return sum(worker.notes.games for worker in self._workers if worker.task is not None)

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
        self._workers = []


@contextlib.contextmanager
def _for_children() -> Iterator[None]:
    """What a process started here inherits: one thread a library, and deaf ears for Ctrl-C, which is the parent's to handle."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        if main:
            signal.signal(signal.SIGINT, handler or signal.default_int_handler)
