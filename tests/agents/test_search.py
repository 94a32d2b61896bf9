"""Tree search, on every game."""

from pathlib import Path

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, every_game, random_play
from tradewinds import agents
from tradewinds.agents.bot import bot_of
from tradewinds.agents.search import Search, tree_of, values
from tradewinds.envs.core.kernel import JIT
from tradewinds.training import arena
from tradewinds.training.values import collect, fit, worths

ITERATIONS = amount(60, 4)


def some_decisions(name: str, steps: int) -> tw.Batch:
    batch = tw.make_batch(name, 4, seed=2)
    for _ in random_play(batch, steps):
        pass
    return batch


def visits(tree, node: int) -> int:
    """Of all children together."""
    total, child = 0, tree.children[node]
    while child >= 0:
        total += tree.visits[child]
        child = tree.siblings[child]
    return int(total)


@every_game()
@pytest.mark.parametrize("rollout", ["scripted", "random"])
def test_search_plays_legal_actions_and_the_same_ones_again(name: str, rollout: str) -> None:
    batch = some_decisions(name, 10)
    variant = batch.variant
    seeds = np.arange(4, dtype=np.uint64)
    for _ in range(amount(12, 1)):
        first, second = (Search(variant, iterations=ITERATIONS, rollout=rollout).act(batch.decisions(seeds=seeds)) for _ in range(2))
        assert first.tolist() == second.tolist()
        batch.step(first)


@every_game()
def test_search_never_reads_what_its_seat_cannot_know(name: str) -> None:
    batch = some_decisions(name, 25)
    other = tw.make_batch(name, 4, seed=2)
    seeds, streams = np.arange(4, dtype=np.uint64), np.arange(4, dtype=np.uint64).reshape(-1, 1)
    differed = False
    for _ in range(amount(12, 2)):
        other._b.words[:] = batch._b.words
        batch._loops.redeal_all(other._b, batch.seats.copy(), streams)
        differed |= batch.states.tobytes() != other.states.tobytes()
        other._b.mask_words[:] = batch._b.mask_words
        other._b.seats[:] = batch._b.seats
        tried = [Search(batch.variant, iterations=ITERATIONS).visits(b.decisions(np.arange(1), seeds[:1])).tolist() for b in (batch, other)]
        assert tried[0] == tried[1]
        batch.step(Search(batch.variant, iterations=ITERATIONS).act(batch.decisions(seeds=seeds)))
    assert differed


@every_game()
def test_every_iteration_goes_through_the_tree_once(name: str) -> None:
    batch = some_decisions(name, 10)
    search = Search(batch.variant, iterations=ITERATIONS)
    tried = search.visits(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    assert 0 < tried.sum() <= ITERATIONS
    assert (tried[~batch.masks[0]] == 0).all()
    tree = search._trees[0, int(batch.seats[0])]
    assert tree.visits[0] == tried.sum()
    for node in range(1, tree.size[0]):
        assert tree.parents[node] < node
        assert tree.gains[node].min() >= 0 and tree.gains[node].max() <= tree.visits[node]
        assert tree.visits[node] >= 1 + visits(tree, node)


@every_game()
def test_a_later_decision_goes_on_with_what_was_found(name: str) -> None:
    """A branch that is cut out holds the same figures, whatever was thrown away around it."""
    batch = some_decisions(name, 10)
    search = Search(batch.variant, iterations=amount(400, 12))
    decisions = batch.decisions(np.arange(1), np.zeros(1, np.uint64))
    search.act(decisions)
    kernels, tree = tree_of(batch.variant.game), search._trees[0, int(batch.seats[0])]
    node = max(range(1, int(tree.size[0])), key=lambda node: (visits(tree, node), node))
    below, total, before = visits(tree, node), int(tree.visits[node]), tree.gains[node].copy()
    kernels.cut(tree, node, search._scratch.moved)
    assert tree.visits[0] == total and visits(tree, 0) == below
    assert (tree.gains[0] == before).all()
    assert tree.parents[0] == -1
    for kept in range(1, int(tree.size[0])):
        assert 0 <= tree.parents[kept] < kept


def test_reuse_finds_the_position_that_the_seat_sees() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, iterations=amount(300, 10))
    row, seeds = np.arange(1), np.zeros(1, np.uint64)
    once = search.visits(batch.decisions(row, seeds)).sum()
    search.iterations *= 4  # a bigger budget for the same decision, asked again
    assert search.visits(batch.decisions(row, seeds)).sum() > once
    fresh = Search(batch.variant, iterations=amount(300, 10), reuse=False)
    assert [fresh.visits(batch.decisions(row, seeds)).sum() for _ in range(2)] == [once, once]


