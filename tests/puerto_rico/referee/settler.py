"""The settler."""

from .catalogue import GOODS
from .guests import ask
from .steps import discard, lay_drawn, new_colonist, plantation_discards
from .table import Player, Step, Table, Tile


def settler(t: Table) -> Step:
    brought = False
    for seat in t.from_(t.active):
        me = t.players[seat]
        quarries = 0

        def extra(seat: int = seat, me: Player = me) -> list[str]:
            options = ["pass"]
            if me.works("hacienda") and me.room:
                if t.stack or t.discards:
                    options.append("hacienda: draw a plantation")
                if me.works("construction hut") and t.quarries:
                    options.append("settler: take a quarry")
            return options

        def for_extra(me: Player = me) -> list[str]:
            with_hut = ["construction hut"] if t.quarries and me.works("hacienda") else []
            return ["hacienda", *with_hut] if me.room else []

        chosen = yield from ask(t, seat, extra, for_extra)
        if chosen == "settler: take a quarry":
            t.quarries -= 1
            me.island.append(Tile("quarry"))
            quarries = 1
        elif chosen != "pass":
            yield from lay_drawn(t, seat)

        def pick(seat: int = seat, me: Player = me, had: int = quarries) -> list[str]:
            may_quarry = had == 0 if seat == t.active else me.works("construction hut")
            return tile_options(t, seat, may_quarry)

        def for_pick(seat: int = seat, me: Player = me) -> list[str]:
            return ["construction hut"] if me.room and t.quarries and seat != t.active else []

        chosen = yield from ask(t, seat, pick, for_pick)
        if chosen != "pass":
            place = take_tile(t, seat, chosen)
            if seat == t.active:
                brought = True
            yield from hospice(t, seat, place)
    yield from second_tile(t, brought)
    for seat in t.from_(t.active):
        yield from hunting_lodge(t, seat)
    t.discards += t.face_up
    t.face_up = []
    for _ in range(t.count + 1):
        tile = t.draw_tile()
        if tile:
            t.face_up.append(tile)


def tile_options(t: Table, seat: int, may_quarry: bool) -> list[str]:
    me = t.players[seat]
    options = ["pass"]
    if me.room == 0:
        return options
    for good in sorted(set(t.face_up)):
        options.append(f"settler: take {good}")
        if me.works("forest house"):
            options.append(f"settler: take {good} as a forest")
    if may_quarry and t.quarries > 0:
        options.append("settler: take a quarry")
    return options


def take_tile(t: Table, seat: int, chosen: str) -> str:
    """Returns where the hospice's colonist would go."""
    me = t.players[seat]
    if chosen == "settler: take a quarry":
        t.quarries -= 1
        me.island.append(Tile("quarry"))
        return "quarries"
    good = chosen.split()[2]
    t.face_up.remove(good)
    me.island.append(Tile(good, is_forest=chosen.endswith("forest")))
    return "windrose" if chosen.endswith("forest") else f"{good} plantations"


def hospice(t: Table, seat: int, place: str) -> Step:
    if t.players[seat].works("hospice"):
        yield from new_colonist(t, seat, place)


def second_tile(t: Table, brought: bool) -> Step:
    seat = t.active
    me = t.players[seat]

    def options() -> list[str]:
        return tile_options(t, seat, me.works("construction hut")) if me.works("library") else ["pass"]

    def matter() -> list[str]:
        if me.room == 0:
            return []
        if not me.works("library"):
            return ["library"]
        return ["construction hut"] if t.quarries else []

    chosen = yield from ask(t, seat, options, matter)
    if chosen != "pass":
        place = take_tile(t, seat, chosen)
        if not brought:
            yield from hospice(t, seat, place)


def hunting_lodge(t: Table, seat: int) -> Step:
    if not t.with_nobles:
        return
    me = t.players[seat]

    def options() -> list[str]:
        return ["pass", *(plantation_discards(me) + forest_discards(me) if me.by_colonist("hunting lodge") else [])]

    chosen = yield from ask(t, seat, options, lambda: ["hunting lodge"])
    if chosen != "pass":
        discard(t, seat, chosen)
    elif me.by_noble("hunting lodge") and all(me.room > other.room for other in t.players if other is not me):
        t.give_points(seat, 2)


def forest_discards(me: Player) -> list[str]:
    return [f"discard a forest ({good})" for good in GOODS if any(tile.kind == good for tile in me.forests)]
