"""Machines, warehouses, and containers for the harbour store."""

import itertools

import pytest

from tradewinds.envs.container.state import Phase

from .table import COLOURS, legal, play, table


@pytest.mark.rule("CT-BUY-1")
@pytest.mark.parametrize(("owned", "cost"), [(1, 6), (2, 9), (3, 12)])
def test_a_machine_costs_what_its_slot_says(owned, cost):
    s = table(machines=[COLOURS[:owned]])
    play(s, "machine: buy a grey one")
    assert s.money.tolist() == [20 - cost, 20, 20, 20]
    assert s.machines[0].tolist() == [*[1] * owned, *[0] * (4 - owned), 1]
    poor = table(machines=[COLOURS[:owned]], money=[cost - 1])
    assert legal(poor, "machine:") == set()


@pytest.mark.rule("CT-BUY-1")
@pytest.mark.parametrize(("owned", "cost"), [(1, 4), (2, 5), (3, 6), (4, 7)])
def test_a_warehouse_costs_what_its_slot_says(owned, cost):
    s = table(warehouses=[owned])
    play(s, "warehouse: buy one")
    assert (s.money.tolist(), s.warehouses[0]) == ([20 - cost, 20, 20, 20], owned + 1)
    assert legal(table(warehouses=[owned], money=[cost - 1]), "warehouse:") == set()


@pytest.mark.rule("CT-BUY-1")
def test_no_colour_twice_none_out_of_stock_and_no_slot_no_purchase():
    s = table(3, money=[50], machines=[["black"], ["brown"], ["brown"]])
    assert legal(s, "machine: buy a") == {"purple one", "beige one", "grey one"}
    assert legal(table(money=[50], machines=[COLOURS[:4]]), "machine:") == set()
    assert legal(table(money=[50], warehouses=[5]), "warehouse:") == set()
    assert legal(table(3, money=[50], warehouses=[2, 5, 5]), "warehouse:") == set()


@pytest.mark.rule("CT-BUY-1")
def test_a_machine_and_a_warehouse_are_two_actions():
    s = table()
    play(s, "machine: buy a brown one", "warehouse: buy one")
    assert (s.active, s.money[0]) == (1, 10)


@pytest.mark.rule("CT-HARB-1")
def test_containers_are_bought_at_their_prices_from_one_opponent_who_is_paid():
    s = table(
        factory=[{"black": [1]}, {"purple": [1, 3], "grey": [4]}, {"beige": [2]}],
        machines=[["black"], ["purple", "grey"]],
        warehouses=[5],
    )
    assert legal(s, "harbour: buy from the") == {"1st factory on the left", "2nd factory on the left"}
    play(s, "harbour: buy from the 1st factory on the left")
    assert legal(s, "buy:") == {"purple at $1", "purple at $3", "grey at $4"}
    play(s, "buy: purple at $3", "buy: grey at $4")
    assert s.money.tolist() == [13, 27, 20, 20]
    assert s.store("factory", 1) == {"purple": [1]}


@pytest.mark.rule("CT-HARB-1")
def test_every_set_of_containers_is_bought_in_exactly_one_way():
    rows = []

    def buy(names):
        s = table(factory=[{}, {"purple": [1, 1, 3], "grey": [4]}], machines=[["black"], ["purple", "grey"]], warehouses=[5])
        play(s, "harbour: buy from the 1st factory on the left", *names)
        if s.decides != Phase.SHOP:
            rows.append(tuple(names))
            return
        for name in legal(s, "buy:"):
            buy([*names, f"buy: {name}"])
        if names:
            play(s, "enough")
            rows.append(tuple(names))

    buy([])
    sets = {tuple(sorted(row)) for row in rows}
    everything = ["buy: purple at $1"] * 2 + ["buy: purple at $3", "buy: grey at $4"]
    possible = {tuple(sorted(some)) for size in range(1, 5) for some in itertools.combinations(everything, size)}
    assert sets == possible
    assert len(rows) == len(possible)


