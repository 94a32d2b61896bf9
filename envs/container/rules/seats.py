"""Who sits where (CT-SET-3): play is clockwise, to the left."""

import numpy as np

from ...core.engine.kernel import kernel


@kernel
def left_of(s, seat, steps):
    """The seat `steps` places to the left; steps are fewer than players."""
    other = seat + steps
    return other if other < s.players else other - s.players


@kernel
def right_of(s, seat):  # CT-SET-3: "right" is the previous player in turn order
    return seat - 1 if seat > 0 else np.int64(s.players) - 1
