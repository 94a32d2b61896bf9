"""Actions, Cubans and buildings in words for people, and the colours of the goods."""

import re
from collections.abc import Mapping
from typing import Any

from ...core.render.labels import player
from ...core.render.words import Entry, many, wording
from ..actions import ARGUMENTS, BUYING, KIND, LEFT, NO_CUBAN, PESO, POINT, TABLE, Kind
from ..rules.car import drive_price
from ..tables import (
    BUILDING_NAMES,
    CAFE_POINTS,
    CASINO_PESOS,
    CUBAN_NAMES,
    EMPTY,
    FLOWER_OF_CUBAN,
    GOOD_NAMES,
    HIGHEST_VALUE,
    NEWS_PESOS,
    OFFICE_POINTS,
    OWNER_POINTS,
    PORT,
    STOPS,
    WOOD_POINTS,
    Good,
)
from .labels import BUILDING_EFFECTS, CUBAN_EFFECTS, FLOWERS_AND_NONE, decision

COLOURS: dict[str, str] = dict(zip(GOOD_NAMES, ("#f4f4f4", "#4c9a4a", "#c8372d", "#6b5a4e", "#f08a24", "#8a5a33"), strict=True))
PESOS = "peso", "pesos"


def pieces(count: Any, good: int) -> str:
    """`1 cigar`, `2 cigars`, `2 rum`: the other goods have no plural."""
    return many(count, one(good), GOOD_NAMES[good])


def one(good: int) -> str:
    return "cigar" if good == Good.CIGARS else GOOD_NAMES[good]


def drive(view: Any, seat: int, stops: int) -> str:
    stop = (int(view.car) + stops) % STOPS
    if stop == PORT:
        there = f"the port ({many(int(view.value), 'point')} per good)"
    else:
        cuban = int(view.street[stop - 1])
        there = f"{CUBAN_NAMES[cuban]} ({'inactive' if view.inactive[cuban] else CUBAN_EFFECTS[cuban]})"
    passes = (int(view.car) + stops) // STOPS - (stop == PORT)
    past = f" past the port{'' if passes == 1 else f' {passes} times'}" if passes else ""
    price = drive_price(stops)
    return f"car: drive {many(stops, 'stop')}{past} to {there}, {f'pay {many(price, *PESOS)}' if price else 'free'}"


def give(view: Any, seat: int, thing: int) -> str:
    gift = "1 peso" if thing == PESO else "1 point" if thing == POINT else pieces(1, thing)
    return f"El Zorro: give {gift} to player_{view.active}"


def effect(building: int) -> str:
    return f"the {BUILDING_NAMES[building]} ({BUILDING_EFFECTS[building]})"


def enter(view: Any, seat: int, building: int) -> str:
    owner = int(view.owner[building])
    fee = "" if owner in (EMPTY, seat) else f"; its owner {player(owner, None)} gets {many(OWNER_POINTS, 'point')}"
    return f"pawn: enter {'your ' if owner == seat else 'the '}{effect(building)[4:]}{fee}"


def hand_in(view: Any, seat: int, cigars: int, rum: int) -> str:
    goods = " and ".join(pieces(1, good) for good, count in ((Good.CIGARS, cigars), (Good.RUM, rum)) if count)
    return f"café: hand in {goods} for {CAFE_POINTS * (cigars + rum)} points"


def exchange(view: Any, seat: int, way: int, count: int) -> str:
    return f"casino: {'buy' if way == BUYING else 'sell'} {many(count, 'point')} for {count * CASINO_PESOS} pesos"


def move_marker(view: Any, seat: int, way: int) -> str:
    value = int(view.value)
    if way == LEFT:
        return f"harbour authority: lower the value of a good from {value} to {value - 1} points"
    if value == HIGHEST_VALUE:
        return f"harbour authority: raise the value above {HIGHEST_VALUE}, so that the ship leaves"
    return f"harbour authority: raise the value of a good from {value} to {value + 1} points"


def newspaper(view: Any, seat: int, cuban: int) -> str:
    turned = "" if cuban == NO_CUBAN else f" and make {CUBAN_NAMES[cuban]} inactive"
    return f"newspaper: take {many(NEWS_PESOS, *PESOS)}{turned}"


