"""All that lies on the table, by name."""

import itertools
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

from .catalogue import GOODS, LARGE, NAMES, NOBLE, PROSPECTORS, ROLES, SLOTS

Decision = tuple[int, list[str]]
Step = Generator[Decision, str, None]
Choice = Generator[Decision, str, str]


@dataclass
class Tile:
    kind: str  # a good, or "quarry"
    is_forest: bool = False
    is_secret: bool = False  # a forest that others never saw
    worker: str | None = None

    @property
    def group(self) -> str:
        """Where a colonist on it is said to be."""
        return "quarries" if self.kind == "quarry" else f"{self.kind} plantations"


GROUPS = [*(f"{good} plantations" for good in GOODS), "quarries"]


@dataclass
class Player:
    doubloons: int
    goods: dict[str, int]
    chips: int = 0
    noted: int = 0
    island: list[Tile] = field(default_factory=list)
    city: dict[str, list[str]] = field(default_factory=dict)  # who is in each building
    windrose: list[str] = field(default_factory=list)

    def works(self, building: str) -> bool:
        return bool(self.city.get(building))

    def by_noble(self, building: str) -> bool:
        return NOBLE in self.city.get(building, [])

    def by_colonist(self, building: str) -> bool:
        return self.works(building) and not self.by_noble(building)

    @property
    def room(self) -> int:
        return 12 - len(self.island)

    @property
    def city_room(self) -> int:
        return 12 - sum(2 if name in LARGE else 1 for name in self.city)

    def tiles(self, group: str) -> list[Tile]:
        return [tile for tile in self.island if not tile.is_forest and tile.group == group]

    @property
    def forests(self) -> list[Tile]:
        return [tile for tile in self.island if tile.is_forest]

    def slots(self, place: str) -> int:
        if place in NAMES:
            return SLOTS[place] if place in self.city else 0
        return len(self.tiles(place))

    def at(self, place: str) -> list[str]:
        if place == "windrose":
            return list(self.windrose)
        if place in NAMES:
            return list(self.city.get(place, []))
        return [tile.worker for tile in self.tiles(place) if tile.worker]

    def add(self, place: str, who: str) -> None:
        if place == "windrose":
            self.windrose.append(who)
        elif place in NAMES:
            self.city[place].append(who)
            assert len(self.city[place]) <= SLOTS[place]
        else:
            next(tile for tile in self.tiles(place) if tile.worker is None).worker = who

    def remove(self, place: str, who: str) -> None:
        if place == "windrose":
            self.windrose.remove(who)
        elif place in NAMES:
            self.city[place].remove(who)
        else:
            next(tile for tile in self.tiles(place) if tile.worker == who).worker = None

    @property
    def people(self) -> list[str]:
        on_tiles = [tile.worker for tile in self.island if tile.worker]
        return [*self.windrose, *itertools.chain.from_iterable(self.city.values()), *on_tiles]

    @property
    def nobles(self) -> int:
        return self.people.count(NOBLE)

    @property
    def held(self) -> list[str]:
        return [good for good in GOODS if self.goods[good] > 0]


@dataclass
class Ship:
    size: int
    good: str | None = None
    load: int = 0


@dataclass
class Table:
    """All that lies on the table, by name."""

    players: list[Player]
    supply: dict[str, int]
    colonists: int
    nobles: int
    colonist_ship: list[str]
    chips: int
    quarries: int
    stack: list[str]
    discards: list[str]
    face_up: list[str]
    board: dict[str, int]
    ships: list[Ship]
    with_nobles: bool
    to_draft: bool
    draw: Callable[[int], int]  # which of so many tiles comes
    house: list[str] = field(default_factory=list)
    coins: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    governor: int = 0
    active: int = 0
    is_last: bool = False
    role: str | None = None

    @property
    def count(self) -> int:
        return len(self.players)

    def from_(self, seat: int) -> list[int]:
        """All seats clockwise, from this one on."""
        return [(seat + i) % self.count for i in range(self.count)]

    def roles(self) -> list[str]:
        return ROLES[: 6 + PROSPECTORS[self.count]]

    def give_points(self, seat: int, points: int) -> None:
        for _ in range(points):
            if self.chips > 0:
                self.chips -= 1
                self.players[seat].chips += 1
                self.is_last |= self.chips == 0
            else:
                self.players[seat].noted += 1
                self.is_last = True

    def return_goods(self, seat: int, good: str, count: int) -> None:
        self.players[seat].goods[good] -= count
        assert self.players[seat].goods[good] >= 0
        self.supply[good] += count

    def draw_tile(self) -> str | None:
        if not self.stack:
            self.stack, self.discards = self.discards, []
        if not self.stack:
            return None
        self.stack.sort(key=GOODS.index)
        return self.stack.pop(self.draw(len(self.stack)))

    def privileges(self, seat: int) -> int:
        if seat != self.active:
            return 0
        return 2 if self.players[seat].works("library") else 1


def choose(seat: int, names: Iterable[str]) -> Choice:
    """Asked only if there is more than one answer."""
    names = list(names)
    assert names
    if len(names) == 1:
        return names[0]
    chosen = yield seat, names
    return chosen
