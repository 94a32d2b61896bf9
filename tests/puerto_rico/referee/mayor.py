"""The mayor."""

import itertools

from .catalogue import COLONIST, NOBLE, SLOTS
from .guests import anywhere, call_guests
from .table import Step, Table, choose


def mayor(t: Table) -> Step:
    for seat in t.from_(t.active):
        yield from call_guests(t, seat, ["villa"])
    for _ in range(t.privileges(t.active)):
        if t.colonists == 0 or (yield from choose(t.active, ["pass", "people: a colonist"])) == "pass":
            break
        t.colonists -= 1
        t.players[t.active].windrose.append(COLONIST)
    for turn in itertools.count():
        seat = (t.active + turn) % t.count
        if turn >= t.count and not t.colonist_ship:
            break
        me = t.players[seat]
        if turn < t.count and me.works("villa") and t.nobles + t.colonists > 0:
            who = NOBLE if t.nobles else COLONIST
            if (yield from choose(seat, ["pass", f"people: a {who}"])) != "pass":
                t.nobles -= who == NOBLE
                t.colonists -= who == COLONIST
                me.windrose.append(who)
        if t.colonist_ship:
            who = (yield from choose(seat, [f"people: a {kind}" for kind in sorted(set(t.colonist_ship))])).removeprefix("people: a ")
            t.colonist_ship.remove(who)
            me.windrose.append(who)
    for seat in t.from_(t.active):
        yield from place_all(t, seat)
    empty = sum(SLOTS[name] - len(workers) for player in t.players for name, workers in player.city.items())
    wanted = max(empty, t.count)
    if t.nobles:
        t.nobles -= 1
        t.colonist_ship.append(NOBLE)
        wanted -= 1
    if wanted > t.colonists and not t.with_nobles:
        t.is_last = True
    coming = min(wanted, t.colonists)
    t.colonists -= coming
    t.colonist_ship += [COLONIST] * coming


def place_all(t: Table, seat: int) -> Step:
    me = t.players[seat]
    waiting = me.people
    me.windrose = []
    for tile in me.island:
        tile.worker = None
    for name in me.city:
        me.city[name] = []
    places = [place for place in anywhere() if me.slots(place) > 0]
    for i, place in enumerate(places):
        later = sum(me.slots(other) for other in places[i + 1 :])
        # Nobody is left on the windrose beside an empty slot: either all the others find room, or this place is full.
        counts = [n for n in range(me.slots(place) + 1) if n <= len(waiting) and (len(waiting) - n <= later or n == me.slots(place))]
        chosen = yield from choose(seat, [f"mayor: {n} on the {place}" for n in counts])
        count = int(chosen.split()[1])
        nobles, colonists = waiting.count(NOBLE), waiting.count(COLONIST)
        splits = [n for n in range(count + 1) if n <= nobles and count - n <= colonists]
        chosen = yield from choose(seat, [f"mayor: {n} noble{'' if n == 1 else 's'} among them" for n in splits])
        noble = int(chosen.split()[1])
        for who in [NOBLE] * noble + [COLONIST] * (count - noble):
            waiting.remove(who)
            me.add(place, who)
    me.windrose = waiting
