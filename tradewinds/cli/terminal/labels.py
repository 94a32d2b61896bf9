"""Lines for people: what happened, what can be chosen, and which choice an input means."""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

from tradewinds.envs.core.io.history import Line

SHORT_LIST = 12  # choices that are listed one a line; more are put together by what they begin with


def who(seat: int, me: int | None) -> str:
    """A seat as the reader is addressed: `you` for the own seat, `player_2` for another."""
    return "you" if seat == me else f"player_{seat}"


def told(lines: Iterable[Line], me: int | None) -> list[str]:
    """A line for all that one player did in a row: `player_2: mayor: 1 on the corn, 0 on the indigo; role: captain`."""
    said = []
    for seat, group in groupby(lines, key=lambda line: line.seat):
        texts = [line.text for line in group]
        if seat is None:
            said += [f"* {text}" for text in texts]
        else:
            said.append(f"{who(seat, me)}: {joined(texts)}")
    return said


def joined(names: Iterable[str]) -> str:
    """Names of actions in a row; what they begin with is said once."""
    parts = []
    for head, group in groupby((split(name) for name in names), key=lambda part: part[0]):
        rest = ", ".join(part[1] for part in group)
        parts.append(f"{head}: {rest}" if head else rest)
    return "; ".join(parts)


def split(name: str) -> tuple[str, str]:
    """`captain: load corn` is what is done and how; a name without a colon has only the second."""
    head, colon, rest = name.partition(": ")
    return (head, rest) if colon else ("", name)


def ordered(names: Sequence[str]) -> list[str]:
    """Choices that begin alike stand together, in the order in which each beginning comes first."""
    heads = list(dict.fromkeys(split(name)[0] for name in names))
    return sorted(names, key=lambda name: heads.index(split(name)[0]))


def menu(names: Sequence[str], width: int) -> list[str]:
    """The choices with their numbers, from 1."""
    digits = len(str(len(names)))
    if len(names) <= SHORT_LIST:
        return [f"  {number:>{digits}}  {name}" for number, name in enumerate(names, 1)]
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
    """Row by row, in as many columns as fit."""
    longest = max(map(len, cells)) + 3
    across = max(1, width // longest)
    rows = [cells[at : at + across] for at in range(0, len(cells), across)]
    return ["    " + "".join(cell.ljust(longest) for cell in row).rstrip() for row in rows]


def plain(text: str) -> str:
    """Small letters without accents, and single spaces."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


def matching(text: str, names: Sequence[str]) -> list[str]:
    """The names that a text may mean: the one that it is, else all that have it in them, else all that have its words in them."""
    wanted = plain(text)
    known = [(plain(name), name) for name in names]
    whole = [name for simple, name in known if simple == wanted]
    part = [name for simple, name in known if wanted in simple]
    words = [name for simple, name in known if all(word in simple for word in wanted.split())]
    return whole or part or words
