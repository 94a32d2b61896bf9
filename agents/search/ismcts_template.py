"""Information-set Monte Carlo tree search, compiled for each game: a template, like envs/core/engine/loops_template.py.

One tree for the seat that searches (Cowling, Powley, Whitehouse 2012). Each simulation draws a determinization, which is a state that fits
what that seat knows, descends the tree along actions that are legal in it, adds one node, plays a rollout to the end of the game or to a
horizon where a network evaluates it, and adds each seat's value to every node on the path. A seat on the path maximises its own value
(max^n). Chance is drawn again in each simulation, so a node stands for a sequence of actions, and its statistics are averages over
determinizations and chance.

Set before it runs: the bot's `rate`, and `legal`, `play`, `redeal_state`, `score` and `observe` around the game's rules.
"""

from collections.abc import Callable
from enum import IntEnum
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from tradewinds.agents.search.value_net import MARGIN, REWARD, forward, logit, seat_value
from tradewinds.envs.core.engine.kernel import inlined, kernel
from tradewinds.envs.core.engine.masks import best_legal, list_legal, nth_legal
from tradewinds.envs.core.engine.rng import below, mix, next_number
from tradewinds.envs.core.spec.fields import Status, Visibility
from tradewinds.envs.core.spec.rewards import score_margin

# Set before this file runs.
rate: Callable[..., Any]
legal: Callable[..., Any]
play: Callable[..., Any]
redeal_state: Callable[..., Any]
score: Callable[..., Any]
observe: Callable[..., Any]

NONE = -1
ROOT = 0
ROUND = 32  # simulations between two checks of whether to stop
CERTAIN = 1_000_000  # the denominator of Settings.noise
UNKNOWN = -np.inf  # a logit that is not in the tree
COUNT, PHASES, PLACE, ROUNDS = range(4)  # of Scratch.halving
VALUE_VISITS = 50.0  # c_visit of Danihelka et al. 2022
_53, _11 = 2.0**-53, np.uint64(11)
_GUMBEL = np.uint64(0xD1B54A32D192ED03)  # sets the noise of the root apart from the simulations


class Policy(IntEnum):
    """Where priors come from, and what plays the rollouts."""

    UNIFORM = 0
    SCRIPTED = 1
    NETWORK = 2
    NONE = 3  # no rollout: the network evaluates the leaf


class Tree(NamedTuple):
    """Nodes in the order in which they were added: a parent always stands before its children.

    Logits of a network's policy are kept as a linked list per node, since another action may be legal at the same node in another
    determinization. All lists share one pool.
    """

    size: np.ndarray  # int64 (2,): nodes in use, logits in use
    actions: np.ndarray  # int16 (capacity,): the action that leads here from the parent
    parents: np.ndarray  # int32 (capacity,)
    children: np.ndarray  # int32 (capacity,): the first child
    siblings: np.ndarray  # int32 (capacity,): the next child of the same parent
    visits: np.ndarray  # int32 (capacity,)
    value_sum: np.ndarray  # float64 (capacity, players): the sum over visits of values from 0 for lost to 1 for won
    keys: np.ndarray  # uint64 (capacity,): what the searching seat saw here when the node was added, if it was to move
    first_logit: np.ndarray  # int32 (capacity,): the node's first entry in the pool
    logit_actions: np.ndarray  # int16 (pool,)
    logit_nodes: np.ndarray  # int32 (pool,): whose entry it is
    logit_next: np.ndarray  # int32 (pool,): the next entry of the same node
    logits: np.ndarray  # float32 (pool,)


