"""PR-TRADER, with markets and office."""

import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .board import board, legal, play, player

ONE_OF_EACH = dict.fromkeys(["corn", "indigo", "sugar", "tobacco", "coffee"], 1)


@pytest.mark.rule("PR-TRADER-1", "PR-SET-3")
@pytest.mark.parametrize(("good", "price"), [("corn", 0), ("indigo", 1), ("sugar", 2), ("tobacco", 3), ("coffee", 4)])
def test_each_good_has_its_price_and_the_trader_gets_one_more(good: str, price: int) -> None:
    s = board(player(goods=ONE_OF_EACH), player(goods=ONE_OF_EACH), player())
    play(s, "role: trader", f"trader: sell {good}")
    assert s.doubloons[0] == price + 1
    assert s.house_holds() == {good: 1}
    assert good not in legal(s, "trader: sell")
    s = board(player(), player(goods=ONE_OF_EACH), player())
    play(s, "role: trader", f"trader: sell {good}")
    assert s.doubloons[1] == price


@pytest.mark.rule("PR-TRADER-1")
def test_without_a_sale_the_trader_gets_nothing() -> None:
    s = board(player(goods={"corn": 1}), player(), player())
    play(s, "role: trader", "pass")
    assert s.doubloons[0] == 0


@pytest.mark.rule("PR-TRADER-2")
def test_a_full_house_takes_no_more_and_is_emptied_at_the_end() -> None:
    s = board(player(goods={"coffee": 1}), player(goods={"tobacco": 1}), player(), house=["corn", "indigo", "sugar"])
    left = s.left("coffee")
    play(s, "role: trader", "trader: sell coffee")
    assert s.decides == Phase.ROLE
    assert s.held(1) == {"tobacco": 1}
    assert s.house_holds() == {}
    assert s.left("coffee") == left + 1


@pytest.mark.rule("PR-TRADER-2")
def test_a_house_that_is_not_full_keeps_its_goods() -> None:
    s = board(player(goods={"coffee": 1}), player(goods={"coffee": 1}), player(), house=["corn", "indigo"])
    play(s, "role: trader", "trader: sell coffee")
    assert s.decides == Phase.ROLE
    assert s.house_holds() == {"corn": 1, "indigo": 1, "coffee": 1}


@pytest.mark.rule("PR-B-SMALL-MARKET")
@pytest.mark.parametrize(("occupied", "doubloons"), [(1, 1), (0, 0)])
def test_a_small_market_sells_corn_for_a_doubloon(occupied: int, doubloons: int) -> None:
    s = board(player(), player(goods={"corn": 1}, buildings={"small market": occupied}), player())
    play(s, "role: trader", "trader: sell corn")
    assert s.doubloons[1] == doubloons


@pytest.mark.rule("PR-B-LARGE-MARKET", "PR-B-SMALL-MARKET")
@pytest.mark.parametrize(("small", "large", "doubloons"), [(0, 0, 0), (0, 1, 2), (1, 1, 3)])
def test_a_large_market_adds_two_and_both_add_three(small: int, large: int, doubloons: int) -> None:
    s = board(player(), player(goods={"corn": 1}, buildings={"small market": small, "large market": large}), player())
    play(s, "role: trader", "trader: sell corn")
    assert s.doubloons[1] == doubloons


@pytest.mark.rule("PR-B-OFFICE")
def test_two_offices_sell_tobacco_that_is_in_the_house_already() -> None:
    office = player(goods={"tobacco": 1}, buildings={"office": 1})
    s = board(player(), office, office, player(goods={"tobacco": 1}, buildings={}), house=["tobacco"])
    play(s, "role: trader", "trader: sell tobacco", "trader: sell tobacco")
    assert s.doubloons.tolist()[:4] == [0, 3, 3, 0]
    assert s.house_holds() == {"tobacco": 3}
    assert s.decides == Phase.ROLE  # the fourth player has no office


@pytest.mark.rule("PR-B-OFFICE")
def test_an_empty_office_and_a_full_house_sell_nothing() -> None:
    s = board(player(), player(goods={"tobacco": 1}, buildings={"office": 0}), player(), house=["tobacco"])
    play(s, "role: trader")
    assert s.decides == Phase.ROLE
    s = board(
        player(goods={"coffee": 1}),
        player(goods={"tobacco": 1}, buildings={"office": 1}),
        player(),
        house=["tobacco", "corn", "sugar"],
    )
    play(s, "role: trader", "trader: sell coffee")
    assert s.decides == Phase.ROLE
    assert s.held(1) == {"tobacco": 1}
