"""Information-set Monte-Carlo tree search, written once and compiled for each game: a template, as envs/core/loops.py is.

One tree for the seat that thinks (Cowling, Powley, Whitehouse 2012). Each iteration re-deals what that seat cannot know, walks down the
tree along actions that are legal in this world, adds one node, plays the game on, to its end or to a horizon where a network tells the
rest, and gives every node on its way what each seat got out of it. A seat on the way chooses by its own gains (max^n). Chance is drawn anew
in each iteration, so a node stands for a row of actions, and its figures are averages over worlds and dice.

Set before it runs: the bot's `rate`, and `legal`, `play`, `redeal_world`, `score` and `observe` around the game's rules.
"""

from collections.abc import Callable
from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np

from tradewinds.agents.search.value_net import MARGIN, REWARD, expect, rate_actions, think
from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.core.engine.masks import best_legal, list_legal, nth_legal
from tradewinds.envs.core.engine.rng import below, mix
from tradewinds.envs.core.spec.fields import Status, Visibility

# Set before this file runs.
rate: Callable[..., Any]
legal: Callable[..., Any]
play: Callable[..., Any]
redeal_world: Callable[..., Any]
score: Callable[..., Any]
observe: Callable[..., Any]

NONE = -1
ROOT = 0
ROUND = 32  # iterations between two looks at whether to go on
CERTAIN = 1_000_000  # what a lot for rollout noise is drawn from


class Tree(NamedTuple):
    """Nodes in the order in which they were added: a parent always stands before its children."""

    size: np.ndarray  # int64 (1,): nodes in use
    actions: np.ndarray  # int16 (capacity,): what leads from the parent here
    parents: np.ndarray  # int32 (capacity,)
    children: np.ndarray  # int32 (capacity,): the first child
    siblings: np.ndarray  # int32 (capacity,): the next child of the same parent
    visits: np.ndarray  # int32 (capacity,)
    gains: np.ndarray  # float64 (capacity, players): the sum over visits, from 0 for lost to 1 for won
    keys: np.ndarray  # uint64 (capacity,): what the thinking seat saw here when the node was added, if it was to move


class Scratch(NamedTuple):
    weights: np.ndarray  # float64: the style of the bot
    notes: np.ndarray  # float64: the bot's own scratch
    values: np.ndarray  # float64 (actions,): what the bot thinks of actions
    first: np.ndarray  # float64 (actions,): the priors of the root
    mask: np.ndarray  # bool (actions and padding): what is legal at the root
    mask_words: np.ndarray  # uint64: the same memory, eight actions a word
    open: np.ndarray  # int64 (actions,): what is legal at the present node, one after the other
    nodes: np.ndarray  # int32 (actions,): the child of the present node by action
    path: np.ndarray  # int32 (depth,): the nodes of this iteration
    moved: np.ndarray  # int32 (capacity,): new places, while a tree is cut
    seed: np.ndarray  # uint64 (1,): all randomness of the search comes from it
    stream: np.ndarray  # uint64 (1,): the randomness of this iteration
    worth: np.ndarray  # float64 (players,): what this iteration gave each seat
    seen: np.ndarray  # float32 (D,): what a seat sees of an unfinished game
    layers: np.ndarray  # float32 (3, width): what a network makes of it


class Settings(NamedTuple):
    explore: float  # how much an action's prior counts against what was found
    temperature: float  # priors are softmax(values / temperature); 0: all the same
    noise: int  # of CERTAIN: how often a rollout plays by lot; CERTAIN: it never asks the bot
    margin: float  # part of the gain that is the margin in points, not the win itself
    spread: float  # a margin of so many points counts half of all
    visibility: int  # of the game; what the seat knows may be more, if it counted along
    is_guided: bool  # priors are the network's policy, not the bot's ratings
    horizon: int  # decisions played out before the network tells the rest; 0: all


@kernel
def key_of(words, visibility_mask):
    """What a seat sees, as one number."""
    key = np.uint64(words.size)
    for word in range(words.size):
        key = mix(key ^ (words[word] | visibility_mask[word]))
    return key


@kernel
def clear(tree):
    tree.size[0] = 1
    tree.actions[ROOT] = NONE
    tree.parents[ROOT] = NONE
    tree.children[ROOT] = NONE
    tree.siblings[ROOT] = NONE
    tree.visits[ROOT] = 0
    tree.gains[ROOT, :] = 0
    tree.keys[ROOT] = 0