class Scratch(NamedTuple):
    """Preallocated memory of one thread: kernels may not allocate."""

    weights: np.ndarray  # float64: the style of the bot in rollouts and priors
    base_weights: np.ndarray  # float64: the style of the bot that the network builds on
    bot: np.ndarray  # float64: the scratch memory of the bot
    values: np.ndarray  # float64 (actions,): ratings, logits or priors at the current node
    base: np.ndarray  # float64 (actions,): the base logits of the network's policy
    root_priors: np.ndarray  # float64 (actions,)
    gumbel: np.ndarray  # float64 (actions,): noise on the root's logits
    considered: np.ndarray  # int64 (actions,): the root's actions in the order of sequential halving, the best first
    halving: np.ndarray  # int64 (4,): actions still considered, phases in all, the place of the next action, rounds left in this phase
    mask: np.ndarray  # bool (actions and padding): what is legal at the root
    mask_words: np.ndarray  # uint64: the same memory, eight actions per word
    open: np.ndarray  # int64 (actions,): the legal actions at the current node
    nodes: np.ndarray  # int32 (actions,): the child of the current node by action
    path: np.ndarray  # int32 (depth,): the nodes of this simulation
    moved: np.ndarray  # int32 (capacity,): new places while a tree is cut
    seed: np.ndarray  # uint64 (1,): all randomness of the search comes from it
    stream: np.ndarray  # uint64 (1,): the randomness of this simulation
    outcome: np.ndarray  # float64 (2, players): each seat's part of the win and its squashed margin in this simulation
    outcomes: np.ndarray  # float64 (2, players): their sums over the simulations of this decision
    inputs: np.ndarray  # float32 (inputs,): of the network
    observation: np.ndarray  # float32 (D,): the first part of the same memory
    layers: np.ndarray  # float32 (3, width): of the network


class Settings(NamedTuple):
    """The settings of a search, as the kernels read them. `Search` explains them."""

    exploration: float  # the factor of the prior term in PUCT
    prior: int  # a Policy
    temperature: float  # priors are softmax(logits / temperature)
    rollout: int  # a Policy
    noise: int  # of CERTAIN: how often a rollout plays a random action
    horizon: int  # decisions played before the network evaluates the rest; 0: no limit
    margin: float  # the part of a value that is the margin in points; the rest is the win
    spread: float  # the margin m is squashed to m / (|m| + spread)
    visibility: int  # of the game; the seat may know more, if it has perfect recall
    base_temperature: float  # the network's base logits are ratings / base_temperature; 0: it has none
    base_clip: float  # the base logits are at least -base_clip
    gumbel: float  # the scale of the noise on the root's logits
    considered: int  # the most actions that sequential halving begins with; 0: PUCT at the root
    value_scale: float  # c_scale of Danihelka et al. 2022


@kernel
def key_of(words, visibility_mask):
    """A hash of what a seat sees."""
    key = np.uint64(words.size)
    for word in range(words.size):
        key = mix(key ^ (words[word] | visibility_mask[word]))
    return key


@kernel
def clear(tree):
    tree.size[0] = 1
    tree.size[1] = 0
    tree.actions[ROOT] = NONE
    tree.parents[ROOT] = NONE
    tree.children[ROOT] = NONE
    tree.siblings[ROOT] = NONE
    tree.visits[ROOT] = 0
    tree.value_sum[ROOT, :] = 0
    tree.keys[ROOT] = 0
    tree.first_logit[ROOT] = NONE


@kernel
def find(tree, key):
    """The most visited node with this key, or NONE."""
    best = NONE
    for node in range(tree.size[0]):
        if tree.keys[node] == key and (best == NONE or tree.visits[node] > tree.visits[best]):
            best = node
    return best


@kernel
def cut(tree, root, moved):
    """Keep the subtree of one node, which becomes the root."""
    kept = 0
    for node in range(tree.size[0]):
        moved[node] = NONE
        parent = tree.parents[node]
        if node == root:
            parent = NONE
        elif node < root or moved[parent] == NONE:
            continue
        else:
            parent = moved[parent]
        moved[node] = kept
        tree.actions[kept] = tree.actions[node]
        tree.visits[kept] = tree.visits[node]
        for seat in range(tree.value_sum.shape[1]):
            tree.value_sum[kept, seat] = tree.value_sum[node, seat]
        tree.keys[kept] = tree.keys[node]
        tree.parents[kept] = parent
        tree.children[kept] = NONE
        tree.first_logit[kept] = NONE
        if parent != NONE:
            tree.siblings[kept] = tree.children[parent]
            tree.children[parent] = kept
        kept += 1
    tree.siblings[ROOT] = NONE
    tree.size[0] = kept
    entries = tree.size[1]
    tree.size[1] = 0
    for entry in range(entries):
        node = moved[tree.logit_nodes[entry]]
        if node != NONE:
            keep_logit(tree, node, tree.logit_actions[entry], tree.logits[entry])


