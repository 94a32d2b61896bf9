"""The captain."""

import itertools

from .catalogue import GOODS
from .guests import ask, call_guests
from .table import Player, Step, Table, choose


def loadings(t: Table, seat: int) -> dict[tuple[str, int], int]:
    """Which good may go on which ship, and how many."""
    me = t.players[seat]
    found: dict[tuple[str, int], int] = {}
    for good in me.held:
        on_board = [i for i, ship in enumerate(t.ships) if ship.good == good]
        candidates = on_board or [i for i, ship in enumerate(t.ships) if ship.good is None]
        amounts = {i: min(me.goods[good], t.ships[i].size - t.ships[i].load) for i in candidates}
        most = max(amounts.values(), default=0)
        found |= {(good, i): amount for i, amount in amounts.items() if amount == most > 0}
    return found


def captain(t: Table) -> Step:
    used: set[tuple[int, str]] = set()
    privileged = [True]
    idle = 0

    def reward(seat: int, points: int) -> None:
        me = t.players[seat]
        if seat == t.active and privileged[0]:
            privileged[0] = False
            points += t.privileges(seat)
        points += me.works("harbour")
        me.doubloons += me.works("lighthouse")
        t.give_points(seat, points)

    for turn in itertools.count():
        seat = (t.active + turn) % t.count
        me = t.players[seat]
        if turn < t.count:
            yield from first_captain_turn(t, seat)

        def options(seat: int = seat, me: Player = me) -> list[str]:
            loads = loadings(t, seat)
            names = [f"captain: load {good} on ship {i + 1}" for good, i in loads]
            if me.works("wharf") and (seat, "wharf") not in used:
                names += [f"wharf: ship {good}" for good in me.held]
            if me.works("small wharf") and (seat, "small wharf") not in used and me.held:
                names.append("small wharf: use it")
            return names if loads else ["pass", *names]

        def matter(me: Player = me) -> list[str]:
            return ["wharf", "small wharf"] if me.held else []

        chosen = yield from ask(t, seat, options, matter)
        idle += 1
        if chosen.startswith("captain: load"):
            good, number = chosen.split()[2], int(chosen.split()[-1]) - 1
            count = loadings(t, seat)[good, number]
            ship = t.ships[number]
            ship.good = good
            ship.load += count
            me.goods[good] -= count
            reward(seat, count)
            idle = 0
        elif chosen.startswith("wharf"):
            good = chosen.split()[-1]
            used.add((seat, "wharf"))
            count = me.goods[good]
            t.return_goods(seat, good, count)
            reward(seat, count)
            idle = 0
        elif chosen.startswith("small wharf"):
            used.add((seat, "small wharf"))
            shipped = 0
            held = me.held
            for good in held:
                fewest = 1 if shipped == 0 and good == held[-1] else 0
                said = yield from choose(seat, [f"small wharf: ship {n} {good}" for n in range(fewest, me.goods[good] + 1)])
                count = int(said.split()[3])
                t.return_goods(seat, good, count)
                shipped += count
            reward(seat, shipped // 2)
            idle = 0
        if idle == t.count:
            break
    for seat in t.from_(t.active):
        yield from store(t, seat)
    for ship in t.ships:
        if ship.good and ship.load == ship.size:
            t.supply[ship.good] += ship.load
            ship.good, ship.load = None, 0


def first_captain_turn(t: Table, seat: int) -> Step:
    me = t.players[seat]
    yield from call_guests(t, seat, [*(["lighthouse"] if seat == t.active else []), "union hall", "royal supplier"])
    if seat == t.active:
        me.doubloons += me.works("lighthouse")
    if me.works("union hall"):
        t.give_points(seat, sum(count // 2 for count in me.goods.values()))
    given: list[str] = []
    while me.works("royal supplier") and len(given) < me.nobles:
        last = GOODS.index(given[-1]) if given else -1
        options = [f"royal supplier: hand in 1 {good}" for good in me.held if GOODS.index(good) > last]
        chosen = yield from choose(seat, ["pass", *options])
        if chosen == "pass":
            break
        given.append(chosen.split()[-1])
        t.return_goods(seat, given[-1], 1)
        t.give_points(seat, 1)


def store(t: Table, seat: int) -> Step:
    me = t.players[seat]
    if me.held:
        yield from call_guests(t, seat, ["small warehouse", "large warehouse", "storehouse"])
    kinds = me.works("small warehouse") + 2 * me.works("large warehouse")
    singles = 1 + 3 * me.works("storehouse")

    def fits(kept: dict[str, int]) -> bool:
        """Some choice of whole kinds leaves few enough single goods."""
        choices = itertools.combinations(kept, min(kinds, len(kept)))
        return any(sum(kept.values()) - sum(kept[good] for good in whole) <= singles for whole in choices)

    kept: dict[str, int] = {}
    for good in me.held:
        counts = [n for n in range(me.goods[good] + 1) if fits({**kept, good: n})]
        kept[good] = int((yield from choose(seat, [f"captain: keep {n} {good}" for n in counts])).split()[2])
        t.return_goods(seat, good, me.goods[good] - kept[good])
