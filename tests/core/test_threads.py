"""Threads that share a loop: every game once, errors where they belong, and no thread left behind."""

import gc
import math
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from queue import SimpleQueue

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.api import batch as batches
from tradewinds.envs.core.engine import threads as core_threads
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.engine.threads import PART, ThreadTeam, join_job, new_control, next_job, open_job, take_part

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python uses one thread")


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("tradewinds")]


def wait_until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.001)


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    yield
    if ours():  # otherwise there is nothing to collect, and a whole collection takes a second
        gc.collect()
    wait_until(lambda: not ours())  # a thread whose team is gone ends by itself, soon


def team_of(lanes: int, play: Callable[[int, int, int], object]) -> ThreadTeam:
    """A team whose loop is that of loops_template.py, in Python: it calls `play(first, last, lane)` for each part."""
    control = new_control(lanes)

    def loop(task: int, how: int, reward: int, count: int, lane: int) -> None:
        job = open_job(control, task, how, reward, count) if lane == 0 else join_job(control, lane, 0)
        while job != 0:
            first, last = take_part(control, lane)
            while first < last:
                play(first, last, lane)
                first, last = take_part(control, lane)
            job = next_job(control, lane, job)

    return ThreadTeam(loop, (), control)


def games_of(parts: list[tuple[int, int, int]]) -> list[int]:
    return sorted(game for first, last, _ in parts for game in range(first, last))


@pytest.mark.parametrize("lanes", [1, 2, 3, 5])
def test_every_game_is_handed_out_once(lanes: int) -> None:
    parts: list[tuple[int, int, int]] = []
    team = team_of(lanes, lambda *part: parts.append(part))
    for count in (1, PART - 1, PART, PART + 1, 2 * PART, 10 * PART + 7, 64 * PART):
        for _ in range(20):
            parts.clear()
            team.run(0, 0, 0, count, lanes)
            assert games_of(parts) == list(range(count))
            assert all(0 < last - first <= PART for first, last, _ in parts)
    team.close()


def test_every_thread_begins_with_its_own_share_each_time() -> None:
    parts: list[tuple[int, int, int]] = []

    def play(*part: int) -> None:
        parts.append(part)
        time.sleep(0.005)

    def all_work() -> bool:
        """Whether no thread came so late that others had taken its share."""
        parts.clear()
        team.run(0, 0, 0, 12 * PART, 3)
        return {(4 * PART * lane, PART * (4 * lane + 1), lane) for lane in range(3)} <= {*parts}

    team = team_of(3, play)
    for _ in range(3):
        wait_until(all_work)
        assert games_of(parts) == list(range(12 * PART))
    team.close()


def test_nobody_waits_for_a_thread_that_sleeps() -> None:
    parts: list[tuple[int, int, int]] = []
    team = team_of(3, lambda *part: parts.append(part))
    team.run(0, 0, 0, 9 * PART, threads=1)
    assert games_of(parts) == list(range(9 * PART))
    assert {lane for *_, lane in parts} == {0}
    assert not ours()


def test_a_thread_without_work_sleeps_and_can_be_woken() -> None:
    lanes: list[int] = []

    def play(first: int, last: int, lane: int) -> None:
        lanes.append(lane)
        time.sleep(0.005)

    def both_work() -> bool:
        lanes.clear()
        team.run(0, 0, 0, 20 * PART, 2)
        return {*lanes} == {0, 1}

    team = team_of(2, play)
    for _ in range(3):
        wait_until(both_work)
        wait_until(lambda: not team._helpers[0].is_awake)
    team.close()


def test_a_thread_that_has_just_ceased_to_watch_joins_the_job_that_it_was_not_woken_for() -> None:
    control, calls = new_control(2), 0

    def loop() -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            open_job(control, 0, 0, 0, PART)  # by a caller to whom the thread still looks awake
        else:
            control[core_threads.Cell.OPEN] = 0

    helper = core_threads._Helper(1, control)
    helper.calls.put((loop, ()))
    helper.calls.put(None)
    helper.run()
    assert calls == 2
    assert not helper.is_awake


def test_an_error_in_any_thread_is_raised_after_all_have_ended() -> None:
    begun: list[int] = []
    ended: list[int] = []

    def play(first: int, last: int, lane: int) -> None:
        begun.append(lane)
        if lane == failing:
            raise ZeroDivisionError
        time.sleep(0.005)
        ended.append(lane)

    def fails() -> bool:
        begun.clear()
        ended.clear()
        try:
            team.run(0, 0, 0, 30 * PART, 3)
        except ZeroDivisionError:
            return True
        return False  # this thread came too late

    team = team_of(3, play)
    for failing in range(3):
        wait_until(fails)
        assert begun.count(failing) == 1
        assert sorted(ended) == sorted(lane for lane in begun if lane != failing)
    team.close()


