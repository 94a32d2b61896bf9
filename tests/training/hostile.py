"""Agents that attack whoever asks them. `Last` is the honest agent that they otherwise are."""

import contextlib
import os
import time
from typing import Any

import numpy as np

from tests.training.players import Last
from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.spec.game import Variant

HERE = __name__


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise KeyboardInterrupt


class Unprintable:
    def act(self, decisions: Decisions) -> Any:
        raise UnprintableError


class StopsGenerator:
    def act(self, decisions: Decisions) -> Any:
        raise GeneratorExit


class Interrupts:
    def act(self, decisions: Decisions) -> Any:
        raise KeyboardInterrupt


class Leaves:
    def act(self, decisions: Decisions) -> Any:
        raise SystemExit(0)


class AnswersByCode:
    """Its answer raises when it is looked at."""

    def act(self, decisions: Decisions) -> Any:
        return self

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise GeneratorExit


class WrongShape:
    def act(self, decisions: Decisions) -> Any:
        return np.zeros((len(decisions), 3), np.int64)


class WrongType:
    def act(self, decisions: Decisions) -> Any:
        return ["a"] * len(decisions)


class Illegal:
    def act(self, decisions: Decisions) -> Any:
        return np.full(len(decisions), 2**62)


class ClosesFiles:
    def act(self, decisions: Decisions) -> Any:
        os.closerange(0, 256)
        return Last().act(decisions)


class Exits:
    def act(self, decisions: Decisions) -> Any:
        os._exit(0)


class NeverEnds:
    def act(self, decisions: Decisions) -> Any:
        while True:
            time.sleep(1)


class Allocates:
    def act(self, decisions: Decisions) -> Any:
        return bytearray(1 << 34)


class Forks(Last):
    """Forks at its first decisions, and both processes go on."""

    forks = 3

    def act(self, decisions: Decisions) -> Any:
        self.forks -= 1
        if self.forks >= 0 and os.fork():
            with contextlib.suppress(ChildProcessError):
                os.wait()
        return super().act(decisions)


class Writes(Last):
    """Plays honestly, but writes into all that it can reach from its question."""

    def act(self, decisions: Decisions) -> Any:
        actions = super().act(decisions)
        variant = decisions.variant
        assert (
            decisions.observations.size and decisions.views.size and decisions.information_states.size
        )  # made, so that they are written into
        for array in (*vars(decisions).values(), *decisions._b):
            if isinstance(array, np.ndarray) and array.dtype.names is None:
                array[...] = 1
            elif isinstance(array, np.ndarray):
                for name in array.dtype.names or ():
                    array[name][...] = 1
        for mask in (variant.visibility_mask, variant.open_mask):
            mask[:] = 0
        for name in variant.blank.dtype.names or ():
            variant.blank[name][...] = 1
        variant.options.clear()
        return actions


class Peeks(Last):
    """Opens all screens that it can reach, and keeps how many cards of others it sees."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def act(self, decisions: Decisions) -> Any:
        for records in (decisions.views, decisions.information_states):
            cards = [np.delete(record["value_card"], seat) for record, seat in zip(records, decisions.seats, strict=True)]
            self.seen.append(int((np.array(cards) >= 0).sum()))
        decisions.variant.visibility_mask[:] = 0
        decisions.variant.open_mask[:] = 0
        return super().act(decisions)


class TakesVariant(Last):
    def __init__(self, variant: Variant) -> None:
        self.variant = variant


class Predicts(Last):
    """Fails as soon as it has computed a seed of the plan from its own."""

    def act(self, decisions: Decisions) -> Any:
        states = [unmix(int(seed)) for seed in decisions.seeds]
        planned = {state - step * GOLDEN & MASK for state in states for step in range(1, 400)}
        if planned & PLANNED:
            raise LookupError("all that is to come is known")
        return super().act(decisions)


PLANNED: set[int] = set()
GOLDEN, MIX_1, MIX_2, MASK = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 2**64 - 1


def unmix(x: int) -> int:
    """The inverse of `rng.mix`."""
    x ^= (x >> 31) ^ (x >> 62)
    x = x * pow(MIX_2, -1, 2**64) & MASK
    x ^= (x >> 27) ^ (x >> 54)
    x = x * pow(MIX_1, -1, 2**64) & MASK
    return x ^ (x >> 30) ^ (x >> 60)
