"""Random streams: one row of uint64 numbers per game, beside the states and never inside them.

A row's first number is the state of a SplitMix64 generator (Steele, Lea, Flood 2014). A row of one number is all that a batch
needs. A longer row also has a tape: every result drawn is recorded on it, and results scripted on it replace the draws. Replays
use it to reproduce dice, and tests to set them.
"""

import numpy as np

from .kernel import kernel, let_wrap

let_wrap(__name__)  # SplitMix64 overflows on purpose

# Columns of a row.
STATE, DRAWN, SCRIPTED, TAPE = 0, 1, 2, 3
TAPE_LENGTH = 253  # results that one decision may draw; a whole row is 2 kB

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)


@kernel
def mix(x):
    """Scramble 64 bits, one to one."""
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


@kernel
def next_number(stream):
    """64 random bits that are not recorded on the tape, for seeds."""
    stream[STATE] += _GOLDEN
    return mix(stream[STATE])


@kernel
def _next_32_bits(stream):
    return next_number(stream) >> _32


@kernel
def _fair(stream, n):
    """An exactly uniform integer below n, by Lemire's multiply-and-reject."""
    n = np.uint64(n)
    product = _next_32_bits(stream) * n
    if product & _LOW < n:
        threshold = ((_ONE << _32) - n) % n
        while product & _LOW < threshold:
            product = _next_32_bits(stream) * n
    return product >> _32


@kernel
def below(stream, n):
    """A uniform integer from 0 to n - 1, or the scripted result if the tape has one."""
    if stream.size <= TAPE:
        return np.int64(_fair(stream, n))
    at = np.int64(stream[DRAWN])
    value = _fair(stream, n)  # drawn even when scripted, so that the stream is the same after the script
    if at < np.int64(stream[SCRIPTED]):
        value = stream[TAPE + at] % np.uint64(n)
    if TAPE + at < stream.size:
        stream[TAPE + at] = value
    stream[DRAWN] += _ONE
    return np.int64(value)


@kernel
def shuffle(stream, row):
    """Shuffle in place (Fisher and Yates)."""
    for last in range(row.size - 1, 0, -1):
        other = below(stream, last + 1)
        row[last], row[other] = row[other], row[last]


@kernel
def spread_seeds(seed, seeds):
    """Derive the seeds of the games of a batch from the batch's seed."""
    x = mix(np.uint64(seed) + _GOLDEN)
    for i in range(seeds.size):
        x += _GOLDEN
        seeds[i] = mix(x)


@kernel
def next_numbers(streams, rows, out):
    """Draw one 64-bit number from the stream of each given row."""
    for i in range(rows.size):
        out[i] = next_number(streams[rows[i]])


def new_tape(seed: int) -> np.ndarray:
    """A stream with an empty tape, seeded with `seed`."""
    stream = np.zeros(TAPE + TAPE_LENGTH, np.uint64)
    stream[STATE] = seed
    return stream


def script(stream: np.ndarray, results: "list[int] | tuple[int, ...]") -> None:
    """Set the results of the next draws. An empty list clears the tape."""
    if len(results) > TAPE_LENGTH:
        raise ValueError(f"{len(results)} chance results do not fit the tape, which holds {TAPE_LENGTH}")
    stream[DRAWN] = 0
    stream[SCRIPTED] = len(results)
    stream[TAPE : TAPE + len(results)] = results


def drawn(stream: np.ndarray) -> tuple[int, ...]:
    """The results drawn since `script` was last called."""
    count = int(stream[DRAWN])
    if count > TAPE_LENGTH:
        raise RuntimeError(f"one decision drew {count} chance results; the tape holds {TAPE_LENGTH}")
    return tuple(stream[TAPE : TAPE + count].tolist())
