"""The end of the game: bonuses of the large buildings and the final score (PR-END-2)."""

from ...core.engine.kernel import kernel
from ...core.spec.ranking import rank_seats
from ..tables import (
    BUILDINGS,
    CLOISTER_POINTS,
    CLOISTER_SET,
    CUSTOMS_POINTS,
    FORTRESS_COLONISTS,
    GOODS,
    IS_PRODUCTION,
    IS_VIOLET,
    LARGE_PLANT_POINTS,
    PLACES,
    POINTS,
    RESIDENCE_POINTS,
    SMALL_PLANT_POINTS,
    TILES,
    Building,
)
from .common import all_nobles, is_working


@kernel
def chip_points(s, seat):
    """Chips, and the points noted down after they had run out (PR-END-1)."""
    return int(s.chips[seat]) + int(s.noted[seat])


@kernel
def printed_points(s, seat):  # PR-END-2
    points = 0
    for building in range(BUILDINGS):
        if s.built[seat, building]:
            points += POINTS[building]
    return points


@kernel
def guild_points(s, seat):  # PR-B-GUILD-HALL
    points = 0
    for building in range(BUILDINGS):
        if IS_PRODUCTION[building] and s.built[seat, building]:
            is_small = building == Building.SMALL_INDIGO_PLANT or building == Building.SMALL_SUGAR_MILL
            points += SMALL_PLANT_POINTS if is_small else LARGE_PLANT_POINTS
    return points


@kernel
def fortress_points(s, seat):  # PR-B-FORTRESS
    people = 0
    for place in range(PLACES):
        people += s.workers[seat, place]
    return people // FORTRESS_COLONISTS


@kernel
def city_hall_points(s, seat):  # PR-B-CITY-HALL
    count = 0
    for building in range(BUILDINGS):
        if IS_VIOLET[building] and s.built[seat, building]:
            count += 1
    return count


@kernel
def cloister_points(s, seat):  # PR-NB-CLOISTER
    sets = 0
    for tile in range(TILES):
        sets += s.tiles[seat, tile] // CLOISTER_SET
    return CLOISTER_POINTS[sets]


@kernel
def bonus_points(s, seat):  # PR-END-2
    """Of occupied large buildings."""
    points = 0
    if is_working(s, seat, Building.GUILD_HALL):
        points += guild_points(s, seat)
    if is_working(s, seat, Building.RESIDENCE):  # PR-B-RESIDENCE
        points += RESIDENCE_POINTS[s.island[seat]]
    if is_working(s, seat, Building.FORTRESS):
        points += fortress_points(s, seat)
    if is_working(s, seat, Building.CUSTOMS_HOUSE):  # PR-B-CUSTOMS-HOUSE
        points += chip_points(s, seat) // CUSTOMS_POINTS
    if is_working(s, seat, Building.CITY_HALL):
        points += city_hall_points(s, seat)
    if is_working(s, seat, Building.CLOISTER):
        points += cloister_points(s, seat)
    if is_working(s, seat, Building.ROYAL_GARDEN):  # PR-NO-ROYAL-GARDEN
        points += all_nobles(s, seat)
    return points


@kernel
def final_points(s, seat):  # PR-END-2, PR-NO-2
    return chip_points(s, seat) + printed_points(s, seat) + bonus_points(s, seat) + all_nobles(s, seat)


@kernel
def tie_break(s, seat):  # PR-END-2
    """Doubloons and goods."""
    wealth = int(s.doubloons[seat])
    for good in range(GOODS):
        wealth += int(s.goods[seat, good])
    return wealth


@kernel
def score(s, out):
    rank_seats(s, final_points, tie_break, out)
