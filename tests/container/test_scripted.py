"""The scripted bot of Container, on positions with a known best action."""

import numpy as np
import pytest

from tradewinds.agents.scripted import loops_of
from tradewinds.agents.scripted.bot import SCRATCH_SIZE
from tradewinds.agents.scripted.container import BOT
from tradewinds.agents.scripted.container.weights import Weight
from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase
from tradewinds.envs.core.engine.buffers import new_buffers
from tradewinds.envs.core.engine.kernel import JIT, records
from tradewinds.envs.core.engine.rng import new_tape

from .lively import choose
from .table import Position, begin_turn, bid, new_game, play, table

ONE_OF_EACH = {"black": 1, "brown": 1, "purple": 1, "beige": 1, "grey": 1}


def rated(s: Position, style: str = "balanced", determinized: np.ndarray | None = None) -> dict[str, float]:
    """What the seat to move thinks of each legal action, from its own view or from a determinization."""
    me = int(s.seat)
    view = s.variant.masked_view(s.array, me) if determinized is None else records(determinized)[0]
    values = np.full(len(GAME.actions), np.nan)
    BOT.rate(view, me, s.mask, BOT.styles[style], np.full(SCRATCH_SIZE, np.nan), values)
    return {GAME.actions.names[i]: float(values[i]) for i in np.flatnonzero(s.mask)}


def best(s: Position, about: str = "", style: str = "balanced") -> str:
    """The best action; of those that begin with `about`, what comes after."""
    values = {name: value for name, value in rated(s, style).items() if name.startswith(about)}
    return max(values, key=lambda name: values[name]).removeprefix(about).strip()


def best_bid(s: Position, style: str = "balanced") -> int:
    """The bid of the seat to move, digit by digit, without a loan."""
    amount, places, before = 0, int(s.bid_digits[s.seat]), s.saved()
    seat = int(s.seat)
    while places:
        digit = best(s, "bid:", style)
        amount += int(digit[0]) * 10 ** (places - 1)
        play(s, f"bid: {digit}")
        still = s.seat == seat and s.decides == Phase.BID and s.bid_digits[seat] < places
        places = int(s.bid_digits[seat]) if still else 0
    s.restore(before)
    return amount


