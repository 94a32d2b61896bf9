"""The observation vector against slow encoders, one for each part, written from the names and texts of the parts."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.container.lively import choose
from tests.contract.parts import Encoder, Look, Policy, compare_play, compare_records, flat, one_hot, random_policy, uniform_records
from tests.contract.tools import amount, label, new_batch, some, variants
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


def encoders(options: Mapping[str, Any]) -> dict[str, Encoder]:
    found = dict(BASE)
    if options["investment_bank"]:
        found |= INVESTMENT_BANK
    if options["visibility"] == "open":
        found |= OPEN
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


every_variant = pytest.mark.parametrize("options", some(variants(NAME)), ids=lambda options: label(NAME, options))


@every_variant
def test_every_part_says_what_its_text_says_of_any_record(options: dict[str, Any]) -> None:
    batch = new_batch(NAME, options, amount(16, 24))
    random = np.random.default_rng(variants(NAME).index(options))  # other records in every variant
    comparison = compare_records(batch, any_records(batch, random), encoders(options))
    assert not comparison.constant(), "parts that could not fail"
    assert not comparison.alike(), "parts that could change places unnoticed"


@every_variant
def test_every_part_says_what_its_text_says_in_play(options: dict[str, Any]) -> None:
    batch = new_batch(NAME, options, amount(24, 3))
    comparison = compare_play(batch, amount(300, 60), lively_policy(batch), encoders(options))
    if amount(compiled=1, plain=0):
        assert not comparison.constant()
