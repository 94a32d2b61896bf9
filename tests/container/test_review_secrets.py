"""Twin games that differ only in a secret: what all others are given is the same until it is shown (CT-INF-1)."""

import random
from typing import Any

import numpy as np
import pytest

from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase
from tradewinds.envs.container_v0 import env as new_env

from .table import Position, bid, legal, look, play, table


def given(s: Position, viewer: int) -> tuple[Any, ...]:
    """All that a seat is given: the vector, the record behind its visibility mask, the text, the picture, and its mask if it is to move."""
    view = s.variant.masked_view(s.array, viewer)
    mask = s.words.tobytes() if s.seat == viewer else b""
    return look(s, viewer).tobytes(), view.tobytes(), GAME.text(view, viewer), GAME.svg(view, viewer), mask


def everybody(s: Position, but: int) -> list[tuple[Any, ...]]:
    return [given(s, viewer) for viewer in range(s.players) if viewer != but]


def history(s: Position, bids: list[tuple[int, int]], secret: int) -> list[Any]:
    """Who is asked and what everybody but the bidder with the secret is given, from one bid to the next, until all bids are in."""
    phase, told = s.decides, []
    for amount, loans in bids:
        told.append((int(s.seat), everybody(s, secret)))
        if amount < 0:
            play(s, "bid: void it")
        else:
            bid(s, amount, loans)
        if s.decides != phase:
            break
    return told


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
@pytest.mark.parametrize("visibility", ["rules", "open"])
@pytest.mark.parametrize("bank", [False, True])
@pytest.mark.parametrize("place", [0, 1])
def test_a_first_bid_and_its_loans_tell_nothing_before_all_are_in(place, bank, visibility):
    stories = []
    for mine in [(0, 0), (7, 0), (20, 0), (20, 1), (0, 2), (40, 2)]:
        s = table(cargo=[{"grey": 2}], visibility=visibility, investment_bank=bank)
        play(s, "sail: to the island")
        bids = [(3, 0), (3, 0), (3, 0)]
        bids[place] = mine
        stories.append(history(s, bids, 1 + place))
    assert all(told == stories[0] for told in stories)


@pytest.mark.rule("CT-INF-1", "CT-AUC-2", "CT-AUC-6")
@pytest.mark.parametrize("visibility", ["rules", "open"])
def test_a_second_bid_tells_nothing_before_all_are_in(visibility):
    stories = []
    for mine in [(0, 0), (9, 0), (15, 0), (0, 1), (35, 2), (-1, 0)]:
        s = table(cargo=[{"grey": 2}], visibility=visibility, void_bids=True)
        play(s, "sail: to the island")
        for amount in (5, 5, 5):
            bid(s, amount)
        assert s.decides == Phase.SECOND_BID
        stories.append(history(s, [mine, (1, 0), (2, 0)], 1))
    assert all(told == stories[0] for told in stories)


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
def test_a_half_made_bid_or_a_loan_for_it_shows_nothing():
    s = table(cargo=[{"grey": 2}], money=[20, 234, 20, 20])
    play(s, "sail: to the island")
    before = everybody(s, 1)
    for name in ("loan: take $10", "bid: 2 x $100", "bid: 0 x $10"):
        play(s, name)
        assert everybody(s, 1) == before


@pytest.mark.rule("CT-INF-1")
def test_bids_and_loans_are_public_at_once_when_all_are_in():
    s = table(cargo=[{"grey": 2}])
    play(s, "sail: to the island")
    for amount, loans in ((4, 0), (25, 1), (3, 2)):
        bid(s, amount, loans)
    for viewer in range(4):
        view = s.variant.masked_view(s.array, viewer)
        assert view["shown_bid"][:4].tolist() == [0, 4, 25, 3]
        assert view["loans"][:4].tolist() == [0, 0, 1, 2]


def scramble(s: Position, viewer: int, chance: random.Random) -> None:
    """Other cards, other money and other secret bids for all but the viewer, in place."""
    r = s.record
    others = [seat for seat in range(5) if seat != viewer]
    cards = [int(r["value_card"][seat]) for seat in others]
    chance.shuffle(cards)
    for seat, card in zip(others, cards, strict=True):
        r["value_card"][seat] = card
    for seat in range(s.players):
        if seat != viewer:
            r["money"][seat] = chance.randrange(100, 1000)
            if s.decides in (Phase.BID, Phase.SECOND_BID):
                r["bid"][seat] = chance.randrange(50)
                r["bid_loans"][seat] = chance.randrange(3)
                r["bid_digits"][seat] = chance.randrange(3)
    r["issued"] = chance.randrange(1000)


