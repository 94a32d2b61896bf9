"""Hints for a person: the action that an agent would play, and how it rates the alternatives."""

from typing import NamedTuple

import tradewinds.envs as tw

from .base import Agent
from .table import answer


class Rating(NamedTuple):
    """One legal action and its rating, formatted for people."""

    name: str
    text: str


def opinion(agent: Agent, env: tw.TableEnv) -> tuple[int, list[Rating]]:
    """The action that the agent would play, and its ratings of the legal actions.

    Ratings come from the agent's `visits(decisions)`, as a search has it, or from its `rate(decisions)`, as bots and networks have it. Only
    differences between the values of `rate` have a meaning.

    Returns:
        The action, and the ratings from best to worst; empty if the agent has neither method.
    """
    names, legal = env.game.actions.names, env.legal_actions()
    if (visits := getattr(agent, "visits", None)) is not None:
        tried = visits(env.decision())
        best = sorted(legal, key=lambda action: -tried[action])
        return best[0], [Rating(names[action], f"{tried[action] / max(1, tried.sum()):.0%} of visits") for action in best]
    action = answer(agent, env)
    if (rate := getattr(agent, "rate", None)) is None:
        return action, []
    values = rate(env.decision())[0]
    return action, [Rating(names[action], f"{values[action]:.3f}") for action in sorted(legal, key=lambda action: -values[action])]
