"""`Game`, the declaration of a game, and `Variant`, a game with its options fixed."""

import importlib
import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import spaces

from ..engine.buffers import Buffers, new_buffers
from ..engine.cache import PACKAGE, announce_template
from ..engine.kernel import compiling
from ..engine.rng import new_tape
from ..engine.threads import Task
from ..render.places import Spot
from .actions import ActionTable
from .fields import Fields, Visibility
from .layout import Layout
from .options import ENCODINGS, REWARDS, VISIBILITIES, Option, check_options

LOOPS = Path(__file__).parents[1] / "engine" / "loops_template.py"
GUARD = 4096  # numbers behind a vector, to see what is written beyond it
KERNELS = ("setup", "legal", "apply", "observe", "redeal", "score")


@dataclass(frozen=True, eq=False)
class Game:
    """One game: its declarations and its six kernels.

    | kernel | does |
    |---|---|
    | `setup(s, stream)` | a fresh game from the options already in `s` |
    | `legal(s, mask) -> count` | fills the mask for the seat to move and counts it; changes nothing else |
    | `apply(s, action, stream)` | plays one legal action; the core then plays what is forced after it |
    | `observe(view, seat, out)` | the vector, from a record that is already masked for that seat |
    | `redeal(s, seat, stream)` | draws again everything that this seat cannot know |
    | `score(s, out)` | out[0] the final scores, out[1] the ranks, 1 the best, ties shared |
    """

    name: str
    title: str
    module: str  # where this Game is found again, as GAME
    version: int  # raised whenever the same seed and actions may give another game
    fields: Fields
    actions: ActionTable
    options: tuple[Option, ...]
    parts: Callable[[Mapping[str, Any]], Layout]  # the observation's layout under given options
    kernels: Mapping[str, Callable[..., Any]]
    text: Callable[..., str]  # (view, seat) -> the board as text
    svg: Callable[..., str]  # (view, seat or None for a spectator, names=()) -> the board as a picture
    score_scale: float  # points by which games are typically won
    bot: str | None = None  # "package.module:BOT", the scripted bot, if there is one
    mean_steps: Mapping[int, int] = field(default_factory=dict)  # players -> mean env steps of an episode of random legal play
    check: Callable[[Mapping[str, Any]], None] | None = None  # raises a ValueError for options that do not go together
    check_state: Callable[[np.ndarray], list[str]] | None = None  # (states of one variant) -> what the rules cannot have led to
    secret: Callable[..., bool] | None = None  # (record, action) -> whether nobody but its player learns of that action; None: all are open
    announce: Callable[..., str] | None = None  # (before, action, after) -> what everyone is told of it by then, or ""
    spot: Callable[[Any, int, int], Spot] | None = None  # (view, seat, action) -> where on the board that seat plays it
    words: Callable[[Any, int, int], str] | None = None  # (view, seat, action) -> that legal action for people, with destination and price
    glossary: Mapping[str, str] = field(default_factory=dict)  # a role, a building, ... -> what it does
    colours: Mapping[str, str] = field(default_factory=dict)  # the name of a good, as texts have it -> "#rrggbb"

    def __post_init__(self) -> None:
        missing = [name for name in KERNELS if not callable(self.kernels.get(name))]
        unknown = [name for name in self.kernels if name not in KERNELS]
        if missing or unknown:
            said = [f"{word} {', '.join(names)}" for word, names in (("lacks", missing), ("does not know", unknown)) if names]
            raise ValueError(f"{self.name}: the kernels of a game are {', '.join(KERNELS)}; this one {' and '.join(said)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _find_game, (self.module,)

    @property
    def env_id(self) -> str:
        """Name and version, as PettingZoo's modules are called: `puzzle_v0`."""
        return f"{self.name}_v{self.version}"

    @property
    def encodings(self) -> tuple[str, ...]:
        """The encodings of observations that it has, the default first."""
        return next((tuple(map(str, option.choices)) for option in self.options if option.name == "encoding"), ENCODINGS[:1])

    def with_options(self, **given: Any) -> "Variant":
        """The game with these options and the defaults of the others.

        Raises:
            ValueError: An option does not exist, or cannot have this value, alone or beside the others.
        """
        options = check_options(self.name, self.options, given)
        if self.check is not None:
            self.check(options)
        return Variant(self, options)

    def in_words(self, view: Any, seat: int, action: int) -> str:
        """A legal action as a person reads it: what it leads to and costs now. Without `words`, the action's name.

        Args:
            view: The position as the seat to move may see it.
            seat: The seat to move.
            action: One of its legal actions.
        """
        return self.actions.names[action] if self.words is None else self.words(view, seat, action)

    @cached_property
    def loops(self) -> ModuleType:
        """The core's loops around this game's kernels, compiled and checked on first use.

        Raises:
            ValueError: `observe` does not write the vector whose sizes `parts` gives.
        """
        loops = load_template(LOOPS, f"{__package__}.loops_of_{self.name}", self.kernels)
        with compiling(loops.__name__, self.name):
            _check_observations(self, loops)
            _use_every_loop(self, loops)
        return loops


class Variant:
    """A game with its options fixed, and everything that follows from them: layouts, spaces, visibility masks."""

    def __init__(self, game: Game, options: dict[str, Any]) -> None:
        self.game = game
        self.options = options
        self.players: int = options["players"]
        self.reward = REWARDS.index(options["reward"])
        self.visibility = Visibility(VISIBILITIES.index(options["visibility"]))
        self.encoding: str = options.get("encoding", ENCODINGS[0])
        self._by_encoding: dict[str, Variant] = {self.encoding: self}
        self.layout = game.parts(options)
        self.state_layout = game.parts({**options, "visibility": "open"})
        self.visibility_mask = game.fields.visibility_mask(self.visibility)
        self.open_mask = game.fields.visibility_mask(Visibility.OPEN)
        self.blank = np.zeros(1, game.fields.dtype)
        for option in game.options:
            if option.name in (game.fields.dtype.names or ()):
                value = options[option.name]
                self.blank[option.name] = tuple(option.choices).index(value) if isinstance(value, str) else value

    def __reduce__(self) -> tuple[Any, ...]:
        return Variant, (self.game, self.options)

    def encoded(self, encoding: str) -> "Variant":
        """The same variant with another encoding of its observations.

        Raises:
            ValueError: The game does not have this encoding.
        """
        if encoding not in self._by_encoding:
            if encoding not in self.game.encodings:
                raise ValueError(f"{self.game.name} has only the encoding {' and '.join(self.game.encodings)}, not {encoding!r}")
            self._by_encoding[encoding] = Variant(self.game, {**self.options, "encoding": encoding})
        return self._by_encoding[encoding]

    @cached_property
    def vector_space(self) -> spaces.Box:
        """The space of observation vectors. It is built once and shared by everything that holds this variant."""
        return self.layout.space

    @cached_property
    def state_space(self) -> spaces.Box:
        """The space of `TableEnv.state()`."""
        return self.state_layout.space

    @cached_property
    def observation_space(self) -> spaces.Dict:
        """The space of `TableEnv.observe()`: vector and action mask."""
        mask = spaces.Box(0, 1, (len(self.game.actions),), np.int8)
        return spaces.Dict({"observation": self.vector_space, "action_mask": mask})

    def __repr__(self) -> str:
        return f"Variant({self.describe()})"

    def describe(self) -> str:
        """The game and its options, for the `repr` of all that belongs to it."""
        return ", ".join([self.game.name, *(f"{name}={value!r}" for name, value in self.options.items())])

    def masked_view(self, state: np.ndarray, viewer: int) -> np.record:
        """A copy of one record as the viewer may see it: HIDDEN stands where it may not."""
        words = np.frombuffer(state.tobytes(), np.uint64) | self.visibility_mask[viewer]
        return words.view(self.game.fields.dtype).view(np.recarray)[0]


def _find_game(module: str) -> Game:
    return importlib.import_module(module).GAME


def load_template(file: Path, module_name: str, kernels: Mapping[str, Callable[..., Any]], uses: Iterable[ModuleType] = ()) -> ModuleType:
    """Execute a template as a new module, with one game's kernels as its globals.

    Args:
        file: The template's source.
        module_name: The name of the new module.
        kernels: Functions that the template finds as its globals.
        uses: Other modules with kernels that the template imports.
    """
    announce_template(module_name, file, kernels.values(), uses)
    spec = importlib.util.spec_from_file_location(module_name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(kernels)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module


def _use_every_loop(game: Game, loops: ModuleType) -> None:
    """Call each loop once with the types that all environments use, so that it is compiled, or read from the cache."""
    variant = game.with_options()
    b = new_buffers(variant, np.stack([new_tape(0)]))
    start_games(loops, b)
    actions, rows = np.zeros(1, np.int64), np.zeros(1, np.int64)
    loops.first_illegal(b, actions, rows, 0, 1)
    loops.look(b, 0, 0, 0, b.observations[0])
    loops.look_all(b, rows, rows, b.observations)
    loops.redeal_all(b, np.zeros(1, np.int8), b.streams)


def _check_observations(game: Game, loops: ModuleType) -> None:
    """Compare what `observe` writes with the sizes of `parts`, for each number of players, visibility and encoding.

    A compiled kernel would write beyond a vector that is too short without a word. It is checked here and not when a game is registered,
    which compiles nothing.
    """
    if game.module.startswith(f"{PACKAGE}."):  # whose tests also run with bounds checks
        return
    seats = next(option.choices for option in game.options if option.name == "players")
    for players, visibility, encoding in itertools.product(seats, VISIBILITIES, game.encodings):
        given = {"players": players, "visibility": visibility, **({"encoding": encoding} if len(game.encodings) > 1 else {})}
        try:
            variant = game.with_options(**given)
        except ValueError:  # options that do not go together
            continue
        size = variant.layout.size
        memory = np.zeros(size + GUARD, np.float32)
        b = new_buffers(variant, np.stack([new_tape(0)]))._replace(observations=memory[None])
        start_games(loops, b)
        for viewer in range(players):
            memory[:] = np.nan
            said = ", ".join(f"{name}={value!r}" for name, value in given.items())
            wrong = f"{game.name}: observe does not write the {size} numbers that parts gives under {said}, but"
            try:
                loops.look(b, 0, viewer, 0, memory[:size])
            except (IndexError, ValueError) as error:  # without bounds checks it writes into the guard instead
                raise ValueError(f"{wrong} fails: {error}") from error
            if not np.isnan(memory[size:]).all():
                raise ValueError(f"{wrong} at least {1 + np.flatnonzero(~np.isnan(memory))[-1]}")
            if np.isnan(memory[:size]).any():
                raise ValueError(f"{wrong} leaves column {np.flatnonzero(np.isnan(memory))[0]} as it was")


def start_games(loops: ModuleType, b: Buffers) -> None:
    """Start a new game in every row of these buffers, from its stream."""
    size = b.states.size
    loops.run(b, np.zeros(size, np.int64), np.arange(size), b.streams, int(Task.RESET), 0, 0, size, 0)
