"""Tree search, on every game."""

import json
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tradewinds.envs as tw
from tests.contract.tools import amount, every_game, random_play
from tradewinds import agents
from tradewinds.agents.neural import NetError, Network, Shape, checkpoint, save_net
from tradewinds.agents.neural.inputs import PolicySpec
from tradewinds.agents.search import Search
from tradewinds.agents.search.agent import CONSIDERED, _children, kernels_of
from tradewinds.agents.search.value_net import MARGIN, REWARD, arrange, forward, logit, seat_value
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.spec.fields import HIDDEN, Visibility
from tradewinds.envs.core.spec.game import Variant
from tradewinds.training.evaluation import arena
from tradewinds.training.evaluation.stats import squashed_margins as margins

SIMULATIONS = amount(60, 4)


def some_decisions(name: str, steps: int, track_history: bool = True) -> tw.Batch:
    batch = tw.make_batch(name, 4, seed=2, track_history=track_history)
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
        first, second = (Search(variant, simulations=SIMULATIONS, rollout=rollout).act(batch.decisions(seeds=seeds)) for _ in range(2))
        assert first.tolist() == second.tolist()
        batch.step(first)


@every_game()
def test_search_never_reads_what_its_seat_cannot_know(name: str) -> None:
    batch = some_decisions(name, 25, track_history=False)
    other = tw.make_batch(name, 4, seed=2, track_history=False)
    seeds, streams = np.arange(4, dtype=np.uint64), np.arange(4, dtype=np.uint64).reshape(-1, 1)
    differed = False
    for _ in range(amount(12, 2)):
        other._b.words[:] = batch._b.words
        batch._loops.redeal_all(other._b, batch.seats.copy(), streams)
        differed |= batch.states.tobytes() != other.states.tobytes()
        other._b.mask_words[:] = batch._b.mask_words
        other._b.seats[:] = batch._b.seats
        tried = [
            Search(batch.variant, simulations=SIMULATIONS).visits(b.decisions(np.arange(1), seeds[:1])).tolist() for b in (batch, other)
        ]
        assert tried[0] == tried[1]
        batch.step(Search(batch.variant, simulations=SIMULATIONS).act(batch.decisions(seeds=seeds)))
    assert differed


@every_game()
def test_every_simulation_goes_through_the_tree_once(name: str) -> None:
    batch = some_decisions(name, 10)
    search = Search(batch.variant, simulations=SIMULATIONS)
    tried = search.visits(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    assert 0 < tried.sum() <= SIMULATIONS
    assert (tried[~batch.masks[0]] == 0).all()
    tree = search._trees[0, int(batch.seats[0])][0]
    assert tree.visits[0] == tried.sum()
    for node in range(1, tree.size[0]):
        assert tree.parents[node] < node
        assert tree.value_sum[node].min() >= 0 and tree.value_sum[node].max() <= tree.visits[node]
        assert tree.visits[node] >= 1 + visits(tree, node)


@pytest.mark.slow
@every_game()
def test_a_later_decision_goes_on_with_what_was_found(name: str) -> None:
    """A branch that is cut out holds the same figures, whatever was thrown away around it."""
    batch = some_decisions(name, 10)
    search = Search(batch.variant, simulations=amount(400, 12))
    decisions = batch.decisions(np.arange(1), np.zeros(1, np.uint64))
    search.act(decisions)
    kernels, tree = kernels_of(batch.variant.game), search._trees[0, int(batch.seats[0])][0]
    node = max(range(1, int(tree.size[0])), key=lambda node: (visits(tree, node), node))
    below, total, before = visits(tree, node), int(tree.visits[node]), tree.value_sum[node].copy()
    kernels.cut(tree, node, search._workers[0].scratch.moved)
    assert tree.visits[0] == total and visits(tree, 0) == below
    assert (tree.value_sum[0] == before).all()
    assert tree.parents[0] == -1
    for kept in range(1, int(tree.size[0])):
        assert 0 <= tree.parents[kept] < kept


def test_reuse_finds_the_position_that_the_seat_sees() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, simulations=amount(300, 10))
    row, seeds = np.arange(1), np.zeros(1, np.uint64)
    once = search.visits(batch.decisions(row, seeds)).sum()
    search.simulations = amount(1200, 40)  # a bigger budget for the same decision, asked again
    assert search.visits(batch.decisions(row, seeds)).sum() > once
    fresh = Search(batch.variant, simulations=amount(300, 10), reuse=False)
    assert [fresh.visits(batch.decisions(row, seeds)).sum() for _ in range(2)] == [once, once]


