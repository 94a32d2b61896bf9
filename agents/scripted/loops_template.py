"""The loops around a game's bot, compiled for each game: a template, like envs/core/engine/loops_template.py.

Set before it runs: the bot's `rate`, and `start`, `play` and `score` around the game's rules.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.core.engine.masks import best_legal, list_legal, nth_legal
from tradewinds.envs.core.engine.rng import below, next_number
from tradewinds.envs.core.spec.fields import Status

# Set before this file runs.
rate: Callable[..., Any]
start: Callable[..., Any]
play: Callable[..., Any]
score: Callable[..., Any]

RANDOM = -1  # in a seat assignment: uniformly random legal actions


@kernel
def choose(s, me, mask, words, weights, scratch, values, stream):
    rate(s, me, mask, weights, scratch, values)
    return best_legal(words, values, stream)


@kernel
def choose_all(views, seats, masks, words, streams, weights, scratch, values, actions):
    for i in range(seats.size):
        actions[i] = choose(views[i], np.int64(seats[i]), masks[i], words[i], weights, scratch, values, streams[i])


@kernel
def base_logits_all(views, seats, masks, words, weights, scratch, values, temperature, clip, actions, logits, first, last):
    """List the legal actions and rate them as logits: 0 for the best, at least -clip. Padding is left as it was."""
    for i in range(first, last):
        rate(views[i], np.int64(seats[i]), masks[i], weights, scratch, values)
        count = list_legal(words[i], actions[i])
        best = values[actions[i, 0]]
        for k in range(1, count):
            best = max(best, values[actions[i, k]])
        for k in range(count):
            logits[i, k] = max((values[actions[i, k]] - best) / temperature, -clip)


@kernel
def play_out(b, seat_assignments, styles, draws, dice, scratch, values, lengths, first, last):
    """Play whole games of bots and random players, from the streams in `b` to the results in `b`.

    `seat_assignments` (size, players) holds a row of `styles` for each seat, or RANDOM. `draws` (size, 1) are the streams of the players'
    own randomness: each number of it is the seed of one decision, as in a Decisions. `dice` (1,) is scratch memory.
    """
    for i in range(first, last):
        s, mask, words, stream = b.states[i], b.masks[i], b.mask_words[i], b.streams[i]
        start(b, i)
        lengths[i] = 0
        while s.status == Status.RUNNING:
            me = np.int64(s.seat)
            style = seat_assignments[i, me]
            dice[0] = next_number(draws[i])
            if style == RANDOM:
                action = nth_legal(words, below(dice, b.counts[i]))
            else:
                action = choose(s, me, mask, words, styles[style], scratch, values, dice)
            b.counts[i] = play(s, action, mask, words, stream)
            lengths[i] += 1
        b.truncated[i] = s.status == Status.TRUNCATED
        score(s, b.results[i])
