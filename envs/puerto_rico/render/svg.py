"""The board as SVG: the table on the left, the players' islands and cities on the right."""

from typing import Any

from ...core.render.labels import is_over, player
from ...core.render.svg import INK, circle, document, group, label, panel, rect, ring
from ..tables import BUILDING_NAMES, CITY, COLUMN, COST, IS_LARGE, IS_PRODUCTION, LARGE_COLUMN, ROLE_NAMES, SLOTS, WINDROSE
from .labels import decision, headline, holdings, house, kinds_in_play, marks, outcome, points, roles, ships, tiles

PAPER, SEA, SAND, TOWN, COLONIST, NOBLE, GOLD = "#f7f1e3", "#d7e6ea", "#eadfc4", "#efe9df", "#6b4226", "#c62f2f", "#e3b23c"
COLOURS = {
    "corn": "#e8c93a",
    "indigo": "#3f5fa8",
    "sugar": "#fafafa",
    "tobacco": "#c98a4b",
    "coffee": "#5f4a3c",
    "quarry": "#9a9a9a",
    "forest": "#3f7d4a",
}
VIOLET, WORKSHOP = "#cdbfe0", "#c9d8b6"
MARGIN, TABLE_WIDTH, BOARD_WIDTH, BOARD_HEIGHT, HEAD = 14, 470, 860, 172, 56
CELL, CITY_CELL, ROW = 40, 132, 40
DARK = ("indigo", "coffee", "forest", "tobacco")


def svg(view: Any, seat: int) -> str:
    players = int(view.players)
    height = HEAD + max(players * (BOARD_HEIGHT + 8), 720) + MARGIN
    width = 3 * MARGIN + TABLE_WIDTH + BOARD_WIDTH
    now = outcome(view, seat) if is_over(view) else decision(view, seat)
    parts = [
        rect(0, 0, width, height, PAPER),
        label(MARGIN, 20, f"Puerto Rico, {headline(view)}", 20, INK, "start", True),
        label(MARGIN, 42, now, 14, INK, "start"),
        label(width - MARGIN, 20, f"seen by player_{seat}", 13, "#6d6154", "end"),
        group(table(view), MARGIN, HEAD),
    ]
    for offset in range(players):
        other = (seat + offset) % players
        parts.append(group(board(view, other, seat), 2 * MARGIN + TABLE_WIDTH, HEAD + offset * (BOARD_HEIGHT + 8)))
    return document(width, height, f"Puerto Rico, {headline(view)}", parts)


def table(view: Any) -> list[str]:
    return [*role_cards(view), *cargo_ships(view), *trading_house(view), *supplies(view), *market(view)]


