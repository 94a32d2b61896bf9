"""The arrays that a game's loops read and write in place, one row per game."""

from typing import Any, NamedTuple

import numpy as np

from ..spec.fields import WORD, as_words
from .kernel import records
from .threads import new_control


class Buffers(NamedTuple):
    """All arrays of a batch. Everything but `blank`, `visibility_mask` and `control` has one row per game or per thread."""

    states: np.ndarray  # records (size,)
    words: np.ndarray  # uint64 (size, words): the same memory
    streams: np.ndarray  # uint64 (size, 1 or a tape)
    seeds: np.ndarray  # uint64 (size,): the seed of each running game
    masks: np.ndarray  # bool (size, actions and padding): the legal actions of the seat to move
    mask_words: np.ndarray  # uint64 (size, words): the same memory, eight actions per word
    counts: np.ndarray  # int32 (size,): the number of legal actions
    observations: np.ndarray  # float32 (size, D): what the seat to move sees
    seats: np.ndarray  # int8 (size,): the seat to move
    rewards: np.ndarray  # float32 (size, players): of the last step
    finished: np.ndarray  # bool (size,): the last step ended the game
    truncated: np.ndarray  # bool (size,): ... by the length limit, not by the rules
    results: np.ndarray  # int32 (size, 2, players): scores and ranks of the last finished game
    blank: np.ndarray  # uint64 (words,): a record with only the options set
    visibility_mask: np.ndarray  # uint64 (seats, words): see Fields.visibility_mask
    views: np.ndarray  # records (lanes, 2): the masked view of one game per thread; the second record keeps cache lines of threads apart
    view_words: np.ndarray  # uint64 (lanes, words of both): the same memory
    control: np.ndarray  # int64: how threads share the work, see threads.py


def new_buffers(variant: Any, streams: np.ndarray, lanes: int = 1) -> Buffers:
    """Empty buffers for as many games as there are streams."""
    size = streams.shape[0]
    game, players = variant.game, variant.players
    states = np.zeros(size, game.fields.dtype)
    mask_words = np.zeros((size, -(-len(game.actions) // WORD)), np.uint64)
    views = np.zeros((lanes, 2), game.fields.dtype)
    return Buffers(
        states=records(states),
        words=as_words(states),
        streams=streams,
        seeds=np.zeros(size, np.uint64),
        masks=mask_words.view(np.bool_),
        mask_words=mask_words,
        counts=np.zeros(size, np.int32),
        observations=np.zeros((size, variant.layout.size), np.float32),
        seats=np.zeros(size, np.int8),
        rewards=np.zeros((size, players), np.float32),
        finished=np.zeros(size, np.bool_),
        truncated=np.zeros(size, np.bool_),
        results=np.zeros((size, 2, players), np.int32),
        blank=as_words(variant.blank)[0].copy(),
        visibility_mask=variant.visibility_mask,
        views=records(views),
        view_words=as_words(views),
        control=new_control(lanes),
    )


def copy_buffers(b: Buffers) -> Buffers:
    """Copy the buffers: the same games in separate memory."""
    words, mask_words, view_words = b.words.copy(), b.mask_words.copy(), np.zeros_like(b.view_words)  # numpy copies records field by field
    states, views = (array.view(b.states.dtype).reshape(shape) for array, shape in ((words, b.states.shape), (view_words, b.views.shape)))
    return b._replace(
        states=records(states),
        words=words,
        streams=b.streams.copy(),
        seeds=b.seeds.copy(),
        masks=mask_words.view(np.bool_),
        mask_words=mask_words,
        counts=b.counts.copy(),
        observations=b.observations.copy(),
        seats=b.seats.copy(),
        rewards=b.rewards.copy(),
        finished=b.finished.copy(),
        truncated=b.truncated.copy(),
        results=b.results.copy(),
        views=records(views),
        view_words=view_words,
        control=new_control(len(b.views)),
    )
