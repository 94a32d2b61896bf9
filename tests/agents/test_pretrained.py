"""The networks that come with Tradewinds, and the agents `policy` and `pretrained` that play them."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds import agents
from tradewinds.agents.neural import Net, Policy, checkpoint
from tradewinds.agents.search import Search
from tradewinds.agents.search.value_net import MARGIN
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.spec.game import Variant
from tradewinds.training.evaluation.stats import squashed_margins as margins

FOLDERS = sorted(checkpoint.PRETRAINED.glob("*-*"))
SIZE = 64 if JIT else 4


def variant_of(folder: Path, **options: Any) -> Variant:
    game, _, players = folder.name.partition("-")
    return tw.game(game).with_options(players=int(players), **options)


def seeds(size: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**63, size).astype(np.uint64)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_policy_plays_as_torch_plays_the_same_network(folder: Path) -> None:
    variant = variant_of(folder, visibility="open")
    policy, net = agents.build("policy", variant), agents.build(f"net:{folder}", variant)
    sampled = agents.build("policy:sample", variant), agents.build(f"net:{folder}:sample", variant)
    assert isinstance(policy, Policy) and isinstance(net, Net)
    batch = tw.Batch(variant, SIZE, seed=5)
    asked = same = same_sampled = 0
    for step in range(12):
        decisions = batch.decisions(None, seeds(SIZE, step))
        (ours, wins), (theirs, others) = policy.expect(decisions), net.expect(decisions)
        assert np.allclose(np.maximum(ours, -50), np.maximum(theirs, -50), atol=1e-3) and np.allclose(wins, others, atol=1e-4)
        actions = policy.act(decisions)
        assert decisions.masks[np.arange(SIZE), actions].all()
        asked += SIZE
        same += (actions == net.act(decisions)).sum()
        same_sampled += (sampled[0].act(decisions) == sampled[1].act(decisions)).sum()
        batch.step(actions)
    assert same >= 0.99 * asked and same_sampled >= 0.99 * asked  # rounding may turn a draw


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="too few games as plain Python")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_network_knows_who_is_about_to_win(folder: Path) -> None:
    """In whole games of bots, with legal actions of its own, its margins go with the results."""
    variant = variant_of(folder)
    policy, bot = Policy(variant), agents.build("scripted", variant)
    batch = tw.Batch(variant, SIZE, seed=99)
    is_over, got = np.zeros(SIZE, np.bool_), np.zeros((SIZE, variant.players))
    told: list[tuple[int, int, float]] = []  # row, seat, the margin that it could expect
    for step in range(4000):
        decisions = batch.decisions(None, seeds(SIZE, step))
        if step % 30 == 0:
            expected = policy.ask(decisions)[1].values[:, MARGIN, 0]
            told += [(int(row), int(batch.seats[row]), float(expected[row])) for row in np.flatnonzero(~is_over)]
        batch.step(bot.act(decisions))
        ended = batch.finished & ~is_over
        got[ended] = margins(batch.scores[ended], variant.game.score_scale)
        is_over |= ended
        if is_over.all():
            break
    assert is_over.all()
    rows, movers, expected = (np.array(column) for column in zip(*told, strict=True))
    assert np.corrcoef(expected, got[rows, movers])[0, 1] > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_policy_plays_whole_games_of_legal_actions(folder: Path) -> None:
    variant = variant_of(folder)
    policy = agents.build("policy", variant)
    batch = tw.Batch(variant, SIZE if JIT else 1, seed=3)
    ended = np.zeros(batch.size, np.bool_)
    for step in range(4000):
        batch.step(policy.act(batch.decisions(None, seeds(batch.size, step))))  # raises for an illegal action
        ended |= batch.finished
        if ended.all():
            return
    pytest.fail("some games did not end")


@pytest.mark.parametrize("game", tw.games())
def test_every_number_of_players_of_a_base_game_has_its_network(game: str) -> None:
    players = next(option for option in tw.game(game).options if option.name == "players")
    assert {folder.name for folder in FOLDERS if folder.name.startswith(f"{game}-")} == {f"{game}-{count}" for count in players.choices}
    for count in players.choices:
        path = checkpoint.pretrained_net(tw.game(game).with_options(players=count))
        assert path is not None and {"net.json", "net.safetensors", "config.yaml", "CARD.md"} <= {file.name for file in path.iterdir()}


@pytest.mark.parametrize("game", tw.games())
def test_the_networks_of_a_game_are_small(game: str) -> None:
    size = sum(file.stat().st_size for folder in FOLDERS if folder.name.startswith(f"{game}-") for file in folder.iterdir())
    assert 0 < size < 5_000_000


def test_options_that_change_nothing_for_a_network_keep_it() -> None:
    plain = checkpoint.pretrained_net(tw.game("container").with_options())
    for options in ({"reward": "score"}, {"visibility": "open"}, {"max_turns": 100}, {"void_bids": True}):
        variant = tw.game("container").with_options(**options)
        assert checkpoint.pretrained_net(variant) == plain
        batch = tw.Batch(variant, 3, seed=1)
        for code in ("policy", "pretrained:2"):
            batch.step(agents.build(code, variant).act(batch.decisions(None, seeds(3))))


def test_policy_reads_the_information_state_whatever_the_visibility() -> None:
    played = []
    for visibility in ("rules", "open"):
        batch = tw.make_batch("santiago_de_cuba", SIZE, seed=2, visibility=visibility)
        policy = agents.build("policy", batch.variant)
        games = []
        for step in range(20):
            games.append(policy.act(batch.decisions(None, seeds(SIZE, step))))
            batch.step(games[-1])
        played.append(games)
    assert (np.array(played[0]) == np.array(played[1])).all()


@pytest.mark.compiled
def test_a_set_up_without_a_network_is_named_with_those_that_have_one() -> None:
    with pytest.raises(agents.AgentError, match=r"no network comes with Tradewinds for puerto_rico-4-nobles; there are .*puerto_rico-4"):
        agents.make("policy", "puerto_rico", nobles=True)
    with pytest.warns(UserWarning, match=r"for puerto_rico-4-nobles, so pretrained searches without one; there are networks for"):
        found = agents.make("pretrained", "puerto_rico", nobles=True)
    assert isinstance(found, Search) and found.code == "search:1000"
    with pytest.raises(agents.AgentError, match=r"policy has no setting 'best'; its only one is sample"):
        agents.make("policy:best", "santiago_de_cuba")


def test_pretrained_searches_with_the_settings_of_its_network() -> None:
    variant = tw.game("santiago_de_cuba").with_options()
    path = checkpoint.pretrained_net(variant)
    assert path is not None
    own = checkpoint.search_code(path)
    assert agents.build("pretrained", variant).code == f"search:{own}"
    fewer = agents.build("pretrained:7:exploration=0.9", variant)
    assert isinstance(fewer, Search) and fewer.simulations == 7 and fewer._settings.exploration == 0.9
    timed = agents.build("pretrained:0.01s", variant)
    assert isinstance(timed, Search) and timed.simulations is None and timed.seconds == 0.01
    assert timed._settings.prior == agents.build("pretrained", variant)._settings.prior
    for code, words in (("pretrained:strong", "'strong' is not a budget"), ("pretrained:10:depth=1", "no setting 'depth'")):
        with pytest.raises(agents.AgentError, match=words):
            agents.build(code, variant)


def test_search_without_a_setting_that_needs_a_network_has_none() -> None:
    search = agents.make("search:10", "santiago_de_cuba")
    assert isinstance(search, Search) and search._settings.horizon == 0 and search._net.enter.size == 1
    assert agents.make("search:10:rollout=none", "santiago_de_cuba")._net.enter.size > 1  # type: ignore[attr-defined]


def test_a_pickled_policy_plays_on() -> None:
    batch = tw.make_batch("santiago_de_cuba", 8, seed=2)
    policy = agents.build("policy:sample", batch.variant)
    decisions = batch.decisions(None, seeds(8))
    again = pickle.loads(pickle.dumps(policy))
    assert again.code == "policy:sample" and (again.act(decisions) == policy.act(decisions)).all()


@pytest.mark.integration
def test_policy_and_pretrained_need_neither_torch_nor_an_extra() -> None:
    code = """
import sys
for name in ("torch", "typer", "rich", "openskill", "pydantic", "yaml", "matplotlib"):
    sys.modules[name] = None
import tradewinds as tw
env = tw.make("santiago_de_cuba")
env.reset(seed=1)
for code in ("policy", "pretrained:2"):
    env.step(tw.make_agent(code, "santiago_de_cuba").act(env.decision())[0])
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