def test_search_stops_early_only_when_more_could_not_change_the_answer() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, simulations=amount(200, 40), reuse=False)
    stopped = 0
    for row in range(batch.size):
        tried = np.sort(search.visits(batch.decisions(np.array([row]), np.zeros(1, np.uint64))))[::-1]
        left = search.simulations - tried.sum()
        stopped += left > 0
        assert left == 0 or tried[0] - tried[1] > left
    assert stopped


def test_a_full_tree_still_answers() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, simulations=amount(200, 8))
    search._capacity = 5
    action = search.act(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    assert batch.masks[0, action[0]]


def test_trees_of_finished_games_make_room() -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = Search(batch.variant, simulations=2)
    search._kept = 2
    search.act(batch.decisions(seeds=np.zeros(4, np.uint64)))
    assert [row for row, _ in search._trees] == [2, 3]


@pytest.mark.slow
def test_a_budget_in_seconds_is_searched_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = some_decisions("santiago_de_cuba", 10)
    search = agents.build("search:0.5s", batch.variant)
    rounds = amount(40, 2)
    ticks = iter([0.0] * (rounds + 1) + [1.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    tried = search.visits(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    assert tried.sum() == rounds * kernels_of(batch.variant.game).ROUND


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
        tried = Search(variant, simulations=SIMULATIONS).visits(batch.decisions(np.arange(1), seeds[:1])).tolist()
        known = batch._b.words.copy()
        dealt = Batch(variant, 4, seed=2)
        dealt._b.words[:] = batch._b.words
        dealt._b.states["visibility"] = Visibility.OPEN
        batch._loops.redeal_all(dealt._b, batch.seats.copy(), streams)
        dealt._b.states["visibility"] = variant.visibility
        differed |= dealt._b.words.tobytes() != known.tobytes()
        batch._b.words[:] = dealt._b.words
        assert Search(variant, simulations=SIMULATIONS).visits(batch.decisions(np.arange(1), seeds[:1])).tolist() == tried
        batch._b.words[:] = known
        batch.step(Search(variant, simulations=SIMULATIONS).act(batch.decisions(seeds=seeds)))
    assert differed or name == "puerto_rico"  # whose forests are seldom drawn in random play


def test_one_game_alone_has_perfect_recall_too() -> None:
    env = tw.make("santiago_de_cuba", players=3)
    env.reset(seed=5)
    for _ in range(40):
        env.step(env.legal_actions()[0])
    decision = env.decision()
    assert (decision.information_states["points"] == env.record()["points"]).all() and (decision.views["points"] == HIDDEN).any()


def test_a_compiled_network_tells_what_torch_tells(tmp_path: Path) -> None:
    variant = tw.game("santiago_de_cuba").with_options(players=3)
    torch.manual_seed(1)
    net = Network(Shape.of(checkpoint.open_variant(variant), width=16, blocks=2))
    for tensor in net.parameters():
        torch.nn.init.normal_(tensor, 0, 0.3)
    save_net(tmp_path / "net", net, checkpoint.open_variant(variant))
    weights = arrange(checkpoint.read_for_search(tmp_path / "net", variant)[0])
    batch = tw.make_batch("santiago_de_cuba", 3, seed=4, players=3, visibility="open")
    with torch.inference_mode():
        logits, values = net(torch.from_numpy(batch.observations.copy()))
    layers, actions = np.zeros((3, 16), np.float32), weights.policy_bias.size
    for row in range(batch.size):
        forward(weights, batch.observations[row].copy(), layers)
        assert [logit(weights, layers[1], action) for action in range(actions)] == pytest.approx(logits[row].numpy(), rel=1e-4, abs=1e-4)
        told = [[seat_value(weights, layers[1], kind, turn) for turn in range(3)] for kind in (REWARD, MARGIN)]
        assert np.array(told) == pytest.approx(values[row].numpy(), rel=1e-4, abs=1e-4)
    guided = agents.build(f"search:20:net={tmp_path / 'net'}:prior=policy:horizon=2", variant)
    game = tw.make_batch("santiago_de_cuba", 2, seed=4, players=3)
    played = guided.act(game.decisions(seeds=np.zeros(2, np.uint64)))
    assert game.masks[np.arange(2), played].all()


def test_a_network_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    variant = tw.game("santiago_de_cuba").with_options(players=3)
    save_net(tmp_path / "masked_view", Network(Shape.of(variant, width=4, blocks=0)), variant)
    with pytest.raises(agents.AgentError, match="trained with visibility='rules'"):
        agents.build(f"search:10:net={tmp_path / 'masked_view'}", variant)
    with pytest.raises(agents.AgentError, match="does not exist"):
        agents.build(f"search:10:net={tmp_path / 'nowhere'}", variant)
    save_net(tmp_path / "open", Network(Shape.of(checkpoint.open_variant(variant), width=4, blocks=0)), checkpoint.open_variant(variant))
    other = Network(Shape.of(checkpoint.open_variant(variant), width=8, blocks=0))
    save_net(tmp_path / "wide", other, checkpoint.open_variant(variant))
    facts = json.loads((tmp_path / "wide" / "net.json").read_text())
    facts["network"]["width"] = 4
    (tmp_path / "wide" / "net.json").write_text(json.dumps(facts))
    with pytest.raises(agents.AgentError, match="tensors of another network"):
        agents.build(f"search:10:net={tmp_path / 'wide'}", variant)
    ranked = variant.game.with_options(**{**checkpoint.open_variant(variant).options, "reward": "rank"})
    save_net(tmp_path / "ranked", Network(Shape.of(ranked, width=4, blocks=0)), ranked)
    with pytest.raises(agents.AgentError, match="trained with reward='rank'"):
        agents.build(f"search:10:net={tmp_path / 'ranked'}", variant)
    (tmp_path / "open" / "net.safetensors").write_bytes(b"")
    with pytest.raises(agents.AgentError, match="is damaged"):
        agents.build(f"search:10:net={tmp_path / 'open'}", variant)


GAME = "santiago_de_cuba"
INFORMATION_STATE = PolicySpec("information_state")
RESIDUAL = PolicySpec("information_state", "scripted", "shipper", temperature=0.2, clip=6.0)
RICH = PolicySpec("information_state", "scripted", "shipper", temperature=0.2, clip=6.0, encoding="rich")


def random_network(folder: Path, variant: Variant, spec: PolicySpec = INFORMATION_STATE, scale: float = 0.3) -> dict[str, np.ndarray]:
    """Write a network with random weights that reads the information state. Returns its tensors."""
    torch.manual_seed(1)
    net = Network(Shape(spec.inputs(variant), len(variant.game.actions), variant.players, width=16, blocks=2, has_base=spec.base != "none"))
    for tensor in net.parameters():
        torch.nn.init.normal_(tensor, 0, scale)
    save_net(folder, net, variant, spec=spec)
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}


def plain_network(tensors: dict[str, np.ndarray], inputs: np.ndarray, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits (A,) and values (2, players) by plain numpy."""

    def linear(name: str, x: np.ndarray) -> np.ndarray:
        return tensors[f"{name}.weight"] @ x + tensors[f"{name}.bias"]

    def norm(name: str, x: np.ndarray) -> np.ndarray:
        return (x - x.mean()) / np.sqrt(x.var() + 1e-5) * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    x = linear("enter", inputs)
    for block in range(2):
        x = x + linear(f"blocks.{block}.join", np.maximum(linear(f"blocks.{block}.widen", norm(f"blocks.{block}.norm", x)), 0))
    x = np.maximum(norm("norm", x), 0)
    return linear("policy", x), linear("value", x).reshape(2, players)


def two_views(steps: int, encoding: str = "compact") -> tuple[tw.Batch, tw.Batch]:
    """The same games under both visibilities, the open one in this encoding."""
    closed = tw.make_batch(GAME, 3, seed=4, players=3)
    opened = tw.make_batch(GAME, 3, seed=4, players=3, visibility="open", encoding=encoding)
    for _ in range(steps):
        actions = closed.masks.argmax(axis=1)
        closed.step(actions)
        opened.step(actions)
    return closed, opened


@pytest.mark.parametrize("spec", [INFORMATION_STATE, RESIDUAL, RICH], ids=["plain", "residual", "rich"])
def test_priors_and_leaf_values_are_those_of_a_plain_forward_pass(spec: PolicySpec, tmp_path: Path) -> None:
    closed, opened = two_views(25, spec.encoding)
    variant, players = closed.variant, 3
    tensors = random_network(tmp_path / "net", variant, spec)
    bot = agents.build("scripted:shipper", variant)

    def expected(row: int) -> tuple[np.ndarray, np.ndarray]:
        """Priors of the legal actions and values (2, players), from the present state of a row."""
        decision = closed.decisions(np.array([row]))
        legal, base = decision.masks[0], 0.0
        inputs = opened.look(np.array([row]), closed.seats[[row]].astype(np.int64))[0]
        if spec.base != "none":
            ratings = bot.rate(decision)[0, legal]  # type: ignore[attr-defined]
            base = np.maximum((ratings - ratings.max()) / 0.2, -6.0)
            chances = np.zeros(legal.size)
            chances[legal] = np.exp(base)
            inputs = np.concatenate([inputs, chances])
        logits, values = plain_network(tensors, inputs, players)
        weights = np.exp(base + logits[legal])
        return weights / weights.sum(), values

    search = Search(variant, simulations=1, net=tmp_path / "net", rollout="none", margin=0.25)
    for row in range(3):
        decision = closed.decisions(np.array([row]), np.zeros(1, np.uint64))
        search.act(decision)
        worker, tree = search._workers[0], search._trees[row, int(decision.seats[0])][0]
        assert worker.scratch.root_priors[decision.masks[0]] == pytest.approx(expected(row)[0], rel=1e-3, abs=1e-6)
        # The one simulation has left its leaf in the buffers.
        closed._b.words[row] = opened._b.words[row] = worker.b.words[0]
        opened._b.states["visibility"][row] = Visibility.OPEN
        closed._b.mask_words[row], closed._b.seats[row] = worker.b.mask_words[0], worker.b.states["seat"][0]
        _, values = expected(row)
        wins = np.maximum(values[REWARD] + 1 / players, 0)
        told = 0.75 * wins / wins.sum() + 0.25 * (0.5 + 0.5 * np.clip(values[MARGIN], -1, 1))
        seats = (int(closed.seats[row]) + np.arange(players)) % players
        assert tree.value_sum[1][seats] == pytest.approx(told, rel=1e-3, abs=1e-5)
        leaf = int(tree.first_logit[1])  # without rollouts the logits of a leaf come with its value
        assert leaf >= 0 and int(tree.size[1]) == decision.masks[0].sum() + closed.masks[row].sum()


def test_a_residual_network_is_refused_if_its_bot_has_changed(tmp_path: Path) -> None:
    variant = tw.game(GAME).with_options(players=3)
    random_network(tmp_path / "net", variant, RESIDUAL)
    assert checkpoint.read_for_search(tmp_path / "net", variant)[1] == RESIDUAL
    facts = json.loads((tmp_path / "net" / checkpoint.FACTS).read_text())
    facts["policy"]["weights"] = "00000000"
    (tmp_path / "net" / checkpoint.FACTS).write_text(json.dumps(facts))
    with pytest.raises(NetError, match="another version of the bot's style 'shipper'"):
        checkpoint.read_for_search(tmp_path / "net", variant)


def test_a_residual_network_that_adds_nothing_plays_rollouts_as_its_bot(tmp_path: Path) -> None:
    closed, _ = two_views(25)
    variant = closed.variant
    random_network(tmp_path / "net", variant, RESIDUAL, scale=0)
    seeds, row = np.zeros(1, np.uint64), np.arange(1)
    both = [
        Search(
            variant, simulations=amount(40, 4), net=tmp_path / "net", prior="scripted", rollout=rollout, style="shipper", noise=0, horizon=6
        )
        for rollout in ("policy", "scripted")
    ]
    visits = [search.visits(closed.decisions(row, seeds)).tolist() for search in both]
    assert visits[0] == visits[1]


def test_logits_stay_with_their_nodes(tmp_path: Path) -> None:
    """Each node keeps one logit per action, also after a subtree was cut out."""
    closed, _ = two_views(10)
    random_network(tmp_path / "net", closed.variant)
    search = Search(closed.variant, simulations=amount(300, 12), net=tmp_path / "net", prior="policy", horizon=4)
    search.act(closed.decisions(np.arange(1), np.zeros(1, np.uint64)))
    tree = search._trees[0, int(closed.seats[0])][0]

    def kept() -> dict[tuple[int, ...], dict[int, float]]:
        """By the actions that lead to a node, whatever its number is."""
        logits: dict[tuple[int, ...], dict[int, float]] = {}
        entries = 0
        for node in range(int(tree.size[0])):
            entry, path, at = int(tree.first_logit[node]), (), node
            while at > 0:
                path, at = (int(tree.actions[at]), *path), int(tree.parents[at])
            mine = logits.setdefault(path, {})
            while entry >= 0:
                assert tree.logit_nodes[entry] == node and int(tree.logit_actions[entry]) not in mine
                mine[int(tree.logit_actions[entry])] = float(tree.logits[entry])
                entry, entries = int(tree.logit_next[entry]), entries + 1
        assert entries == tree.size[1]
        return logits

    before = kept()
    children = [node for node in range(1, int(tree.size[0])) if visits(tree, node)]
    assert all(before[path] for path in before if path and visits_at(tree, path))
    child = max(children, key=lambda node: (visits(tree, node), -node)) if children else 1
    first = int(tree.actions[child])
    assert tree.parents[child] == 0
    kernels_of(closed.variant.game).cut(tree, child, search._workers[0].scratch.moved)
    assert kept() == {path[1:]: logits for path, logits in before.items() if path[:1] == (first,)}


def visits_at(tree: Any, path: tuple[int, ...]) -> int:
    """Visits of the children of the node that these actions lead to."""
    node = 0
    for action in path:
        node = next(child for child in _children(tree, node) if tree.actions[child] == action)
    return visits(tree, node)


@pytest.mark.skipif(JIT, reason="a kernel that is part of another is not compiled alone")
def test_without_rollouts_no_action_is_played_after_the_leaf(tmp_path: Path) -> None:
    closed, _ = two_views(5)
    random_network(tmp_path / "net", closed.variant)
    for rollout, moves in (("none", False), ("policy", True), ("scripted", True)):
        search = Search(closed.variant, simulations=1, net=tmp_path / "net", rollout=rollout, horizon=1)
        worker = search._workers[0]
        worker.b.words[0], worker.b.mask_words[0] = closed._b.words[0], closed._b.mask_words[0]
        before = worker.b.words[0].tobytes()
        arguments = worker.b.states[0], worker.b.masks[0], worker.b.mask_words[0], np.int32(closed.counts[0]), worker.scratch
        search._kernels.play_out(*arguments, search._net, search._settings)
        assert (worker.b.words[0].tobytes() != before) == moves


def test_an_opinion_tells_visits_values_and_the_principal_line() -> None:
    batch = some_decisions(GAME, 10)
    search = Search(batch.variant, simulations=SIMULATIONS, margin=0)
    opinion = search.opinion(batch.decisions(np.arange(1), np.zeros(1, np.uint64)))
    tried = opinion.visits > 0
    assert opinion.visits[opinion.action] == opinion.visits.max()
    assert opinion.policy.sum() == pytest.approx(1) and (opinion.policy[~batch.masks[0]] == 0).all()
    assert opinion.value.shape == (4,) and opinion.value.sum() == pytest.approx(1)
    assert opinion.values[tried].sum(axis=1) == pytest.approx(1) and np.isnan(opinion.values[~tried]).all()
    assert opinion.visits[tried] @ opinion.values[tried] / opinion.visits.sum() == pytest.approx(opinion.value)
    assert opinion.outcome[0] == pytest.approx(opinion.value) and opinion.outcome[0].sum() == pytest.approx(1)  # margin=0
    assert (np.abs(opinion.outcome[1]) < 1).all() and opinion.outcome[1].sum() < 0  # at most one seat is ahead of the best other
    assert opinion.line[0] == opinion.action and len(opinion.line) > 1
    assert opinion.line_names == tuple(batch.action_names[action] for action in opinion.line)
    with pytest.raises(ValueError, match=r"opinion\(\) takes one decision, got 4"):
        search.opinion(batch.decisions())


@pytest.mark.slow
def test_sequential_halving_spends_its_simulations_on_the_best_actions() -> None:
    batch = some_decisions(GAME, 10)
    search = Search(batch.variant, simulations=32, root="gumbel", reuse=False)
    decision = batch.decisions(np.arange(1), np.zeros(1, np.uint64))
    opinion = search.opinion(decision)
    assert opinion.visits.sum() == 32 and opinion.visits[opinion.action] == opinion.visits.max()
    assert (opinion.visits > 0).sum() == min(CONSIDERED, batch.counts[0])
    assert opinion.policy.sum() == pytest.approx(1) and (opinion.policy > 0).sum() <= batch.counts[0]
    assert search.opinion(decision).visits.tolist() == opinion.visits.tolist()


def test_threads_share_the_simulations_and_answer_the_same_again() -> None:
    batch = some_decisions(GAME, 10)
    decision = batch.decisions(np.arange(1), np.zeros(1, np.uint64))
    simulations = amount(1001, 11)
    first, second = (Search(batch.variant, simulations=simulations, threads=2, exploration=20) for _ in range(2))
    opinion = first.opinion(decision)
    assert opinion.visits.sum() == simulations and opinion.action == opinion.visits.argmax()
    assert second.visits(decision).tolist() == opinion.visits.tolist()
    trees = first._trees[0, int(batch.seats[0])]
    assert sorted(int(tree.visits[0]) for tree in trees) == [simulations // 2, simulations // 2 + 1]
    assert trees[0].value_sum[0].tolist() != trees[1].value_sum[0].tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"network": {"blocks": 10**9}},
        {"network": {"width": 2**40}},
        {"network": {"blocks": -1}},
        {"network": {"blocks": 2.0}},
        {"network": {"depth": 3}},
        {"network": []},
        {"options": None},
        {"sha256": 5},
        {"version": "0"},
        {"policy": "scripted"},
        {"policy": {"base": "greedy"}},
        {"policy": {"base": "scripted", "temperature": 0, "clip": 10}},
        {"policy": {"base": "scripted", "temperature": True, "clip": 10}},
        {"policy": {"base": "scripted", "style": "odd", "temperature": 1, "clip": 10}},
        {"policy": {"base": "scripted", "temperature": 1, "clip": 10}},
        {"network": {"has_base": True}},
        {"reads": "everything"},
    ],
)
def test_a_description_of_another_network_is_refused_before_it_is_built(change: dict[str, Any], tmp_path: Path) -> None:
    variant = tw.game(GAME).with_options(players=3)
    random_network(tmp_path / "net", variant)
    facts = json.loads((tmp_path / "net" / "net.json").read_text())
    for name, value in change.items():
        facts[name] = {**facts[name], **value} if name == "network" and isinstance(value, dict) else value
    (tmp_path / "net" / "net.json").write_text(json.dumps(facts))
    with pytest.raises(NetError):
        checkpoint.read_for_search(tmp_path / "net", variant)
    with pytest.raises(NetError):
        checkpoint.load_net(tmp_path / "net", variant)


@pytest.mark.parametrize("text", ["", "[]", "7", "[" * 200_000, '{"format": 1' + "0" * 5000 + "}", "\udcff"])
def test_a_description_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    variant = tw.game(GAME).with_options(players=3)
    random_network(tmp_path / "net", variant)
    (tmp_path / "net" / "net.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(NetError):
        checkpoint.read_facts(tmp_path / "net")


def test_games_are_worth_the_same_to_the_trainer_and_to_search() -> None:
    """A win is worth what the network is taught: the reward, and the margin."""
    kernels = kernels_of(tw.game("santiago_de_cuba"))
    settings = Search(tw.game("santiago_de_cuba").with_options(), simulations=1)._settings._replace(margin=1.0, spread=10.0)
    results = np.array([[30, 42, 42, 7], [3, 1, 1, 4]], np.int32)
    outcome = np.zeros((2, 4))
    kernels.terminal_outcome(results, settings, outcome)
    assert outcome[0].tolist() == [0, 0.5, 0.5, 0]
    assert outcome[1] == pytest.approx(margins(results[:1], 10.0)[0])
    assert kernels.value_of(outcome, 0, settings) == pytest.approx(0.5 + 0.5 * outcome[1, 0])
    assert kernels.value_of(outcome, 1, settings._replace(margin=0.8)) == pytest.approx(0.2 / 2 + 0.8 * 0.5)


def test_a_horizon_needs_a_network() -> None:
    with pytest.raises(agents.AgentError, match=r"horizon=5 needs a network: puerto_rico-4-nobles has no pretrained one, so give net=PATH"):
        agents.make("search:10:horizon=5", "puerto_rico", nobles=True)
    assert agents.make("search:10:horizon=0", GAME, players=3)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("search", "'' is not a budget: give simulations, as in 1000"),
        ("search:many", "'many' is not a budget"),
        ("search:0", "simulations must be from 1 to 10,000,000, got 0"),
        ("search:-1s", "seconds must be more than 0 and at most 86,400, got -1.0"),
        ("search:nans", "seconds must be more than 0 and at most 86,400, got nan"),
        ("search:10:depth=3", "no setting 'depth'; its settings are rollout"),
        ("search:10:rollout=best", "rollout must be one of random, scripted, policy, none, got 'best'"),
        ("search:10:noise=2", "noise must be from 0 to 1, got 2.0"),
        ("search:10:exploration=much", "invalid value 'much' of the setting exploration"),
        ("search:10:style=odd", "santiago_de_cuba has no style 'odd'; its styles are"),
        ("search:10:explore=1", "the setting explore of search is now exploration"),
        ("search:10:counting=no", "the setting counting of search is now perfect_recall"),
        ("search:10:guided=yes", "the setting guided of search is now prior=policy"),
        ("search:10:prior=some", "prior must be one of uniform, scripted, policy, got 'some'"),
        ("search:10:temperature=0", "temperature must be more than 0"),
        ("search:10:horizon=-1", "horizon must be from 0, "),
        ("search:10:threads=0", "threads must be from 1 to"),
        ("search:0.1s:root=gumbel", "root=gumbel needs a number of simulations and one thread"),
        ("search:10:root=gumbel:threads=2", "root=gumbel needs a number of simulations and one thread"),
        ("search:10:reuse=maybe", "invalid value 'maybe' of the setting reuse"),
    ],
)
def test_a_bad_code_of_search_says_what_is_possible(code: str, words: str) -> None:
    with pytest.raises(agents.AgentError, match=words):
        agents.make(code, "santiago_de_cuba")
