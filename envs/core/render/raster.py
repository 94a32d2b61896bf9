"""SVG to pixels, by resvg.

Two pictures in a row differ little, and resvg takes as long for a shape and its pixels as for a line of text. So the elements of a picture
are compared with those of the one before it, and only the rectangles around what changed are drawn again. Lines of text are measured
with the font itself: resvg opens the font for every glyph, so a rectangle that touches a line by mistake is expensive.
"""

import io
import math
import re
import threading
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache, reduce
from itertools import compress, groupby
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import unescape

import numpy as np

from ..api.optional import how_to_install

WEIGHTS = ("Regular", "Bold")  # of the font: those that svg.py uses
CALL_PIXELS = 5_000  # a call of resvg takes about as long as drawing so many more pixels
MOST_PARTS, MOST_BYTES = 256, 32 << 20  # of drawn parts that are kept
MEASURED = 100  # font size in which lines are measured
SPARE = 0.2  # of a font size, around a line: kerning and rounding
_TOKEN = re.compile(r"<(text|title)\b[^>]*[^/]>.*?</\1>|<[^>]*>", re.DOTALL)
# Elements that svg.py does not write, and settings by style sheet: such a picture is drawn as a whole.
_FOREIGN = re.compile(r'<(?!/?(?:svg|g|title|rect|circle|polygon|path|text)\b)|\bstyle="')
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_TRANSFORM = re.compile(r"(\w+)\(([^)]*)\)")
_NUMBER = r"-?\d+(?:\.\d+)?"
_COMMAND = re.compile(rf"([A-Za-z])|({_NUMBER})")


class Piece(NamedTuple):
    """An element, or a group that is drawn as one, and the transforms of the groups around it."""

    transforms: tuple[str, ...]
    element: str


class Box(NamedTuple):
    """A rectangle of pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> int:
        """How many pixels it has."""
        return max(self.right - self.left, 0) * max(self.bottom - self.top, 0)

    def __or__(self, other: "Box") -> "Box":
        return Box(min(self.left, other.left), min(self.top, other.top), max(self.right, other.right), max(self.bottom, other.bottom))

    def __and__(self, other: "Box") -> "Box":
        return Box(max(self.left, other.left), max(self.top, other.top), min(self.right, other.right), min(self.bottom, other.bottom))


EVERYWHERE = Box(-(10**6), -(10**6), 10**6, 10**6)


class Shown(NamedTuple):
    """The picture that was drawn last."""

    head: str
    pieces: list[Piece]
    picture: np.ndarray


_last: Shown | None = None
_kept: dict[str, np.ndarray] = {}  # drawn parts by their SVG, the oldest first
_drawing = threading.Lock()  # held while the last picture is brought up to date


def pixels(svg: str) -> np.ndarray:
    """Rasterize a picture.

    Args:
        svg: The picture, as `env.svg()` gives it.

    Returns:
        uint8 (height, width, 3).

    Raises:
        ImportError: The extra `render` is not installed.
    """
    global _last
    if _FOREIGN.search(svg):
        return draw(svg)
    head, pieces = split(svg)
    with _drawing:
        last, _last = _last, None  # no picture is kept if drawing fails
        boxes = None
        if last is not None and last.head == head:
            boxes = changed(last.pieces, pieces, Box(0, 0, last.picture.shape[1], last.picture.shape[0]))
        if last is None or boxes is None:
            picture = draw(svg)
        else:
            picture = last.picture
            _redraw(picture, head, pieces, boxes)
        _last = Shown(head, pieces, picture)
        return picture.copy()


def _redraw(picture: np.ndarray, head: str, pieces: list[Piece], boxes: list[Box]) -> None:
    """Draw the pieces that reach into some rectangles of a picture there."""
    extents = np.array([box_of(piece) for piece in pieces]).reshape(-1, 4)
    for box in boxes:
        inside = np.logical_and(extents[:, :2] < box[2:], extents[:, 2:] > box[:2]).all(axis=1)
        picture[box.top : box.bottom, box.left : box.right] = _drawn(_part(head, compress(pieces, np.atleast_1d(inside)), box))


def _drawn(svg: str) -> np.ndarray:
    """A part of a board, which often looks as it did some moves ago: the last ones are kept."""
    part = _kept.pop(svg, None)
    part = draw(svg) if part is None else part
    _kept[svg] = part  # as the newest
    while len(_kept) > MOST_PARTS or sum(kept.nbytes for kept in _kept.values()) > MOST_BYTES:
        del _kept[next(iter(_kept))]
    return part


def draw(svg: str) -> np.ndarray:
    """Rasterize a whole picture, whatever was drawn before it."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as missing:
        raise _missing(missing) from missing
    png = resvg_py.svg_to_bytes(svg_string=svg, background="white", skip_system_fonts=True, font_files=_fonts(), font_family="Roboto")
    return np.array(Image.open(io.BytesIO(bytes(png))).convert("RGB"))


