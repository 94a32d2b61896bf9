"""Finding and drawing legal actions in masks, eight at a time."""

import numpy as np

from .fields import WORD
from .kernel import kernel
from .stream import below

_ONES = np.uint64(0x0101010101010101)
_TOP_BYTE = np.uint64(56)
_BYTE = np.uint64(8)
_BIT = np.uint64(1)


@kernel
def nth_legal(words, n):
    """The n-th legal action, from 0, of a mask seen as words of eight."""
    for word in range(words.size):
        bits = words[word]
        here = np.int64((bits * _ONES) >> _TOP_BYTE)  # the sum of its eight bytes, each 0 or 1
        if n < here:
            action = word * WORD
            while True:
                if bits & _BIT:
                    if n == 0:
                        return action
                    n -= 1
                bits >>= _BYTE
                action += 1
        n -= here
    return -1


@kernel
def sample_legal(mask_words, counts, streams, actions, first, last):
    """For each row one of its `counts[i]` legal actions, all as likely."""
    for i in range(first, last):
        actions[i] = nth_legal(mask_words[i], below(streams[i], counts[i]))
