"""Words that every game's text board and picture use."""

from collections.abc import Sequence
from typing import Any

from ..spec.fields import HIDDEN, Status


def amount(number: Any) -> str:
    return "?" if number == HIDDEN else str(number)


def player(seat: Any, viewer: int) -> str:
    return f"player_{seat} (you)" if seat == viewer else f"player_{seat}"


def listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def is_over(view: Any) -> bool:
    return view.status != Status.RUNNING
