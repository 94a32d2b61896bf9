"""Threads that share the parts of one loop: kernels let go of the interpreter's lock."""

import weakref
from collections import deque
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from threading import Thread, current_thread
from typing import Any, NamedTuple

Part = tuple[int, int]  # the first game and the one after the last


class Job(NamedTuple):
    loop: Callable[..., Any]
    arguments: tuple[Any, ...]
    parts: deque[Part]
    ended: "SimpleQueue[BaseException | None]"  # one answer from each thread that took the job

    def work(self, lane: int) -> None:
        """Part after part, as long as there are any that nobody has taken."""
        while True:
            try:
                first, last = self.parts.popleft()
            except IndexError:
                return
            self.loop(*self.arguments, first, last, lane)


class Helpers:
    """Threads that help whoever calls `run`. They wait without work, and end with `close` or when nobody holds this object any more.

    The caller works too and waits only for parts that a helper has begun, so a helper that wakes late delays nothing.
    """

    def __init__(self, count: int) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        threads = [Thread(target=_help, args=(self._jobs, lane), name=f"tradewinds_{lane}", daemon=True) for lane in range(1, count + 1)]
        for thread in threads:
            thread.start()
        self._threads = threads
        self.close = weakref.finalize(self, _end, self._jobs, threads)

    def run(self, loop: Callable[..., Any], arguments: tuple[Any, ...], parts: Iterable[Part]) -> None:
        """Call `loop(*arguments, first, last, lane)` for every part. Lane 0 is the caller, the others are the helpers."""
        job = Job(loop, arguments, deque(parts), SimpleQueue())
        asked = min(len(self._threads), len(job.parts) - 1)
        for _ in range(asked):
            self._jobs.put(job)
        try:
            job.work(0)
        finally:
            errors = [job.ended.get() for _ in range(asked - self._taken_back())]
        for error in errors:
            if error is not None:
                raise error

    def _taken_back(self) -> int:
        """How many helpers are no longer needed before they have taken the job."""
        count = 0
        try:
            while True:
                self._jobs.get_nowait()
                count += 1
        except Empty:
            return count


def _help(jobs: "SimpleQueue[Job | None]", lane: int) -> None:
    while (job := jobs.get()) is not None:
        error = None
        try:
            job.work(lane)
        except BaseException as raised:  # raised again where the job came from
            error = raised
        job.ended.put(error)
        del job, error  # whoever waits for work keeps no batch alive


def _end(jobs: "SimpleQueue[Job | None]", threads: list[Thread]) -> None:
    for _ in threads:
        jobs.put(None)
    for thread in threads:
        if thread is not current_thread():
            thread.join()
