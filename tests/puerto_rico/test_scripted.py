"""The scripted bot of Puerto Rico: positions with a known best action, and values for every legal action."""

from typing import Any

import numpy as np
import pytest

from tests.support.position import new_state
from tradewinds.agents.scripted.bot import SCRATCH_SIZE, bot_of
from tradewinds.envs.core.engine.kernel import records
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.puerto_rico import GAME
from tradewinds.envs.puerto_rico.state import Phase

from .board import Position, board, legal, pass_until, play, player, settle

BOT = bot_of("puerto_rico")


def ratings(s: Position, style: str = "balanced") -> dict[str, float]:
    """What the bot thinks of every legal action, from what its seat may see."""
    return {GAME.actions.names[i]: float(value) for i, value in enumerate(rated(s, s.record, style)) if s.mask[i]}


def rated(s: Position, record: Any, style: str = "balanced") -> np.ndarray:
    me = int(record["seat"])
    raw = np.frombuffer(record.tobytes(), GAME.fields.dtype).copy()
    view = records(np.asarray(s.variant.masked_view(raw[0], me)).reshape(1).copy())[0]
    values = np.full(len(GAME.actions), np.nan)
    BOT.rate(view, me, s.mask, BOT.styles[style], np.full(SCRATCH_SIZE, np.nan), values)
    return values


def favourite(s: Position, style: str = "balanced") -> str:
    of = ratings(s, style)
    return max(of, key=lambda name: of[name])


def test_it_loads_the_many_rather_than_the_few() -> None:
    s = board(player(goods={"corn": 5, "indigo": 1}), player(goods={"corn": 2}), player(), player())
    play(s, "role: captain")
    assert favourite(s).startswith("captain: load corn")


def test_it_ships_first_what_others_would_shut_out() -> None:
    """One ship is free, and the corn ship has room for all: sugar has to go now, or indigo of the next seat takes the ship."""
    s = board(
        player(goods={"corn": 3, "sugar": 3}),
        player(goods={"indigo": 4}),
        player(),
        player(),
        ships=[("tobacco", 5), None, ("corn", 1)],
    )
    play(s, "role: captain")
    assert favourite(s) == "captain: load sugar on ship 2"


def test_the_wharf_takes_what_no_ship_will() -> None:
    s = board(
        player(goods={"corn": 2, "coffee": 4}, buildings={"wharf": 1}),
        player(),
        player(),
        ships=[("corn", 1), ("indigo", 5), ("sugar", 6)],
    )
    play(s, "role: captain")
    play(s, favourite(s))
    while s.decides == Phase.LOAD:
        play(s, favourite(s))
    assert s.points(0) == 2 + 4 + 1


def test_of_goods_that_would_rot_it_keeps_the_dearest() -> None:
    s = board(player(goods={"corn": 2, "coffee": 1}), player(), player(), ships=[("indigo", 4), ("sugar", 5), ("tobacco", 6)])
    play(s, "role: captain")
    assert s.decides == Phase.KEEP and favourite(s) == "captain: keep 0 corn"
    play(s, "captain: keep 0 corn")
    assert s.is_over or s.held(0).get("coffee") == 1 or favourite(s) == "captain: keep 1 coffee"


def test_a_warehouse_keeps_the_larger_heap() -> None:
    s = board(
        player(goods={"corn": 5, "coffee": 1}, buildings={"small warehouse": 1}),
        player(),
        player(),
        ships=[("indigo", 4), ("sugar", 5), ("tobacco", 6)],
    )
    play(s, "role: captain")
    assert favourite(s) == "captain: keep 5 corn"


def test_it_sells_the_dearest_good() -> None:
    s = board(player(goods={"corn": 1, "indigo": 1, "coffee": 1}), player(), player())
    play(s, "role: trader")
    assert favourite(s) == "trader: sell coffee"


