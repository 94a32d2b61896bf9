"""Actions in words for people, and the colours of the goods."""

from typing import Any

from ...core.render.choices import many, wording
from ..actions import AS_PLANTATION, COLONIST, TABLE, Kind, a_or_an
from ..rules.builder import building_price
from ..rules.captain import cargo_size, loading_points
from ..rules.common import slots
from ..rules.trader import house_price, post_price
from ..state import Phase
from ..tables import (
    BUILDING_NAMES,
    COST,
    EMPTY,
    GOOD_NAMES,
    LAND_PRICE,
    PLACE_NAMES,
    POINTS,
    ROLE_NAMES,
    SHIP_SIZE,
    WINDROSE,
)

COLOURS: dict[str, str] = {
    "corn": "#e8c93a",
    "indigo": "#3f5fa8",
    "sugar": "#f4f4f4",
    "tobacco": "#c98a4b",
    "coffee": "#5f4a3c",
    "quarry": "#9a9a9a",
    "quarries": "#9a9a9a",
    "forest": "#3f7d4a",
}


def pay(doubloons: Any) -> str:
    return many(int(doubloons), "doubloon") if doubloons else "nothing"


def gained(view: Any, seat: int, goods: int) -> str:
    return many(int(loading_points(view, seat, goods)), "point")


def role(view: Any, seat: int, r: int) -> str:
    bonus = int(view.role_doubloons[r])
    return f"role: {ROLE_NAMES[r]}" + (f" with {many(bonus, 'doubloon')} on it" if bonus else "")


def skip(view: Any, seat: int) -> str:
    """What is passed up."""
    return {
        Phase.HACIENDA: "pass: no tile by the hacienda",
        Phase.PICK: "pass: take no tile",
        Phase.HOSPICE: "pass: no colonist by the hospice",
        Phase.PRIVILEGED_MAYOR: "pass: no colonist from the supply",
        Phase.BUILD: "pass: build nothing",
        Phase.UNIVERSITY: "pass: no colonist by the university",
        Phase.PRIVILEGED_CRAFTSMAN: "pass: take no further good",
        Phase.TRADE: "pass: sell nothing" if not view.sold else "pass: done",
        Phase.LOAD: "pass: load nothing",
    }.get(Phase(int(view.phase)), "pass")


def person(view: Any, seat: int, who: int) -> str:
    one = "colonist" if who == COLONIST else "noble"
    if view.guest_to != EMPTY:
        return f"guest house: send a {one} to the {PLACE_NAMES[view.guest_to]}"
    source = {
        Phase.HOSPICE: "hospice: take",
        Phase.PRIVILEGED_MAYOR: "mayor: take",
        Phase.UNIVERSITY: "university: take",
        Phase.VILLA: "villa: take",
        Phase.FROM_SHIP: "mayor: take from the ship",
    }.get(Phase(int(view.phase)), "people:")
    return f"{source} a {one}"


def build(view: Any, seat: int, building: int) -> str:
    price = int(building_price(view, seat, building, EMPTY))
    lacking = max(0, price - int(view.doubloons[seat]))
    how = f", {lacking} of it by the black market" if lacking else ""
    return f"builder: build the {BUILDING_NAMES[building]} for {pay(price)}{how} ({many(int(POINTS[building]), 'point')})"


def load(view: Any, seat: int, good: int, ship: int) -> str:
    count, size = int(cargo_size(view, seat, good, ship)), int(SHIP_SIZE[view.players, ship])
    room = f"{view.load[ship] + count} of {size} full"
    left = int(view.goods[seat, good]) - count
    rest = f", {left} left over" if left else ""
    return f"captain: load {count} {GOOD_NAMES[good]} on ship {ship + 1} for {gained(view, seat, count)} (then {room}{rest})"


def keep(view: Any, seat: int, good: int, count: int) -> str:
    held = int(view.goods[seat, good])
    lost = f"lose {held - count}" if held > count else "lose none"
    return f"captain: keep {count} of {held} {GOOD_NAMES[good]}, {lost}"


def place_people(view: Any, seat: int, where: int, count: int) -> str:
    left = int(view.workers[seat, WINDROSE])
    room = int(slots(view, seat, where))
    return f"mayor: {many(count, 'colonist')} on the {PLACE_NAMES[where]} (room for {room}, {left} to place)"


def discard(view: Any, seat: int, good: int, who: int) -> str:
    stands = ("empty", "with a colonist", "with a noble")[who]
    tile = f"an empty {GOOD_NAMES[good]} plantation" if who == 0 else f"{a_or_an(GOOD_NAMES[good])} plantation {stands}"
    gain = f" for {many(LAND_PRICE, 'doubloon')}" if view.phase == Phase.TRADE else ""
    return f"discard {tile}{gain}"


words = wording(
    TABLE,
    {
        Kind.ROLE: role,
        Kind.PASS: skip,
        Kind.TAKE_PLANTATION: lambda v, seat, good: f"settler: take {a_or_an(GOOD_NAMES[good])} plantation",
        Kind.PERSON: person,
        Kind.BUILD: build,
        Kind.SELL: lambda v, seat, good: f"trader: sell {GOOD_NAMES[good]} for {pay(house_price(v, seat, good))}",
        Kind.LOAD: load,
        Kind.WHARF: lambda v, seat, g: f"wharf: ship {v.goods[seat, g]} {GOOD_NAMES[g]} for {gained(v, seat, int(v.goods[seat, g]))}",
        Kind.KEEP: keep,
        Kind.PLACE: place_people,
        Kind.DRAFT: lambda v, seat, b: f"draft: the {BUILDING_NAMES[b]} (cost {COST[b]}, {many(int(POINTS[b]), 'point')})",
        Kind.LAY: lambda v, seat, way: (
            f"settler: lay the drawn {GOOD_NAMES[v.drawn[seat]]} tile as a {'plantation' if way == AS_PLANTATION else 'forest'}"
        ),
        Kind.POST: lambda v, seat, good: f"trading post: sell {GOOD_NAMES[good]} for {pay(post_price(v, seat, good))}",
        Kind.BUY_LAND: lambda v, seat: f"land office: buy a plantation from the stack for {many(LAND_PRICE, 'doubloon')}",
        Kind.DISCARD: discard,
        Kind.SUPPLY: lambda v, seat, good: f"royal supplier: hand in 1 {GOOD_NAMES[good]} for 1 point",
    },
)