@kernel
def keep_logit(tree, node, action, value):
    """Remember a logit at a node, while there is room."""
    entry = tree.size[1]
    if entry < tree.logits.size:
        tree.size[1] = entry + 1
        tree.logit_actions[entry] = action
        tree.logit_nodes[entry] = node
        tree.logit_next[entry] = tree.first_logit[node]
        tree.logits[entry] = value
        tree.first_logit[node] = entry


@kernel
def evaluate(s, me, mask, actions, scratch, net, settings):
    """Run the network on the information state of the seat to move: leaves its last layer in layers[1], and its base logits in `base`."""
    visibility = s.visibility
    s.visibility = Visibility.OPEN
    observe(s, me, scratch.observation)
    s.visibility = visibility
    if settings.base_temperature > 0:
        rate(s, me, mask, scratch.base_weights, scratch.bot, scratch.base)
        best = -np.inf
        for action in actions:
            best = max(best, scratch.base[action])
        first = scratch.observation.size
        for i in range(first, scratch.inputs.size):
            scratch.inputs[i] = 0
        for action in actions:
            scratch.base[action] = max((scratch.base[action] - best) / settings.base_temperature, -settings.base_clip)
            scratch.inputs[first + action] = exp(scratch.base[action])
    forward(net, scratch.inputs, scratch.layers)


@kernel
def policy_logit(action, scratch, net, settings):
    """The network's logit of an action in the state that was evaluated last."""
    head = logit(net, scratch.layers[1], action)
    return scratch.base[action] + head if settings.base_temperature > 0 else head


@inlined
def set_logits(tree, node, s, me, mask, actions, scratch, net, settings, values):
    """The network's logits at a node: those that are kept there; only if one is missing is the network evaluated."""
    for action in actions:
        values[action] = UNKNOWN
    missing = actions.size
    entry = tree.first_logit[node]
    while entry != NONE:
        action = tree.logit_actions[entry]
        if mask[action]:
            values[action] = tree.logits[entry]
            missing -= 1
        entry = tree.logit_next[entry]
    if missing > 0:
        evaluate(s, me, mask, actions, scratch, net, settings)
        for action in actions:
            if values[action] == UNKNOWN:
                values[action] = policy_logit(action, scratch, net, settings)
                keep_logit(tree, node, action, values[action])


@kernel
def set_priors(tree, node, s, me, mask, actions, scratch, net, settings, values):
    """The prior of each legal action at a node: they sum to 1."""
    if settings.prior == Policy.UNIFORM:
        for action in actions:
            values[action] = 1.0 / actions.size
        return
    if settings.prior == Policy.NETWORK:
        set_logits(tree, node, s, me, mask, actions, scratch, net, settings, values)
    else:
        rate(s, me, mask, scratch.weights, scratch.bot, values)
    best = -np.inf
    for action in actions:
        if values[action] > best:
            best = values[action]
    total = 0.0
    for action in actions:
        values[action] = exp((values[action] - best) / settings.temperature)
        total += values[action]
    for action in actions:
        values[action] /= total


@kernel
def link_children(tree, node, mask, actions, nodes):
    """The children of a node by action, among those that are legal now; returns their visits together."""
    for action in actions:
        nodes[action] = NONE
    visits = 0
    child = tree.children[node]
    while child != NONE:
        action = tree.actions[child]
        if mask[action]:
            nodes[action] = child
            visits += tree.visits[child]
        child = tree.siblings[child]
    return visits


