"""Threads that share a compiled loop: rows are split into parts, and a pool runs all parts but the first."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from enum import IntEnum
from typing import Any

ALIGN = 64  # parts begin at a multiple of this, so that two threads rarely write to one cache line


class Task(IntEnum):
    """The loops in `run` of loops_template.py."""

    RESET = 0
    REFRESH = 1
    STEP = 2
    SAMPLE = 3
    PLAY_RANDOM = 4
    COUNT = 5


def split_rows(count: int, parts: int, align: int = ALIGN) -> list[tuple[int, int]]:
    """Split `count` rows into at most `parts` ranges of about equal length, aligned to `align`. `count` must be positive."""
    length = -(-count // parts)
    length = -(-length // align) * align
    return [(first, min(first + length, count)) for first in range(0, count, length)]


class ThreadTeam:
    """Runs a compiled loop, which releases the GIL, in several threads.

    Threads start when they are first needed and end with `close`, or when this object is garbage collected.

    Args:
        threads: The number of threads, the calling thread included.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def run(self, loop: Callable[..., Any], arguments: tuple[Any, ...], parts: list[tuple[int, int]]) -> None:
        """Call `loop(*arguments, first, last, lane)` for each part, and return when all have ended, also after an error or Ctrl-C.

        Raises:
            BaseException: The error of the calling thread, or else of another one.
        """
        if len(parts) == 1:
            loop(*arguments, *parts[0], 0)
            return
        pool = self._threads()
        others = [pool.submit(loop, *arguments, *part, lane) for lane, part in enumerate(parts[1:], 1)]
        try:
            loop(*arguments, *parts[0], 0)
        finally:
            _wait_for(others)
        for other in others:
            other.result()

    def close(self) -> None:
        """End the threads; the next `run` would start them again."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():  # a forked process has the pool, but not its threads
            self._process = os.getpid()
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="tradewinds")
        return self._pool


def _wait_for(others: "list[Future[Any]]") -> None:
    """Wait until no thread writes any more, and only then let Ctrl-C through."""
    interrupt: KeyboardInterrupt | None = None
    while not all(other.done() for other in others):
        try:
            wait(others)
        except KeyboardInterrupt as raised:
            interrupt = raised
    if interrupt is not None:
        raise interrupt
