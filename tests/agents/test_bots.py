"""What every game's bot promises."""

from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, every_game, every_variant, new_batch, random_play
from tests.support import sample
from tradewinds import agents
from tradewinds.agents.scripted import Scripted
from tradewinds.agents.scripted.bot import SCRATCH_SIZE, Bot, bot_of
from tradewinds.envs.core.engine.kernel import records
from tradewinds.training.evaluation import arena


def the_bot_of(name: str) -> Bot:
    bot = bot_of(name)
    assert bot is not None
    return bot


def rated(bot: Bot, states: np.ndarray, i: int, seat: int, mask: np.ndarray, style: str) -> np.ndarray:
    values, scratch = np.full(mask.size, np.nan), np.full(SCRATCH_SIZE, np.nan)
    bot.rate(states[i], seat, mask, bot.styles[style], scratch, values)
    return values[mask]


@every_variant()
def test_a_bot_rates_every_legal_action_by_what_its_seat_may_know(name: str, options: dict[str, Any]) -> None:
    bot = the_bot_of(name)
    batch = new_batch(name, options, amount(sample(3, 8), 2))
    dealt, masked_view = new_batch(name, options, batch.size), new_batch(name, options, batch.size)
    streams = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1)
    styles = list(bot.styles)
    told_apart = False
    for step, _ in enumerate(random_play(batch, amount(200, 40))):
        masked_view._b.words[:] = batch._b.words | batch.variant.visibility_mask[batch.seats]
        dealt._b.words[:] = batch._b.words
        batch._loops.redeal_all(dealt._b, batch.seats.copy(), streams)
        before = masked_view.states.tobytes()
        style = styles[step % len(styles)]
        for i in range(batch.size):
            seat, mask = int(batch.seats[i]), batch.masks[i].copy()
            values = rated(bot, masked_view._b.states, i, seat, mask, style)
            assert np.isfinite(values).all()
            told_apart |= bool((values != values[0]).any())
            assert (values == rated(bot, batch._b.states, i, seat, mask, style)).all()
            assert (values == rated(bot, dealt._b.states, i, seat, mask, style)).all()
        assert masked_view.states.tobytes() == before
    assert told_apart


@every_game()
def test_a_bot_plays_the_same_alone_and_in_a_batch(name: str) -> None:
    variant = tw.game(name).with_options()
    bot = Scripted(variant)
    batch = tw.make_batch(name, amount(8, 2), seed=5)
    for _ in range(amount(60, 10)):
        seeds = np.arange(batch.size, dtype=np.uint64)
        actions = bot.act(batch.decisions(seeds=seeds))
        alone = [int(bot.act(batch.decisions(np.array([i]), seeds[i : i + 1]))[0]) for i in range(batch.size)]
        assert actions.tolist() == alone
        batch.step(actions)


@every_game()
def test_whole_games_in_one_kernel_are_the_games_played_step_by_step(name: str) -> None:
    variant = tw.game(name).with_options()
    players = [agents.build(code, variant) for code in ("scripted", "random", "scripted:greedy")]
    games = amount(24, 1)
    seat_assignments = (np.arange(games)[:, None] + np.arange(variant.players)) % 3
    seeds = arena.paired_seeds(variant.players, games, 9)
    draws = np.arange(games, dtype=np.uint64).reshape(-1, 1)
    compiled = arena._play_compiled(variant, players, seat_assignments, seeds, draws.copy(), sources=True)
    stepwise = arena._play_stepwise(variant, seat_assignments, seeds, draws.copy(), arena.AgentRunner(players, strict=True), sources=True)
    for field in ("scores", "ranks", "lengths", "truncated", "points"):
        assert (getattr(compiled, field) == getattr(stepwise, field)).all()


@every_game()
def test_the_rungs_of_the_ladder_stand_apart(name: str) -> None:
    """Random, greedy, and the strongest style: each beats three of the one below it more often than chance would."""
    variant = tw.game(name).with_options()
    games = amount(400, 0)
    if not games:
        pytest.skip("too slow as plain Python")
    random, greedy, best = (agents.build(code, variant) for code in ("random", "scripted:greedy", "scripted"))
    assert arena.win_rate(variant, best, random, games) > 0.95
    assert arena.win_rate(variant, greedy, random, games) > 0.4
    assert arena.win_rate(variant, best, greedy, games) > 0.4


@every_game()
def test_every_style_is_a_way_of_its_own(name: str) -> None:
    bot = the_bot_of(name)
    assert len(bot.styles) >= 4 and "greedy" in bot.styles
    rows = list(bot.styles.values())
    assert all((rows[i] != rows[k]).any() for i in range(len(rows)) for k in range(i))


@every_game()
def test_an_unknown_style_is_refused_with_those_that_exist(name: str) -> None:
    variant = tw.game(name).with_options()
    with pytest.raises(ValueError, match=rf"no style 'gredy' \(did you mean 'greedy'\?\).*{the_bot_of(name).default}"):
        Scripted(variant, "gredy")


def test_styles_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="float64 weights of one length"):
        Bot("any", lambda *_: None, {"one": np.zeros(2), "other": np.zeros(3)}, 1.0)


def test_a_bots_records_are_as_kernels_take_them() -> None:
    batch = tw.make_batch("santiago_de_cuba", 2, seed=1)
    views = batch.decisions().views
    assert views.dtype == batch.states.dtype
    assert views[0]["points"].tolist().count(-1) == 3
    assert type(records(views.view(np.ndarray))) is type(views)
