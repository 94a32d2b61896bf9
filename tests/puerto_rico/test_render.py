"""The board as text and as SVG, compared with the state."""

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.puerto_rico import GAME
from tradewinds.envs.puerto_rico.render.labels import DECISIONS
from tradewinds.envs.puerto_rico.render.text import svg, text
from tradewinds.envs.puerto_rico.state import Phase

from .board import Position, board, play, player

POSITION = (
    player(doubloons=5, points=12, goods={"corn": 2}, tiles={"corn": (2, 1), "quarry": (1, 1)}, buildings={"indigo plant": 2, "office": 0}),
    player(doubloons=3, points=8, windrose=2, buildings={"city hall": 1}),
    player(),
)


def shown(s: Position, viewer: int) -> tuple[str, str]:
    view = s.variant.masked_view(np.frombuffer(s.record.tobytes(), GAME.fields.dtype), viewer)
    return text(view, viewer), svg(view, viewer)


def example(**more: Any) -> Position:
    return board(*POSITION, ships=[("sugar", 2), None, None], house=["coffee"], on_roles={"mayor": 2}, **more)


def lines_of(words: str, who: str) -> str:
    """One player's part of the text."""
    return next(part for part in words.split("\n\n") if part.startswith(who))


def test_the_text_shows_roles_ships_house_islands_and_cities() -> None:
    words, _ = shown(example(), 0)
    assert "mayor +2" in words
    assert "4: [##..] sugar   5: [.....]   6: [......]" in words
    assert "[coffee] [] [] []" in words
    own = lines_of(words, "P0")
    assert "5 doubloons, 12 points, goods: 2 corn" in own
    assert "2 corn o., 1 quarry o" in own
    assert "indigo plant oo., office ." in own
    assert "governor, decides" in own
    assert "waiting: oo" in lines_of(words, "P1")


def test_one_chip_and_one_doubloon_are_singular() -> None:
    state = board(player(doubloons=1, points=1), *POSITION[1:])
    state.record["chips_left"] = 1
    words, picture = shown(state, 0)
    assert "1 doubloon, 1 point," in words and "; 1 point\n" in words
    assert picture.count("1 VP chip<") == 2 and ">doubloon<" in picture


@pytest.mark.rule("PR-INF-1")
def test_chips_of_others_are_a_question_mark() -> None:
    words, picture = shown(example(), 0)
    assert "3 doubloons, ? points" in lines_of(words, "P1")
    assert "8 VP chips" not in picture
    words, picture = shown(example(visibility="open"), 0)
    assert "3 doubloons, 8 points" in lines_of(words, "P1")
    assert "8 VP chips" in picture


def test_nobles_are_told_from_colonists() -> None:
    s = board(player(buildings={"chapel": 1, "office": 1}, nobles={"chapel": 1}), player(), player(), nobles=True)
    words, picture = shown(s, 0)
    assert "office o, chapel N" in words
    assert "#c62f2f" in picture


def test_the_picture_is_well_formed_and_names_what_is_there() -> None:
    _, picture = shown(example(), 0)
    root = ElementTree.fromstring(picture)
    said = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert {"settler", "indigo plant", "office", "city hall", "2 corn", "player_0 (you)", "player_1"} <= said
    circles = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(circles) > 15


@pytest.mark.parametrize("options", [{}, {"players": 2}, {"players": 5, "new_buildings": True, "nobles": True}])
def test_every_phase_of_a_game_can_be_shown(options: dict[str, Any]) -> None:
    env = tw.make("puerto_rico", **options)
    env.reset(seed=4)
    choose = np.random.default_rng(4)
    shown_phases = set()
    while not any(env.terminations.values()):
        view = env.view(env.agent_selection)
        if int(view.phase) not in shown_phases:
            shown_phases.add(int(view.phase))
            words = text(view, int(view.seat))
            assert len(words.splitlines()) > 15
            assert max(map(len, words.splitlines())) <= 150
            ElementTree.fromstring(env.svg())
        env.step(int(choose.choice(env.legal_actions())))
    assert len(shown_phases) >= 8
    ElementTree.fromstring(env.svg())
    final = text(env.view("player_0"), 0)
    assert "FINAL SCORES" in final
    assert "Game over" in final
    for agent in env.agents:
        assert str(env.infos[agent]["score"]) in final


def test_every_phase_has_its_words() -> None:
    assert set(DECISIONS) == set(Phase)
    s = board(player(doubloons=6, goods={"corn": 1}, buildings={"black market": 1}, windrose=1), player(), player(), new_buildings=True)
    play(s, "role: builder", "builder: build the harbour")
    assert "player_0 (you) pays for the harbour: a colonist to the black market?" in shown(s, 0)[0]
