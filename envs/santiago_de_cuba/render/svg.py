"""The board as SVG: the bay with its ship in the middle, the street around it, the buildings around the street."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...core.render.labels import amount, is_over, seen_by, titled
from ...core.render.svg import (
    INK,
    SEAT_COLOURS,
    area,
    around,
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
    polygon,
    rect,
    ring,
    star,
    title_bar,
)
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
    HIGHEST_VALUE,
    LOWEST_VALUE,
    MARKERS,
    PORT,
    SHIPS,
    SITES_OF_A_FLOWER,
    STOPS,
    Flower,
)
from .labels import BUILDING_EFFECTS, CUBAN_EFFECTS, Standing, decision, is_rolled, marks, outcome, pawn_in, ship, standings, turn

WIDTH, HEIGHT = 1200, 800
MARGIN = 12
HEADER = 60
MIDDLE = (430, 428)  # of the bay
STREET_RADIUS, STOP_RADIUS = 188, 42
ROAD_RADIUS, ROAD_WIDTH = 130, 28
BAY_RADIUS = 112
SITE = (152, 84)
GAP = 8
GROUP_HEADING = 24
CORNER = (168, 178)
LEFT, RIGHT = MARGIN, 2 * MIDDLE[0] - MARGIN - CORNER[0]
TOP, BOTTOM = HEADER + MARGIN, HEIGHT - MARGIN - CORNER[1]
PLAYER = (328, 172)

GROUND, PAPER, FRAME, QUIET = "#efe6d4", "#fffdf8", "#c9bda8", "#7d7265"
ROAD, SEA, DEEP, FADED = "#8f8a83", "#a9d3e6", "#1d4a61", "#d9d4cb"
FLOWER_COLOURS = ("#f5c518", "#3f7fd0", "#d8403a", "#ffffff", "none")
FLOWER_TINTS = ("#fdf3c7", "#dbe8f8", "#f9dcd9", "#f7f5f1", "#f3efe7")
GOOD_COLOURS = ("#ffffff", "#4c9a4a", "#c8372d", "#35302c", "#f08a24", "#8a5a33")
GOOD_INKS = (INK, "#ffffff", "#ffffff", "#ffffff", INK, "#ffffff")


def svg(view: Any, seat: int | None, names: Sequence[str] = ()) -> str:
    """The whole board, 1200 by 800; for a spectator if the seat is None."""
    view = plain_view(view)
    now = outcome(view, seat) if is_over(view) else decision(view, seat)
    parts = [
        rect(0, 0, WIDTH, HEIGHT, GROUND),
        banner(WIDTH, HEADER, "#4a3b2f", "Santiago de Cuba", turn(view) + seen_by(seat), now),
        area("street", "Street", [*street(view), *bay(view)]),
        *buildings(view),
        supply(view),
        ship_track(view),
        value_track(view),
        legend(),
        *players(view, seat, names),
    ]
    return document(WIDTH, HEIGHT, f"Santiago de Cuba{seen_by(seat)}", parts)


# The street


def street(view: Any) -> Iterator[str]:
    x, y = MIDDLE
    yield ring(x, y, ROAD_RADIUS, ROAD, ROAD_WIDTH)
    yield ring(x, y, ROAD_RADIUS, "#ffffff", 1.5, "8 8")
    for stop in range(STOPS):
        at = around(x, y, STREET_RADIUS, 360 / STOPS * stop)
        pieces = port_stop() if stop == PORT else cuban_stop(view, int(view.street[stop - 1]))
        yield place(f"stop:{stop}", [group(pieces, *at)])
    degrees = 360 / STOPS * int(view.car)
    yield group(car(), *around(x, y, ROAD_RADIUS, degrees), angle=degrees)


def port_stop() -> Iterator[str]:
    yield circle(0, 0, STOP_RADIUS, "#2f6f8f", DEEP, 2)
    yield ring(0, -22, 4, "#ffffff", 2.5)
    yield path("M0 -18 V6 M-8 -11 H8 M-13 -4 Q-11 6 0 6 Q11 6 13 -4", "none", "#ffffff", 2.5)
    yield label(0, 19, "Port", 14, "#ffffff", bold=True)


def cuban_stop(view: Any, cuban: int) -> Iterator[str]:
    colour = int(FLOWER_OF_CUBAN[cuban])
    if view.inactive[cuban]:
        yield circle(0, 0, STOP_RADIUS, FADED, "#a39b90", 2)
        yield group([flower(colour, 10)], 0, -23, opacity=0.35)
        yield label(0, -1, CUBAN_NAMES[cuban], 13, QUIET, bold=True, room=2 * STOP_RADIUS - 12)
        yield label(0, 16, "inactive", 11, QUIET)
    else:
        yield circle(0, 0, STOP_RADIUS, FLOWER_TINTS[colour], "#6d6154", 2)
        yield group([flower(colour, 10)], 0, -23)
        yield label(0, -1, CUBAN_NAMES[cuban], 13, bold=True, room=2 * STOP_RADIUS - 12)
        yield label(0, 16, CUBAN_EFFECTS[cuban], 11, room=2 * STOP_RADIUS - 18)


def flower(colour: int, radius: float) -> str:
    """Five petals; a transparent flower has only their outlines."""
    outline = "#8a8175" if colour in (Flower.WHITE, Flower.TRANSPARENT) else "#5a4a3a"
    petals = [circle(*around(0, 0, radius * 0.55, 72 * petal), radius * 0.45, FLOWER_COLOURS[colour], outline, 1) for petal in range(5)]
    heart = circle(0, 0, radius * 0.3, "#ffffff" if colour == Flower.TRANSPARENT else "#e9a13b", outline, 1)
    return group([*petals, heart])


def car() -> Iterator[str]:
    """Seen from above, driving to the right."""
    for wheel in (-13, 6):
        yield rect(wheel, -11, 7, 22, INK, 2)
    yield rect(-19, -9, 38, 18, "#e23b7a", 6, "#7a1740", 1.5)
    yield rect(-9, -7, 15, 14, "#cdeaf5", 3, "#7a1740", 1)


# The bay, and the ship in it


def bay(view: Any) -> Iterator[str]:
    yield circle(*MIDDLE, BAY_RADIUS, SEA, "#6aa9c4", 2)
    if is_rolled(view):
        parts = rolled_dice(view)
    elif view.in_port:
        parts = loaded_ship(view)
    else:
        parts = iter([label(0, 0, "no ship in port", 15, DEEP)])
    yield group(parts, *MIDDLE)


def rolled_dice(view: Any) -> Iterator[str]:
    yield label(0, -50, f"rolled for ship {view.ship}", 15, DEEP, bold=True)
    for good in range(DEMANDED_GOODS):
        x = 42 * (good - (DEMANDED_GOODS - 1) / 2)
        yield place(f"die:{good}", [group(good_square(good, str(view.dice[good]), 34), x, -6)])
        yield label(x, 22, GOOD_NAMES[good], 11, DEEP, room=40)
    yield label(0, 56, "one goes aside", 13, DEEP)


def loaded_ship(view: Any) -> Iterator[str]:
    yield label(0, -78, f"ship {view.ship} wants", 15, DEEP, bold=True)
    yield polygon([(-104, -6), (104, -6), (88, 30), (-84, 30)], "#8a5a33", "#57361c", 2)
    wanted = [good for good in range(DEMANDED_GOODS) if good != view.aside]
    for at, good in enumerate(wanted):
        x = 45 * (at - (len(wanted) - 1) / 2)
        yield place(f"die:{good}", [group(good_square(good, str(view.demand[good]), 36), x, -28)])
        yield label(x, 6, GOOD_NAMES[good], 11, "#ffffff", room=43)
    yield place(f"die:{view.aside}", [group(good_square(int(view.aside), str(view.dice[view.aside]), 26), -46, 60, opacity=0.55)])
    yield label(-26, 60, f"aside: {GOOD_NAMES[view.aside]}", 13, DEEP, "start", room=106)


def good_square(good: int, inscription: str, size: float) -> Iterator[str]:
    """A die, or a heap of a good with how many there are."""
    yield rect(-size / 2, -size / 2, size, size, GOOD_COLOURS[good], size / 6, "#5a4a3a", 1.5)
    yield label(0, 0, inscription, size * 0.56, GOOD_INKS[good], bold=True)


# The buildings


def buildings(view: Any) -> Iterator[str]:
    """Yellow above the street, blue right of it, red below, white left."""
    x, y = MIDDLE
    width, height = SITE
    row = (SITES_OF_A_FLOWER * (width + GAP) + GAP, GROUP_HEADING + height + GAP)
    column = (width + 2 * GAP, GROUP_HEADING + SITES_OF_A_FLOWER * (height + GAP))
    yield flower_group(view, Flower.YELLOW, x - row[0] / 2, TOP, row)
    yield flower_group(view, Flower.BLUE, 2 * x - LEFT - column[0], y - column[1] / 2, column)
    yield flower_group(view, Flower.RED, x - row[0] / 2, HEIGHT - MARGIN - row[1], row)
    yield flower_group(view, Flower.WHITE, LEFT, y - column[1] / 2, column)


def flower_group(view: Any, colour: int, x: float, y: float, size: tuple[float, float]) -> str:
    """The three sites under one flower, side by side if the area is wide."""
    is_row = size[0] > size[1]
    parts = [
        rect(0, 0, *size, FLOWER_TINTS[colour], 10, FRAME, 1.5),
        group([flower(colour, 9)], 18, 13),
        label(33, 13, f"{FLOWER_NAMES[colour]} flower", 13, QUIET, "start", True),
    ]
    for at in range(SITES_OF_A_FLOWER):
        building = int(view.sites[colour * SITES_OF_A_FLOWER + at])
        across, down = (at, 0) if is_row else (0, at)
        pieces = group(site(view, building), GAP + across * (SITE[0] + GAP), GROUP_HEADING + down * (SITE[1] + GAP))
        parts.append(place(f"building:{building}", [pieces]))
    return area(f"flower:{colour}", f"{FLOWER_NAMES[colour].capitalize()} flower", [group(parts, x, y)])


def site(view: Any, building: int) -> Iterator[str]:
    width, height = SITE
    is_in_use = not is_over(view) and view.building == building
    yield rect(0, 0, width, height, PAPER, 6, *frame(is_in_use, FRAME))
    yield label(width / 2, 15, BUILDING_NAMES[building], 14, bold=True, room=width - 12)
    yield label(width / 2, 33, BUILDING_EFFECTS[building], 12, QUIET, room=width - 12)
    owner, visitor = int(view.owner[building]), pawn_in(view, building)
    if owner != EMPTY:
        yield group(owner_marker(owner), 42, 62)
    if visitor != EMPTY:
        yield group(pawn(visitor), 110, 62)


def owner_marker(seat: int) -> Iterator[str]:
    """A little house."""
    yield polygon([(-15, -3), (0, -16), (15, -3), (12, -3), (12, 14), (-12, 14), (-12, -3)], SEAT_COLOURS[seat], "#2b2622", 1)
    yield label(0, 4, str(seat), 14, "#ffffff", bold=True)


def pawn(seat: int) -> Iterator[str]:
    yield path("M-12 15 Q-4 4 -6 -4 A8 8 0 1 1 6 -4 Q4 4 12 15 Z", SEAT_COLOURS[seat], "#2b2622", 1)
    yield label(0, 6, str(seat), 12, "#ffffff", bold=True)


# The corners: supply, tracks, legend


def corner(x: float, y: float, title: str, parts: Iterable[str]) -> str:
    return area(title.lower(), title, [group([panel(0, 0, *CORNER, title, PAPER, FRAME), *parts], x, y)])


def supply(view: Any) -> str:
    heaps = []
    for good in range(GOODS):
        heap = group(goods_heap(good, str(view.supply[good])), 32 + 52 * (good % 3), 56 + 72 * (good // 3))
        heaps.append(place(f"supply:{good}", [heap]))
    return corner(LEFT, TOP, "Supply", heaps)


def goods_heap(good: int, count: str) -> Iterator[str]:
    yield from good_square(good, count, 34)
    yield label(0, 28, GOOD_NAMES[good], 12, QUIET)


def ship_track(view: Any) -> str:
    ships = [group(track_ship(at + 1, int(view.ship)), 26 + 39 * (at % 4), 58 + 58 * (at // 4)) for at in range(SHIPS)]
    return corner(RIGHT, TOP, "Ships", [*ships, label(CORNER[0] / 2, 160, ship(view), 13, QUIET, room=CORNER[0] - 16)])


def track_ship(number: int, current: int) -> Iterator[str]:
    """Gone, in turn, or still to come."""
    if number == current:
        hull, sail, ink, outline = "#8a5a33", "#ffe08a", INK, "#57361c"
    elif number < current:
        hull, sail, ink, outline = FADED, FADED, "#a39b90", "#bdb5a9"
    else:
        hull, sail, ink, outline = "#c9a98a", "#ffffff", QUIET, "#a39b90"
    yield polygon([(-12, 6), (0, -22), (12, 6)], sail, outline, 1)
    yield polygon([(-17, 9), (17, 9), (12, 19), (-12, 19)], hull, outline, 1)
    yield label(0, -3, str(number), 14, ink, bold=True)


def value_track(view: Any) -> str:
    values = range(LOWEST_VALUE, HIGHEST_VALUE + 1)
    flags = [place(f"value:{value}", [group(flag(value, value == view.value), 30 + 50 * (value - LOWEST_VALUE), 84)]) for value in values]
    return corner(LEFT, BOTTOM, "Value", [*flags, label(CORNER[0] / 2, 150, "points for a good", 13, QUIET)])


def flag(value: int, is_marked: bool) -> Iterator[str]:
    yield bounds(-20, -40, 48, 80)
    yield rect(-16, -36, 3, 72, "#6d6154")
    yield polygon([(-13, -36), (25, -36), (18, -20), (25, -4), (-13, -4)], "#d8403a" if is_marked else FADED, "#6d6154", 1)
    yield label(2, -20, str(value), 20, "#ffffff" if is_marked else QUIET, bold=True)


def legend() -> str:
    signs = ((car(), "car, clockwise"), (owner_marker(0), "owner"), (pawn(0), "pawn"))
    parts = []
    for line, (sign, meaning) in enumerate(signs):
        parts.append(group(sign, 36, 56 + 44 * line))
        parts.append(label(64, 56 + 44 * line, meaning, 13, QUIET, "start", room=CORNER[0] - 70))
    return corner(RIGHT, BOTTOM, "Signs", parts)


# The players


def players(view: Any, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    results = {row.seat: row for row in standings(view)} if is_over(view) else {}
    for other in range(view.players):
        y = HEADER + MARGIN + other * (PLAYER[1] + 10)
        drawn = area(f"player:{other}", f"player_{other}", player_panel(view, other, seat, results.get(other), names))
        yield group([drawn], WIDTH - MARGIN - PLAYER[0], y)


def player_panel(view: Any, other: int, seat: int | None, result: Standing | None, names: Sequence[str]) -> Iterator[str]:
    width, height = PLAYER
    decides = not is_over(view) and view.seat == other
    yield rect(0, 0, width, height, PAPER, 8, *frame(decides, FRAME))
    yield title_bar(width, 30, SEAT_COLOURS[other])
    yield label(12, 15, f"{other}", 17, "#ffffff", "start", True)
    yield label(32, 15, titled(f"player_{other}", other, names), 15, "#ffffff", "start", True, 176)
    if said := marks(view, other, seat):
        yield label(width - 12, 15, ", ".join(said), 13, "#ffffff", "end")
    for good in range(GOODS):
        yield place(f"player:{other}:good:{good}", [group(goods_heap(good, amount(view.goods[other, good])), 34 + 52 * good, 58)])
    coin = [
        bounds(15, 97, 99, 54),
        circle(36, 116, 13, "#e3b341", "#8a6a1b", 1.5),
        label(36, 116, "$", 15, "#6b4f0c", bold=True),
        label(55, 116, amount(view.pesos[other]), 18, INK, "start", True, 54),
        label(48, 141, "pesos", 12, QUIET),
    ]
    yield place(f"player:{other}:pesos", coin)
    stars = [
        bounds(116, 97, 92, 54),
        star(136, 116, 15, "#f5c518", "#8a6a1b"),
        label(156, 116, amount(view.points[other]), 18, INK, "start", True, 48),
        label(148, 141, "points", 12, QUIET),
    ]
    yield place(f"player:{other}:points", stars)
    for marker in range(MARKERS):
        yield group(owner_marker(other), 226 + 36 * marker, 116, opacity=1 if marker < view.markers[other] else 0.15)
    yield label(262, 141, "markers", 12, QUIET)
    if result is not None:
        yield label(width / 2, 159, summary(result), 13, INK, bold=True, room=width - 24)


def summary(result: Standing) -> str:  # SC-END-2
    return f"rank {result.rank}: {result.points} + {result.final - result.points} for {result.goods} goods = {result.final} points"
