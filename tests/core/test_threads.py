"""Threads that share a loop: every part once, errors where they belong, and no thread left behind."""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.core import batch as batches
from tradewinds.envs.core.kernel import JIT
from tradewinds.envs.core.threads import Cell, Do, Helpers, Order, await_helpers, give, join, leave, new_order, take_part

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python has no helpers")

GAMES, EACH = 100, 4


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("tradewinds")]


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    before = ours()
    yield
    gc.collect()
    assert ours() == before


def attend(order: Order, loop: Callable[[int, int], Any], lane: int, looks: int) -> None:
    """As the compiled one in loops.py, around a loop in Python."""
    cells, done = order.cells, 0
    ends = time.monotonic() + 0.02
    while lane == 0 or time.monotonic() < ends:
        time.sleep(0)
        if lane == 0 or join(cells, lane, done):
            done = int(cells[Cell.OPEN])
            while (first := take_part(cells)) < cells[Cell.COUNT]:
                loop(first, lane)
            if lane == 0:
                await_helpers(cells, looks)
                return
            leave(cells, lane)


class Crew:
    """Helpers, their order and what they are to do."""

    def __init__(self, count: int, loop: Callable[[int, int], Any]) -> None:
        self.order = new_order(GAMES, count)
        self.loop = loop
        self.helpers = Helpers(attend, (self.order, loop), self.order)

    def run(self) -> None:
        self.helpers.wake()
        with self.helpers:
            give(self.order.cells, int(Do.STEP), GAMES, EACH, 0, 0)
            attend(self.order, self.loop, 0, 1)


def test_every_part_is_done_once_and_a_lane_is_one_thread() -> None:
    done: list[int] = []
    lanes: dict[int, set[str]] = {}

    def loop(first: int, lane: int) -> None:
        time.sleep(0.0001)  # so that the others get their turn
        done.append(first)
        lanes.setdefault(lane, set()).add(threading.current_thread().name)

    crew = Crew(3, loop)
    for turn in range(20):
        done.clear()
        crew.run()
        assert sorted(done) == list(range(0, GAMES, EACH))
        time.sleep(0.03 if turn % 5 == 0 else 0)  # long enough to fall asleep
    assert {0} < set(lanes) <= {0, 1, 2, 3}
    assert all(len(names) == 1 for names in lanes.values())
    crew.helpers.close()


def test_a_helper_that_fell_asleep_is_woken() -> None:
    lanes: set[int] = set()
    begun = threading.Event()

    def loop(first: int, lane: int) -> None:
        lanes.add(lane)
        begun.set() if lane else begun.wait(10)

    crew = Crew(1, loop)
    for _ in range(3):
        while not crew.order.cells[Cell.ASLEEP]:
            time.sleep(0.001)
        lanes.clear()
        begun.clear()
        crew.run()
        assert 1 in lanes
    crew.helpers.close()


def test_an_error_in_a_helper_is_raised_by_the_caller_and_the_helper_works_on() -> None:
    in_helper = threading.Event()

    def fail(first: int, lane: int) -> None:
        if lane == 1:
            in_helper.set()
            raise ZeroDivisionError(first)
        in_helper.wait(10)

    crew = Crew(1, fail)
    for _ in range(3):
        in_helper.clear()
        with pytest.raises(ZeroDivisionError):
            crew.run()
    crew.helpers.close()


def test_an_error_of_the_caller_waits_for_the_helpers() -> None:
    in_helper = threading.Event()
    ended: list[int] = []

    def fail(first: int, lane: int) -> None:
        if lane == 0:
            in_helper.wait(10)
            raise ZeroDivisionError
        in_helper.set()
        time.sleep(0.01)
        ended.append(first)

    crew = Crew(1, fail)
    with pytest.raises(ZeroDivisionError):
        crew.run()
    assert ended
    count = len(ended)
    time.sleep(0.03)
    assert len(ended) == count
    crew.helpers.close()


def test_the_caller_does_not_wait_for_a_helper_that_has_not_begun() -> None:
    done: list[int] = []
    crew = Crew(1, lambda first, lane: done.append(lane))
    crew.order.cells[Cell.ASLEEP] = 0  # so nobody rings for it
    crew.run()
    assert done == [0] * (GAMES // EACH)
    crew.helpers.close()


def test_a_helper_that_comes_late_finds_the_order_closed() -> None:
    order = new_order(GAMES, 1)
    give(order.cells, int(Do.STEP), GAMES, EACH, 0, 0)
    assert join(order.cells, 1, 0)
    assert not await_helpers(order.cells, 10)  # it is at work
    leave(order.cells, 1)
    assert await_helpers(order.cells, 1)
    assert not join(order.cells, 1, 0)
    assert await_helpers(order.cells, 1)


def test_helpers_end_with_close_and_when_nobody_holds_them() -> None:
    crew = Crew(2, lambda first, lane: None)
    assert len(ours()) == 2
    crew.helpers.close()
    crew.helpers.close()
    assert not ours()
    crew = Crew(2, lambda first, lane: None)
    crew.run()
    del crew
    gc.collect()
    assert not ours()


def test_the_threads_of_a_batch_end_with_it_or_with_close_and_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LEAST", 2)
    batch = tw.make_batch("santiago_de_cuba", 256, seed=1, threads=3)
    assert len(ours()) == 2
    batch.close()
    assert not ours()
    batch.step(batch.masks.argmax(1))
    assert len(ours()) == 2
    del batch
    gc.collect()
    assert not ours()


@pytest.mark.parametrize(("size", "threads", "helpers"), [(64, 8, 0), (511, 2, 0), (512, 2, 1), (800, 8, 2), (4096, 8, 7), (4096, 1, 0)])
def test_each_thread_has_games_enough_to_be_worth_it(size: int, threads: int, helpers: int) -> None:
    batch = tw.make_batch("santiago_de_cuba", size, seed=1, threads=threads)
    assert len(ours()) == helpers
    batch.step(batch.masks.argmax(1)[:50], np.arange(50))
    batch.close()


def test_the_first_illegal_action_is_named_and_no_game_is_touched_by_any_thread() -> None:
    batch = tw.make_batch("santiago_de_cuba", 4096, seed=1, threads=3)
    actions = batch.masks.argmax(1)
    before = batch.states.tobytes()
    for wrong in ([4095], [2000, 3000, 4000], [0, 4095]):
        bad = actions.copy()
        bad[wrong] = -1
        with pytest.raises(tw.IllegalActionError, match=f"game {wrong[0]},"):
            batch.step(bad)
        assert batch.states.tobytes() == before
    batch.step(actions)
    assert batch.states.tobytes() != before
    batch.close()