@pytest.mark.parametrize("is_put", [False, True])
def test_an_interrupt_while_a_thread_is_woken_leaves_a_team_that_works(is_put: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[tuple[int, int, int]] = []
    interrupts = [KeyboardInterrupt()]

    class Interrupted(SimpleQueue):  # type: ignore[type-arg]
        def put(self, item: object) -> None:
            if not interrupts:
                return super().put(item)
            if is_put:
                super().put(item)
            raise interrupts.pop()

    monkeypatch.setattr(core_threads, "SimpleQueue", Interrupted)
    team = team_of(2, lambda *part: parts.append(part))
    with pytest.raises(KeyboardInterrupt):
        team.run(0, 0, 0, 4 * PART, 2)
    assert not parts
    assert not ours()
    team.run(0, 0, 0, 4 * PART, 2)
    assert games_of(parts) == list(range(4 * PART))
    team.close()


INTERRUPTED = """
import faulthandler, random, signal, time
import tradewinds.envs as tw
from tradewinds.envs.core.engine.threads import Task

class Stop(KeyboardInterrupt):
    pass

def stop(*_):
    if is_armed:
        raise Stop

is_armed = False
random.seed(1)
signal.signal(signal.SIGALRM, stop)
batch = tw.make_batch("santiago_de_cuba", 4096, seed=1, threads=2)
for _ in range(500):
    faulthandler.dump_traceback_later(120, exit=True)  # without it the test would hang where the team does
    try:
        is_armed = True
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.001, 0.003))
        while True:
            batch._team.run(int(Task.PLAY_RANDOM), 1, 0, batch.size, 2)
    except Stop:
        is_armed = False
    signal.setitimer(signal.ITIMER_REAL, 0)
    before = batch.states.tobytes()
    time.sleep(0.001)
    assert batch.states.tobytes() == before, "a thread went on after run had returned"
batch.load_state_dict(batch.state_dict())  # which checks every state
batch.step(batch.masks.argmax(1))
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
def test_an_interrupt_at_any_moment_ends_the_run_and_leaves_a_batch_that_works() -> None:
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


FORKED = """
import os
import tradewinds.envs as tw

batch, alone = (tw.make_batch("santiago_de_cuba", 4096, seed=1, threads=threads) for threads in (2, 1))
for _ in range(20):
    batch.step(batch.masks.argmax(1))
    alone.step(alone.masks.argmax(1))
child = os.fork()
for _ in range(20):
    batch.step(batch.masks.argmax(1))
    alone.step(alone.masks.argmax(1))
is_equal = batch.states.tobytes() == alone.states.tobytes() and len(batch._team._helpers) == 1
if child == 0:
    os._exit(0 if is_equal else 1)
assert is_equal
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_goes_on_with_threads_of_its_own() -> None:
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr


def test_the_threads_of_a_batch_end_with_it_or_with_close_and_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for constant in ("ROWS_PER_THREAD", "ROWS_TO_WAKE"):
        monkeypatch.setattr(batches, constant, 2)
    batch = tw.make_batch("santiago_de_cuba", 256, seed=1, threads=3)
    assert ours()
    batch.close()
    assert not ours()
    batch.step(batch.masks.argmax(1))
    assert ours()


def test_threads_keep_no_batch_alive() -> None:
    batch = tw.make_batch("santiago_de_cuba", 4096, seed=1, threads=2)
    games = weakref.ref(batch._b.words)
    assert ours()
    del batch
    gc.collect()
    wait_until(lambda: games() is None)


@pytest.mark.parametrize(("size", "threads", "helpers"), [(64, 8, 0), (511, 2, 0), (512, 2, 1), (800, 8, 2), (4096, 1, 0)])
def test_each_thread_has_games_enough_to_be_worth_it(size: int, threads: int, helpers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "QUICK_SUCCESSION", math.inf)
    batch = tw.make_batch("santiago_de_cuba", size, seed=1, threads=threads)
    assert len(ours()) <= helpers
    assert bool(ours()) == (helpers > 0)
    batch.step(batch.masks.argmax(1)[:50], np.arange(50))
    batch.close()


@pytest.mark.parametrize(("size", "helpers"), [(2047, 0), (2048, 1)])
def test_calls_that_are_far_apart_wake_nobody_for_few_games(size: int, helpers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "QUICK_SUCCESSION", 0.0)
    batch = tw.make_batch("santiago_de_cuba", size, seed=1, threads=2)
    batch.step(batch.masks.argmax(1))
    assert len(ours()) == helpers
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
        batch.step([], [])  # in which nothing is illegal
    batch.step(actions)
    assert batch.states.tobytes() != before
    batch.close()
