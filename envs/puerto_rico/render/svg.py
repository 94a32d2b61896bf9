"""The board as SVG: the table on the left, the players' islands and cities on the right."""

from collections.abc import Sequence
from typing import Any

from ...core.render.labels import is_over, player, seen_by, titled
from ...core.render.svg import (
    INK,
    SEAT_COLOURS,
    area,
    banner,
    bounds,
    circle,
    document,
    frame,
    group,
    label,
    panel,
    path,
    place,
    rect,
    ring,
    star,
    title_bar,
)
from ...core.render.views import plain_view
from ...core.render.words import many
from ..state import Phase
from ..tables import (
    BUILDING_NAMES,
    BUILDINGS,
    CITY,
    COLUMN,
    COST,
    GOOD_NAMES,
    GOODS,
    IS_LARGE,
    IS_NOBLES,
    IS_PRODUCTION,
    IS_VIOLET,
    LARGE_COLUMN,
    POINTS,
    QUARRY,
    ROLE_NAMES,
    SLOTS,
    TILE_NAMES,
    WINDROSE,
)
from . import words
from .labels import decision, headline, house, kinds_in_play, marks, outcome, points, roles, ships, sources, standings, tiles

PAPER, CARD, FRAME, QUIET = "#f2ead8", "#fffdf8", "#c9bda8", "#6d6154"
SEA, SAND, TOWN, COLONIST, NOBLE, GOLD = "#d7e6ea", "#eadfc4", "#efe9df", "#6b4226", "#c62f2f", "#e3b23c"
COLOURS = {**words.COLOURS, "sugar": "#ffffff"}
DARK = ("indigo", "coffee", "forest")
SMALL, LARGE, WORKSHOP = "#d9cdea", "#6f4fa3", "#c9d8b6"  # the kinds of building
MARGIN, HEADER, TABLE_WIDTH, BOARD_WIDTH, BOARD_HEIGHT = 14, 60, 470, 860, 172
TOP = HEADER + 10
BAR = 26  # the heading of a player's board
LOWEST = 720  # the height of the table at least
MARKET = 446  # where the buildings begin
CELL, CITY_CELL, ROW = 40, 132, 40


def svg(view: Any, seat: int | None, names: Sequence[str] = ()) -> str:
    """The whole board; the seat's own island is on top. For a spectator, if the seat is None, they are in seat order."""
    view = plain_view(view)
    players = int(view.players)
    room = max(players * (BOARD_HEIGHT + 8) - 8, LOWEST)
    width, height = 3 * MARGIN + TABLE_WIDTH + BOARD_WIDTH, TOP + room + MARGIN
    now = outcome(view, seat) if is_over(view) else decision(view, seat)
    status = headline(view) + seen_by(seat)
    parts = [
        rect(0, 0, width, height, PAPER),
        banner(width, HEADER, "#1f4a4f", "Puerto Rico", status, now),
        group(table(view, seat, room), MARGIN, TOP),
    ]
    for offset in range(players):
        other = ((seat or 0) + offset) % players
        drawn = area(f"player:{other}", f"player_{other}", board(view, other, seat, names))
        parts.append(group([drawn], 2 * MARGIN + TABLE_WIDTH, TOP + offset * (BOARD_HEIGHT + 8)))
    return document(width, height, f"Puerto Rico, {headline(view)}", parts)


def table(view: Any, seat: int | None, room: float) -> list[str]:
    return [
        area("roles", "Roles", role_cards(view)),
        area("ships", "Ships and trading house", [*cargo_ships(view), *trading_house(view)]),
        area("supply", "Plantations and supply", [*plantations(view), *supplies(view)]),
        area("scores", "Final scores", scores(view, seat)) if is_over(view) else area("buildings", "Buildings", market(view, room)),
    ]


