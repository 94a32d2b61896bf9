"""Information-set Monte-Carlo tree search, compiled for each game."""

from .agent import Search

__all__ = ["Search"]
