"""Legal actions in a mask: write them, list them, draw one, pick the best. A mask is read eight actions per word."""

import numpy as np

from ..spec.fields import WORD
from .kernel import kernel, let_wrap
from .rng import below

let_wrap(__name__)  # products overflow; the higher digits are not needed

_7 = np.uint64(7)
_LAST = np.uint64(56)  # where the last byte of a word begins
_8, _BIT, _NONE = np.uint64(8), np.uint64(1), np.uint64(0)
_ONES, _HIGH = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)


@kernel
def allow(mask, action, allowed):
    """Write one action of a mask.

    Returns:
        1 if it is legal, else 0: the sum over a phase's actions is what its `legal` returns.
    """
    mask[np.uintp(action)] = allowed
    return 1 if allowed else 0


@kernel
def running_sums(bits):
    """Running sums of eight bytes that are 0 or 1, by one multiplication."""
    return bits * _ONES


@kernel
def nth_legal(words, n):
    """The n-th legal action, from 0, of a mask as words of eight actions."""
    left = np.uint64(n)
    for word in range(words.size):
        sums = running_sums(words[np.uintp(word)])
        here = sums >> _LAST
        if left < here:
            # The bytes whose running sum is at most `left` come before the one we want. All eight are compared without a branch: each gets
            # its high bit set, which survives the subtraction if its sum is at most `left`.
            before = (((left * _ONES) | _HIGH) - sums) & _HIGH
            return word * WORD + np.int64(running_sums(before >> _7) >> _LAST)
        left -= here
    return -1


@kernel
def random_legal(words, count, stream):
    """One of a mask's `count` legal actions, uniformly at random."""
    return nth_legal(words, below(stream, count))


@kernel
def sample_legal(mask_words, counts, streams, actions, first, last):
    """Write one uniformly random legal action for each row from `first` to `last`; -1 where no action is legal."""
    for i in range(first, last):
        actions[i] = random_legal(mask_words[i], counts[i], streams[i])


@kernel
def best_legal(words, values, stream):
    """The legal action with the highest value; ties are broken at random. `words` is the mask's memory, eight actions per word."""
    best, level = -1, 0
    for word in range(words.size):
        bits = words[word]
        action = word * WORD
        while bits != _NONE:
            if bits & _BIT:
                if best < 0 or values[action] > values[best]:
                    best, level = action, 1
                elif values[action] == values[best]:
                    level += 1
                    if below(stream, level) == 0:
                        best = action
            bits >>= _8
            action += 1
    return best


@kernel
def list_legal(words, out):
    """Write the legal actions of a mask to the start of `out`; returns their number. `words` is the mask, eight actions per word."""
    count = 0
    for word in range(words.size):
        bits = words[word]
        action = word * WORD
        while bits != _NONE:
            if bits & _BIT:
                out[count] = action
                count += 1
            bits >>= _8
            action += 1
    return count