def role_cards(view: Any) -> list[str]:
    """The roles with the doubloons on them; taken ones are pale."""
    parts = [panel(0, 0, TABLE_WIDTH, 112, "Roles")]
    for i, role in enumerate(roles(view)):
        x, y = 10 + (i % 4) * 114, 26 + (i // 4) * 42
        owner = int(view.role_owner[role])
        is_played = role == view.role and not is_over(view)
        fill = "#ffeec0" if owner < 0 else "#ece7de"
        card = [rect(x, y, 108, 36, fill, 6, *frame(is_played, FRAME, 2.5))]
        has_badge = owner >= 0 or view.role_doubloons[role] > 0
        ink = INK if owner < 0 or is_played else QUIET
        card.append(label(x + 8, y + 18, ROLE_NAMES[role], 13, ink, "start", True, 72 if has_badge else 94))
        if owner >= 0:
            card += [circle(x + 92, y + 18, 10, SEAT_COLOURS[owner]), label(x + 92, y + 18, str(owner), 12, "#ffffff", bold=True)]
        elif view.role_doubloons[role] > 0:
            card += coin(x + 92, y + 18, f"+{view.role_doubloons[role]}")
        parts.append(place(f"role:{role}", card))
    return parts


def coin(x: float, y: float, inscription: str, radius: float = 10) -> list[str]:
    return [circle(x, y, radius, GOLD, "#a67c1f", 1), label(x, y, inscription, radius * 1.2, INK, bold=True, room=radius * 1.7)]


def barrel(x: float, y: float, good: str, size: float = 7) -> str:
    """Hoops tell a barrel from an empty space, whatever its colour."""
    hoops = f"M{x - 0.75 * size:.2f} {y - 0.5 * size:.2f} h{1.5 * size:.2f} M{x - 0.75 * size:.2f} {y + 0.5 * size:.2f} h{1.5 * size:.2f}"
    return circle(x, y, size, COLOURS[good], INK, 1) + path(hoops, "none", "#ffffff" if good in DARK else "#6d6154", 1)


def cargo_ships(view: Any) -> list[str]:
    parts = [panel(0, 120, 300, 126, "Cargo ships", SEA)]
    for row, (size, good, load) in enumerate(ships(view)):
        y = 158 + row * 32
        ship = [rect(10, y - 13, 34 + 22 * size, 26, "#9c6f3f", 10, "#6d4a26", 1), label(24, y, str(size), 14, "#ffffff", bold=True)]
        for at in range(size):
            x = 48 + 22 * at
            ship.append(barrel(x, y, good, 8) if at < load else ring(x, y, 8, "#e8cfae", 1.5, "3 2"))
        ship.append(label(50 + 22 * size, y, good, 12, INK, "start"))
        parts.append(place(f"ship:{row}", ship))
    return parts


def trading_house(view: Any) -> list[str]:
    parts = [panel(308, 120, 162, 126, "Trading house")]
    for at, good in enumerate(house(view)):
        x, y = 349 + (at % 2) * 80, 160 + (at // 2) * 46
        parts += [barrel(x, y, good, 13), label(x, y + 22, good, 11)] if good else [ring(x, y, 13, FRAME, 1.5, "4 3")]
    return parts


def plantations(view: Any) -> list[str]:
    """The open ones, the quarries and the face-down stack."""
    parts = [panel(0, 254, TABLE_WIDTH, 76, "Plantations")]
    shown = [kind for kind in range(GOODS) for _ in range(int(view.face_up[kind]))]
    for i, kind in enumerate(shown):
        parts.append(place(f"tile:{kind}", tile(10 + i * 45, 280, TILE_NAMES[kind], "")))
    x = 18 + len(shown) * 45
    parts.append(place(f"tile:{QUARRY}", heap(x, "quarry", "#9a9a9a", int(view.quarries_left))))
    parts.append(place("stack", heap(x + 48, "face down", "#cdb98f", int(view.stack.sum()))))
    parts.append(label(TABLE_WIDTH - 10, 269, f"{int(view.discards.sum())} discarded", 12, QUIET, "end"))
    return parts


def heap(x: float, name: str, fill: str, count: int) -> list[str]:
    """A stack of tiles with how many there are."""
    edges = [rect(x + 2 * up, 280 - 2 * up, CELL, CELL, fill, 4, "#7d7466", 1) for up in range(2 if count > 1 else 1)]
    top = 280 - 2 * (len(edges) - 1)
    middle = x + 2 * (len(edges) - 1) + CELL / 2
    return [*edges, label(middle, top + 9, name, 9, INK, room=CELL - 4), label(middle, top + 26, str(count), 16, INK, bold=True)]


def supplies(view: Any) -> list[str]:
    """The colonist ship, and what is left of everything."""
    parts = [panel(0, 338, TABLE_WIDTH, 100, "Colonists, points and goods")]
    people = [("colonist", COLONIST, view.ship_colonists, view.colonists_left)]
    if view.nobles:
        people.append(("noble", NOBLE, view.ship_nobles, view.nobles_left))
    for i, (who, colour, aboard, left) in enumerate(people):
        x = 10 + 154 * i
        box = [rect(x, 362, 146, 38, SEA, 6, FRAME, 1), path(f"M{x + 6} 384 h30 l-6 10 h-18 Z", "#9c6f3f")]
        box += [
            circle(x + 21, 377, 6, colour, "#f2ece0", 1),
            label(x + 44, 374, many(aboard, who), 13, INK, "start"),
        ]
        box.append(label(x + 44, 390, f"aboard, {left} in supply", 11, QUIET, "start", room=98))
        parts.append(place(f"people:{who}", box))
    parts += [star(352, 381, 12, GOLD, "#a67c1f"), label(370, 381, many(view.chips_left, "VP chip"), 13, INK, "start")]
    for good, name in enumerate(GOOD_NAMES):
        x = 10 + good * 91
        drawn = [
            bounds(x - 2, 407, 88, 24),
            barrel(x + 10, 419, name, 8),
            label(x + 23, 419, f"{view.goods_left[good]} {name}", 12, INK, "start"),
        ]
        parts.append(place(f"supply:{good}", drawn))
    return parts


def on_sale(view: Any) -> list[int]:
    """The buildings of this game; in the draft also those that may still be chosen."""
    drafted = [b for b in range(BUILDINGS) if IS_VIOLET[b] and not IS_NOBLES[b]] if view.phase == Phase.DRAFT else []
    return sorted({*kinds_in_play(view), *drafted})


def market(view: Any, room: float) -> list[str]:
    """The buildings left, in their four columns; on one line or two, as there is room."""
    kinds = on_sale(view)
    tallest = max(sum(COLUMN[b] == column for b in kinds) for column in range(1, LARGE_COLUMN + 1))
    line = min(46, (room - MARKET - 28) / tallest)
    parts = [panel(0, MARKET, TABLE_WIDTH, 28 + tallest * line, "Buildings: cost, victory points, copies left")]
    for column in range(1, LARGE_COLUMN + 1):
        listed = sorted((b for b in kinds if COLUMN[b] == column), key=lambda b: (COST[b], b))
        for row, b in enumerate(listed):
            parts.append(place(f"market:{b}", offer(view, b, 8 + (column - 1) * 115, MARKET + 24 + row * line, line - 3)))
    return parts


def offer(view: Any, b: int, x: float, y: float, height: float) -> list[str]:
    left = int(view.buildings_left[b])
    fill, ink = colours_of(b) if left else ("#f1eee8", "#8f867a")
    parts = [rect(x, y, 111, height, fill, 4)]
    cost = coin if left else faint_coin
    if height < 30:
        parts += cost(x + 10, y + height / 2, str(COST[b]), 8)
        parts.append(label(x + 21, y + height / 2, BUILDING_NAMES[b], 11, ink, "start", room=60))
        copies = f" ×{left}" if left or view.phase != Phase.DRAFT else ""
        return [*parts, label(x + 107, y + height / 2, f"{POINTS[b]}VP{copies}", 9, ink, "end", room=30)]
    parts += cost(x + 13, y + height / 2, str(COST[b]), 9)
    parts.append(label(x + 26, y + height * 0.3, BUILDING_NAMES[b], 12, ink, "start", True, 82))
    parts.append(label(x + 26, y + height * 0.72, f"{POINTS[b]} VP", 11, ink, "start"))
    return [*parts, label(x + 106, y + height * 0.72, f"{left} left" if left else "none left", 11, ink, "end")]


def faint_coin(x: float, y: float, inscription: str, radius: float) -> list[str]:
    return [ring(x, y, radius, "#c9c1b5", 1), label(x, y, inscription, radius * 1.2, "#8f867a", room=radius * 1.7)]


def colours_of(b: int) -> tuple[str, str]:
    """Paper and ink of a building: for goods, small or large."""
    return (WORKSHOP, INK) if IS_PRODUCTION[b] else (LARGE, "#ffffff") if IS_LARGE[b] else (SMALL, INK)


def scores(view: Any, seat: int | None) -> list[str]:
    """PR-END-2, in the place of the buildings that were left."""
    rows = standings(view)
    parts = [panel(0, MARKET, TABLE_WIDTH, 62 + 30 * len(rows), "Final scores")]
    heads = [*sources(view), "total", "tie-break"]
    step = (TABLE_WIDTH - 12 - 136) / len(heads)
    ends = [136 + step * (at + 1) for at in range(len(heads))]
    for end, head in zip(ends, heads, strict=True):
        lines = head.split("_")
        parts += [
            label(end, MARKET + 42 - 10 * (len(lines) - 1 - up), line, 11, QUIET, "end", room=step - 3) for up, line in enumerate(lines)
        ]
    for at, row in enumerate(rows):
        y = MARKET + 62 + 30 * at
        parts += [rect(8, y - 13, TABLE_WIDTH - 16, 26, "#fff3d0" if row.rank == 1 else "#f6f1e6", 5)]
        parts += [circle(24, y, 9, SEAT_COLOURS[row.seat]), label(24, y, str(row.rank), 12, "#ffffff", bold=True)]
        parts.append(label(40, y, player(row.seat, seat), 13, INK, "start", row.rank == 1, 96))
        values = [*(row.parts[source] for source in sources(view)), row.final, row.wealth]
        parts += [label(x, y, str(value), 13, INK, "end", head == "total") for x, head, value in zip(ends, heads, values, strict=True)]
    return parts


def tile(x: float, y: float, name: str, who: str) -> list[str]:
    """An island tile; `who` stands on it: a colonist, a noble or nobody."""
    parts = [rect(x, y, CELL, CELL, COLOURS[name], 4, "#7d7466", 1)]
    parts.append(label(x + CELL / 2, y + 8, name, 9, "#ffffff" if name in DARK else INK, room=CELL - 4))
    if name != "forest":
        parts.append(slot(x + CELL / 2, y + 26, who))
    return parts


def slot(x: float, y: float, who: str) -> str:
    if not who:
        return circle(x, y, 7, "#ffffff", "#3d352d", 1)
    return circle(x, y, 7, COLONIST if who == "colonist" else NOBLE, "#f2ece0", 1.5)


def crew(here: int, nobles: int, slots: int) -> list[str]:
    nobles = min(here, nobles)
    return ["noble"] * nobles + ["colonist"] * (here - nobles) + [""] * (slots - here)


def board(view: Any, seat: int, viewer: int | None, names: Sequence[str]) -> list[str]:
    """One player: holdings, island, city."""
    decides = seat == view.seat and not is_over(view)
    parts = [
        rect(0, 0, BOARD_WIDTH, BOARD_HEIGHT, CARD, 8, *frame(decides, FRAME)),
        title_bar(BOARD_WIDTH, BAR, SEAT_COLOURS[seat]),
        label(12, BAR / 2, titled(player(seat, viewer), seat, names), 15, "#ffffff", "start", True, 400),
        label(BOARD_WIDTH - 12, BAR / 2, ", ".join(marks(view, seat)), 13, "#ffffff", "end", room=430),
    ]
    parts += [
        *coin(20, 45, str(view.doubloons[seat])),
        label(36, 45, "doubloon" if view.doubloons[seat] == 1 else "doubloons", 12, INK, "start"),
    ]
    chips = [
        bounds(6, 57, 118, 20),
        star(20, 67, 9, GOLD, "#a67c1f"),
        label(36, 67, many(points(view, seat), "VP chip"), 12, INK, "start", True),
    ]
    parts.append(place(f"player:{seat}:points", chips))
    held = [good for good in range(GOODS) if view.goods[seat, good] > 0]
    for i, good in enumerate(held):
        y = 88 + i * 15
        name = GOOD_NAMES[good]
        pieces = [bounds(6, y - 7.5, 118, 15), barrel(20, y, name, 6), label(36, y, f"{view.goods[seat, good]} {name}", 12, INK, "start")]
        parts.append(place(f"player:{seat}:good:{good}", pieces))
    return [*parts, *windrose(view, seat), *island(view, seat), *city(view, seat)]


def windrose(view: Any, seat: int) -> list[str]:
    """Colonists and nobles that have no place."""
    waiting, nobles = int(view.workers[seat, WINDROSE]), int(view.nobles_at[seat, WINDROSE])
    if not waiting:
        return []
    parts, x = [bounds(6, 153, 118, 17)], 14.0
    for count, who in ((waiting - nobles, "colonist"), (nobles, "noble")):
        if count:
            parts += [circle(x, 161, 5, COLONIST if who == "colonist" else NOBLE), label(x + 8, 161, str(count), 12, INK, "start", True)]
            x += 28
    return [place(f"player:{seat}:windrose", [*parts, label(x - 2, 161, "windrose", 12, QUIET, "start")])]


def island(view: Any, seat: int) -> list[str]:
    parts = [place(f"player:{seat}:island", [rect(130, 30, 4 * (CELL + 4) + 4, 3 * (CELL + 4) + 4, SAND, 6)])]
    laid = []
    for name, count, colonists, nobles in tiles(view, seat):
        laid += [(name, who) for who in crew(colonists + nobles, nobles, count)]
    for i, (name, who) in enumerate(laid):
        drawn = tile(134 + (i % 4) * (CELL + 4), 34 + (i // 4) * (CELL + 4), name, who)
        parts.append(place(f"player:{seat}:tile:{TILE_NAMES.index(name)}", drawn))
    return parts


def city(view: Any, seat: int) -> list[str]:
    """Large buildings first, on two places side by side."""
    left, top = 318, 30
    parts = [rect(left, top, 4 * (CITY_CELL + 2) + 2, 3 * (ROW + 4) + 4, TOWN, 6)]
    built = sorted((b for b in kinds_in_play(view) if view.built[seat, b]), key=lambda b: (-IS_LARGE[b], b))
    at = 0
    for b in built:
        x, y = left + 2 + (at % 4) * (CITY_CELL + 2), top + 4 + (at // 4) * (ROW + 4)
        places = 2 if IS_LARGE[b] else 1
        wide = places * CITY_CELL + (places - 1) * 2
        fill, ink = colours_of(b)
        house = [rect(x, y, wide, ROW, fill, 4, "#8d8198", 1), label(x + 6, y + 12, BUILDING_NAMES[b], 12, ink, "start", True, wide - 12)]
        for i, who in enumerate(crew(int(view.workers[seat, b]), int(view.nobles_at[seat, b]), int(SLOTS[b]))):
            house.append(slot(x + 14 + i * 18, y + 28, who))
        house.append(label(x + wide - 6, y + 29, f"{POINTS[b]} VP", 11, ink, "end"))
        parts.append(place(f"player:{seat}:building:{b}", house))
        at += places
    assert at <= CITY
    return parts
