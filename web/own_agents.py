"""The agents of a game: those that come with Tradewinds, and those that run somebody's own code, each in a process of its own."""

from collections.abc import Iterable

from tradewinds.agents import Agent, build
from tradewinds.agents.registry import is_built_in
from tradewinds.envs.core.spec.game import Variant

TIME_LIMIT = 120.0  # seconds that an agent of somebody's own has for a decision
MEMORY_LIMIT = 4096  # MB


def new_agent(code: str, variant: Variant) -> Agent:
    """A new agent of a code; one that runs foreign code gets a process of its own."""
    if is_built_in(code):
        return build(code, variant)
    from tradewinds.training.isolation import IsolatedAgent  # only now: few need it

    return IsolatedAgent(code, variant, TIME_LIMIT, MEMORY_LIMIT)


def close_agents(agents: Iterable[Agent | None]) -> None:
    """End the processes of agents that have one. None of them may be answering."""
    for agent in agents:
        if (close := getattr(agent, "close", None)) is not None:
            close()
