"""Threads that share a compiled loop: each job's games are handed out in parts by compiled code.

Threads coordinate by an array of int64, the control block. The caller opens a job, works on it, closes it, and waits for helpers that are
still busy with a part. All this is one compiled call, so Ctrl-C comes before it or after it. A helper that is awake watches for jobs in
compiled code and needs no Python to join one. It marks itself busy, then reads again whether the job is open: either the caller waits for
it, or it finds the job closed. Nobody ever waits for a helper that sleeps.

Why nothing simpler: at one step per call and the best batch sizes two threads are 1.9 times as fast as one in all three games, and 1.5 to
1.8 times with two queues per helper, in the same runs. Where a cache line takes 0.2 microseconds from core to core it is 1.8 to 1.9, and
1.1 to 1.4 with queues. numba's prange hands over as fast, but with OpenMP it loses errors and aborts forked processes; its own thread pool
takes 70 to 400 microseconds per call, and aborts when two threads use it.
"""

import os
import threading
import time
import weakref
from collections.abc import Callable
from enum import IntEnum
from queue import SimpleQueue
from typing import Any

import numpy as np

from .kernel import atomic_add, atomic_read, atomic_write, kernel

PART = 64  # games that a thread takes at a time: two threads rarely write to one cache line
LOOKS = 200_000  # for a job before a helper sleeps, and for busy helpers before a caller yields its core: about a hundred microseconds
LINE = 8  # cells of a cache line


class Task(IntEnum):
    """The loops in `run` of loops_template.py."""

    RESET = 0
    REFRESH = 1
    STEP = 2
    SAMPLE = 3
    PLAY_RANDOM = 4
    COUNT = 5
    CHECKED_STEP = 6  # look for illegal actions; if there are none, STEP


class Cell(IntEnum):
    """Places in the control block. What one thread writes while others read has a cache line of its own."""

    OPEN = 0  # the number of the job, 0 while none is open
    TASK = 8
    HOW = 9
    REWARD = 10
    COUNT = 11  # games
    SHARE = 12  # how many of them are each lane's own
    PART = 13  # how many a thread takes at a time
    JOBS = 14  # how many jobs there have been
    FOUND = 16  # whether there is an illegal action
    NEXT = 24  # from here on a line for each lane: the first game of its share that nobody has taken
    BUSY = 25  # ... 1 while this helper may be at work


def new_control(lanes: int) -> np.ndarray:
    """A control block without a job."""
    control = np.zeros(Cell.NEXT + LINE * lanes, np.int64)
    control[Cell.PART] = PART
    return control


@kernel
def open_job(control, task, how, reward, count):
    """Open a job for all threads. Returns its number."""
    while not is_idle(control, 1):  # after an error a second Ctrl-C may have cut the wait short
        pass
    lanes, part = lanes_of(control), control[Cell.PART]
    share = (count + part * lanes - 1) // (part * lanes) * part
    for lane in range(lanes):
        control[Cell.NEXT + LINE * lane] = lane * share
    control[Cell.TASK], control[Cell.HOW], control[Cell.REWARD], control[Cell.COUNT], control[Cell.SHARE] = task, how, reward, count, share
    control[Cell.FOUND] = 0
    control[Cell.JOBS] += 1
    atomic_write(control, Cell.OPEN, control[Cell.JOBS])
    return control[Cell.JOBS]


@kernel
def lanes_of(control):
    """How many threads can share a job, the caller included."""
    return (control.size - Cell.NEXT) // LINE


@kernel
def take_part(control, lane):
    """Take a part: its games are first to last - 1. It is empty if all games are taken.

    Each lane begins with its own share, the same one in each job: moving a game's memory to another core takes longer than a step.
    """
    lanes, part, share, count = lanes_of(control), control[Cell.PART], control[Cell.SHARE], control[Cell.COUNT]
    for _ in range(lanes):
        first = atomic_add(control, Cell.NEXT + LINE * lane, part)
        if first < min((lane + 1) * share, count):
            return first, min(first + part, count)
        lane = lane + 1 if lane + 1 < lanes else 0
    return count, count


@kernel
def join_job(control, lane, done):
    """Watch for a job other than `done`. Returns its number, or 0 if none came for LOOKS looks."""
    busy = Cell.BUSY + LINE * lane
    for _ in range(LOOKS):
        job = atomic_read(control, Cell.OPEN)
        if job != 0 and job != done:
            atomic_write(control, busy, 1)
            if atomic_read(control, Cell.OPEN) == job:
                return job
            atomic_write(control, busy, 0)
    return 0


@kernel
def next_job(control, lane, job):
    """All games of a job are taken. A helper watches for the next job; the caller, in lane 0, closes it and waits for helpers.

    Returns the number of the job that follows, or 0.
    """
    if lane > 0:
        atomic_write(control, Cell.BUSY + LINE * lane, 0)
        return join_job(control, lane, job)
    atomic_write(control, Cell.OPEN, 0)
    while not is_idle(control, LOOKS) and control[Cell.TASK] == Task.CHECKED_STEP:
        pass
    if control[Cell.TASK] != Task.CHECKED_STEP or control[Cell.FOUND] != 0:
        return 0
    return open_job(control, Task.STEP, control[Cell.HOW], control[Cell.REWARD], control[Cell.COUNT])


