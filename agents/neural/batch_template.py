"""A network on a batch of decisions, compiled: a template only so that its cache depends on agents/search/value_net.py too."""

from math import exp

from tradewinds.agents.search.value_net import MARGIN, REWARD, forward, logit, seat_value
from tradewinds.envs.core.engine.kernel import kernel


@kernel
def evaluate_all(net, observations, actions, counts, inputs, layers, logits, values):
    """Run a network on each row.

    `logits` holds those of the base policy, to which the network's are added. `inputs` and `layers` are scratch memory.
    """
    observed = observations.shape[1]
    has_base = inputs.size > observed
    for i in range(observations.shape[0]):
        for j in range(observed):
            inputs[j] = observations[i, j]
        if has_base:
            for j in range(observed, inputs.size):
                inputs[j] = 0
            for k in range(counts[i]):
                inputs[observed + actions[i, k]] = exp(logits[i, k])
        forward(net, inputs, layers)
        for k in range(counts[i]):
            logits[i, k] += logit(net, layers[1], actions[i, k])
        for turn in range(values.shape[2]):
            values[i, REWARD, turn] = seat_value(net, layers[1], REWARD, turn)
            values[i, MARGIN, turn] = seat_value(net, layers[1], MARGIN, turn)
