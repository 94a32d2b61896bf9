"""What holds in every state of Container that the rules can lead to, for states that come from outside."""

from typing import Any

import numpy as np

from ..core.io.states import broken, columns, while_running
from .state import ASKED_PHASES, BASE_PHASES, Phase
from .tables import (
    BROKERS,
    COLOURS,
    CONTAINERS,
    EMPTY,
    FACTORY,
    HARBOUR,
    ISLAND,
    MACHINE_SLOTS,
    MACHINES,
    MOST_LOANS,
    SEA,
    SHIP_ROOM,
    START_BOX_CONTAINERS,
    STORED_A_MACHINE,
    STORED_A_WAREHOUSE,
    WAREHOUSES,
)

OF_A_SEAT = (
    "factory",
    "harbour",
    "cargo",
    "island",
    "machines",
    "warehouses",
    "money",
    "loans",
    "fresh",
    "bank_harbour",
    "standing",
    "bid",
)
OF_THE_BANK = ("bank_harbour", "box_containers", "box_money", "payment", "payment_money", "payment_size", "called")
BIDDING = (Phase.BID, Phase.SECOND_BID)


def check_state(states: np.ndarray) -> list[str]:
    """What is impossible in states of one variant whose fields are within their bounds.

    Args:
        states: Records (n,).

    Returns:
        The laws that a state breaks; none if the rules can lead to all of them, as far as this tells.
    """
    s = columns(states)
    players, bank = int(s["players"][0]), int(s["investment_bank"][0])
    return broken(_pieces(s, players, bank), _seats(s, players, bank), _turn(s, bank))


def _containers(s: dict[str, np.ndarray]) -> np.ndarray:
    """All containers of each colour, wherever they are: (n, colours)."""
    count = s["supply"].astype(np.int64) + s["removed"]
    for name in ("cargo", "island", "bank_harbour", "box_containers", "payment", "pile"):
        count += s[name].sum(axis=1)
    return count + s["factory"].sum(axis=(1, 3)) + s["harbour"].sum(axis=(1, 3))


def _pieces(s: dict[str, np.ndarray], players: int, bank: int) -> dict[str, Any]:
    drawn = _containers(s) - CONTAINERS[players]  # at most one of each colour was drawn for the Investment Bank
    held = s["money"].sum(axis=1, dtype=np.int64) + s["box_money"].sum(axis=1, dtype=np.int64) + s["payment_money"]
    seats = np.arange(s["money"].shape[1])
    bids = (s["payer"][:, None] == seats) & (s["phase"] != Phase.PAY)[:, None]  # a bid that is being paid has left the stores
    machines = s["machines"].sum(axis=2)
    factory = s["factory"].sum(axis=(2, 3)) + bids * s["payment"][:, FACTORY].sum(axis=1)[:, None]
    harbour = s["harbour"].sum(axis=(2, 3)) + bids * s["payment"][:, HARBOUR].sum(axis=1)[:, None]
    return {
        "containers that the box does not hold": (drawn < 0) | (drawn > bank),
        "containers that the Investment Bank did not draw": drawn.sum(axis=1) != bank * START_BOX_CONTAINERS.sum(),
        "machines that the box does not hold": s["machine_stock"] + s["machines"].sum(axis=1) != MACHINES[players],
        "more machines than slots": machines > MACHINE_SLOTS,
        "warehouses that the box does not hold": s["warehouse_stock"] + s["warehouses"].sum(axis=1) != WAREHOUSES[players],
        "money that the bank did not give out": held != s["issued"],
        "a factory store that is overfull": factory > STORED_A_MACHINE * machines,
        "a harbour store that is overfull": harbour > STORED_A_WAREHOUSE * s["warehouses"],
        "a ship that is overfull": s["cargo"].sum(axis=2) > SHIP_ROOM,
        "more new loans than loans": s["fresh"] > s["loans"],
        "value cards that are not each there once": np.bitwise_or.reduce(1 << s["value_card"].astype(np.int64), axis=1)
        != (1 << COLOURS) - 1,
    }


def _seats(s: dict[str, np.ndarray], players: int, bank: int) -> dict[str, Any]:
    at, own = s["ship_at"][:, :players], np.arange(players)
    return {
        "a seat beyond the players": np.any([s[name] >= players for name in ("active", "trader", "seller", "payer")], axis=0),
        "a ship in a harbour that is not there": (at == own) | ((at >= players) & (at < SEA)) | (not bank and (at > ISLAND)),
        **{f"{name} of a seat that nobody takes": s[name][:, players:].any() for name in OF_A_SEAT},
        **{f"{name} without the Investment Bank": not bank and s[name].any() for name in OF_THE_BANK},
        "a payer without the Investment Bank": (s["payer"] != EMPTY) & (not bank),
        "one of the Investment Bank's cards without the other": (s["payer"] == EMPTY)
        & (s["payment_money"] + s["payment"].sum(axis=(1, 2)) > 0),
    }


