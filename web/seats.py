"""The seats of a game: who decides there, and the browsers that look on."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

Viewer = int | None  # None watches a game of agents alone, of which nothing is hidden


@dataclass
class Seat:
    """Who sits at a seat."""

    name: str  # of the person, or what the agent is called
    code: str | None  # of the agent; None for a person
    token: str  # opens the seat
    here: bool = False  # a person in the owner's browser

    @property
    def is_person(self) -> bool:
        """Whether a person decides."""
        return self.code is None

    @property
    def is_well_typed(self) -> bool:
        """Whether a seat that was read from a file has values of the right types."""
        texts = (self.name, self.token) if self.code is None else (self.name, self.token, self.code)
        return all(isinstance(text, str) for text in texts) and isinstance(self.here, bool)


class Subscriber:
    """A stream of one browser, for some seats."""

    def __init__(self, viewers: Sequence[Viewer]) -> None:
        self.viewers = viewers
        self.changed = asyncio.Event()
