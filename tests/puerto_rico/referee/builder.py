"""The builder."""

from .catalogue import COLONIST, COLUMN, COST, LARGE, NAMES, NOBLE, SLOTS
from .guests import anywhere, ask
from .steps import new_colonist
from .table import Player, Step, Table, choose


def price(t: Table, seat: int, building: str) -> int:
    me = t.players[seat]
    quarries = len(me.at("quarries"))
    cost = COST[building] - min(quarries, COLUMN[building]) - t.privileges(seat) - len(me.forests) // 2
    if me.by_colonist("zoning office") and COLUMN[building] <= 3:
        cost -= 1
    if me.by_noble("zoning office") and COLUMN[building] == 4:
        cost -= 2
    return max(cost, 0)


Payment = tuple[tuple[str, str] | None, str | None, bool]  # who from where, a good, a point


def payments(t: Table, seat: int, building: str) -> list[Payment]:
    """Every way to cover exactly what is lacking by the black market."""
    me = t.players[seat]
    if not me.works("black market"):
        return []
    people: list[tuple[str, str] | None] = [None]
    for place in [*anywhere(), "windrose"]:
        if place != "black market":
            people += [(place, who) for who in sorted(set(me.at(place)))]
    found = []
    for person in people:
        if person:
            me.remove(*person)
        lacking = price(t, seat, building) - me.doubloons
        if person:
            me.add(*person)
        for good in [None, *me.held]:
            for point in [False, True] if me.chips + me.noted else [False]:
                if lacking > 0 and (person is not None) + (good is not None) + point == lacking:
                    found.append((person, good, point))
    return found


def builder(t: Table) -> Step:
    for seat in t.from_(t.active):
        me = t.players[seat]

        def options(seat: int = seat, me: Player = me) -> list[str]:
            names = ["pass"]
            for name in NAMES:
                if t.board.get(name, 0) == 0 or name in me.city or me.city_room < (2 if name in LARGE else 1):
                    continue
                if price(t, seat, name) <= me.doubloons or payments(t, seat, name):
                    names.append(f"builder: build the {name}")
            return names

        def matter(seat: int = seat) -> list[str]:
            return ["quarries", "zoning office", "black market", *(["library"] if seat == t.active else [])]

        chosen = yield from ask(t, seat, options, matter)
        if chosen != "pass":
            yield from build(t, seat, chosen.removeprefix("builder: build the "))


def build(t: Table, seat: int, building: str) -> Step:
    me = t.players[seat]
    if price(t, seat, building) > me.doubloons:
        yield from pay_on_black_market(t, seat, building)
    else:
        me.doubloons -= price(t, seat, building)
    t.board[building] -= 1
    me.city[building] = []
    if me.city_room == 0:
        t.is_last = True
    if me.works("university") and SLOTS[building]:
        yield from new_colonist(t, seat, building)
    if me.works("church") and building != "church":
        t.give_points(seat, {1: 0, 2: 1, 3: 1, 4: 2}[COLUMN[building]])


def pay_on_black_market(t: Table, seat: int, building: str) -> Step:
    me = t.players[seat]
    ways = payments(t, seat, building)
    places = {way[0][0] if way[0] else None for way in ways}
    chosen = yield from choose(seat, ["pass" if place is None else f"black market: hand in a colonist of the {place}" for place in places])
    place = None if chosen == "pass" else chosen.removeprefix("black market: hand in a colonist of the ")
    ways = [way for way in ways if (way[0][0] if way[0] else None) == place]
    if place:
        chosen = yield from choose(seat, {f"people: a {way[0][1]}" for way in ways if way[0]})
        ways = [way for way in ways if way[0] and chosen.endswith(way[0][1])]
    chosen = yield from choose(seat, {f"black market: hand in 1 {way[1]}" if way[1] else "pass" for way in ways})
    ways = [way for way in ways if (way[1] is None if chosen == "pass" else chosen.endswith(str(way[1])))]
    assert len(ways) == 1
    person, good, point = ways[0]
    if person:
        me.remove(*person)
        t.nobles += person[1] == NOBLE
        t.colonists += person[1] == COLONIST
    if good:
        t.return_goods(seat, good, 1)
    if point and me.chips:
        me.chips -= 1
        t.chips += 1
    elif point:
        me.noted -= 1
    me.doubloons = 0
