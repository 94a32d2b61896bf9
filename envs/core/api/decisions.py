"""The input of agents: the decisions of some rows of a batch, or of one game."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..engine.buffers import Buffers, new_buffers
from ..engine.kernel import records
from ..spec.fields import Visibility, as_words

if TYPE_CHECKING:
    from ..spec.game import Variant

AGENTS = __name__.partition(".")[0] + ".agents."


class Decisions:
    """`n` decisions, one per game, all of one variant: everything that the seats to move may know, and nothing else.

    The arrays are copies, made on first access, so that an agent pays only for what it reads.

    | array | holds |
    |---|---|
    | `observations` | float32 (n, D): what the seat to move sees |
    | `masks` | bool (n, A): its legal actions, at least two |
    | `counts` | int32 (n,): the number of legal actions |
    | `seats` | int8 (n,): the seat to move |
    | `views` | records (n,): the game as that seat may see it; HIDDEN stands where it may not |
    | `information_states` | records (n,): the same with perfect recall, all that can be deduced from the history of the game |
    | `information_observations` | float32 (n, D_open): the observations of these, as under visibility="open" |
    | `rows` | int64 (n,): the row of each game, the same in every decision of one game |
    | `seeds` | uint64 (n,): a random number for each decision: an agent that draws from it alone plays the same game again |
    """

    ARRAYS = ("rows", "seeds", "seats", "counts", "observations", "mask_words", "views", "information_states")

    def __init__(self, variant: "Variant", buffers: Buffers, rows: np.ndarray, seeds: np.ndarray, track_history: bool = True) -> None:
        self.variant = variant
        self.rows = rows
        self.seeds = seeds
        self._b = buffers
        self._track_history = track_history

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that the decisions hold, copied."""
        return {name: getattr(self, name).copy() for name in self.ARRAYS}

    @classmethod
    def of_arrays(cls, variant: "Variant", arrays: "dict[str, np.ndarray]", track_history: bool = True) -> "Decisions":
        """Decisions made of `arrays()`, with no way back to the games: their buffers are empty ones of the same size.

        Args:
            variant: What is played.
            arrays: What `arrays()` returned.
            track_history: Whether the history of these games is known.
        """
        empty = new_buffers(variant, np.zeros((len(arrays["rows"]), 1), np.uint64))
        empty = empty._replace(visibility_mask=empty.visibility_mask.copy())
        decisions = cls(variant, empty, arrays["rows"], arrays["seeds"], track_history)
        decisions.__dict__.update({name: arrays[name] for name in cls.ARRAYS})
        return decisions

    def detached(self, variant: "Variant | None" = None) -> "Decisions":
        """The same decisions in memory of their own, for an agent that may write wherever it can.

        Args:
            variant: What stands in place of the games' own variant: an equal one that the agent may have, by default a new one.
        """
        decisions = self.of_arrays(self.variant, self.arrays(), self._track_history)
        decisions.variant = variant or own_variant(self.variant)
        return decisions

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Decisions({self.variant.describe()}, n={len(self)})"

    @cached_property
    def seats(self) -> np.ndarray:
        """The seat to move in each game: int8 (n,)."""
        return self._b.seats[self.rows]

    @cached_property
    def counts(self) -> np.ndarray:
        """The number of legal actions, at least 2: int32 (n,)."""
        return self._b.counts[self.rows]

    @cached_property
    def observations(self) -> np.ndarray:
        """What the seat to move sees: float32 (n, D)."""
        return self._b.observations[self.rows]

    @cached_property
    def mask_words(self) -> np.ndarray:
        """The masks' memory, eight actions per word, as kernels read it."""
        return self._b.mask_words[self.rows]

    @cached_property
    def masks(self) -> np.ndarray:
        """The legal actions: bool (n, A)."""
        return self.mask_words.view(np.bool_)[:, : len(self.variant.game.actions)]

    @cached_property
    def views(self) -> np.ndarray:
        """The records with HIDDEN (-1) in all that the seat to move may not see: records (n,)."""
        return self._records(self._b.words[self.rows] | self._b.visibility_mask[self.seats])

    @cached_property
    def information_states(self) -> np.ndarray:
        """`views` under visibility="open": with perfect recall a seat knows what a screen hides, since all saw it when it was taken.

        True secrets stay hidden. In games whose history is not known (`track_history=False`) these are the views.
        """
        if not self._track_history:
            return self.views
        states = self._records(self._b.words[self.rows] | self.variant.open_mask[self.seats])
        states["visibility"] = Visibility.OPEN
        return states

    @cached_property
    def information_observations(self) -> np.ndarray:
        """The observation of each information state: what `observations` would be under visibility="open".

        Raises:
            ValueError: The history of these games is not known (`track_history=False`).
        """
        return self.encode(self.variant.encoding, perfect_recall=True)

    def encode(self, encoding: str, perfect_recall: bool = False) -> np.ndarray:
        """What `observations`, or with perfect recall `information_observations`, would be under another `encoding`: float32 (n, D).

        Args:
            encoding: One of the game's `encodings`.
            perfect_recall: Whether to encode all that the seat could remember, rather than what it is shown now.

        Raises:
            ValueError: The game does not have this encoding, or the history of these games is not known (`track_history=False`).
        """
        if perfect_recall and not self._track_history:
            raise ValueError("the information state needs the history of the game: make the batch with track_history=True")
        if encoding == self.variant.encoding and not perfect_recall:
            return self.observations
        variant = self.variant.encoded(encoding)
        out = np.zeros((len(self), (variant.state_layout if perfect_recall else variant.layout).size), np.float32)
        words = as_words((self.information_states if perfect_recall else self.views).view(np.ndarray))
        views = np.zeros((1, 2), self.variant.game.fields.dtype)  # scratch memory of its own, so that threads can read at the same time
        b = self._b._replace(
            words=words, visibility_mask=np.zeros_like(self._b.visibility_mask), views=records(views), view_words=as_words(views)
        )
        self.variant.game.loops.look_all(b, np.arange(len(self)), self.seats.astype(np.int64), out)
        return out

    def _records(self, words: np.ndarray) -> np.ndarray:
        return records(words.reshape(-1).view(self.variant.game.fields.dtype))


def own_variant(variant: "Variant") -> "Variant":
    """An equal variant that shares no array with the given one: whoever writes into it shows nobody what is hidden."""
    return type(variant)(variant.game, dict(variant.options))


def comes_with_tradewinds(agent: object) -> bool:
    """Whether an agent is one of Tradewinds' own. A function of (observation, action_mask) counts: it is given copies of both alone."""
    return type(agent).__module__.startswith(AGENTS)


def given_to(agent: object, decisions: Decisions) -> Decisions:
    """The decisions as an agent may have them: agents of Tradewinds' own as they are, which costs nothing, all others detached."""
    return decisions if comes_with_tradewinds(agent) else decisions.detached()
