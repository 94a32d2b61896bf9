"""Threads that share the games of one loop: compiled code hands them out part by part, and Python is asked only to wake who sleeps.

A batch writes what is to be done on a board, its order. Whoever calls opens the order, works on it, closes it, and waits for helpers that
are busy with a part of it. A helper that looks busy first and then sees the order open is one that the caller waits for; one that comes
later finds the order closed. So nobody ever waits for a helper that sleeps.
"""

import os
import time
import weakref
from collections.abc import Callable
from enum import IntEnum
from queue import SimpleQueue
from threading import Thread, current_thread
from typing import Any, NamedTuple

import numpy as np

from .kernel import kernel, shared_add, shared_lower, shared_read, shared_write

PART = 64  # games that a thread takes at a time: two threads rarely write to one cache line
LOOKS = 1_000_000  # at the board before a helper goes to sleep: some hundred microseconds, longer than a caller takes between two steps
FEW = 3  # orders: those of one step. A helper that had no more before it fell asleep does not wait that long the next time
SOON = LOOKS // 8


class Cell(IntEnum):
    """Places on the board. Those that threads watch or fight for have cache lines of their own."""

    OPEN = 0  # the number of the order, 0 while none is open
    NEXT = 8  # the first game that nobody has taken
    FOUND = 16  # the first place where something was found
    DO = 24  # which loop, and its numbers
    COUNT = 25  # how many games
    EACH = 26  # how many a thread takes at a time
    HOW = 27  # how to step, or how often
    REWARD = 28
    ORDERS = 29  # how many there have been
    BUSY = 32  # from here on a line for each helper: it may be at work on the order
    ASLEEP = 33  # ... it has to be woken


LINE = 8  # cells


class Do(IntEnum):
    """The loops that threads share: see loops.py."""

    RESET = 0
    REFRESH = 1
    CHECK = 2  # and, if nothing is found, STEP
    STEP = 3
    SAMPLE = 4
    PLAY_RANDOM = 5


class Order(NamedTuple):
    """The board, and what the loops read and write beside the games' own buffers. All belongs to the batch."""

    cells: np.ndarray  # int64: see Cell
    actions: np.ndarray  # int64 (size,)
    rows: np.ndarray  # int64 (size,)
    streams: np.ndarray  # uint64 (size, 1): what random actions are drawn from

    @property
    def helpers(self) -> int:
        return (self.cells.size - Cell.BUSY) // LINE


def new_order(size: int, helpers: int) -> Order:
    cells = np.zeros(Cell.BUSY + LINE * helpers, np.int64)
    clear(cells)
    return Order(cells, np.zeros(size, np.int64), np.arange(size), np.zeros((size, 1), np.uint64))


def clear(cells: np.ndarray) -> None:
    """No order, and nobody at work."""
    cells[Cell.OPEN] = 0
    cells[Cell.BUSY :: LINE] = 0
    cells[Cell.ASLEEP :: LINE] = 1


@kernel
def give(cells, do, count, each, how, reward):
    """Open an order."""
    while not await_helpers(cells, 1):  # a caller that was interrupted may have left them at work
        pass
    cells[Cell.DO], cells[Cell.COUNT], cells[Cell.EACH], cells[Cell.HOW], cells[Cell.REWARD] = do, count, each, how, reward
    cells[Cell.FOUND] = count
    cells[Cell.NEXT] = 0
    cells[Cell.ORDERS] += 1
    shared_write(cells, Cell.OPEN, cells[Cell.ORDERS])


@kernel
def take_part(cells):
    """The first game of a part that nobody else has; beyond the last one if there is no part left."""
    return shared_add(cells, Cell.NEXT, cells[Cell.EACH])


@kernel
def report(cells, place):
    """Something was found; the first place counts."""
    shared_lower(cells, Cell.FOUND, place)


