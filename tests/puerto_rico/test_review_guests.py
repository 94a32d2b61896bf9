"""Guests in the settler phase when no plantation is left to take."""

import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .board import board, legal, play, player

HUT = "guest house: a guest to the construction hut"


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-B-HACIENDA")
def test_a_guest_in_the_hut_gives_the_hacienda_a_quarry_when_no_tile_can_be_drawn() -> None:
    guest = player(buildings={"guest house": 1, "hacienda": 1, "construction hut": 0})
    s = board(player(), guest, player(), new_buildings=True, face_up={}, stack={})
    play(s, "role: settler", "settler: take a quarry")
    assert (s.seat, s.decides) == (1, Phase.HACIENDA)
    play(s, HUT, "settler: take a quarry", "settler: take a quarry")
    assert s.island_of(1) == {"quarry": 2}


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NB-LIBRARY")
def test_a_guest_in_the_hut_gives_the_library_a_quarry_when_no_plantation_is_open() -> None:
    guest = player(buildings={"guest house": 1, "library": 1, "construction hut": 0})
    s = board(guest, player(), player(), new_buildings=True, face_up={}, stack={})
    play(s, "role: settler", "settler: take a quarry")
    assert (s.seat, s.decides) == (0, Phase.LIBRARY)
    play(s, HUT, "settler: take a quarry")
    assert s.island_of(0) == {"quarry": 2}


@pytest.mark.rule("PR-NB-GUEST-HOUSE")
def test_without_quarries_no_guest_is_called_to_the_hut() -> None:
    guest = player(buildings={"guest house": 1, "hacienda": 1, "library": 1, "construction hut": 0})
    s = board(guest, player(), player(), new_buildings=True, face_up={}, stack={}, quarries_left=0)
    play(s, "role: settler")
    assert s.decides == Phase.ROLE
    assert "role: mayor" in legal(s)