@kernel
def select(tree, node, me, actions, priors, nodes, visits, settings):
    """The legal action with the highest PUCT score for the seat to move (Rosin 2011). `nodes` and `visits` are from `link_children`."""
    fpu = tree.value_sum[node, me] / tree.visits[node] if tree.visits[node] > 0 else 0.5  # first-play urgency: the parent's value
    exploration = settings.exploration * sqrt(visits + 1.0)
    best, best_puct = np.int64(NONE), -np.inf
    for action in actions:
        child = nodes[action]
        seen = 0 if child == NONE else tree.visits[child]
        mean = fpu if seen == 0 else tree.value_sum[child, me] / seen
        puct = mean + exploration * priors[action] / (1 + seen)
        if puct > best_puct:
            best, best_puct = action, puct
    return best


@kernel
def add(tree, parent, action):
    """Add a child to a node; NONE if the tree is full."""
    node = np.int64(tree.size[0])
    if node == tree.visits.size:
        return np.int64(NONE)
    tree.size[0] = node + 1
    tree.actions[node] = action
    tree.parents[node] = parent
    tree.children[node] = NONE
    tree.siblings[node] = tree.children[parent]
    tree.children[parent] = node
    tree.visits[node] = 0
    tree.value_sum[node, :] = 0
    tree.keys[node] = 0
    tree.first_logit[node] = NONE
    return node


@inlined
def play_out(s, mask, words, count, scratch, net, settings):
    """Play to the end of the game or to the horizon, by the rollout policy with some noise."""
    if settings.rollout == Policy.NONE:
        return
    stream, left = scratch.stream, settings.horizon
    while s.status == Status.RUNNING:
        if settings.rollout == Policy.UNIFORM or (settings.noise > 0 and below(stream, CERTAIN) < settings.noise):
            action = nth_legal(words, below(stream, count))
        else:
            me = np.int64(s.seat)
            if settings.rollout == Policy.NETWORK:
                actions = scratch.open[: list_legal(words, scratch.open)]
                evaluate(s, me, mask, actions, scratch, net, settings)
                for legal_action in actions:
                    scratch.values[legal_action] = policy_logit(legal_action, scratch, net, settings)
            else:
                rate(s, me, mask, scratch.weights, scratch.bot, scratch.values)
            action = best_legal(words, scratch.values, stream)
        count = play(s, action, mask, words, stream)
        left -= 1
        if left == 0:
            return


@inlined
def estimate(tree, leaf, s, mask, words, scratch, net, settings):
    """Each seat's outcome of an unfinished game by the network. Without rollouts its logits are kept at the new leaf as well."""
    me, players, outcome = np.int64(s.seat), scratch.outcome.shape[1], scratch.outcome
    actions = scratch.open[: list_legal(words, scratch.open)]
    evaluate(s, me, mask, actions, scratch, net, settings)
    if leaf != NONE and settings.rollout == Policy.NONE and settings.prior == Policy.NETWORK:
        for action in actions:
            keep_logit(tree, leaf, action, policy_logit(action, scratch, net, settings))
    total = 0.0
    for turn in range(players):
        win = max(seat_value(net, scratch.layers[1], REWARD, turn) + 1.0 / players, 0.0)
        outcome[REWARD, (me + turn) % players] = win
        total += win
    for turn in range(players):
        seat = (me + turn) % players
        outcome[REWARD, seat] = outcome[REWARD, seat] / total if total > 0 else 1.0 / players
        outcome[MARGIN, seat] = min(max(seat_value(net, scratch.layers[1], MARGIN, turn), -1.0), 1.0)


@kernel
def terminal_outcome(results, settings, outcome):
    """Each seat's outcome of a finished game from scores and ranks."""
    players = outcome.shape[1]
    winners = 0
    for seat in range(players):
        if results[1, seat] == 1:
            winners += 1
    for seat in range(players):
        ahead = np.float64(score_margin(results, seat))
        outcome[REWARD, seat] = 1.0 / winners if results[1, seat] == 1 else 0.0
        outcome[MARGIN, seat] = ahead / (abs(ahead) + settings.spread)


@kernel
def value_of(outcome, seat, settings):
    """The value of an outcome for a seat, from 0 for lost to 1 for won."""
    return (1 - settings.margin) * outcome[REWARD, seat] + settings.margin * (0.5 + 0.5 * outcome[MARGIN, seat])


