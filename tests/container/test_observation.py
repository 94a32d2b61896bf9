"""The observation vector against slow encoders, one for each part, written from the names and texts of the parts."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.container.lively import choose
from tests.contract.parts import (
    Encoder,
    Look,
    Policy,
    check_any_records,
    compare_play,
    cut,
    flat,
    levels,
    one_hot,
    random_policy,
    uniform_records,
)
from tests.contract.tools import amount, label, new_batch, richest, rule_sets, some, variants
from tradewinds.envs.container.state import Phase
from tradewinds.envs.container.tables import BANK, FACTORY, HARBOUR, ISLAND, SEA

NAME = "container"
COLOURS, BROKERS, BOXES = range(5), range(3), range(6)
CARD = [10, 5, 6, 4, 2]  # what a card gives the colours from its own on; the second is the 5/10
LIVELY = 3  # one game in so many is a lively one


def phases(options: Mapping[str, Any]) -> list[Phase]:
    """Those in which something is decided."""
    return list(Phase)[: Phase.DONE] if options["investment_bank"] else list(Phase)[: Phase.CALL_MONEY]


def deciding(s: Look) -> list[float]:
    if s.phase in (Phase.BID, Phase.SECOND_BID):
        return [float(s.standing[seat]) for seat in s.seats]
    return one_hot(s.seats, s.seat)


def value(s: Look, colour: int) -> int:
    return CARD[(colour - s.value_card[s.me]) % 5]


def in_hand(s: Look) -> list[int]:
    """Without the Investment Bank one pile alone is ever in use."""
    if s.options["investment_bank"]:
        return s.pile[HARBOUR]
    return [sum(counts) for counts in zip(*s.pile, strict=True)]


def by_colour(rows: list[list[int]], order: list[int], total: int) -> list[float]:
    return [rows[row][colour] / total for row in order for colour in COLOURS]


BASE: dict[str, Encoder] = {
    "phase": lambda s: one_hot(phases(s.options), s.phase),
    "to_move": deciding,
    "active": lambda s: one_hot(s.seats, s.active),
    "actions_left": lambda s: [s.actions_left / 2],
    "produced": lambda s: [float(s.produced)],
    "money": lambda s: [s.money[s.me] / 20],
    "values": lambda s: [value(s, colour) / 10 for colour in COLOURS],
    "five_ten": lambda s: [float(value(s, colour) == 5) for colour in COLOURS],
    "supply": lambda s: [count / 16 for count in s.supply],
    "machine_stock": lambda s: [count / 4 for count in s.machine_stock],
    "warehouse_stock": lambda s: [s.warehouse_stock / 20],
    "loans": lambda s: [s.loans[seat] / 2 for seat in s.seats],
    "fresh": lambda s: [s.fresh[seat] / 2 for seat in s.seats],
    "warehouses": lambda s: [s.warehouses[seat] / 5 for seat in s.seats],
    "machines": lambda s: by_colour(s.machines, s.seats, 1),
    "factory": lambda s: [s.factory[seat][colour][price - 1] / 2 for seat in s.seats for colour in COLOURS for price in (1, 2, 3, 4)],
    "harbour": lambda s: [s.harbour[seat][colour][price - 2] / 2 for seat in s.seats for colour in COLOURS for price in (2, 3, 4, 5, 6)],
    "cargo": lambda s: by_colour(s.cargo, s.seats, 5),
    "island": lambda s: by_colour(s.island, s.seats, 5),
    "ships": lambda s: flat(one_hot([*s.seats, SEA, ISLAND], s.ship_at[seat]) for seat in s.seats),
    "trader": lambda s: one_hot(s.seats, s.trader),
    "cursor": lambda s: [s.cursor / 50],
    "to_make": lambda s: [s.to_make / 5],
    "pile": lambda s: [count / 2 for count in in_hand(s)],
    "floor": lambda s: [s.floor / 6],
    "seizures": lambda s: [s.seizures / 2],
    "seller": lambda s: one_hot(s.seats, s.seller),
    "standing": lambda s: [float(s.standing[seat]) for seat in s.seats],
    "shown_bid": lambda s: [s.shown_bid[seat] / 20 for seat in s.seats],
    "bid": lambda s: [max(s.bid[s.me], 0) / 20],  # a void bid is a bid of nothing
    "bid_digits": lambda s: one_hot((1, 2, 3, 4, 5), s.bid_digits[s.me]),
    "bid_loans": lambda s: [s.bid_loans[s.me] / 2],
    "turn": lambda s: [s.turn / 100],
    "turns_left": lambda s: [1 - s.turn / s.options["max_turns"]],
}
INVESTMENT_BANK: dict[str, Encoder] = {
    "called": lambda s: [float(s.called)],
    "won": lambda s: [float(s.won)],
    "ships_at_bank": lambda s: [float(s.ship_at[seat] == BANK) for seat in s.seats],
    "bank_harbour": lambda s: by_colour(s.bank_harbour, s.seats, 5),
    "box_containers": lambda s: by_colour(s.box_containers, [*BROKERS], 5),
    "box_money": lambda s: [s.box_money[broker] / 20 for broker in BROKERS],
    "payer": lambda s: one_hot(s.seats, s.payer),
    "marked": lambda s: one_hot(BOXES, s.marked),
    "payment_money": lambda s: [s.payment_money / 20],
    "payment": lambda s: by_colour(s.payment, [FACTORY, HARBOUR], 2),
    "payment_size": lambda s: [s.payment_size / 20],
    "factory_pile": lambda s: [count / 2 for count in s.pile[FACTORY]],
}
OPEN: dict[str, Encoder] = {"opponents_money": lambda s: [s.money[seat] / 20 for seat in s.seats[1:]]}


MONEY = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70)
MACHINES, WAREHOUSES = [0, 6, 9, 12], [0, 4, 5, 6, 7]  # what the next one costs, by how many there are


def worth(s: Look, held: list[int]) -> int:
    """Containers on the own island, by the own card: the most numerous colour is discarded, of several the 5/10, then the cheapest."""
    values = [10 if value(s, colour) == 5 and all(held) else value(s, colour) for colour in COLOURS]
    out = min((c for c in COLOURS if held[c] == max(held)), key=lambda c: (value(s, c) != 5, values[c]))
    return sum(count * values[c] for c, count in enumerate(held) if c != out)


def gain(s: Look, seat: int) -> float:
    island = s.island[s.me]
    return cut((worth(s, [a + b for a, b in zip(island, s.cargo[seat], strict=True)]) - worth(s, island)) / 30)


def stored(store: list[list[int]]) -> int:
    return sum(map(sum, store))


def up_to(store: list[list[int]], colours: Iterable[int]) -> list[int]:
    """How many containers of these colours there are at each price or less."""
    return [sum(sum(store[colour][: price + 1]) for colour in colours) for price in range(len(store[0]))]


def offers(s: Look, stores: list[list[list[int]]]) -> list[float]:
    by_colour = [[up_to(stores[seat], [colour]) for seat in s.seats[1:]] for colour in COLOURS]
    return [cut(sum(counts) / 4) for sellers in by_colour for counts in zip(*sellers, strict=True)]


def buys(s: Look) -> list[float]:
    money, slot, own = s.money[s.me], sum(s.machines[s.me]), s.warehouses[s.me]
    machines = [slot < 4 and not s.machines[s.me][c] and s.machine_stock[c] > 0 and money >= MACHINES[slot] for c in COLOURS]
    return [*map(float, machines), float(s.warehouse_stock > 0 and own < 5 and money >= WAREHOUSES[own])]


def factory_room(s: Look, seat: int) -> int:
    return max(2 * sum(s.machines[seat]) - stored(s.factory[seat]), 0)


def production(s: Look, seat: int) -> float:
    return min(sum(s.machines[seat][c] > 0 and s.supply[c] > 0 for c in COLOURS), factory_room(s, seat)) / 4


def assets(s: Look, seat: int) -> int:
    return s.money[seat] + 2 * stored(s.harbour[seat]) + 3 * sum(s.cargo[seat]) - 11 * s.loans[seat]


RICH: dict[str, Encoder] = {
    "money_levels": lambda s: levels(s.money[s.me], *MONEY),
    "supply_levels": lambda s: flat(levels(count, 1, 2, 3, 5, 8) for count in s.supply),
    "colours_out": lambda s: [cut(s.supply.count(0) / 2)],
    "affordable": buys,
    "island_worth": lambda s: [cut(worth(s, s.island[s.me]) / 60)],
    "factory_offers": lambda s: offers(s, s.factory),
    "harbour_offers": lambda s: offers(s, s.harbour),
    "island_levels": lambda s: flat(levels(s.island[seat][colour], 1, 2, 3, 4) for seat in s.seats for colour in COLOURS),
    "cargo_levels": lambda s: flat(levels(sum(s.cargo[seat]), 1, 2, 3, 4, 5) for seat in s.seats),
    "cargo_worth": lambda s: [gain(s, seat) for seat in s.seats],
    "production": lambda s: [cut(production(s, seat)) for seat in s.seats],
    "factory_room": lambda s: [cut(factory_room(s, seat) / 8) for seat in s.seats],
    "harbour_room": lambda s: [max(s.warehouses[seat] - stored(s.harbour[seat]), 0) / 5 for seat in s.seats],
    "cheapest_factory": lambda s: [float(count > 0) for seat in s.seats for count in up_to(s.factory[seat], COLOURS)],
    "cheapest_harbour": lambda s: [float(count > 0) for seat in s.seats for count in up_to(s.harbour[seat], COLOURS)],
}
RICH_OPEN: dict[str, Encoder] = {
    "opponents_money_levels": lambda s: flat(levels(s.money[seat], *MONEY) for seat in s.seats[1:]),
    "lead": lambda s: [cut((assets(s, s.me) - assets(s, seat)) / 50) for seat in s.seats[1:]],
}


def encoders(options: Mapping[str, Any]) -> dict[str, Encoder]:
    found = BASE | RICH
    if options["investment_bank"]:
        found |= INVESTMENT_BANK
    if options["visibility"] == "open":
        found |= OPEN | RICH_OPEN
    return found


def any_records(batch: tw.Batch, random: np.random.Generator) -> np.ndarray:
    """Records, reachable or not, in which every seat, phase and harbour is in play, and the turn is not past the last."""
    states, options, size = uniform_records(batch, random), batch.variant.options, batch.size
    bank = options["investment_bank"]
    for field in ("seat", "active"):
        states[field] = random.integers(0, batch.players, size)
    for field in ("trader", "seller", "payer"):
        states[field] = random.integers(-1, batch.players, size)
    states["phase"] = random.choice(phases(options), size)
    states["ship_at"] = random.choice([*range(batch.players), SEA, ISLAND, *([BANK] if bank else [])], (size, 5))
    states["turn"] %= options["max_turns"] + 1
    # Every second record as sparse as in play: otherwise whatever is cut or compared with a limit would always be the same.
    for field, odds in (("factory", 0.1), ("harbour", 0.1), ("cargo", 0.3), ("island", 0.6), ("machines", 0.5)):
        states[field][::2] = random.random(states[field][::2].shape) < odds
    for field, most in (("money", 40), ("box_money", 40), ("shown_bid", 40), ("bid", 40), ("payment_money", 40), ("supply", 4)):
        states[field][::2] %= most
    if not bank:
        makes = np.isin(states["phase"], [Phase.MAKE, Phase.PRICE_FACTORY])
        states["pile"][np.arange(size), np.where(makes, HARBOUR, FACTORY)] = 0
    return states


def lively_policy(batch: tw.Batch) -> Policy:
    """Uniform random legal actions, in some games lively ones."""
    sample, random = random_policy(batch), np.random.default_rng(1)

    def policy(batch: tw.Batch) -> np.ndarray:
        actions = sample(batch)
        for row in range(0, batch.size, LIVELY):
            actions[row] = choose(batch.masks[row], random)
        return actions

    return policy


@pytest.mark.parametrize("options", some(variants(NAME)), ids=lambda options: label(NAME, options))
def test_every_part_says_what_its_text_says_of_any_record(options: dict[str, Any]) -> None:
    check_any_records(NAME, options, any_records, encoders(options))


@pytest.mark.parametrize("options", some(rule_sets(NAME)), ids=lambda options: label(NAME, options))
def test_every_part_says_what_its_text_says_in_play(options: dict[str, Any]) -> None:
    batch = new_batch(NAME, richest(NAME, options), amount(24, 3))
    # With five players a colour of the supply first runs out after about 400 steps.
    comparison = compare_play(batch, amount(600, 60), lively_policy(batch), encoders(options))
    if amount(compiled=1, plain=0):
        assert not comparison.constant()
