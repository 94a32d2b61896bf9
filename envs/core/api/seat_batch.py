"""One seat in each game of a batch; agents play the other seats."""

from typing import Any, NamedTuple

import numpy as np

from ..spec.game import Variant
from .batch import Batch
from .breakdown import breakdown
from .decisions import given_to
from .opponents import Opponents

OWN = -1  # in `seat_assignments`; other numbers are indices into the pool


class Endings(NamedTuple):
    """The games that ended in one step, one entry per game, as the own seat saw them."""

    rows: np.ndarray
    seats: np.ndarray
    observations: np.ndarray
    rewards: np.ndarray
    truncated: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray
    lengths: np.ndarray  # in decisions of the own seat
    breakdowns: np.ndarray  # (games, sources): points by source; no sources unless asked for


class SeatBatch:
    """`size` games of a batch, in each of which one seat is played from outside.

    A step is one decision of the own seat in every row, with all that the others decide until it is asked again. A game that ends before
    the own seat was asked anything is followed by another one and not reported.

    Args:
        variant: The game and its options.
        size: The number of games.
        opponents: Who plays the other seats.
        seat: The own seat; None gives it the next seat in each game of a row, and all seats equally often over the rows.
        seed: What all randomness comes from.
        threads: How many threads step the batch.
        same_step: Whether a new game starts in the step that ends one. If not, the row waits for the next step, which ignores its action.
        by_source: Whether endings tell where scores come from.
    """

    def __init__(
        self,
        variant: Variant,
        size: int,
        opponents: Opponents,
        seat: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        same_step: bool = True,
        by_source: bool = False,
    ) -> None:
        self.variant = variant
        self.opponents = opponents
        self.seat = check_seat(seat, variant)
        self.same_step = same_step
        self.by_source = by_source
        self.batch = Batch(variant, size, seed, threads)
        self.random = np.random.default_rng(seed)
        self.own_seats = np.zeros(size, np.int64)
        self.seat_assignments = np.zeros((size, variant.players), np.int64)
        self.decisions = np.zeros(size, np.int64)  # of the own seat, in the running games
        self.waiting = np.zeros(size, bool)  # rows whose game is over, until the next step
        self.rows = np.arange(size)

    def reset(self, seeds: "int | np.ndarray | None" = None) -> None:
        """Start new games in all rows.

        Args:
            seeds: As `Batch.reset` takes them; by default drawn from the random generator.
        """
        self.batch.reset(int(self.random.integers(2**63)) if seeds is None else seeds)
        self.own_seats[:] = self.rows % self.variant.players
        self.waiting[:] = False
        self._seat_players(self.rows)
        self._play_on()

    def step(self, actions: np.ndarray) -> Endings:
        """Play one action in every row, then the other seats up to the next decision of the own one.

        Args:
            actions: The action of each row: integers (size,); those of rows that wait for a reset are ignored.

        Raises:
            IllegalActionError: An action is not legal; no game was touched.
        """
        waiting, moving = np.flatnonzero(self.waiting), np.flatnonzero(~self.waiting)
        if moving.size:
            self.batch.step(actions[moving], moving, autoreset=False)
        self.decisions[moving] += 1
        if waiting.size:
            self.waiting[waiting] = False
            self._begin(waiting)
        return self._play_on()

    def _play_on(self) -> Endings:
        """Let the others decide until the own seat is to move in every row."""
        batch, endings = self.batch, []
        while True:
            over = np.flatnonzero((batch.counts == 0) & ~self.waiting)
            if over.size:
                asked = self.decisions[over] > 0
                endings.append(self._end(over[asked]))
                if not self.same_step:
                    self.waiting[over[asked]] = True
                    over = over[~asked]
                self._begin(over)
            who = self.seat_assignments[self.rows, batch.seats]
            rows = np.flatnonzero((who != OWN) & ~self.waiting)
            if not rows.size:
                return _joined(endings, self)
            actions, seeds = np.zeros(rows.size, np.int64), self.random.integers(0, 2**64, rows.size, np.uint64)
            for place, agent in enumerate(self.opponents.agents):
                asked = np.flatnonzero(who[rows] == place)
                if asked.size:
                    actions[asked] = agent.act(given_to(agent, batch.decisions(rows[asked], seeds[asked])))
            batch.step(actions, rows, autoreset=False)

    def _end(self, rows: np.ndarray) -> Endings:
        batch, seats = self.batch, self.own_seats[rows]
        return Endings(
            rows,
            seats,
            batch.look(rows, seats),
            batch.rewards[rows, seats],
            batch.truncated[rows],
            batch.scores[rows, seats],
            batch.ranks[rows, seats],
            self.decisions[rows],
            self._breakdowns(rows),
        )

    def _breakdowns(self, rows: np.ndarray) -> np.ndarray:
        if not self.by_source or not rows.size:
            return np.zeros((rows.size, 0), np.int64)
        finals = self.batch.states.view(np.ndarray)[rows]
        parts = [breakdown(self.variant.game, final)[seat] for final, seat in zip(finals, self.own_seats[rows], strict=True)]
        return np.array([list(part.values()) for part in parts], np.int64)

    def _begin(self, rows: np.ndarray) -> None:
        if rows.size:
            self.own_seats[rows] = (self.own_seats[rows] + 1) % self.variant.players
            self.batch.reset_rows(rows)
            self._seat_players(rows)

    def _seat_players(self, rows: np.ndarray) -> None:
        players = self.variant.players
        if self.seat is not None:
            self.own_seats[rows] = self.seat
        own = self.own_seats[rows]
        if self.opponents.by_seat:
            places = np.arange(players)
            self.seat_assignments[rows] = places - (places > own[:, None])
        else:
            self.seat_assignments[rows] = self.opponents.draw(self.random, (rows.size, players))
        self.seat_assignments[rows, own] = OWN
        self.decisions[rows] = 0
        self.opponents.new_games()


def check_seat(seat: Any, variant: Variant) -> int | None:
    """The seat as an int, or None.

    Raises:
        ValueError: The game has no such seat.
    """
    if seat is None:
        return None
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < variant.players:
        raise ValueError(f"seat must be None or an integer from 0 to {variant.players - 1}, got {seat!r}")
    return int(seat)


def check_choice(name: str, given: Any, choices: tuple[str, ...]) -> None:
    """Raise a ValueError unless an argument is one of its choices."""
    if given not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {given!r}")


def _joined(endings: list[Endings], games: SeatBatch) -> Endings:
    if len(endings) == 1:
        return endings[0]
    if not endings:
        return games._end(np.zeros(0, np.int64))
    return Endings(*(np.concatenate(parts) for parts in zip(*endings, strict=True)))
