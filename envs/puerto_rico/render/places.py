"""Where on the board each action is played; svg.py draws the places."""

from typing import Any

from ...core.render.places import Spot, spots
from ..actions import COLONIST, TABLE, Kind
from ..tables import EMPTY, FIRST_TILE, FOREST, QUARRY, WINDROSE, Building


def good_of(seat: int, good: int) -> str:
    return f"player:{seat}:good:{good}"


def building_of(seat: int, building: int) -> str:
    return f"player:{seat}:building:{building}"


def tile_of(seat: int, tile: int) -> str:
    return f"player:{seat}:tile:{tile}"


def slot_of(seat: int, where: int) -> str:
    """Where a colonist can stand: in a building, on a tile, on the windrose."""
    if where < FIRST_TILE:
        return building_of(seat, where)
    return f"player:{seat}:windrose" if where == WINDROSE else tile_of(seat, where - FIRST_TILE)


def person(view: Any, seat: int, who: int) -> Spot:
    """A colonist or a noble: of the guest house if a guest is sent, else one who comes to the island."""
    if view.guest_to != EMPTY:
        return Spot((building_of(seat, Building.GUEST_HOUSE),))
    return Spot(("people:colonist" if who == COLONIST else "people:noble",))


spot = spots(
    TABLE,
    {
        Kind.ROLE: lambda v, seat, role: Spot((f"role:{role}",)),
        Kind.PASS: lambda v, seat: Spot(),
        Kind.TAKE_PLANTATION: lambda v, seat, good: Spot((f"tile:{good}",)),
        Kind.TAKE_QUARRY: lambda v, seat: Spot((f"tile:{QUARRY}",)),
        Kind.DRAW: lambda v, seat: Spot(("stack",)),
        Kind.PERSON: person,
        Kind.BUILD: lambda v, seat, building: Spot((f"market:{building}",)),
        Kind.EXTRA: lambda v, seat, good: Spot((f"supply:{good}",)),
        Kind.SELL: lambda v, seat, good: Spot((good_of(seat, good),)),
        Kind.LOAD: lambda v, seat, good, ship: Spot((good_of(seat, good), f"ship:{ship}")),
        Kind.WHARF: lambda v, seat, good: Spot((good_of(seat, good), building_of(seat, Building.WHARF))),
        Kind.KEEP: lambda v, seat, good, count: Spot((good_of(seat, good),), count),
        Kind.PLACE: lambda v, seat, where, count: Spot((slot_of(seat, where),), count),
        Kind.DRAFT: lambda v, seat, building: Spot((f"market:{building}",)),
        Kind.TAKE_FOREST: lambda v, seat, good: Spot((f"tile:{good}",)),
        Kind.LAY: lambda v, seat, way: Spot((f"player:{seat}:island",)),
        Kind.HAND_COLONIST: lambda v, seat, where: Spot((slot_of(seat, where),)),
        Kind.HAND_GOOD: lambda v, seat, good: Spot((good_of(seat, good),)),
        Kind.HAND_POINT: lambda v, seat: Spot((f"player:{seat}:points",)),
        Kind.POST: lambda v, seat, good: Spot((good_of(seat, good), building_of(seat, Building.TRADING_POST))),
        Kind.SMALL_WHARF: lambda v, seat: Spot((building_of(seat, Building.SMALL_WHARF),)),
        Kind.SHIP: lambda v, seat, good, count: Spot((good_of(seat, good),), count),
        Kind.GUEST: lambda v, seat, where: Spot((slot_of(seat, where),)),
        Kind.BUY_LAND: lambda v, seat: Spot(("stack",)),
        Kind.DISCARD: lambda v, seat, good, who: Spot((tile_of(seat, good),)),
        Kind.DISCARD_FOREST: lambda v, seat, good: Spot((tile_of(seat, FOREST),)),
        Kind.SUPPLY: lambda v, seat, good: Spot((good_of(seat, good),)),
        Kind.NOBLES: lambda v, seat, count: Spot((slot_of(seat, int(v.place)),), count),
    },
)
