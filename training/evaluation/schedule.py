"""What is to be played: who against whom, on which seeds, in which chunks. All of it follows from a few settings."""

import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents import Agent, as_agent, build
from tradewinds.envs.core.api.batch import check_seed
from tradewinds.envs.core.engine.cache import SOURCES, Layer, fingerprint, layer_of
from tradewinds.envs.core.spec.game import Variant

from .arena import are_compiled, draw_seeds, paired_seeds, seated

CHUNKS = 16  # that a run is cut into if it can be, so that all cores have work, whatever their number
COMPILED_AT_ONCE, STEPWISE_AT_ONCE = (256, 4096), (32, 256)  # games of a chunk: fewer would waste time, more would not save any


class Match(NamedTuple):
    """One agent against a field, by their numbers."""

    agent: int
    field: tuple[int, ...]


class Chunk(NamedTuple):
    """The games `first` to `last` of a match."""

    match: int
    first: int
    last: int


@dataclass(frozen=True)
class Plan:
    """Matches of as many games each, on the same seeds. Results depend on the plan alone, not on who plays it or in which order."""

    variant: Variant
    agents: tuple[Any, ...]  # codes, or agents themselves
    names: tuple[str, ...]
    matches: tuple[Match, ...]
    games: int  # of a match: each seed once with the agent in each seat
    seed: int
    time_limit: float | None = None
    built: tuple[Agent, ...] = field(default=(), repr=False)  # the agents, for this process

    @classmethod
    def of(
        cls,
        game: str,
        agents: Sequence[Any],
        matches: Sequence[Match],
        games: int,
        seed: int = 0,
        time_limit: float | None = None,
        options: dict[str, Any] | None = None,
    ) -> "Plan":
        """A plan, or a ValueError that says what is not possible. `games` is rounded up to a multiple of the players."""
        variant = tw.game(game).with_options(**(options or {}))
        if isinstance(games, bool) or not isinstance(games, (int, np.integer)) or games < 1:
            raise ValueError(f"games={games!r} is not possible; it is a whole number, at least 1")
        if time_limit is not None and not 0 < time_limit < float("inf"):
            raise ValueError(f"a time limit of {time_limit} s is not possible; it is above 0")
        built = tuple(build(agent, variant) if isinstance(agent, str) else as_agent(agent) for agent in agents)
        names = tuple(agent if isinstance(agent, str) else _name(agent) for agent in agents)
        rounded = -(-int(games) // variant.players) * variant.players
        return cls(variant, tuple(agents), names, tuple(matches), rounded, check_seed(seed), time_limit, built)

    @property
    def total(self) -> int:
        return self.games * len(self.matches)

    @property
    def compiled(self) -> bool:
        """All matches run inside one kernel, whole games at a time."""
        return are_compiled(self.built)

    @cached_property
    def seeds(self) -> np.ndarray:
        return paired_seeds(self.variant.players, self.games, self.seed)

    @cached_property
    def draws(self) -> np.ndarray:
        return draw_seeds(self.games, self.seed)

    def seat_assignments(self, match: int, first: int = 0, last: int | None = None) -> np.ndarray:
        agent, others = self.matches[match]
        return seated(self.variant.players, agent, others, first, self.games if last is None else last)

    @cached_property
    def chunks(self) -> list[Chunk]:
        """Match by match in turn, so that what is there at any time is a fair part of the whole. Seeds stay together."""
        least, most = COMPILED_AT_ONCE if self.compiled else STEPWISE_AT_ONCE
        most = min([most, *(getattr(agent, "games_at_once", most) for agent in self.built)])
        players = self.variant.players
        size = max(1, min(most, max(least, self.total // CHUNKS)) // players) * players
        return [
            Chunk(match, first, min(first + size, self.games))
            for first in range(0, self.games, size)
            for match in range(len(self.matches))
        ]  # fmt: skip

    def settings(self) -> dict[str, Any]:
        """What results depend on, in JSON types: the same settings give the same results."""
        game = self.variant.game
        return {
            "game": game.name,
            "options": self.variant.options,
            "agents": list(self.names),
            "matches": [[match.agent, *match.field] for match in self.matches],
            "games": self.games,
            "seed": self.seed,
            "time limit": self.time_limit,
            "chunk": self.chunks[0].last,
            "source code": fingerprint(Layer("results", layer_of(game.module).roots | {SOURCES / "agents"})),
            "agents' files": [_files_digest(name) for name in self.names],
        }


def _name(agent: Any) -> str:
    return getattr(agent, "__name__", None) or type(agent).__name__


def _files_digest(code: str) -> str:
    """Of the file or folder that a code names (`net:PATH`), or the source file of a module (`package.module:Class`); else nothing."""
    head, _, rest = code.partition(":")
    path = Path(rest) if rest else None
    if path is None or not path.exists():
        try:
            spec = importlib.util.find_spec(head) if rest else None
        except (ImportError, ValueError):
            spec = None
        path = Path(spec.origin) if spec is not None and spec.origin else None
    if path is None or not path.exists():
        return ""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]
