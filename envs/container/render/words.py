"""Actions and the parts of the board in words for people, and the colours of the containers."""

from collections.abc import Mapping
from typing import Any

from ...core.render.words import Entry, many, wording
from ..actions import OUTBID, TABLE, Kind
from ..rules.auction import highest_shown
from ..rules.bidding import highest_bid
from ..rules.seats import right_of
from ..rules.stores import machine_count
from ..state import Phase
from ..tables import BROKERS, COLOUR_NAMES, FACTORY, HARBOUR, INTEREST, LOAN, LOAN_AT_THE_END, MACHINE_COST, TENS, UNION_FEE, WAREHOUSE_COST
from .labels import box_name, containers, decision
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


question = decision


def guide(options: Mapping[str, Any]) -> list[Entry]:
    entries = [
        Entry("Machine", "Makes 1 container of its colour whenever you produce. The next ones cost $6, $9 and $12."),  # CT-BUY-1
        Entry("Warehouse", "Room for 1 more container in your harbour store. They cost $4, $5, $6 and $7.", ("warehouses",)),  # CT-BUY-1
        Entry("Factory store", "What you produced, for the others to buy at $1 to $4; 2 containers for each machine.", ("player:factory",)),
        Entry(
            "Harbour store", "What you bought, for ships of the others at $2 to $6; 1 container for each warehouse.", ("player:harbour",)
        ),
        Entry("Ship", "Carries 5 containers: from the open sea to a harbour or the island, and back.", ("sea", "player:quay")),  # CT-SAIL-1
        Entry("Island", "A cargo is auctioned here in secret bids. What you own here is worth what your value card says.", ("island",)),
        Entry("Loan", "$10 at once, up to two; $1 interest at each turn of yours, and $11 at the end.", ("player:loans",)),  # CT-LOAN-1
        Entry("Value card", "Your secret values of the colours: 10, 5 or 10, 6, 4 and 2. The 5/10 colour counts 10 with all five colours."),
    ]
    if options["investment_bank"]:
        entries.append(Entry("Brokers", "Their boxes are auctioned: money for containers, containers for money."))  # CT-IB-CALL-2
    return entries


GLOSSARY = {entry.title: entry.text for entry in guide({"investment_bank": True})}
