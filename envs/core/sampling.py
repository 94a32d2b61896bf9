"""Finding and drawing legal actions in masks, eight at a time."""

import numpy as np

from .fields import WORD
from .kernel import kernel
from .stream import below

_8, _16, _32 = np.uint64(8), np.uint64(16), np.uint64(32)
_BIT, _BYTE = np.uint64(1), np.uint64(0xFF)


@kernel
def count_bytes(bits):
    """How many of eight bytes are 1, the others being 0."""
    bits += bits >> _32
    bits += bits >> _16
    bits += bits >> _8
    return np.int64(bits & _BYTE)


@kernel
def nth_legal(words, n):
    """The n-th legal action, from 0, of a mask seen as words of eight."""
    for word in range(words.size):
        bits = words[word]
        here = count_bytes(bits)
        if n < here:
            action = word * WORD
            while True:
                if bits & _BIT:
                    if n == 0:
                        return action
                    n -= 1
                bits >>= _8
                action += 1
        n -= here
    return -1


@kernel
def sample_legal(mask_words, counts, streams, actions, first, last):
    """For each row one of its `counts[i]` legal actions, all as likely."""
    for i in range(first, last):
        actions[i] = nth_legal(mask_words[i], below(streams[i], counts[i]))
