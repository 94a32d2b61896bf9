"""The trader."""

from .catalogue import PRICE
from .guests import ask
from .steps import discard, lay_drawn, plantation_discards
from .table import Player, Step, Table


def trader(t: Table) -> Step:
    for seat in t.from_(t.active):
        me = t.players[seat]
        done: set[str] = set()

        def options(seat: int = seat, me: Player = me, done: set[str] = done) -> list[str]:
            names = ["pass"]
            if "sale" not in done:
                if len(t.house) < 4:
                    names += [f"trader: sell {good}" for good in me.held if good not in t.house or me.works("office")]
                if me.works("trading post"):
                    names += [f"trading post: sell {good}" for good in me.held]
            if "land" not in done:
                if me.by_colonist("land office") and me.doubloons and me.room and (t.stack or t.discards):
                    names.append("land office: buy a plantation")
                if me.by_noble("land office"):
                    names += plantation_discards(me)
            return names

        def matter(me: Player = me) -> list[str]:
            return ["office", "trading post", "land office"] if me.held or t.with_nobles else []

        while True:
            chosen = yield from ask(t, seat, options, matter)
            if chosen == "pass":
                break
            if chosen == "land office: buy a plantation":
                done.add("land")
                me.doubloons -= 1
                yield from lay_drawn(t, seat)
            elif chosen.startswith("discard"):
                done.add("land")
                me.doubloons += 1
                discard(t, seat, chosen)
            else:
                done.add("sale")
                good = chosen.split()[-1]
                me.goods[good] -= 1
                me.doubloons += PRICE[good] + t.privileges(seat)
                if chosen.startswith("trading post"):
                    t.supply[good] += 1
                else:
                    t.house.append(good)
                    me.doubloons += me.works("small market") + 2 * me.works("large market")
    if len(t.house) == 4:
        for good in t.house:
            t.supply[good] += 1
        t.house = []