def games(style_rows: list[str], players: int = 4, count: int = 40, **options: object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores, ranks and final states of games in which seat i plays style i."""
    variant = GAME.with_options(players=players, **options)
    size = count if JIT else 2
    streams = np.arange(1, size + 1, dtype=np.uint64).reshape(-1, 1) * np.uint64(7919)
    b = new_buffers(variant, streams)
    seat_assignments = np.tile(np.arange(players, dtype=np.int8), (size, 1))
    rows = np.stack([BOT.styles[name] for name in style_rows])
    scratch = np.zeros(1, np.uint64), np.zeros(SCRATCH_SIZE), np.zeros(len(GAME.actions)), np.zeros(size, np.int64)
    loops_of(GAME).play_out(b, seat_assignments, rows, streams.copy(), *scratch, 0, size)
    return b.results[:, 0], b.results[:, 1], b.states


# The island


def test_a_full_ship_at_sea_goes_to_the_island() -> None:
    s = table(cargo=[ONE_OF_EACH], actions_left=1)
    assert best(s) == "sail: to the island"


def test_before_the_island_ends_the_turn_the_other_action_is_used() -> None:
    s = table(cargo=[ONE_OF_EACH], factory=[{}, {"brown": [1], "purple": [1]}], warehouses=[2])
    assert best(s) != "sail: to the island"
    assert best(s) != "turn: end"


def test_a_ship_with_cargo_leaves_a_harbour() -> None:
    s = table(cargo=[ONE_OF_EACH], at=[1], actions_left=1)
    assert best(s) == "sail: to the open sea"


def test_a_ship_goes_where_the_goods_are() -> None:
    s = table(harbour=[{}, {"grey": [6]}, {"grey": [3], "black": [3], "purple": [3]}], warehouses=[1, 1, 3])
    assert best(s, "sail:") == "to the 2nd harbour on the left"


def test_an_empty_ship_stays_where_it_is_when_there_is_nothing_to_fetch() -> None:
    s = table(at=["island"])
    assert rated(s)["sail: to the open sea"] < rated(s)["factory: produce"]


# Buying and prices


def test_of_two_factories_with_the_same_goods_the_cheaper_one_is_visited() -> None:
    s = table(factory=[{}, {"grey": [3, 3]}, {"grey": [1, 1]}], machines=[["black"], ["grey"], ["grey"]], warehouses=[2])
    assert best(s, "harbour: buy from the") == "2nd factory on the left"


def test_with_little_room_the_cheapest_goods_are_bought() -> None:
    s = table(factory=[{}, {"black": [4], "brown": [4], "grey": [1]}], machines=[["beige"], ["black", "brown", "grey"]])
    play(s, "harbour: buy from the 1st factory on the left")
    assert best(s) == "buy: grey at $1"


def test_a_ship_takes_all_that_brings_a_gain_and_leaves_what_does_not() -> None:
    s = table(harbour=[{}, {"black": [2], "brown": [2]}], warehouses=[1, 2], cards=["purple"])
    play(s, "sail: to the 1st harbour on the left")
    assert best(s) == "buy: black at $2"
    play(s, "buy: black at $2")
    assert best(s) == "buy: brown at $2"
    dear = table(harbour=[{}, {"black": [6]}], cards=["black"], island=[{"black": 3}] * 4)
    play(dear, "sail: to the 1st harbour on the left")
    assert best(dear) == "enough"


def test_in_the_last_turn_a_container_is_bought_for_what_the_harbour_store_counts() -> None:
    s = table(
        factory=[{}, {"purple": [1]}], machines=[["beige"], ["purple"]], supply={"black": 0, "brown": 0}, at=["island"], actions_left=1
    )
    assert best(s) == "harbour: buy from the 1st factory on the left"
    dear = table(
        factory=[{}, {"purple": [3]}], machines=[["beige"], ["purple"]], supply={"black": 0, "brown": 0}, at=["island"], actions_left=1
    )
    assert best(dear) != "harbour: buy from the 1st factory on the left"


def test_prices_fall_while_the_market_is_stuck() -> None:
    asked = []
    for turn in (8, 200):
        s = table(harbour=[{"black": [4]}], turn=turn)
        play(s, "harbour: only change prices")
        asked.append(best(s, "price: $"))
    assert asked[1] < asked[0]


# The factory


def test_an_empty_factory_produces() -> None:
    s = table(machines=[["black", "brown", "purple", "grey"]], at=["island"], money=[5])
    assert best(s) == "factory: produce"


def test_a_full_factory_does_not() -> None:
    s = table(machines=[["black"]], factory=[{"black": [2, 2]}], at=["island"])
    assert rated(s)["factory: produce"] < 0


def test_machines_are_bought_early_and_not_at_the_end() -> None:
    early, late = table(turn=0), table(supply={"black": 1, "brown": 1})
    buys = "machine: buy a grey one"
    assert rated(early)[buys] > rated(late)[buys]
    assert rated(late)[buys] < 0


def test_the_leader_ends_the_game_and_the_last_one_does_not() -> None:
    rows = {"machines": [["black", "brown"]], "supply": {"black": 1, "brown": 1}, "at": ["island"], "actions_left": 1}
    rich = {"black": 3, "brown": 4, "purple": 3, "beige": 3, "grey": 3}
    ahead = table(money=[90], island=[rich], cards=["black"], **rows)
    behind = table(money=[2], island=[{}, {"purple": 3, "beige": 3, "grey": 4}, {"purple": 3, "beige": 4}], **rows)
    assert best(ahead) == "factory: produce"
    assert rated(behind)["factory: produce"] < 0


def test_with_room_for_one_the_colour_that_sells_is_made() -> None:
    hoarded = {"black": 3}
    s = table(
        machines=[["black", "grey"]], factory=[{"black": [2], "grey": [2, 2]}], cards=["purple"], island=[{}, hoarded, hoarded, hoarded]
    )
    play(s, "factory: produce")
    assert s.decides == Phase.MAKE
    assert best(s) == "produce: grey"


# Loans


def test_one_who_is_rich_repays_first() -> None:
    s = table(money=[60], loans=[1])
    assert best(s) == "loan: repay $10"


def test_one_who_needs_the_money_does_not_repay() -> None:
    s = table(money=[10], loans=[1])
    assert best(s) != "loan: repay $10"


def test_no_loan_is_taken_where_nobody_could_buy_anything() -> None:
    s = table(money=[0], loans=[0, 2, 2, 2])
    assert best(s) != "loan: take $10"


# The auction


def an_auction(lot: dict[str, int], **rows: object) -> Position:
    s = table(active=3, cargo=[{}, {}, {}, lot], at=["sea"] * 4, **rows)
    play(s, "sail: to the island")
    return s


def test_a_bid_is_higher_for_colours_that_the_own_card_likes() -> None:
    lot = {"black": 2, "purple": 1}
    likes, shrugs = an_auction(lot, cards=["black"], money=[50]), an_auction(lot, cards=["brown"], money=[50])
    assert best_bid(likes) > best_bid(shrugs)


def test_a_bid_is_below_what_the_lot_is_worth() -> None:
    s = an_auction({"black": 2, "purple": 1}, cards=["black"], money=[90])
    assert 0 < best_bid(s) < 26


def test_a_lot_that_will_be_discarded_gets_no_bid() -> None:
    rows = {"supply": {"brown": 1, "purple": 1}, "machines": [["brown", "purple"]], "cards": ["black"], "money": [50]}
    many = an_auction({"grey": 1}, island=[{"grey": 4, "black": 1}], **rows)
    few = an_auction({"black": 1}, island=[{"grey": 4, "black": 1}], **rows)
    assert best_bid(many) < best_bid(few)


def test_a_good_bid_is_accepted_and_a_poor_one_refused() -> None:
    for amount, answer in ((1, "auction: refuse all bids"), (14, "auction: accept the bid of the 1st on the left")):
        s = table(cargo=[{"black": 2, "brown": 1, "purple": 1}], cards=["black"], money=[30, 30, 30, 30])
        play(s, "sail: to the island")
        bid(s, amount)
        bid(s, 0)
        bid(s, 0)
        assert best(s) == answer


def test_one_who_would_overpay_voids_the_bid() -> None:
    s = an_auction({"grey": 1}, cards=["black"], void_bids=True)
    for _ in range(3):
        bid(s, 15)
    assert s.decides == Phase.SECOND_BID
    assert best(s) == "bid: void it"


def test_the_bank_is_told_to_take_what_the_debtor_has_only_once() -> None:
    s = table(active=1, money=[20, 0], loans=[0, 2], island=[{}, {"black": 4, "brown": 1}])
    begin_turn(s)
    assert s.decides == Phase.SEIZE
    assert best(s) == "seize: brown"


# The Investment Bank


def test_a_full_money_box_is_called_for_and_paid_with_the_cheapest_container() -> None:
    s = table(
        investment_bank=True,
        box_money=[12],
        factory=[{"black": [2]}],
        harbour=[{"brown": [4]}],
        at=["island"],
        machines=[["black", "brown"]],
    )
    assert best(s, "call: bid for the") == "money of broker I"
    play(s, "call: bid for the money of broker I")
    assert best(s).endswith("from the factory store")


def test_a_box_of_containers_gets_a_bid_below_its_worth() -> None:
    s = table(investment_bank=True, boxes=[{"black": 1, "brown": 1}], money=[60], cards=["black"])
    play(s, "call: bid for the containers of broker I")
    assert best(s, "bid:").startswith("0 x $10") or best(s, "bid:").startswith("1 x $10")


def test_what_lies_at_the_bank_is_fetched_and_loaded() -> None:
    s = table(investment_bank=True, bank_harbour=[{"black": 2, "purple": 2}], factory=[{"black": [2, 2]}])
    assert best(s, "sail: to") == "the own bank harbour"
    play(s, "sail: to the own bank harbour")
    assert best(s) == "load: black"


def test_what_i_like_is_paid_to_the_first_broker() -> None:
    bid_for_money = {"investment_bank": True, "box_money": [5], "marked": 3, "payer": 0, "bid": ({"black": 1, "grey": 1}, {})}
    s = table(machines=[["black", "grey"]], cards=["grey"], **bid_for_money)
    begin_turn(s)
    assert s.decides == Phase.PAY
    assert best(s) == "pay: grey"


# All of it


COMMON = {Phase.ACTION, Phase.SHOP, Phase.PRICE_FACTORY, Phase.PRICE_HARBOUR, Phase.SHIP, Phase.BID}
OF_THE_BANK = {Phase.CALL_MONEY, Phase.CALL_CONTAINERS}


@pytest.mark.parametrize(
    ("options", "phases"),
    [({"players": 3}, COMMON), ({"players": 5, "investment_bank": True, "void_bids": True}, COMMON | OF_THE_BANK)],
)
def test_every_decision_is_rated_and_nothing_hidden_is_read(options: dict[str, object], phases: set[Phase]) -> None:
    random, stream = np.random.default_rng(5), new_tape(3)
    seen = set()
    for seed in range(12 if JIT else 3):
        s = new_game(seed, **options)
        for _ in range(400 if JIT else 120):
            if s.is_over:
                break
            seen.add(s.decides)
            values = rated(s)
            assert np.isfinite(list(values.values())).all()
            determinized = s.array.copy()
            GAME.kernels["redeal"](records(determinized)[0], int(s.seat), stream)
            assert rated(s, determinized=determinized) == values
            assert len(set(values.values())) > 1 or s.decides in (Phase.PAY, Phase.SALE)  # two alike may well be worth the same
            play(s, GAME.actions.names[choose(s.mask, random)])
    assert phases <= seen


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 4}, {"players": 5}, {"players": 4, "investment_bank": True}])
def test_a_table_of_bots_plays_to_the_end_and_nobody_goes_broke(options: dict[str, int]) -> None:
    scores, _, states = games(["balanced"] * options["players"], **options)
    ended = (states["supply"] == 0).sum(axis=1) >= 2
    assert ended.mean() >= 0.9
    assert (scores > 0).mean() >= 0.9


def test_styles_differ_in_what_they_buy() -> None:
    assert len(BOT.styles) >= 4
    assert all(np.isfinite(row).all() and row.size == len(Weight) for row in BOT.styles.values())
    machines = {}
    for style in ("producer", "shipper"):
        _, _, states = games([style] * 4)
        machines[style] = states["machines"].sum(axis=(1, 2)).mean()
    assert machines["producer"] > machines["shipper"] + 1


def test_the_bot_beats_its_greedy_style() -> None:
    if not JIT:
        pytest.skip("too many games for plain Python")
    scores, ranks, _ = games(["balanced", "greedy", "greedy", "greedy"], count=200)
    assert (ranks[:, 0] == 1).mean() > 0.4
    assert scores[:, 0].mean() > scores[:, 1:].mean()