@kernel
def await_helpers(cells, looks):
    """Close the order. Whether no helper was still at work after so many looks."""
    shared_write(cells, Cell.OPEN, 0)
    for _ in range(looks):
        is_free = True
        for place in range(Cell.BUSY, cells.size, LINE):
            if shared_read(cells, place) != 0:
                is_free = False
        if is_free:
            return True
    return False


@kernel
def join(cells, lane, done):
    """Whether to work now; if so the caller waits until `leave`. `done` is the order that this helper has seen to its end."""
    order = shared_read(cells, Cell.OPEN)
    if order == 0 or order == done:
        return False
    shared_write(cells, busy_at(lane), 1)
    if shared_read(cells, Cell.OPEN) == 0:
        leave(cells, lane)
        return False
    return True


@kernel
def leave(cells, lane):
    shared_write(cells, busy_at(lane), 0)


@kernel
def busy_at(lane):
    return Cell.BUSY + LINE * (lane - 1)


class Helpers:
    """Threads that help, while they are awake, with every order given in a `with` of this.

    They end with `close` or when nobody holds this object any more. `attend(*arguments, lane, looks)` is compiled: it works on orders
    until none has come for so many looks at the board, and returns how many came. Lane 0 is the caller, the others are the helpers.
    """

    def __init__(self, attend: Callable[..., Any], arguments: tuple[Any, ...], order: Order) -> None:
        self._cells = order.cells
        self._errors: list[BaseException] = []
        self._bells: list[SimpleQueue[bool]] = [SimpleQueue() for _ in range(order.helpers)]
        self._process = os.getpid()
        clear(order.cells)
        threads: list[Thread] = []
        self.close = weakref.finalize(self, _end, order.cells, self._bells, threads)
        for lane, bell in enumerate(self._bells, 1):
            given = (attend, arguments, order.cells, lane, bell, self._errors)
            thread = Thread(target=_help, args=given, name=f"tradewinds_{lane}", daemon=True)
            thread.start()
            threads.append(thread)

    @property
    def are_lost(self) -> bool:
        """A forked process has the object, but not its threads."""
        return self._process != os.getpid()

    def wake(self) -> None:
        """After an order was given: one who falls asleep at the same time either sees it or is seen."""
        for bell, asleep in zip(self._bells, range(Cell.ASLEEP, self._cells.size, LINE), strict=True):
            if self._cells[asleep]:
                self._cells[asleep] = 0
                bell.put(True)

    def __enter__(self) -> None:
        """An order is given."""

    def __exit__(self, *_: object) -> None:
        """The order has ended, whole or not: wait for those at work, and raise what went wrong with one."""
        interrupt, is_free = None, False
        while not is_free:
            try:
                is_free = await_helpers(self._cells, 1)
                if not is_free:
                    time.sleep(0)
            except KeyboardInterrupt as raised:  # helpers write until their parts are done
                interrupt = raised
        errors = [*self._errors] if interrupt is None else [interrupt]
        self._errors.clear()
        if errors:
            raise errors[0]


def _help(
    attend: Callable[..., Any],
    arguments: tuple[Any, ...],
    cells: np.ndarray,
    lane: int,
    bell: "SimpleQueue[bool]",
    errors: list[BaseException],
) -> None:
    asleep, looks = Cell.ASLEEP + LINE * (lane - 1), LOOKS
    while cells[Cell.OPEN] or bell.get():  # nobody rings if an order was given while this helper was about to fall asleep
        cells[asleep] = 0
        try:
            looks = LOOKS if attend(*arguments, lane, looks) > FEW else SOON
        except BaseException as error:  # raised again by whoever gave the order
            errors.append(error)
        cells[asleep] = 1
        leave(cells, lane)


def _end(cells: np.ndarray, bells: "list[SimpleQueue[bool]]", threads: list[Thread]) -> None:
    cells[Cell.OPEN] = 0
    for bell in bells:
        bell.put(False)
    for thread in threads:
        if thread is not current_thread():
            thread.join()
