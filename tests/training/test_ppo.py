"""The trainer learns, and learns from the right decisions."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from tradewinds.agents.neural import Net
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.training.config import ConfigError
from tradewinds.training.evaluation.arena import win_rate
from tradewinds.training.evaluation.stats import squashed_margins as margins
from tradewinds.training.opponents import LEARNER
from tradewinds.training.ppo import Trainer
from tradewinds.training.run_dir import columns_of

from .tiny import tiny


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that share a tiny task on a busy machine mostly wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
def test_behaviour_cloning_comes_to_agree_with_its_teacher() -> None:
    trainer = Trainer(tiny(bc={"total_timesteps": 6000, "learning_rate": 0.01}, network={"width": 32}))
    accuracies = []
    while trainer.is_cloning:
        accuracies.append(trainer.iterate()["losses/bc_accuracy"])
    assert accuracies[0] < 0.7 < 0.9 < np.mean(accuracies[-5:])


@pytest.mark.skipif(not JIT, reason="a minute as plain Python")
def test_self_play_comes_to_beat_random_play() -> None:
    settings = {"total_timesteps": 50_000, "num_envs": 64, "num_steps": 32, "minibatch_size": 512, "learning_rate": 0.003}
    trainer = Trainer(tiny(bc={"total_timesteps": 0}, network={"width": 64}, ppo=settings))
    while not trainer.done:
        trainer.iterate()
    assert trainer.evaluate(200)["charts/win_rate_random"] > 0.65


def test_an_evaluation_has_both_directions_and_sampled_play_with_intervals_that_hold_the_rates() -> None:
    config = tiny(options={"players": 3}, evaluation={"eval_opponents": ["tests.training.tiny:First", "random"]})
    trainer = Trainer(config)
    metrics = trainer.evaluate(10)  # 12, each seed once in each seat
    assert metrics.keys() <= set(columns_of(config))
    rates = ("win_rate_tests.training.tiny:First", "win_rate_random", "win_rate_sampled_random", "win_rate_of_random")
    for rate in rates:
        kind, code = rate.rsplit("_", 1)
        low, high = (metrics[f"charts/{kind}_{bound}_{code}"] for bound in ("low", "high"))
        assert 0 <= low <= metrics[f"charts/{rate}"] <= high <= 1 and low < high
    opponent = trainer.eval_opponents["random"]
    net, sampled = (Net(trainer.variant, trainer.average, trainer.spec, sample) for sample in (False, True))
    pairs = zip(rates[1:], ((net, opponent), (sampled, opponent), (opponent, net)), strict=True)
    assert all(metrics[f"charts/{rate}"] == win_rate(trainer.variant, *pair, 12, seed=1) for rate, pair in pairs)


def test_all_seats_learn_in_self_play_and_only_the_learners_own_beside_others() -> None:
    trainer = Trainer(tiny(options={"players": 3}, bc={"total_timesteps": 0}, opponent_pool={"past_prob": 0.5}))
    trainer.iterate()
    seats_of = [set(seat_assignment.tolist()) for seat_assignment in trainer.seat_assignments]
    assert {LEARNER} in seats_of and {LEARNER, trainer.past_place} in seats_of
    rows, buffer = np.arange(len(trainer.seat_assignments)), trainer.buffer
    unfinished = ~buffer.finished.any(axis=0)
    assert unfinished.any()
    for t in range(len(buffer.learner_mask)):
        who = trainer.seat_assignments[rows, buffer.seats[t]]
        assert (buffer.learner_mask[t] == (who == LEARNER))[unfinished].all()
    assert trainer.ppo_steps == buffer.learner_mask.sum() == buffer.size


def test_inputs_are_stored_in_the_order_of_the_learner_mask() -> None:
    """The first number of each stored observation is put beside the step and row it came from."""
    trainer = Trainer(tiny(bc={"total_timesteps": 0}))
    seen = {}
    read = trainer.readers[0].read

    def watched(decisions: Any) -> Any:
        inputs = read(decisions)
        seen.setdefault(len(seen), (decisions.rows.copy(), inputs.observations.copy()))
        return inputs

    trainer.readers[0].read = watched  # type: ignore[method-assign]
    trainer.iterate()
    buffer = trainer.buffer
    steps, rows = np.nonzero(buffer.learner_mask)
    assert len(steps) == buffer.size
    stored = buffer.observations.numpy()
    for t in range(len(buffer.learner_mask)):
        here = steps == t
        found = [observations for of_rows, observations in seen.values() if np.array_equal(of_rows, rows[here])]
        assert any(np.array_equal(stored[here], observations) for observations in found)


def test_values_at_the_end_of_a_rollout_are_turned_to_their_seats() -> None:
    trainer = Trainer(tiny(options={"players": 3}))
    trainer.iterate()
    buffer = trainer.buffer
    trainer.net.value.weight.data.zero_()
    trainer.net.value.bias.data.copy_(trainer.net.value.bias.new_tensor([0.3, 0.1, -0.2, 3, 1, -2]))
    buffer.finished[:], buffer.results[:] = False, 0
    targets, _ = trainer._compute_advantages(np.zeros_like(buffer.learner_mask), gae_lambda=1.0)
    last = targets.reshape(*buffer.seats.shape, 2, 3)[-1].numpy()
    for row in range(len(last)):
        for kind, size in enumerate((1, 10)):
            by_seat = np.roll([0.3 * size, 0.1 * size, -0.2 * size], trainer.batch.seats[row])
            assert np.allclose(last[row, kind], np.roll(by_seat, -buffer.seats[-1, row]))


def test_margins_are_to_the_best_other_and_half_of_all_at_the_spread() -> None:
    assert np.allclose(margins(np.array([[10, 4, 2], [30, 0, 30]]), 6.0), [[0.5, -0.5, -8 / 14], [0, -30 / 36, 0]])


def test_random_moves_are_played_and_not_copied() -> None:
    trainer = Trainer(tiny(bc={"total_timesteps": 256, "teacher": "tests.training.tiny:First", "random_move_prob": 0.5}))
    trainer.iterate()
    is_copied = (trainer.buffer.log_probs == 0).numpy()
    chosen = trainer.buffer.chosen.numpy()
    assert (chosen[is_copied] == 0).all()  # the first legal action
    assert 0.2 < is_copied.mean() < 0.8
    assert (chosen[~is_copied] != 0).any()


def test_a_run_may_be_behaviour_cloning_only() -> None:
    trainer = Trainer(tiny(bc={"total_timesteps": 256}, ppo={"total_timesteps": 0}))
    while not trainer.done:
        assert trainer.iterate()["phase"] == "bc"
    assert trainer.bc_steps == 256 and trainer.ppo_steps == 0
    with pytest.raises(ConfigError, match="both 0"):
        tiny(bc={"total_timesteps": 0}, ppo={"total_timesteps": 0})


def test_the_average_is_that_of_the_last_part_of_the_run() -> None:
    trainer = Trainer(tiny(average={"last": 0.25}))
    for step in range(1, 201):
        trainer.net.policy.bias.data.fill_(step)
        trainer._update_average()
    mean = trainer.average.policy.bias[0].item()
    assert 150 < mean < 185  # the last quarter has the mean 175; the weights rise smoothly to the end
    latest = Trainer(tiny(average={"last": 0.0}))
    latest.iterate()
    assert all((a == b).all() for a, b in zip(latest.average.parameters(), latest.net.parameters(), strict=True))


def test_value_warmup_leaves_the_policy_of_the_base_as_it_is() -> None:
    trainer = Trainer(tiny(bc={"total_timesteps": 0}, policy={"base": "scripted"}, ppo={"value_warmup": 1}))
    trainer.iterate()
    assert (trainer.net.policy.weight == 0).all() and not (trainer.net.value.bias == 0).all()
    trainer.iterate()
    assert not (trainer.net.policy.weight == 0).all()


def test_threads_share_the_work_without_changing_what_is_learned() -> None:
    """One iteration: the same games, and the same weights up to rounding."""
    alone, shared = (Trainer(tiny(bc={"total_timesteps": 0}, policy={"base": "scripted"}, threads=threads)) for threads in (1, 3))
    for trainer in (alone, shared):
        trainer.iterate()
    assert (alone.batch.states == shared.batch.states).all()
    assert np.allclose(alone.buffer.log_probs, shared.buffer.log_probs, atol=1e-5)
    for one, other in zip(alone.net.parameters(), shared.net.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-4)


def test_two_runs_with_threads_are_equal_bit_by_bit() -> None:
    runs = [Trainer(tiny(bc={"total_timesteps": 0}, policy={"base": "scripted"}, threads=2)) for _ in range(2)]
    for trainer in runs:
        trainer.iterate()
        trainer.iterate()
    assert all((one == other).all() for one, other in zip(*(trainer.net.parameters() for trainer in runs), strict=True))
