"""The trainer learns, and learns from the right decisions."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.training.config import ConfigError
from tradewinds.training.ppo import LEARNER, PAST, Trainer, margins

from .tiny import tiny


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that share a tiny task on a busy machine mostly wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_imitation_comes_to_agree_with_its_teacher() -> None:
    trainer = Trainer(tiny(imitate={"decisions": 6000, "lr": 0.01}, network={"width": 32}))
    agreements = []
    while trainer.imitating:
        agreements.append(trainer.iterate()["agreement"])
    assert agreements[0] < 0.7 < 0.9 < np.mean(agreements[-5:])


@pytest.mark.skipif(not JIT, reason="a minute as plain Python")
def test_self_play_comes_to_beat_random_play() -> None:
    settings = {"decisions": 50_000, "rows": 64, "steps": 32, "minibatch": 512, "lr": 0.003}
    trainer = Trainer(tiny(imitate={"decisions": 0}, network={"width": 64}, ppo=settings))
    while not trainer.done:
        trainer.iterate()
    assert trainer.evaluate(200)["random"] > 0.65


def test_all_seats_learn_in_self_play_and_only_the_learners_own_beside_others() -> None:
    trainer = Trainer(tiny(options={"players": 3}, imitate={"decisions": 0}, pool={"past": 0.5}))
    trainer.iterate()
    seats_of = [set(seat_assignment.tolist()) for seat_assignment in trainer.seat_assignments]
    assert {LEARNER} in seats_of and {LEARNER, PAST} in seats_of
    rows = np.arange(len(trainer.seat_assignments))
    unfinished = ~trainer.finished.any(axis=0)
    assert unfinished.any()
    for t in range(len(trainer.own)):
        who = trainer.seat_assignments[rows, trainer.seats[t]]
        assert (trainer.own[t] == (who == LEARNER))[unfinished].all()
    assert trainer.decisions == trainer.own.sum()


def test_every_action_of_a_segment_was_legal() -> None:
    trainer = Trainer(tiny())
    for _ in range(3):
        trainer.iterate()
        assert np.take_along_axis(trainer.masks, trainer.actions[:, :, None], axis=2).all()


def test_values_at_the_end_of_a_segment_are_turned_to_their_seats() -> None:
    trainer = Trainer(tiny(options={"players": 3}))
    trainer.iterate()
    trainer.net.value.weight.data.zero_()
    trainer.net.value.bias.data.copy_(trainer.net.value.bias.new_tensor([0.3, 0.1, -0.2, 3, 1, -2]))
    trainer.finished[:], trainer.results[:] = False, 0
    targets, _ = trainer._judge(np.zeros_like(trainer.own), lam=1.0)
    last = targets.reshape(*trainer.seats.shape, 2, 3)[-1].numpy()
    for row in range(len(last)):
        for kind, size in enumerate((1, 10)):
            by_seat = np.roll([0.3 * size, 0.1 * size, -0.2 * size], trainer.batch.seats[row])
            assert np.allclose(last[row, kind], np.roll(by_seat, -trainer.seats[-1, row]))


def test_margins_are_to_the_best_other_and_half_of_all_at_the_spread() -> None:
    assert np.allclose(margins(np.array([[10, 4, 2], [30, 0, 30]]), 6.0), [[0.5, -0.5, -8 / 14], [0, -30 / 36, 0]])


def test_moves_by_lot_are_played_and_not_copied() -> None:
    trainer = Trainer(tiny(imitate={"decisions": 256, "teacher": "tests.training.tiny:First", "by_lot": 0.5}))
    trainer.iterate()
    first = trainer.masks.argmax(axis=2)
    assert (trainer.actions[trainer.own] == first[trainer.own]).all()
    assert 0.2 < trainer.own.mean() < 0.8
    assert (trainer.actions[~trainer.own] != first[~trainer.own]).any()


def test_a_run_may_only_imitate() -> None:
    trainer = Trainer(tiny(imitate={"decisions": 256, "teacher": "tests.training.tiny:First"}, ppo={"decisions": 0}))
    while not trainer.done:
        assert trainer.iterate()["phase"] == "imitate"
    assert trainer.imitated == 256 and trainer.decisions == 0
    with pytest.raises(ConfigError, match="both 0"):
        tiny(imitate={"decisions": 0}, ppo={"decisions": 0})