def likely(name: str) -> float:
    if name.startswith(("turn: end", "loan")):
        return 0.1
    return 5.0 if name.startswith(("sail: to the island", "buy")) else 1.0


@pytest.mark.rule("CT-INF-1")
@pytest.mark.parametrize("bank", [False, True])
@pytest.mark.parametrize("players", [3, 5])
def test_nothing_that_a_seat_is_given_depends_on_what_others_hide(players, bank):
    stores = {"factory": [{"black": [2, 3]}] * players, "harbour": [{"grey": [3]}] * players, "cargo": [{"purple": 2}] * players}
    s = table(players, **stores, boxes=[{"grey": 1}] * bank, box_money=[3] * bank, investment_bank=bank, void_bids=True, max_turns=30)
    chance = random.Random(players)
    phases = set()
    while not s.is_over:
        phases.add(s.decides)
        saved = s.saved()
        viewers = range(players) if chance.random() < 0.2 else [int(s.seat)]
        for viewer in viewers:
            before = given(s, viewer)
            scramble(s, viewer, chance)
            if viewer == s.seat:
                GAME.kernels["legal"](s.record, s.mask)
            assert given(s, viewer) == before
            s.restore(saved)
        names = sorted(legal(s))
        play(s, chance.choices(names, [likely(name) for name in names])[0])
    assert {Phase.BID, Phase.SALE, Phase.SHIP, Phase.SHOP, Phase.PRICE_HARBOUR} <= phases


def played(game: Any, moves: list[tuple[int, int]], secret: int, hide: Any) -> list[Any]:
    """What the door onto PettingZoo gives everybody else before each move."""
    hide(game)
    told = []
    for seat, action in moves:
        assert game.agent_selection == f"player_{seat}"
        seen = []
        for agent in game.possible_agents:
            if agent != f"player_{secret}":
                facts = game.observe(agent)
                seen.append(
                    (facts["observation"].tobytes(), facts["action_mask"].tobytes(), game.view(agent).tobytes(), game.render(agent))
                )
        told.append((game.agent_selection, seen, dict(game.rewards)))
        game.step(action)
    return told


@pytest.mark.rule("CT-INF-1")
def test_whole_games_that_differ_in_hidden_money_and_cards_look_the_same_to_the_others():
    """The secret seat has more money in one game, which never limits it in either, and another of the undealt cards."""
    for seed, secret in ((5, 0), (6, 2)):
        base = new_env(players=3, max_turns=30, render_mode="ansi", investment_bank=seed == 6)
        chance = random.Random(seed)

        def rich(game: Any, money: int = 500, secret: int = secret) -> None:
            states = game._b.states.view(np.ndarray)
            states["money"][0, secret] = money
            game._loops.refresh(game._b, 0, 1, 0)

        def richer(game: Any, secret: int = secret) -> None:
            states = game._b.states.view(np.ndarray)
            cards = states["value_card"][0]
            cards[[secret, 4]] = cards[[4, secret]]
            rich(game, 507, secret)

        base.reset(seed=seed)
        rich(base)
        moves: list[tuple[int, int]] = []
        while base.agents and not any(base.terminations.values()) and not any(base.truncations.values()):
            seat = base.possible_agents.index(base.agent_selection)
            names = [name for name in map(base.describe, base.legal_actions()) if not name.startswith("loan")]
            # A small bid of the rich one is possible whatever it holds, and is never more than the others could refuse.
            small = [name for name in names if name.startswith("bid: 0")]
            name = chance.choice(small if seat == secret and small else names)
            moves.append((seat, base.parse(name)))
            base.step(moves[-1][1])
        stories = []
        for hide in (rich, richer):
            game = new_env(players=3, max_turns=30, render_mode="ansi", investment_bank=seed == 6)
            game.reset(seed=seed)
            stories.append(played(game, moves, secret, hide))
        assert stories[0] == stories[1]
        assert len(moves) > 60
