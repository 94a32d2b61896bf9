"""Scripted bots: one kernel per game that rates actions, and styles, which are rows of weights for it."""

from .agent import Scripted, loops_of
from .bot import Bot, bot_of

__all__ = ["Bot", "Scripted", "bot_of", "loops_of"]
