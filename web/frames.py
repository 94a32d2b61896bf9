"""A game as data for the page: every position as a picture, and what happened between them, for one viewer or more.

A position follows each action, decided or forced, so that nothing tells the two apart. Positions differ little, so a picture is a list of
pieces, its panels and what lies between them; a piece is stored as its difference from the one before it in the same panel:

    {"format": 1, "game": name, "title": title, "variant": "4 players", "names": [...], "colours": [...],
     "elements": ["<svg ...>", "<rect ... />", ...],
     "pieces": [[base piece or -1, same elements at its front, same at its back, [element ids between them]], ...
                or, if it is as long as its base, [base, index, element id, index, element id, ...]],
     "views": [{"view": "all", "seat": null,
                "frames": [[number of pieces, index, piece, ...], ...],  # what changed; each piece less the one named before it
                "log": [[[seat or null, text], ...], ...],               # what this viewer learns, by frame
                "marks": [[place, ...], ...]}],                          # where the last action was played, by frame
                                                                         # log and marks are null if they are those of the first view
     "decisions": [...],                                                 # decisions up to a frame; finished games only
     "result": {"scores": [...], "ranks": [...]} or null, "analysis": ... or null}
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tradewinds.envs.core.io.history import Line, Step, heard, steps
from tradewinds.envs.core.io.replay import Replay
from tradewinds.envs.core.render.svg import SEAT_COLOURS
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.core.spec.game import Variant

FORMAT = 1
ALL = "all"
_ELEMENT = re.compile(r"<(text|title)\b.*?</\1>|<[^>]*>", re.DOTALL)


class Moment(NamedTuple):
    """The game after one action, or after the set-up."""

    record: np.recarray  # of one
    step: Step | None
    places: tuple[str, ...]  # where the action was played
    decision: int  # how many decisions led here


def moments(replay: Replay) -> Iterator[Moment]:
    """The game action by action."""
    game, state = replay.game, None
    for decision, env in enumerate(replay.positions()):
        if state is None:
            state = env.record()
            yield Moment(state.copy(), None, (), 0)
            continue
        _, action, chance = env.moves[-1]
        before = state.copy()
        for step in steps(env.variant, state, action, chance):
            spot = game.spot(before[0], step.seat, game.actions.parse(step.name)) if game.spot is not None else None
            before = state.copy()
            yield Moment(before, step, spot.places if spot is not None else (), decision)


class Pieces:
    """The elements and pieces that all pictures of a document share."""

    def __init__(self) -> None:
        self._elements: dict[str, int] = {}
        self._pieces: dict[tuple[int, ...], int] = {}
        self.stored: list[list[Any]] = []

    @property
    def elements(self) -> list[str]:
        """The SVG elements, each once."""
        return list(self._elements)

    def of(self, picture: str, last: "dict[str, tuple[int, ...]]") -> list[int]:
        """The pieces of a picture.

        Args:
            picture: The SVG.
            last: By panel, the latest piece in this view, to tell the difference from; brought up to date.
        """
        found = []
        for panel, elements in split(picture):
            ids = tuple(self._elements.setdefault(element, len(self._elements)) for element in elements)
            if ids not in self._pieces:
                base = last.get(panel, ())
                self.stored.append([self._pieces.get(base, -1), *difference(base, ids)])
                self._pieces[ids] = len(self._pieces)
            last[panel] = ids
            found.append(self._pieces[ids])
        return found


def split(picture: str) -> Iterator[tuple[str, list[str]]]:
    """The panels of a picture and what lies between them: a name for each that is its own, and its elements."""
    name, elements, depth = "0", [], 0
    for match in _ELEMENT.finditer(picture):
        element = match[0]
        if depth == 0 and element.startswith("<g data-panel="):
            if elements:
                yield name, elements
            name, elements, depth = element, [], 1
        elif depth and element == "</g>":
            depth -= 1
            if depth == 0:
                yield name, [*elements, element]
                name, elements = f"after {name}", []
                continue
        elif depth and element.startswith("<g") and not element.endswith("/>"):
            depth += 1
        elements.append(element)
    yield name, elements


def difference(before: Sequence[int], after: Sequence[int]) -> list[Any]:
    """What is new: number by number if both are as long, else how many are the same at the front and at the back, and those between."""
    if len(before) == len(after):
        return [number for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1] for number in (at, pair[1])]
    shortest = min(len(before), len(after))
    front = next((at for at in range(shortest) if before[at] != after[at]), shortest)
    rest = shortest - front
    back = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    return [front, back, list(after[front : len(after) - back])]


class View:
    """What one viewer is shown and told of a game; the viewer None is a spectator to whom nothing is hidden."""

    def __init__(self, variant: Variant, seat: int | None, names: Sequence[str], pieces: Pieces) -> None:
        self.variant = variant
        self.seat = seat
        self.names = names
        self.pieces = pieces
        self.frames: list[list[Any]] = []
        self.log: list[list[Line]] = []
        self.marks: list[list[str]] = []
        self._shown: list[int] = []
        self._named = 0  # the piece that was named last
        self._last: dict[str, tuple[int, ...]] = {}

    def picture(self, moment: Moment) -> str:
        """The position as this view shows it; a finished game hides nothing."""
        record = moment.record
        if self.seat is None or record[0].status != Status.RUNNING:
            return self.variant.game.svg(record[0], self.seat, self.names)
        return self.variant.game.svg(self.variant.masked_view(record.view(np.ndarray), self.seat), self.seat, self.names)

    def knows(self, moment: Moment) -> bool:
        """Whether the viewer learns of the action."""
        return moment.step is None or not moment.step.is_secret or self.seat in (None, moment.step.seat)

    def add(self, moment: Moment, only_news: bool = False) -> None:
        """One more frame.

        Args:
            moment: The position.
            only_news: Leave it out if this viewer neither sees nor hears of it: to count frames is to count what others do in secret.
        """
        pieces = self.pieces.of(self.picture(moment), self._last)
        lines = [] if moment.step is None else list(heard([moment.step], self.seat))
        if only_news and not lines and pieces == self._shown:
            return
        frame = [len(pieces)]
        for at, piece in enumerate(pieces):
            if at >= len(self._shown) or self._shown[at] != piece:
                frame += [at, piece - self._named]
                self._named = piece
        self.frames.append(frame)
        self.log.append(lines)
        self.marks.append(list(moment.places) if self.knows(moment) else [])
        self._shown = pieces

    def as_data(self, first: "View") -> dict[str, Any]:
        """The view in JSON types, as replay.js reads it; what equals the first view is left out."""
        return {
            "view": ALL if self.seat is None else f"player_{self.seat}",
            "seat": self.seat,
            "frames": self.frames,
            "log": None if self is not first and self.log == first.log else self.log,
            "marks": None if self is not first and self.marks == first.marks else self.marks,
        }


def document(replay: Replay, views: Sequence[str] = (ALL,), analysis: Any = None) -> dict[str, Any]:
    """The game as data for the page.

    Args:
        replay: The game. One that is not over is shown from one seat only, with nothing that this seat does not know.
        views: "all" for a spectator to whom nothing is hidden, or the names of players, as "player_2".
        analysis: What the page shows of each position; web/analysis.py has its form. A game that is not over is shown without.

    Raises:
        ValueError: There is no such view, or an unfinished game is to be shown from more than one seat.
    """
    variant = replay.game.with_options(**replay.options)
    possible = [ALL, *(f"player_{seat}" for seat in range(variant.players))]
    if unknown := [view for view in views if view not in possible]:
        raise ValueError(f"there is no view {unknown[0]!r}; the views are {', '.join(possible)}")
    is_over = replay.result is not None
    if not is_over and (len(views) != 1 or ALL in views):
        raise ValueError(f"this game is not over, so it is shown from one seat only; choose one of {', '.join(possible[1:])}")
    names = replay.players if replay.players is not None and len(replay.players) == variant.players else []
    pieces = Pieces()
    shown = [View(variant, None if view == ALL else possible.index(view) - 1, names, pieces) for view in dict.fromkeys(views)]
    decisions = []
    for moment in moments(replay):
        decisions.append(moment.decision)
        for view in shown:
            view.add(moment, only_news=not is_over)
    return {
        "format": FORMAT,
        "game": replay.game.name,
        "title": replay.game.title,
        "variant": described(variant),
        "names": names or [""] * variant.players,
        "colours": SEAT_COLOURS[: variant.players],
        "elements": pieces.elements,
        "pieces": pieces.stored,
        "views": [view.as_data(shown[0]) for view in shown],
        "decisions": decisions if is_over else None,
        "result": replay.result,
        "analysis": analysis if is_over else None,
    }


def described(variant: Variant) -> str:
    """The options that make the game what it is, in words."""
    said = [f"{variant.players} players"]
    for option in variant.game.options:
        value = variant.options[option.name]
        if option.name not in ("players", "reward") and value != option.default:
            name = option.name.replace("_", " ")
            said.append(name if value is True else f"{name}: {value}")
    return ", ".join(said)
