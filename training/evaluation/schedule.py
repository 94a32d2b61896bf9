"""Which games to play: matches, seeds and chunks, all determined by a few settings."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.machinery import PathFinder
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents import Agent, as_agent, build
from tradewinds.agents.random import Random
from tradewinds.agents.registry import networks_named
from tradewinds.agents.scripted import Scripted
from tradewinds.envs.core.api.batch import check_seed
from tradewinds.envs.core.engine.cache import SOURCES, Layer, fingerprint, layer_of
from tradewinds.envs.core.engine.rng import spread_seeds
from tradewinds.envs.core.spec.game import Game, Variant

CHUNKS = 16  # per run if there are enough games, so that every core has work
COMPILED_CHUNK, STEPWISE_CHUNK = (256, 4096), (32, 256)  # least and most games of a chunk: fewer waste time, more save none
_AGENT_SEEDS = np.uint64(0x5851F42D4C957F2D)  # keeps the agents' own random numbers apart from those of the games


class Match(NamedTuple):
    """One agent against a field, as indices of agents."""

    agent: int
    field: tuple[int, ...]


def pairs(agents: int) -> list[Match]:
    """The matches of a tournament: each agent alone against each other one."""
    return [Match(agent, (other,)) for agent, other in permutations(range(agents), 2)]


class Chunk(NamedTuple):
    """The games `first` to `last` (exclusive) of a match."""

    match: int
    first: int
    last: int


@dataclass(frozen=True)
class Schedule:
    """Matches of equally many games on the same seeds. Results depend on the schedule alone, not on how or in which order it is run."""

    variant: Variant
    agents: tuple[Any, ...]  # codes, or agents themselves
    names: tuple[str, ...]
    matches: tuple[Match, ...]
    games: int  # per match: each seed once with the agent in each seat
    seed: int
    time_limit: float | None = None
    built: tuple[Agent, ...] = field(default=(), repr=False)  # the agents of this process
    record: bool = False  # digest the actions of each game, which is then never played inside the compiled loop
    sources: bool = False  # keep where the scores come from; changes nothing else, so it is no setting
    processor_time: bool = False  # the time limit is one of processor time; see `AgentRunner` and `WorkerPool`

    @classmethod
    def create(
        cls,
        game: str,
        agents: Sequence[Any],
        matches: Sequence[Match],
        games: int,
        seed: int = 0,
        time_limit: float | None = None,
        options: dict[str, Any] | None = None,
        memory_limit: int | None = None,
    ) -> "Schedule":
        """Check the settings and build the agents. `games` is rounded up to a multiple of the players.

        With a memory limit, in MB, agents that do not come with Tradewinds run in processes of their own; see isolation.py.

        Raises:
            ValueError: If a setting is not possible.
        """
        variant = tw.game(game).with_options(**(options or {}))
        if isinstance(games, bool) or not isinstance(games, (int, np.integer)) or games < 1:
            raise ValueError(f"games must be a positive integer, got {games!r}")
        if time_limit is not None and not 0 < time_limit < float("inf"):
            raise ValueError(f"time_limit must be a positive number of seconds, got {time_limit!r}")
        names = tuple(agent if isinstance(agent, str) else _name(agent) for agent in agents)
        if memory_limit is not None:
            agents = [_isolated(agent, variant, time_limit, memory_limit) for agent in agents]
        built = tuple(build(agent, variant) if isinstance(agent, str) else as_agent(agent) for agent in agents)
        rounded = -(-int(games) // variant.players) * variant.players
        return cls(variant, tuple(agents), names, tuple(matches), rounded, check_seed(seed), time_limit, built)

    @property
    def total_games(self) -> int:
        """Games over all matches."""
        return self.games * len(self.matches)

    @property
    def compiled(self) -> bool:
        """Whether every game runs inside the compiled loop; see `are_compiled`."""
        return not self.record and are_compiled(self.built)

    @cached_property
    def seeds(self) -> np.ndarray:
        """The seed of each game of a match, the same in all matches: uint64 (games,)."""
        return paired_seeds(self.variant.players, self.games, self.seed)

    @cached_property
    def agent_seeds(self) -> np.ndarray:
        """The seed of the agents' own random numbers in each game: uint64 (games,)."""
        return agent_seeds(self.games, self.seed)

    def seat_assignments(self, match: int, first: int = 0, last: int | None = None) -> np.ndarray:
        """The index of the agent in each seat, for the games `first` to `last` of a match: int (games, players).

        Args:
            match: The index of the match.
            first: The first game.
            last: The game after the last one; None: all.
        """
        agent, others = self.matches[match]
        return assign_seats(self.variant.players, agent, others, first, self.games if last is None else last)

    @cached_property
    def chunks(self) -> list[Chunk]:
        """Matches take turns, so that a part of the chunks is a fair part of the whole. The games of a seed share a chunk."""
        least, most = COMPILED_CHUNK if self.compiled else STEPWISE_CHUNK
        if slow := [size for agent in self.built if (size := getattr(agent, "games_at_once", None)) is not None]:
            least, most = 1, min(most, *slow)  # batches save nothing: small chunks keep all cores busy to the end
        players = self.variant.players
        return self.cut(max(1, min(most, max(least, self.total_games // CHUNKS)) // players) * players)

    def cut(self, size: int) -> list[Chunk]:
        """Chunks of so many games, the last of each match smaller."""
        starts = range(0, self.games, size)
        return [Chunk(match, first, min(first + size, self.games)) for first in starts for match in range(len(self.matches))]

    def settings(self) -> dict[str, Any]:
        """Everything that results depend on, in JSON types: the same settings give the same results."""
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
            "source code": source_code(game),
            "agents' files": [files_digest(name) for name in self.names],
            **({"record": True} if self.record else {}),
            **({"processor time": True} if self.processor_time else {}),
        }

    @property
    def digest(self) -> str:
        """A hash of the settings, for the name of a folder that the same schedule finds again and another one does not."""
        return hashlib.sha256(json.dumps(self.settings(), sort_keys=True).encode()).hexdigest()[:8]


def source_code(game: Game) -> str:
    """A hash of the sources that results of a game depend on: the core's, the game's and the agents'."""
    return fingerprint(Layer("results", layer_of(game.module).roots | {SOURCES / "agents"}))


def are_compiled(agents: Sequence[Agent]) -> bool:
    """Whether whole games of these agents run inside one kernel: bots and random agents need no observations."""
    return all(type(agent) in (Random, Scripted) for agent in agents)


def assign_seats(players: int, agent: int, field: Sequence[int], first: int, last: int) -> np.ndarray:
    """Seat assignments of the games `first` to `last`: the agent in each seat, int (games, players).

    `agent` moves one seat on from game to game; the field takes the seats behind it in turn, starting one further with each seed, so that
    the agents of the field hold each seat equally often too.

    Args:
        players: Seats of the game.
        agent: The index of the agent.
        field: The indices of its opponents.
        first: The first game.
        last: The game after the last one.
    """
    games = np.arange(first, last)
    behind = (np.arange(players)[None, :] - games[:, None] % players) % players  # seats after the agent, clockwise
    others = np.array(field)[(behind - 1 + games[:, None] // players) % len(field)]
    return np.where(behind == 0, agent, others)


def rotated(players: int, games: int) -> np.ndarray:
    """Seat assignments of agent 0 against agent 1: one game in each seat for each seed."""
    return assign_seats(players, 0, [1], 0, games)


def paired_seeds(players: int, games: int, seed: int = 0) -> np.ndarray:
    """Seeds of games, each repeated for as many games as there are seats: uint64 (games,).

    Args:
        players: Seats of the game.
        games: How many games.
        seed: Where the seeds come from.
    """
    seeds = np.zeros(-(-games // players), np.uint64)
    spread_seeds(np.uint64(seed), seeds)
    return np.repeat(seeds, players)[:games]


def agent_seeds(games: int, seed: int = 0) -> np.ndarray:
    """Seeds of the agents' own random numbers, one per game, independent of the games' seeds: uint64 (games,)."""
    seeds = np.zeros(games, np.uint64)
    spread_seeds(np.uint64(seed) ^ _AGENT_SEEDS, seeds)
    return seeds


def _isolated(agent: Any, variant: Variant, time_limit: float | None, memory_limit: int) -> Any:
    """The agent in a process of its own if its code is not ours; it is started once, so that a code that names none is refused here."""
    from ..isolation import IsolatedAgent, needs_isolation
    from .arena import AgentLostError  # only now: the arena imports this module

    if isinstance(memory_limit, bool) or not isinstance(memory_limit, int) or memory_limit < 1:
        raise ValueError(f"memory_limit must be a positive integer of MB, got {memory_limit!r}")
    if not needs_isolation(agent):
        return agent
    isolated = IsolatedAgent(agent if isinstance(agent, str) else as_agent(agent), variant, time_limit, memory_limit)
    try:
        isolated.prepare()
    except AgentLostError as lost:
        raise ValueError(f"agent {agent!r} cannot be used: {lost}") from None
    finally:
        isolated.close()
    return isolated


def _name(agent: Any) -> str:
    return getattr(agent, "__name__", None) or type(agent).__name__


def source_of(module: str) -> Path | None:
    """The source of a module, found without importing it or the packages above it."""
    places: Sequence[str] | None = None
    spec = None
    for end in range(1, module.count(".") + 2):
        try:
            spec = PathFinder.find_spec(".".join(module.split(".")[:end]), places)
        except (ImportError, ValueError):
            return None
        if spec is None:
            return None
        places = spec.submodule_search_locations
    return Path(spec.origin) if spec is not None and spec.origin else None


def files_digest(code: str) -> str:
    """Digest of the networks that a code names, or of its module's source (`package.module:Class`); empty if it names neither."""
    head, _, rest = code.strip().partition(":")
    paths = [Path(path) for path in networks_named(code)]
    if not paths and rest and (source := source_of(head)):
        paths = [source]
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path]) if file.is_file()]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16] if files else ""