@pytest.mark.rule("CT-HARB-1")
def test_nobody_buys_what_they_cannot_pay():
    s = table(money=[3], factory=[{}, {"purple": [2, 3, 4]}], machines=[["black"], ["purple", "grey"]], warehouses=[5])
    play(s, "harbour: buy from the 1st factory on the left")
    assert legal(s, "buy:") == {"purple at $2", "purple at $3"}
    play(s, "buy: purple at $2")
    assert legal(s) == {"enough", "loan: take $10"}
    assert legal(table(money=[3], factory=[{}, {"purple": [4]}]), "harbour: buy") == set()


@pytest.mark.rule("CT-HARB-2")
def test_no_more_are_bought_than_the_harbour_store_has_room_for():
    s = table(
        factory=[{}, {"purple": [1, 1], "grey": [1]}], machines=[["black"], ["purple", "grey"]], warehouses=[3], harbour=[{"black": [2]}]
    )
    play(s, "harbour: buy from the 1st factory on the left", "buy: purple at $1", "buy: grey at $1")
    assert s.decides == Phase.PRICE_HARBOUR
    full = table(factory=[{}, {"purple": [1]}], harbour=[{"black": [2]}])
    assert legal(full, "harbour:") == {"only change prices"}


@pytest.mark.rule("CT-HARB-3")
def test_bought_and_stored_containers_are_priced_one_by_one_in_colour_order():
    s = table(
        factory=[{}, {"purple": [1], "grey": [1]}],
        machines=[["black"], ["purple", "grey"]],
        warehouses=[4],
        harbour=[{"purple": [2], "black": [6]}],
    )
    play(s, "harbour: buy from the 1st factory on the left", "buy: purple at $1", "buy: grey at $1")
    play(s, "price: $3", "price: $4")
    assert legal(s, "price:") == {"$4", "$5", "$6"}  # the second purple one: never less than the first
    play(s, "price: $5")
    assert legal(s, "price:") == {"$2", "$3", "$4", "$5", "$6"}
    play(s, "price: $2")
    assert s.store("harbour", 0) == {"black": [3], "purple": [4, 5], "grey": [2]}


@pytest.mark.rule("CT-HARB-3")
def test_every_arrangement_of_a_store_is_reached_in_exactly_one_way():
    ends = []

    def price(names):
        s = table(harbour=[{"black": [2, 2], "grey": [3]}], warehouses=[3])
        play(s, "harbour: only change prices", *names)
        if s.decides != Phase.PRICE_HARBOUR:
            ends.append(str(s.store("harbour", 0)))
            return
        for name in legal(s, "price:"):
            price([*names, f"price: {name}"])

    price([])
    assert len(ends) == len(set(ends)) == 15 * 5


@pytest.mark.rule("CT-HARB-3")
def test_the_action_may_be_taken_just_to_change_prices():
    s = table(harbour=[{"grey": [2]}])
    play(s, "harbour: only change prices", "price: $6")
    assert (s.store("harbour", 0), s.money[0], s.actions_left) == ({"grey": [6]}, 20, 1)
    assert "only change prices" not in legal(table(), "harbour:")


@pytest.mark.rule("CT-HARB-3")
def test_one_who_names_a_seller_buys_something():
    s = table(factory=[{}, {"purple": [1, 2]}], warehouses=[2])
    play(s, "harbour: buy from the 1st factory on the left")
    assert "enough" not in legal(s)
    play(s, "buy: purple at $1")
    assert "enough" in legal(s)


@pytest.mark.rule("CT-HARB-3")
def test_one_may_buy_twice_from_the_same_opponent():
    s = table(factory=[{}, {"purple": [1, 2]}], warehouses=[2])
    play(s, "harbour: buy from the 1st factory on the left", "buy: purple at $1", "enough", "price: $2")
    play(s, "harbour: buy from the 1st factory on the left", "price: $2", "price: $2")  # the only one left
    assert (s.store("harbour", 0), s.active) == ({"purple": [2, 2]}, 1)
