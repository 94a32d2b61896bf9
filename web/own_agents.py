"""The agents of a game. Third-party ones run in a process of their own."""

from collections.abc import Iterable

from tradewinds.agents import Agent, build
from tradewinds.agents.registry import is_built_in
from tradewinds.envs.core.spec.game import Variant

TIME_LIMIT = 120.0  # seconds per decision of a third-party agent
MEMORY_LIMIT = 4096  # MB


def new_agent(code: str, variant: Variant) -> Agent:
    """Make the agent of a code; a third-party one gets a process of its own."""
    if is_built_in(code):
        return build(code, variant)
    from tradewinds.training.isolation import IsolatedAgent  # only now: few need it

    return IsolatedAgent(code, variant, TIME_LIMIT, MEMORY_LIMIT)


def close_agents(agents: Iterable[Agent | None]) -> None:
    """Close the processes of agents that have one. None of them may be answering."""
    for agent in agents:
        if (close := getattr(agent, "close", None)) is not None:
            close()
