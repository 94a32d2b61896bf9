"""What agents are asked: the decisions of some rows of a batch, or of one game."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .buffers import Buffers
from .fields import Visibility
from .kernel import records

if TYPE_CHECKING:
    from .game import Variant


class Followed(NamedTuple):
    """What the moves of some games led to: records as words (n, words), and of which games the moves are known (n,)."""

    words: np.ndarray
    is_known: np.ndarray


class Decisions:
    """`n` decisions, one a game, all of one variant: everything that the seats to move may know, and nothing else.

    The arrays are copies, made when first read, so that an agent pays only for what it looks at.

    | array | holds |
    |---|---|
    | `observations` | float32 (n, D): what the seat to move sees |
    | `masks` | bool (n, A): what it may do, at least two actions |
    | `counts` | int32 (n,): how many that is |
    | `seats` | int8 (n,): the seat to move |
    | `views` | records (n,): the game as that seat may see it; HIDDEN stands where it may not |
    | `counted` | records (n,): the same with what the seat knows if it counted along from the start of the game |
    | `rows` | int64 (n,): the row of each game, the same in every decision of one game |
    | `seeds` | uint64 (n,): a random number for each decision: an agent that draws from it alone plays the same game again |
    """

    def __init__(
        self, variant: "Variant", buffers: Buffers, rows: np.ndarray, seeds: np.ndarray, followed: "Callable[[], Followed] | None" = None
    ) -> None:
        self.variant = variant
        self.rows = rows
        self.seeds = seeds
        self._b = buffers
        self._followed = followed

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def seats(self) -> np.ndarray:
        return self._b.seats[self.rows]

    @cached_property
    def counts(self) -> np.ndarray:
        return self._b.counts[self.rows]

    @cached_property
    def observations(self) -> np.ndarray:
        return self._b.observations[self.rows]

    @cached_property
    def mask_words(self) -> np.ndarray:
        """The masks' memory, eight actions a word, as kernels read it."""
        return self._b.mask_words[self.rows]

    @cached_property
    def masks(self) -> np.ndarray:
        return self.mask_words.view(np.bool_)[:, : len(self.variant.game.actions)]

    @cached_property
    def views(self) -> np.ndarray:
        return self._records(self._b.words[self.rows] | self._b.veil[self.seats])

    @cached_property
    def counted(self) -> np.ndarray:
        """As `views`, but under visibility="open" in games that were followed from their start: all that a screen hides was once seen.

        In a position that was set up nobody can have counted, and it is the view.
        """
        if self._followed is None:
            return self.views
        words, is_known = self._followed()
        open_veil = self.variant.game.fields.veil(Visibility.OPEN)[self.seats]
        counted = self._records(np.where(is_known[:, None], words | open_veil, self._b.words[self.rows] | self._b.veil[self.seats]))
        counted["visibility"][is_known] = Visibility.OPEN
        return counted

    def _records(self, words: np.ndarray) -> np.ndarray:
        return records(words.reshape(-1).view(self.variant.game.fields.dtype))
