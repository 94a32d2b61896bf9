"""The end of the game and the final count."""

import pytest

from tradewinds.envs.container.rules.scoring import value_of
from tradewinds.envs.container.state import Phase
from tradewinds.envs.core.spec.fields import Status

from .box import recount
from .referee import final_money
from .referee_table import Player
from .table import COLOURS, Position, bid, legal, play, result, table

# Seat 0 holds the card that begins with black: black 10, brown 5/10, purple 6, beige 4, grey 2.
VALUE = {"black": 10, "brown": 5, "purple": 6, "beige": 4, "grey": 2}


def score_of(island, **more):
    """What seat 0 makes of its part of the island, with no money."""
    s = table(island=[island], money=[0], **more)
    scores, _ = result(s)
    assert recount(s.record)[0] == scores
    return scores[0]


@pytest.mark.rule("CT-END-1")
def test_when_two_colours_have_run_out_the_active_player_finishes_the_turn_and_the_game_ends():
    s = table(supply={"grey": 0, "black": 1})
    play(s, "factory: produce", "price: $1")
    assert (s.supply[0], s.is_over, s.actions_left) == (0, False, 1)
    play(s, "sail: to the 1st harbour on the left")
    assert s.status == Status.ENDED


@pytest.mark.rule("CT-END-1")
def test_both_colours_may_run_out_in_one_production_and_one_colour_is_not_enough():
    s = table(machines=[["black", "brown"]], supply={"brown": 1, "black": 1})
    play(s, "factory: produce", "price: $1", "price: $1")
    assert not s.is_over
    play(s, "turn: end")
    assert s.status == Status.ENDED
    s = table(supply={"grey": 0})
    play(s, "turn: end")
    assert not s.is_over


@pytest.mark.rule("CT-END-1b")
def test_only_the_common_supply_counts_and_there_are_no_equalising_turns():
    s = table(active=2, supply={"grey": 0, "black": 1}, factory=[{"black": [1]}], cargo=[{"black": 2}])
    play(s, "turn: end")
    assert not s.is_over
    s = table(active=2, supply={"grey": 0, "black": 0}, factory=[{"black": [1]}])
    play(s, "turn: end")
    assert (s.status, s.active) == (Status.ENDED, 2)


@pytest.mark.rule("CT-END-1b")
def test_the_second_action_is_still_played_and_an_auction_too():
    s = table(supply={"grey": 0, "black": 1}, cargo=[{"beige": 1}], money=[5, 0, 0, 0], loans=[0, 2, 2, 2])
    play(s, "factory: produce", "price: $1", "sail: to the island")
    assert (s.decides, s.seat) == (Phase.BID, 3)  # who has the dollar paid for the production
    bid(s, 1)
    play(s, "auction: refuse all bids")
    assert (s.status, s.held("island", 0)) == (Status.ENDED, {"beige": 1})


@pytest.mark.rule("CT-END-1b")
def test_totals_may_be_negative():
    s = table(money=[3], loans=[2])
    assert result(s)[0][0] == 3 - 22


@pytest.mark.rule("CT-END-2")
def test_the_5_10_colour_is_worth_10_to_one_with_all_five_colours_else_5():
    full = {"black": 1, "brown": 2, "purple": 3, "beige": 1, "grey": 1}
    assert score_of(full) == 10 + 2 * 10 + 4 + 2  # purple is discarded, after this was judged
    assert score_of({**full, "grey": 0}) == 10 + 2 * 5 + 4


@pytest.mark.rule("CT-END-2")
@pytest.mark.parametrize("first", range(5))
def test_every_card_hands_out_the_values_in_ring_order(first):
    s = table(cards=[COLOURS[first]])
    values = [int(value_of(s.record, 0, (first + i) % 5)) for i in range(5)]
    assert values == [10, 5, 6, 4, 2]


@pytest.mark.rule("CT-END-3")
def test_the_most_numerous_colour_is_discarded():
    assert score_of({"black": 3, "grey": 2}) == 2 * 2
    assert score_of({"black": 2, "grey": 3}) == 2 * 10
    assert score_of({"black": 4}) == 0
    assert score_of({}) == 0


@pytest.mark.rule("CT-END-3")
def test_of_tied_colours_the_least_valuable_goes():
    assert score_of({"black": 2, "grey": 2, "purple": 2}) == 2 * 10 + 2 * 6


@pytest.mark.rule("CT-END-3")
def test_if_the_5_10_colour_is_among_the_tied_it_must_go():
    assert score_of({"brown": 2, "grey": 2}) == 2 * 2
    assert score_of({"brown": 2, "black": 2, "grey": 1}) == 2 * 10 + 2
    assert score_of(dict.fromkeys(COLOURS, 1)) == 10 + 6 + 4 + 2


@pytest.mark.rule("CT-END-2", "CT-END-3")
def test_a_5_10_colour_that_is_not_most_numerous_keeps_its_10():
    assert score_of({"brown": 2, "black": 3, "purple": 1, "beige": 1, "grey": 1}) == 20 + 6 + 4 + 2


