"""What an agent is."""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions


@runtime_checkable
class Agent(Protocol):
    """One method that answers one decision or thousands: the n decisions of one moment, each of another game.

    An agent is made for one variant of one game, may be asked for any seat, and sees what is in `decisions` alone. One that remembers games
    by their rows has a method `new_games()`, which is called before the rows are other games; one that is slow may say by `games_at_once`
    how many games it wants to be asked about together.
    """

    def act(self, decisions: Decisions) -> np.ndarray:
        """One legal action for each decision: whole numbers (n,)."""
        ...


class FunctionAgent:
    """A plain function `f(observation, action_mask) -> action` as an agent, asked decision by decision."""

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], Any]) -> None:
        self.function = function

    def act(self, decisions: Decisions) -> np.ndarray:
        rows = zip(decisions.observations, decisions.masks.view(np.int8), strict=True)
        return np.array([_whole(self.function(observation, mask)) for observation, mask in rows], np.int64)


def _whole(action: Any) -> int:
    if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer, np.ndarray)):
        raise TypeError(f"an action is a whole number, not {action!r}")
    return int(action)


def as_agent(given: Any) -> Agent:
    """An agent as it is, a plain function made into one, or a TypeError that says what is possible."""
    if isinstance(given, type):
        raise TypeError(f"{given.__name__} is a class: give an instance of it")
    if isinstance(given, Agent):
        return given
    if callable(given):
        return FunctionAgent(given)
    raise TypeError(f"{given!r} is no agent: an agent has a method act(decisions), or is a function of (observation, action_mask)")
