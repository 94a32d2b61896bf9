"""Determinizations for a viewer (CT-INF-1): what is hidden is sampled, and the result is a position that could be."""

import random

import pytest

from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase
from tradewinds.envs.core.engine.rng import new_tape

from .table import begin_turn, bid, check, legal, look, play, table
from .test_referee import rich_position, weight


@pytest.mark.rule("CT-INF-1")
def test_a_determinization_samples_cards_and_money_and_nothing_else():
    cards, money = set(), set()
    for seed in range(300):
        s = table(money=[11, 12, 13, 14])
        before = s.variant.masked_view(s.array, 1).tobytes()
        GAME.kernels["redeal"](s.record, 1, new_tape(seed))
        assert s.variant.masked_view(s.array, 1).tobytes() == before
        assert sorted(s.record["value_card"].tolist()) == [0, 1, 2, 3, 4]
        cards.add(tuple(s.record["value_card"].tolist()))
        money.add(tuple(s.money.tolist()))
    assert len(cards) == 24
    assert len(money) > 250


@pytest.mark.rule("CT-INF-1")
def test_sampled_bids_are_bids_that_could_have_been_made():
    found = set()
    for seed in range(200):
        s = table(cargo=[{"grey": 1}], visibility="open", money=[20, 3, 5, 5], loans=[0, 1])
        play(s, "sail: to the island")
        bid(s, 2)
        bid(s, 5)
        GAME.kernels["redeal"](s.record, 3, new_tape(seed))
        loans = int(s.bid_loans[1])
        assert 0 <= s.bid[1] <= 3 + 10 * loans
        assert loans <= 1
        found.add((int(s.bid[1]), loans))
        bid(s, 0)  # the game goes on from there
        assert s.decides in (Phase.SALE, Phase.SECOND_BID)
    assert len(found) > 10


@pytest.mark.rule("CT-INF-1")
def test_one_whose_container_is_seized_has_no_money_and_everyone_knows_it():
    s = table(active=1, money=[20, 0], loans=[0, 2], island=[{}, {"black": 1, "grey": 1}])
    begin_turn(s)
    GAME.kernels["redeal"](s.record, 0, new_tape(1))
    assert s.money[1] == 0


@pytest.mark.rule("CT-INF-1", "CT-IB-CALL-3")
@pytest.mark.parametrize("visibility", ["open", "rules"])
def test_a_bid_whose_first_digit_was_forced_is_still_a_decision_after_a_determinization(visibility):
    """With $23 against a bid of $20 only the second digit is a choice."""
    s = table(investment_bank=True, money=[23], loans=[2], fresh=[2], payer=2, marked=0, bid=20, boxes=[{"grey": 1}], visibility=visibility)
    play(s, "call: outbid")
    assert (s.decides, legal(s)) == (Phase.CALL_MONEY, {f"bid: {digit} x $1" for digit in (1, 2, 3)})
    saved = s.saved()
    choices = []
    for _ in range(20):
        GAME.kernels["redeal"](s.record, 1, s.stream)
        choices.append(GAME.kernels["legal"](s.record, s.mask))
        check(s)
        s.restore(saved)
    assert max(choices) >= 2
    if visibility == "open":  # nothing of it is hidden
        assert choices == [3] * 20


@pytest.mark.rule("CT-INF-1", "CT-AUC-6")
def test_a_void_bid_is_among_the_sampled_ones():
    s = table(cargo=[{"grey": 1}], void_bids=True)
    play(s, "sail: to the island", *["bid: 0 x $10", "bid: 5 x $1"] * 3)
    play(s, "bid: 0 x $10", "bid: 1 x $1")
    assert (s.decides, s.seat) == (Phase.SECOND_BID, 2)
    saved = s.saved()
    drawn = set()
    for _ in range(300):
        GAME.kernels["redeal"](s.record, 2, s.stream)
        check(s)
        assert s.bid_digits[1] == 0
        drawn.add(int(s.bid[1]))
        tape = s.stream
        s.restore(saved)
        s.stream = tape
    assert -5 in drawn
    assert len(drawn) > 10


@pytest.mark.slow
@pytest.mark.rule("CT-INF-1")
@pytest.mark.parametrize("visibility", ["open", "rules"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_decision_can_be_determinized_for_every_seat(players, visibility):
    """A determinization looks the same to the viewer, keeps all pieces, and within a few tries leaves the seat to move a decision."""
    chance = random.Random(players)
    s = rich_position(players, players=players, investment_bank=True, void_bids=True, max_turns=16, visibility=visibility)
    while not s.is_over:
        saved, mask = s.saved(), s.mask.copy()
        for viewer in range(players):
            view, seen = s.variant.masked_view(s.array, viewer).tobytes(), look(s, viewer).tobytes()
            choices = 0
            for _ in range(100):
                GAME.kernels["redeal"](s.record, viewer, s.stream)
                assert (s.variant.masked_view(s.array, viewer).tobytes(), look(s, viewer).tobytes()) == (view, seen)
                check(s)
                choices = GAME.kernels["legal"](s.record, s.mask)
                if viewer == s.seat:
                    assert (s.mask == mask).all()
                if choices > 1:
                    break
            assert choices > 1
            s.restore(saved)
        names = sorted(legal(s))
        play(s, chance.choices(names, [weight("trader" if s.turn % 2 else "banker", name) for name in names])[0])
