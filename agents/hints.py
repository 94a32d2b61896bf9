"""Hints for a person: the action that an agent would play, and how it rates the alternatives."""

from typing import NamedTuple

import tradewinds.envs as tw
from tradewinds.envs.core.api.decisions import Decisions

from .base import Agent
from .table import answer_to


class Rating(NamedTuple):
    """One legal action and its rating, formatted for people."""

    action: int
    name: str
    text: str  # with its unit


class Hint(NamedTuple):
    """An agent's evaluation of a decision."""

    action: int
    ratings: list[Rating]  # from best to worst; empty if the agent does not rate actions
    why: str  # one line on where the ratings come from and what they mean; "" without any


def opinion(agent: Agent, env: tw.TableEnv, decisions: Decisions | None = None) -> Hint:
    """The action that the agent would play, and its ratings of the legal actions.

    Ratings come from the agent's `visits(decisions)`, as a search has it, or from its `rate(decisions)`, as bots and networks have it. Only
    differences between the values of `rate` have a meaning.

    Args:
        agent: Any agent for the environment's game and options.
        env: A game that is not over.
        decisions: What the agent is shown of it; `env.decision()` by default.

    Returns:
        The action, the ratings from best to worst, and what they mean.
    """
    asked = (env.decision() if decisions is None else decisions).detached()
    names, legal = env.game.actions.names, env.legal_actions()
    if (visits := getattr(agent, "visits", None)) is not None:
        tried = visits(asked)
        best = sorted(legal, key=lambda action: -tried[action])
        total = max(1, int(tried.sum()))
        rated = [Rating(action, names[action], f"{tried[action] / total:.0%} of visits") for action in best]
        return Hint(best[0], rated, f"the search tried it most often, in {rated[0].text.partition(' ')[0]} of {total:,} simulations")
    action = answer_to(agent, asked.detached())
    if (rate := getattr(agent, "rate", None)) is None:
        return Hint(action, [], "")
    values = rate(asked)[0]
    best = sorted(legal, key=lambda action: -values[action])
    gaps = [float(values[best[0]] - values[other]) for other in best]
    rated = [
        Rating(other, names[other], "best" if at == 0 else f"{gap:.2f} less")
        for at, (other, gap) in enumerate(zip(best, gaps, strict=True))
    ]
    clear = f"it rates it {gaps[1]:.2f} above the next; " if len(gaps) > 1 else ""
    return Hint(action, rated, f"{clear}ratings are the agent's own scale, on which only differences count")
