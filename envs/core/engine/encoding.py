"""Kernels that the observations of all games are written with."""

import numpy as np

from .kernel import kernel

CUT = 8.0  # encoding="rich" cuts the numbers of the compact parts here: the rules let some grow far beyond what is ever played


@kernel
def seats_on(seat, me, players):
    """How many seats clockwise of me."""
    return seat - me if seat >= me else seat - me + players


@kernel
def seat_at(offset, me, players):
    """The seat that many places clockwise of me."""
    return me + offset if me + offset < players else me + offset - players


@kernel
def put_levels(value, levels, out, at):
    """A thermometer: a 1 for each level that the value reaches, a 0 for the others. Returns where the next part begins."""
    for i in range(levels.size):
        out[np.uintp(at + i)] = 1 if value >= levels[i] else 0
    return at + levels.size


@kernel
def cut(out, count):
    """Cut the first columns of the vector at CUT."""
    for i in range(count):
        out[np.uintp(i)] = min(out[np.uintp(i)], np.float32(CUT))


@kernel
def share(value, total):
    """The value of a total, from -1 to 1: beyond that it is cut."""
    return np.float32(min(max(value, -total), total) / total)
