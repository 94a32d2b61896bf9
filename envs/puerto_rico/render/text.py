"""The board as text, as one seat sees it."""

from typing import Any

from ...core.render.labels import WIDTH, heading, is_over, joined, player
from ...core.render.views import plain_view
from ...core.render.words import many
from ..tables import BUILDING_NAMES, CITY, COLUMN, COST, GOOD_NAMES, GOODS, ISLAND, LARGE_COLUMN, ROLE_NAMES, SLOTS, WINDROSE
from .labels import (
    counted,
    decision,
    headline,
    holdings,
    house,
    kinds_in_play,
    marks,
    outcome,
    points,
    roles,
    ships,
    sources,
    standings,
    tiles,
)
from .svg import svg

__all__ = ["svg", "text"]

COLONIST, NOBLE, VACANT = "o", "N", "."
PLURAL = {"quarry": "quarries", "forest": "forests"}  # plantations are called by their good


def text(view: Any, seat: int | None) -> str:
    """The whole board in plain lines, without colours; for a spectator if the seat is None."""
    view = plain_view(view)
    parts = [header(view, seat), table(view), market(view)]
    parts += [board(view, ((seat or 0) + offset) % int(view.players), seat) for offset in range(view.players)]
    if is_over(view):
        parts.insert(1, final_scores(view, seat))
    return joined(parts)


def header(view: Any, seat: int | None) -> list[str]:
    title = f"PUERTO RICO, {headline(view)}"
    now = outcome(view, seat) if is_over(view) else decision(view, seat)
    return [*heading(title, seat), now]


def final_scores(view: Any, seat: int | None) -> list[str]:
    """PR-END-2; ties go by doubloons and goods."""
    heads = [*(source.replace("_", " ") for source in sources(view)), "final", "money+goods"]
    lines = [f"{'FINAL SCORES':<20}" + "".join(f"  {head:>5}" for head in heads)]
    for row in standings(view):
        values = [*(row.parts[source] for source in sources(view)), row.final, row.wealth]
        name = f"{row.rank}. {player(row.seat, seat)}"
        lines.append(f"{name:<20}" + "".join(f"  {value:>{max(5, len(head))}}" for head, value in zip(heads, values, strict=True)))
    return lines


def table(view: Any) -> list[str]:
    """Roles, ships, trading house, plantations, supplies."""
    said = []
    for role in roles(view):
        owner = view.role_owner[role]
        doubloons = f" +{view.role_doubloons[role]}" if view.role_doubloons[role] else ""
        said.append(f"{ROLE_NAMES[role]}{doubloons}" if owner < 0 else f"({ROLE_NAMES[role]}: P{owner})")
    nobles = f" and {many(view.ship_nobles, 'noble')}" if view.nobles else ""
    nobles_left = f", {many(view.nobles_left, 'noble')}" if view.nobles else ""
    return [
        f"Roles        {'   '.join(said)}",
        "Ships        " + "   ".join(f"{size}: [{'#' * load}{'.' * (size - load)}] {good}".rstrip() for size, good, load in ships(view)),
        "House        " + " ".join(f"[{good}]" for good in house(view)),
        f"Open         {counted(holdings(view.face_up))}, quarry ({view.quarries_left} left)",
        f"Face down    {counted(holdings(view.stack))}; discarded {counted(holdings(view.discards))}",
        f"Colonists    {view.ship_colonists}{nobles} on the ship, {view.colonists_left}{nobles_left} in the supply",
        f"Supply       {counted([(GOOD_NAMES[g], int(view.goods_left[g])) for g in range(GOODS)])}; {many(view.chips_left, 'point')}",
    ]


def market(view: Any) -> list[str]:
    """The buildings on the board by column: cost, name, copies left."""
    lines = ["BUILDINGS, by column; cost, name, copies left"]
    for column in range(1, LARGE_COLUMN + 1):
        kinds = sorted((b for b in kinds_in_play(view) if COLUMN[b] == column), key=lambda b: (COST[b], b))
        cells = [f"{COST[b]} {BUILDING_NAMES[b]} x{view.buildings_left[b]}" for b in kinds if view.buildings_left[b] > 0]
        line = f"  {column}  "
        for cell in cells:
            if len(line) + len(cell) + 3 > WIDTH:
                lines.append(line)
                line = "     "
            line += cell + " | " if cell != cells[-1] else cell
        lines.append(line)
    return lines


def board(view: Any, seat: int, viewer: int | None) -> list[str]:
    """One player's windrose, island and city. Slots: o a colonist, N a noble, . empty."""
    name = f"P{seat} {player(seat, viewer)}"
    said = ", ".join(marks(view, seat))
    waiting = people(int(view.workers[seat, WINDROSE]), int(view.nobles_at[seat, WINDROSE]), 0)
    island = [
        f"{many(count, tile, PLURAL.get(tile, tile))} {people(here + nobles, nobles, count) if tile != 'forest' else ''}".rstrip()
        for tile, count, here, nobles in tiles(view, seat)
    ]
    city = []
    for b in kinds_in_play(view):
        if view.built[seat, b]:
            city.append(f"{BUILDING_NAMES[b]} {people(int(view.workers[seat, b]), int(view.nobles_at[seat, b]), int(SLOTS[b]))}".rstrip())
    owned = f"{many(view.doubloons[seat], 'doubloon')}, {many(points(view, seat), 'point')}"
    lines = [
        f"{name}{': ' + said if said else ''}",
        f"  windrose   {owned}, goods: {counted(holdings(view.goods[seat]))}" + (f", waiting: {waiting}" if waiting else ""),
        *wrapped(f"  island {f'{view.island[seat]}/{ISLAND}':<6}", island),
        *wrapped(f"  city {f'{view.city[seat]}/{CITY}':<8}", city),
    ]
    return lines


def people(here: int, nobles: int, slots: int) -> str:
    """Who stands in a row of slots."""
    nobles = min(here, nobles)
    return NOBLE * nobles + COLONIST * (here - nobles) + VACANT * (slots - here)


def wrapped(label: str, cells: list[str]) -> list[str]:
    """Cells behind a label, in as many lines as they need."""
    lines = [label]
    for cell in cells or ["-"]:
        if len(lines[-1]) + len(cell) + 2 > WIDTH:
            lines.append(" " * len(label))
        lines[-1] += ("" if len(lines[-1]) == len(label) else ", ") + cell
    return lines
