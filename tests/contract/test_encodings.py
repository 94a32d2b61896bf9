"""Encodings of observations: what each shows, and that networks and agents do not depend on which one the environment shows."""

from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.parts import CUT
from tests.contract.tools import amount, any_variant, every_game, new_batch, random_play, richest
from tests.support import TOY
from tradewinds.envs.core.spec.options import ENCODINGS


@any_variant()
def test_a_rich_observation_is_the_compact_one_and_more(name: str, options: dict[str, Any]) -> None:
    """Decisions encode both from the same position, whatever the environment shows, with perfect recall or without."""
    if tw.game(name).encodings != ENCODINGS:
        return
    compact, rich = new_batch(name, options, amount(16, 2)), new_batch(name, richest(name, options), amount(16, 2))
    for step, actions in enumerate(random_play(compact, amount(120, 30))):
        if step % 10 == 0:
            seen, shown = compact.decisions(), rich.decisions()
            width = seen.observations.shape[1]
            assert (seen.encode("rich") == shown.observations).all()
            assert (shown.encode("compact") == seen.observations).all()
            assert (shown.observations[:, :width] == np.minimum(seen.observations, CUT)).all()
            assert (seen.encode("rich", perfect_recall=True) == shown.information_observations).all()
        rich.step(actions.copy())


@every_game()
def test_rich_bounds_are_small(name: str) -> None:
    """Those of the compact parts are what the rules allow, in some games millions. Rich ones are cut."""
    for players in tw.game(name).with_options().game.options[0].choices:
        variant = tw.game(name).with_options(players=players, visibility="open")
        space = variant.encoded("rich").layout.space
        assert space.low.min() >= -1 and space.high.max() <= CUT
        assert space.high[variant.layout.size :].max() == 1


@pytest.mark.parametrize("ask", [lambda: tw.make(TOY, encoding="rich"), lambda: tw.game(TOY).with_options().encoded("rich")])
def test_a_game_without_rich_parts_says_so(ask: Any) -> None:
    with pytest.raises(ValueError, match=r"toy_market has only (the encoding compact|encoding='compact')"):
        ask()


def test_saves_from_before_there_were_encodings_are_read() -> None:
    env = tw.make("santiago_de_cuba", players=2)
    env.reset(seed=1)
    options = env.variant.options
    env.variant.options = {name: value for name, value in options.items() if name != "encoding"}
    saved = env.save()
    again = tw.make("santiago_de_cuba", players=2)
    again.load(saved)
    assert again.variant.options == options and again.observe("player_0")["observation"].size == env.variant.layout.size
    rich = tw.make("santiago_de_cuba", players=2, encoding="rich")
    with pytest.raises(tw.FormatError, match="encoding='compact'"):
        rich.load(saved)
