"""The network's policy: masks, and drawing by probabilities."""

import numpy as np
import torch

from tradewinds.agents.neural.inputs import ILLEGAL, draw
from tradewinds.agents.neural.network import Choices, Network, Shape


def test_an_illegal_action_is_never_drawn_however_much_the_network_likes_it() -> None:
    random = np.random.default_rng(0)
    masks = random.random((2000, 30)) < 0.1
    masks[np.arange(2000), random.integers(0, 30, 2000)] = True
    logits = random.normal(size=(2000, 30)).astype(np.float32) * 50
    logits[~masks] += 1000
    policy = torch.log_softmax(torch.where(torch.from_numpy(masks), torch.from_numpy(logits), ILLEGAL), dim=1)
    assert (policy.exp().numpy()[~masks] == 0).all()
    for uniforms in (random.random(2000), np.zeros(2000), np.full(2000, 1 - 2.0**-53), np.full(2000, 1 - 2.0**-24)):
        for dtype in (np.float32, np.float64):
            actions = draw(policy.exp().numpy().astype(dtype), uniforms.astype(dtype))
            assert masks[np.arange(2000), actions].all()


def test_actions_are_drawn_as_often_as_their_probabilities_say() -> None:
    probabilities = np.array([0.0, 0.5, 0.0, 0.2, 0.3, 0.0])
    drawn = draw(np.tile(probabilities, (100_000, 1)), np.random.default_rng(1).random(100_000))
    assert np.allclose(np.bincount(drawn, minlength=6) / 100_000, probabilities, atol=0.01)


def test_entropy_and_gradients_stay_finite_under_a_mask() -> None:
    net = Network(Shape(inputs=5, actions=7, players=3, width=8, blocks=1))
    choices = Choices(torch.tensor([[1, 4, 0]] * 4), torch.tensor([[0, 0, ILLEGAL]] * 4))
    logits, values = net(torch.randn(4, 5), choices)
    policy = torch.log_softmax(logits, dim=1)
    (policy.exp() * policy).sum().backward()
    assert values.shape == (4, 2, 3)
    assert all(torch.isfinite(p.grad).all() for p in net.parameters() if p.grad is not None)
    assert np.allclose(policy.exp()[:, :2].sum(dim=1).detach(), 1, atol=1e-6)
