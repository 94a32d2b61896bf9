"""One game in a test: its record, its random stream and its mask. Every game's tests have a subclass that adds the game's own words."""

from enum import IntEnum
from typing import Any, ClassVar

import numpy as np

from tradewinds.envs.core.engine.kernel import records
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.core.spec.fields import WORD, Status
from tradewinds.envs.core.spec.game import Game, Variant

Saved = tuple[np.ndarray, np.ndarray]


def new_state(variant: Variant) -> np.record:
    """A blank record with the options set, as kernels take it."""
    return records(variant.blank.copy())[0]


class Position:
    """Fields of the record read as attributes; those `by_seat` are cut to the seats in play."""

    game: ClassVar[Game]
    phases: ClassVar[type[IntEnum]]
    by_seat: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, seed: int = 0, **options: Any) -> None:
        self.variant = self.game.with_options(**options)
        self.array = self.variant.blank.copy()
        self.record = records(self.array)[0]
        self.stream = new_tape(seed)
        self.words = np.zeros(-(-len(self.game.actions) // WORD), np.uint64)
        self.mask = self.words.view(np.bool_)[: len(self.game.actions)]

    def __getattr__(self, field: str) -> Any:
        if field == "record" or field not in (self.game.fields.dtype.names or ()):
            raise AttributeError(field)
        value = self.record[field]
        return value[: self.players] if field in self.by_seat else value

    @property
    def players(self) -> int:
        return int(self.record["players"])

    @property
    def is_over(self) -> bool:
        return self.record["status"] != Status.RUNNING

    @property
    def decides(self) -> Any:
        """The phase, as a member of the game's enum."""
        return self.phases(int(self.record["phase"]))

    def saved(self) -> Saved:
        return self.array.copy(), self.words.copy()

    def restore(self, saved: Saved) -> None:
        self.array[:], self.words[:] = saved


def legal(s: Position, about: str = "") -> set[str]:
    """The names of the legal actions; of those that begin with `about`, what comes after."""
    names = {s.game.actions.names[i] for i in np.flatnonzero(s.mask)}
    return {name.removeprefix(about).strip() for name in names if name.startswith(about)}


def result(s: Position) -> tuple[list[int], list[int]]:
    """Final scores and ranks."""
    out = np.zeros((2, s.players), np.int32)
    s.game.kernels["score"](s.record, out)
    return out[0].tolist(), out[1].tolist()