def test_it_wants_the_trader_when_it_alone_has_coffee_to_sell() -> None:
    plain = player(tiles={"corn": (1, 1), "indigo": (1, 0)})

    def trader(goods: dict[str, int]) -> float:
        s = board(player(goods=goods, tiles={"coffee": (1, 1)}, buildings={"coffee roaster": 1}), plain, plain, plain)
        of = ratings(s)
        return of["role: trader"] - max(of[name] for name in of if name != "role: trader")

    assert trader({"coffee": 2}) > trader({}) + 1
    assert trader({"coffee": 2}) > trader({"corn": 2}) + 1


def test_it_takes_the_captain_when_it_alone_has_goods() -> None:
    s = board(player(goods={"corn": 6, "indigo": 5}), player(), player(), player(), chips_left=30)
    assert favourite(s) == "role: captain"


def test_it_leaves_the_craftsman_when_only_others_produce() -> None:
    busy = player(tiles={"corn": (2, 2)})
    s = board(player(tiles={"corn": (1, 0)}), busy, busy, busy)
    of = ratings(s)
    assert of["role: craftsman"] == min(of.values())


def test_doubloons_on_a_card_make_it_dearer() -> None:
    seats = [player(tiles={"corn": (1, 1)}) for _ in range(4)]
    without, with_five = board(*seats), board(*seats, on_roles={"prospector": 5})
    assert ratings(with_five)["role: prospector"] > ratings(without)["role: prospector"] + 1
    assert favourite(with_five) == "role: prospector"


def test_it_takes_the_plantation_that_a_plant_waits_for() -> None:
    waiting = player(tiles={"corn": (1, 1)}, buildings={"coffee roaster": 0}, windrose=1)
    s = board(waiting, player(), player(), face_up={"corn": 1, "sugar": 1, "tobacco": 1, "coffee": 1}, quarries_left=0)
    play(s, "role: settler")
    assert favourite(s) == "settler: take coffee"


def test_at_the_start_it_wants_a_quarry_more_than_at_the_end() -> None:
    def quarry(chips_left: int) -> float:
        s = board(player(), player(), player(), player(), chips_left=chips_left)
        play(s, "role: settler")
        return ratings(s)["settler: take a quarry"]

    assert quarry(100) > quarry(5) + 0.5


def test_it_builds_the_plant_of_its_plantations() -> None:
    s = board(player(doubloons=6, tiles={"coffee": (2, 2)}), player(), player(), player())
    play(s, "role: builder")
    assert favourite(s) == "builder: build the coffee roaster"


def test_with_ten_doubloons_at_the_end_it_builds_the_large_building_that_counts_most() -> None:
    plants = {"small indigo plant": 1, "small sugar mill": 1, "indigo plant": 1, "sugar mill": 1, "tobacco storage": 1, "coffee roaster": 1}
    rich = player(doubloons=10, buildings=plants, windrose=2)
    s = board(rich, player(), player(), player(), chips_left=8)
    play(s, "role: builder")
    assert favourite(s) == "builder: build the guild hall"


def test_an_empty_large_building_is_worth_less_when_nobody_can_move_in() -> None:
    def residence(owner: int) -> float:
        s = board(player(doubloons=10, tiles={"corn": (5, 5), "indigo": 5}), player(), player(), player())
        s.record["last_round"] = 1
        s.record["role_owner"][1] = owner
        play(s, "role: builder")
        return ratings(s)["builder: build the residence"]

    assert residence(owner=-1) > residence(owner=2) + 1


def test_colonists_go_to_a_plant_and_its_plantation_and_not_to_a_plant_without_one() -> None:
    s = board(
        player(tiles={"tobacco": 1, "corn": 1}, buildings={"small indigo plant": 0, "tobacco storage": 0}, windrose=2),
        player(),
        player(),
        colonist_ship=0,
        colonists_left=10,
    )
    play(s, "role: mayor")
    while s.decides in (Phase.PLACE, Phase.PRIVILEGED_MAYOR) and s.seat == 0:
        play(s, favourite(s))
    assert s.at(0, "small indigo plant") == 0
    assert s.at(0, "tobacco storage") == 1 and s.at(0, "tobacco") == 1 and s.at(0, "corn") == 1


