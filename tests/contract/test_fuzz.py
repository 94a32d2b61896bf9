"""A hundred thousand random games with all invariants held after every step: that is what the batch is for."""

import os

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import box_of, every_game, random_play, rule_sets
from tradewinds.envs.core.kernel import BOUNDSCHECK, JIT

GAMES = 100_000


@pytest.mark.skipif(not JIT, reason="a hundred thousand games need compiled kernels")
@every_game()
def test_a_hundred_thousand_random_games_hold_all_invariants(name: str) -> None:
    box, fields = box_of(name), tw.game(name).fields
    settings = rule_sets(name)
    share = -(-GAMES // len(settings)) // (20 if BOUNDSCHECK else 1)
    longest, truncated = 0, 0
    for options in settings:
        batch = tw.make_batch(name, min(4096, share), seed=11, threads=os.cpu_count() or 1, **options)
        age = np.zeros(batch.size, np.int64)
        games = 0
        play = random_play(batch, 10**9)
        while games < share:
            next(play)
            games += int(batch.finished.sum())
            truncated += int(batch.truncated.sum())
            age += 1
            longest = max(longest, int(age.max()))
            age[batch.finished] = 0
            assert not fields.out_of_bounds(batch.states)
            assert not box.broken(batch.states)
            assert (batch.counts >= 2).all()
        batch.close()
    print(f"{name}: longest of {GAMES} random games: {longest} decisions; truncated: {truncated}")
    assert longest <= box.LONGEST
