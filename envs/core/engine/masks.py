"""Legal actions in a mask: write them, list them, draw one, pick the best. A mask is read eight actions per word."""

import numpy as np

from ..spec.fields import WORD
from .kernel import kernel, let_wrap
from .rng import below

let_wrap(__name__)  # products do, whose higher columns nobody needs

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
    """Of eight bytes that are 0 or 1, each the sum of itself and those below it: the columns of a long multiplication by ones."""
    return bits * _ONES


@kernel
def nth_legal(words, n):
    """The n-th legal action, from 0, of a mask seen as words of eight."""
    left = np.uint64(n)
    for word in range(words.size):
        sums = running_sums(words[np.uintp(word)])
        here = sums >> _LAST
        if left < here:
            # The bytes whose sum is not above `left` come before the one looked for. All eight are compared at once, without a branch:
            # the high bit that each is given is still there after the subtraction if its sum is not above.
            before = (((left * _ONES) | _HIGH) - sums) & _HIGH
            return word * WORD + np.int64(running_sums(before >> _7) >> _LAST)
        left -= here
    return -1


@kernel
def random_legal(words, count, stream):
    """One of a mask's `count` legal actions, all as likely."""
    return nth_legal(words, below(stream, count))


@kernel
def sample_legal(mask_words, counts, streams, actions, first, last):
    for i in range(first, last):
        actions[i] = random_legal(mask_words[i], counts[i], streams[i])


@kernel
def best_legal(words, values, stream):
    """The legal action of the highest value; ties are broken at random. `words` is the mask's memory, eight actions per word."""
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
    """The legal actions of a mask to the beginning of `out`; how many. `words` is the mask's memory, eight actions per word."""
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
