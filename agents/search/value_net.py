"""A network of agents/neural, compiled: evaluates one position in microseconds, where torch is made for large batches."""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np

from tradewinds.envs.core.engine.kernel import kernel

REWARD, MARGIN = 0, 1  # what the value head predicts of each seat, as in agents/neural/network.py
EPSILON = np.float32(1e-5)  # torch's default for layer norms


class Weights(NamedTuple):
    """All float32. Matrices of layers have one row per input: most inputs are 0, and their rows are skipped."""

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


def arrange(tensors: Mapping[str, np.ndarray]) -> Weights:
    """Arrange a network's tensors as the kernels read them. Compiled code does not check shapes, so they must have been checked."""
    blocks = sum(name.endswith("widen.bias") for name in tensors)
    width, players = tensors["norm.weight"].size, tensors["value.bias"].size // 2

    def stacked(layer: str, kind: str) -> np.ndarray:
        arrays = [tensors[f"blocks.{block}.{layer}.{kind}"].T for block in range(blocks)]
        axes = (width, width) if layer != "norm" and kind == "weight" else (width,)
        return np.concatenate([np.zeros((0, *axes), np.float32), *(array[None] for array in arrays)])

    weights = Weights(
        enter=tensors["enter.weight"].T,
        enter_bias=tensors["enter.bias"],
        norm=np.concatenate([stacked("norm", "weight"), tensors["norm.weight"][None]]),
        norm_bias=np.concatenate([stacked("norm", "bias"), tensors["norm.bias"][None]]),
        widen=stacked("widen", "weight"),
        widen_bias=stacked("widen", "bias"),
        join=stacked("join", "weight"),
        join_bias=stacked("join", "bias"),
        policy=tensors["policy.weight"],
        policy_bias=tensors["policy.bias"],
        value=tensors["value.weight"].reshape(2, players, -1),
        value_bias=tensors["value.bias"].reshape(2, players),
    )
    return Weights(*map(np.ascontiguousarray, weights))


def no_weights() -> Weights:
    """A placeholder of the right types, for a search without a network."""
    return Weights(
        *(np.zeros((1,) * len(axes), np.float32) for axes in ("iw", "w", "bw", "bw", "bww", "bw", "bww", "bw", "aw", "a", "kpw", "kp"))
    )


@kernel
def dense(inputs, weights, bias, outputs):
    """A linear layer. Non-zero inputs are taken four at a time, so that the outputs are read and written less often."""
    for j in range(outputs.size):
        outputs[j] = bias[j]
    a, b, c, count = np.uintp(0), np.uintp(0), np.uintp(0), 0
    for i in range(inputs.size):
        if inputs[i] == 0:
            continue
        d = np.uintp(i)
        if count == 3:
            for j in range(outputs.size):
                outputs[j] += (inputs[a] * weights[a, j] + inputs[b] * weights[b, j]) + (
                    inputs[c] * weights[c, j] + inputs[d] * weights[d, j]
                )
            count = 0
        else:
            if count == 0:
                a = d
            elif count == 1:
                b = d
            else:
                c = d
            count += 1
    for k in range(count):
        i = a if k == 0 else (b if k == 1 else c)
        for j in range(outputs.size):
            outputs[j] += inputs[i] * weights[i, j]


@kernel
def dot(x, y):
    """A sum of products in eight parts, which the processor adds side by side."""
    a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    e, f, g, h = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    whole = x.size - x.size % 8
    for j in range(0, whole, 8):
        a += x[j] * y[j]
        b += x[j + 1] * y[j + 1]
        c += x[j + 2] * y[j + 2]
        d += x[j + 3] * y[j + 3]
        e += x[j + 4] * y[j + 4]
        f += x[j + 5] * y[j + 5]
        g += x[j + 6] * y[j + 6]
        h += x[j + 7] * y[j + 7]
    for j in range(whole, x.size):
        a += x[j] * y[j]
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


@kernel
def layer_norm(inputs, scale, shift, outputs):
    """Layer norm of one vector, as torch computes it."""
    mean = np.float32(0)
    for j in range(inputs.size):
        mean += inputs[j]
    mean /= np.float32(inputs.size)
    variance = np.float32(0)
    for j in range(inputs.size):
        variance += (inputs[j] - mean) * (inputs[j] - mean)
    width = np.float32(1) / np.float32(sqrt(variance / np.float32(inputs.size) + EPSILON))
    for j in range(inputs.size):
        outputs[j] = (inputs[j] - mean) * width * scale[j] + shift[j]


@kernel
def relu(layer):
    """ReLU in place."""
    for j in range(layer.size):
        layer[j] = max(layer[j], np.float32(0))


@kernel
def forward(net, inputs, layers):
    """The body of the network: its last layer is left in layers[1], for the heads to read."""
    x, y, z = layers[0], layers[1], layers[2]
    dense(inputs, net.enter, net.enter_bias, x)
    blocks = net.widen.shape[0]
    for block in range(blocks):
        layer_norm(x, net.norm[block], net.norm_bias[block], y)
        dense(y, net.widen[block], net.widen_bias[block], z)
        relu(z)
        dense(z, net.join[block], net.join_bias[block], y)
        for j in range(x.size):
            x[j] += y[j]
    layer_norm(x, net.norm[blocks], net.norm_bias[blocks], y)
    relu(y)


@kernel
def seat_value(net, layer, kind, turn):
    """The value head: REWARD or MARGIN of the seat `turn` places after the one to move."""
    return np.float64(net.value_bias[kind, turn] + dot(layer, net.value[kind, turn]))


@kernel
def logit(net, layer, action):
    """The policy head for one action."""
    return np.float64(net.policy_bias[action] + dot(layer, net.policy[action]))
