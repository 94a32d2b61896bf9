"""Random streams: the published generator, fair numbers, and the tape."""

import numpy as np
import pytest

from tradewinds.envs.core.engine.rng import TAPE_LENGTH, below, drawn, mix, new_tape, script, shuffle, spread_seeds


@pytest.mark.filterwarnings("ignore:overflow encountered in scalar")
def test_the_generator_is_splitmix64() -> None:
    """The first five numbers for the seed 1234567, as published with the reference implementation."""
    golden, state = np.uint64(0x9E3779B97F4A7C15), np.uint64(1234567)
    numbers = []
    for _ in range(5):
        state = state + golden
        numbers.append(int(mix(state)))
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


@pytest.mark.parametrize("n", [2, 3, 6, 12, 250])
def test_numbers_below_n_are_fair(n: int) -> None:
    stream = np.array([n], np.uint64)
    draws = 200 * n
    counts = np.bincount([below(stream, n) for _ in range(draws)], minlength=n)
    assert len(counts) == n
    chi_square = ((counts - draws / n) ** 2 / (draws / n)).sum()
    assert chi_square < (n - 1) + 5 * np.sqrt(2 * (n - 1))


def test_below_one_is_always_zero() -> None:
    stream = np.array([3], np.uint64)
    assert {below(stream, 1) for _ in range(20)} == {0}


def test_rejection_keeps_large_ranges_fair() -> None:
    """Of 3 * 2**30 numbers a generator that merely scales 32 bits would hit a third twice as often as the rest."""
    stream = np.array([9], np.uint64)
    values = np.array([below(stream, 3 << 30) for _ in range(6000)])
    assert values.max() < 3 << 30
    # Multiplying without rejecting favours one residue of three by 2 to 1.
    counts = np.bincount(values % 3, minlength=3)
    assert counts.max() < 2000 + 5 * np.sqrt(2000)


def test_a_shuffle_reaches_every_order_as_often() -> None:
    stream = np.array([4], np.uint64)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(2400):
        row = np.arange(4, dtype=np.int8)
        shuffle(stream, row)
        seen[tuple(row.tolist())] = seen.get(tuple(row.tolist()), 0) + 1
    assert len(seen) == 24
    assert max(seen.values()) < 100 + 5 * 10
    assert min(seen.values()) > 100 - 5 * 10


def test_seeds_of_a_batch_differ_from_each_other_and_from_other_batches() -> None:
    seeds = np.zeros((20, 500), np.uint64)
    for seed in range(20):
        spread_seeds(np.uint64(seed), seeds[seed])
    assert len(np.unique(seeds)) == seeds.size


def test_a_tape_records_what_was_drawn() -> None:
    plain, taped = np.array([7], np.uint64), new_tape(7)
    results = [below(plain, 6) for _ in range(10)]
    assert [below(taped, 6) for _ in range(10)] == results
    assert drawn(taped) == tuple(results)


def test_a_scripted_tape_gives_what_is_written_and_then_goes_on_as_it_would_have() -> None:
    plain, taped = np.array([7], np.uint64), new_tape(7)
    script(taped, [5, 0, 3])
    assert [below(taped, 6) for _ in range(3)] == [5, 0, 3]
    natural = [below(plain, 6) for _ in range(8)]
    assert [below(taped, 6) for _ in range(5)] == natural[3:]
    assert drawn(taped) == (5, 0, 3, *natural[3:])
    script(taped, [])
    assert drawn(taped) == ()


def test_a_tape_that_is_too_long_or_overrun_says_so() -> None:
    taped = new_tape(7)
    with pytest.raises(ValueError, match="do not fit the tape"):
        script(taped, [0] * (TAPE_LENGTH + 1))
    for _ in range(TAPE_LENGTH + 1):
        below(taped, 6)
    with pytest.raises(RuntimeError, match="the tape holds"):
        drawn(taped)
