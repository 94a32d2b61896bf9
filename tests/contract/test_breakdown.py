"""Final scores by their sources."""

from typing import Any

import numpy as np

from tests.contract.tools import amount, every_rule_set, new_batch, random_play
from tradewinds.envs.core.api.breakdown import breakdown


@every_rule_set()
def test_the_sources_of_a_score_add_up_to_it(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(8, 1))
    out = np.zeros((2, batch.players), np.int32)
    for step, _ in enumerate(random_play(batch, amount(600, 60))):
        if step % 20:
            continue
        for state in batch.states.view(np.recarray):  # every position has a score, were it the end
            batch.variant.game.kernels["score"](state, out)
            parts = breakdown(batch.variant.game, state)
            assert [sum(one.values()) for one in parts] == out[0].tolist()
            assert len({tuple(one) for one in parts}) == 1