@kernel
def is_idle(control, looks):
    """Wait for helpers at work, for at most so many looks. Returns whether there are none any more."""
    for busy in range(Cell.BUSY, control.size, LINE):
        while looks > 0 and atomic_read(control, busy) != 0:
            looks -= 1
    return looks > 0


class _Helper(threading.Thread):
    """A thread that works on jobs once it is woken, and sleeps when none has come for some time."""

    def __init__(self, lane: int, control: np.ndarray) -> None:
        super().__init__(name=f"tradewinds-{lane}", daemon=True)
        self.lane = lane
        self.control = control
        self.calls: SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self.errors: list[BaseException] = []
        self.is_awake = False

    def wake(self, loop: Callable[..., Any], arrays: tuple[Any, ...]) -> None:
        """Let it watch for jobs, unless it does."""
        if not self.is_awake:
            self.is_awake = True
            self.calls.put((loop, (*arrays, 0, 0, 0, 0, self.lane)))

    def run(self) -> None:
        """Watch for jobs at each call, up to a None."""
        while (call := self.calls.get()) is not None:
            loop, arguments = call
            try:
                loop(*arguments)
                while self.control[Cell.OPEN] != 0:  # it looked awake to the caller, but had ceased to watch
                    loop(*arguments)
            except BaseException as error:
                self.errors.append(error)
                self.control[Cell.BUSY + LINE * self.lane] = 0
            self.is_awake = False
            del call, loop, arguments  # a thread that sleeps keeps no batch alive
        self.is_awake = False  # also if Ctrl-C came before the call was put


class ThreadTeam:
    """Runs a compiled loop, which releases the GIL, in several threads.

    `loop(*arrays, task, how, reward, count, lane)` takes the parts of a job as `run` of loops_template.py does. Lane 0 is the caller, whose
    job is in the arguments; helpers find theirs in the control block. Threads start when they are first needed and end with `close`, or
    when this object is garbage collected.

    Args:
        loop: The loop.
        arrays: What it reads and writes.
        control: Its control block, with a line for each lane.
    """

    def __init__(self, loop: Callable[..., Any], arrays: tuple[Any, ...], control: np.ndarray) -> None:
        self._loop = loop
        self._arrays = arrays
        self._control = control
        self._helpers: list[_Helper] = []
        self._process = os.getpid()
        weakref.finalize(self, _end, self._helpers)

    def run(self, task: int, how: int, reward: int, count: int, threads: int = 1) -> None:
        """Run the loop over `count` games, and wake as many threads. Returns when all have ended, also after an error or Ctrl-C.

        Raises:
            BaseException: The error of the calling thread, or else of another one.
        """
        self._forget_lost()
        try:
            for helper in self._started(threads - 1):
                helper.wake(self._loop, self._arrays)
            self._loop(*self._arrays, task, how, reward, count, 0)
            if self._helpers:
                while not is_idle(self._control, LOOKS):  # a helper has lost its core
                    time.sleep(0)
                errors = [error for helper in self._helpers for error in helper.errors]
                if errors:
                    raise errors[0]
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the threads, after what they are doing; the next `run` would start them again. Ctrl-C is raised when all have ended."""
        self._forget_lost()
        interrupt: BaseException | None = None
        self._control[Cell.OPEN] = 0  # an error leaves it open
        while self._helpers:
            try:
                for helper in self._helpers:
                    helper.calls.put(None)
                while any(
                    helper.is_awake for helper in self._helpers
                ):  # join alone may return too early after Ctrl-C in Python 3.11 and 3.12
                    time.sleep(0.001)
                for helper in self._helpers:
                    if helper.is_alive():  # not if its start was interrupted
                        helper.join()
                self._helpers.clear()
            except BaseException as raised:  # by a signal handler: nothing else raises here
                interrupt = raised
        if interrupt is not None:
            raise interrupt

    def _forget_lost(self) -> None:
        """Drop the helpers of the process that this one was forked from: it has their queues, but not the threads."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._helpers.clear()
            self._control[Cell.OPEN] = 0
            self._control[Cell.BUSY :: LINE] = 0

    def _started(self, count: int) -> list[_Helper]:
        """So many helpers, started as far as they are not."""
        while len(self._helpers) < count:
            helper = _Helper(len(self._helpers) + 1, self._control)
            self._helpers.append(helper)  # before it starts, so that it is ended even if Ctrl-C comes now
            helper.start()
        return self._helpers[:count]


def _end(helpers: list[_Helper]) -> None:
    """Let threads end, each after what it is doing."""
    for helper in helpers:
        helper.calls.put(None)
    helpers.clear()
