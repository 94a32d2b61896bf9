"""Actions, roles and buildings in words for people, and the colours of the goods."""

from collections.abc import Mapping
from typing import Any

from ...core.render.words import Entry, many, wording
from ..actions import ARGUMENTS, AS_PLANTATION, COLONIST, KIND, TABLE, Kind, a_or_an
from ..rules.builder import building_price
from ..rules.captain import cargo_size, loading_points
from ..rules.common import slots
from ..rules.trader import house_price, post_price
from ..state import Phase
from ..tables import (
    BUILDING_NAMES,
    COLUMN,
    COST,
    EMPTY,
    GOOD_NAMES,
    IS_LARGE,
    LAND_PRICE,
    PLACE_NAMES,
    POINTS,
    ROLE_NAMES,
    SHIP_SIZE,
    SLOTS,
    WINDROSE,
    Building,
)
from .labels import decision

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


ROLES = (
    "Every player takes a plantation tile; who takes the role may take a quarry instead.",  # PR-SETTLER-1
    "Colonists from the ship are shared out and placed; who takes the role gets 1 more from the supply.",  # PR-MAYOR-1
    "Every player may build one building; who takes the role pays 1 doubloon less.",  # PR-BUILDER-1
    "All occupied plantations and plants produce goods; who takes the role gets 1 good more.",  # PR-CRAFTSMAN-1
    "Every player may sell one good to the trading house; who takes the role gets 1 doubloon more.",  # PR-TRADER-1
    "All load goods on the ships for 1 point each, as long as they can; who takes the role gets 1 point more.",  # PR-CAPTAIN-1
    "Who takes the role gets 1 doubloon.",  # PR-PROSPECTOR-1
    "Who takes the role gets 1 doubloon.",  # PR-PROSPECTOR-1
)
PLANT = "Turns {good} of occupied plantations into goods, one for each colonist here."  # PR-CRAFTSMAN-1
EFFECTS = {
    Building.SMALL_INDIGO_PLANT: PLANT.format(good="indigo"),
    Building.SMALL_SUGAR_MILL: PLANT.format(good="sugar"),
    Building.INDIGO_PLANT: PLANT.format(good="indigo"),
    Building.SUGAR_MILL: PLANT.format(good="sugar"),
    Building.TOBACCO_STORAGE: PLANT.format(good="tobacco"),
    Building.COFFEE_ROASTER: PLANT.format(good="coffee"),
    Building.SMALL_MARKET: "Trader: 1 doubloon more for a sale.",  # PR-B-SMALL-MARKET
    Building.HACIENDA: "Settler: first draw a plantation from the face-down stack, besides your choice.",  # PR-B-HACIENDA
    Building.CONSTRUCTION_HUT: "Settler: you may take a quarry instead of a plantation.",  # PR-B-HUT
    Building.SMALL_WAREHOUSE: "Captain: you keep 1 kind of goods.",  # PR-B-SMALL-WAREHOUSE
    Building.HOSPICE: "Settler: the tile that you take comes with a colonist.",  # PR-B-HOSPICE
    Building.OFFICE: "Trader: you may sell a kind that the trading house has already.",  # PR-B-OFFICE
    Building.LARGE_MARKET: "Trader: 2 doubloons more for a sale.",  # PR-B-LARGE-MARKET
    Building.LARGE_WAREHOUSE: "Captain: you keep 2 kinds of goods.",  # PR-B-LARGE-WAREHOUSE
    Building.FACTORY: "Craftsman: 0, 1, 2, 3 or 5 doubloons for 1 to 5 kinds that you produce.",  # PR-B-FACTORY
    Building.UNIVERSITY: "Builder: a new building comes with a colonist.",  # PR-B-UNIVERSITY
    Building.HARBOUR: "Captain: 1 point more for each loading.",  # PR-B-HARBOUR
    Building.WHARF: "Captain: once a phase ship all goods of one kind by a ship of your own.",  # PR-B-WHARF
    Building.GUILD_HALL: "At the end: 1 point for each small and 2 for each large production building of yours.",  # PR-B-GUILD-HALL
    Building.RESIDENCE: "At the end: 4, 5, 6 or 7 points for up to 9, 10, 11 or 12 island tiles.",  # PR-B-RESIDENCE
    Building.FORTRESS: "At the end: 1 point for every 3 colonists of yours.",  # PR-B-FORTRESS
    Building.CUSTOMS_HOUSE: "At the end: 1 point for every 4 points of chips.",  # PR-B-CUSTOMS-HOUSE
    Building.CITY_HALL: "At the end: 1 point for each violet building of yours.",  # PR-B-CITY-HALL
    Building.AQUEDUCT: "Craftsman: 1 more indigo and 1 more sugar, if your large plants make any.",  # PR-NB-AQUEDUCT
    Building.FOREST_HOUSE: "Settler: you may lay a tile as a forest; every 2 take 1 doubloon off any building.",  # PR-NB-FOREST-HOUSE
    Building.BLACK_MARKET: "Builder: hand in a colonist, a good or a point for 1 doubloon each that you lack.",  # PR-NB-BLACK-MARKET
    Building.STOREHOUSE: "Captain: you keep 3 goods of any kinds besides.",  # PR-NB-STOREHOUSE
    Building.GUEST_HOUSE: "Its 2 guests may be sent to empty places at any time and work there at once.",  # PR-NB-GUEST-HOUSE
    Building.TRADING_POST: "Trader: you may sell any good here instead of to the trading house.",  # PR-NB-TRADING-POST
    Building.CHURCH: "Builder: 1 point for a building of column 2 or 3, 2 points for one of column 4.",  # PR-NB-CHURCH
    Building.SMALL_WHARF: "Captain: once a phase ship any goods of yours, 1 point for every 2.",  # PR-NB-SMALL-WHARF
    Building.LIGHTHOUSE: "Captain: 1 doubloon for each loading, and 1 for being captain.",  # PR-NB-LIGHTHOUSE
    Building.SPECIALTY_FACTORY: "Craftsman: 1 doubloon for each good but one of your largest production.",  # PR-NB-SPECIALTY-FACTORY
    Building.LIBRARY: "Doubles the privilege of the role that you take.",  # PR-NB-LIBRARY
    Building.UNION_HALL: "Captain: before you load, 1 point for every 2 goods of the same kind.",  # PR-NB-UNION-HALL
    Building.STATUE: "8 points, nothing else.",  # PR-NB-STATUE
    Building.CLOISTER: "At the end: 1, 3, 6 or 10 points for 1 to 4 sets of 3 like island tiles.",  # PR-NB-CLOISTER
    Building.LAND_OFFICE: "Trader: a colonist buys a plantation for 1 doubloon, a noble sells one for 1.",  # PR-NO-LAND-OFFICE
    Building.CHAPEL: "Craftsman: 1 doubloon with a colonist, 1 point with a noble.",  # PR-NO-CHAPEL
    Building.HUNTING_LODGE: "Settler: a colonist may discard a tile; a noble: 2 points on the emptiest island.",  # PR-NO-HUNTING-LODGE
    Building.ZONING_OFFICE: "Builder: small buildings cost 1 less with a colonist, large ones 2 less with a noble.",  # PR-NO-ZONING-OFFICE
    Building.ROYAL_SUPPLIER: "Captain: hand in different goods, one for each noble, for 1 point each.",  # PR-NO-ROYAL-SUPPLIER
    Building.VILLA: "Mayor: 1 noble from the supply.",  # PR-NO-VILLA
    Building.JEWELLER: "Craftsman: 1 doubloon for each noble of yours.",  # PR-NO-JEWELLER
    Building.ROYAL_GARDEN: "At the end: 1 point for each noble of yours.",  # PR-NO-ROYAL-GARDEN
}