def test_before_the_end_somebody_moves_into_the_large_building() -> None:
    s = board(
        player(tiles={"quarry": 4}, buildings={"city hall": 0, "hospice": 0, "office": 0}),
        player(),
        player(),
        chips_left=2,
        colonist_ship=1,
        colonists_left=0,
    )
    play(s, "role: mayor")
    while not s.is_over and s.decides == Phase.PLACE and s.seat == 0:
        play(s, favourite(s))
    assert s.at(0, "city hall") == 1


def test_it_takes_the_noble_from_the_ship() -> None:
    s = board(player(tiles={"corn": 1}), player(), player(), nobles=True)
    play(s, "role: mayor", "pass")
    assert s.decides == Phase.FROM_SHIP and favourite(s) == "people: a noble"


def test_a_noble_goes_to_the_chapel() -> None:
    s = board(
        player(tiles={"corn": 1}, buildings={"chapel": 0}, windrose=1),
        player(),
        player(),
        nobles=True,
    )
    play(s, "role: mayor", "pass")
    while s.decides != Phase.PLACE_NOBLES:
        play(s, favourite(s))
    while s.seat == 0 and s.decides in (Phase.PLACE, Phase.PLACE_NOBLES):
        play(s, favourite(s))
    assert s.nobles_there(0, "chapel") == 1


def test_the_black_market_is_paid_with_whom_nobody_needs() -> None:
    s = board(
        player(doubloons=4, tiles={"corn": (2, 2)}, buildings={"black market": 1}, windrose=1),
        player(),
        player(),
        new_buildings=True,
    )
    play(s, "role: builder", "builder: build the small wharf")
    assert favourite(s) == "black market: hand in a colonist of the windrose"


def test_guests_go_to_a_large_building_before_the_scoring() -> None:
    s = board(player(buildings={"guest house": 2, "fortress": 0}, tiles={"corn": (9, 9)}), player(), player(), new_buildings=True)
    s.record["last_round"] = 1
    play(s, "role: trader", "role: craftsman")
    pass_until(s, Phase.ROLE)
    play(s, "role: builder")
    pass_until(s, Phase.FINAL)
    assert favourite(s) == "guest house: a guest to the fortress"


VARIANTS = [
    {"players": 2},
    {"players": 4},
    {"players": 3, "new_buildings": True},
    {"players": 5, "nobles": True},
    {"players": 4, "new_buildings": True, "nobles": True},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_it_rates_every_action_of_every_phase(options: dict[str, Any]) -> None:
    """All legal actions get a value, and in most decisions the values differ. Half of the moves are random, for coverage."""
    s = Position(**options)
    rng = np.random.default_rng(5)
    decisions, undecided = 0, 0
    for game in range(2):
        s.record = new_state(s.variant)
        s.stream = new_tape(game)
        GAME.kernels["setup"](s.record, s.stream)
        settle(s)
        while not s.is_over and decisions < 400 * (game + 1):
            values = rated(s, s.record)[s.mask]
            assert np.isfinite(values).all(), (s.decides, sorted(legal(s)))
            decisions += 1
            undecided += np.ptp(values) == 0
            choices = np.flatnonzero(s.mask)
            action = int(rng.choice(choices)) if rng.random() < 0.5 else int(choices[values.argmax()])
            GAME.kernels["apply"](s.record, action, s.stream)
            settle(s)
    assert decisions > 300 and undecided < 0.1 * decisions


def test_styles_differ_in_what_they_build() -> None:
    s = board(
        player(doubloons=9, tiles={"corn": (4, 4), "indigo": (2, 2)}, buildings={"indigo plant": 2, "small market": 1}),
        player(),
        player(),
        player(),
    )
    play(s, "role: builder")
    of = {style: ratings(s, style) for style in BOT.styles}

    def prefers_the_wharf(style: str) -> float:
        return of[style]["builder: build the wharf"] - of[style]["builder: build the factory"]

    assert prefers_the_wharf("shipper") > prefers_the_wharf("builder") + 1
    assert of["balanced"] != of["greedy"]
