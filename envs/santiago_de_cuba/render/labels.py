"""Labels that the text board and the SVG share."""

from typing import Any, NamedTuple

from ...core.render import labels
from ...core.render.labels import is_over, listed, player
from ...core.spec.fields import Status
from ..rules.scoring import goods_left, score
from ..state import Exchange, Phase
from ..tables import (
    BANK_PESOS,
    BUILDING_NAMES,
    CAFE_POINTS,
    CASINO_PESOS,
    CHURCH_POINTS,
    CUBAN_GOODS,
    CUBAN_NAMES,
    DEMANDED_GOODS,
    EMPTY,
    FLOWER_NAMES,
    FLOWER_OF_CUBAN,
    MARIA_POINTS,
    MARTINEZ_PESOS,
    NEWS_PESOS,
    OFFICE_POINTS,
    SHIPS,
    STOPS,
)

CUBAN_EFFECTS = (
    f"{CUBAN_GOODS} tobacco",  # SC-CUB-1: Pedro
    f"{CUBAN_GOODS} wood",  # SC-CUB-1: Miguel
    f"{CUBAN_GOODS} sugar",  # SC-CUB-1: José
    "any 1 good",  # SC-CUB-3: Pablo
    f"{MARIA_POINTS} points",  # SC-CUB-1: Maria
    "each gives 1",  # SC-CUB-4: El Zorro
    f"{MARTINEZ_PESOS} pesos",  # SC-CUB-1: Martinez
    f"{CUBAN_GOODS} fruit",  # SC-CUB-1: Conchita
    "claim or use",  # SC-CUB-6: Alonso
)
BUILDING_EFFECTS = (
    f"{BANK_PESOS} pesos",  # SC-B-BANK
    f"{CHURCH_POINTS} point",  # SC-B-CHURCH
    "sugar into rum",  # SC-B-DISTILLERY
    "tobacco into cigars",  # SC-B-CIGAR
    "swap 1 good",  # SC-B-MARKET
    "wood: point + peso",  # SC-B-SAWMILL
    f"cigar/rum: {CAFE_POINTS} points",  # SC-B-CAFE
    "turn a die to 0",  # SC-B-CUSTOMS
    f"{CASINO_PESOS} pesos = 1 point",  # SC-B-CASINO
    "move value marker",  # SC-B-AUTHORITY
    f"deliver 1: {OFFICE_POINTS} points",  # SC-B-OFFICE
    f"{NEWS_PESOS} peso, turn Cuban",  # SC-B-NEWS
)
FLOWERS_AND_NONE = (*FLOWER_NAMES, "transparent")


class Standing(NamedTuple):
    """One row of the final table: the rank, and the parts of the final score."""

    seat: int
    rank: int
    points: int
    goods: int
    pesos: int
    final: int


def is_rolled(view: Any) -> bool:
    """The five dice lie on the table, and one is to be put aside."""
    return not is_over(view) and view.phase == Phase.DICE


def is_delivering(view: Any) -> bool:
    return not is_over(view) and view.phase == Phase.PORT


def stops_ahead(view: Any, stop: int) -> int:
    """How far the car would drive to this stop."""
    return (stop - int(view.car)) % STOPS


def pawn_in(view: Any, building: int) -> int:
    """The seat whose pawn stands in a building; SC-BLD-1 lets in one."""
    for seat in range(view.players):
        if view.pawn[seat] == building:
            return seat
    return EMPTY


def die(view: Any, good: int) -> str:
    """What one good's die shows: on the table when rolled, on the ship after that."""
    if is_rolled(view):
        return str(view.dice[good])
    if not view.in_port:
        return "-"
    return "aside" if good == view.aside else str(view.demand[good])


def turn(view: Any) -> str:
    if view.status == Status.TRUNCATED:
        return f"after {view.turn} turns"
    return "before turn 1" if view.turn < 0 else f"turn {view.turn + 1}: player_{view.active}"


def ship(view: Any) -> str:
    if view.ship > SHIPS:
        return f"All {SHIPS} ships have left"
    return f"Ship {view.ship} of {SHIPS} " + ("is in port" if view.in_port else "is not in port yet")


def marks(view: Any, seat: int, viewer: int | None) -> list[str]:
    """What is said of a player beside the holdings."""
    said = ["you"] if seat == viewer else []
    if is_over(view):
        return said
    if seat == view.active:
        said.append("turn")
    if seat == view.seat:
        said.append("decides")
    if is_delivering(view) and view.passed[seat]:
        said.append("passed")
    return said


def decision(view: Any, viewer: int | None) -> str:
    """Who decides now, and what."""
    who = player(view.seat, viewer)
    phase = view.phase
    if phase == Phase.DICE:
        return f"{who} has rolled for ship {view.ship} and puts one of the {DEMANDED_GOODS} dice aside."
    if phase == Phase.CAR:
        return f"{who} drives the car: the first stop is free, each further stop costs 1 peso."
    if phase == Phase.PABLO:
        return f"{who} takes 1 good from Pablo, but not wood."
    if phase == Phase.EL_ZORRO:
        return f"{who} gives {player(view.active, viewer)} 1 peso, 1 good (not wood) or 1 point, for El Zorro."
    if phase == Phase.ALONSO:
        return f"{who} may claim a building or use an own one, with Alonso."
    if phase == Phase.PAWN:
        cuban = view.street[view.car - 1]
        return f"{who} enters a building of the {FLOWERS_AND_NONE[FLOWER_OF_CUBAN[cuban]]} flower, after {CUBAN_NAMES[cuban]}."
    if phase == Phase.BUILDING:
        return f"{who} {building_in_use(view)}."
    passed = [player(seat, viewer) for seat in range(view.players) if view.passed[seat]]
    return f"{who} delivers one good or passes. Passed in this round: {listed(passed) or 'nobody'}."


def building_in_use(view: Any) -> str:
    name = BUILDING_NAMES[view.building]
    if view.exchange == Exchange.BUYING:
        return f"may go on buying points in the {name}"
    if view.exchange == Exchange.SELLING:
        return f"may go on selling points in the {name}"
    if view.by_alonso:
        return f"uses their own {name}, with Alonso"
    return f"may use the {name}"


def standings(view: Any) -> list[Standing]:
    """A finished game's players, the best first (SC-END-2)."""
    return [
        Standing(seat, rank, int(view.points[seat]), int(goods_left(view, seat)), int(view.pesos[seat]), final)
        for seat, rank, final in labels.ranked(view, score)
    ]


def outcome(view: Any, viewer: int | None) -> str:
    """How a finished game ended (SC-STALL-1, SC-END-1)."""
    return f"{labels.outcome(view, standings(view), viewer)}."
