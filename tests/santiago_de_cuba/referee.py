"""A slow referee: the rules once more in plain Python, a turn read from top to bottom, independent of the kernels.

`game()` is a generator that yields each real decision, as the seat and the names of its actions, and is sent the name chosen.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

Decision = tuple[int, list[str]]
Step = Generator[Decision, str, None]
Choice = Generator[Decision, str, str]

GOODS = ["sugar", "tobacco", "rum", "cigars", "fruit"]
FLOWERS = {
    "Pedro": "white",
    "Alonso": "white",
    "Miguel": "blue",
    "Conchita": "blue",
    "José": "yellow",
    "Martinez": "yellow",
    "Pablo": "red",
    "Maria": "red",
}


class GameOver(Exception):  # noqa: N818 (it is no error)
    """The seventh ship has left."""


@dataclass
class Player:
    goods: dict[str, int]
    pesos: int
    points: int
    markers: int = 3
    pawn: str | None = None


@dataclass
class Table:
    """All that lies on the table, by name."""

    street: list[str]  # the port and the nine Cubans
    flowers: dict[str, str]  # of the buildings
    players: list[Player]
    roll: Callable[[], list[int]]
    active: int  # before the first turn: the one who rolls
    supply: dict[str, int]
    owners: dict[str, int] = field(default_factory=dict)
    inactive: set[str] = field(default_factory=set)
    car: int = 0
    ship: int = 1
    value: int = 2
    demand: dict[str, int] | None = None  # none without a ship in port
    turns: int = 0

    @property
    def me(self) -> Player:
        return self.players[self.active]

    @property
    def here(self) -> str:
        return self.street[self.car]

    def clockwise(self, seat: int) -> list[int]:
        """All seats, from this one on."""
        return [(seat + i) % len(self.players) for i in range(len(self.players))]

    def give(self, player: Player, good: str, count: int) -> None:
        """From the supply, a negative count back to it."""
        player.goods[good] += count
        self.supply[good] -= count

    def send_ship_away(self) -> None:
        self.demand = None
        self.value = 2
        self.ship += 1
        if self.ship == 8:
            raise GameOver

    def raise_value(self) -> None:
        if self.value == 4:
            self.send_ship_away()
        else:
            self.value += 1

    def lower_demand(self, good: str, count: int) -> None:
        assert self.demand is not None
        self.demand[good] -= count
        if not any(self.demand.values()):
            self.send_ship_away()


def ask(seat: int, options: Iterable[str]) -> Choice:
    """The choice, which is not asked if there is but one."""
    options = list(options)
    if len(options) == 1:
        return options[0]
    return (yield seat, options)


def game(t: Table) -> Step:
    """Until the seventh ship has left, or a thousand turns are over."""
    try:
        yield from new_ship(t)
        while t.turns < 1000:
            t.active = (t.active + 1) % len(t.players)
            yield from turn(t)
            t.turns += 1
    except GameOver:
        return


def new_ship(t: Table) -> Step:
    while t.demand is None:
        dice = dict(zip(GOODS, t.roll(), strict=True))
        if any(dice.values()):
            zeros = [good for good in GOODS if dice[good] == 0]
            different = [good for good in GOODS if good not in zeros[1:]]
            choice = yield from ask(t.active, [f"ship: put the {good} die aside" for good in different])
            dice[choice.split()[3]] = 0
        if any(dice.values()):
            t.demand = dice
        else:
            t.send_ship_away()


def turn(t: Table) -> Step:
    yield from drive(t)
    if t.here == "port":
        if t.demand is not None:
            yield from deliveries(t)
    elif t.here == "El Zorro" and t.here not in t.inactive:
        yield from gifts(t)
        yield from use(t, t.me.pawn)
    elif t.here not in t.inactive:
        yield from visit(t)
        yield from move_pawn(t)
        yield from use(t, t.me.pawn)
    owner = t.owners.get(t.me.pawn or "", t.active)
    if owner != t.active:
        t.players[owner].points += 1
    yield from new_ship(t)


def drive(t: Table) -> Step:
    most = min(40, t.me.pesos + 1)
    names = [f"car: drive {n} stop{'' if n == 1 else 's'} for {n - 1} peso{'' if n == 2 else 's'}" for n in range(1, most + 1)]
    choice = yield from ask(t.active, names)
    stops = names.index(choice) + 1
    t.me.pesos -= stops - 1
    while stops:
        t.inactive.discard(t.here)
        t.car = (t.car + 1) % 10
        stops -= 1
        if stops and t.here == "port" and t.demand is not None:
            t.raise_value()


def visit(t: Table) -> Step:
    two = {"Pedro": "tobacco", "Miguel": "wood", "José": "sugar", "Conchita": "fruit"}
    if t.here in two:
        t.give(t.me, two[t.here], min(2, t.supply[two[t.here]]))
    elif t.here == "Maria":
        t.me.points += 2
    elif t.here == "Martinez":
        t.me.pesos += 3
    elif t.here == "Pablo":
        there = [good for good in GOODS if t.supply[good]]
        if there:
            choice = yield from ask(t.active, [f"Pablo: take 1 {good}" for good in there])
            t.give(t.me, choice.split()[-1], 1)
    else:
        yield from lawyer(t)


def lawyer(t: Table) -> Step:
    free = [b for b in t.flowers if b not in t.owners] if t.me.markers else []
    own = [b for b, owner in t.owners.items() if owner == t.active and ways(t, b)]
    names = [f"Alonso: claim the {b}" for b in free] + [f"Alonso: use the own {b}" for b in own]
    choice = yield from ask(t.active, [*names, "Alonso: nothing"])
    if choice.startswith("Alonso: claim the "):
        t.owners[choice.removeprefix("Alonso: claim the ")] = t.active
        t.me.markers -= 1
    elif choice != "Alonso: nothing":
        yield from use(t, choice.removeprefix("Alonso: use the own "), must=True)


def gifts(t: Table) -> Step:
    for seat in t.clockwise(t.active)[1:]:
        giver = t.players[seat]
        things = [good for good in GOODS if giver.goods[good]] + ["peso"] * (giver.pesos > 0) + ["point"] * (giver.points > 0)
        if things:
            choice = yield from ask(seat, [f"El Zorro: give 1 {thing}" for thing in things])
            thing = choice.split()[-1]
            if thing == "peso":
                giver.pesos, t.me.pesos = giver.pesos - 1, t.me.pesos + 1
            elif thing == "point":
                giver.points, t.me.points = giver.points - 1, t.me.points + 1
            else:
                giver.goods[thing], t.me.goods[thing] = giver.goods[thing] - 1, t.me.goods[thing] + 1


def move_pawn(t: Table) -> Step:
    taken = {player.pawn for player in t.players}
    free = [b for b, flower in t.flowers.items() if flower == FLOWERS[t.here] and b not in taken]
    if free:
        choice = yield from ask(t.active, [f"pawn: enter the {b}" for b in free])
        t.me.pawn = choice.removeprefix("pawn: enter the ")


def use(t: Table, building: str | None, must: bool = False) -> Step:
    """Once; the casino, where ten points go in one decision, until fewer are exchanged."""
    direction = ""
    while building is not None:
        possible = [way for way in ways(t, building) if way.startswith(f"casino: {direction}" if direction else building)]
        if direction and not possible:
            return
        choice = yield from ask(t.active, possible if must and not direction else [*possible, "building: no use"])
        if choice == "building: no use":
            return
        do_use(t, building, choice)
        if not choice.startswith("casino") or " 10 points" not in choice:
            return
        direction = choice.split()[1]


def ways(t: Table, building: str) -> list[str]:
    """All ways of using a building."""
    me, demand = t.me, t.demand or {}
    held = [good for good in GOODS if me.goods[good]]
    wanted = [good for good in GOODS if demand.get(good)]
    names: list[str] = []
    if building == "bank":
        names = ["take 2 pesos"]
    elif building == "church":
        names = ["take 1 point"]
    elif building == "distillery":
        names = [f"turn {n} sugar into rum" for n in range(1, min(me.goods["sugar"], t.supply["rum"]) + 1)]
    elif building == "cigar factory":
        names = [f"turn {n} tobacco into cigars" for n in range(1, min(me.goods["tobacco"], t.supply["cigars"]) + 1)]
    elif building == "black market":
        names = [f"swap 1 {g} for 1 {other}" for g in held for other in GOODS if other != g and t.supply[other]]
    elif building == "sawmill":
        names = ["turn 1 wood into 1 point and 1 peso"] * (me.goods["wood"] > 0)
    elif building == "café":
        drinks = [good for good in ("cigars", "rum") if good in held]
        names = [f"hand in 1 {good}" for good in drinks] + ["hand in 1 cigars and 1 rum"] * (len(drinks) == 2)
    elif building == "customs office":
        names = [f"turn the {good} die to 0" for good in wanted]
    elif building == "casino":
        for verb, most in (("buy", me.pesos // 3), ("sell", me.points)):
            names += [f"{verb} {n} point{'' if n == 1 else 's'} for {3 * n} pesos" for n in range(1, min(10, most) + 1)]
    elif building == "harbour authority" and t.demand is not None:
        names = ["lower the value"] * (t.value > 2) + ["raise the value"]
    elif building == "contractor's office":
        names = [f"deliver 1 {good}" for good in wanted if good in held]
    elif building == "newspaper":
        others = [c for c in t.street if c not in ("port", t.here) and c not in t.inactive]
        names = ["take 1 peso"] + [f"take 1 peso and turn {c} over" for c in others]
    return [f"{building}: {name}" for name in names]


def do_use(t: Table, building: str, choice: str) -> None:
    me = t.me
    words = choice.removeprefix(f"{building}: ").split()
    if building == "bank":
        me.pesos += 2
    elif building == "church":
        me.points += 1
    elif building in ("distillery", "cigar factory"):
        t.give(me, words[2], -int(words[1]))
        t.give(me, words[4], int(words[1]))
    elif building == "black market":
        t.give(me, words[2], -1)
        t.give(me, words[5], 1)
    elif building == "sawmill":
        t.give(me, "wood", -1)
        me.points += 1
        me.pesos += 1
    elif building == "café":
        for good in ("cigars", "rum"):
            if good in words:
                t.give(me, good, -1)
                me.points += 2
    elif building == "customs office":
        assert t.demand is not None
        t.lower_demand(words[2], t.demand[words[2]])
    elif building == "casino":
        sign = 1 if words[0] == "buy" else -1
        me.points += sign * int(words[1])
        me.pesos -= sign * int(words[4])
    elif building == "harbour authority":
        if words[0] == "raise":
            t.raise_value()
        else:
            t.value -= 1
    elif building == "contractor's office":
        t.give(me, words[2], -1)
        me.points += 2
        t.lower_demand(words[2], 1)
    else:
        me.pesos += 1
        if "turn" in words:
            t.inactive.add(choice.split(" turn ")[1].removesuffix(" over"))


def deliveries(t: Table) -> Step:
    still_in = t.clockwise(t.active)
    while still_in:
        for seat in still_in.copy():
            player, demand = t.players[seat], t.demand or {}
            names = [f"port: deliver {n} {g}" for g in GOODS for n in range(1, min(demand[g], player.goods[g]) + 1)]
            names += [f"port: deliver {n} wood as {g}" for g in GOODS for n in range(1, min(demand[g], player.goods["wood"]) + 1)]
            choice = yield from ask(seat, [*names, "port: pass"])
            if choice == "port: pass":
                still_in.remove(seat)
                continue
            words = choice.split()
            count = int(words[2])
            t.give(player, words[3], -count)
            player.points += count * (1 if words[3] == "wood" else t.value)
            t.lower_demand(words[-1], count)
            if t.demand is None:
                return
    t.raise_value()


def result(t: Table) -> tuple[list[int], list[int]]:
    """Scores and ranks."""
    goods = [sum(player.goods.values()) for player in t.players]
    standing = [(p.points + goods[i] // 3, goods[i], p.pesos) for i, p in enumerate(t.players)]
    return [s[0] for s in standing], [1 + sum(other > own for other in standing) for own in standing]
