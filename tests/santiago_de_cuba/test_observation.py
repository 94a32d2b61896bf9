"""The observation vector against a slow encoder, written from the names and texts of its parts."""

from typing import Any

import pytest

from tests.contract.parts import CUT, cut, levels
from tests.santiago_de_cuba.board import BUILDINGS, CUBANS, FLOWERS, GOODS, Position, board, drive, play
from tests.santiago_de_cuba.positions import random_position, vector
from tests.santiago_de_cuba.referee import FLOWERS as FLOWER_OF
from tests.support import sample
from tradewinds.envs.santiago_de_cuba import GAME
from tradewinds.envs.santiago_de_cuba.state import Exchange, Phase

POSITIONS = sample(20, 40)  # for each number of players and visibility


def one_of(choices: list[Any], chosen: Any) -> list[float]:
    return [float(choice == chosen) for choice in choices]


def encode(s: Position, me: int) -> dict[str, list[float]]:
    """Every part by its name, as its text says it."""
    seats = [(me + i) % s.players for i in range(s.players)]
    stops = ["port", *(CUBANS[c] for c in s.street)]
    road = [stops[(int(s.car) + distance) % 10] for distance in range(1, 11)]
    wants = s.demand.tolist()

    def holdings(seat: int) -> list[float]:
        return [*(s.goods[seat] / 8).tolist(), s.pesos[seat] / 10, s.points[seat] / 25]

    buildings: list[float] = []
    for b, building in enumerate(BUILDINGS):
        site = s.sites.tolist().index(b)
        buildings += one_of(FLOWERS, FLOWERS[site // 3])
        buildings += one_of(seats, s.owner_of(building))
        buildings += [float(s.pawn_in(seat) == building) for seat in seats]
    parts = {
        "phase": one_of(list(Phase), s.decides),
        "to_move": one_of(seats, int(s.seat)),
        "active": one_of(seats, int(s.active)),
        "goods": holdings(me)[:6],
        "pesos": holdings(me)[6:7],
        "points": holdings(me)[7:],
        "markers": [s.markers[seat] / 3 for seat in seats],
        "supply": [s.left(good) / 8 for good in GOODS],
        "ship": [s.ship / 7],
        "in_port": [float(s.in_port)],
        "value": one_of([2, 3, 4], int(s.value)),
        "demand": [count / 4 for count in wants],
        "dice": [number / 4 if s.decides == Phase.DICE else 0.0 for number in s.dice],
        "passed": [float(s.passed[seat]) for seat in seats],
        "road": [x for stop in road for x in one_of(["port", *CUBANS], stop)],
        "inactive": [float(stop in s.inactive_cubans) for stop in road],
        "flower_to_enter": one_of(FLOWERS, FLOWER_OF.get(s.car_at)),
        "buildings": buildings,
        "in_use": one_of(list(range(12)), int(s.building)),
        "by_alonso": [float(s.by_alonso)],
        "exchange": one_of([Exchange.BUYING, Exchange.SELLING], int(s.exchange)),
        "turn": [max(int(s.turn), 0) / 100],
    }
    if s.variant.options["visibility"] == "open":
        parts["opponents"] = [x for seat in seats[1:] for x in holdings(seat)]
    if s.variant.options["encoding"] == "rich":
        parts = {name: [min(x, CUT) for x in part] for name, part in parts.items()} | encode_rich(s, me)
    return parts


GIFTS = {"Pedro": "tobacco", "Miguel": "wood", "José": "sugar", "Conchita": "fruit"}


def gifts(s: Position, cuban: str) -> list[float]:
    given = dict.fromkeys([*GOODS, "pesos", "points"], 0.0)
    if cuban in GIFTS:
        given[GIFTS[cuban]] = min(s.left(GIFTS[cuban]), 2) / 2
    elif cuban == "Pablo":
        given |= {good: 0.5 * (s.left(good) > 0) for good in GOODS if good != "wood"}
    elif cuban == "Martinez":
        given["pesos"] = 1.0
    elif cuban == "Maria":
        given["points"] = 1.0
    return list(given.values())


def enters(s: Position, cuban: str) -> list[float]:
    taken = {s.pawn_in(seat) for seat in range(s.players)}
    flowers = [FLOWERS[s.sites.tolist().index(b) // 3] for b in range(12)]
    return [float(flower == FLOWER_OF.get(cuban) and building not in taken) for building, flower in zip(BUILDINGS, flowers, strict=True)]


def delivery(s: Position, seat: int) -> list[float]:
    """Every good that the ship wants, then wood for what is still open."""
    held = s.held(seat)
    goods = [min(int(want), held.get(good, 0)) for want, good in zip(s.demand, GOODS, strict=False)]
    still_open = int(s.demand.sum()) - sum(goods)
    wood = min(still_open, held.get("wood", 0))
    full = s.in_port and wood == still_open
    return [*(count / 4 for count in goods), wood / 8, cut((sum(goods) * int(s.value) + wood) / 20), float(full)]


def encode_rich(s: Position, me: int) -> dict[str, list[float]]:
    seats = [(me + i) % s.players for i in range(s.players)]
    held, pesos = s.held(me), int(s.pesos[me])
    stops = ["port", *(CUBANS[c] for c in s.street)]
    road = [stops[(int(s.car) + distance) % 10] for distance in range(1, 11)]
    lap = [stop if price <= pesos else "too far" for price, stop in enumerate(road)]
    offers = [stop in CUBANS and (stop not in s.inactive_cubans or stop == s.car_at) for stop in lap]
    parts = {
        "goods_levels": [x for good in GOODS for x in levels(held.get(good, 0), 1, 2, 3, 4, 5)],
        "pesos_levels": levels(pesos, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20),
        "points_levels": levels(int(s.points[me]), 5, 10, 15, 20, 25, 30, 35, 40),
        "demand_levels": [x for count in s.demand for x in levels(int(count), 1, 2, 3, 4)],
        "supply_levels": [x for good in GOODS for x in levels(s.left(good), 1, 2, 4)],
        "ship_levels": levels(int(s.ship), 2, 3, 4, 5, 6, 7),
        "port_in_reach": [float("port" in lap and s.in_port)],
        "gifts": [x for stop, offer in zip(lap, offers, strict=True) for x in (gifts(s, stop) if offer else [0.0] * 8)],
        "enters": [x for stop, offer in zip(lap, offers, strict=True) for x in (enters(s, stop) if offer else [0.0] * 12)],
        "uses": [
            cut(min(held.get("sugar", 0), s.left("rum")) / 4),
            cut(min(held.get("tobacco", 0), s.left("cigars")) / 4),
            float("wood" in held),
            (("cigars" in held) + ("rum" in held)) / 2,
            cut(pesos // 3 / 5),
            sum(want > 0 and good in held for want, good in zip(s.demand, GOODS, strict=False)) / 5,
        ],
        "deliveries": delivery(s, me),
    }
    if s.variant.options["visibility"] == "open":
        final = [int(s.points[seat]) + sum(s.held(seat).values()) // 3 for seat in range(s.players)]
        parts["deliveries"] = [x for seat in seats for x in delivery(s, seat)]
        parts["opponents_goods_levels"] = [x for seat in seats[1:] for good in GOODS for x in levels(s.held(seat).get(good, 0), 1, 2, 3)]
        parts["opponents_pesos_levels"] = [x for seat in seats[1:] for x in levels(int(s.pesos[seat]), 1, 2, 3, 4, 5, 6, 8, 10)]
        parts["lead"] = [cut((a - int(b)) / 20) for seat in seats[1:] for a, b in ((final[me], final[seat]), (pesos, s.pesos[seat]))]
    return parts


@pytest.mark.parametrize("encoding", ["compact", "rich"])
@pytest.mark.parametrize("visibility", ["rules", "open"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_part_says_what_its_text_says(players, visibility, encoding):
    for seed in range(POSITIONS):
        s = random_position(players, seed, visibility, encoding)
        slices = s.variant.layout.slices
        for me in range(players):
            seen = vector(s, me)
            expected = encode(s, me)
            assert list(expected) == list(slices)
            for name, part in expected.items():
                assert seen[slices[name]].tolist() == pytest.approx(part, rel=1e-6), f"{name}, seed {seed}, seat {me}"
            assert sum(map(len, expected.values())) == seen.size
            assert s.variant.layout.space.contains(seen)


def test_what_is_decided_in_a_long_visit_to_the_casino_is_seen():
    s = board(before="Maria", pesos=[60])
    drive(s, "Maria")
    play(s, "pawn: enter the casino", "casino: buy 10 points for 30 pesos")
    seen, slices = vector(s, 0), s.variant.layout.slices
    assert seen[slices["exchange"]].tolist() == [1, 0]
    assert seen[slices["in_use"]].argmax() == BUILDINGS.index("casino")


@pytest.mark.rule("SC-INF-1")
def test_only_the_open_vector_has_the_holdings_of_the_others():
    for players in (2, 3, 4):
        rules, shown = (GAME.with_options(players=players, visibility=v).layout for v in ("rules", "open"))
        assert list(shown.slices)[:-1] == list(rules.slices)
        assert shown.size - rules.size == (players - 1) * 8
