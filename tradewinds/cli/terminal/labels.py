"""Text for people: what happened, the menu of choices, and matching an input to a choice."""

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from tradewinds.envs.core.io.history import Line

SHORT_LIST = 12  # up to this many choices are listed one per line; more are grouped by their prefix


class Choice(NamedTuple):
    """A legal action."""

    action: int
    name: str
    text: str  # what it means here and now: where it leads, what it costs


def who(seat: int, me: int | None) -> str:
    """A seat as the reader is addressed: `you` for the own seat, `player_2` for another."""
    return "you" if seat == me else f"player_{seat}"


def log_lines(lines: Iterable[Line], me: int | None) -> list[str]:
    """One line for consecutive actions of one player: `player_2: mayor: 1 on the corn, 0 on the indigo; role: captain`."""
    merged = []
    for seat, group in groupby(lines, key=lambda line: line.seat):
        texts = [line.text for line in group]
        if seat is None:
            merged += [f"* {text}" for text in texts]
        else:
            merged.append(f"{who(seat, me)}: {joined(texts)}")
    return merged


def joined(names: Iterable[str]) -> str:
    """Join names of actions; consecutive ones with the same prefix share it."""
    parts = []
    for head, group in groupby((split(name) for name in names), key=lambda part: part[0]):
        rest = ", ".join(part[1] for part in group)
        parts.append(f"{head}: {rest}" if head else rest)
    return "; ".join(parts)


def split(name: str) -> tuple[str, str]:
    """Split `captain: load corn` at the colon into prefix and rest; the prefix is empty without a colon."""
    head, colon, rest = name.partition(": ")
    return (head, rest) if colon else ("", name)


def ordered(choices: Sequence[Choice]) -> list[Choice]:
    """Group choices by prefix, the prefixes in the order of their first appearance."""
    heads = list(dict.fromkeys(split(choice.text)[0] for choice in choices))
    return sorted(choices, key=lambda choice: heads.index(split(choice.text)[0]))


def menu(names: Sequence[str], width: int) -> list[str]:
    """The choices as lines, numbered from 1."""
    digits = len(str(len(names)))
    if len(names) <= SHORT_LIST:
        lines = [f"  {number:>{digits}}  {name}" for number, name in enumerate(names, 1)]
        return [part for line in lines for part in wrapped(line, width, digits + 4)]
    lines, number = [], 0
    for head, group in groupby(names, key=lambda name: split(name)[0]):
        cells = []
        for name in group:
            number += 1
            cells.append(f"{number:>{digits}}  {split(name)[1]}")
        if head:
            lines.append(f"  {head}")
        lines += columns(cells, width - 4)
    return lines


def columns(cells: list[str], width: int) -> list[str]:
    """Lay out cells row by row, in as many columns as fit."""
    longest = max(map(len, cells)) + 3
    across = max(1, (width + 3) // longest)
    rows = [cells[at : at + across] for at in range(0, len(cells), across)]
    lines = ["    " + "".join(cell.ljust(longest) for cell in row).rstrip() for row in rows]
    return lines if across > 1 else [part for line in lines for part in wrapped(line, width + 4, 8)]


def wrapped(line: str, width: int, indent: int = 0) -> list[str]:
    """Break a line at words; what follows the first part is indented."""
    if len(line) <= width:
        return [line]
    lead = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line.lstrip(), max(20, width), initial_indent=lead, subsequent_indent=" " * indent, break_on_hyphens=False)


def plain(text: str) -> str:
    """Normalise: lower case, no accents, single spaces."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def matching(text: str, names: Sequence[str]) -> list[int]:
    """Which of the names match a text: exactly, else those that contain it, else those that contain all of its words."""
    wanted = plain(text)
    known = [plain(name) for name in names]
    exact = [at for at, simple in enumerate(known) if simple == wanted]
    part = [at for at, simple in enumerate(known) if wanted in simple]
    words = [at for at, simple in enumerate(known) if all(word in simple for word in wanted.split())]
    return exact or part or words