question = decision


def detail(view: Any, seat: int, action: int) -> str:
    kind, first = KIND[action], int(ARGUMENTS[action, 0])
    if kind == Kind.ROLE:
        return ROLES[first]
    return EFFECTS[Building(first)] if kind in (Kind.BUILD, Kind.DRAFT) else ""


def guide(options: Mapping[str, Any]) -> list[Entry]:
    roles = [Entry(name.capitalize(), ROLES[role], (f"role:{role}",)) for role, name in enumerate(ROLE_NAMES)]
    buildings = []
    for building, name in enumerate(BUILDING_NAMES):
        is_new, is_nobles = Building.AQUEDUCT <= building <= Building.CLOISTER, building >= Building.LAND_OFFICE
        if (is_new and not options["new_buildings"]) or (is_nobles and not options["nobles"]):
            continue
        printed = f"Costs {COST[building]}, {many(int(POINTS[building]), 'point')}, quarries take off up to {COLUMN[building]}"
        places = f", {SLOTS[building]} places for colonists" if SLOTS[building] > 1 else ""
        large = ", takes 2 town spaces" if IS_LARGE[building] else ""
        where = (f"market:{building}", f"player:building:{building}")
        buildings.append(Entry(name.capitalize(), f"{EFFECTS[Building(building)]} {printed}{places}{large}.", where))
    return roles + buildings


GLOSSARY = {entry.title: entry.text for entry in guide({"new_buildings": True, "nobles": True})}
