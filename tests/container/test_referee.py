"""Random games followed move by move by the slow referee: who is asked, what may be chosen, and every piece and dollar afterwards."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tradewinds.envs.container.tables import BANK, COLOUR_NAMES, ISLAND, SEA
from tradewinds.envs.core.spec.fields import Status

from .referee import final_ranks, game
from .referee_table import Player, Table
from .table import Position, legal, new_game, play, result, table

# How likely an action is, by how its name begins; the first that fits counts. Styles that lead to different corners of the rules.
# fmt: off
STYLES = {
    "any": {},
    "busy": {"turn: end": 0.02, "loan: take": 0.05, "machine": 0.3, "warehouse": 0.3, "enough": 0.3, "harbour: only": 0.1, "factory": 5},
    "broke": {"loan: take": 4, "loan: repay": 0.1, "bid: 0": 0.2, "factory": 3, "turn: end": 0.05, "auction: refuse": 5, "machine": 3},
    "shy": {
        "bid: 0": 30, "bid: void": 30, "loan": 0.1, "turn: end": 0.05, "sail: to the island": 5, "harbour: buy": 3, "call": 3, "factory": 3,
    },
    "trader": {
        "sail: to the island": 10, "sail: to the open": 5, "sail: to the own": 2, "sail": 0.6, "buy": 5, "enough": 0.1, "harbour: buy": 5,
        "factory": 3, "turn: end": 0.03, "loan: take": 0.15, "warehouse": 2, "bid: 0 x $10": 5, "bid: 1 x $1": 5, "bid: void": 6,
    },
    "banker": {"call": 20, "loan: take": 0.2, "turn: end": 0.1, "factory": 3, "bid: 0": 0.5, "sail: to the own": 3, "sail: to the open": 3},
}
# fmt: on


def weight(style: str, name: str) -> float:
    return next((w for begin, w in STYLES[style].items() if name.startswith(begin)), 1.0)


def colours(row: np.ndarray) -> list[int]:
    return sorted(Counter({colour: int(count) for colour, count in enumerate(row)}).elements())


def priced(rows: np.ndarray, first: int) -> list[tuple[int, int]]:
    return sorted((colour, first + at) for colour, row in enumerate(rows) for at, count in enumerate(row) for _ in range(count))


def table_of(s: Position) -> Table:
    """The referee's table at the start of a turn of one without loans, with all ships at sea and no broker called."""
    players = [
        Player(
            int(s.money[seat]),
            colours(s.machines[seat]),
            {"factory": priced(s.factory[seat], 1), "harbour": priced(s.harbour[seat], 2)},
            warehouses=int(s.warehouses[seat]),
            cargo=colours(s.cargo[seat]),
            loans=int(s.loans[seat]),
            fresh=int(s.fresh[seat]),
        )
        for seat in range(s.players)
    ]
    t = Table(
        players,
        int(s.active),
        [int(count) for count in s.supply],
        [int(count) for count in s.machine_stock],
        int(s.warehouse_stock),
        bool(s.investment_bank),
        bool(s.void_bids),
        int(s.max_turns),
    )
    t.box_containers = [colours(row) for row in s.box_containers]
    t.box_money = [int(money) for money in s.box_money]
    t.turns = int(s.turn)
    return t


def of_the_record(s: Position) -> dict[str, object]:
    places = {SEA: "sea", ISLAND: "island", BANK: "bank"}
    facts: dict[str, object] = {
        "active": int(s.active),
        "turns": int(s.turn),
        "supply": s.supply.tolist(),
        "seized": colours(s.removed),
        "machine stock": s.machine_stock.tolist(),
        "warehouse stock": int(s.warehouse_stock),
        "hand": [colours(s.pile[0]), colours(s.pile[1])],
        "box money": s.box_money.tolist(),
        "cards": (int(s.payer), int(s.marked)),
        "payment": (int(s.payment_money), colours(s.payment[0]), colours(s.payment[1])),
        "bids": [int(shown) for shown in s.shown_bid],
    }
    if not s.is_over:
        facts["boxes"] = [colours(row) for row in s.box_containers]
    for seat in range(s.players):
        facts[f"seat {seat}"] = (
            int(s.money[seat]),
            colours(s.machines[seat]),
            int(s.warehouses[seat]),
            priced(s.factory[seat], 1),
            priced(s.harbour[seat], 2),
            colours(s.cargo[seat]),
            places.get(int(s.ship_at[seat]), int(s.ship_at[seat])),
            colours(s.island[seat]),
            (int(s.loans[seat]), int(s.fresh[seat]), int(s.bid_loans[seat])),
            colours(s.bank_harbour[seat]),
        )
    return facts


