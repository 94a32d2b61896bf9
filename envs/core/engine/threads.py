"""Threads that share a compiled loop: rows are split into parts, and other threads run all parts but the first."""

import os
import threading
import time
import weakref
from collections.abc import Callable
from enum import IntEnum
from queue import SimpleQueue
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


class _Helper(threading.Thread):
    """A thread that runs what it is given. Two queues hand over faster than an executor with its futures."""

    def __init__(self, number: int) -> None:
        super().__init__(name=f"tradewinds-{number}", daemon=True)
        self.calls: SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self.errors: SimpleQueue[BaseException | None] = SimpleQueue()  # one answer per call
        self.is_busy = False  # the record that a call has ended: Ctrl-C can lose an answer

    def run(self) -> None:
        """Run one call after another, up to a None."""
        while (call := self.calls.get()) is not None:
            loop, arguments = call
            failed = None
            try:
                loop(*arguments)
            except BaseException as error:
                failed = error
            del call, loop, arguments  # a thread that waits keeps no batch alive
            self.is_busy = False
            self.errors.put(failed)
            del failed  # nor does it by the frames of an error
        self.is_busy = False  # also of a call that was interrupted before it was given


class ThreadTeam:
    """Runs a compiled loop, which releases the GIL, in several threads.

    Threads start when they are first needed and end with `close`, or when this object is garbage collected.

    Args:
        threads: The number of threads, the calling thread included.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._helpers: list[_Helper] = []
        self._process = os.getpid()
        self._is_torn = False  # a run was cut short: helpers may still work, or answers be left over or lost
        weakref.finalize(self, _end, self._helpers)

    def run(self, loop: Callable[..., Any], arguments: tuple[Any, ...], parts: list[tuple[int, int]]) -> None:
        """Call `loop(*arguments, first, last, lane)` for each part, and return when all have ended, also after an error or Ctrl-C.

        Raises:
            BaseException: The error of the calling thread, or else of another one.
        """
        if len(parts) == 1:
            loop(*arguments, *parts[0], 0)
            return
        self._forget_lost()
        if self._is_torn:  # another Ctrl-C came before `close`
            self.close()
        self._is_torn = True
        try:
            helpers = self._started(len(parts) - 1)
            for lane, (helper, part) in enumerate(zip(helpers, parts[1:], strict=True), 1):
                helper.is_busy = True
                helper.calls.put((loop, (*arguments, *part, lane)))
            loop(*arguments, *parts[0], 0)
            errors = [error for helper in helpers if (error := helper.errors.get()) is not None]
            if errors:
                raise errors[0]
        except BaseException:
            self.close()
            raise
        self._is_torn = False

    def close(self) -> None:
        """End the threads, after what they are doing; the next `run` would start them again. Ctrl-C is raised when all have ended."""
        self._forget_lost()
        interrupt: BaseException | None = None
        while self._helpers:
            try:
                for helper in self._helpers:
                    helper.calls.put(None)
                while any(
                    helper.is_busy for helper in self._helpers
                ):  # join alone may return too early after Ctrl-C in Python 3.11 and 3.12
                    time.sleep(0.001)
                for helper in self._helpers:
                    if helper.is_alive():  # not if its start was interrupted
                        helper.join()
                self._helpers.clear()
            except BaseException as raised:  # by a signal handler: nothing else raises here
                interrupt = raised
        self._is_torn = False
        if interrupt is not None:
            raise interrupt

    def _forget_lost(self) -> None:
        """Drop the helpers of the process that this one was forked from: it has their queues, but not the threads."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._helpers.clear()
            self._is_torn = False

    def _started(self, count: int) -> list[_Helper]:
        """So many helpers that wait for calls, started as far as they are not."""
        while len(self._helpers) < count:
            helper = _Helper(len(self._helpers))
            self._helpers.append(helper)  # before it starts, so that it is ended even if Ctrl-C comes now
            helper.start()
        return self._helpers[:count]


def _end(helpers: list[_Helper]) -> None:
    """Let threads end, each after what it is doing."""
    for helper in helpers:
        helper.calls.put(None)
    helpers.clear()
