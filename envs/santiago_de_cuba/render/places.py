"""Where on the board each action is played; svg.py draws the places."""

import numpy as np

from ...core.render.places import Spot, spots
from ..actions import BUYING, LEFT, NO_CUBAN, PESO, TABLE, Kind
from ..tables import DEMANDED_GOODS, HIGHEST_VALUE, STOPS, Building, Good


def good_of(seat: int, good: int) -> str:
    return f"player:{seat}:good:{good}"


def building(b: int) -> str:
    return f"building:{b}"


def gift(seat: int, thing: int) -> str:
    """A good, a peso or a point of a player."""
    if thing < DEMANDED_GOODS:
        return good_of(seat, thing)
    return f"player:{seat}:{'pesos' if thing == PESO else 'points'}"


def flag(value: int) -> str:
    """A flag of the value track. Above the last one the ship leaves, so that flag stands for it."""
    return f"value:{min(value, HIGHEST_VALUE)}"


def stop_of(street: np.ndarray, cuban: int) -> str:
    return f"stop:{int(np.flatnonzero(street == cuban)[0]) + 1}"


spot = spots(
    TABLE,
    {
        Kind.ASIDE: lambda v, seat, good: Spot((f"die:{good}",)),
        Kind.DRIVE: lambda v, seat, stops: Spot((f"stop:{(int(v.car) + stops) % STOPS}",)),
        Kind.TAKE: lambda v, seat, good: Spot((f"supply:{good}",)),
        Kind.GIVE: lambda v, seat, thing: Spot((gift(seat, thing),)),
        Kind.CLAIM: lambda v, seat, b: Spot((building(b),)),
        Kind.USE_OWN: lambda v, seat, b: Spot((building(b),)),
        Kind.NO_ALONSO: lambda v, seat: Spot(),
        Kind.ENTER: lambda v, seat, b: Spot((building(b),)),
        Kind.BANK: lambda v, seat: Spot((building(Building.BANK),)),
        Kind.CHURCH: lambda v, seat: Spot((building(Building.CHURCH),)),
        Kind.DISTILLERY: lambda v, seat, count: Spot((building(Building.DISTILLERY),), count),
        Kind.CIGAR_FACTORY: lambda v, seat, count: Spot((building(Building.CIGAR_FACTORY),), count),
        Kind.BLACK_MARKET: lambda v, seat, given, taken: Spot((good_of(seat, given), f"supply:{taken}")),
        Kind.SAWMILL: lambda v, seat: Spot((building(Building.SAWMILL),)),
        Kind.CAFE: lambda v, seat, cigars, rum: Spot((building(Building.CAFE),)),
        Kind.CUSTOMS_OFFICE: lambda v, seat, good: Spot((f"die:{good}",)),
        Kind.CASINO: lambda v, seat, way, count: Spot((f"player:{seat}:{'pesos' if way == BUYING else 'points'}",), count),
        Kind.HARBOUR_AUTHORITY: lambda v, seat, way: Spot((flag(int(v.value) + (-1 if way == LEFT else 1)),)),
        Kind.CONTRACTORS_OFFICE: lambda v, seat, good: Spot((good_of(seat, good),)),
        Kind.NEWSPAPER: lambda v, seat, cuban: Spot((building(Building.NEWSPAPER) if cuban == NO_CUBAN else stop_of(v.street, cuban),)),
        Kind.NO_USE: lambda v, seat: Spot(),
        Kind.DELIVER: lambda v, seat, good, count: Spot((good_of(seat, good),), count),
        Kind.WOOD: lambda v, seat, good, count: Spot((good_of(seat, Good.WOOD), f"die:{good}"), count),
        Kind.PASS: lambda v, seat: Spot(),
    },
)
