"""Uniform legal actions for a batch of masks."""

from .kernel import kernel
from .stream import below


@kernel
def sample_legal(masks, counts, streams, actions, first, last):
    """For each row one of its `counts[i]` legal actions, all as likely."""
    for i in range(first, last):
        left = below(streams[i], counts[i])
        mask = masks[i]
        for action in range(mask.size):
            if mask[action]:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1