@kernel
def find(tree, key):
    """The most visited node where the thinking seat saw this, or NONE."""
    best = NONE
    for node in range(tree.size[0]):
        if tree.keys[node] == key and (best == NONE or tree.visits[node] > tree.visits[best]):
            best = node
    return best


@kernel
def cut(tree, root, moved):
    """Keep what lies under one node, which becomes the root."""
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
        for seat in range(tree.gains.shape[1]):
            tree.gains[kept, seat] = tree.gains[node, seat]
        tree.keys[kept] = tree.keys[node]
        tree.parents[kept] = parent
        tree.children[kept] = NONE
        if parent != NONE:
            tree.siblings[kept] = tree.children[parent]
            tree.children[parent] = kept
        kept += 1
    tree.siblings[ROOT] = NONE
    tree.size[0] = kept


@kernel
def set_priors(s, me, mask, actions, scratch, net, settings, values):
    """The prior of each of these actions, all that are legal: they sum to 1."""
    temperature = settings.temperature
    if settings.is_guided:
        consider(s, me, scratch, net)
        rate_actions(net, scratch.layers[1], mask, values)
        temperature = 1.0
    elif temperature == 0:
        for action in actions:
            values[action] = 1.0 / actions.size
        return
    else:
        rate(s, me, mask, scratch.weights, scratch.notes, values)
    best = -np.inf
    for action in actions:
        if values[action] > best:
            best = values[action]
    total = 0.0
    for action in actions:
        values[action] = exp((values[action] - best) / temperature)
        total += values[action]
    for action in actions:
        values[action] /= total


@kernel
def choose(tree, node, me, mask, actions, priors, nodes, settings):
    """The legal action that is most promising for the seat to move, by what was found and by its prior (PUCT, Rosin 2011).

    Leaves the node's children in `nodes`, by action.
    """
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
    hope = tree.gains[node, me] / tree.visits[node] if tree.visits[node] > 0 else 0.5
    reach = settings.explore * sqrt(visits + 1.0)
    best, best_score = np.int64(NONE), -np.inf
    for action in actions:
        child = nodes[action]
        seen = 0 if child == NONE else tree.visits[child]
        mean = hope if seen == 0 else tree.gains[child, me] / seen
        promise = mean + reach * priors[action] / (1 + seen)
        if promise > best_score:
            best, best_score = action, promise
    return best


@kernel
def add(tree, parent, action):
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
    tree.gains[node, :] = 0
    tree.keys[node] = 0
    return node


@kernel
def play_out(s, mask, words, count, scratch, settings):
    """To the end of the game or to the horizon, by the bot with some noise, or by lot alone."""
    stream, left = scratch.stream, settings.horizon
    while s.status == Status.RUNNING:
        if settings.noise == CERTAIN or (settings.noise > 0 and below(stream, CERTAIN) < settings.noise):
            action = nth_legal(words, below(stream, count))
        else:
            rate(s, np.int64(s.seat), mask, scratch.weights, scratch.notes, scratch.values)
            action = best_legal(words, scratch.values, stream)
        count = play(s, action, mask, words, stream)
        left -= 1
        if left == 0:
            return


@kernel
def consider(s, me, scratch, net):
    """What the network makes of what a seat would see if it counted along: leaves it in layers[1]."""
    visibility = s.visibility
    s.visibility = Visibility.OPEN
    observe(s, me, scratch.seen)
    s.visibility = visibility
    think(net, scratch.seen, scratch.layers)


@kernel
def estimate(s, scratch, net, settings):
    """What each seat will get of a game that goes on, by what the network expects of the win and of the margin."""
    me, players = np.int64(s.seat), scratch.worth.size
    consider(s, me, scratch, net)
    for turn in range(players):
        won = expect(net, scratch.layers[1], REWARD, turn) + 1.0 / players
        ahead = expect(net, scratch.layers[1], MARGIN, turn)
        worth = (1 - settings.margin) * won + settings.margin * (0.5 + 0.5 * ahead)
        scratch.worth[(me + turn) % players] = min(max(worth, 0.0), 1.0)


