"""What several roles need: tiles drawn and discarded, new colonists."""

from .catalogue import COLONIST, GOODS, NOBLE
from .table import Player, Step, Table, Tile, choose


def lay_drawn(t: Table, seat: int) -> Step:
    me = t.players[seat]
    kind = t.draw_tile()
    assert kind
    if me.works("forest house"):
        chosen = yield from choose(seat, ["settler: lay the drawn tile as a plantation", "settler: lay the drawn tile as a forest"])
        if chosen.endswith("forest"):
            me.island.append(Tile(kind, is_forest=True, is_secret=True))
            return
    me.island.append(Tile(kind))


def new_colonist(t: Table, seat: int, place: str) -> Step:
    """From the supply, else from the ship."""
    kinds = [COLONIST] if t.colonists > 0 else sorted(set(t.colonist_ship))
    if not kinds:
        return
    chosen = yield from choose(seat, ["pass", *(f"people: a {kind}" for kind in kinds)])
    if chosen == "pass":
        return
    if t.colonists > 0:
        t.colonists -= 1
    else:
        t.colonist_ship.remove(chosen.removeprefix("people: a "))
    t.players[seat].add(place, chosen.removeprefix("people: a "))


def plantation_discards(me: Player) -> list[str]:
    options = []
    for good in GOODS:
        workers = {tile.worker for tile in me.tiles(f"{good} plantations")}
        if None in workers:
            options.append(f"discard an empty {good} plantation")
        article = "an" if good == "indigo" else "a"
        options += [f"discard {article} {good} plantation with a {who}" for who in (COLONIST, NOBLE) if who in workers]
    return options


def discard(t: Table, seat: int, chosen: str) -> None:
    me = t.players[seat]
    if "forest" in chosen:
        good = chosen.removeprefix("discard a forest (").removesuffix(")")
        tile = min((tile for tile in me.forests if tile.kind == good), key=lambda tile: tile.is_secret)
    else:
        good = next(good for good in GOODS if good in chosen.split())
        who = chosen.split()[-1] if " with " in chosen else None
        tile = next(tile for tile in me.tiles(f"{good} plantations") if tile.worker == who)
        if who:
            me.windrose.append(who)
    me.island = [other for other in me.island if other is not tile]
    t.discards.append(good)