def _turn(s: dict[str, np.ndarray], bank: int) -> dict[str, Any]:
    """Phase, seat and what is in hand agree, in games that go on."""
    phase, seat, active = s["phase"], s["seat"], s["active"]
    rows = np.arange(len(s["seat"]))
    bids = np.isin(phase, BIDDING)
    calls = np.isin(phase, (Phase.CALL_MONEY, Phase.CALL_CONTAINERS))
    auctions = bids | (phase == Phase.SALE)
    pricing = np.isin(phase, (Phase.PRICE_FACTORY, Phase.PRICE_HARBOUR))
    piles, unpaid = s["pile"].sum(axis=2), s["payment"][:, FACTORY].sum(axis=1)
    buys = np.isin(phase, (Phase.SHOP, Phase.SHIP))
    pays = phase == Phase.PAY
    in_hand = np.isin(phase, (Phase.SHOP, Phase.MAKE, Phase.CALL_CONTAINERS)) | pricing
    is_payer = (s["payer"] == seat) & ~pays
    stored = s["factory"][rows, seat].sum(axis=(1, 2)) + is_payer * unpaid + piles[:, FACTORY]
    in_harbour = s["harbour"][rows, seat].sum(axis=(1, 2)) + is_payer * s["payment"][:, HARBOUR].sum(axis=1) + piles[:, HARBOUR]
    outbid = pricing & (s["payer"] == active) & (s["called"] == 1)
    laws = {
        "a phase that is never asked": phase >= (ASKED_PHASES if bank else BASE_PHASES),
        "the turn of another seat": (seat != active) & ~bids & ~outbid & (phase != Phase.SEIZE),
        "more in hand than the factory store takes": stored > STORED_A_MACHINE * s["machines"][rows, seat].sum(axis=1),
        "more in hand than the harbour store takes": in_harbour > STORED_A_WAREHOUSE * s["warehouses"][rows, seat],
        "containers in hand at another time": ~in_hand & piles.any(axis=1),
        "a bid at another time": ~bids & (phase != Phase.CALL_MONEY) & (s["bid"].any(axis=1) | s["bid_loans"].any(axis=1)),
        "production at another time": (phase != Phase.MAKE) & (s["to_make"] > 0),
        "a game that should have ended": s["turn"] >= s["max_turns"],
        "a purchase from nobody": buys & ((s["trader"] == EMPTY) | (s["trader"] == seat)),
        "nothing to price": (phase == Phase.PRICE_FACTORY) & (piles[:, FACTORY] == 0),
        "nothing to price in the harbour": (phase == Phase.PRICE_HARBOUR) & ((piles[:, HARBOUR] == 0) | (piles[:, FACTORY] > 0)),
        "nothing to make": (phase == Phase.MAKE) & (s["to_make"] == 0),
        "nothing to seize": (phase == Phase.SEIZE) & (s["seizures"] == 0),
        "an auction without a seller": auctions & (s["seller"] != active),
        "a bid of a seat that is not in the auction": bids & ((seat == s["seller"]) | (s["standing"][rows, seat] == 0)),
        "a bid without digits": (bids | (phase == Phase.CALL_MONEY)) & (s["bid_digits"][rows, seat] == 0),
        "a call without a box": calls & (s["marked"] == EMPTY),
        "a call for the other kind of box": calls & ((s["marked"] < BROKERS) != (phase == Phase.CALL_MONEY)),
        "a payment of nothing": pays & ((unpaid == 0) | (unpaid > s["payment_size"]) | (s["payer"] == EMPTY) | (s["marked"] < BROKERS)),
        "a payment at another time": ~pays & (s["payment_size"] > 0),
        "a box under auction without a bid": (s["payer"] == EMPTY) & (s["marked"] != EMPTY) & ~calls,
        "more loans than there are": (s["loans"] + s["bid_loans"] > MOST_LOANS).any(axis=1),
        "loans of a seat that does not bid": bids & ((s["standing"] == 0) & (s["bid_loans"] > 0)).any(axis=1),
        "an action more than a turn has": (phase == Phase.ACTION) & (s["actions_left"] == 0),
        "a bid below 0": ((s["bid"] < 0) & ((s["void_bids"][:, None] == 0) | (s["bid"] != -s["shown_bid"]))).any(axis=1),
        "containers paid for containers": (s["marked"] != EMPTY) & (s["marked"] < BROKERS) & s["payment"].any(axis=(1, 2)),
        "money paid for money": (s["marked"] >= BROKERS) & (s["payment_money"] > 0),
        "a bid that is not for a box": (s["payer"] != EMPTY) & (s["marked"] == EMPTY),
    }
    return while_running(s, laws)
