"""Tree search, on every game."""

import json
import pickle
import time
from pathlib import Path

import numpy as np
import pytest
import torch

import tradewinds.envs as tw
from tests.contract.tools import amount, every_game, random_play
from tradewinds import agents
from tradewinds.agents.neural import Network, Shape, save_net
from tradewinds.agents.search import Search, nets
from tradewinds.agents.search.agent import PRETRAINED, tree_of
from tradewinds.agents.search.value_net import MARGIN, REWARD, expect, rate_actions, think
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.spec.fields import HIDDEN, Visibility
from tradewinds.training.evaluation import arena
from tradewinds.training.ppo import margins

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


def test_a_budget_in_seconds_is_searched_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = agents.build("search:0.5s", batch.variant)
    rounds = amount(40, 2)
    ticks = iter([0.0] * (rounds + 1) + [1.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    tried = search.visits(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    assert tried.sum() == rounds * tree_of(batch.variant.game).ROUND


@every_game()
def test_search_wins_against_random_play(name: str) -> None:
    games = amount(8, 0)
    if not games:
        pytest.skip("too slow as plain Python")
    variant = tw.game(name).with_options()
    assert arena.win_rate(variant, agents.build("search:20", variant), agents.build("random", variant), games) > 0.7


def test_with_perfect_recall_a_seat_knows_what_stands_behind_screens() -> None:
    """Unless the batch does not track history."""
    variant = tw.game("santiago_de_cuba").with_options(players=4)
    batch = Batch(variant, 2, seed=3)
    for _ in random_play(batch, 60):
        pass
    decisions, other = batch.decisions(np.arange(1), np.zeros(1, np.uint64)), (int(batch.seats[0]) + 1) % 4
    assert (decisions.views["goods"][0, other] == HIDDEN).all()
    assert (decisions.information_states["goods"] == batch.states["goods"][:1]).all()
    assert decisions.information_states["visibility"] == Visibility.OPEN
    again = pickle.loads(pickle.dumps(batch))
    assert (again.decisions().information_states["goods"] == batch.decisions().information_states["goods"]).all()
    forgetful = Batch(variant, 2, track_history=False)
    forgetful.load_state_dict(batch.state_dict())
    assert (forgetful.decisions().information_states["goods"] == forgetful.decisions().views["goods"]).all()
    assert not pickle.loads(pickle.dumps(forgetful)).track_history


@pytest.mark.parametrize(("name", "options"), [("container", {}), ("puerto_rico", {"new_buildings": True})])
def test_perfect_recall_shows_nothing_that_is_secret(name: str, options: dict[str, bool]) -> None:
    """Re-deal what cannot be deduced from the history: search does the same. Santiago de Cuba has no such thing."""
    variant = tw.game(name).with_options(**options)
    differed = False
    batch = Batch(variant, 4, seed=2)
    for _ in random_play(batch, 25):
        pass
    seeds, streams = np.arange(4, dtype=np.uint64), np.arange(4, dtype=np.uint64).reshape(-1, 1)
    for _ in range(amount(8, 1)):
        tried = Search(variant, iterations=ITERATIONS).visits(batch.decisions(np.arange(1), seeds[:1])).tolist()
        known = batch._b.words.copy()
        dealt = Batch(variant, 4, seed=2)
        dealt._b.words[:] = batch._b.words
        dealt._b.states["visibility"] = Visibility.OPEN
        batch._loops.redeal_all(dealt._b, batch.seats.copy(), streams)
        dealt._b.states["visibility"] = variant.visibility
        differed |= dealt._b.words.tobytes() != known.tobytes()
        batch._b.words[:] = dealt._b.words
        assert Search(variant, iterations=ITERATIONS).visits(batch.decisions(np.arange(1), seeds[:1])).tolist() == tried
        batch._b.words[:] = known
        batch.step(Search(variant, iterations=ITERATIONS).act(batch.decisions(seeds=seeds)))
    assert differed or name == "puerto_rico"  # whose forests are seldom drawn in random play


def test_one_game_alone_has_perfect_recall_too() -> None:
    env = tw.make("santiago_de_cuba", players=3)
    env.reset(seed=5)
    for _ in range(40):
        env.step(env.legal_actions()[0])
    decision = env.decision()
    assert (decision.information_states["points"] == env.record()["points"]).all() and (decision.views["points"] == HIDDEN).any()


@pytest.mark.parametrize("path", sorted(nets.FOLDER.glob("*-*")), ids=lambda path: path.name)
def test_every_network_of_search_fits_its_variant_and_knows_something(path: Path) -> None:
    """In games that it has not seen, a seat that is about to win is rated above one that is about to lose."""
    name, players, *switches = path.name.split("-")
    variant = nets.counting(tw.game(name).with_options(players=int(players), **dict.fromkeys(switches, True)))
    assert nets.network_of(variant) == path
    weights = nets.read_weights(path, variant)
    if not JIT:
        pytest.skip("too few games as plain Python")
    size = 64
    batch, bot = tw.make_batch(name, size, seed=99, **variant.options), agents.build("scripted", variant)
    seeds, layers = np.random.default_rng(1), np.zeros((3, weights.enter_bias.size), np.float32)
    is_over, got = np.zeros(size, np.bool_), np.zeros((size, variant.players))
    told: list[tuple[int, int, float]] = []  # row, seat, what it could expect
    for decision in range(4000):
        for row in np.flatnonzero(~is_over) if decision % 30 == 0 else ():
            think(weights, batch.observations[row].copy(), layers)
            told.append((int(row), int(batch.seats[row]), expect(weights, layers[1], MARGIN, 0)))
        batch.step(bot.act(batch.decisions(seeds=seeds.integers(0, 2**63, size).astype(np.uint64))))
        ended = batch.finished & ~is_over
        got[ended] = margins(batch.scores[ended], tw.game(name).score_scale)
        is_over |= ended
        if is_over.all():
            break
    assert is_over.all()
    rows, movers, expected = (np.array(column) for column in zip(*told, strict=True))
    assert np.corrcoef(expected, got[rows, movers])[0, 1] > 0.3


def test_a_compiled_network_tells_what_torch_tells(tmp_path: Path) -> None:
    variant = tw.game("santiago_de_cuba").with_options(players=3)
    torch.manual_seed(1)
    net = Network(Shape.of(nets.counting(variant), width=16, blocks=2))
    for tensor in net.parameters():
        torch.nn.init.normal_(tensor, 0, 0.3)
    save_net(tmp_path / "net", net, nets.counting(variant))
    weights = nets.read_weights(tmp_path / "net", variant)
    batch = tw.make_batch("santiago_de_cuba", 3, seed=4, players=3, visibility="open")
    with torch.inference_mode():
        logits, values = net(torch.from_numpy(batch.observations.copy()))
    layers, rated = np.zeros((3, 16), np.float32), np.zeros(weights.policy_bias.size)
    for row in range(batch.size):
        think(weights, batch.observations[row].copy(), layers)
        rate_actions(weights, layers[1], np.ones(rated.size, np.bool_), rated)
        assert rated == pytest.approx(logits[row].numpy(), rel=1e-4, abs=1e-4)
        told = [[expect(weights, layers[1], kind, turn) for turn in range(3)] for kind in (REWARD, MARGIN)]
        assert np.array(told) == pytest.approx(values[row].numpy(), rel=1e-4, abs=1e-4)
    guided = agents.build(f"search:20:net={tmp_path / 'net'}:guided=yes:horizon=2", variant)
    game = tw.make_batch("santiago_de_cuba", 2, seed=4, players=3)
    actions = guided.act(game.decisions(seeds=np.zeros(2, np.uint64)))
    assert game.masks[np.arange(2), actions].all()


def test_a_network_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    variant = tw.game("santiago_de_cuba").with_options(players=3)
    save_net(tmp_path / "masked_view", Network(Shape.of(variant, width=4, blocks=0)), variant)
    with pytest.raises(agents.AgentError, match="trained with visibility='rules'"):
        agents.build(f"search:10:net={tmp_path / 'masked_view'}", variant)
    with pytest.raises(agents.AgentError, match="does not exist"):
        agents.build(f"search:10:net={tmp_path / 'nowhere'}", variant)
    save_net(tmp_path / "open", Network(Shape.of(nets.counting(variant), width=4, blocks=0)), nets.counting(variant))
    other = Network(Shape.of(nets.counting(variant), width=8, blocks=0))
    save_net(tmp_path / "wide", other, nets.counting(variant))
    facts = json.loads((tmp_path / "wide" / "net.json").read_text())
    facts["network"]["width"] = 4
    (tmp_path / "wide" / "net.json").write_text(json.dumps(facts))
    with pytest.raises(agents.AgentError, match="tensors of another network"):
        agents.build(f"search:10:net={tmp_path / 'wide'}", variant)
    ranked = variant.game.with_options(**{**nets.counting(variant).options, "reward": "rank"})
    save_net(tmp_path / "ranked", Network(Shape.of(ranked, width=4, blocks=0)), ranked)
    with pytest.raises(agents.AgentError, match="trained with reward='rank'"):
        agents.build(f"search:10:net={tmp_path / 'ranked'}", variant)
    (tmp_path / "open" / "net.safetensors").write_bytes(b"")
    with pytest.raises(agents.AgentError, match="is damaged"):
        agents.build(f"search:10:net={tmp_path / 'open'}", variant)


def test_games_are_worth_the_same_to_the_trainer_and_to_search() -> None:
    """A win is worth what the network is taught: the reward, and the margin."""
    kernels = tree_of(tw.game("santiago_de_cuba"))
    settings = Search(tw.game("santiago_de_cuba").with_options(), iterations=1)._settings._replace(margin=1.0, spread=10.0)
    results = np.array([[30, 42, 42, 7], [3, 1, 1, 4]], np.int32)
    worth = np.zeros(4)
    kernels.weigh(results, settings, worth)
    assert worth == pytest.approx(0.5 + 0.5 * margins(results[:1], 10.0)[0])
    kernels.weigh(results, settings._replace(margin=0.8), worth)
    assert worth[1] == pytest.approx(0.2 / 2 + 0.8 * 0.5)


def test_pretrained_is_found_by_its_set_up() -> None:
    found = agents.make("pretrained", "santiago_de_cuba", players=4)
    assert isinstance(found, Search) and found.iterations == PRETRAINED
    with pytest.raises(agents.AgentError, match=r"no pretrained network for santiago_de_cuba-3; there are .*santiago_de_cuba-4"):
        agents.make("pretrained", "santiago_de_cuba", players=3)
    with pytest.raises(agents.AgentError, match="pretrained takes no setting"):
        agents.make("pretrained:strong", "santiago_de_cuba", players=4)


def test_a_horizon_needs_a_network() -> None:
    with pytest.raises(agents.AgentError, match="horizon=5 is not possible for puerto_rico-4-nobles without net=PATH"):
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
