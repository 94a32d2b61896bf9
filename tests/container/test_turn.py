"""A turn: two actions, and when the game is cut off."""

import pytest

from tradewinds.envs.container.state import Phase
from tradewinds.envs.core.spec.fields import Status

from .table import begin_turn, legal, new_game, play, result, table


@pytest.mark.rule("CT-TURN-1")
def test_a_turn_has_two_actions_and_then_the_next_player_moves():
    s = table()
    play(s, "sail: to the 1st harbour on the left")
    assert (s.seat, s.actions_left) == (0, 1)
    play(s, "sail: to the open sea")
    assert (s.seat, s.active, s.actions_left, s.turn) == (1, 1, 2, 9)


@pytest.mark.rule("CT-TURN-1")
@pytest.mark.parametrize("done", [0, 1])
def test_actions_may_be_forgone(done):
    s = table(active=3)
    play(s, *["sail: to the 1st harbour on the left"][:done], "turn: end")
    assert (s.active, s.decides) == (0, Phase.ACTION)


@pytest.mark.rule("CT-TURN-1")
def test_the_same_action_may_be_taken_twice():
    s = table()
    play(s, "warehouse: buy one", "warehouse: buy one")
    assert (s.warehouses[0], s.money[0]) == (3, 20 - 4 - 5)


@pytest.mark.rule("CT-TURN-1")
def test_a_new_machine_and_a_new_warehouse_work_at_once():
    s = table()
    play(s, "machine: buy a grey one", "factory: produce", "price: $1", "price: $2")
    assert s.store("factory", 0) == {"black": [1], "grey": [2]}
    s = table(harbour=[{"brown": [2]}], factory=[{}, {"brown": [3]}])
    assert legal(s, "harbour: buy") == set()
    play(s, "warehouse: buy one", "harbour: buy from the 1st factory on the left", "price: $2", "price: $5")
    assert s.store("harbour", 0) == {"brown": [2, 5]}


@pytest.mark.rule("CT-TURN-1")
def test_the_first_action_is_over_before_the_second_begins():
    s = table(factory=[{}, {"brown": [1, 1]}], warehouses=[2])
    play(s, "harbour: buy from the 1st factory on the left")
    assert legal(s) == {"enough", "buy: brown at $1", "loan: take $10"}  # one was bought unasked
    play(s, "enough")
    assert legal(s) == {*(f"price: ${price}" for price in range(2, 7)), "loan: take $10"}
    play(s, "price: $6")
    assert (s.decides, s.actions_left) == (Phase.ACTION, 1)


@pytest.mark.rule("CT-TURN-1")
def test_interest_comes_before_the_actions():
    s = table(money=[5], loans=[1])
    begin_turn(s)
    assert (s.seat, s.money[0], s.actions_left) == (0, 4, 2)


@pytest.mark.rule("CT-TURN-2")
def test_any_number_of_containers_may_share_a_price():
    s = table(harbour=[{"black": [2], "brown": [3, 4], "grey": [6]}], warehouses=[4])
    play(s, "harbour: only change prices", "price: $5", "price: $5", "price: $5", "price: $5")
    assert s.store("harbour", 0) == {"black": [5], "brown": [5, 5], "grey": [5]}


@pytest.mark.rule("CT-TURN-2")
def test_selling_buying_and_sailing_change_no_other_price():
    s = table(
        factory=[{"black": [3]}, {"brown": [1, 4]}],
        harbour=[{"grey": [6]}, {"beige": [2, 5]}],
        warehouses=[1, 2],
    )
    play(s, "warehouse: buy one", "sail: to the 1st harbour on the left", "buy: beige at $2", "enough")
    assert s.store("factory", 0) == {"black": [3]}
    assert s.store("harbour", 0) == {"grey": [6]}
    assert s.store("factory", 1) == {"brown": [1, 4]}
    assert s.store("harbour", 1) == {"beige": [5]}


@pytest.mark.rule("CT-STALL-1")
def test_after_max_turns_the_game_is_truncated_and_scored_as_it_stands():
    s = new_game(1, players=3, max_turns=4)
    for _ in range(3):
        play(s, "turn: end")
        assert not s.is_over
    play(s, "turn: end")
    assert s.status == Status.TRUNCATED
    assert result(s) == ([20, 20, 20], [1, 1, 1])


@pytest.mark.rule("CT-STALL-1")
def test_a_game_that_ends_by_the_rules_in_its_last_turn_is_not_truncated():
    s = table(supply={"black": 0, "brown": 0}, turn=29, max_turns=30)
    play(s, "turn: end")
    assert s.status == Status.ENDED


@pytest.mark.rule("CT-STALL-1")
def test_an_open_broker_s_auction_is_won_when_the_game_is_truncated():
    s = table(investment_bank=True, turn=29, max_turns=30, payer=2, marked=0, bid=3, boxes=[{"grey": 2}])
    play(s, "turn: end")
    assert s.status == Status.TRUNCATED
    assert s.held("bank_harbour", 2) == {"grey": 2}
