"""Sailing, and buying on arrival."""

import pytest

from tradewinds.envs.container.state import Phase
from tradewinds.envs.container.tables import BANK, ISLAND, SEA

from .table import bid, legal, play, table

PORTS = {"to the 1st harbour on the left", "to the 2nd harbour on the left", "to the 3rd harbour on the left"}


@pytest.mark.rule("CT-SAIL-1")
def test_from_the_open_sea_a_ship_sails_to_opponents_harbours_and_loaded_to_the_island():
    assert legal(table(), "sail:") == PORTS
    assert legal(table(cargo=[{"grey": 1}]), "sail:") == {*PORTS, "to the island"}
    s = table(active=2)
    play(s, "sail: to the 3rd harbour on the left")
    assert s.ship_at[2] == 1


@pytest.mark.rule("CT-SAIL-1")
@pytest.mark.parametrize("place", [1, 3, "island"])
def test_from_any_port_a_ship_sails_only_to_the_open_sea(place):
    s = table(at=[place], cargo=[{"grey": 1}])
    assert legal(s, "sail:") == {"to the open sea"}
    play(s, "sail: to the open sea")
    assert s.ship_at[0] == SEA


@pytest.mark.rule("CT-SAIL-2")
def test_on_arrival_containers_are_bought_at_their_prices_from_the_owner():
    s = table(harbour=[{}, {}, {"black": [2, 6], "grey": [3]}], warehouses=[1, 1, 3])
    play(s, "sail: to the 2nd harbour on the left")
    assert legal(s) == {"buy: black at $2", "buy: black at $6", "buy: grey at $3", "enough", "loan: take $10"}
    play(s, "buy: black at $6", "buy: grey at $3")
    assert s.money.tolist() == [11, 20, 29, 20]
    assert (s.held("cargo", 0), s.store("harbour", 2)) == ({"black": 1, "grey": 1}, {"black": [2]})


@pytest.mark.rule("CT-SAIL-2")
def test_buying_nothing_is_allowed():
    s = table(harbour=[{}, {"black": [2]}])
    play(s, "sail: to the 1st harbour on the left", "enough")
    assert (s.held("cargo", 0), s.ship_at[0], s.actions_left) == ({}, 1, 1)


@pytest.mark.rule("CT-SAIL-2")
def test_a_ship_takes_five_containers():
    s = table(harbour=[{}, {"black": [2, 2]}], warehouses=[1, 2], cargo=[{"grey": 4}])
    play(s, "sail: to the 1st harbour on the left", "buy: black at $2")
    assert (s.held("cargo", 0), s.decides) == ({"black": 1, "grey": 4}, Phase.ACTION)
    s = table(harbour=[{}, {"black": [2, 2]}], warehouses=[1, 2], cargo=[{"grey": 5}])
    play(s, "sail: to the 1st harbour on the left")
    assert s.decides == Phase.ACTION


@pytest.mark.rule("CT-SAIL-2")
def test_buying_is_possible_only_on_arrival():
    s = table(harbour=[{}, {"black": [2]}], at=[1])
    assert legal(s, "buy:") == set()
    play(s, "sail: to the open sea")
    assert s.decides == Phase.ACTION
    play(s, "sail: to the 1st harbour on the left")
    assert legal(s, "buy:") == {"black at $2"}


@pytest.mark.rule("CT-SAIL-2")
def test_a_loan_pays_for_cargo():
    s = table(money=[0], harbour=[{}, {"black": [6]}])
    play(s, "sail: to the 1st harbour on the left")
    assert legal(s) == {"enough", "loan: take $10"}
    play(s, "loan: take $10", "buy: black at $6")
    assert s.money[0] == 4


@pytest.mark.rule("CT-SAIL-3")
@pytest.mark.parametrize("answer", ["auction: accept the bid of the 2nd on the left", "auction: refuse all bids"])
def test_the_auction_ends_the_turn_and_the_ship_stays_at_the_island(answer):
    s = table(cargo=[{"grey": 2}])
    play(s, "sail: to the island")
    for amount in (1, 3, 2):
        bid(s, amount)
    play(s, answer)
    assert (s.active, s.decides, s.actions_left) == (1, Phase.ACTION, 2)
    assert (s.ship_at[0], s.held("cargo", 0)) == (ISLAND, {})


@pytest.mark.rule("CT-SAIL-3")
def test_an_empty_ship_cannot_sail_to_the_island():
    assert "to the island" not in legal(table(), "sail:")


@pytest.mark.rule("CT-IB-SAIL-1")
def test_a_ship_loads_for_free_at_its_own_bank_harbour():
    s = table(investment_bank=True, bank_harbour=[{"black": 2, "grey": 1}], cargo=[{"beige": 1}])
    assert "to the own bank harbour" in legal(s, "sail:")
    play(s, "sail: to the own bank harbour")
    assert legal(s, "load:") == {"black", "grey"}
    play(s, "load: black", "load: grey")
    assert s.held("cargo", 0) == {"black": 1, "beige": 1, "grey": 1}
    assert (s.held("bank_harbour", 0), s.money[0], s.ship_at[0]) == ({"black": 1}, 20, BANK)
    assert legal(s, "sail:") == {"to the open sea"}


@pytest.mark.rule("CT-IB-SAIL-1")
def test_loading_may_stop_and_ends_when_the_ship_is_full():
    s = table(investment_bank=True, bank_harbour=[{"black": 2, "grey": 1}], cargo=[{"beige": 4}])
    play(s, "sail: to the own bank harbour", "load: grey")
    assert s.decides == Phase.ACTION
    s = table(investment_bank=True, bank_harbour=[{"black": 2}])
    play(s, "sail: to the own bank harbour", "enough")
    assert (s.held("cargo", 0), s.decides) == ({}, Phase.ACTION)
    s = table(investment_bank=True, bank_harbour=[{}, {"black": 2}])
    play(s, "sail: to the own bank harbour")
    assert s.decides == Phase.ACTION


@pytest.mark.rule("CT-IB-SAIL-1")
def test_the_bank_harbour_is_reached_from_the_open_sea_only_and_only_with_the_bank():
    assert "to the own bank harbour" not in legal(table(investment_bank=True, at=[1]), "sail:")
    assert "to the own bank harbour" not in legal(table(), "sail:")
