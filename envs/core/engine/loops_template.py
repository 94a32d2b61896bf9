"""The loops around a game's rules, written once and compiled for each game.

This file is a template: `load_template` in game.py runs it once per game, as a module of its own, with that game's six kernels set before.
(A kernel passed as an argument would never be found in numba's disk cache; a module's own global is.)
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tradewinds.envs.core.engine.kernel import atomic_write, inlined, kernel
from tradewinds.envs.core.engine.masks import nth_legal, random_legal, sample_legal
from tradewinds.envs.core.engine.rng import STATE
from tradewinds.envs.core.engine.threads import Cell, Task, join_job, next_job, open_job, take_part
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.core.spec.rewards import pay_rewards

# Set before this file runs.
setup: Callable[..., Any]
legal: Callable[..., Any]
apply: Callable[..., Any]
observe: Callable[..., Any]
redeal: Callable[..., Any]
score: Callable[..., Any]

MOST_REDEALS = 10_000  # then the last world is kept: an unlikely one is better than none
MOST_FORCED = 100_000  # in a row, far more than the rules of any game give; then the game is truncated, never endless


@kernel
def settle(s, mask, words, stream):
    """Play forced actions. Fills the mask of the next decision with a choice, and returns its number of legal actions.

    `words` is the mask's own memory, eight actions per word.
    """
    forced = 0
    while s.status == Status.RUNNING:
        count = legal(s, mask)
        if count > 1:
            return count
        if count == 0 or forced == MOST_FORCED:  # neither happens in a game played from its start, but a state from outside may lead there
            s.status = Status.TRUNCATED
        else:
            apply(s, nth_legal(words, 0), stream)
            forced += 1
    mask[:] = False
    return 0


@inlined
def begin(s, mask, words, stream):
    """Start a game, up to its first decision with a choice, in a record that holds the options."""
    setup(s, stream)
    return settle(s, mask, words, stream)


@kernel
def play(s, action, mask, words, stream):
    """Play a legal action and the forced actions after it. Returns the number of legal actions of the next decision."""
    apply(s, action, stream)
    return settle(s, mask, words, stream)


@kernel
def redeal_state(s, viewer, mask, stream):
    """Draw again what the viewer cannot know. The seat to move keeps at least two legal actions: that it has a choice is public."""
    redeal(s, viewer, stream)
    if s.status == Status.RUNNING and s.seat != viewer:
        for _ in range(MOST_REDEALS):
            if legal(s, mask) >= 2:
                return
            redeal(s, viewer, stream)


@inlined
def look(b, i, viewer, lane, out):
    """Write the observation of any seat, from a copy of the record with the visibility mask applied."""
    view, words, visibility_mask = b.view_words[lane], b.words[i], b.visibility_mask[viewer]
    for word in range(words.size):
        view[word] = words[word] | visibility_mask[word]
    observe(b.views[lane, 0], viewer, out)


@kernel
def look_all(b, rows, viewers, out):
    for k in range(rows.size):
        look(b, rows[k], viewers[k], 0, out[k])


@inlined
def start(b, i):
    words = b.words[i]
    for word in range(words.size):
        words[word] = b.blank[word]
    b.seeds[i] = b.streams[i, STATE]
    b.counts[i] = begin(b.states[i], b.masks[i], b.mask_words[i], b.streams[i])


@inlined
def start_with_a_decision(b, i):
    """Start a game. If chance alone ends it before the first decision, start another one."""
    start(b, i)
    while b.states[i].status != Status.RUNNING:
        start(b, i)


@inlined
def show(b, i, lane):
    seat = np.int64(b.states[i].seat)  # the type that callers from outside use; another one would be compiled separately
    b.seats[i] = seat
    look(b, i, seat, lane, b.observations[i])


@inlined
def reset(b, rows, first, last, lane):
    """Start new games in `rows[first:last]`."""
    for k in range(first, last):
        i = np.uintp(rows[k])  # unsigned, so that compiled code needs no wrap-around check
        start_with_a_decision(b, i)
        b.rewards[i, :] = 0
        b.finished[i] = False
        b.truncated[i] = False
        show(b, i, lane)


@inlined
def refresh(b, first, last, lane):
    """Recompute masks and observations, for states that were changed from outside."""
    for i in range(first, last):
        b.counts[i] = settle(b.states[i], b.masks[i], b.mask_words[i], b.streams[i])
        show(b, i, lane)


@inlined
def count_legal(b, first, last):
    """Masks and counts alone: nothing is played, so states from outside can be examined."""
    for i in range(first, last):
        if b.states[i].status == Status.RUNNING:
            b.counts[i] = legal(b.states[i], b.masks[i])
        else:
            b.masks[i, :] = False
            b.counts[i] = 0


@kernel
def first_illegal(b, actions, rows, first, last):
    """The first index k in `first` to `last` whose action is not legal in game `rows[k]`, or `last`."""
    for k in range(first, last):
        action = actions[k]
        if action < 0 or action >= b.masks.shape[1] or not b.masks[np.uintp(rows[k]), np.uintp(action)]:
            return k
    return last


@inlined
def advance(b, i, action, reward, autoreset, lane):
    """Play one action in one game, write its results if it ends, and reset it with `autoreset`."""
    s = b.states[i]
    b.counts[i] = play(s, action, b.masks[i], b.mask_words[i], b.streams[i])
    over = s.status != Status.RUNNING
    b.finished[i] = over
    b.truncated[i] = s.status == Status.TRUNCATED
    for seat in range(b.rewards.shape[1]):
        b.rewards[i, seat] = 0
    if over:
        score(s, b.results[i])
        pay_rewards(b.results[i], reward, b.rewards[i])
        if autoreset:
            start_with_a_decision(b, i)
    show(b, i, lane)


@inlined
def step(b, actions, rows, reward, autoreset, first, last, lane):
    """Play one action in each game of `rows[first:last]`. Actions must be legal: check with first_illegal."""
    for k in range(first, last):
        advance(b, np.uintp(rows[k]), actions[k], reward, autoreset, lane)


@inlined
def play_random(b, streams, steps, reward, first, last, lane):
    """Play `steps` random actions in each game, drawn as `sample_legal` does. One game at a time, so that it stays in the CPU cache."""
    for row in range(first, last):
        i = np.uintp(row)
        for _ in range(steps):
            advance(b, i, random_legal(b.mask_words[i], b.counts[i], streams[i]), reward, 1, lane)


@kernel
def run(b, actions, rows, streams, task, how, reward, count, lane):
    """Run one of the loops over the games that the first `count` of `rows` name, together with the helpers that are awake.

    The tasks REFRESH, SAMPLE, PLAY_RANDOM and COUNT take the first `count` games instead. `how` is `autoreset`, or the steps of
    PLAY_RANDOM. Actions of STEP must be legal. A helper calls this with its own lane, and works on the jobs of lane 0 until none has come
    for some time. This is the only compiled entry point to the rules: another one would compile all of them again.
    """
    control = b.control
    job = open_job(control, task, how, reward, count) if lane == 0 else join_job(control, lane, 0)
    while job != 0:
        task, how, reward = control[Cell.TASK], control[Cell.HOW], control[Cell.REWARD]
        first, last = take_part(control, lane)
        while first < last:
            if task == Task.STEP:
                step(b, actions, rows, reward, how, first, last, lane)
            elif task == Task.CHECKED_STEP:
                if first_illegal(b, actions, rows, first, last) < last:
                    atomic_write(control, Cell.FOUND, 1)
            elif task == Task.SAMPLE:
                sample_legal(b.mask_words, b.counts, streams, actions, first, last)
            elif task == Task.PLAY_RANDOM:
                play_random(b, streams, how, reward, first, last, lane)
            elif task == Task.RESET:
                reset(b, rows, first, last, lane)
            elif task == Task.COUNT:
                count_legal(b, first, last)
            else:
                refresh(b, first, last, lane)
            first, last = take_part(control, lane)
        job = next_job(control, lane, job)


@kernel
def redeal_all(b, viewers, streams):
    for i in range(b.states.size):
        redeal_state(b.states[i], np.int64(viewers[i]), b.masks[i], streams[i])
