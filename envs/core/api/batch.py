"""Many games, stepped together in place."""

import threading
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..engine.buffers import Buffers, copy_buffers, new_buffers
from ..engine.kernel import JIT
from ..engine.rng import STATE, spread_seeds
from ..engine.threads import Cell, Task, ThreadTeam
from ..io.states import put, refresh
from ..spec.fields import Status
from ..spec.game import Variant
from .decisions import Decisions
from .errors import FormatError, GameOverError, IllegalActionError

ROWS_PER_THREAD = 256  # at least: with fewer, sharing a step saves little
ROWS_TO_WAKE = 1024  # per thread at least, for calls that are further apart: by then helpers sleep, and to wake one takes as long as a step
QUICK_SUCCESSION = 0.0002  # seconds between two calls
MOST_STEPS = 2**63 - 1  # what a compiled loop counts to
STATE_DICT = ("states", "streams", "seeds", "rewards", "finished", "truncated", "results")


class Owner:
    """Held while a thread works on memory; a second thread gets an error at once, since two in one kernel would never end."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"another thread is using this {self._what}: give each thread its own, for example by copy()")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class Batch:
    """`size` games of one variant, stepped in place. A finished game is reset in the same step unless `autoreset=False`.

    All arrays are the batch's own memory, overwritten by the next `step` and read-only from outside: copy what you keep. One thread at a
    time may call its methods; another one gets a RuntimeError.
    Game i is the game that `env.reset(seed=int(batch.seeds[i]))` gives, alone or in any other batch.

    | array | holds |
    |---|---|
    | `observations` | float32 (size, D): what the seat to move sees |
    | `masks` | bool (size, A): its legal actions; all false if the game is over |
    | `counts` | int32 (size,): the number of legal actions, at least 2, or 0 if the game is over |
    | `seats` | int8 (size,): the seat to move |
    | `states` | the records (size,) |
    | `seeds` | uint64 (size,): the seed of each running game |
    | `rewards` | float32 (size, players): of the last step in that row |
    | `finished`, `truncated` | bool (size,): that step ended the game; ... by the length limit |
    | `scores`, `ranks` | int32 (size, players): of the last game finished in that row |

    Args:
        variant: The game and its options.
        size: The number of games.
        seed: An integer for the whole batch, an array of uint64 with one seed per game, or None for a fresh one.
        threads: How many threads share a step.
        track_history: Whether agents in this batch have perfect recall; see `Decisions.information_states`.
    """

    def __init__(
        self, variant: Variant, size: int, seed: "int | np.ndarray | None" = None, threads: int = 1, track_history: bool = True
    ) -> None:
        self.variant = variant
        self.size = _positive("size", size)
        self.players = variant.players
        self.action_names = variant.game.actions.names
        self.observation_parts = variant.layout.slices
        self.threads = min(_positive("threads", threads), self.size)
        self.track_history = bool(track_history)
        self._loops = variant.game.loops
        self._hold(new_buffers(variant, np.zeros((self.size, 1), np.uint64), lanes=self.threads))
        self.reset(seed)

    def _hold(self, b: Buffers) -> None:
        """Adopt these buffers, and set up what depends on them."""
        self._b = b
        self._owner = Owner("batch")
        self._all = np.arange(self.size)
        self._rows = self._all.copy()  # those of the running loop, where helpers find them
        self._chosen: np.ndarray | None = self._all  # whose copy `_rows` is
        self._actions = np.zeros(self.size, np.int64)
        self._streams = np.zeros((self.size, 1), np.uint64)
        self._team = ThreadTeam(self._loops.run, (b, self._actions, self._rows, self._streams), b.control)
        self._last_run = 0.0  # when the last loop ended
        self.masks = _read_only(b.masks)[:, : len(self.action_names)]
        for name in ("observations", "counts", "seats", "rewards", "finished", "truncated", "seeds", "states"):
            setattr(self, name, _read_only(getattr(b, name)))
        self.scores = _read_only(b.results)[:, 0]
        self.ranks = _read_only(b.results)[:, 1]

    observations: np.ndarray
    masks: np.ndarray
    counts: np.ndarray
    seats: np.ndarray
    rewards: np.ndarray
    finished: np.ndarray
    truncated: np.ndarray
    seeds: np.ndarray
    states: np.ndarray

    def __repr__(self) -> str:
        return f"Batch({self.variant.describe()}, size={self.size})"

    def reset(self, seed: "int | np.ndarray | None" = None) -> None:
        """Start a new game in every row.

        Args:
            seed: An integer for the whole batch, an array of uint64 with one seed per game, or None for a fresh one.
        """
        seeds = self._seeds(seed)
        with self._owner:
            self._b.streams[:, STATE] = seeds
            self._run(Task.RESET, self._all)

    def step(self, actions: Any, rows: Any = None, autoreset: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Play one action in each game.

        If one action is not legal, or one game is over, no game is touched.

        Args:
            actions: Integers, one for each game that moves.
            rows: The games that move, integers (n,); by default all. The others stay as they are.
            autoreset: Whether a game that ends is reset in the same step. If not it keeps its last observations and rewards until
                `reset_rows` is called.

        Returns:
            Rewards (size, players) and finished (size,), the batch's own memory; with `rows` copies, (n, players) and (n,).

        Raises:
            IllegalActionError: An action is not legal; the message names the game and its legal actions.
            GameOverError: One of the games is over.
        """
        chosen = self._all if rows is None else self._checked_rows(rows)
        count = chosen.size
        given = self._checked_actions(actions, count)
        with self._owner:
            self._actions[:count] = given
            self._run(Task.CHECKED_STEP, chosen, int(autoreset))
            if self._b.control[Cell.FOUND]:
                illegal = int(self._loops.first_illegal(self._b, self._actions, chosen, 0, count))
                raise self._illegal(int(chosen[illegal]), int(self._actions[illegal]))
        return (self.rewards, self.finished) if rows is None else (self.rewards[chosen], self.finished[chosen])

    def reset_rows(self, rows: Any) -> None:
        """Start new games in these rows, those that autoreset would have started."""
        chosen = self._checked_rows(rows)
        with self._owner:
            self._run(Task.RESET, chosen)

    def copy(self) -> "Batch":
        """An independent batch in the same state: the same actions give the same games in both."""
        batch = object.__new__(type(self))
        batch.__dict__.update(self.__dict__)
        with self._owner:
            copied = copy_buffers(self._b)
        batch._hold(copied)
        return batch

    def __copy__(self) -> "Batch":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Batch":
        return self.copy()

    def look(self, rows: Any, seats: Any) -> np.ndarray:
        """Observations of any seats, to move or not.

        Args:
            rows: Integers that broadcast with `seats`.
            seats: `look(3, 0)` is one observation, `look(rows[:, None], np.arange(players))` those of all seats.

        Returns:
            float32 (..., D).
        """
        given = [_integers(rows, "rows", self.size), _integers(seats, "seats", self.players)]
        try:
            of_rows, viewers = np.broadcast_arrays(*given)
        except ValueError:
            raise ValueError(f"rows of shape {given[0].shape} and seats of shape {given[1].shape} do not broadcast") from None
        out = np.zeros((of_rows.size, self.variant.layout.size), np.float32)
        with self._owner:
            self._loops.look_all(self._b, of_rows.flatten(), viewers.flatten(), out)
        return out.reshape(*of_rows.shape, self.variant.layout.size)

    def sample(self, streams: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Draw uniformly random legal actions.

        Args:
            streams: uint64 (size, 1), the states of the random generators, any numbers to begin with; updated.
            out: int64 (size,), where the actions go; -1 where the game is over.

        Returns:
            `out`.
        """
        _check_array("streams", streams, np.uint64, (self.size, 1))
        _check_array("out", out, np.int64, (self.size,))
        with self._owner:
            self._streams[...] = streams
            self._run(Task.SAMPLE, self._all)
            streams[...] = self._streams
            out[...] = self._actions
        return out

    def play_random(self, steps: int, streams: np.ndarray) -> None:
        """Uniformly random play in every game, with autoreset.

        The result is that of calling `sample` and `step` in turn. It is faster, since it plays game after game and so keeps each one's
        memory in the cache. Masks and observations are written in every step.

        Args:
            steps: How many in each game.
            streams: uint64 (size, 1), what actions are drawn from; updated.
        """
        if not isinstance(steps, (int, np.integer)) or isinstance(steps, bool) or not 0 <= steps <= MOST_STEPS:
            raise ValueError(f"steps must be an integer from 0 to 2**63 - 1, got {steps!r}")
        _check_array("streams", streams, np.uint64, (self.size, 1))
        with self._owner:
            over = np.flatnonzero(self.counts == 0)
            if over.size:
                raise self._over(int(over[0]))
            self._streams[...] = streams
            self._run(Task.PLAY_RANDOM, self._all, int(steps))
            streams[...] = self._streams

    def decisions(self, rows: "np.ndarray | None" = None, seeds: "np.ndarray | None" = None) -> Decisions:
        """What agents are asked in these rows. Read it before the next step.

        Args:
            rows: Integers (n,); by default all.
            seeds: uint64 (n,), a seed per decision for agents that draw; by default fresh ones.

        Raises:
            GameOverError: One of the games is over.
            ValueError: There is no such row, or not one seed per row.
        """
        rows = self._all.copy() if rows is None else _integers(rows, "rows", self.size)
        if rows.ndim != 1:
            raise ValueError(f"rows must be one-dimensional, got shape {rows.shape}")
        over = np.flatnonzero(self.counts[rows] == 0)
        if over.size:
            raise self._over(int(rows[over[0]]))
        if seeds is None:
            seeds = np.random.SeedSequence().generate_state(len(rows), np.uint64)
        elif not isinstance(seeds, np.ndarray) or seeds.dtype != np.uint64 or seeds.shape != rows.shape:
            raise ValueError(f"seeds must be uint64 of shape {rows.shape}, one per row")
        return Decisions(self.variant, self._b, rows, seeds, self.track_history)

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that `load_state_dict` needs to continue from here: plain arrays, for any file format."""
        with self._owner:
            return {name: getattr(self._b, name).view(np.ndarray).copy() for name in STATE_DICT}

    def load_state_dict(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Continue from the `state_dict` of a batch of the same variant and size.

        Raises:
            ValueError: It is not one, or holds a state that the rules cannot lead to; the batch is as it was.
        """
        if not isinstance(arrays, Mapping):
            raise FormatError(f"a state_dict must be a dict of arrays, got {type(arrays).__name__}")
        with self._owner:
            trial = copy_buffers(self._b)
            wrong = []
            for name in STATE_DICT:
                own, given = getattr(trial, name).view(np.ndarray), arrays.get(name)
                if not isinstance(given, np.ndarray) or given.shape != own.shape or given.dtype != own.dtype:
                    wrong.append(f"{name} must be {_form(own)}, got {_form(given)}")
            if wrong:
                raise FormatError(f"this is no state of such a batch: {'; '.join(wrong)}")
            for name in STATE_DICT:
                getattr(trial, name).view(np.ndarray)[...] = arrays[name]
            _check_results(trial)
            refresh(self.variant, trial)
            put(self._b, trial)

    def __reduce__(self) -> tuple[Any, ...]:
        # states and words share their memory, which neither pickle nor deepcopy would keep.
        return _batch_again, (self.variant, self.size, self.threads, self.track_history, self.state_dict())

    def close(self) -> None:
        """End the batch's threads. They also end with the batch; the next step would start them again."""
        self._team.close()

    def _run(self, task: Task, rows: np.ndarray, how: int = 0) -> None:
        """Run one loop over these games, in several threads if there are enough of them."""
        is_quick = time.perf_counter() - self._last_run < QUICK_SUCCESSION
        threads = min(self.threads, max(1, rows.size // (ROWS_PER_THREAD if is_quick else ROWS_TO_WAKE))) if JIT else 1
        if rows is not self._chosen:
            self._chosen = None  # Ctrl-C can come between any two of these lines
            self._rows[: rows.size] = rows
            self._chosen = rows
        self._team.run(int(task), how, self.variant.reward, rows.size, threads)
        self._last_run = time.perf_counter()

    def _seeds(self, seed: Any) -> np.ndarray:
        seeds = np.zeros(self.size, np.uint64)
        if seed is None:
            seed = np.random.SeedSequence().generate_state(1, np.uint64)[0]
        if isinstance(seed, np.ndarray) and seed.ndim > 0:
            if seed.shape != (self.size,) or seed.dtype.kind not in "iu" or (seed < 0).any():
                raise ValueError(f"seeds must be {self.size} non-negative integers, one per game")
            seeds[:] = seed
            return seeds
        spread_seeds(np.uint64(check_seed(seed)), seeds)
        return seeds

    def _checked_actions(self, actions: Any, count: int) -> np.ndarray:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" and given.size:
            raise TypeError(f"actions must be integers, got {given.dtype}")
        if given.shape != (count,):
            raise ValueError(f"actions must have shape ({count},), one per game, got {given.shape}")
        return given

    def _checked_rows(self, rows: Any) -> np.ndarray:
        chosen = _integers(rows, "rows", self.size)
        if chosen.ndim != 1:
            raise ValueError(f"rows must be one-dimensional, got shape {chosen.shape}")
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


def _form(array: Any) -> str:
    """Type and shape of an array for messages."""
    if not isinstance(array, np.ndarray):
        return "nothing" if array is None else type(array).__name__
    return f"{array.dtype if array.dtype.names is None else f'records of {array.dtype.itemsize} bytes'} of shape {array.shape}"


def _check_results(b: Buffers) -> None:
    """Flags and rewards must be those of their states."""
    status, finished, truncated = b.states["status"], b.finished.view(np.uint8), b.truncated.view(np.uint8)
    if (finished > 1).any() or (truncated > 1).any() or (truncated > finished).any():
        raise FormatError("this is no state of such a batch: a game is truncated but not finished")
    if ((status != Status.RUNNING) & (finished == 0)).any() or ((status == Status.TRUNCATED) & (truncated == 0)).any():
        raise FormatError("this is no state of such a batch: a game is over but not finished")
    if not np.isfinite(b.rewards).all():
        raise FormatError("this is no state of such a batch: a reward is not a finite number")


def _check_array(name: str, array: Any, kind: type, shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape or not array.flags.writeable:
        raise ValueError(f"{name} must be a writable {kind.__name__} array of shape {shape}")


def _integers(given: Any, what: str, end: int) -> np.ndarray:
    """Check that all numbers are from 0 to end - 1, and copy them as int64."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu" and numbers.size:
        raise TypeError(f"{what} must be integers, got {numbers.dtype}")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < end:
        wrong = numbers[(numbers < 0) | (numbers >= end)].flat[0]
        raise ValueError(f"{what} must be from 0 to {end - 1}, got {wrong}")
    return numbers.astype(np.int64)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def _positive(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value!r}")
    return int(value)


def check_seed(seed: Any) -> int:
    """The seed as an int, or a ValueError that says what a seed is."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed must be an integer from 0 to 2**64 - 1, got {seed!r}")
    return int(seed)
