"""Threads that share a loop: every part once, errors where they belong, and no thread left behind."""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.api import batch as batches
from tradewinds.envs.core.engine import threads as core_threads
from tradewinds.envs.core.engine.kernel import JIT, kernel, shared_add, shared_read
from tradewinds.envs.core.engine.threads import Cell, Do, Helpers, Order, await_helpers, give, join, leave, new_order, report, take_part

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


def attend(order: Order, loop: Callable[[int, int], Any], lane: int, looks: int) -> int:
    """As the compiled one in loops.py, around a loop in Python."""
    cells, done, orders = order.cells, 0, 0
    ends = time.monotonic() + 0.02
    while lane == 0 or time.monotonic() < ends:
        time.sleep(0)
        if lane == 0 or join(cells, lane, done):
            done, orders = int(cells[Cell.OPEN]), orders + 1
            while (first := take_part(cells)) < cells[Cell.COUNT]:
                loop(first, lane)
            if lane == 0:
                await_helpers(cells, looks)
                break
            leave(cells, lane)
    return orders


class Crew:
    """Helpers, their order and what they are to do."""

    def __init__(self, count: int, loop: Callable[[int, int], Any]) -> None:
        self.order = new_order(GAMES, count)
        self.loop = loop
        self.helpers = Helpers(attend, (self.order, loop), self.order)

    def run(self) -> None:
        with self.helpers:
            give(self.order.cells, int(Do.STEP), GAMES, EACH, 0, 0)
            self.helpers.wake()
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
        begun.set() if lane else begun.wait(0.1)

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
    order = new_order(GAMES, 1)  # for a helper that never comes
    give(order.cells, int(Do.STEP), GAMES, EACH, 0, 0)
    attend(order, lambda first, lane: done.append(lane), 0, 1)
    assert done == [0] * (GAMES // EACH)


def test_a_helper_that_comes_late_finds_the_order_closed() -> None:
    order = new_order(GAMES, 1)
    give(order.cells, int(Do.STEP), GAMES, EACH, 0, 0)
    assert join(order.cells, 1, 0)
    assert not await_helpers(order.cells, 10)  # it is at work
    leave(order.cells, 1)
    assert await_helpers(order.cells, 1)
    assert not join(order.cells, 1, 0)
    assert await_helpers(order.cells, 1)


@kernel
def come_and_go(cells, box):
    done = 0
    while shared_read(box, 1) == 0:
        if join(cells, 1, done):
            done = cells[Cell.OPEN]
            shared_add(box, 0, 1)
            leave(cells, 1)


@kernel
def give_and_watch(cells, box, times):
    """How often the box was touched after an order had ended."""
    count = 0
    for turn in range(times):
        give(cells, Do.STEP, 1, 1, 0, 0)
        for _ in range(turn % 200):
            shared_read(box, 0)  # now and then the helper comes just when the order ends
        while not await_helpers(cells, 1):
            pass
        before = shared_read(box, 0)
        for _ in range(200):
            if shared_read(box, 0) != before:
                count += 1
    return count


def test_nothing_is_touched_once_an_order_has_ended() -> None:
    cells, box = new_order(1, 1).cells, np.zeros(2, np.int64)
    helper = threading.Thread(target=come_and_go, args=(cells, box))
    helper.start()
    touched, ends = 0, time.monotonic() + 3
    while box[0] < 10_000 and time.monotonic() < ends:
        touched += give_and_watch(cells, box, 1000)
    shared_add(box, 1, 1)
    helper.join()
    assert touched == 0
    assert box[0] > 0


def test_the_compiled_loop_of_a_helper_does_the_whole_order_if_it_is_alone() -> None:
    batch, twin = (tw.make_batch("santiago_de_cuba", 300, seed=1, threads=2) for _ in range(2))  # too few for a helper of their own
    order = new_order(300, 1)
    order.actions[:] = batch.masks.argmax(1)
    give(order.cells, int(Do.STEP), 300, 64, 1, 0)
    assert batch._loops.attend(batch._b, order, 1, 1) == 1
    twin.step(twin.masks.argmax(1))
    assert batch.states.tobytes() == twin.states.tobytes()
    assert batch.observations.tobytes() == twin.observations.tobytes()


def test_nothing_is_played_before_every_thread_has_checked_its_part() -> None:
    batch = tw.make_batch("santiago_de_cuba", 300, seed=1, threads=2)
    before = batch.states.tobytes()
    order = new_order(300, 1)
    order.actions[:] = batch.masks.argmax(1)
    give(order.cells, int(Do.CHECK), 300, 64, 1, 0)
    assert join(order.cells, 1, 0)  # a helper that takes its time
    caller = threading.Thread(target=batch._loops.attend, args=(batch._b, order, 0, 1))
    caller.start()
    time.sleep(0.05)
    report(order.cells, 5)
    leave(order.cells, 1)
    caller.join()
    assert order.cells[Cell.FOUND] == 5
    assert batch.states.tobytes() == before


def test_an_interrupt_waits_for_the_helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    ended: list[int] = []
    interrupts = [KeyboardInterrupt()]

    def loop(first: int, lane: int) -> None:
        if lane == 0:
            begun.wait(10)
        elif not ended:
            begun.set()
            time.sleep(0.05)
            ended.append(first)

    def interrupted(cells: np.ndarray, looks: int) -> bool:
        if interrupts:
            raise interrupts.pop()
        return await_helpers(cells, looks)

    crew = Crew(1, loop)
    monkeypatch.setattr(core_threads, "await_helpers", interrupted)
    with pytest.raises(KeyboardInterrupt):
        crew.run()
    assert ended
    crew.helpers.close()


def test_a_batch_that_lost_its_threads_in_a_fork_starts_new_ones() -> None:
    batch, twin = (tw.make_batch("santiago_de_cuba", 512, seed=1, threads=count) for count in (2, 1))
    assert len(ours()) == 1
    assert batch._helpers is not None
    batch._helpers._process = -1
    batch._order.cells[Cell.BUSY] = 1  # as it may have been at that moment
    for one in (batch, twin):
        one.step(one.masks.argmax(1))
    assert batch.states.tobytes() == twin.states.tobytes()
    gc.collect()
    assert len(ours()) == 1
    batch.close()


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