@kernel
def determinize(b, scratch, view, viewer, settings):
    """Draw a state that fits the view."""
    words = b.words[0]
    for word in range(words.size):
        words[word] = view[word]
    redeal_state(b.states[0], viewer, b.masks[0], scratch.stream)
    b.states[0].visibility = settings.visibility


@kernel
def begin(tree, b, scratch, net, view, viewer, settings, reuse):
    """Continue with what an earlier search of this game found for this position, or start a new tree."""
    scratch.stream[0] = mix(scratch.seed[0])
    determinize(b, scratch, view, viewer, settings)
    key = key_of(b.words[0], b.visibility_mask[viewer])
    root = find(tree, key) if reuse else NONE
    if root == NONE:
        clear(tree)
    else:
        cut(tree, root, scratch.moved)
    tree.keys[ROOT] = key
    scratch.outcomes[:] = 0
    legal(b.states[0], scratch.mask)
    actions = scratch.open[: list_legal(scratch.mask_words, scratch.open)]
    set_priors(tree, ROOT, b.states[0], viewer, scratch.mask, actions, scratch, net, settings, scratch.root_priors)


@inlined
def simulate(tree, b, scratch, net, view, viewer, settings, action):
    """One determinization, one path down the tree, one rollout. `action` is the root's, or NONE to select it by PUCT.

    The n-th simulation of one root action begins with the same randomness as the n-th of any other: what differs is due to the action.
    """
    s, words, mask, mask_words, nodes, stream = b.states[0], b.words[0], b.masks[0], b.mask_words[0], scratch.nodes, scratch.stream
    actions = scratch.open[: list_legal(scratch.mask_words, scratch.open)]
    visits = link_children(tree, ROOT, scratch.mask, actions, nodes)
    if action == NONE:
        action = select(tree, ROOT, viewer, actions, scratch.root_priors, nodes, visits, settings)
    seen = 0 if nodes[action] == NONE else tree.visits[nodes[action]]
    stream[0] = mix(scratch.seed[0] ^ np.uint64(seen + 1))
    determinize(b, scratch, view, viewer, settings)
    node, leaf, depth = np.int64(ROOT), np.int64(NONE), 0
    scratch.path[0] = node
    while True:
        child = np.int64(nodes[action])
        is_new = child == NONE
        if is_new:
            child = add(tree, node, action)
            leaf = child
        count = play(s, action, mask, mask_words, stream)
        if child == NONE:
            break
        depth += 1
        scratch.path[depth] = child
        node = child
        if is_new and s.status == Status.RUNNING and s.seat == viewer:
            tree.keys[node] = key_of(words, b.visibility_mask[viewer])
        if is_new or s.status != Status.RUNNING or depth + 1 == scratch.path.size:
            break
        me = np.int64(s.seat)
        actions = scratch.open[: list_legal(mask_words, scratch.open)]
        set_priors(tree, node, s, me, mask, actions, scratch, net, settings, scratch.values)
        visits = link_children(tree, node, mask, actions, nodes)
        action = select(tree, node, me, actions, scratch.values, nodes, visits, settings)
    play_out(s, mask, mask_words, count, scratch, net, settings)
    if s.status == Status.RUNNING:
        estimate(tree, leaf, s, mask, mask_words, scratch, net, settings)
    else:
        score(s, b.results[0])
        terminal_outcome(b.results[0], settings, scratch.outcome)
    for step in range(depth + 1):
        tree.visits[scratch.path[step]] += 1
    for seat in range(scratch.outcome.shape[1]):
        scratch.outcomes[REWARD, seat] += scratch.outcome[REWARD, seat]
        scratch.outcomes[MARGIN, seat] += scratch.outcome[MARGIN, seat]
        value = value_of(scratch.outcome, seat, settings)
        for step in range(depth + 1):
            tree.value_sum[scratch.path[step], seat] += value


@kernel
def is_decided(tree, left):
    """Whether no other action can become the most visited one in the simulations that are left."""
    most, second = 0, 0
    child = tree.children[ROOT]
    while child != NONE:
        visits = tree.visits[child]
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
        child = tree.siblings[child]
    return most - second > left


