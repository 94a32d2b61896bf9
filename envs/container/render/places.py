"""Where on the board each action is played; svg.py draws the places."""

from typing import Any

from ...core.render.places import Spot, spots
from ..actions import OUTBID, TABLE, Kind
from ..state import Phase
from ..tables import FACTORY, HARBOUR

STORE_NAMES = ("factory", "harbour")


def left_of(view: Any, seat: int, left: int) -> int:
    return (seat + left) % int(view.players)


def stored(seat: int, store: int, colour: int, price: int) -> str:
    """Containers of one colour at one price."""
    return f"player:{seat}:{STORE_NAMES[store]}:{colour}:{price}"


def bought(view: Any, seat: int, colour: int, price: int) -> Spot:
    """From a factory store for the own harbour, or from a harbour store for the ship."""
    return Spot((stored(int(view.trader), FACTORY if view.phase == Phase.SHOP else HARBOUR, colour, price),))


def priced(view: Any, seat: int, price: int) -> Spot:
    store = STORE_NAMES[FACTORY if view.phase == Phase.PRICE_FACTORY else HARBOUR]
    return Spot((f"player:{seat}:{store}:{price}",))


def digit(view: Any, seat: int, position: int, value: int) -> Spot:
    return Spot((f"box:{view.marked}" if view.phase == Phase.CALL_MONEY else f"bid:{seat}",), value)


def seized(view: Any, seat: int, colour: int, price: int) -> Spot:
    """CT-INT-2: where the bank takes the next container of the active player."""
    debtor = int(view.active)
    for name, counts in (("island", view.island), ("cargo", view.cargo), ("bank", view.bank_harbour)):
        if counts[debtor].any():
            return Spot((f"{name}:{debtor}:{colour}",))
    return Spot((stored(debtor, HARBOUR if view.harbour[debtor].any() else FACTORY, colour, price),))


spot = spots(
    TABLE,
    {
        Kind.LOAN: lambda v, seat: Spot((f"player:{seat}:loans",)),
        Kind.REPAY: lambda v, seat: Spot((f"player:{seat}:loans",)),
        Kind.PASS: lambda v, seat: Spot(),
        Kind.MACHINE: lambda v, seat, colour: Spot((f"machine:{colour}",)),
        Kind.WAREHOUSE: lambda v, seat: Spot(("warehouses",)),
        Kind.SHOP: lambda v, seat, left: Spot((f"player:{left_of(v, seat, left)}:factory",)),
        Kind.REPRICE: lambda v, seat: Spot((f"player:{seat}:harbour",)),
        Kind.PRODUCE: lambda v, seat: Spot((f"player:{seat}:factory",)),
        Kind.TO_SEA: lambda v, seat: Spot(("sea",)),
        Kind.TO_ISLAND: lambda v, seat: Spot(("island",)),
        Kind.TO_HARBOUR: lambda v, seat, left: Spot((f"player:{left_of(v, seat, left)}:quay",)),
        Kind.TO_BANK: lambda v, seat: Spot((f"bank:{seat}",)),
        Kind.CALL: lambda v, seat, box: Spot((f"box:{v.marked if box == OUTBID else box}",)),
        Kind.BUY: bought,
        Kind.ENOUGH: lambda v, seat: Spot(),
        Kind.MAKE: lambda v, seat, colour: Spot((f"player:{seat}:machine:{colour}",)),
        Kind.PRICE: priced,
        Kind.DIGIT: digit,
        Kind.VOID: lambda v, seat: Spot((f"bid:{seat}",)),
        Kind.ACCEPT: lambda v, seat, left: Spot((f"bid:{left_of(v, seat, left)}",)),
        Kind.REFUSE: lambda v, seat: Spot(),
        Kind.SEIZE: seized,
        Kind.LOAD: lambda v, seat, colour: Spot((f"bank:{seat}:{colour}",)),
        Kind.OFFER: lambda v, seat, store, colour, price: Spot((stored(seat, store, colour, price),)),
        Kind.PAY: lambda v, seat, colour: Spot((f"payment:{colour}",)),
    },
)
