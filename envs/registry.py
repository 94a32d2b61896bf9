"""The games by name: those that come with Tradewinds, those given to `register`, and those that other packages declare.

A package declares its game as an entry point of the group `tradewinds.games`:

    [project.entry-points."tradewinds.games"]
    toy_market = "toy_market:GAME"

Entry points are read only when a name is unknown or all games are listed.
"""

import difflib
import importlib.metadata
import inspect
import itertools
import keyword
import math
import warnings
from collections.abc import Iterator
from numbers import Real
from typing import Any

import gymnasium
from pettingzoo.env_registry import registration as pettingzoo_registry

from .core.spec.actions import ActionTable
from .core.spec.fields import Fields, header
from .core.spec.game import Game
from .core.spec.layout import Layout
from .core.spec.options import ENCODINGS, REWARDS, VISIBILITIES, Option

GROUP = "tradewinds.games"
MIN_PLAYERS = 2

_games: dict[str, Game] = {}
_entry_points_read = False


def register(game: Game) -> None:
    """Add a game, so that `make`, agents, training and the command line find it by its name.

    PettingZoo and Gymnasium know it from then on as `tradewinds/<name>-v<version>`.

    What its kernels write is checked when the game is first used, since nothing is compiled here.

    Args:
        game: The game.

    Raises:
        TypeError: This is no Game.
        ValueError: The name is taken, or the declaration is incomplete; the message says where. Nothing is registered then.
    """
    _check(game)
    env_id = f"tradewinds/{game.name}-v{game.version}"
    # By name, so that another process, which has not registered it, can find the game by its entry point.
    if env_id not in pettingzoo_registry.aec_registry:
        pettingzoo_registry.register("aec", env_id, f"{__package__}:make", kwargs={"name": game.name})
    if env_id not in gymnasium.registry:
        vector = f"{__package__}.vector:SeatVectorEnv"
        gymnasium.register(env_id, f"{__package__}:make_seat", kwargs={"name": game.name}, vector_entry_point=vector)
    _games[game.name] = game


def games() -> list[str]:
    """The names of all games."""
    _read_entry_points()
    return list(_games)


def game(name: str) -> Game:
    """A game by its name: its options, actions, fields and kernels.

    Raises:
        ValueError: There is no such game.
    """
    if name not in _games:
        _read_entry_points()
    if name not in _games:
        near = difflib.get_close_matches(str(name), _games, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"there is no game {name!r}{hint}; the games are {', '.join(_games)}")
    return _games[name]


def _read_entry_points() -> None:
    """Register what other packages declare. One that cannot be used is named in a warning; the others work."""
    global _entry_points_read
    if _entry_points_read:
        return
    _entry_points_read = True
    for point in importlib.metadata.entry_points(group=GROUP):
        try:
            found = point.load()
            if _games.get(point.name) is not found:  # a package may register its game itself when it is imported
                register(found)
        except (Exception, SystemExit) as error:  # a module may end the program when it is imported
            owner = f" of {point.dist.name}" if point.dist is not None else ""
            message = f"the game {point.name!r}{owner} ({point.value}) is left out: {type(error).__name__}: {error}"
            warnings.warn(message, RuntimeWarning, stacklevel=3)


def _check(game: Game) -> None:
    if not isinstance(game, Game):
        raise TypeError(f"a game is a tradewinds.Game, not {game!r}")
    faults = list(_faults(game))
    if faults:
        raise ValueError(f"the game {game.name!r} cannot be registered: {'; '.join(faults)}")


def _faults(game: Game) -> Iterator[str]:
    """What is wrong with a game's declaration. Its kernels were checked when the Game was made."""
    name = game.name
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        yield "its name must be an identifier, such as 'toy_market'"
    elif name in _games:
        yield "this name is taken" if _games[name] is not game else "it is registered already"
    if not isinstance(game.version, int) or isinstance(game.version, bool) or game.version < 0:
        yield f"its version must be an integer from 0, not {game.version!r}"
    scale = game.score_scale
    if not isinstance(scale, Real) or isinstance(scale, bool) or not 0 < scale < math.inf:
        yield f"its score_scale must be a number above 0, not {scale!r}"
    if not isinstance(game.actions, ActionTable):
        yield f"its actions must be an ActionTable, not {game.actions!r}"
    elif game.actions.game != name:
        yield f"its ActionTable is that of {game.actions.game!r}"
    if not _takes(game.text, 2):
        yield f"its text must be a function text(view, seat), not {_called(game.text)}"
    if not _takes(game.svg, 2) or not _takes(game.svg, 3):
        yield f"its svg must be a function svg(view, seat, names=()), not {_called(game.svg)}"
    yield from _faulty_fields(game)
    yield from _faulty_options(game)


def _takes(function: Any, arguments: int) -> bool:
    """Whether it can be called with so many arguments, as far as that is known."""
    try:
        inspect.signature(function).bind(*range(arguments))
    except TypeError:  # also for what is no function
        return False
    except ValueError:  # a function without a signature
        pass
    return True


def _called(function: Any) -> str:
    return f"{function.__name__}{inspect.signature(function)}" if inspect.isfunction(function) else repr(function)


def _faulty_fields(game: Game) -> Iterator[str]:
    if not isinstance(game.fields, Fields):
        yield f"its fields must be Fields, not {type(game.fields).__name__}"
        return
    needed = [field.name for field in header(game.fields.seats)]
    missing = [name for name in needed if name not in (game.fields.dtype.names or ())]
    if missing:
        yield f"its record lacks the header's fields {', '.join(missing)}"


def _faulty_options(game: Game) -> Iterator[str]:
    if not isinstance(game.options, tuple) or not all(isinstance(option, Option) for option in game.options):
        yield f"its options must be a tuple of Option, not {game.options!r}"
        return
    for option in game.options:
        if not isinstance(option.choices, (tuple, range)) or option.default not in option.choices:
            yield f"its option {option.name} must have a tuple or range of choices, the default {option.default!r} among them"
            return
    options = {option.name: option for option in game.options}
    missing = [name for name in ("players", "reward", "visibility") if name not in options]
    if missing:
        yield f"it has no option {', '.join(missing)}; `common_options` gives them"
        return
    for name, choices in (("reward", REWARDS), ("visibility", VISIBILITIES)):
        if tuple(options[name].choices) != choices:
            yield f"its option {name} must have the choices {', '.join(choices)}"
    if game.encodings not in (ENCODINGS[:1], ENCODINGS):
        yield f"its option encoding must have the choices {ENCODINGS[0]}, or {', '.join(ENCODINGS)}"
    seats = list(options["players"].choices)
    if not seats or not all(type(count) is int and count >= MIN_PLAYERS for count in seats):
        yield f"the choices of its option players must be integers from {MIN_PLAYERS}, not {seats}"
        return
    if isinstance(game.fields, Fields) and max(seats) > game.fields.seats:
        yield f"it has up to {max(seats)} players but fields for {game.fields.seats} seats"
    defaults = {option.name: option.default for option in game.options}
    for players, visibility, encoding in itertools.product(seats, VISIBILITIES, game.encodings):
        given = f"players={players}, visibility={visibility!r}, encoding={encoding!r}"
        try:
            layout = game.parts({**defaults, "players": players, "visibility": visibility, "encoding": encoding})
        except Exception as error:
            yield f"parts(options) raises {type(error).__name__}: {error} ({given})"
            return
        if not isinstance(layout, Layout) or layout.size == 0:
            yield f"parts(options) must give a Layout with parts, not {layout!r} ({given})"
            return
