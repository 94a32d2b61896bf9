"""Nothing leaks: re-deal what a viewer cannot know, and nothing that the viewer is given may change."""

from typing import Any

import numpy as np

import tradewinds.envs as tw
from tests.contract.tools import amount, any_game, any_rule_set, any_variant, box_of, new_batch, random_play, richest, text_of, variants
from tests.support import sample
from tradewinds.envs.core.engine.threads import Task
from tradewinds.envs.core.spec.fields import HIDDEN, Seen, Visibility


def looks(batch: tw.Batch, viewer: int) -> np.ndarray:
    return batch.look(np.arange(batch.size), viewer)


def as_bytes(states: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(states).view(np.uint8).reshape(states.size, -1)


@any_variant()
def test_what_a_viewer_sees_does_not_depend_on_what_it_cannot_know(name: str, options: dict[str, Any]) -> None:
    options = richest(name, options)
    batch = new_batch(name, options, amount(48, 2))
    other = new_batch(name, options, batch.size)
    variant = batch.variant
    streams, rows = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1), np.arange(batch.size)
    first = batch.states[:1].copy()
    differed = something_hidden = False
    every = amount(10, 7)
    for step, _ in enumerate(random_play(batch, amount(400, 50))):
        if step % every:
            continue
        for viewer in range(batch.players):
            other._b.words[:] = batch._b.words
            other._b.masks[:] = batch._b.masks
            batch._loops.redeal_all(other._b, np.full(batch.size, viewer, np.int8), streams)
            differed |= batch.states.tobytes() != other.states.tobytes()
            # Hidden fields of a variant that never uses them are the same in all games.
            hidden = variant.visibility_mask[viewer].view(np.uint8)
            something_hidden |= bool(((as_bytes(batch.states) ^ as_bytes(first)) & hidden).any())
            assert (looks(batch, viewer) == looks(other, viewer)).all()
            assert (batch._b.words | variant.visibility_mask[viewer] == other._b.words | variant.visibility_mask[viewer]).all()
            other._run(Task.COUNT, rows)
            moves = batch.states["seat"] == viewer
            assert (batch.masks[moves] == other.masks[moves]).all() and (other.counts[~moves] >= 2).all()
            if viewer == step // every % batch.players:  # what takes long, for one viewer at a time
                real, dealt = (one.states[step % batch.size] for one in (batch, other))
                assert variant.masked_view(real, viewer).tobytes() == variant.masked_view(dealt, viewer).tobytes()
                assert text_of(variant, real, viewer) == text_of(variant, dealt, viewer)
                assert not variant.game.fields.out_of_bounds(other.states)
    follows = getattr(box_of(name), "follows", None)  # whether what is hidden follows from what is seen
    unknown = something_hidden and not (follows is not None and follows(options))
    assert differed == unknown, "re-dealing must change something exactly if something is unknown"


@any_variant()
def test_worlds_are_dealt_from_the_view_alone(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(sample(12, 32), 2))
    dealt, from_views = new_batch(name, options, batch.size), new_batch(name, options, batch.size)
    for step, _ in enumerate(random_play(batch, amount(400, 50))):
        if step % amount(10, 7):
            continue
        for viewer in range(batch.players):
            for other, visibility_mask in ((dealt, np.uint64(0)), (from_views, batch.variant.visibility_mask[viewer])):
                other._b.words[:] = batch._b.words | visibility_mask
                streams = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1)
                for i in range(batch.size):
                    batch.variant.game.kernels["redeal"](other._b.states[i], viewer, streams[i])
            assert dealt.states.tobytes() == from_views.states.tobytes()


@any_game()
def test_a_veil_hides_others_and_shows_the_own(name: str) -> None:
    fields = tw.game(name).fields
    for options in variants(name):
        batch = new_batch(name, options, 1)
        for viewer in range(batch.players):
            view = batch.variant.masked_view(batch.states[0], viewer)
            for field in fields.all:
                shown, real = view[field.name], batch.states[0][field.name]
                if field.seen == Seen.BY_ALL or (field.seen == Seen.SCREENED and batch.variant.visibility == Visibility.OPEN):
                    assert (shown == real).all()
                elif field.seen == Seen.BY_NOBODY:
                    assert (shown == HIDDEN).all()
                else:
                    assert (shown[viewer] == real[viewer]).all()
                    assert (np.delete(shown, viewer, axis=0) == HIDDEN).all()


@any_rule_set()
def test_re_dealing_keeps_all_pieces_in_the_box(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(64, 2))
    streams = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1)
    copy = new_batch(name, options, batch.size)
    for _ in random_play(batch, amount(60, 10)):
        copy._b.words[:] = batch._b.words
        batch._loops.redeal_all(copy._b, batch.seats.copy(), streams)
        assert not box_of(name).broken(copy.states)
