"""Final scores by their sources."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

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


@pytest.mark.compiled
@every_rule_set()
def test_final_tables_in_text_and_pictures_have_every_source_of_a_score(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(4, 1))
    streams = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1)
    while not batch.finished.all():
        rows = np.flatnonzero(batch.counts > 0)
        batch.step(batch.sample(streams, np.zeros(batch.size, np.int64))[rows], rows, autoreset=False)
    game = batch.variant.game
    for state in batch.states.view(np.recarray):
        wanted = Counter(str(abs(points)) for seat in breakdown(game, state) for points in seat.values() if points)
        table = game.text(state, None).partition("\nFINAL ")[2].partition("\n\n")[0]
        panels = re.split(r"data-panel=", game.svg(state, None))
        in_table = [panel for panel in panels if panel.startswith('"scores"')] or [one for one in panels if one.startswith('"player:')]
        for shown in (table, " ".join(re.findall(r">([^<>]+)</text>", "".join(in_table)))):
            assert wanted <= Counter(re.findall(r"(?<![\w.])[$-]*(\d+)(?![\w.])", shown)), shown
