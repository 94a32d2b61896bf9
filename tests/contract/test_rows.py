"""Steps of some games of a batch, games left finished, and what any seat sees."""

from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, any_game, new_batch, snapshot
from tradewinds.envs.core.api import batch as batches
from tradewinds.envs.core.engine import threads as core_threads


class Dice:
    """Random legal actions, and the same again for a batch in the same state."""

    def __init__(self, size: int) -> None:
        self.streams = np.arange(size, dtype=np.uint64).reshape(-1, 1)
        self.actions = np.zeros(size, np.int64)

    def roll(self, batch: tw.Batch) -> np.ndarray:
        return batch.sample(self.streams, self.actions)


@any_game()
@pytest.mark.parametrize("threads", [1, 3])
def test_games_stepped_by_rows_are_those_stepped_together(name: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant in ("ROWS_PER_THREAD", "ROWS_TO_WAKE"):  # so small a batch would not be worth a second thread
        monkeypatch.setattr(batches, constant, 4)
    monkeypatch.setattr(core_threads, "PART", 4)
    together, apart = new_batch(name, {}, 40), new_batch(name, {}, 40, threads=threads)
    dice, order = Dice(40), np.random.default_rng(1)
    for _ in range(amount(500, 3)):
        actions = dice.roll(together)
        together.step(actions)
        rows = order.permutation(40)
        first, second = rows[:25], rows[25:].tolist()
        before = apart.states[second].tobytes(), apart.observations[second].tobytes()
        rewards, finished = apart.step(actions[first], first)
        assert (apart.states[second].tobytes(), apart.observations[second].tobytes()) == before
        assert (rewards == together.rewards[first]).all()
        assert (finished == together.finished[first]).all()
        apart.step(actions[second].tolist(), second)
        apart.step([], [])
        assert snapshot(apart) == snapshot(together)
    apart.close()


def play_to_an_end(batch: tw.Batch, twin: tw.Batch) -> np.ndarray:
    """Both play on until games of `twin` have ended, which are left finished. Their rows."""
    dice = Dice(batch.size)
    while not twin.finished.any():
        actions = dice.roll(batch)
        batch.step(actions)
        twin.step(actions, autoreset=False)
    return np.flatnonzero(twin.finished)


@any_game()
def test_a_game_left_finished_is_started_as_it_would_have_been_by_itself(name: str) -> None:
    batch, left = (new_batch(name, {}, amount(64, 1)) for _ in range(2))
    over = play_to_an_end(batch, left)
    assert (left.finished == batch.finished).all()
    assert (left.rewards == batch.rewards).all()
    assert not left.masks[over].any()
    assert not left.counts[over].any()
    assert (left.states[over] != batch.states[over]).all()
    going_on = np.flatnonzero(~left.finished)
    assert left.observations[going_on].tobytes() == batch.observations[going_on].tobytes()
    left.reset_rows(over)
    assert not left.finished.any()
    assert not left.rewards.any()
    for array in ("states", "observations", "masks", "counts", "seats", "seeds"):
        assert getattr(left, array).tobytes() == getattr(batch, array).tobytes()


@any_game()
def test_a_game_left_finished_asks_nothing(name: str) -> None:
    batch, left = (new_batch(name, {}, amount(64, 1)) for _ in range(2))
    over = play_to_an_end(batch, left)
    before, row = snapshot(left), int(over[0])
    with pytest.raises(tw.GameOverError, match=rf"game {row} is over: call reset_rows\(\[{row}\]\)"):
        left.step([0], [row])
    with pytest.raises(tw.GameOverError, match=f"game {row} is over"):
        left.decisions()
    dice = Dice(left.size)
    with pytest.raises(tw.GameOverError, match=f"game {row} is over"):
        left.play_random(1, dice.streams)
    actions = dice.roll(left)
    assert (actions[over] == -1).all()
    assert snapshot(left) == before
    going_on = np.flatnonzero(~left.finished)
    assert len(left.decisions(going_on)) == going_on.size
    left.step(actions[going_on], going_on, autoreset=False)


BAD_STEPS: list[tuple[Any, Any, type[Exception], str]] = [
    ([0], [4], ValueError, "rows must be from 0 to 3, got 4"),
    ([0], [-1], ValueError, "rows must be from 0 to 3, got -1"),
    ([0, 0], [1, 1], ValueError, "row 1 is given 2 times"),
    ([0], [0.0], TypeError, "rows must be integers, got float64"),
    ([0], [True], TypeError, "rows must be integers, got bool"),
    ([0], [[0]], ValueError, r"rows must be one-dimensional, got shape \(1, 1\)"),
    ([0], 0, ValueError, r"rows must be one-dimensional, got shape \(\)"),
    ([0, 0], [0], ValueError, r"actions must have shape \(1,\), one per game, got \(2,\)"),
    ([0.0], [0], TypeError, "actions must be integers, got float64"),
    ([-1], [2], tw.IllegalActionError, "game 2"),
]


@any_game()
@pytest.mark.parametrize(("actions", "rows", "error", "message"), BAD_STEPS)
def test_bad_rows_are_refused_and_change_nothing(name: str, actions: Any, rows: Any, error: type[Exception], message: str) -> None:
    batch = new_batch(name, {}, 4)
    before = snapshot(batch)
    with pytest.raises(error, match=message):
        batch.step(actions, rows)
    if "row" in message:
        with pytest.raises(error, match=message):
            batch.reset_rows(rows)
    assert snapshot(batch) == before


@any_game()
def test_a_batch_shows_what_any_seat_sees(name: str) -> None:
    batch = new_batch(name, {}, 3)
    env = tw.make(name)
    env.reset(seed=int(batch.seeds[2]))
    dice = Dice(3)
    for _ in range(amount(60, 5)):
        actions = dice.roll(batch)
        batch.step(actions)
        env.step(int(actions[2]))
        before = snapshot(batch)
        all_seats = batch.look(np.arange(3)[:, None], np.arange(batch.players))
        assert all_seats[np.arange(3), batch.seats].tobytes() == batch.observations.tobytes()
        for seat in range(batch.players):
            assert batch.look(2, seat).tobytes() == all_seats[2, seat].tobytes() == env.observe(f"player_{seat}")["observation"].tobytes()
        assert snapshot(batch) == before
    assert batch.look([], 0).shape == (0, batch.observations.shape[1])


@any_game()
def test_a_look_at_nobody_says_who_there_is(name: str) -> None:
    batch = new_batch(name, {}, 3)
    with pytest.raises(ValueError, match="rows must be from 0 to 2, got 3"):
        batch.look(3, 0)
    with pytest.raises(ValueError, match=f"seats must be from 0 to {batch.players - 1}, got {batch.players}"):
        batch.look([0, 1], batch.players)
    with pytest.raises(TypeError, match="seats must be integers"):
        batch.look(0, 0.5)
    with pytest.raises(ValueError, match=r"rows of shape \(3,\) and seats of shape \(2,\) do not broadcast"):
        batch.look([0, 1, 2], [0, 1])


@any_game()
@pytest.mark.parametrize("threads", [1, 3])
def test_many_random_steps_in_one_call_are_those_of_many_calls(name: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant in ("ROWS_PER_THREAD", "ROWS_TO_WAKE"):
        monkeypatch.setattr(batches, constant, 4)
    monkeypatch.setattr(core_threads, "PART", 4)
    single, many = new_batch(name, {}, amount(40, 12)), new_batch(name, {}, amount(40, 12), threads=threads)
    dice, streams = Dice(single.size), Dice(single.size).streams
    for steps in (amount(500, 8), 0, 1):
        for _ in range(steps):
            single.step(dice.roll(single))
        many.play_random(steps, streams)
        assert snapshot(many) == snapshot(single)
        assert (many.scores == single.scores).all()
        assert (streams == dice.streams).all()
    many.close()


@any_game()
def test_random_steps_that_cannot_be_are_refused(name: str) -> None:
    batch = new_batch(name, {}, 4)
    before, streams = snapshot(batch), Dice(4).streams
    for steps in (-1, 1.5, True, "3"):
        with pytest.raises(ValueError, match="steps must be an integer from 0 to"):
            batch.play_random(steps, streams)  # type: ignore[arg-type]
    for wrong in (streams[:3], streams[:, 0], streams.astype(np.int64), [[1]] * 4):
        with pytest.raises(ValueError, match=r"streams must be a writable uint64 array of shape \(4, 1\)"):
            batch.play_random(3, wrong)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"streams must be a writable uint64 array of shape \(4, 1\)"):
            batch.sample(wrong, np.zeros(4, np.int64))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"out must be a writable int64 array of shape \(4,\)"):
        batch.sample(streams, np.zeros(4, np.int32))
    assert snapshot(batch) == before
