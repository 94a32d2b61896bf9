"""The end of the game."""

from .catalogue import LARGE_PRODUCTION, POINTS, SMALL_PRODUCTION
from .table import Table


def final_points(t: Table, seat: int) -> int:
    me = t.players[seat]
    points = me.chips + me.noted + sum(POINTS[name] for name in me.city) + me.nobles
    production = [*SMALL_PRODUCTION, *LARGE_PRODUCTION]
    if me.works("guild hall"):
        points += sum(1 if name in SMALL_PRODUCTION else 2 for name in me.city if name in production)
    if me.works("residence"):
        points += max(4, len(me.island) - 5)
    if me.works("fortress"):
        points += len(me.people) // 3
    if me.works("customs house"):
        points += (me.chips + me.noted) // 4
    if me.works("city hall"):
        points += sum(name not in production for name in me.city)
    if me.works("cloister"):
        groups = ["forest" if tile.is_forest else tile.kind for tile in me.island]
        points += [0, 1, 3, 6, 10][sum(groups.count(group) // 3 for group in set(groups))]
    if me.works("royal garden"):
        points += me.nobles
    return points


def ranks(t: Table) -> list[int]:
    keys = [(final_points(t, seat), me.doubloons + sum(me.goods.values())) for seat, me in enumerate(t.players)]
    return [1 + sum(other > key for other in keys) for key in keys]