def of_the_referee(t: Table) -> dict[str, object]:
    facts: dict[str, object] = {
        "active": t.active,
        "turns": t.turns,
        "supply": t.supply,
        "seized": sorted(t.seized),
        "machine stock": t.machine_stock,
        "warehouse stock": t.warehouse_stock,
        "hand": [sorted(t.hand["factory"]), sorted(t.hand["harbour"])],
        "box money": t.box_money,
        "cards": (-1 if t.payer is None else t.payer, -1 if t.marked is None else t.marked),
        "payment": (t.bid_money, sorted(t.bid_containers["factory"]), sorted(t.bid_containers["harbour"])),
        "bids": [t.shown.get(seat, 0) for seat in range(len(t.players))],
    }
    if not t.over:
        facts["boxes"] = [sorted(box) for box in t.box_containers]
    for seat, p in enumerate(t.players):
        facts[f"seat {seat}"] = (
            p.money,
            sorted(p.machines),
            p.warehouses,
            sorted(p.stores["factory"]),
            sorted(p.stores["harbour"]),
            sorted(p.cargo),
            p.at,
            sorted(p.island),
            (p.loans, p.fresh, p.secret_loans),
            sorted(p.bank_harbour),
        )
    return facts


def rich_position(seed: int, players: int, investment_bank: bool, **options: Any) -> Position:
    """A random position in the middle of a game, with much to trade."""
    chance = random.Random(seed)
    machines = [chance.sample(COLOUR_NAMES, chance.randint(1, 2 if players < 5 else 3)) for _ in range(players)]
    for colour in COLOUR_NAMES:  # no more than the box holds
        while sum(colour in row for row in machines) > {3: 2, 4: 3, 5: 4}[players]:
            row = next(row for row in machines if colour in row)
            row.remove(colour)
    return table(
        players,
        active=chance.randrange(players),
        machines=machines,
        warehouses=[chance.randint(1, 4 if players < 5 else 3) for _ in range(players)],
        factory=[{row[0]: [chance.randint(1, 4)]} if row else {} for row in machines],
        harbour=[{chance.choice(COLOUR_NAMES): [chance.randint(2, 6)]} for _ in range(players)],
        cargo=[{chance.choice(COLOUR_NAMES): chance.randint(0, 2)} for _ in range(players)],
        money=[chance.choice([3, 12, 25, 60, 130]) for _ in range(players)],
        supply={colour: chance.randint(1, 4) for colour in COLOUR_NAMES},
        boxes=[{chance.choice(COLOUR_NAMES): 1} for _ in range(3 * investment_bank)],
        box_money=[chance.randint(0, 9) for _ in range(3 * investment_bank)],
        turn=0,
        investment_bank=investment_bank,
        **options,
    )


def follow(seed: int, style: str, rich: bool = False, **options: Any) -> Counter[str]:
    """Play a game beside the referee; returns how often each kind of thing was chosen."""
    s = rich_position(seed, **options) if rich else new_game(seed, **options)
    t = table_of(s)
    t.seized = colours(s.removed)
    chance = random.Random(seed)
    referee = game(t)
    chosen: Counter[str] = Counter()
    decision = next(referee)
    while not s.is_over:
        seat, names = decision
        assert (int(s.seat), legal(s)) == (seat, names)
        assert of_the_record(s) == of_the_referee(t)
        ordered = sorted(names)
        name = chance.choices(ordered, [weight(style, name) for name in ordered])[0]
        what = name if name.startswith(("bid: void", "auction", "call", "sail", "loan")) else name.split(":")[0]
        chosen[f"{s.decides.name} {what}"] += 1
        play(s, name)
        try:
            decision = referee.send(name)
        except StopIteration:
            break
    assert s.is_over and t.over == ("ended" if s.status == Status.ENDED else "truncated")
    assert of_the_record(s) == of_the_referee(t)
    assert result(s) == final_ranks(t, [int(card) for card in s.value_card])
    chosen[t.over] += 1
    chosen["seized"] += len(t.seized)
    return chosen


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("bank", [False, True])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_rules_agree_with_the_referee(players, bank, style):
    seed = players * 10 + bank
    follow(seed, style, players=players, investment_bank=bank, void_bids=bank, max_turns=40)
    follow(seed, style, True, players=players, investment_bank=bank, void_bids=not bank, max_turns=20)


def test_whole_games_agree_with_the_referee():
    chosen = Counter()
    for seed in range(2):
        chosen += follow(100 + seed, "busy", players=3, investment_bank=seed % 2 == 1)
    assert chosen["ended"] > 0
