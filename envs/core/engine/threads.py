"""Threads that share a compiled loop: rows are split into parts, and other threads run all parts but the first."""

import os
import threading
import weakref
from collections.abc import Callable
from enum import IntEnum
from queue import SimpleQueue
from typing import Any, NamedTuple

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


class _Helper(NamedTuple):
    """A thread, by what it is given and what it answers. Two queues hand over faster than an executor with its futures."""

    calls: "SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]] | None]"
    errors: "SimpleQueue[BaseException | None]"  # one answer per call
    thread: threading.Thread


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
        self._is_torn = False  # an answer may be left over, since Ctrl-C came in between
        weakref.finalize(self, _end, self._helpers)

    def run(self, loop: Callable[..., Any], arguments: tuple[Any, ...], parts: list[tuple[int, int]]) -> None:
        """Call `loop(*arguments, first, last, lane)` for each part, and return when all have ended, also after an error or Ctrl-C.

        Raises:
            BaseException: The error of the calling thread, or else of another one.
        """
        if len(parts) == 1:
            loop(*arguments, *parts[0], 0)
            return
        helpers = self._ready(len(parts) - 1)
        busy: list[_Helper] = []
        errors: list[BaseException] = []
        self._is_torn = True
        try:
            for lane, (helper, part) in enumerate(zip(helpers, parts[1:], strict=False), 1):
                helper.calls.put((loop, (*arguments, *part, lane)))
                busy.append(helper)
            loop(*arguments, *parts[0], 0)
        finally:
            errors += _answers(busy)
            self._is_torn = len(busy) + 1 < len(parts)
        if errors:
            raise errors[0]

    def close(self) -> None:
        """End the threads; the next `run` would start them again."""
        threads = [helper.thread for helper in self._helpers]
        _end(self._helpers)
        if self._process == os.getpid():
            for thread in threads:
                thread.join()

    def _ready(self, count: int) -> list[_Helper]:
        """The helpers, started as far as they are not."""
        if self._process != os.getpid():  # a forked process has the queues, but not the threads
            self._process = os.getpid()
            self._helpers.clear()
        if self._is_torn:
            _end(self._helpers)
        while len(self._helpers) < count:
            calls, errors = SimpleQueue(), SimpleQueue()
            thread = threading.Thread(target=_work, args=(calls, errors), name=f"tradewinds-{len(self._helpers)}", daemon=True)
            thread.start()
            self._helpers.append(_Helper(calls, errors, thread))
        return self._helpers


def _work(calls: "SimpleQueue[Any]", errors: "SimpleQueue[BaseException | None]") -> None:
    """What a thread does all its life."""
    while (call := calls.get()) is not None:
        loop, arguments = call
        failed = None
        try:
            loop(*arguments)
        except BaseException as error:
            failed = error
        del call, loop, arguments  # a thread that waits keeps no batch alive
        errors.put(failed)


def _end(helpers: list[_Helper]) -> None:
    """Let threads end, each after what it is doing."""
    for helper in helpers:
        helper.calls.put(None)
    helpers.clear()


def _answers(busy: list[_Helper]) -> list[BaseException]:
    """Wait until no thread writes any more, and only then let Ctrl-C through. Returns the errors."""
    interrupt: KeyboardInterrupt | None = None
    errors = []
    for helper in busy:
        while True:
            try:
                error = helper.errors.get()
                break
            except KeyboardInterrupt as raised:
                interrupt = raised
        if error is not None:
            errors.append(error)
    if interrupt is not None:
        raise interrupt
    return errors
