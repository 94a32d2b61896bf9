"""Views to draw: games played at random, and the same with fields set by hand."""

from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np

import tradewinds.envs as tw
from tradewinds.envs.santiago_de_cuba.state import Phase
from tradewinds.envs.santiago_de_cuba.tables import EMPTY, Good

STAGES = [(2, 0), (3, 0), (4, 0), (2, 45), (3, 45), (4, 45), (2, 10_000), (3, 10_000), (4, 10_000)]  # players, moves


@cache
def saved_game(players: int, moves: int, visibility: str) -> bytes:
    """A game after some random moves, or at its end."""
    env = tw.make("santiago_de_cuba", players=players, visibility=visibility)
    env.reset(seed=players)
    rng = np.random.default_rng(11)
    for _ in range(moves):
        if any(env.terminations.values()):
            break
        env.step(int(rng.choice(env.legal_actions())))
    return env.save()


@cache
def loaded_game(players: int, moves: int, visibility: str) -> tw.TableEnv:
    env = tw.make("santiago_de_cuba", players=players, visibility=visibility)
    env.load(saved_game(players, moves, visibility))
    return env


def view_of(players: int = 3, moves: int = 45, seat: int = 0, visibility: str = "rules") -> Any:
    """A view that may be changed."""
    return loaded_game(players, moves, visibility).view(f"player_{seat}").copy()


def view_in(phase: Phase, **fields: Any) -> Any:
    """A view for seat 0 in which seat 1 has its turn and decides."""
    view = view_of()
    view.phase, view.active, view.seat = phase, 1, 1
    view.in_port = phase != Phase.DICE
    view.aside = Good.RUM if view.in_port else EMPTY
    for name, value in fields.items():
        view[name] = value
    return view


def labels(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]