def test_search_stops_early_only_when_more_could_not_change_the_answer() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, iterations=amount(200, 40), reuse=False)
    stopped = 0
    for row in range(batch.size):
        tried = np.sort(search.visits(batch.decisions(np.array([row]), np.zeros(1, np.uint64))))[::-1]
        left = search.iterations - tried.sum()
        stopped += left > 0
        assert left == 0 or tried[0] - tried[1] > left
    assert stopped


def test_a_full_tree_still_answers() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, iterations=amount(200, 8))
    search._capacity = 5
    action = search.act(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    assert batch.masks[0, action[0]]


def test_trees_of_finished_games_make_room() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, iterations=2)
    search._kept = 2
    search.act(batch.decisions(seeds=np.zeros(4, np.uint64)))
    assert [row for row, _ in search._trees] == [2, 3]


def test_a_budget_in_seconds_is_taken_as_well() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = agents.build("search:0.01s", batch.variant)
    action = search.act(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    assert batch.masks[0, action[0]]


@every_game()
def test_search_wins_against_random_play(name: str) -> None:
    games = amount(8, 0)
    if not games:
        pytest.skip("too slow as plain Python")
    variant = tw.game(name).with_options()
    assert arena.win_share(variant, agents.build("search:20", variant), agents.build("random", variant), games) > 0.7


@pytest.mark.parametrize("path", sorted(values.FOLDER.glob("*.npy")), ids=lambda path: path.stem)
def test_every_estimate_fits_its_variant_and_knows_something(path: Path) -> None:
    """In games that it has not seen, a seat that is about to win is rated above one that is about to lose."""
    name, players, *switches = path.stem.split("-")
    variant = tw.game(name).with_options(players=int(players), **dict.fromkeys(switches, True))
    assert values.file_of(variant) == path
    weights = values.weights_of(variant)
    assert weights is not None and np.isfinite(weights).all()
    if not JIT:
        pytest.skip("too few games as plain Python")
    counting = variant.game.with_options(**{**variant.options, "visibility": "open"})
    seen, got, _ = collect(counting, games=64, every=8, seed=99)
    clock = seen[:, :, counting.layout.slices[bot_of(name).clock].start]
    one = np.concatenate([seen, np.ones_like(seen[:, :, :1])], axis=2)
    rated = one @ weights[0] + (one @ weights[1]) * clock
    assert np.corrcoef(rated.ravel(), got.ravel())[0, 1] > 0.2


def test_a_fit_finds_what_decides_and_is_written_where_search_looks(tmp_path: Path) -> None:
    if not JIT:
        pytest.skip("too few games as plain Python")
    variant = tw.game("santiago_de_cuba").with_options(players=2)
    found = fit(variant, games=300, every=10)
    assert found.explained > 0.1
    np.save(values.file_of(variant, tmp_path), found.weights)
    read = values.weights_of(variant, tmp_path)
    assert read is not None and (read == found.weights).all()
    np.save(values.file_of(variant, tmp_path), found.weights[:, 1:])
    with pytest.raises(ValueError, match="does not fit the game: make it anew"):
        values.weights_of(variant, tmp_path)


def test_games_are_worth_the_same_to_the_fit_and_to_search() -> None:
    kernels = tree_of(tw.game("santiago_de_cuba"))
    settings = kernels.Settings(explore=0.3, temperature=1.0, noise=0, margin=0.8, spread=10.0, horizon=0)
    results = np.array([[30, 42, 42, 7], [3, 1, 1, 4]], np.int32)
    worth = np.zeros(4)
    kernels.weigh(results, settings, worth)
    assert worth == pytest.approx(worths(results[:1], results[1:], 10.0)[0])
    assert worth[1] == pytest.approx(0.2 / 2 + 0.8 * 0.5)


def test_a_horizon_needs_an_estimate() -> None:
    with pytest.raises(agents.AgentError, match="horizon=5 is not possible for puerto_rico-4-nobles: 0 plays games out to their end"):
        agents.make("search:10:horizon=5", "puerto_rico", nobles=True)
    assert agents.make("search:10:horizon=0", "puerto_rico", nobles=True)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("search", "'' is no budget: 1000 is so many iterations"),
        ("search:many", "'many' is no budget"),
        ("search:0", "0 iterations are not possible; at least 1"),
        ("search:-1s", "-1.0 seconds are not possible"),
        ("search:nans", "nan seconds are not possible"),
        ("search:10:depth=3", "no setting 'depth'; its settings are rollout"),
        ("search:10:rollout=best", "rollout is scripted or random"),
        ("search:10:noise=2", "noise is from 0 to 1"),
        ("search:10:explore=much", "explore=much is not possible"),
        ("search:10:style=odd", "the styles of santiago_de_cuba are"),
        ("search:10:reuse=maybe", "reuse=maybe is not possible"),
    ],
)
def test_a_bad_code_of_search_says_what_is_possible(code: str, words: str) -> None:
    with pytest.raises(agents.AgentError, match=words):
        agents.make(code, "santiago_de_cuba")
