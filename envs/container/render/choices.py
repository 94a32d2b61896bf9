"""Actions in words for people, and the colours of the containers."""

from typing import Any

from ...core.render.choices import many, wording
from ..actions import OUTBID, TABLE, Kind
from ..rules.auction import highest_shown
from ..rules.bidding import highest_bid
from ..rules.seats import right_of
from ..rules.stores import machine_count
from ..state import Phase
from ..tables import (
    BROKERS,
    COLOUR_NAMES,
    FACTORY,
    HARBOUR,
    INTEREST,
    LOAN,
    LOAN_AT_THE_END,
    MACHINE_COST,
    TENS,
    UNION_FEE,
    WAREHOUSE_COST,
)
from .labels import box_name, containers
from .places import left_of

COLOURS: dict[str, str] = dict(zip(COLOUR_NAMES, ("#35302c", "#8a5a33", "#7b3fa0", "#e3cfa4", "#9aa3aa"), strict=True))


def end(view: Any, seat: int) -> str:
    left = int(view.actions_left)
    return f"turn: end ({many(left, 'action')} not used)" if left else "turn: end"


def call(view: Any, seat: int, choice: int) -> str:
    box = int(view.marked) if choice == OUTBID else choice
    held = containers(view.box_containers[box]) if box < BROKERS else f"${view.box_money[box - BROKERS]}"
    verb = f"outbid player_{view.payer}" if choice == OUTBID else "bid"
    return f"call: {verb} for {box_name(box)} ({held})"


def price(view: Any, seat: int, dollars: int) -> str:
    pile = view.pile[FACTORY if view.phase == Phase.PRICE_FACTORY else HARBOUR]
    colour = next(name for name, count in zip(COLOUR_NAMES, pile, strict=True) if count)
    return f"price: {colour} at ${dollars}"


def digit(view: Any, seat: int, place: int, value: int) -> str:
    """The amounts that are still possible after this digit."""
    least = int(view.bid[seat]) + value * int(TENS[place])
    most = min(least + int(TENS[place]) - 1, int(highest_bid(view, seat)))
    return f"bid: ${least}" if most <= least else f"bid: from ${least} to ${most}"


def accept(view: Any, seat: int, left: int) -> str:
    bid = highest_shown(view)
    return f"auction: accept ${bid} from player_{left_of(view, seat, left)}, and ${bid} from the bank"


words = wording(
    TABLE,
    {
        Kind.LOAN: lambda v, seat: f"loan: take ${LOAN} (${INTEREST} interest per turn, ${LOAN_AT_THE_END} at the end)",
        Kind.REPAY: lambda v, seat: f"loan: repay ${LOAN}",
        Kind.PASS: end,
        Kind.MACHINE: lambda v, seat, colour: f"machine: buy a {COLOUR_NAMES[colour]} one for ${MACHINE_COST[machine_count(v, seat)]}",
        Kind.WAREHOUSE: lambda v, seat: f"warehouse: buy one for ${WAREHOUSE_COST[v.warehouses[seat]]}",
        Kind.SHOP: lambda v, seat, left: f"harbour: buy from the factory store of player_{left_of(v, seat, left)}",
        Kind.REPRICE: lambda v, seat: "harbour: only change the prices in your harbour store",
        Kind.PRODUCE: lambda v, seat: f"factory: produce, pay ${UNION_FEE} to player_{right_of(v, seat)}",
        Kind.TO_ISLAND: lambda v, seat: f"sail: to the island, to auction {containers(v.cargo[seat])}",
        Kind.TO_HARBOUR: lambda v, seat, left: f"sail: to the harbour of player_{left_of(v, seat, left)}",
        Kind.TO_BANK: lambda v, seat: "sail: to your bank harbour",
        Kind.CALL: call,
        Kind.BUY: lambda v, seat, colour, dollars: f"buy: {COLOUR_NAMES[colour]} from player_{v.trader} for ${dollars}",
        Kind.ENOUGH: lambda v, seat: "enough: stop buying",
        Kind.PRICE: price,
        Kind.DIGIT: digit,
        Kind.ACCEPT: accept,
        Kind.REFUSE: lambda v, seat: f"auction: refuse, pay the bank ${highest_shown(v)} and keep {containers(v.cargo[v.seller])}",
    },
)
