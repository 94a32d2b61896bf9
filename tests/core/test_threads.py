"""Threads that share a loop: every part once, errors where they belong, and no thread left behind."""

import gc
import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

import tradewinds.envs as tw
from tradewinds.envs.core import batch as batches
from tradewinds.envs.core.batch import cut_into_parts
from tradewinds.envs.core.threads import Helpers

PARTS = list(pairwise(range(0, 101, 4)))


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("tradewinds")]


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    before = ours()
    yield
    gc.collect()
    assert ours() == before


def test_every_part_is_done_once_and_a_lane_is_one_thread() -> None:
    helpers = Helpers(3)
    done: list[tuple[int, int]] = []
    lanes: dict[int, set[str]] = {}

    def loop(first: int, last: int, lane: int) -> None:
        time.sleep(0.0001)  # so that the others get their turn
        done.append((first, last))
        lanes.setdefault(lane, set()).add(threading.current_thread().name)

    for _ in range(20):
        done.clear()
        helpers.run(loop, (), PARTS)
        assert sorted(done) == PARTS
    assert {0} < set(lanes) <= {0, 1, 2, 3}
    assert all(len(names) == 1 for names in lanes.values())
    helpers.close()


def test_an_error_in_a_helper_is_raised_by_the_caller_and_the_helper_works_on() -> None:
    helpers = Helpers(1)
    in_helper = threading.Event()

    def fail(first: int, last: int, lane: int) -> None:
        if lane == 1:
            in_helper.set()
            raise ZeroDivisionError(first)
        in_helper.wait(10)

    for _ in range(3):
        in_helper.clear()
        with pytest.raises(ZeroDivisionError):
            helpers.run(fail, (), PARTS)
    helpers.close()


def test_an_error_of_the_caller_waits_for_the_helpers() -> None:
    helpers = Helpers(1)
    in_helper, ended = threading.Event(), []

    def fail(first: int, last: int, lane: int) -> None:
        if lane == 0:
            in_helper.wait(10)
            raise ZeroDivisionError
        in_helper.set()
        time.sleep(0.01)
        ended.append((first, last))

    with pytest.raises(ZeroDivisionError):
        helpers.run(fail, (), PARTS[:3])
    assert len(ended) == 2
    helpers.close()


def test_the_caller_does_not_wait_for_a_helper_that_has_not_begun() -> None:
    helpers = Helpers(1)
    busy, free = threading.Event(), threading.Event()

    def hold(first: int, last: int, lane: int) -> None:
        if lane == 1:
            busy.set()
            free.wait(10)
        else:
            busy.wait(10)

    holder = threading.Thread(target=helpers.run, args=(hold, (), PARTS[:2]))
    holder.start()
    busy.wait(10)
    done: list[int] = []
    helpers.run(lambda first, last, lane: done.append(lane), (), PARTS)
    assert done == [0] * len(PARTS)
    free.set()
    holder.join()
    helpers.close()


def test_helpers_end_with_close_and_when_nobody_holds_them() -> None:
    helpers = Helpers(2)
    assert len(ours()) == 2
    helpers.close()
    helpers.close()
    assert not ours()
    helpers = Helpers(2)
    del helpers
    gc.collect()
    assert not ours()


def test_the_threads_of_a_batch_end_with_it_or_with_close_and_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "STEPPED", 2)
    batch = tw.make_batch("santiago_de_cuba", 256, seed=1, threads=3)
    assert len(ours()) == 2
    batch.close()
    assert not ours()
    batch.step(batch.masks.argmax(1))
    assert len(ours()) == 2
    del batch
    gc.collect()
    assert not ours()


def test_a_small_batch_starts_no_thread() -> None:
    batch = tw.make_batch("santiago_de_cuba", 64, seed=1, threads=8)
    batch.step(batch.masks.argmax(1))
    assert not ours()


@pytest.mark.parametrize("size", [1, 63, 64, 255, 256, 511, 512, 600, 1024, 4096, 10_000])
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_parts_follow_each_other_and_none_is_small(size: int, threads: int) -> None:
    parts = cut_into_parts(size, threads, 256)
    assert parts[0][0] == 0
    assert parts[-1][1] == size
    assert all(last == first for (_, last), (first, _) in pairwise(parts))
    assert all(first % batches.LINE == 0 for first, _ in parts)
    assert all(last - first > 256 - batches.LINE for first, last in parts) or parts == [(0, size)]
    assert len(parts) <= batches.PARTS * threads
