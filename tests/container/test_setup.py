"""Setup, with and without the Investment Bank."""

from collections import Counter

import pytest

from tradewinds.envs.container.state import Phase
from tradewinds.envs.container.tables import SEA

from .box import containers
from .table import COLOURS, new_game

SEEDS = range(40)


@pytest.mark.rule("CT-SET-1")
@pytest.mark.parametrize(("players", "warehouses", "machines", "supply"), [(3, 12, 2, 10), (4, 16, 3, 13), (5, 20, 4, 16)])
def test_everyone_gets_20_dollars_a_warehouse_and_a_machine_of_a_colour_of_their_own(players, warehouses, machines, supply):
    for seed in SEEDS:
        s = new_game(seed, players=players)
        assert s.money.tolist() == [20] * players
        assert s.warehouses.tolist() == [1] * players
        assert s.warehouse_stock == warehouses - players
        assert s.machines.sum(axis=1).tolist() == [1] * players
        assert s.machines.sum(axis=0).max() == 1
        assert (s.machine_stock + s.machines.sum(axis=0) == machines).all()
        assert (s.supply + s.machines.sum(axis=0) == supply).all()
        assert s.loans.tolist() == [0] * players


@pytest.mark.rule("CT-SET-1")
def test_every_colour_of_machine_can_be_drawn_by_every_seat():
    firsts = Counter(int(new_game(seed, players=3).machines[2].argmax()) for seed in range(100))
    assert set(firsts) == set(range(5))


@pytest.mark.rule("CT-SET-2")
def test_one_container_of_the_machine_s_colour_stands_in_the_factory_store_at_2_dollars():
    for seed in SEEDS:
        s = new_game(seed, players=5)
        for seat in range(5):
            colour = COLOURS[int(s.machines[seat].argmax())]
            assert s.store("factory", seat) == {colour: [2]}
            assert s.store("harbour", seat) == {}


@pytest.mark.rule("CT-SET-3")
def test_each_is_dealt_another_value_card_and_all_ships_are_on_the_open_sea():
    dealt = Counter()
    for seed in range(100):
        s = new_game(seed, players=3)
        assert sorted(s.record["value_card"].tolist()) == [0, 1, 2, 3, 4]
        assert s.ship_at.tolist() == [SEA] * 3
        dealt[int(s.value_card[0])] += 1
    assert set(dealt) == set(range(5))
    assert max(dealt.values()) < 40


@pytest.mark.rule("CT-SET-3")
def test_a_random_player_starts_and_play_is_clockwise():
    starters = Counter(int(new_game(seed, players=4).active) for seed in range(100))
    assert set(starters) == {0, 1, 2, 3}
    s = new_game(0, players=4)
    assert (s.decides, s.seat, s.actions_left) == (Phase.ACTION, s.active, 2)


@pytest.mark.rule("CT-SET-3")
def test_the_value_card_and_the_first_machine_are_drawn_independently():
    pairs = {(int(s.machines[0].argmax()), int(s.value_card[0])) for s in (new_game(seed, players=3) for seed in range(300))}
    assert len(pairs) == 25


@pytest.mark.rule("CT-IB-SET-1")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_brokers_start_with_two_containers_one_and_none_and_with_1_2_and_3_dollars(players):
    drawn = set()
    for seed in SEEDS:
        s = new_game(seed, players=players, investment_bank=True)
        assert s.box_containers.sum(axis=1).tolist() == [2, 1, 0]
        assert s.box_containers.sum(axis=0).max() == 1  # one of each colour was in the lid
        assert s.box_money.tolist() == [1, 2, 3]
        assert containers(s.array).sum() == 5 * {3: 10, 4: 13, 5: 16}[players] + 3
        assert s.bank_harbour.sum() == 0
        assert (s.payer, s.marked) == (-1, -1)
        drawn |= set(map(int, s.box_containers.sum(axis=0).nonzero()[0]))
    assert drawn == set(range(5))


@pytest.mark.rule("CT-IB-SET-1")
def test_without_the_investment_bank_there_are_no_brokers():
    s = new_game(3, players=4)
    assert (s.box_containers.sum(), s.box_money.sum()) == (0, 0)
