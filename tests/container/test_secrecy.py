"""What a player knows, and what nobody can tell before all bids are in."""

import itertools
import random
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase
from tradewinds.envs.container_v0 import env as new_env
from tradewinds.envs.core.io.history import heard, steps
from tradewinds.envs.core.spec.fields import HIDDEN

from .table import Position, bid, legal, look, part, play, table


def seen_by(s: Position, viewer: int) -> tuple[bytes, str, str]:
    view = s.variant.masked_view(s.array, viewer)
    return look(s, viewer).tobytes(), GAME.text(view, viewer), GAME.svg(view, viewer)


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
@pytest.mark.parametrize("visibility", ["rules", "open"])
def test_nothing_that_others_see_changes_with_a_bid_or_with_whom_is_asked_before_all_bids_are_in(visibility):
    seen = {0: set(), 1: set(), 2: set(), 3: set()}
    for first, loans, second in itertools.product((0, 7, 18), (0, 1), (0, 15)):
        s = table(cargo=[{"grey": 1}], visibility=visibility)
        play(s, "sail: to the island")
        # Seat 1 begins, then bids; seat 2 begins, then bids; seat 3 is asked. Nobody but they sees a difference.
        for viewer in (0, 2, 3):
            seen[viewer].add(seen_by(s, viewer))
        if loans:
            play(s, "loan: take $10")
        play(s, f"bid: {first // 10} x $10")
        for viewer in (0, 2, 3):
            seen[viewer].add(seen_by(s, viewer))
        if s.seat == 1:
            play(s, f"bid: {first % 10} x $1")
        assert s.seat == 2
        for viewer in (0, 2, 3):
            seen[viewer].add(seen_by(s, viewer))
        bid(s, second)
        assert (s.seat, s.decides) == (3, Phase.BID)
        for viewer in (0, 3):
            seen[viewer].add(seen_by(s, viewer))
    assert [len(seen[viewer]) for viewer in (0, 2, 3)] == [1, 1, 1]


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
def test_a_bidder_s_own_mask_does_not_depend_on_earlier_bids():
    masks = set()
    for first, loans in itertools.product((0, 7, 18), (0, 1, 2)):
        s = table(cargo=[{"grey": 1}])
        play(s, "sail: to the island")
        bid(s, first, loans=loans)
        masks.add(s.mask.tobytes())
    assert len(masks) == 1


@pytest.mark.rule("CT-INF-1", "CT-AUC-2")
def test_second_bids_are_as_secret_as_first_ones():
    seen = set()
    for second in ("bid: 0 x $10", "bid: 1 x $10", "bid: void it", "loan: take $10"):
        s = table(cargo=[{"grey": 1}], void_bids=True)
        play(s, "sail: to the island")
        for amount in (5, 5, 3):
            bid(s, amount)
        assert (s.decides, s.seat) == (Phase.SECOND_BID, 1)
        seen.add(tuple(seen_by(s, viewer) for viewer in (0, 2, 3)))
        play(s, second)
        if s.seat == 1 and s.decides == Phase.SECOND_BID:
            bid(s, 0)
        assert (s.decides, s.seat) == (Phase.SECOND_BID, 2)
        seen.add(tuple(seen_by(s, viewer) for viewer in (0, 2, 3)))
    assert len(seen) == 1


@pytest.mark.rule("CT-INF-1")
def test_a_forced_bid_of_nothing_cannot_be_told_from_a_chosen_one():
    seen = []
    for money in (0, 20):
        s = table(cargo=[{"grey": 1}], money=[20, money, 20, 20], loans=[0, 2])
        play(s, "sail: to the island")
        if money:
            bid(s, 0)
        assert s.seat == 2
        seen.append([seen_by(s, viewer) for viewer in (0, 2, 3)])
    assert seen[0] == seen[1]


