"""Slow encoders, compared part by part with the observations of a batch.

A slow encoder computes one part of the observation from its name and its text. It reads a `Look` in plain Python numbers and lists, and
knows nothing of the other parts or of where its own part begins.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tests.contract.tools import amount, new_batch, richest, variants

Encoder = Callable[["Look"], list[float]]
Policy = Callable[[tw.Batch], np.ndarray]
Records = Callable[[tw.Batch, np.random.Generator], np.ndarray]

CUT = 8  # the largest number in the compact parts of a rich observation
PRECISION = 1e-6  # float32 has seven digits
EVERY = 4  # steps between comparisons of positions that show nothing for the first time


class Look(SimpleNamespace):
    """What one seat sees: every field of its masked record as an attribute.

    Attributes:
        me: The seat that looks.
        seats: All seats, from `me` on clockwise.
        options: The options of the game.
    """

    def __init__(self, batch: tw.Batch, row: int, viewer: int) -> None:
        view = batch.variant.masked_view(batch.states[row], viewer)
        super().__init__(**{name: view[name].tolist() for name in batch.states.dtype.names or ()})
        self.me = viewer
        self.seats = [(viewer + offset) % batch.players for offset in range(batch.players)]
        self.options = batch.variant.options


class Comparison:
    """Compares observations with slow encoders, and keeps what was compared."""

    def __init__(self, batch: tw.Batch, encoders: Mapping[str, Encoder]) -> None:
        self.batch = batch
        self.layout = batch.variant.layout
        self.encoders = encoders
        self.lows, self.highs = self.layout.space.low, self.layout.space.high
        self.compared: list[np.ndarray] = []
        assert set(encoders) == set(self.layout.slices), "an encoder for every part, and no other"

    def compare(self, row: int, viewer: int, shown: np.ndarray) -> None:
        """Every part of `shown` is what its encoder says, and within its bounds."""
        look = Look(self.batch, row, viewer)
        expected = np.zeros(self.layout.size, np.float32)
        for part in self.layout.parts:
            values = self.encoders[part.name](look)
            if self.batch.variant.encoding == "rich":
                values = [min(value, CUT) for value in values]
            assert len(values) == part.size, f"{part.name} has {part.size} columns, its encoder gives {len(values)}"
            expected[self.layout.slices[part.name]] = values
        self._all(np.abs(shown - expected) <= PRECISION * np.abs(expected), "differ from their texts", shown, expected)
        self._all((shown >= self.lows) & (shown <= self.highs), "out of bounds", shown, expected)
        self.compared.append(expected)

    def constant(self) -> set[str]:
        """The parts that had one value in all that was compared: these could not have failed."""
        values = np.stack(self.compared)
        return {name for name, columns in self.layout.slices.items() if (values[:, columns] == values[0, columns]).all()}

    def alike(self) -> set[tuple[str, str]]:
        """The pairs of parts that were equal in all that was compared: one in the place of the other could not have failed."""
        values = np.stack(self.compared)
        pairs = itertools.combinations(self.layout.parts, 2)
        slices = self.layout.slices
        return {(a.name, b.name) for a, b in pairs if a.size == b.size and (values[:, slices[a.name]] == values[:, slices[b.name]]).all()}

    def _all(self, right: np.ndarray, what: str, shown: np.ndarray, expected: np.ndarray) -> None:
        if not right.all():
            wrong = [name for name, columns in self.layout.slices.items() if not right[columns].all()]
            columns = self.layout.slices[wrong[0]]
            raise AssertionError(f"{what}: {', '.join(wrong)}; {wrong[0]} is {shown[columns]}, its encoder gives {expected[columns]}")


def uniform_records(batch: tw.Batch, random: np.random.Generator) -> np.ndarray:
    """Records with every field drawn from its bounds, except for the options: one for each row of the batch."""
    variant = batch.variant
    states = np.repeat(variant.blank, batch.size)
    fixed = {"status", *variant.options}
    for field in variant.game.fields.all:
        if field.name not in fixed:
            states[field.name] = random.integers(field.low, field.high + 1, (batch.size, *field.shape))
    return states


def compare_records(batch: tw.Batch, states: np.ndarray, encoders: Mapping[str, Encoder]) -> Comparison:
    """Compare what every seat sees of these records. They need not be reachable, so nothing but `observe` may read them."""
    batch._b.states.view(np.ndarray)[:] = states
    comparison = Comparison(batch, encoders)
    rows, viewers = (grid.ravel() for grid in np.indices((batch.size, batch.players)))
    shown = np.full((rows.size, comparison.layout.size), np.nan, np.float32)  # a column that is not written stays NaN, which equals nothing
    batch._loops.look_all(batch._b, rows, viewers, shown)
    for row, viewer, vector in zip(rows.tolist(), viewers.tolist(), shown, strict=True):
        comparison.compare(row, viewer, vector)
    return comparison


def check_any_records(name: str, options: Mapping[str, Any], any_records: Records, encoders: Mapping[str, Encoder]) -> None:
    """Compare every seat's view of records of a variant, in which no part is constant and no two parts are alike."""
    batch = new_batch(name, richest(name, dict(options)), amount(16, 24))
    random = np.random.default_rng(variants(name).index(dict(options)))  # other records in every variant
    comparison = compare_records(batch, any_records(batch, random), encoders)
    assert not comparison.constant(), "parts that could not fail"
    assert not comparison.alike(), "parts that could change places unnoticed"