words = wording(
    TABLE,
    {
        Kind.ASIDE: lambda v, seat, good: f"ship: put the {one(good)} die aside (it shows {v.dice[good]})",
        Kind.DRIVE: drive,
        Kind.TAKE: lambda v, seat, good: f"Pablo: take {pieces(1, good)}",
        Kind.GIVE: give,
        Kind.CLAIM: lambda v, seat, b: f"Alonso: claim {effect(b)}",
        Kind.USE_OWN: lambda v, seat, b: f"Alonso: use your {effect(b)[4:]}",
        Kind.NO_ALONSO: lambda v, seat: "Alonso: do nothing",
        Kind.ENTER: enter,
        Kind.DISTILLERY: lambda v, seat, count: f"distillery: turn {count} sugar into {count} rum",
        Kind.CIGAR_FACTORY: lambda v, seat, count: f"cigar factory: turn {count} tobacco into {pieces(count, Good.CIGARS)}",
        Kind.BLACK_MARKET: lambda v, seat, given, taken: f"black market: swap {pieces(1, given)} for {pieces(1, taken)}",
        Kind.CAFE: hand_in,
        Kind.CUSTOMS_OFFICE: lambda v, seat, good: f"customs office: turn the {one(good)} die from {v.demand[good]} to 0",
        Kind.CASINO: exchange,
        Kind.HARBOUR_AUTHORITY: move_marker,
        Kind.CONTRACTORS_OFFICE: lambda v, seat, good: f"contractor's office: deliver {pieces(1, good)} for {OFFICE_POINTS} points",
        Kind.NEWSPAPER: newspaper,
        Kind.NO_USE: lambda v, seat: f"building: do not use the {BUILDING_NAMES[v.building]}",
        Kind.DELIVER: lambda v, seat, good, n: f"port: deliver {pieces(n, good)} for {many(n * int(v.value), 'point')}",
        Kind.WOOD: lambda v, seat, good, n: f"port: deliver {n} wood as {pieces(n, good)} for {many(n * WOOD_POINTS, 'point')}",
        Kind.PASS: lambda v, seat: "port: pass, out of this delivery round",
    },
)


def logged(action: int) -> str:
    """The names of actions are fixed, and some have a wrong plural."""
    return re.sub(r"\b1 cigars\b", "1 cigar", TABLE.names[action].replace("for 0 pesos", "for free"))


BUILDINGS = (
    "Take 2 pesos.",  # SC-B-BANK
    "Take 1 point.",  # SC-B-CHURCH
    "Turn any number of sugar into as many rum.",  # SC-B-DISTILLERY
    "Turn any number of tobacco into as many cigars.",  # SC-B-CIGAR
    "Swap 1 good for another of the supply; no wood.",  # SC-B-MARKET
    "Turn 1 wood into 1 point and 1 peso.",  # SC-B-SAWMILL
    "Hand in 1 cigar and 1 rum, or one of them, for 2 points each.",  # SC-B-CAFE
    "Turn a die of the ship to 0.",  # SC-B-CUSTOMS
    "Buy points for 3 pesos each, or sell them for as much.",  # SC-B-CASINO
    "Move the value marker by one flag. Beyond 4 the ship leaves.",  # SC-B-AUTHORITY
    "Deliver 1 demanded good for 2 points.",  # SC-B-OFFICE
    "Take 1 peso, and turn over a Cuban, who then gives nothing.",  # SC-B-NEWS
)
CUBANS = (
    "Take 2 tobacco.",  # SC-CUB-1
    "Take 2 wood.",  # SC-CUB-1
    "Take 2 sugar.",  # SC-CUB-1
    "Take 1 good of your choice, but not wood.",  # SC-CUB-3
    "Take 2 points.",  # SC-CUB-1
    "Each other player gives you 1 peso, 1 good or 1 point.",  # SC-CUB-4
    "Take 3 pesos.",  # SC-CUB-1
    "Take 2 fruit.",  # SC-CUB-1
    "Put your marker on a building that nobody owns, or use one of yours.",  # SC-CUB-6
)


question = decision


def detail(view: Any, seat: int, action: int) -> str:
    return BUILDINGS[int(ARGUMENTS[action, 0])] if KIND[action] in (Kind.ENTER, Kind.CLAIM, Kind.USE_OWN) else ""


def guide(options: Mapping[str, Any]) -> list[Entry]:
    buildings = [Entry(name.capitalize(), BUILDINGS[at], (f"building:{at}",)) for at, name in enumerate(BUILDING_NAMES)]
    cubans = [Entry(name, f"{CUBANS[at]} Flower: {FLOWERS_AND_NONE[FLOWER_OF_CUBAN[at]]}.") for at, name in enumerate(CUBAN_NAMES)]
    return cubans + buildings


assert len(BUILDINGS) == len(BUILDING_EFFECTS) and len(CUBANS) == len(CUBAN_EFFECTS)


GLOSSARY = {entry.title: entry.text for entry in guide({})}