@kernel
def most_visited(tree, viewer):
    """The root's most visited action, and among equals the one with the highest value."""
    best = NONE
    child = tree.children[ROOT]
    while child != NONE:
        if best == NONE or tree.visits[child] > tree.visits[best]:
            best = child
        elif tree.visits[child] == tree.visits[best] and tree.value_sum[child, viewer] > tree.value_sum[best, viewer]:
            best = child
        child = tree.siblings[child]
    return tree.actions[best]


@kernel
def sort_considered(tree, scratch, viewer, settings, count):
    """Put the first `count` considered actions in order: the best by Gumbel noise, logit and value first."""
    most = 0
    for k in range(count):
        scratch.nodes[scratch.considered[k]] = NONE
    child = tree.children[ROOT]
    while child != NONE:
        most = max(most, tree.visits[child])
        scratch.nodes[tree.actions[child]] = child
        child = tree.siblings[child]
    fpu = tree.value_sum[ROOT, viewer] / tree.visits[ROOT] if tree.visits[ROOT] > 0 else 0.5
    scale = (VALUE_VISITS + most) * settings.value_scale
    for k in range(count):
        action = scratch.considered[k]
        child = scratch.nodes[action]
        mean = fpu if child == NONE else tree.value_sum[child, viewer] / tree.visits[child]
        value = scratch.gumbel[action] + log(max(scratch.root_priors[action], 1e-30)) + scale * mean
        place = k
        while place > 0 and scratch.values[scratch.considered[place - 1]] < value:
            scratch.considered[place] = scratch.considered[place - 1]
            place -= 1
        scratch.considered[place] = action
        scratch.values[action] = value


@kernel
def begin_halving(tree, scratch, viewer, settings, simulations):
    """Prepare sequential halving over the root's actions with Gumbel noise (Danihelka, Guez, Schrittwieser, Silver 2022)."""
    count = list_legal(scratch.mask_words, scratch.considered)
    scratch.stream[0] = mix(scratch.seed[0] ^ _GUMBEL)
    for k in range(count):
        action = scratch.considered[k]
        uniform = (np.float64(next_number(scratch.stream) >> _11) + 0.5) * _53
        scratch.gumbel[action] = -log(-log(uniform)) * settings.gumbel
    sort_considered(tree, scratch, viewer, settings, count)
    count = min(count, settings.considered)
    phases = 1
    while (1 << phases) < count:
        phases += 1
    halving = scratch.halving
    halving[COUNT] = count
    halving[PHASES] = phases
    halving[PLACE] = 0
    halving[ROUNDS] = max(1, simulations // (phases * count))


@kernel
def next_considered(tree, scratch, viewer, settings, simulations):
    """The next root action of sequential halving: all in turn, and after their rounds the better half of them."""
    halving = scratch.halving
    if halving[PLACE] == halving[COUNT]:
        halving[PLACE] = 0
        halving[ROUNDS] -= 1
        if halving[ROUNDS] == 0:
            sort_considered(tree, scratch, viewer, settings, halving[COUNT])
            halving[COUNT] = max(min(halving[COUNT], 2), halving[COUNT] // 2)
            halving[ROUNDS] = max(1, simulations // (halving[PHASES] * halving[COUNT]))
    action = scratch.considered[halving[PLACE]]
    halving[PLACE] += 1
    return action


@kernel
def grow(tree, b, scratch, net, view, viewer, settings, simulations, later):
    """Run simulations, after which `later` more may follow; fewer if no more can change the answer. Returns the best action."""
    is_halving = settings.considered > 0
    if is_halving:
        begin_halving(tree, scratch, viewer, settings, simulations)
    for done in range(simulations):
        action = np.int64(NONE)
        if is_halving:
            action = next_considered(tree, scratch, viewer, settings, simulations)
        elif done % ROUND == 0 and is_decided(tree, simulations - done + later):
            break
        simulate(tree, b, scratch, net, view, viewer, settings, action)
    if is_halving:
        sort_considered(tree, scratch, viewer, settings, scratch.halving[COUNT])
        return scratch.considered[0]
    return np.int64(most_visited(tree, viewer))
