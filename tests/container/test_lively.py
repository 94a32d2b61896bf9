"""Golden games of lively play, one for every number of players with and without the Investment Bank."""

from pathlib import Path

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.container import GAME

from .lively import choose

GOLDEN = Path(__file__).parent / "golden"
VARIANTS = [(players, bank) for players in (3, 4, 5) for bank in (False, True)]


def path_of(players: int, bank: bool) -> Path:
    return GOLDEN / f"lively-{players}{'-bank' if bank else ''}.jsonl"


def lively_game(players: int, bank: bool) -> tw.Replay:
    """Seed 1, with void bids, to the end."""
    env = tw.make("container", players=players, investment_bank=bank, void_bids=True)
    env.reset(seed=1)
    random = np.random.default_rng(1)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        env.step(choose(env.observe(env.agent_selection)["action_mask"], random))
    return tw.Replay.of(env)


def write() -> None:
    """After rules were changed on purpose: python -m tests.container.test_lively"""
    GOLDEN.mkdir(exist_ok=True)
    for players, bank in VARIANTS:
        lively_game(players, bank).save(path_of(players, bank))


@pytest.mark.parametrize(("players", "bank"), VARIANTS)
def test_a_lively_game_plays_as_it_always_did(players, bank):
    """Loading plays the game again and checks every seat, chance result and final score."""
    replay = tw.Replay.load(path_of(players, bank), GAME)
    assert replay.result is not None
    said = {move.action.split(":")[0] for move in replay.moves}
    assert {"sail", "factory", "harbour", "buy", "price", "bid", "auction"} <= said
    assert not bank or "call" in said


if __name__ == "__main__":
    write()
