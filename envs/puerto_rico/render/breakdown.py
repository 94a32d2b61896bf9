"""Where the points of a finished game come from."""

from typing import Any

import numpy as np

from ..tables import (
    BUILDINGS,
    CLOISTER_POINTS,
    CLOISTER_SET,
    CUSTOMS_POINTS,
    FORTRESS_COLONISTS,
    IS_PRODUCTION,
    IS_VIOLET,
    LARGE_PLANT_POINTS,
    POINTS,
    RESIDENCE_POINTS,
    SMALL_PLANT_POINTS,
    Building,
)

SMALL_PLANTS = (Building.SMALL_INDIGO_PLANT, Building.SMALL_SUGAR_MILL)


def breakdown(record: Any) -> list[dict[str, int]]:
    """The sources of each seat's final score (PR-END-2): chips, buildings, the bonus of each large building, nobles; they add up to it."""
    return [_of_seat(record, seat) for seat in range(int(record["players"]))]


def _of_seat(record: Any, seat: int) -> dict[str, int]:
    built = np.asarray(record["built"][seat], bool)[:BUILDINGS]
    workers = np.asarray(record["workers"][seat], int)
    chips = int(record["chips"][seat]) + int(record["noted"][seat])
    nobles = int(np.asarray(record["nobles_at"][seat], int).sum()) if record["nobles"] else 0
    plants = [building for building in np.flatnonzero(built) if IS_PRODUCTION[building]]
    sets = int((np.asarray(record["tiles"][seat], int) // CLOISTER_SET).sum())
    bonuses = {
        Building.GUILD_HALL: sum(SMALL_PLANT_POINTS if plant in SMALL_PLANTS else LARGE_PLANT_POINTS for plant in plants),
        Building.RESIDENCE: int(RESIDENCE_POINTS[int(record["island"][seat])]),
        Building.FORTRESS: int(workers.sum()) // FORTRESS_COLONISTS,
        Building.CUSTOMS_HOUSE: chips // CUSTOMS_POINTS,
        Building.CITY_HALL: sum(bool(IS_VIOLET[building]) for building in np.flatnonzero(built)),
        Building.CLOISTER: int(CLOISTER_POINTS[min(sets, len(CLOISTER_POINTS) - 1)]),
        Building.ROYAL_GARDEN: nobles,
    }
    printed = sum(int(POINTS[building]) for building in np.flatnonzero(built))
    earned = {building.name.lower(): points if workers[building] > 0 else 0 for building, points in bonuses.items()}
    return {"chips": chips, "buildings": printed, **earned, "nobles": nobles}
