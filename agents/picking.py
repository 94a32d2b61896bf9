"""Going through legal actions, and picking the best of rated ones."""

import numpy as np

from tradewinds.envs.core.fields import WORD
from tradewinds.envs.core.kernel import kernel
from tradewinds.envs.core.stream import below

_8, _BIT, _NONE = np.uint64(8), np.uint64(1), np.uint64(0)


@kernel
def best_legal(words, values, stream):
    """The legal action of the highest value, by lot among equals. `words` is the mask's memory, eight actions a word."""
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
    """The legal actions of a mask to the beginning of `out`; how many. `words` is the mask's memory, eight actions a word."""
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