def split(svg: str) -> tuple[str, list[Piece]]:
    """The opening tag of a picture, and its pieces from back to front."""
    head, pieces = "", []
    around: list[tuple[str, ...]] = [()]  # the transforms around an element, for every group that is open
    start, depth = 0, 0  # of a group that is drawn as one
    for match in _TOKEN.finditer(svg):
        token = match[0]
        is_opening = token.startswith("<g") and not token.endswith("/>")
        if depth:
            depth += is_opening - (token == "</g>")
            if depth == 0:
                pieces.append(Piece(around[-1], svg[start : match.end()]))
        elif is_opening:
            transform, is_one = _group(token)
            if is_one:
                start, depth = match.start(), 1
            else:
                around.append((*around[-1], transform) if transform else around[-1])
        elif token == "</g>":
            around.pop()
        elif token.startswith("<svg"):
            head = token
        elif not token.startswith(("</", "<title")):
            pieces += [Piece(around[-1], part) for part in _filled_and_framed(token)]
    return head, pieces


@lru_cache(1 << 14)
def _group(opening: str) -> tuple[str, bool]:
    """The transform of a group, and whether it is drawn as one."""
    attributes = dict(_ATTRIBUTE.findall(opening))
    return attributes.get("transform", ""), "opacity" in attributes


@lru_cache(1 << 14)
def _filled_and_framed(element: str) -> tuple[str, ...]:
    """A rectangle as its inside and its frame, which often changes alone: it shows whose turn it is."""
    if not element.startswith("<rect") or ' stroke="' not in element or ' fill="none"' in element:
        return (element,)
    return re.sub(r' stroke[\w-]*="[^"]*"', "", element), re.sub(r' fill="[^"]*"', ' fill="none"', element)


def changed(before: list[Piece], after: list[Piece], whole: Box) -> list[Box] | None:
    """The rectangles in which two pictures differ, or None if it is simpler to draw everything."""
    different = {piece for piece, _ in Counter(before).items() ^ Counter(after).items()}
    if [piece for piece in before if piece not in different] != [piece for piece in after if piece not in different]:
        return None  # what lies in front of what has changed
    boxes = joined(box & whole for piece in different for box in seen(piece) if (box & whole).size)
    return boxes if sum(box.size for box in boxes) < whole.size / 2 else None


def seen(piece: Piece) -> list[Box]:
    """Rectangles that hold all that is seen of a piece: of a frame, which marks a place, its four sides."""
    box = box_of(piece)
    if not (piece.element.startswith("<rect") and ' fill="none"' in piece.element) or re.search("rotate|scale", str(piece.transforms)):
        return [box]
    left, top, right, bottom = box
    given = dict(_ATTRIBUTE.findall(piece.element))
    stroke = math.ceil(2 * float(given.get("stroke-width", 1))) + 4  # with a margin
    corner = math.ceil(float(given.get("rx", 0))) + stroke
    return [
        Box(left, top, right, top + corner),
        Box(left, bottom - corner, right, bottom),
        Box(left, top + corner, left + stroke, bottom - corner),
        Box(right - stroke, top + corner, right, bottom - corner),
    ]


def joined(boxes: Iterable[Box]) -> list[Box]:
    """Boxes that cover the same pixels, with those made one that overlap or lie close together."""
    found: list[Box] = []
    for box in boxes:
        while (near := next((other for other in found if (box | other).size <= box.size + other.size + CALL_PIXELS), None)) is not None:
            found.remove(near)
            box = box | near
        found.append(box)
    return found


def _part(head: str, pieces: Iterable[Piece], box: Box) -> str:
    """The picture of one rectangle, from the pieces that reach into it."""
    width, height = box.right - box.left, box.bottom - box.top
    for name, value in (("width", width), ("height", height), ("viewBox", f"{box.left} {box.top} {width} {height}")):
        head = re.sub(rf' {name}="[^"]*"', f' {name}="{value}"', head)
    return "".join((head, *(_wrapped(around, group) for around, group in groupby(pieces, lambda piece: piece.transforms)), "</svg>"))


def _wrapped(transforms: tuple[str, ...], pieces: Iterable[Piece]) -> str:
    opened = "".join(f'<g transform="{transform}">' for transform in transforms)
    return opened + "".join(piece.element for piece in pieces) + "</g>" * len(transforms)


@lru_cache(1 << 14)  # boards repeat themselves from position to position
def box_of(piece: Piece) -> Box:
    """A rectangle that holds all that is seen of a piece."""
    if piece.element.startswith("<g"):  # drawn as one
        opening = _TOKEN.match(piece.element)
        assert opening is not None
        transform, _ = _group(opening[0])
        around = (*piece.transforms, transform) if transform else piece.transforms
        _, inner = split(piece.element[opening.end() : -len("</g>")])
        boxes = [box_of(Piece((*around, *each.transforms), each.element)) for each in inner]
        return reduce(or_, boxes) if boxes else Box(0, 0, 0, 0)
    matrix = np.eye(3)
    try:
        for transform in piece.transforms:
            for name, arguments in _TRANSFORM.findall(transform):
                matrix = matrix @ _matrix(name, *(float(number) for number in arguments.split()))
        left, top, right, bottom = _extent(piece.element)
    except (KeyError, ValueError):  # not written by svg.py
        return EVERYWHERE
    x, y, _ = matrix @ np.array([[left, right, left, right], [top, top, bottom, bottom], [1, 1, 1, 1]])
    return Box(math.floor(x.min()) - 1, math.floor(y.min()) - 1, math.ceil(x.max()) + 1, math.ceil(y.max()) + 1)


