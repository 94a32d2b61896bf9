"""Residual policies: the base policy's logits, and what the network reads."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tradewinds.envs as tw
from tests.support import registered, toy_game
from tradewinds.agents import AgentError, build
from tradewinds.agents.neural import Net, Network, save_net
from tradewinds.agents.neural.inputs import ILLEGAL, InputReader, PolicySpec
from tradewinds.agents.scripted import Scripted
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.training.config import Config, ConfigError, check_config
from tradewinds.training.networks import shape_of, spec_of, start_of

SIZE = 300 if JIT else 12
GAMES = tw.games() if JIT else ["santiago_de_cuba"]


def batch_of(game: str, moves: int = 25, **options: Any) -> tw.Batch:
    batch = tw.make_batch(game, SIZE, seed=4, **options)
    random = np.random.default_rng(1)
    for _ in range(moves):
        batch.step(np.array([random.choice(np.flatnonzero(mask)) for mask in batch.masks]))
    return batch


def untrained(game: str, reads: str = "information_state", **options: Any) -> tuple[Network, PolicySpec, tw.Batch]:
    data = {"game": game, "options": options, "observation": reads, "policy": {"base": "scripted"}, "network": {"width": 16}}
    config = check_config(data, "test")
    return Network(shape_of(config)), PolicySpec.of(config.variant(), reads, "scripted"), batch_of(game, **options)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_base_logits_are_the_ratings_of_what_the_seat_may_know(game: str, threads: int) -> None:
    batch = batch_of(game)
    spec = PolicySpec.of(batch.variant, "observation", "scripted", temperature=0.25, clip=6.0)
    inputs = InputReader(batch.variant, spec, threads).read(batch.decisions())
    ratings = Scripted(batch.variant).rate(batch.decisions())
    for i, (actions, logits, count) in enumerate(zip(inputs.actions, inputs.logits, batch.counts, strict=True)):
        legal = np.flatnonzero(batch.masks[i])
        assert (actions[:count] == legal).all() and (actions[count:] == 0).all() and (logits[count:] == np.float32(ILLEGAL)).all()
        expected = np.maximum((ratings[i, legal] - ratings[i, legal].max()) / 0.25, -6.0)
        assert np.allclose(logits[:count], expected, atol=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_an_untrained_residual_policy_plays_exactly_as_the_bot(game: str) -> None:
    network, spec, batch = untrained(game, visibility="open")
    seeds = np.random.default_rng(2).integers(0, 2**63, batch.size).astype(np.uint64)
    bot, policy = Scripted(batch.variant), Net(batch.variant, network, spec)
    for _ in range(20):
        actions = bot.act(batch.decisions(None, seeds))
        assert (policy.act(batch.decisions(None, seeds)) == actions).all()
        batch.step(actions)


@pytest.mark.parametrize("game", GAMES)
def test_the_information_state_is_read_whatever_the_visibility(game: str) -> None:
    network, spec, hidden = untrained(game)
    shown = batch_of(game, visibility="open")
    torch.manual_seed(0)
    torch.nn.init.normal_(network.policy.weight)
    assert (hidden.decisions().information_observations == shown.observations).all()
    ratings = [Net(batch.variant, network, spec).rate(batch.decisions()) for batch in (hidden, shown)]
    assert (ratings[0] == ratings[1]).all()


def test_a_network_reads_the_encoding_that_it_was_trained_on_whatever_the_environment_shows(tmp_path: Path) -> None:
    config = check_config({"game": "santiago_de_cuba", "encoding": "rich", "observation": "observation", "network": {"width": 8}}, "test")
    spec, network = spec_of(config), Network(shape_of(config))
    torch.manual_seed(0)
    torch.nn.init.normal_(network.policy.weight)
    save_net(tmp_path / "net", network, config.variant(), spec=spec)
    assert json.loads((tmp_path / "net" / "net.json").read_text())["encoding"] == "rich"
    ratings = []
    for encoding in ("compact", "rich"):
        batch = batch_of("santiago_de_cuba", encoding=encoding)
        agent = build(f"net:{tmp_path / 'net'}", batch.variant)
        assert isinstance(agent, Net) and agent.reader.spec == spec
        ratings.append(agent.rate(batch.decisions()))
    assert (ratings[0] == ratings[1]).all()


def test_an_encoding_that_does_not_fit_is_named(tmp_path: Path) -> None:
    network, spec, batch = untrained("santiago_de_cuba")
    save_net(tmp_path / "net", network, batch.variant, spec=spec)
    facts = json.loads((tmp_path / "net" / "net.json").read_text())
    (tmp_path / "net" / "net.json").write_text(json.dumps({**facts, "encoding": "holographic"}))
    with pytest.raises(AgentError, match="encoding 'holographic', and santiago_de_cuba has only compact and rich"):
        build(f"net:{tmp_path / 'net'}", batch.variant)
    with registered(toy_game()), pytest.raises(ConfigError, match="toy_market has only the encoding compact, not 'rich'"):
        check_config({"game": "toy_market", "encoding": "rich"}, "test")
    (tmp_path / "net" / "net.json").write_text(json.dumps(facts))
    start = {"start": str(tmp_path / "net"), "width": 16}
    config = {"game": "santiago_de_cuba", "encoding": "rich", "policy": {"base": "scripted"}, "network": start}
    with pytest.raises(ConfigError, match=r"set encoding=compact$"):
        start_of(check_config(config, "test"))


@pytest.mark.parametrize(
    ("trained", "continued", "said"),
    [
        ({"temperature": 0.15}, {"temperature": 0.1}, "set policy.temperature=0.15$"),
        ({"temperature": 0.15}, {}, "set policy.temperature=0.15$"),  # the bot's own is another
        ({"style": "lawyer"}, {}, "set policy.style=lawyer$"),
        ({"clip": 6.0}, {}, r"set policy.clip=6.0$"),
        ({"clip": 6.0, "style": "lawyer"}, {"base": "none"}, "set policy.base=scripted, policy.style=lawyer, .*policy.clip=6.0$"),
        ({"base": "none"}, {}, "set policy.base=none$"),
    ],
)
def test_a_network_to_start_from_has_the_base_of_the_config(
    trained: dict[str, Any], continued: dict[str, Any], said: str, tmp_path: Path
) -> None:
    def config(policy: dict[str, Any], **network: Any) -> Config:
        return check_config(
            {"game": "santiago_de_cuba", "policy": {"base": "scripted", **policy}, "network": {"width": 8, **network}}, "test"
        )

    save_net(tmp_path / "net", Network(shape_of(config(trained))), config(trained).variant(), spec=spec_of(config(trained)))
    assert start_of(config(trained, start=str(tmp_path / "net")))
    with pytest.raises(ConfigError, match=said):
        start_of(config(continued, start=str(tmp_path / "net")))


def test_a_network_that_reads_the_information_state_needs_the_history() -> None:
    network, spec, batch = untrained("santiago_de_cuba")
    blind = tw.Batch(batch.variant, 3, seed=1, track_history=False)
    with pytest.raises(ValueError, match="track_history=True"):
        Net(batch.variant, network, spec).act(blind.decisions())


def test_a_residual_network_is_saved_with_its_base_and_plays_under_any_visibility(tmp_path: Path) -> None:
    network, spec, batch = untrained("santiago_de_cuba")
    save_net(tmp_path / "net", network, batch.variant, spec=spec)
    facts = json.loads((tmp_path / "net" / "net.json").read_text())
    assert facts["reads"] == "information_state" and facts["policy"]["base"] == "scripted"
    for visibility in ("rules", "open"):
        loaded = build(f"net:{tmp_path / 'net'}", tw.game("santiago_de_cuba").with_options(visibility=visibility))
        assert isinstance(loaded, Net) and loaded.reader.spec == spec


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"style": "brave"}, "the styles of santiago_de_cuba are balanced"),
        ({"weights": "00000000"}, "another version of the bot"),
        ({"base": "oracle"}, "a base policy is none or scripted"),
    ],
)
def test_a_base_that_does_not_fit_is_refused(change: dict[str, str], said: str, tmp_path: Path) -> None:
    network, spec, batch = untrained("santiago_de_cuba")
    save_net(tmp_path / "net", network, batch.variant, spec=spec)
    facts = json.loads((tmp_path / "net" / "net.json").read_text())
    (tmp_path / "net" / "net.json").write_text(json.dumps({**facts, "policy": {**facts["policy"], **change}}))
    with pytest.raises(AgentError, match=said):
        build(f"net:{tmp_path / 'net'}", batch.variant)


def test_a_network_of_format_1_still_plays(tmp_path: Path) -> None:
    variant = tw.game("santiago_de_cuba").with_options(players=3)
    config = check_config({"game": "santiago_de_cuba", "options": {"players": 3}, "observation": "observation"}, "test")
    save_net(tmp_path / "net", Network(shape_of(config)), variant)
    facts = json.loads((tmp_path / "net" / "net.json").read_text())
    old = {name: value for name, value in facts.items() if name not in ("reads", "encoding", "policy")}
    old["network"] = {name: value for name, value in facts["network"].items() if name != "has_base"}
    (tmp_path / "net" / "net.json").write_text(json.dumps({**old, "format": 1}))
    batch = tw.make_batch("santiago_de_cuba", 4, seed=1, players=3)
    actions = build(f"net:{tmp_path / 'net'}", variant).act(batch.decisions())
    assert batch.masks[np.arange(4), actions].all()


@pytest.mark.parametrize(
    ("game", "reads", "visibility"),
    [
        ("santiago_de_cuba", "observation", "rules"),
        pytest.param("container", "information_state", "open", marks=pytest.mark.skipif(not JIT, reason="slow as plain Python")),
    ],
)
def test_the_input_does_not_depend_on_what_is_hidden(game: str, reads: str, visibility: str) -> None:
    """Re-dealing what the seat to move cannot know changes nothing."""
    network, spec, batch = untrained(game, reads, visibility=visibility)
    seen = InputReader(batch.variant, spec).read(batch.decisions())
    other = tw.Batch(batch.variant, batch.size, seed=0)
    other.load_state_dict(batch.state_dict())
    streams = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1)
    batch.variant.game.loops.redeal_all(other._b, other.seats.copy(), streams)
    assert (other.states != batch.states).any()
    again = InputReader(batch.variant, spec).read(other.decisions())
    assert all((a == b).all() for a, b in zip(seen, again, strict=True))
    assert network.observed == seen.observations.shape[1]
