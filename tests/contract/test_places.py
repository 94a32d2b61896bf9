"""Every action that has a place can be played there: the place is in the picture of the seat that moves, and tells it nothing more."""

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, every_game, every_rule_set, new_batch, places_in, random_play
from tests.support import sample
from tradewinds import agents
from tradewinds.envs.core.render.places import MARK, Spot, mark
from tradewinds.envs.core.spec.fields import Status

OFTEN = 3  # how many positions are drawn for each kind of action
SHAPES = ("rect", "circle", "polygon", "path")


def spots_of(batch: tw.Batch, at: int, view: Any) -> dict[int, Spot]:
    seat, spot = int(batch.seats[at]), batch.variant.game.spot
    assert spot is not None
    return {int(action): spot(view, seat, int(action)) for action in np.flatnonzero(batch.masks[at])}


@pytest.mark.slow
@every_rule_set()
def test_each_place_of_each_legal_action_is_in_the_picture_of_the_seat_that_moves(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(sample(8, 32), 4))
    game, drawn = batch.variant.game, dict.fromkeys(range(len(batch.action_names)), 0)
    kinds = game.actions.kind
    for _ in random_play(batch, amount(600, 300)):
        for at in range(batch.size):
            legal = np.flatnonzero(batch.masks[at])
            if all(drawn[int(kinds[action])] >= OFTEN for action in legal):
                continue
            for kind in set(kinds[legal].tolist()):
                drawn[kind] += 1
            seat = int(batch.seats[at])
            view = batch.variant.masked_view(batch.states[at], seat)
            there = set(places_in(game.svg(view, seat)))
            found = spots_of(batch, at, view)
            for action, spot in found.items():
                missing = set(spot.places) - there
                assert not missing, f"{batch.action_names[action]}: {missing} not in the picture"
            # Who clicks on a place chooses by number or, failing that, by name.
            choices = [(spot, batch.action_names[action]) for action, spot in found.items()]
            assert len(set(choices)) == len(choices)


@every_rule_set()
def test_places_do_not_depend_on_what_a_viewer_cannot_know(name: str, options: dict[str, Any]) -> None:
    batch, other = (new_batch(name, options, amount(8, 2)) for _ in range(2))
    streams = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1)
    svg = batch.variant.game.svg
    for step, _ in enumerate(random_play(batch, amount(200, 60))):
        if step % 50:
            continue
        for viewer in range(batch.players):
            other._b.words[:] = batch._b.words
            batch._loops.redeal_all(other._b, np.full(batch.size, viewer, np.int8), streams)
            real, dealt = (svg(batch.variant.masked_view(states[0], viewer), viewer) for states in (batch.states, other.states))
            assert places_in(real) == places_in(dealt)


@every_rule_set()
def test_a_spectator_sees_the_same_places_in_every_position_and_each_begins_with_its_outline(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, 2)
    svg = batch.variant.game.svg
    for step, _ in enumerate(random_play(batch, amount(200, 60))):
        if step % 50 or batch.states[0]["status"] != Status.RUNNING:
            continue
        picture = svg(batch.states.view(np.recarray)[0], None, [f"agent & <{seat}>" for seat in range(batch.players)])
        assert "(you)" not in picture and "seen by" not in picture
        assert picture.count("agent &amp; &lt;0&gt;") == 1
        for element in ElementTree.fromstring(picture).iter():
            if element.get("data-place"):
                first = next(part for part in element.iter() if not part.tag.endswith("}g"))
                assert first.tag.rpartition("}")[2] in SHAPES, element.get("data-place")
        for place in set(places_in(picture)):
            assert MARK in mark(picture, [place]), place
        panels = re.findall(r'data-panel="([^"]*)"', picture)
        assert len(panels) > 4 and len(set(panels)) == len(panels)
        own = places_in(svg(batch.variant.masked_view(batch.states[0], 0), 0))
        assert sorted(own) == sorted(places_in(picture))


@every_game()
def test_most_decisions_of_the_bot_start_on_the_board(name: str) -> None:
    clicked = decisions = 0
    for seed in range(amount(5, 1)):
        env = tw.make(name)
        env.reset(seed=seed)
        bot = agents.make("scripted", name)
        assert env.game.spot is not None
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            action = int(bot.act(env.decision())[0])
            clicked += bool(env.game.spot(env.view(env.agent_selection), int(env.record()[0].seat), action).places)
            decisions += 1
            env.step(action)
    assert decisions > 100
    assert clicked >= 0.6 * decisions, f"{clicked} of {decisions}"