@pytest.mark.rule("CT-END-4")
def test_harbour_store_ship_money_and_loans_count_and_the_factory_store_does_not():
    s = table(
        money=[7, 0, 0, 0],
        loans=[1],
        harbour=[{"black": [2], "grey": [6]}],
        warehouses=[2],
        cargo=[{"beige": 3}],
        factory=[{"black": [1, 4]}],
        island=[{"black": 1, "grey": 2}],
    )
    scores, ranks = result(s)
    assert scores == [7 + 2 * 2 + 3 * 3 + 10 - 11, 0, 0, 0]
    assert ranks == [1, 2, 2, 2]


@pytest.mark.rule("CT-END-4")
def test_ties_go_to_the_fuller_factory_store_and_are_then_shared():
    s = table(money=[9, 9, 9, 5], factory=[{"black": [1]}, {"brown": [1, 1]}, {"purple": [4, 4]}, {"beige": [1, 1]}])
    assert result(s) == ([9, 9, 9, 5], [3, 1, 1, 4])
    assert recount(s.record) == ([9, 9, 9, 5], [3, 1, 1, 4])


@pytest.mark.rule("CT-IB-END-1")
def test_an_open_auction_for_containers_is_won_at_the_end_and_they_score_3_each():
    s = table(
        investment_bank=True,
        supply={"black": 0, "brown": 0},
        payer=2,
        marked=1,
        bid=4,
        boxes=[{}, {"grey": 2}],
        money=[0, 0, 5, 0],
        turn=20,
    )
    play(s, "turn: end")
    assert s.status == Status.ENDED
    assert (s.held("bank_harbour", 2), s.held("box_containers", 1)) == ({"grey": 2}, {})
    assert (s.box_money.tolist(), s.payment_money, s.payer) == ([2, 1, 1], 0, -1)
    assert result(s)[0] == [0, 0, 5 + 6, 0]


@pytest.mark.rule("CT-IB-END-1")
def test_an_open_auction_for_money_is_won_at_the_end_and_bid_containers_count_nowhere():
    s = table(
        investment_bank=True,
        supply={"black": 0, "brown": 0},
        payer=1,
        marked=5,
        bid=({"grey": 1, "beige": 2}, {"grey": 1}),
        box_money=[1, 2, 9],
        money=[0, 3, 0, 0],
        machines=[["black"], ["grey", "beige"]],
    )
    play(s, "turn: end")
    assert (s.money[1], s.box_money.tolist(), s.payment.sum()) == (12, [1, 2, 0], 0)
    assert s.box_containers.sum(axis=1).tolist() == [2, 1, 1]
    assert result(s)[0] == [0, 12, 0, 0]


@pytest.mark.rule("CT-IB-END-1")
def test_containers_in_the_own_bank_harbour_score_3_each():
    s = table(investment_bank=True, bank_harbour=[{}, {"grey": 2, "black": 1}], money=[0, 0, 0, 0])
    assert result(s)[0] == [0, 9, 0, 0]


@pytest.mark.rule("CT-END-1")
def test_nothing_is_legal_after_the_end():
    s = table(supply={"black": 0, "brown": 0})
    play(s, "turn: end")
    assert legal(s) == set()


def referees(s: Position, seat: int) -> int:
    counted = Player(int(s.money[seat]), [], {"factory": [], "harbour": [(0, 2)] * int(s.harbour[seat].sum())})
    counted.loans = int(s.loans[seat])
    for colour in range(5):
        counted.island += [colour] * int(s.island[seat][colour])
        counted.cargo += [colour] * int(s.cargo[seat][colour])
        counted.bank_harbour += [colour] * int(s.bank_harbour[seat][colour])
    return final_money(counted, int(s.value_card[seat]))


@pytest.mark.rule("CT-END-2", "CT-END-3")
def test_thirteen_of_the_five_ten_colour_in_a_full_set_score_130():
    s = table(5, island=[{"black": 16, "brown": 15, "purple": 15, "beige": 1, "grey": 1}], money=[0])
    scores, _ = result(s)
    assert scores[0] == 15 * 10 + 15 * 6 + 4 + 2
    assert scores[0] == referees(s, 0)


@pytest.mark.rule("CT-IB-END-1")
def test_a_bank_harbour_with_most_of_the_box_scores_three_each():
    s = table(5, bank_harbour=[dict.fromkeys(("black", "brown", "purple", "beige", "grey"), 13)], money=[0], investment_bank=True)
    scores, _ = result(s)
    assert scores[0] == 3 * 65 == referees(s, 0)


@pytest.mark.rule("CT-END-2", "CT-END-3", "CT-END-4")
@pytest.mark.parametrize(
    "island", [[1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [0, 2, 2, 0, 0], [3, 0, 3, 1, 1], [3, 2, 3, 3, 1], [0, 1, 0, 0, 0], [4, 4, 1, 1, 1]]
)
def test_every_card_scores_as_the_referee_says(island):
    names = ["black", "brown", "purple", "beige", "grey"]
    for card in range(5):
        s = table(island=[dict(zip(names, island, strict=True))], cards=[*names[card:], *names[:card]], loans=[2], cargo=[{"grey": 2}])
        assert result(s)[0][0] == referees(s, 0)
