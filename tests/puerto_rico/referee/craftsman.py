"""The craftsman."""

from .catalogue import GOODS, LARGE_PRODUCTION, PLANTS, SMALL_PRODUCTION
from .guests import ask, call_guests
from .table import GROUPS, Step, Table


def craftsman(t: Table) -> Step:
    own: list[str] = []
    useful = [*SMALL_PRODUCTION, *LARGE_PRODUCTION, "aqueduct", "factory", "specialty factory", "chapel", *GROUPS[:5]]
    for seat in t.from_(t.active):
        yield from call_guests(t, seat, useful)
        kinds = produce(t, seat)
        if seat == t.active:
            own = kinds
    me = t.players[t.active]
    used = 0
    first = 0

    def options() -> list[str]:
        names = ["pass"]
        if used < t.privileges(t.active):
            names += [f"craftsman: take 1 more {good}" for good in own if t.supply[good] and GOODS.index(good) >= first]
        return names

    while any(name != "pass" for name in options()):
        chosen = yield from ask(t, t.active, options)
        if chosen == "pass":
            return
        good = chosen.split()[-1]
        t.supply[good] -= 1
        me.goods[good] += 1
        used += 1
        first = GOODS.index(good)


def produce(t: Table, seat: int) -> list[str]:
    me = t.players[seat]
    made: dict[str, int] = {}
    for good in GOODS:
        fields = len(me.at(f"{good} plantations"))
        hands = fields if good == "corn" else sum(len(me.at(plant)) for plant in PLANTS[good])
        made[good] = min(fields, hands, t.supply[good])
        t.supply[good] -= made[good]
        me.goods[good] += made[good]
        in_the_large = min(made[good], len(me.at(PLANTS[good][0]))) if good in ("indigo", "sugar") else 0
        if in_the_large and me.works("aqueduct") and t.supply[good]:
            t.supply[good] -= 1
            me.goods[good] += 1
    kinds = [good for good in GOODS if made[good]]
    if me.works("factory"):
        me.doubloons += [0, 0, 1, 2, 3, 5][len(kinds)]
    if me.works("specialty factory"):
        me.doubloons += max(0, max(made[good] for good in GOODS[1:]) - 1)
    if me.by_colonist("chapel"):
        me.doubloons += 1
    if me.by_noble("chapel"):
        t.give_points(seat, 1)
    if me.works("jeweller"):
        me.doubloons += me.nobles
    return kinds