def role_cards(view: Any) -> list[str]:
    """The roles with the doubloons on them; taken ones are pale."""
    parts = [panel(0, 0, TABLE_WIDTH, 112, "Roles")]
    for i, role in enumerate(roles(view)):
        x, y = 10 + (i % 4) * 114, 26 + (i // 4) * 42
        owner = int(view.role_owner[role])
        fill = "#fff6d8" if owner < 0 else "#ece7de"
        stroke = "#a33" if role == view.role else "#c9bda8"
        parts.append(rect(x, y, 108, 36, fill, 6, stroke, 2 if role == view.role else 1))
        parts.append(label(x + 8, y + 18, ROLE_NAMES[role], 13, INK, "start", True, 72))
        if owner >= 0:
            parts.append(label(x + 102, y + 18, f"P{owner}", 12, "#6d6154", "end"))
        elif view.role_doubloons[role] > 0:
            parts += coin(x + 94, y + 18, int(view.role_doubloons[role]))
    return parts


def coin(x: float, y: float, count: int) -> list[str]:
    return [circle(x, y, 10, GOLD, "#a67c1f", 1), label(x, y, str(count), 12, INK, bold=True, room=17)]


def barrel(x: float, y: float, good: str, size: float = 7) -> str:
    return circle(x, y, size, COLOURS[good], INK, 1)


def cargo_ships(view: Any) -> list[str]:
    parts = [panel(0, 120, 300, 126, "Cargo ships", SEA)]
    for row, (size, good, load) in enumerate(ships(view)):
        y = 156 + row * 32
        parts.append(rect(10, y - 13, 34 + 22 * size, 26, "#b98d5e", 10, "#7d5a36", 1))
        parts.append(label(24, y, str(size), 13, "#ffffff", bold=True))
        for place in range(size):
            x = 48 + 22 * place
            parts.append(barrel(x, y, good, 8) if place < load else ring(x, y, 8, "#f3e3cf", 1.5))
        parts.append(label(50 + 22 * size, y, good, 12, INK, "start"))
    return parts


def trading_house(view: Any) -> list[str]:
    parts = [panel(308, 120, 162, 126, "Trading house")]
    for place, good in enumerate(house(view)):
        x, y = 345 + (place % 2) * 80, 162 + (place // 2) * 47
        parts.append(ring(x, y, 16, "#c9bda8", 1.5))
        if good:
            parts += [barrel(x, y, good, 12), label(x, y + 23, good, 10)]
    return parts


def supplies(view: Any) -> list[str]:
    """Open plantations, the colonist ship, and what is left of everything."""
    parts = [panel(0, 254, TABLE_WIDTH, 116, "Plantations, colonists, supply")]
    shown = [name for name, count in holdings(view.face_up) for _ in range(count)] + ["quarry"] * int(view.quarries_left > 0)
    for i, name in enumerate(shown):
        parts += tile(10 + i * 46, 279, name, "")
    left = len(shown) * 46 + 14
    parts.append(label(left, 288, f"{view.quarries_left} quarries, {int(view.stack.sum())} face down", 12, INK, "start"))
    parts.append(label(left, 306, f"{int(view.discards.sum())} discarded", 12, INK, "start"))
    aboard = f"{view.ship_colonists} colonists" + (f", {view.ship_nobles} nobles" if view.nobles else "")
    rest = f"{view.colonists_left}" + (f" and {view.nobles_left} nobles" if view.nobles else "")
    parts.append(label(10, 334, f"Colonist ship: {aboard}; supply: {rest}; {view.chips_left} points", 12, INK, "start", room=450))
    for i, (good, count) in enumerate(zip(list(COLOURS)[:5], view.goods_left, strict=True)):
        parts += [barrel(18 + i * 88, 355, good), label(30 + i * 88, 355, f"{count} {good}", 12, INK, "start")]
    return parts


def market(view: Any) -> list[str]:
    """The buildings left, in their four columns."""
    kinds = kinds_in_play(view)
    tallest = max(sum(COLUMN[b] == column for b in kinds) for column in range(1, LARGE_COLUMN + 1))
    line = min(22, 300 / tallest)
    parts = [panel(0, 378, TABLE_WIDTH, 34 + tallest * line, "Buildings: cost, name, copies left")]
    for column in range(1, LARGE_COLUMN + 1):
        listed = sorted((b for b in kinds if COLUMN[b] == column), key=lambda b: (COST[b], b))
        for row, b in enumerate(listed):
            x, y = 8 + (column - 1) * 115, 402 + row * line
            sold_out = view.buildings_left[b] == 0
            parts.append(rect(x, y, 111, line - 2, "#f1eee8" if sold_out else WORKSHOP if IS_PRODUCTION[b] else VIOLET, 3))
            words = f"{COST[b]}  {BUILDING_NAMES[b]}  x{view.buildings_left[b]}"
            parts.append(label(x + 4, y + line / 2 - 1, words, 11, "#a9a196" if sold_out else INK, "start", room=104))
    return parts


def tile(x: float, y: float, name: str, who: str) -> list[str]:
    """An island tile; `who` stands on it: a colonist, a noble or nobody."""
    parts = [rect(x, y, CELL, CELL, COLOURS[name], 4, "#7d7466", 1)]
    parts.append(label(x + CELL / 2, y + 8, name, 9, "#ffffff" if name in DARK else INK, room=CELL - 4))
    if name != "forest":
        parts.append(slot(x + CELL / 2, y + 26, who))
    return parts


def slot(x: float, y: float, who: str) -> str:
    return circle(x, y, 7, {"colonist": COLONIST, "noble": NOBLE, "": "#ffffff"}[who], "#f2ece0" if who else "#3d352d", 1)


def crew(here: int, nobles: int, slots: int) -> list[str]:
    nobles = min(here, nobles)
    return ["noble"] * nobles + ["colonist"] * (here - nobles) + [""] * (slots - here)


def board(view: Any, seat: int, viewer: int) -> list[str]:
    """One player: windrose, island, city."""
    decides = seat == view.seat and not is_over(view)
    parts = [rect(0, 0, BOARD_WIDTH, BOARD_HEIGHT, "#fffdf8", 8, "#a33" if decides else "#c9bda8", 2 if decides else 1)]
    parts.append(label(10, 14, player(seat, viewer), 14, INK, "start", True))
    parts.append(label(130, 14, ", ".join(marks(view, seat)), 12, "#8a3b2d", "start", room=700))
    parts += [*coin(22, 42, int(view.doubloons[seat])), label(38, 42, "doubloons", 12, INK, "start")]
    parts.append(label(12, 66, f"{points(view, seat)} points", 13, INK, "start", True))
    for i, (good, count) in enumerate(holdings(view.goods[seat])):
        parts += [barrel(20, 88 + i * 16, good, 6), label(32, 88 + i * 16, f"{count} {good}", 11, INK, "start")]
    waiting = crew(int(view.workers[seat, WINDROSE]), int(view.nobles_at[seat, WINDROSE]), 0)
    for i, who in enumerate(waiting[:8]):
        parts.append(slot(112, 40 + i * 16, who))
    if len(waiting) > 8:
        parts.append(label(112, 40 + 8 * 16 - 4, f"+{len(waiting) - 8}", 10))
    return [*parts, *island(view, seat), *city(view, seat)]


def island(view: Any, seat: int) -> list[str]:
    parts = [rect(130, 26, 4 * (CELL + 4) + 4, 3 * (CELL + 4) + 4, SAND, 6)]
    laid = []
    for name, count, colonists, nobles in tiles(view, seat):
        laid += [(name, who) for who in crew(colonists + nobles, nobles, count)]
    for i, (name, who) in enumerate(laid):
        parts += tile(134 + (i % 4) * (CELL + 4), 30 + (i // 4) * (CELL + 4), name, who)
    return parts


def city(view: Any, seat: int) -> list[str]:
    """Large buildings first, on two places side by side."""
    left, top = 318, 26
    parts = [rect(left, top, 4 * (CITY_CELL + 2) + 2, 3 * (ROW + 4) + 4, TOWN, 6)]
    built = sorted((b for b in kinds_in_play(view) if view.built[seat, b]), key=lambda b: (-IS_LARGE[b], b))
    at = 0
    for b in built:
        x, y = left + 2 + (at % 4) * (CITY_CELL + 2), top + 4 + (at // 4) * (ROW + 4)
        places = 2 if IS_LARGE[b] else 1
        wide = places * CITY_CELL + (places - 1) * 2
        parts.append(rect(x, y, wide, ROW, WORKSHOP if IS_PRODUCTION[b] else VIOLET, 4, "#8d8198", 1))
        parts.append(label(x + 6, y + 12, BUILDING_NAMES[b], 12, INK, "start", True, wide - 12))
        for i, who in enumerate(crew(int(view.workers[seat, b]), int(view.nobles_at[seat, b]), int(SLOTS[b]))):
            parts.append(slot(x + 14 + i * 18, y + 29, who))
        at += places
    assert at <= CITY
    return parts
