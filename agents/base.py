"""What an agent is, and what all agents of Tradewinds share."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.api.errors import one_line
from tradewinds.envs.core.spec.game import Variant

MAX_REASON = 500  # characters


@runtime_checkable
class Agent(Protocol):
    """A player: one method that chooses actions for n decisions at a time, each of a different game.

    An agent is made for one variant of one game, plays any seat, and sees only what is in `decisions`. An agent that keeps state per row
    has a method `new_games()`, which is called before the rows are used for other games. A slow agent may set `games_at_once`: how many
    games are played together in one batch.
    """

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose one legal action per decision: integers (n,).

        Args:
            decisions: What is asked, one row per game.
        """
        ...


class VariantAgent:
    """An agent for one variant: it refuses decisions of another one, and pickles and copies by its constructor's arguments.

    A copy starts without memory of games.
    """

    def __init__(self, variant: Variant, code: str, arguments: dict[str, Any]) -> None:
        """Store what is needed to pickle, copy and print the agent.

        Args:
            variant: The variant that it plays.
            code: The code that `agents.make` takes for it.
            arguments: The other arguments of the subclass's constructor.
        """
        self.variant = variant
        self.code = code
        self._arguments = arguments

    def __repr__(self) -> str:
        return f"<agent {self.code} for {_label(self.variant)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.variant, self._arguments)

    def check(self, decisions: Decisions) -> None:
        """Raise a ValueError if the decisions are of another variant. Rewards and encodings may differ: no choice depends on them."""
        ours, theirs = self.variant, decisions.variant
        if ours is theirs or (ours.game is theirs.game and ours.options == theirs.options):
            return
        neutral = {"reward": None, "encoding": None}
        if ours.game is not theirs.game or {**ours.options, **neutral} != {**theirs.options, **neutral}:
            raise ValueError(f"{self!r} cannot play {_label(theirs)}: make it for the same game and options")


def _label(variant: Variant) -> str:
    """The game, the number of players, and the options that are not the default."""
    options = [f"{o.name}={variant.options[o.name]}" for o in variant.game.options if variant.options[o.name] != o.default]
    players = [] if any(option.startswith("players=") for option in options) else [f"players={variant.players}"]
    return ", ".join([variant.game.name, *players, *options])


def _rebuild(kind: type, variant: Variant, arguments: dict[str, Any]) -> Any:
    return kind(variant, **arguments)


class FunctionAgent:
    """Wraps a function `f(observation, action_mask) -> action` as an agent. It is called once per decision."""

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], Any]) -> None:
        self.function = function

    def __repr__(self) -> str:
        return f"<agent of the function {getattr(self.function, '__qualname__', self.function)}>"

    def act(self, decisions: Decisions) -> np.ndarray:
        """Call the function once per decision: int64 (n,). The mask is int8, as PettingZoo gives it."""
        rows = zip(decisions.observations, decisions.masks.view(np.int8), strict=True)
        return np.array([_as_integer(self.function(observation, mask)) for observation, mask in rows], np.int64)


def _as_integer(action: Any) -> int:
    if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer, np.ndarray)):
        raise TypeError(f"an action must be an integer, got {action!r}")
    return int(action)


def describe_error(error: BaseException) -> str:
    """An error and where it was raised, in one line, whatever its own methods do."""
    try:
        frames = traceback.extract_tb(error.__traceback__)
        where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
        return shorten(f"{type(error).__name__}: {error}{where}")
    except BaseException:  # an agent's error may raise anything when it is printed
        return "an error that cannot be printed"


def shorten(text: str) -> str:
    """The text in one printable line of at most MAX_REASON characters."""
    return one_line(text, MAX_REASON)


def as_agent(given: Any) -> Agent:
    """Return an agent unchanged; wrap a plain function in a `FunctionAgent`.

    Args:
        given: An object with `act(decisions)`, or a function of `(observation, action_mask)`.

    Raises:
        TypeError: It is neither.
    """
    if isinstance(given, type):
        raise TypeError(f"{given.__name__} is a class: give an instance of it")
    if isinstance(given, Agent):
        return given
    if callable(given):
        return FunctionAgent(given)
    raise TypeError(f"{given!r} is not an agent: an agent has a method act(decisions), or is a function of (observation, action_mask)")
