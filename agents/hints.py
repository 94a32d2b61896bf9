"""What an agent thinks of a decision, as far as it can say."""

from typing import NamedTuple

import tradewinds.envs as tw

from .base import Agent
from .table import answer


class Rating(NamedTuple):
    """One legal action and its rating, formatted for people."""

    name: str
    text: str


def opinion(agent: Agent, env: tw.TableEnv) -> tuple[int, list[Rating]]:
    """What the agent would play; and its rating of each legal action, the best first, or nothing if it gives none.

    A bot's ratings are `rate(decisions)`, of which only order and distance mean something. A search says how often it tried each
    action, `visits(decisions)`, and plays what it tried most.
    """
    names, legal = env.game.actions.names, env.legal_actions()
    if (visits := getattr(agent, "visits", None)) is not None:
        tried = visits(env.decision())
        best = sorted(legal, key=lambda action: -tried[action])
        return best[0], [Rating(names[action], f"{tried[action] / max(1, tried.sum()):.0%} of tries") for action in best]
    action = answer(agent, env)
    if (rate := getattr(agent, "rate", None)) is None:
        return action, []
    values = rate(env.decision())[0]
    return action, [Rating(names[action], f"{values[action]:.3f}") for action in sorted(legal, key=lambda action: -values[action])]
