"""Where the points of a finished game come from."""

from typing import Any

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

PRINTED, PRODUCES, VIOLET = POINTS.tolist(), IS_PRODUCTION.tolist(), IS_VIOLET.astype(int).tolist()
NAMES = {building: building.name.lower() for building in Building}
SMALL_PLANTS = (Building.SMALL_INDIGO_PLANT, Building.SMALL_SUGAR_MILL)


def breakdown(record: Any) -> list[dict[str, int]]:
    """The sources of each seat's final score (PR-END-2): chips, buildings, the bonus of each large building, nobles; they add up to it."""
    return [_of_seat(record, seat) for seat in range(int(record["players"]))]


def _of_seat(record: Any, seat: int) -> dict[str, int]:
    # Lists: vectors ask at the end of every game, and numpy takes longer for so few numbers.
    built = [building for building, is_there in enumerate(record["built"][seat].tolist()[:BUILDINGS]) if is_there]
    workers = record["workers"][seat].tolist()
    chips = int(record["chips"][seat]) + int(record["noted"][seat])
    nobles = sum(record["nobles_at"][seat].tolist()) if record["nobles"] else 0
    plants = [building for building in built if PRODUCES[building]]
    sets = sum(count // CLOISTER_SET for count in record["tiles"][seat].tolist())
    bonuses = {
        Building.GUILD_HALL: sum(SMALL_PLANT_POINTS if plant in SMALL_PLANTS else LARGE_PLANT_POINTS for plant in plants),
        Building.RESIDENCE: int(RESIDENCE_POINTS[int(record["island"][seat])]),
        Building.FORTRESS: sum(workers) // FORTRESS_COLONISTS,
        Building.CUSTOMS_HOUSE: chips // CUSTOMS_POINTS,
        Building.CITY_HALL: sum(VIOLET[building] for building in built),
        Building.CLOISTER: int(CLOISTER_POINTS[min(sets, len(CLOISTER_POINTS) - 1)]),
        Building.ROYAL_GARDEN: nobles,
    }
    printed = sum(PRINTED[building] for building in built)
    earned = {NAMES[building]: points if workers[building] > 0 else 0 for building, points in bonuses.items()}
    return {"chips": chips, "buildings": printed, **earned, "nobles": nobles}
