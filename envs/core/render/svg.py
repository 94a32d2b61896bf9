"""Pictures put together from strings: pieces of SVG that any game's board is drawn with.

Every function gives one piece, and pieces are joined by `group` and `document`. Coordinates run right and down, as in SVG.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape, quoteattr

FONT = "Roboto, 'Helvetica Neue', Arial, sans-serif"  # the first ships with `pixels`
INK = "#2b2622"
DECIDED = "#d87a00"  # the frame of what is decided now
SEAT_COLOURS = ("#00796b", "#ad1457", "#3949ab", "#b26500", "#5d4037")
HALF_CAPITAL = 0.36  # of a capital letter's height, in font sizes: from a line's middle down to its baseline
NARROW, WIDE = "fijlrtI1 .,:;!'|()[]-", "mwMW@%"


def tag(name: str, content: str = "", **attributes: "str | float | None") -> str:
    """One element. `stroke_width=2` becomes stroke-width="2"; what is None is left out.

    Args:
        name: The element's name.
        content: What it holds: text that is escaped already, or other elements.
        **attributes: Texts, numbers or None.
    """
    pairs = _attributes(tuple(attributes.items()))
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


@lru_cache(1 << 14)  # boards repeat themselves from position to position
def _attributes(pairs: "tuple[tuple[str, str | float | None], ...]") -> str:
    return "".join(f" {key.replace('_', '-')}={quoteattr(number(value))}" for key, value in pairs if value is not None)


@lru_cache(1 << 14)
def number(value: "str | float") -> str:
    """At most two decimals, so that the same board gives the same text on every machine."""
    return value if isinstance(value, str) else f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def document(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """The whole picture.

    Args:
        width: In pixels, if it is not scaled.
        height: In pixels.
        title: Its name for screen readers and as a tooltip.
        parts: Pieces, the later ones on top.
    """
    content = tag("title", escape(title)) + "".join(parts)
    return tag(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        font_family=FONT,
    )


def group(
    parts: Iterable[str], x: float = 0, y: float = 0, angle: float = 0, opacity: float | None = None, scale: float | None = None
) -> str:
    """Pieces moved to (x, y) and turned there by so many degrees clockwise.

    Args:
        parts: Pieces, drawn around (0, 0).
        x: Where their origin goes.
        y: Where their origin goes.
        angle: In degrees.
        opacity: From 0 to 1.
        scale: A factor for all sizes.
    """
    turned = f" rotate({number(angle)})" if angle else ""
    scaled = f" scale({number(scale)})" if scale is not None else ""
    return tag("g", "".join(parts), transform=f"translate({number(x)} {number(y)}){turned}{scaled}", opacity=opacity)


def place(name: str, parts: Iterable[str]) -> str:
    """Pieces at which actions are played, under a name that stays. The first shape among them is the outline that is marked.

    Args:
        name: The name, as the game's `spot` gives it.
        parts: Pieces, the outline first.
    """
    return tag("g", "".join(parts), data_place=name)


def area(name: str, title: str, parts: Iterable[str]) -> str:
    """A part of the board that a small screen shows by itself.

    Args:
        name: The name, which stays from position to position.
        title: What it is called in a list.
        parts: Pieces.
    """
    return tag("g", "".join(parts), data_panel=name, data_title=title)


def bounds(x: float, y: float, width: float, height: float) -> str:
    """An outline that is not seen, for a place of several pieces.

    Args:
        x: The left edge.
        y: The top edge.
        width: From left to right.
        height: From top to bottom.
    """
    return rect(x, y, width, height, "none", 5)


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    radius: float = 0,
    stroke: str | None = None,
    stroke_width: float | None = None,
) -> str:
    """A rectangle.

    Args:
        x: The left edge.
        y: The top edge.
        width: From left to right.
        height: From top to bottom.
        fill: The colour inside.
        radius: Of the corners.
        stroke: The colour of the line; None: no line.
        stroke_width: The width of the line.
    """
    return tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=radius or None,
        fill=fill,
        stroke=stroke,
        stroke_width=stroke_width if stroke else None,
    )


def circle(x: float, y: float, radius: float, fill: str, stroke: str | None = None, stroke_width: float | None = None) -> str:
    """A disc.

    Args:
        x: The centre.
        y: The centre.
        radius: Up to the middle of the line.
        fill: The colour inside.
        stroke: The colour of the line; None: no line.
        stroke_width: The width of the line.
    """
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, stroke_width=stroke_width if stroke else None)


def ring(x: float, y: float, radius: float, colour: str, width: float, dashes: str | None = None) -> str:
    """A circle that is not filled.

    Args:
        x: The centre.
        y: The centre.
        radius: Up to the middle of the line.
        colour: The colour of the line.
        width: The width of the line.
        dashes: Lengths of dashes and gaps, as `stroke-dasharray` has them.
    """
    return tag("circle", cx=x, cy=y, r=radius, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes)


def polygon(points: Iterable[tuple[float, float]], fill: str, stroke: str | None = None, stroke_width: float | None = None) -> str:
    """A closed shape with straight sides.

    Args:
        points: Its corners.
        fill: The colour inside.
        stroke: The colour of the line; None: no line.
        stroke_width: The width of the line.
    """
    corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return tag("polygon", points=corners, fill=fill, stroke=stroke, stroke_width=stroke_width if stroke else None, stroke_linejoin="round")


def path(d: str, fill: str, stroke: str | None = None, stroke_width: float | None = None) -> str:
    """A shape in SVG's path language.

    Args:
        d: Commands, such as "M0 0 L10 0 Z".
        fill: The colour inside.
        stroke: The colour of the line; None: no line.
        stroke_width: The width of the line.
    """
    return tag("path", d=d, fill=fill, stroke=stroke, stroke_width=stroke_width if stroke else None, stroke_linejoin="round")


def label(
    x: float,
    y: float,
    text: str,
    size: float = 14,
    fill: str = INK,
    anchor: str = "middle",
    bold: bool = False,
    room: float | None = None,
) -> str:
    """A line of text whose middle height is y. One that would not fit into `room` is set smaller.

    Args:
        x: The start, middle or end of the line, as `anchor` says.
        y: The middle of a capital letter.
        text: The text, not escaped.
        size: The font size.
        fill: The colour.
        anchor: "start", "middle" or "end".
        bold: Whether it is bold.
        room: The width that it may take; None: any.
    """
    if room is not None:
        size = min(size, size * room / text_width(text, size, bold))
    return tag(
        "text",
        escape(text),
        x=x,
        y=y + HALF_CAPITAL * size,
        font_size=size,
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="bold" if bold else None,
    )


@lru_cache(1 << 12)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The estimated width of a line, an upper bound.

    Args:
        text: The text.
        size: The font size.
        bold: Whether it is bold.
    """
    ems = sum(0.34 if c in NARROW else 0.9 if c in WIDE else 0.68 if c.isupper() else 0.57 for c in text)
    return max(ems, 0.1) * size * (1.04 if bold else 1)


