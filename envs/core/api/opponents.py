"""Who plays the other seats: agents by code, a list of them, or a mixture."""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..spec.game import Variant

FORMS = (
    "opponents must be one agent for all other seats, a list with one agent per other seat, or a mixture {agent: weight}; "
    "an agent is a code such as 'random' or 'scripted', an object with act(decisions), or a function of (observation, action_mask)"
)


class Opponents:
    """A pool of agents, and how the other seats of each game are given to them.

    Args:
        agents: The pool.
        weights: How often each is drawn, independently for each game and seat; None for equal chances.
        by_seat: The k-th agent always has the k-th of the other seats; nothing is drawn.
    """

    def __init__(self, agents: Sequence[Any], weights: Sequence[float] | None = None, by_seat: bool = False) -> None:
        self.agents = list(agents)
        self.by_seat = by_seat
        self._shares = None if weights is None else np.asarray(weights, float) / sum(weights)

    def draw(self, random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Indices into `agents`."""
        if self._shares is None or len(self._shares) != len(self.agents):
            return random.integers(0, len(self.agents), shape)
        return random.choice(len(self.agents), shape, p=self._shares)

    def new_games(self) -> None:
        """Tell agents that remember games that other games follow."""
        for agent in self.agents:
            getattr(agent, "new_games", lambda: None)()


def resolve(given: Any, variant: Variant) -> Opponents:
    """Make the opponents of a seat environment.

    Args:
        given: One agent, a sequence of one per other seat, or a mapping from agents to weights.
        variant: The game that they play.

    Raises:
        ValueError: It is none of these, or a code names no agent.
    """
    if isinstance(given, Opponents):
        return given
    if isinstance(given, Mapping):
        weights = list(given.values())
        if not weights or any(isinstance(weight, bool) or not isinstance(weight, (int, float)) or not weight > 0 for weight in weights):
            raise ValueError(f"a mixture of opponents needs positive weights, got {given!r}")
        return Opponents([agent_of(one, variant) for one in given], weights)
    if isinstance(given, Sequence) and not isinstance(given, str):
        if len(given) != variant.players - 1:
            raise ValueError(f"{FORMS}; got a list of {len(given)} for {variant.players - 1} other seats")
        return Opponents([agent_of(one, variant) for one in given], by_seat=True)
    return Opponents([agent_of(given, variant)])


def agent_of(given: Any, variant: Variant) -> Any:
    """An agent from its code, or as it is given.

    Raises:
        ValueError: It is no agent, or a code names none.
    """
    agents = importlib.import_module("tradewinds.agents")  # only now: agents import the environments
    if isinstance(given, str):
        return agents.build(given, variant)
    try:
        return agents.as_agent(given)
    except TypeError as error:
        raise ValueError(f"{FORMS}; {error}") from None
