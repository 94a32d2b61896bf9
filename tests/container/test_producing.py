"""Production."""

import pytest

from tradewinds.envs.container.state import Phase

from .table import COLOURS, legal, play, table


@pytest.mark.rule("CT-PROD-1")
def test_production_costs_a_dollar_paid_to_the_player_on_the_right_whatever_is_made():
    s = table(machines=[COLOURS[:3]])
    play(s, "factory: produce")
    assert s.money.tolist() == [19, 20, 20, 21]


@pytest.mark.rule("CT-PROD-1")
def test_production_is_possible_once_a_turn():
    s = table()
    play(s, "factory: produce", "price: $1")
    assert "factory: produce" not in legal(s)
    play(s, "turn: end")
    assert "factory: produce" in legal(s)


@pytest.mark.rule("CT-PROD-1")
def test_without_a_dollar_there_is_no_production_but_a_loan_helps():
    s = table(money=[0])
    assert "factory: produce" not in legal(s)
    play(s, "loan: take $10", "factory: produce")
    assert s.money[0] == 9


@pytest.mark.rule("CT-PROD-2")
def test_each_machine_makes_one_container_where_the_supply_has_one():
    s = table(machines=[["black", "purple", "grey"]], supply={"purple": 0})
    play(s, "factory: produce", "price: $1", "price: $4")
    assert s.store("factory", 0) == {"black": [1], "grey": [4]}
    assert s.supply.tolist() == [12, 13, 0, 13, 12]


@pytest.mark.rule("CT-PROD-2")
def test_if_not_all_fit_the_player_chooses_which_in_colour_order_and_must_fill_the_store():
    s = table(machines=[["black", "brown", "purple", "grey"]], factory=[{"black": [1] * 6}])
    play(s, "factory: produce")
    assert s.decides == Phase.MAKE
    assert legal(s, "produce:") == {"black", "brown", "purple"}  # grey first would leave nothing to follow
    play(s, "produce: brown")
    assert legal(s, "produce:") == {"purple", "grey"}
    play(s, "produce: grey")
    assert s.decides == Phase.PRICE_FACTORY
    assert s.held("pile", 0) == {"black": 6, "brown": 1, "grey": 1}


@pytest.mark.rule("CT-PROD-2")
def test_with_no_choice_nothing_is_asked():
    s = table(machines=[["black", "brown"]], factory=[{"black": [1, 1, 1]}], supply={"brown": 0})
    play(s, "factory: produce")
    assert s.decides == Phase.PRICE_FACTORY


@pytest.mark.rule("CT-PROD-2")
def test_it_may_be_done_only_to_reprice_and_the_dollar_stays_due():
    s = table(factory=[{"black": [1, 1]}])
    play(s, "factory: produce", "price: $3", "price: $4")
    assert (s.store("factory", 0), s.supply[0], s.money[0]) == ({"black": [3, 4]}, 11, 19)
    s = table(supply={"black": 0})
    play(s, "factory: produce")
    assert (s.money.tolist(), s.actions_left) == ([19, 20, 20, 21], 1)


@pytest.mark.rule("CT-PROD-3")
def test_old_and_new_containers_get_prices_from_1_to_4():
    s = table(machines=[["black", "brown"]], factory=[{"brown": [2]}])
    play(s, "factory: produce")
    assert legal(s, "price:") == {"$1", "$2", "$3", "$4"}
    play(s, "price: $4", "price: $3", "price: $3")
    assert s.store("factory", 0) == {"black": [4], "brown": [3, 3]}


@pytest.mark.rule("CT-PROD-3")
def test_nothing_is_thrown_out_to_make_room():
    s = table(machines=[["black", "brown"]], factory=[{"brown": [2, 2, 2, 2]}])
    play(s, "factory: produce", *["price: $1"] * 4)
    assert s.store("factory", 0) == {"brown": [1, 1, 1, 1]}