def panel(x: float, y: float, width: float, height: float, title: str, fill: str = "#ffffff", stroke: str = "#c9bda8") -> str:
    """A framed area with a heading at its top left.

    Args:
        x: The left edge.
        y: The top edge.
        width: From left to right.
        height: From top to bottom.
        title: The heading.
        fill: The colour inside.
        stroke: The colour of the frame.
    """
    heading = label(x + 10, y + 15, title, 13, "#6d6154", "start", True, width - 20)
    return rect(x, y, width, height, fill, 8, stroke, 1) + heading


def frame(is_decided: Any, colour: str, width: float = 3) -> tuple[str, float]:
    """Colour and width of a frame, which stands out around what is decided now.

    Args:
        is_decided: Whether it is.
        colour: The colour of other frames; their width is 1.
        width: Of the frame that stands out.
    """
    return (DECIDED, width) if is_decided else (colour, 1)


def title_bar(width: float, height: float, fill: str) -> str:
    """The bar at the top of a player's board, round at its upper corners.

    Args:
        width: That of the board.
        height: From top to bottom.
        fill: The colour of the seat.
    """
    w = number(width)
    return path(f"M0 {height} V8 Q0 0 8 0 H{number(width - 8)} Q{w} 0 {w} 8 V{height} Z", fill)


def banner(width: float, height: float, fill: str, title: str, status: str, now: str) -> str:
    """The heading of a board: the game, its progress, and the current decision.

    Args:
        width: That of the board.
        height: From top to bottom.
        fill: The colour behind the text.
        title: The name of the game, at the left.
        status: The progress, at the right.
        now: What is decided, in the second line.
    """
    return "".join(
        (
            rect(0, 0, width, height, fill),
            label(20, 22, title, 22, "#ffffff", "start", True),
            label(width - 20, 22, status, 14, "#dcd8d0", "end", room=width * 0.5),
            label(20, 45, now, 15, "#ffe9b8", "start", room=width - 40),
        )
    )


def around(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    """The point of a circle at an angle: 0 is the top, and it grows clockwise.

    Args:
        x: The centre.
        y: The centre.
        radius: Of the circle.
        degrees: The angle.
    """
    angle = math.radians(degrees)
    return x + radius * math.sin(angle), y - radius * math.cos(angle)


def star(x: float, y: float, radius: float, fill: str, stroke: str | None = None) -> str:
    """Five points, one of them up.

    Args:
        x: The centre.
        y: The centre.
        radius: Up to the points.
        fill: The colour inside.
        stroke: The colour of the line; None: no line.
    """
    points = [around(x, y, radius if corner % 2 == 0 else radius * 0.45, 36 * corner) for corner in range(10)]
    return polygon(points, fill, stroke, 1)
