"""Drawing anew what a seat cannot know: the position stays one that could be."""

import pytest

from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase

from .table import check, legal, play, table


@pytest.mark.rule("CT-INF-1", "CT-IB-CALL-3")
@pytest.mark.parametrize("visibility", ["open", "rules"])
def test_a_bid_whose_first_digit_was_forced_is_still_a_decision_after_a_new_deal(visibility):
    """With $23 against a bid of $20 only the second digit is a choice."""
    s = table(
        investment_bank=True, money=[23], loans=[2], fresh=[2], payer=2, marked=0, bid=20, boxes=[{"grey": 1}], visibility=visibility
    )
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
    if visibility == "open":  # nothing of it is unknown to one who counts along
        assert choices == [3] * 20


@pytest.mark.rule("CT-INF-1", "CT-AUC-6")
def test_a_void_bid_is_among_those_drawn_anew():
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
