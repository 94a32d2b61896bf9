"""Random games by the thousand with all invariants held: that is what the batch is for.

Bounds are checked after every fourth step, and the box is counted after every eighth: what is lost stays lost until the game's end.
`TRADEWINDS_NIGHTLY=1` checks bounds after every step, in twice as many games.
"""

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import any_game, box_of, random_play, rule_sets
from tests.support import sample
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT

CHECK_EVERY, COUNT_EVERY = sample(4, 1), 8


@pytest.mark.skipif(not JIT, reason="so many games need compiled kernels")
@any_game()
def test_random_games_by_the_thousand_hold_all_invariants(name: str) -> None:
    box, fields = box_of(name), tw.game(name).fields
    settings = rule_sets(name)
    games_in_all = sample(box.FUZZ // 2, box.FUZZ) // (5 if BOUNDSCHECK else 1)
    share = -(-games_in_all // len(settings))
    longest, truncated = 0, 0
    for options in settings:
        batch = tw.make_batch(name, min(1024, share), seed=11, **options)
        age = np.full(batch.size, -1, np.int64)  # the first actions are seen before they are played
        games = 0
        play = random_play(batch, 10**9)
        for step, _ in enumerate(play):
            if games >= share:
                break
            games += int(batch.finished.sum())
            truncated += int(batch.truncated.sum())
            age += 1
            longest = max(longest, int(age.max()))
            age[batch.finished] = 0
            assert step % CHECK_EVERY or not fields.out_of_bounds(batch.states)
            assert (batch.counts >= 2).all()
            if step % COUNT_EVERY == 0:
                assert not box.broken(batch.states)
        batch.close()
    print(f"{name}: longest of {games_in_all} random games: {longest} decisions; truncated: {truncated}")
    assert longest <= box.LONGEST
