"""A network of agents/neural, compiled: what torch computes for thousands of positions at once, this does for one in microseconds."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from tradewinds.envs.core.engine.kernel import kernel

REWARD, MARGIN = 0, 1  # what the value head tells of each seat, as in agents/neural/network.py
NARROW = np.float32(1e-5)  # torch's: keeps a layer norm from dividing by 0


class Weights(NamedTuple):
    """All float32. Matrices of layers have a row an input: most inputs are 0, and those rows are left out."""

    enter: np.ndarray  # (inputs, width)
    enter_bias: np.ndarray  # (width,)
    norm: np.ndarray  # (blocks + 1, width): before each block, and at the end
    norm_bias: np.ndarray  # (blocks + 1, width)
    widen: np.ndarray  # (blocks, width, width)
    widen_bias: np.ndarray  # (blocks, width)
    join: np.ndarray  # (blocks, width, width)
    join_bias: np.ndarray  # (blocks, width)
    policy: np.ndarray  # (actions, width)
    policy_bias: np.ndarray  # (actions,)
    value: np.ndarray  # (2, players, width)
    value_bias: np.ndarray  # (2, players)


@kernel
def dense(inputs, weights, bias, outputs):
    for j in range(outputs.size):
        outputs[j] = bias[j]
    for i in range(inputs.size):
        x = inputs[i]
        if x != 0:
            for j in range(outputs.size):
                outputs[j] += x * weights[i, j]


@kernel
def normalise(inputs, scale, shift, outputs):
    """A layer norm."""
    mean = np.float32(0)
    for j in range(inputs.size):
        mean += inputs[j]
    mean /= np.float32(inputs.size)
    variance = np.float32(0)
    for j in range(inputs.size):
        variance += (inputs[j] - mean) * (inputs[j] - mean)
    width = np.float32(1) / np.float32(sqrt(variance / np.float32(inputs.size) + NARROW))
    for j in range(inputs.size):
        outputs[j] = (inputs[j] - mean) * width * scale[j] + shift[j]


@kernel
def rectify(layer):
    for j in range(layer.size):
        layer[j] = max(layer[j], np.float32(0))


@kernel
def think(net, seen, layers):
    """The body of the network: its last layer is left in layers[1], for the heads to read."""
    x, y, z = layers[0], layers[1], layers[2]
    dense(seen, net.enter, net.enter_bias, x)
    blocks = net.widen.shape[0]
    for block in range(blocks):
        normalise(x, net.norm[block], net.norm_bias[block], y)
        dense(y, net.widen[block], net.widen_bias[block], z)
        rectify(z)
        dense(z, net.join[block], net.join_bias[block], y)
        for j in range(x.size):
            x[j] += y[j]
    normalise(x, net.norm[blocks], net.norm_bias[blocks], y)
    rectify(y)


@kernel
def expect(net, layer, kind, turn):
    """What the seat `turn` places after the one to move can expect."""
    total = net.value_bias[kind, turn]
    for j in range(layer.size):
        total += layer[j] * net.value[kind, turn, j]
    return np.float64(total)


@kernel
def rate_actions(net, layer, mask, values):
    """The logits of legal actions."""
    for action in range(values.size):
        if mask[action]:
            total = net.policy_bias[action]
            for j in range(layer.size):
                total += layer[j] * net.policy[action, j]
            values[action] = total
