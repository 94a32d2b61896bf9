"""The guest house."""

from collections.abc import Callable, Iterable

from .catalogue import NAMES
from .table import GROUPS, Choice, Player, Step, Table, choose


def guest_moves(player: Player, places: Iterable[str]) -> list[str]:
    if not player.works("guest house"):
        return []
    return [
        f"guest house: a guest to the {place}" for place in places if place != "guest house" and len(player.at(place)) < player.slots(place)
    ]


def anywhere() -> list[str]:
    return [*NAMES, *GROUPS]


def move_guest(t: Table, seat: int, name: str) -> Step:
    player = t.players[seat]
    place = name.removeprefix("guest house: a guest to the ")
    kinds = sorted(set(player.at("guest house")))
    if len(kinds) == 2:
        who = yield from choose(seat, [f"people: a {kind}" for kind in kinds])
        kinds = [who.removeprefix("people: a ")]
    player.remove("guest house", kinds[0])
    player.add(place, kinds[0])


def nowhere() -> list[str]:
    return []


def ask(t: Table, seat: int, options: Callable[[], list[str]], matter: Callable[[], list[str]] = nowhere) -> Choice:
    """An own decision, before which guests may go anywhere. If all that is left is to decline, they may go only where it matters."""
    player = t.players[seat]
    while True:
        own = options()
        moves = guest_moves(player, matter() if own == ["pass"] else anywhere())
        chosen = yield from choose(seat, [*own, *moves])
        if not chosen.startswith("guest house"):
            return chosen
        yield from move_guest(t, seat, chosen)


def call_guests(t: Table, seat: int, matter: Iterable[str]) -> Step:
    """A moment made for guests alone."""
    matter = list(matter)
    while moves := guest_moves(t.players[seat], matter):
        chosen = yield from choose(seat, ["pass", *moves])
        if chosen == "pass":
            return
        yield from move_guest(t, seat, chosen)
