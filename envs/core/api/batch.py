"""Many games at once, stepped in place."""

from contextlib import nullcontext
from typing import Any

import numpy as np

from ..engine.buffers import new_buffers
from ..engine.kernel import JIT
from ..engine.rng import STATE, spread_seeds
from ..engine.threads import LOOKS, PART, Cell, Do, Helpers, clear, give, new_order
from ..spec.game import Variant
from .decisions import Decisions
from .errors import GameOverError, IllegalActionError

LEAST = 256  # games for each thread: fewer take less time than to wake it


class Batch:
    """`size` games of one variant. A finished game starts anew by itself, in the same step, unless `step` is told to leave it.

    All arrays are the batch's own memory, overwritten by the next `step` and read-only from outside: copy what you keep.
    Game i is the game that `env.reset(seed=int(batch.seeds[i]))` gives, alone or in any other batch.

    | array | holds |
    |---|---|
    | `observations` | float32 (size, D): what the seat to move sees |
    | `masks` | bool (size, A): what it may do; nothing, if the game was left finished |
    | `counts` | int32 (size,): how many actions that is, at least 2, or 0 |
    | `seats` | int8 (size,): the seat to move |
    | `states` | the records (size,) |
    | `seeds` | uint64 (size,): the seed of each running game |
    | `rewards` | float32 (size, players): of the last step in that row |
    | `finished`, `truncated` | bool (size,): that step ended the game; ... by the length limit |
    | `scores`, `ranks` | int32 (size, players): of the last game finished in that row |
    """

    def __init__(
        self, variant: Variant, size: int, seed: "int | np.ndarray | None" = None, threads: int = 1, track_history: bool = True
    ) -> None:
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
        self._order = new_order(self.size, min(self.threads, max(1, self.size // LEAST)) - 1 if JIT else 0)
        self._all = np.arange(self.size)
        self._is_whole = False  # the order names all rows
        self.masks = _read_only(self._b.masks)[:, : len(self.action_names)]
        for name in ("observations", "counts", "seats", "rewards", "finished", "truncated", "seeds", "states"):
            setattr(self, name, _read_only(getattr(self._b, name)))
        self.track_history = bool(track_history)
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
        self._run(Do.RESET, self._all)

    def step(self, actions: Any, rows: Any = None, autoreset: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Play one action in each game: rewards (size, players) and finished (size,).

        `rows`, whole numbers (n,), are the games that move, by default all. Then there are n actions, the others stay as they are, and
        what is returned is a copy, (n, players) and (n,). With `autoreset=False` a game that ends stays as it is, with its last
        observations and rewards, until `reset_rows` is called.

        If one action is not legal, or one game is over, no game is touched and an IllegalActionError or a GameOverError names it.
        """
        chosen = self._all if rows is None else self._checked_rows(rows)
        self._order.actions[: chosen.size] = self._checked_actions(actions, chosen.size)
        illegal = self._run(Do.CHECK, chosen, int(autoreset))
        if illegal < chosen.size:
            raise self._illegal(int(chosen[illegal]), int(self._order.actions[illegal]))
        return (self.rewards, self.finished) if rows is None else (self.rewards[chosen], self.finished[chosen])

    def reset_rows(self, rows: Any) -> None:
        """Start new games in these rows, those that would have come next by themselves."""
        chosen = self._checked_rows(rows)
        self._run(Do.RESET, chosen)

    def look(self, rows: Any, seats: Any) -> np.ndarray:
        """What seats see now of some rows, to move or not: float32 (..., D).

        `rows` and `seats` are whole numbers or arrays that broadcast: `look(3, 0)` is one observation, `look(rows[:, None],
        np.arange(players))` those of all seats.
        """
        given = [_whole_numbers(rows, "rows", self.size), _whole_numbers(seats, "seats", self.players)]
        try:
            of_rows, viewers = np.broadcast_arrays(*given)
        except ValueError:
            raise ValueError(f"rows of shape {given[0].shape} and seats of shape {given[1].shape} do not go together") from None
        out = np.zeros((of_rows.size, self.variant.layout.size), np.float32)
        self._loops.look_all(self._b, of_rows.flatten(), viewers.flatten(), out)
        return out.reshape(*of_rows.shape, self.variant.layout.size)

    def sample(self, streams: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Fill `out` (int64) with uniformly random legal actions, -1 where the game is over.

        `streams` is uint64 (size, 1), any numbers to begin with.
        """
        _check_array("streams", streams, np.uint64, (self.size, 1))
        _check_array("out", out, np.int64, (self.size,))
        self._order.streams[...] = streams
        self._run(Do.SAMPLE, self._all)
        streams[...] = self._order.streams
        out[...] = self._order.actions
        return out

    def play_random(self, steps: int, streams: np.ndarray) -> None:
        """So many steps of uniformly random play in every game: the same as `sample` and `step` by turns, but one game after the other.

        That is faster, since a game's memory stays at hand. Masks and observations are written in every step.
        """
        if not isinstance(steps, (int, np.integer)) or isinstance(steps, bool) or steps < 0:
            raise ValueError(f"steps={steps!r} is not possible; steps is a whole number, at least 0")
        _check_array("streams", streams, np.uint64, (self.size, 1))
        over = np.flatnonzero(self.counts == 0)
        if over.size:
            raise self._over(int(over[0]))
        self._order.streams[...] = streams
        self._run(Do.PLAY_RANDOM, self._all, int(steps))
        streams[...] = self._order.streams

    def decisions(self, rows: "np.ndarray | None" = None, seeds: "np.ndarray | None" = None) -> Decisions:
        """What agents are asked in these rows, by default all: read it before the next step.

        `seeds` are the random numbers of these decisions, uint64 (n,), for agents that draw; fresh ones without.
        """
        rows = self._all.copy() if rows is None else _whole_numbers(rows, "rows", self.size)
        if rows.ndim != 1:
            raise ValueError(f"rows are given one after the other, not in an array of shape {rows.shape}")
        over = np.flatnonzero(self.counts[rows] == 0)
        if over.size:
            raise self._over(int(rows[over[0]]))
        if seeds is None:
            seeds = np.random.SeedSequence().generate_state(len(rows), np.uint64)
        return Decisions(self.variant, self._b, rows, seeds, self.track_history)

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that `load_state_dict` needs to go on from here: plain arrays, for any file format."""
        return {name: array.copy() for name, array in self._lasting().items()}

    def load_state_dict(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from a `state_dict` of a batch of the same variant and size."""
        lasting = self._lasting()
        wrong = [
            name
            for name, own in lasting.items()
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
        for name, own in lasting.items():
            own[...] = arrays[name]
        self._run(Do.REFRESH, self._all)

    def _lasting(self) -> dict[str, np.ndarray]:
        """The batch's own memory, without what follows from it."""
        b = self._b
        names = ("states", "streams", "seeds", "rewards", "finished", "truncated", "results")
        return {name: getattr(b, name).view(np.ndarray) for name in names}

    def __reduce__(self) -> tuple[Any, ...]:
        # states and words share their memory, which neither pickle nor deepcopy would keep.
        return _batch_again, (self.variant, self.size, self.threads, self.track_history, self.state_dict())

    def close(self) -> None:
        """End the batch's threads. They also end with the batch; the next step would start them again."""
        if self._helpers is not None:
            self._helpers.close()
            self._helpers = None

    def _run(self, do: Do, rows: np.ndarray, how: int = 0) -> int:
        """One loop over these games, shared with helpers if it is worth it. The first place where it found something, or their number."""
        order, count = self._order, rows.size
        is_shared = order.helpers > 0 and count >= 2 * LEAST
        if self._helpers is not None and self._helpers.are_lost:
            self._helpers = None
            clear(order.cells)
        if is_shared and self._helpers is None:
            self._helpers = Helpers(self._loops.attend, (self._b, order), order)
        if not (rows is self._all and self._is_whole):
            self._is_whole = False
            order.rows[:count] = rows
            self._is_whole = rows is self._all
        with self._helpers or nullcontext():
            give(order.cells, int(do), count, PART if is_shared else count, how, self.variant.reward)
            if is_shared and self._helpers is not None:
                self._helpers.wake()
            self._loops.attend(self._b, order, 0, LOOKS)
        return int(order.cells[Cell.FOUND])

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

    def _checked_actions(self, actions: Any, count: int) -> np.ndarray:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" and given.size:
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        if given.shape != (count,):
            raise ValueError(f"step needs one action for each of the {count} games, not an array of shape {given.shape}")
        return given

    def _checked_rows(self, rows: Any) -> np.ndarray:
        chosen = _whole_numbers(rows, "rows", self.size)
        if chosen.ndim != 1:
            raise ValueError(f"rows are given one after the other, not in an array of shape {chosen.shape}")
        named = np.bincount(chosen, minlength=1)
        if named.max() > 1:
            raise ValueError(f"row {named.argmax()} is given {named.max()} times; a game can take one step at a time")
        return chosen

    def _illegal(self, i: int, action: int) -> Exception:
        if self.counts[i] == 0:
            return self._over(i)
        possible = np.flatnonzero(self.masks[i]).tolist()
        return IllegalActionError(self.variant.game.actions, action, possible, f"game {i}, player_{self.seats[i]} to move")

    def _over(self, i: int) -> GameOverError:
        return GameOverError(f"game {i} is over: call reset_rows([{i}]) for a new one")


def _batch_again(variant: Variant, size: int, threads: int, track_history: bool, arrays: dict[str, np.ndarray]) -> Batch:
    batch = Batch(variant, size, 0, threads, track_history)
    batch.load_state_dict(arrays)
    return batch


def _check_array(name: str, array: Any, kind: type, shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape or not array.flags.writeable:
        raise ValueError(f"{name} must be {kind.__name__} of shape {shape}, and one that can be written to")


def _whole_numbers(given: Any, what: str, end: int) -> np.ndarray:
    """A copy as kernels take it, of numbers from 0 to end - 1."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu" and numbers.size:
        raise TypeError(f"{what} are whole numbers, not {numbers.dtype}")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < end:
        wrong = numbers[(numbers < 0) | (numbers >= end)].flat[0]
        raise ValueError(f"there is no {wrong} among the {what}; they go from 0 to {end - 1}")
    return numbers.astype(np.int64)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def check_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed={seed!r} is not possible; a seed is a whole number from 0 to 2**64 - 1")
    return int(seed)
