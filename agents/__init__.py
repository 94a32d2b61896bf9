"""Players of the games.

>>> from tradewinds import agents
>>> bot = agents.make("scripted", "santiago_de_cuba", players=3)
"""

from tradewinds.envs.core.api.decisions import Decisions

from .base import Agent, FunctionAgent, as_agent
from .registry import FORMS, AgentError, build, make

__all__ = ["FORMS", "Agent", "AgentError", "Decisions", "FunctionAgent", "as_agent", "build", "make"]