@pytest.mark.rule("CT-INF-1")
def test_money_is_hidden_from_others_unless_visibility_is_open_and_cards_always_are():
    for visibility in ("rules", "open"):
        s = table(visibility=visibility, money=[11, 12, 13, 14])
        view = s.variant.masked_view(s.array, 2)
        shown = [HIDDEN, HIDDEN, 13, HIDDEN] if visibility == "rules" else [11, 12, 13, 14]
        assert view["money"][:4].tolist() == shown
        assert view["value_card"].tolist() == [HIDDEN, HIDDEN, 2, HIDDEN, HIDDEN]
    assert "opponents_money" not in table().variant.layout.slices
    assert np.allclose(np.array(part(s, 2, "opponents_money")) * 20, [14, 11, 12])


@pytest.mark.rule("CT-INF-1")
def test_everything_else_is_public():
    hidden = {"money", "value_card", "bid", "bid_digits", "bid_loans", "issued"}
    assert {field.name for field in GAME.fields.all if field.seen} == hidden


@pytest.mark.rule("CT-INF-1")
def test_the_own_card_and_money_are_in_the_observation():
    s = table(cards=["purple", "beige"], money=[30])
    assert np.allclose(part(s, 0, "values"), [0.4, 0.2, 1.0, 0.5, 0.6])
    assert part(s, 0, "five_ten") == [0, 0, 0, 1, 0]
    assert part(s, 0, "money") == [1.5]


def test_the_base_game_s_observation_has_nothing_of_the_bank():
    base, bank = (tw.game("container").with_options(investment_bank=on).layout for on in (False, True))
    assert base.size <= 450
    assert set(bank.slices) - set(base.slices) >= {"box_money", "payer", "bank_harbour"}
    assert bank.size > base.size


def told(env, viewer, action):
    """What a seat learns of an action and all that is forced after it."""
    before = env.record()
    env.step(env.parse(action))
    return [line.text for line in heard(steps(env.variant, before, *env.moves[-1][1:]), viewer)]


def at_the_island(**options):
    """A game in which player_1 to player_3 are asked for bids, each with $20."""
    s = table(cargo=[{"grey": 1}], **options)
    play(s, "sail: to the island")
    env = tw.make("container", **options)
    env.reset(seed=1)
    env._b.states.view(np.ndarray)[:] = s.array
    env._loops.refresh(env._b, 0, 1, 0)
    return env


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
def test_nobody_hears_of_a_bid_or_its_loans_until_all_are_in():
    env = at_the_island()
    for action in ("loan: take $10", "bid: 1 x $10", "bid: 7 x $1", "bid: 0 x $10", "bid: 3 x $1", "bid: 1 x $10"):
        assert told(env, 0, action) == []
    assert told(env, 0, "bid: 6 x $1") == ["bids are shown: player_1 $17 with 1 new loan, player_2 $3, player_3 $16"]


@pytest.mark.rule("CT-INF-1", "CT-AUC-2")
def test_a_bidder_hears_of_their_own_bid_and_second_bids_are_shown_as_totals():
    env = at_the_island(void_bids=True)
    assert told(env, 1, "bid: 0 x $10") == ["bid: 0 x $10"]
    for action in ("bid: 5 x $1", "bid: 0 x $10", "bid: 5 x $1", "bid: 0 x $10"):
        told(env, 1, action)
    assert told(env, 1, "bid: 3 x $1") == ["bids are shown: player_1 $5, player_2 $5, player_3 $3"]
    assert told(env, 2, "bid: void it") == []
    assert told(env, 1, "bid: 0 x $10") == []
    assert told(env, 1, "bid: 2 x $1")[0] == "bids are shown: player_1 $0, player_2 $7"


@pytest.mark.rule("CT-INF-1", "CT-IB-CALL-2")
def test_of_a_call_one_hears_the_amount_but_not_the_digits_that_were_asked_for():
    env = tw.make("container", investment_bank=True)
    env.reset(seed=1)
    caller = env.agents.index(env.agent_selection)
    viewer = (caller + 1) % 4
    box = "call: bid for the containers of broker I"
    assert told(env, viewer, box) == [box]
    assert told(env, viewer, "bid: 0 x $10") == []
    assert told(env, viewer, "bid: 7 x $1") == [f"player_{caller} bids $7 for the containers of broker I"]


def given(s: Position, viewer: int) -> tuple[Any, ...]:
    """All that a seat is given: observation, masked view, text, SVG, and its action mask if it is to move."""
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
    """What the PettingZoo environment gives everybody else before each move."""
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
