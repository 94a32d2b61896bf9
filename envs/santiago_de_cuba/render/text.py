"""The board as text, as one seat sees it."""

from collections.abc import Sequence
from typing import Any

from ...core.render.labels import WIDTH, amount, heading, is_over, joined, player
from ...core.render.views import plain_view
from ..tables import (
    BUILDING_NAMES,
    CUBAN_NAMES,
    DEMANDED_GOODS,
    EMPTY,
    FLOWER_NAMES,
    FLOWER_OF_CUBAN,
    GOOD_NAMES,
    GOODS,
    GOODS_FOR_A_POINT,
    HIGHEST_VALUE,
    LOWEST_VALUE,
    PORT,
    SHIPS,
    SITES_OF_A_FLOWER,
    STOPS,
)
from .labels import (
    BUILDING_EFFECTS,
    CUBAN_EFFECTS,
    FLOWERS_AND_NONE,
    decision,
    die,
    is_rolled,
    marks,
    outcome,
    pawn_in,
    ship,
    standings,
    stops_ahead,
    turn,
)
from .svg import svg

__all__ = ["svg", "text"]

STOP_WIDTH = 13  # inside a stop's box
SITE_WIDTH = 19  # inside a building's box
LABEL_WIDTH = 20
HOLDINGS = ("pesos", "points", "markers")
# Wide enough for "aside" under every good and for four digits under every holding.
COLUMNS = tuple(max(len(name) + 1, 6) for name in (*GOOD_NAMES, *HOLDINGS))

Box = tuple[str, ...]


def text(view: Any, seat: int | None) -> str:
    """The whole board in plain lines, without colours; for a spectator if the seat is None."""
    view = plain_view(view)
    parts = [header(view, seat), table(view, seat), street(view), buildings(view)]
    if is_over(view):
        parts.insert(1, final_scores(view, seat))
    return joined(parts)


def header(view: Any, seat: int | None) -> list[str]:
    title = f"SANTIAGO DE CUBA, {turn(view)}"
    tracks = f"{ship(view)}: {track(1, SHIPS, view.ship)}"
    value = f"Value of a good: {track(LOWEST_VALUE, HIGHEST_VALUE, view.value)}"
    now = outcome(view, seat) if is_over(view) else decision(view, seat)
    return [*heading(title, seat), f"{tracks}{value:>{WIDTH - len(tracks)}}", now]


def track(first: int, last: int, here: Any) -> str:
    """Numbers in a row, the marker's in brackets."""
    return "".join(f"[{n}]" if n == here else f" {n} " for n in range(first, last + 1))


def final_scores(view: Any, seat: int | None) -> list[str]:
    """SC-END-2, with the tie-breaks in order."""
    lines = [f"FINAL SCORES{'points':>16}{'for goods':>11}{'final':>8}{'goods left':>13}{'pesos':>8}"]
    for row in standings(view):
        name = f"{row.rank}. {player(row.seat, seat)}"
        lines.append(f"{name:<22}{row.points:>6}{row.final - row.points:>11}{row.final:>8}{row.goods:>13}{row.pesos:>8}")
    lines.append(f"Every {GOODS_FOR_A_POINT} goods left are 1 point. Ties: goods left, then pesos, then shared.")
    return lines


def table(view: Any, seat: int | None) -> list[str]:
    """Dice, supply and every player's holdings, one column per good."""
    dice = [die(view, good) for good in range(DEMANDED_GOODS)]
    dice_label = "rolled" if is_rolled(view) else "ship wants" if view.in_port else "no ship"
    lines = [
        row("", (*GOOD_NAMES, *HOLDINGS)),
        row(dice_label, dice),
        row("supply", [str(view.supply[good]) for good in range(GOODS)]),
    ]
    for other in range(view.players):
        goods = [amount(view.goods[other, good]) for good in range(GOODS)]
        holdings = (amount(view.pesos[other]), amount(view.points[other]), str(view.markers[other]))
        lines.append(row(" ".join([f"P{other}", *marks(view, other, seat)]), (*goods, *holdings)))
    return lines


def row(label: str, cells: Sequence[str]) -> str:
    return f"{label:<{LABEL_WIDTH}}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, COLUMNS, strict=False))


def street(view: Any) -> list[str]:
    """The ring of stops: the first five from left to right, the others below them and back."""
    half = STOPS // 2
    stops = [stop_box(view, stop) for stop in range(STOPS)]
    above, below = stops[:half], stops[: -half - 1 : -1]
    middle = (STOP_WIDTH + 2) // 2
    turning = f"{'^':>{middle + 1}}{'v':>{len(side_by_side(above, '>')[0]) - 2 * middle - 1}}"
    return [
        "STREET, clockwise from the port; +n: stops ahead of the car",
        *side_by_side(above, ">"),
        turning,
        *side_by_side(below, "<"),
    ]


def stop_box(view: Any, stop: int) -> Box:
    place = "CAR" if stop == view.car else f"+{stops_ahead(view, stop)}"
    if stop == PORT:
        return box(STOP_WIDTH, (f"PORT{place:>{STOP_WIDTH - 4}}", "deliver goods", f"{view.value} points each"))
    cuban = view.street[stop - 1]
    name = CUBAN_NAMES[cuban]
    effect = "(inactive)" if view.inactive[cuban] else CUBAN_EFFECTS[cuban]
    return box(STOP_WIDTH, (f"{name}{place:>{STOP_WIDTH - len(name)}}", FLOWERS_AND_NONE[FLOWER_OF_CUBAN[cuban]], effect))


def box(width: int, lines: Sequence[str]) -> Box:
    edge = "+" + "-" * width + "+"
    return (edge, *(f"|{line:<{width}}|" for line in lines), edge)


def side_by_side(boxes: Sequence[Box], arrow: str) -> list[str]:
    """Boxes in a row, an arrow from each to the next at half height."""
    height = len(boxes[0])
    gaps = [arrow if line == height // 2 else " " * len(arrow) for line in range(height)]
    return [gap.join(lines) for gap, lines in zip(gaps, zip(*boxes, strict=True), strict=True)]


def buildings(view: Any) -> list[str]:
    """Four flowers side by side, the three sites of each below it."""
    edge = ("+" + "-" * SITE_WIDTH) * len(FLOWER_NAMES)
    lines = ["BUILDINGS, by flower", edge, site_line([f"{name.upper()} FLOWER" for name in FLOWER_NAMES]), edge]
    for place in range(SITES_OF_A_FLOWER):
        here = [int(view.sites[flower * SITES_OF_A_FLOWER + place]) for flower in range(len(FLOWER_NAMES))]
        lines.append(site_line([BUILDING_NAMES[building] for building in here]))
        lines.append(site_line([BUILDING_EFFECTS[building] for building in here]))
        lines.append(site_line([occupants(view, building) for building in here]))
        lines.append(edge)
    return lines


def site_line(cells: Sequence[str]) -> str:
    return "".join(f"|{cell:<{SITE_WIDTH}}" for cell in cells)


def occupants(view: Any, building: int) -> str:
    owner, pawn = view.owner[building], pawn_in(view, building)
    left = "" if owner == EMPTY else f"owner P{owner}"
    right = "" if pawn == EMPTY else f"pawn P{pawn}"
    return f"{left}{right:>{SITE_WIDTH - len(left)}}"