def _matrix(name: str, first: float, second: float | None = None, *others: float) -> np.ndarray:
    if name == "translate" and second is not None and not others:
        return np.array([[1, 0, first], [0, 1, second], [0, 0, 1]])
    if name == "rotate" and second is None:
        c, s = math.cos(math.radians(first)), math.sin(math.radians(first))
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    if name == "scale" and second is None:
        return np.diag([first, first, 1])
    raise ValueError(f"pictures have no transform {name!r} like this")


def _extent(element: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an element, stroke included, before it is transformed."""
    name = element[1:].split(" ", 1)[0].rstrip("/>")
    given = dict(_ATTRIBUTE.findall(element.partition(">")[0]))
    number = {key: float(value) for key, value in given.items() if re.fullmatch(_NUMBER, value)}
    x, y = number.get("x", 0.0), number.get("y", 0.0)
    if name == "text":
        text = unescape(re.sub("<[^>]*>", "", element))
        left, top, right, bottom, advance = _line(text, "font-weight" in given)
        shift = {"middle": 0.5, "end": 1.0}.get(given.get("text-anchor", ""), 0.0) * advance
        size = number["font-size"]
        return x + size * (left - shift - SPARE), y + size * (top - SPARE), x + size * (right - shift + SPARE), y + size * (bottom + SPARE)
    if name == "rect":
        left, top, right, bottom = x, y, x + number["width"], y + number["height"]
    elif name == "circle":
        x, y, radius = number.get("cx", 0.0), number.get("cy", 0.0), number["r"]
        left, top, right, bottom = x - radius, y - radius, x + radius, y + radius
    else:
        points = _corners(given["points"]) if name == "polygon" else _path_points(given["d"])
        (left, top), (right, bottom) = np.min(points, axis=0), np.max(points, axis=0)
    stroke = number.get("stroke-width", 1.0) if "stroke" in given else 0.0
    return left - stroke, top - stroke, right + stroke, bottom + stroke


@lru_cache(1 << 14)
def _line(text: str, is_bold: bool) -> tuple[float, float, float, float, float]:
    """Left, top, right and bottom of a line of text, from the start of its baseline, and where the next would start, in font sizes."""
    font = _font(is_bold)
    left, top, right, bottom = font.getbbox(text, anchor="ls")
    return left / MEASURED, top / MEASURED, right / MEASURED, bottom / MEASURED, font.getlength(text) / MEASURED


@cache
def _font(is_bold: bool) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(_fonts()[is_bold], MEASURED, layout_engine=ImageFont.Layout.BASIC)


def _corners(points: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(_NUMBER, points)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _path_points(d: str) -> list[tuple[float, float]]:
    """Points whose hull holds a path: ends, control points, and the far sides of arcs."""
    points, x, y, command, numbers = [], 0.0, 0.0, "", []
    sizes = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7}
    for letter, value in _COMMAND.findall(d):
        if letter:
            command, numbers = letter, []
            continue
        numbers.append(float(value))
        kind, (from_x, from_y) = command.upper(), (x, y) if command.islower() else (0.0, 0.0)
        if len(numbers) < sizes[kind]:
            continue
        if kind == "H":
            x = from_x + numbers[0]
        elif kind == "V":
            y = from_y + numbers[0]
        else:
            ends = [(from_x + a, from_y + b) for a, b in zip(numbers[-2::-2], numbers[::-2], strict=False)]
            if kind == "A":
                reach = 2 * max(numbers[:2])
                ends = [ends[0], *((a + step, b + step) for a, b in ((x, y), ends[0]) for step in (-reach, reach))]
            elif kind == "T":  # its control point is the one before it, mirrored: as far away as the last step, at most
                reach = max(abs(ends[0][0] - x), abs(ends[0][1] - y))
                ends = [ends[0], (x - reach, y - reach), (x + reach, y + reach)]
            points += ends
            x, y = ends[0]
        points.append((x, y))
        numbers = []
    return points


@cache
def _fonts() -> list[str]:
    """The files of a font that is installed with the extra, so that a picture is the same on every machine."""
    try:
        import font_roboto
    except ImportError as missing:
        raise _missing(missing) from missing
    folder = Path(font_roboto.__file__).parent / "files"
    return [str(folder / f"Roboto-{weight}.ttf") for weight in WEIGHTS]


def _missing(error: ImportError) -> ImportError:
    return ImportError(f"pictures need the extra 'render' ({error.name} is not installed): {how_to_install('render')}")
