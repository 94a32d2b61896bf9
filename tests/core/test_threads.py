"""Threads that share a loop: every row once, errors where they belong, and no thread left behind."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.api import batch as batches
from tradewinds.envs.core.engine import threads as core_threads
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.engine.threads import ThreadTeam, split_rows

PARTS = [(0, 10), (10, 20), (20, 25)]


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("tradewinds")]


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    yield
    if ours():  # otherwise there is nothing to collect, and a whole collection takes a second
        gc.collect()
    ends = time.monotonic() + 60
    while ours() and time.monotonic() < ends:  # a thread whose pool is gone ends by itself, soon
        time.sleep(0.001)
    assert not ours()


@pytest.mark.parametrize(
    ("count", "parts", "expected"),
    [
        (10, 1, [(0, 10)]),
        (10, 3, [(0, 4), (4, 8), (8, 10)]),
        (9, 2, [(0, 6), (6, 9)]),
        (3, 8, [(0, 2), (2, 3)]),
    ],
)
def test_rows_are_split_into_aligned_parts_that_cover_them(count: int, parts: int, expected: list[tuple[int, int]]) -> None:
    assert split_rows(count, parts, align=2) == expected


def test_every_part_runs_once_in_a_thread_and_a_lane_of_its_own() -> None:
    done: list[tuple[int, int, int]] = []
    names: set[str] = set()
    meeting = threading.Barrier(3)

    def loop(first: int, last: int, lane: int) -> None:
        meeting.wait(10)
        names.add(threading.current_thread().name)
        done.append((first, last, lane))

    team = ThreadTeam(3)
    for _ in range(20):
        done.clear()
        team.run(loop, (), PARTS)
        assert sorted(done) == [(*part, lane) for lane, part in enumerate(PARTS)]
    assert len(names) == 3
    team.close()


def test_an_error_in_any_thread_is_raised_after_all_have_ended() -> None:
    ended: list[int] = []

    def loop(failing: int, first: int, last: int, lane: int) -> None:
        if lane == failing:
            raise ZeroDivisionError
        time.sleep(0.02)
        ended.append(lane)

    team = ThreadTeam(3)
    for failing in range(3):
        ended.clear()
        with pytest.raises(ZeroDivisionError):
            team.run(loop, (failing,), PARTS)
        assert sorted(ended) == [lane for lane in range(3) if lane != failing]
    team.close()


def test_an_interrupt_waits_for_the_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupts, ended = [KeyboardInterrupt()], []

    class Interrupted(SimpleQueue):  # type: ignore[type-arg]
        def get(self) -> object:
            if interrupts and threading.current_thread() is threading.main_thread():
                raise interrupts.pop()
            return super().get()

    def loop(first: int, last: int, lane: int) -> None:
        time.sleep(0.05 * lane)
        ended.append(lane)

    monkeypatch.setattr(core_threads, "SimpleQueue", Interrupted)
    team = ThreadTeam(3)
    with pytest.raises(KeyboardInterrupt):
        team.run(loop, (), PARTS)
    assert sorted(ended) == [0, 1, 2]
    team.close()


def test_an_interrupt_while_parts_are_handed_out_waits_for_the_other_threads_too(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    interrupts = [KeyboardInterrupt()]

    class Interrupted(SimpleQueue):  # type: ignore[type-arg]
        def put(self, item: object) -> None:
            super().put(item)
            if interrupts and threading.current_thread() is threading.main_thread():
                raise interrupts.pop()

    def loop(first: int, last: int, lane: int) -> None:
        time.sleep(0.02 * lane)
        done.append(first)

    monkeypatch.setattr(core_threads, "SimpleQueue", Interrupted)
    team = ThreadTeam(2)
    with pytest.raises(KeyboardInterrupt):
        team.run(loop, (), PARTS[:2])
    assert done == [10]
    team.run(loop, (), PARTS[:2])
    assert sorted(done) == [0, 10, 10]
    team.close()


INTERRUPTED = """
import faulthandler, random, signal, time
from tradewinds.envs.core.engine.threads import ThreadTeam

class Stop(KeyboardInterrupt):
    pass

def stop(*_):
    if is_armed:
        raise Stop

def loop(first, last, lane):
    time.sleep(0.0003 + 0.00006 * lane)  # releases the GIL, as compiled loops do
    done[lane] += 1

is_armed, done = False, [0, 0]
random.seed(1)
signal.signal(signal.SIGALRM, stop)
team = ThreadTeam(2)
for _ in range(1000):
    faulthandler.dump_traceback_later(120, exit=True)  # without it the test would hang where the team does
    try:
        is_armed = True
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.001, 0.003))
        while True:
            team.run(loop, (), [(0, 1), (1, 2)])
    except Stop:
        is_armed = False
    signal.setitimer(signal.ITIMER_REAL, 0)
    before = list(done)
    time.sleep(0.001)
    assert done == before, "a thread went on after run had returned"
team.close()
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
def test_no_interrupt_at_any_moment_blocks_a_run() -> None:
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_a_team_that_lost_its_threads_in_a_fork_starts_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    team = ThreadTeam(2)
    team.run(lambda first, last, lane: done.append(first), (), PARTS[:2])
    real = os.getpid()
    inherited = list(team._helpers)
    monkeypatch.setattr(core_threads.os, "getpid", lambda: real + 1)
    team.run(lambda first, last, lane: done.append(first), (), PARTS[:2])
    assert sorted(done) == [0, 0, 10, 10]
    assert team._helpers[0] not in inherited
    team.close()
    core_threads._end(inherited)


@pytest.mark.skipif(not JIT, reason="plain Python uses one thread")
def test_the_threads_of_a_batch_end_with_it_or_with_close_and_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "ROWS_PER_THREAD", 2)
    batch = tw.make_batch("santiago_de_cuba", 256, seed=1, threads=3)
    assert ours()
    batch.close()
    assert not ours()
    batch.step(batch.masks.argmax(1))
    assert ours()


@pytest.mark.skipif(not JIT, reason="plain Python uses one thread")
@pytest.mark.parametrize(("size", "threads", "helpers"), [(64, 8, 0), (2047, 2, 0), (2048, 2, 1), (3200, 8, 2), (4096, 1, 0)])
def test_each_thread_has_games_enough_to_be_worth_it(size: int, threads: int, helpers: int) -> None:
    batch = tw.make_batch("santiago_de_cuba", size, seed=1, threads=threads)
    assert len(ours()) <= helpers
    assert bool(ours()) == (helpers > 0)
    batch.step(batch.masks.argmax(1)[:50], np.arange(50))
    batch.close()


@pytest.mark.skipif(not JIT, reason="plain Python uses one thread")
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
