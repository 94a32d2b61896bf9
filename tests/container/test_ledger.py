"""Every dollar accounted for: what each action should move, in plain Python, compared with lively games."""

from typing import Any

import numpy as np
import pytest

from tests.support import sample
from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.core.spec.fields import Status

from .box import broken, recount
from .lively import choose
from .table import Position, result

MACHINE_COST, WAREHOUSE_COST = [0, 6, 9, 12], [0, 4, 5, 6, 7]
GAMES = sample(3, 8) if JIT else 1


class Ledger:
    """All money, place by place, and what the bank has given out."""

    def __init__(self, s: np.ndarray) -> None:
        self.money = s["money"].astype(int).tolist()
        self.boxes = s["box_money"].astype(int).tolist()
        self.card = int(s["payment_money"])
        self.bank = int(s["issued"])

    def fill(self, amount: int) -> None:
        for dollar in range(amount):
            self.boxes[dollar % 3] += 1

    def give(self, seat: int, amount: int) -> None:
        """From the bank to a player; a negative amount the other way."""
        self.money[seat] += amount
        self.bank += amount

    def pay(self, seat: int, other: int, amount: int) -> None:
        self.money[seat] -= amount
        self.money[other] += amount


def expected(s: Any, name: str) -> Ledger:
    """What lies where after an action in position `s`, if the turn does not end."""
    book, me, players, phase = Ledger(s), int(s["seat"]), int(s["players"]), int(s["phase"])
    words = name.replace("$", "").split()
    if name == "loan: take $10" and phase not in (Phase.BID, Phase.SECOND_BID):
        book.give(me, 10)
    elif name == "loan: repay $10":
        book.give(me, -10)
    elif name.startswith("machine:"):
        book.give(me, -MACHINE_COST[int(s["machines"][me].sum())])
    elif name.startswith("warehouse:"):
        book.give(me, -WAREHOUSE_COST[int(s["warehouses"][me])])
    elif name.startswith("buy:"):
        book.pay(me, int(s["trader"]), int(words[-1]))
    elif name == "factory: produce":
        book.pay(me, (me - 1) % players, 1)
    elif name.startswith("auction: accept"):
        buyer = (me + int(words[-4][0])) % players
        book.pay(buyer, me, int(s["shown_bid"][buyer]))
        book.give(me, int(s["shown_bid"][buyer]))
    elif name == "auction: refuse all bids":
        highest = max(int(s["shown_bid"][seat]) for seat in range(players) if s["standing"][seat])
        book.give(me, -highest)
        if s["investment_bank"]:
            book.fill(highest)
            book.bank += highest
    elif name == "bid: void it" or (name.startswith("bid:") and words[-1] == "1"):
        if phase == Phase.CALL_MONEY:
            amount = int(s["bid"][me]) + int(words[1])
            if s["payer"] >= 0:
                book.money[int(s["payer"])] += book.card
            book.money[me] -= amount
            book.card = amount
        else:
            seats = [(int(s["seller"]) + k) % players for k in range(1, players)]
            bidders = [seat for seat in seats if s["standing"][seat]]
            if me == bidders[-1]:  # all are in: loans are shown
                for seat in bidders:
                    book.give(seat, 10 * int(s["bid_loans"][seat]))
    return book


def settle_turn(book: Ledger, s: Any, ended: bool) -> None:
    """What the end of a turn moves, from the record just before the action that ended it."""
    active = (int(s["active"]) + 1) % int(s["players"])
    has_just_bid = s["phase"] in (Phase.CALL_MONEY, Phase.CALL_CONTAINERS)
    payer = int(s["seat"] if has_just_bid else s["payer"])
    if payer >= 0 and (ended or payer == active):
        box = int(s["marked"])
        if box >= 3:
            book.money[payer] += book.boxes[box - 3]
            book.boxes[box - 3] = 0
        book.fill(book.card)
        book.card = 0


def pay_interest(book: Ledger, s: Any, active: int) -> None:
    loans = int(s["loans"][active])
    if loans == 1 and book.money[active] == 0:
        book.give(active, 10)
    paid = min(loans, book.money[active])
    if s["investment_bank"]:
        book.money[active] -= paid
        book.fill(paid)
    else:
        book.give(active, -paid)


@pytest.mark.rule("CT-SET-3", "CT-AUC-3", "CT-AUC-4", "CT-INT-1", "CT-IB-PREP-2", "CT-IB-PREP-3")
@pytest.mark.parametrize("investment_bank", [False, True])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_dollar_goes_where_the_rules_say(players, investment_bank):
    random = np.random.default_rng(players)
    kinds, auctions = set(), 0
    for seed in range(GAMES):
        s = Position(players=players, investment_bank=investment_bank, void_bids=True, max_turns=200 if JIT else 40)
        s.stream = new_tape(seed)
        GAME.kernels["setup"](s.record, s.stream)
        while s.status == Status.RUNNING:
            GAME.kernels["legal"](s.record, s.mask)
            before = s.array.copy()[0]
            action = choose(s.mask, random)
            name = GAME.actions.names[action]
            GAME.kernels["apply"](s.record, action, s.stream)
            after = s.array[0]
            book = expected(before, name)
            turned = before["turn"] != after["turn"]
            if turned:
                settle_turn(book, before, after["status"] != Status.RUNNING)
            has_paid = (turned or name.startswith("pay:")) and after["phase"] != Phase.PAY
            if has_paid and after["status"] == Status.RUNNING:
                pay_interest(book, before, int(after["active"]))
            now = Ledger(after)
            assert (now.money, now.boxes, now.card, now.bank) == (book.money, book.boxes, book.card, book.bank), name
            assert sum(now.money) + sum(now.boxes) + now.card == now.bank
            assert broken(s.array) == []
            kinds.add(name.split(":")[0])
            auctions += name.startswith("auction:")
        assert result(s) == recount(s.record)
    assert {"factory", "harbour", "buy", "price", "sail"} <= kinds
    if JIT:
        assert "loan" in kinds
        assert auctions > GAMES
        assert not investment_bank or {"call", "pay", "load"} <= kinds