def compare_play(batch: tw.Batch, steps: int, policy: Policy, encoders: Mapping[str, Encoder]) -> Comparison:
    """Compare what the seat to move and one other see: in positions that are the first to show or change a part, final ones, and others."""
    comparison = Comparison(batch, encoders)
    firsts = [columns.start for columns in comparison.layout.slices.values()]
    first = batch.observations[0].copy()
    shown_before = np.zeros(2 * len(firsts), np.bool_)
    for step in range(steps):
        finished = np.flatnonzero(batch.finished)
        # By row and part: whether it shows something, and whether that differs from what the first position shows.
        shown = [np.logical_or.reduceat(batch.observations != other, firsts, axis=1) for other in (0, first)]
        rows = set(_first_rows(np.concatenate(shown, axis=1), shown_before))
        if step % EVERY == 0:
            rows.add(int(finished[0]) if finished.size else step % batch.size)
        for row in rows:
            mover = int(batch.seats[row])
            other = (mover + 1 + step % (batch.players - 1)) % batch.players
            comparison.compare(row, mover, batch.observations[row])
            comparison.compare(row, other, batch.look(row, other))
        batch.reset_rows(finished)
        batch.step(policy(batch), autoreset=False)
    return comparison


def _first_rows(shown: np.ndarray, before: np.ndarray) -> Iterator[int]:
    """Rows that show a part not shown before; `before` grows by what they show."""
    for row in np.flatnonzero((shown & ~before).any(axis=1)):
        if (shown[row] & ~before).any():
            before |= shown[row]
            yield int(row)


def random_policy(batch: tw.Batch) -> Policy:
    """Uniform random legal actions."""
    streams = np.arange(batch.size, dtype=np.uint64).reshape(-1, 1)
    actions = np.zeros(batch.size, np.int64)
    return lambda batch: batch.sample(streams, actions)


def one_hot(choices: Iterable[Any], chosen: Any) -> list[float]:
    return [float(choice == chosen) for choice in choices]


def shares(counts: Iterable[float], totals: Iterable[float]) -> list[float]:
    """Each count of its own total."""
    return [count / total for count, total in zip(counts, totals, strict=True)]


def levels(count: float, *reached: int) -> list[float]:
    """A thermometer."""
    return [float(count >= level) for level in reached]


def cut(value: float) -> float:
    """A number from -1 to 1."""
    return max(-1.0, min(1.0, value))


def flat(rows: Iterable[Iterable[float]]) -> list[float]:
    return [value for row in rows for value in row]