@kernel
def weigh(results, settings, worth):
    """From scores and ranks to what each seat got: its part of the win, and how far it is ahead or behind."""
    players = worth.size
    winners = 0
    for seat in range(players):
        if results[1, seat] == 1:
            winners += 1
    for seat in range(players):
        best_other = np.int64(-(2**31))
        for other in range(players):
            if other != seat and results[0, other] > best_other:
                best_other = np.int64(results[0, other])
        ahead = np.float64(results[0, seat] - best_other)
        won = 1.0 / winners if results[1, seat] == 1 else 0.0
        worth[seat] = (1 - settings.margin) * won + settings.margin * (0.5 + 0.5 * ahead / (abs(ahead) + settings.spread))


@kernel
def deal(b, scratch, view, viewer, settings):
    """A world that fits the view."""
    words = b.words[0]
    for word in range(words.size):
        words[word] = view[word]
    redeal_world(b.states[0], viewer, b.masks[0], scratch.stream)
    b.states[0].visibility = settings.visibility


@kernel
def begin(tree, b, scratch, net, view, viewer, settings, reuse):
    """Go on with what an earlier search of this game found for this position, or start anew."""
    scratch.stream[0] = mix(scratch.seed[0])
    deal(b, scratch, view, viewer, settings)
    key = key_of(b.words[0], b.visibility_mask[viewer])
    root = find(tree, key) if reuse else NONE
    if root == NONE:
        clear(tree)
    else:
        cut(tree, root, scratch.moved)
    tree.keys[ROOT] = key
    legal(b.states[0], scratch.mask)
    actions = scratch.open[: list_legal(scratch.mask_words, scratch.open)]
    set_priors(b.states[0], viewer, scratch.mask, actions, scratch, net, settings, scratch.first)


@kernel
def iterate(tree, b, scratch, net, view, viewer, settings):
    """One world, one way down the tree, one game played on.

    The n-th game after one action begins in the same world as the n-th after any other: what differs then is due to the action.
    """
    s, words, mask, mask_words, nodes, stream = b.states[0], b.words[0], b.masks[0], b.mask_words[0], scratch.nodes, scratch.stream
    actions = scratch.open[: list_legal(scratch.mask_words, scratch.open)]
    action = choose(tree, ROOT, viewer, scratch.mask, actions, scratch.first, nodes, settings)
    seen = 0 if nodes[action] == NONE else tree.visits[nodes[action]]
    stream[0] = mix(scratch.seed[0] ^ np.uint64(seen + 1))
    deal(b, scratch, view, viewer, settings)
    node, depth = np.int64(ROOT), 0
    scratch.path[0] = node
    while True:
        child = np.int64(nodes[action])
        is_new = child == NONE
        if is_new:
            child = add(tree, node, action)
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
        set_priors(s, me, mask, actions, scratch, net, settings, scratch.values)
        action = choose(tree, node, me, mask, actions, scratch.values, nodes, settings)
    play_out(s, mask, mask_words, count, scratch, settings)
    if s.status == Status.RUNNING:
        estimate(s, scratch, net, settings)
    else:
        score(s, b.results[0])
        weigh(b.results[0], settings, scratch.worth)
    for step in range(depth + 1):
        node = scratch.path[step]
        tree.visits[node] += 1
        for seat in range(scratch.worth.size):
            tree.gains[node, seat] += scratch.worth[seat]


@kernel
def is_decided(tree, left):
    """Whether no other action can become the most visited one in the iterations that are left."""
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
def grow(tree, b, scratch, net, view, viewer, settings, iterations, later):
    """So many iterations, after which `later` more may follow; fewer if no more can change the answer."""
    for done in range(iterations):
        if done % ROUND == 0 and is_decided(tree, iterations - done + later):
            return
        iterate(tree, b, scratch, net, view, viewer, settings)


@kernel
def most_visited(tree, viewer):
    """The root's child that was tried most, and of those the best."""
    best = NONE
    child = tree.children[ROOT]
    while child != NONE:
        if best == NONE or tree.visits[child] > tree.visits[best]:
            best = child
        elif tree.visits[child] == tree.visits[best] and tree.gains[child, viewer] > tree.gains[best, viewer]:
            best = child
        child = tree.siblings[child]
    return tree.actions[best]
