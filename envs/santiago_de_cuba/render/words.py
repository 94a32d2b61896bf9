"""What Cubans and buildings do, in words for people."""

from collections.abc import Mapping
from typing import Any

from ...core.render.words import Entry
from ..actions import ARGUMENTS, KIND, Kind
from ..tables import BUILDING_NAMES, CUBAN_NAMES, FLOWER_OF_CUBAN
from .choices import COLOURS, words
from .labels import BUILDING_EFFECTS, CUBAN_EFFECTS, FLOWERS_AND_NONE, decision

__all__ = ["COLOURS", "GLOSSARY", "detail", "guide", "question", "words"]

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


def question(view: Any, seat: int) -> str:
    return decision(view, seat)


def detail(view: Any, seat: int, action: int) -> str:
    return BUILDINGS[int(ARGUMENTS[action, 0])] if KIND[action] in (Kind.ENTER, Kind.CLAIM, Kind.USE_OWN) else ""


def guide(options: Mapping[str, Any]) -> list[Entry]:
    buildings = [Entry(name.capitalize(), BUILDINGS[at], (f"building:{at}",)) for at, name in enumerate(BUILDING_NAMES)]
    cubans = [Entry(name, f"{CUBANS[at]} Flower: {FLOWERS_AND_NONE[FLOWER_OF_CUBAN[at]]}.") for at, name in enumerate(CUBAN_NAMES)]
    return cubans + buildings


assert len(BUILDINGS) == len(BUILDING_EFFECTS) and len(CUBANS) == len(CUBAN_EFFECTS)


GLOSSARY = {entry.title: entry.text for entry in guide({})}
