"""Many games at once, stepped in place."""

from itertools import pairwise
from typing import Any

import numpy as np

from .buffers import new_buffers
from .decisions import Decisions
from .errors import IllegalActionError
from .game import Variant
from .sampling import sample_legal
from .stream import STATE, spread_seeds
from .threads import Helpers, Part

# Parts of a batch that threads take one after the other. Fewer games take less time than to wake a thread.
STEPPED = 256  # games, at least, in a part that is stepped
SAMPLED = 1024  # ... whose actions are drawn
PARTS = 4  # a thread, at most: one that the machine holds up leaves the others more
LINE = 64  # parts begin at multiples of this, so that two threads do not write to one cache line all the time


class Batch:
    """`size` games of one variant. A finished game starts anew by itself, in the same step.

    All arrays are the batch's own memory, overwritten by the next `step` and read-only from outside: copy what you keep.
    Game i is the game that `env.reset(seed=int(batch.seeds[i]))` gives, alone or in any other batch.

    | array | holds |
    |---|---|
    | `observations` | float32 (size, D): what the seat to move sees |
    | `masks` | bool (size, A): what it may do |
    | `counts` | int32 (size,): how many actions that is, at least 2 |
    | `seats` | int8 (size,): the seat to move |
    | `states` | the records (size,) |
    | `seeds` | uint64 (size,): the seed of each running game |
    | `rewards` | float32 (size, players): of the last step |
    | `finished`, `truncated` | bool (size,): the last step ended the game; ... by the length limit |
    | `scores`, `ranks` | int32 (size, players): of the last game finished in that row |
    """

    def __init__(self, variant: Variant, size: int, seed: "int | np.ndarray | None" = None, threads: int = 1) -> None:
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < 1:
            raise ValueError(f"size={size!r} is not possible; size is a whole number, at least 1")
        if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or threads < 1:
            raise ValueError(f"threads={threads!r} is not possible; threads is a whole number, at least 1")
        self.variant = variant
        self.size = int(size)
        self.players = variant.players
        self.action_names = variant.game.actions.names
        self.observation_parts = variant.layout.slices
        self.threads = min(int(threads), self.size)
        self._helpers: Helpers | None = None
        self._loops = variant.game.loops
        self._b = new_buffers(variant, np.zeros((self.size, 1), np.uint64), lanes=self.threads)
        self._stepped, self._sampled = (cut_into_parts(self.size, self.threads, least) for least in (STEPPED, SAMPLED))
        self._actions = np.zeros(self.size, np.int64)
        self.masks = _read_only(self._b.masks)[:, : len(self.action_names)]
        for name in ("observations", "counts", "seats", "rewards", "finished", "truncated", "seeds", "states"):
            setattr(self, name, _read_only(getattr(self._b, name)))
        self.scores = _read_only(self._b.results)[:, 0]
        self.ranks = _read_only(self._b.results)[:, 1]
        self.reset(seed)

    observations: np.ndarray
    masks: np.ndarray
    counts: np.ndarray
    seats: np.ndarray
    rewards: np.ndarray
    finished: np.ndarray
    truncated: np.ndarray
    seeds: np.ndarray
    states: np.ndarray

    def reset(self, seed: "int | np.ndarray | None" = None) -> None:
        """Start all games anew. An int seeds the whole batch, an array of uint64 each game; none draws a fresh seed."""
        self._b.streams[:, STATE] = self._seeds(seed)
        self._run(self._stepped, self._loops.reset, self._b)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray]:
        """Play one action in each game: rewards (size, players) and finished (size,).

        If one action is not legal, no game is touched and an IllegalActionError names it.
        """
        self._actions[:] = self._checked(actions)
        illegal = self._loops.first_illegal(self._b, self._actions, 0, self.size)
        if illegal >= 0:
            raise self._illegal(int(illegal))
        self._run(self._stepped, self._loops.step, self._b, self._actions, self.variant.reward, 1)
        return self.rewards, self.finished

    def sample(self, streams: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Fill `out` (int64) with uniformly random legal actions. `streams` is uint64 (size, 1), any numbers to begin with."""
        self._run(self._sampled, _sample, self._b.mask_words, self._b.counts, streams, out)
        return out

    def decisions(self, rows: "np.ndarray | None" = None, seeds: "np.ndarray | None" = None) -> Decisions:
        """What agents are asked in these rows, by default all: read it before the next step.

        `seeds` are the random numbers of these decisions, uint64 (n,), for agents that draw; fresh ones without.
        """
        rows = np.arange(self.size) if rows is None else np.asarray(rows, np.int64)
        if seeds is None:
            seeds = np.random.SeedSequence().generate_state(len(rows), np.uint64)
        return Decisions(self.variant, self._b, rows, seeds)

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that `load_state_dict` needs to go on from here: plain arrays, for any file format."""
        b = self._b
        return {
            "states": b.states.view(np.ndarray).copy(),
            "streams": b.streams.copy(),
            "seeds": b.seeds.copy(),
            "rewards": b.rewards.copy(),
            "finished": b.finished.copy(),
            "truncated": b.truncated.copy(),
            "results": b.results.copy(),
        }

    def load_state_dict(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from a `state_dict` of a batch of the same variant and size."""
        wrong = [
            name
            for name, own in self.state_dict().items()
            if name not in arrays or arrays[name].shape != own.shape or arrays[name].dtype != own.dtype
        ]
        if wrong:
            raise ValueError(f"this is no state of such a batch: {', '.join(wrong)} missing or of another shape or type")
        for option in self.variant.game.options:
            if (
                option.name in (arrays["states"].dtype.names or ())
                and (arrays["states"][option.name] != self.variant.blank[option.name]).any()
            ):
                raise ValueError(f"this is the state of a batch with another {option.name}")
        for name, array in arrays.items():
            getattr(self._b, name).view(np.ndarray)[...] = array
        self._run(self._stepped, self._loops.refresh, self._b)

    def __reduce__(self) -> tuple[Any, ...]:
        # states and words share their memory, which neither pickle nor deepcopy would keep.
        return _batch_again, (self.variant, self.size, self.threads, self.state_dict())

    def close(self) -> None:
        """End the batch's threads. They also end with the batch; the next step would start them again."""
        if self._helpers is not None:
            self._helpers.close()
            self._helpers = None

    def _run(self, parts: list[Part], loop: Any, *arguments: Any) -> None:
        """The loop over all games."""
        if len(parts) == 1:
            loop(*arguments, 0, self.size, 0)
            return
        if self._helpers is None:
            self._helpers = Helpers(min(self.threads, len(self._stepped)) - 1)
        self._helpers.run(loop, arguments, parts)

    def _seeds(self, seed: Any) -> np.ndarray:
        seeds = np.zeros(self.size, np.uint64)
        if seed is None:
            seed = np.random.SeedSequence().generate_state(1, np.uint64)[0]
        if isinstance(seed, np.ndarray) and seed.ndim > 0:
            if seed.shape != (self.size,) or seed.dtype.kind not in "iu" or (seed < 0).any():
                raise ValueError(f"seeds must be {self.size} whole numbers, one a game, none below 0")
            seeds[:] = seed
            return seeds
        spread_seeds(np.uint64(check_seed(seed)), seeds)
        return seeds

    def _checked(self, actions: Any) -> np.ndarray:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        if given.shape != (self.size,):
            raise ValueError(f"step needs one action for each of the {self.size} games, not an array of shape {given.shape}")
        return given

    def _illegal(self, i: int) -> IllegalActionError:
        action, game = int(self._actions[i]), self.variant.game
        possible = np.flatnonzero(self.masks[i]).tolist()
        return IllegalActionError(game.actions, action, possible, f"game {i}, player_{self.seats[i]} to move")


def _batch_again(variant: Variant, size: int, threads: int, arrays: dict[str, np.ndarray]) -> Batch:
    batch = Batch(variant, size, 0, threads)
    batch.load_state_dict(arrays)
    return batch


def cut_into_parts(size: int, threads: int, least: int) -> list[Part]:
    """A batch cut into parts for threads to take: as many for each, or, of a small batch, fewer than there are threads."""
    count = size // least
    if threads == 1 or count < 2:
        return [(0, size)]
    if count >= threads:
        count = threads * min(count // threads, PARTS)
    cuts = sorted({size * part // count // LINE * LINE for part in range(count)})
    return list(pairwise([*cuts, size]))


def _sample(mask_words: np.ndarray, counts: np.ndarray, streams: np.ndarray, out: np.ndarray, first: int, last: int, lane: int) -> None:
    sample_legal(mask_words, counts, streams, out, first, last)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def check_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed={seed!r} is not possible; a seed is a whole number from 0 to 2**64 - 1")
    return int(seed)
