"""Advantages, against a slow oracle that follows one seat at a time."""

import numpy as np
import pytest

from tradewinds.training.gae import advantages_and_targets

STEPS, ROWS, PLAYERS = 40, 7, 3


def segment(seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    finished = random.random((STEPS, ROWS)) < 0.12
    return {
        "seats": random.integers(0, PLAYERS, (STEPS, ROWS)),
        "learner_mask": random.random((STEPS, ROWS)) < 0.8,
        "values": random.normal(size=(STEPS, ROWS)).astype(np.float32),
        "rewards": random.normal(size=(STEPS, ROWS, PLAYERS)).astype(np.float32) * finished[:, :, None],
        "finished": finished,
        "end_values": random.normal(size=(ROWS, PLAYERS)).astype(np.float32),
    }


def oracle(s: dict[str, np.ndarray], row: int, seat: int, gamma: float, lam: float) -> dict[int, float]:
    """The advantage of each decision of one seat in one row, by the sum that defines it: over the errors of all its later decisions."""
    mine = [t for t in range(STEPS) if s["learner_mask"][t, row] and s["seats"][t, row] == seat]
    errors, lasts = {}, {}
    for t, after in zip(mine, [*mine[1:], None], strict=True):
        until = STEPS if after is None else after
        ends = [u for u in range(t, until) if s["finished"][u, row]]
        if ends:
            reward, following = s["rewards"][t : ends[0] + 1, row, seat].sum(), 0.0
        else:
            reward = s["rewards"][t:until, row, seat].sum()
            following = s["end_values"][row, seat] if after is None else s["values"][after, row]
        errors[t], lasts[t] = reward + gamma * following - s["values"][t, row], bool(ends) or after is None
    advantages = {}
    for k, t in enumerate(mine):
        total, weight = 0.0, 1.0
        for later in mine[k:]:
            total += weight * errors[later]
            weight *= gamma * lam
            if lasts[later]:
                break
        advantages[t] = total
    return advantages


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.99, 0.5), (0.9, 0.0), (1.0, 1.0)])
def test_advantages_are_those_of_each_seat_followed_alone(seed: int, gamma: float, lam: float) -> None:
    s = segment(seed)
    advantages, targets = advantages_and_targets(**s, gamma=gamma, lam=lam)
    checked = 0
    for row in range(ROWS):
        for seat in range(PLAYERS):
            for t, expected in oracle(s, row, seat, gamma, lam).items():
                assert advantages[t, row] == pytest.approx(expected, abs=1e-4)
                assert targets[t, row, seat] == pytest.approx(expected + s["values"][t, row], abs=1e-4)
                checked += 1
    assert checked == s["learner_mask"].sum()


def test_with_a_constant_value_and_no_reward_nothing_is_better_than_expected() -> None:
    s = {**segment(1), "values": np.full((STEPS, ROWS), 0.3, np.float32), "end_values": np.full((ROWS, PLAYERS), 0.3, np.float32)}
    s |= {"finished": np.zeros((STEPS, ROWS), bool), "rewards": np.zeros((STEPS, ROWS, PLAYERS), np.float32)}
    advantages, targets = advantages_and_targets(**s, gamma=1.0, lam=0.95)
    assert np.allclose(advantages, 0, atol=1e-6)
    assert np.allclose(targets, 0.3, atol=1e-6)


def test_with_lambda_1_every_target_is_what_the_game_paid() -> None:
    s = segment(2)
    _, targets = advantages_and_targets(**{**s, "learner_mask": np.zeros((STEPS, ROWS), bool)}, gamma=1.0, lam=1.0)
    for row in range(ROWS):
        for t in range(STEPS):
            ends = [u for u in range(t, STEPS) if s["finished"][u, row]]
            assert np.allclose(targets[t, row], s["rewards"][ends[0], row] if ends else s["end_values"][row], atol=1e-5)


def test_the_last_reward_reaches_the_seats_that_did_not_make_the_last_move() -> None:
    seats = np.array([[0], [1], [0]])
    rewards = np.zeros((3, 1, 2), np.float32)
    rewards[2, 0] = [-0.5, 0.5]
    finished = np.array([[False], [False], [True]])
    learner_mask, values, end_values = np.ones((3, 1), bool), np.zeros((3, 1), np.float32), np.full((1, 2), 9.0)
    advantages, _ = advantages_and_targets(seats, learner_mask, values, rewards, finished, end_values, gamma=1.0, lam=1.0)
    assert advantages[:, 0].tolist() == [-0.5, 0.5, -0.5]
