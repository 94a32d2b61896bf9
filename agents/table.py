"""A game with its players at the table."""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tradewinds.envs as tw
from tradewinds.envs.core.io.history import History
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.core.spec.game import Variant

from .base import Agent, describe_error

RUNS = Path("runs")


class AgentFailedError(Exception):
    """An agent that raised an error, or whose answer is not a legal action. The game is as it was before it was asked."""


class Place(NamedTuple):
    seat: int
    score: int
    rank: int


class Table:
    """One game, who sits where, and its history. Agents are asked with what their seat may know and nothing else."""

    def __init__(self, env: tw.TableEnv, names: Sequence[str], agents: Sequence[Agent | None]) -> None:
        self.env = env
        self.names = list(names)
        self.agents = list(agents)  # None for a person
        self.history = History(env)

    @classmethod
    def new(cls, variant: Variant, seed: int, names: Sequence[str], agents: Sequence[Agent | None]) -> "Table":
        env = tw.TableEnv(variant.game, **variant.options)
        env.reset(seed=seed)
        return cls(env, names, agents)

    @classmethod
    def again(cls, replay: tw.Replay, names: Sequence[str], agents: Sequence[Agent | None]) -> "Iterator[Table]":
        """The table of a replay: the same one, at the set-up and after each of its decisions."""
        table = None
        for env in replay.positions():
            if table is None:
                table = cls(env, names, agents)
            else:
                table.history.follow(env)
            yield table

    @property
    def seed(self) -> int:
        return tw.Replay.of(self.env).seed

    @property
    def seat(self) -> int:
        """Who decides."""
        return int(self.history.positions[-1][0].seat)

    @property
    def is_over(self) -> bool:
        return self.history.positions[-1][0].status != Status.RUNNING

    @property
    def is_truncated(self) -> bool:
        return self.history.positions[-1][0].status == Status.TRUNCATED

    def play(self, action: int) -> None:
        self.env.step(action)
        self.history.follow(self.env)

    def load(self, saved: bytes) -> None:
        """Back to a position of this game."""
        self.env.load(saved)
        self.history.follow(self.env)

    def let_agent_play(self) -> None:
        """One decision of the agent whose turn it is."""
        seat = self.seat
        agent = self.agents[seat]
        assert agent is not None, "a person plays by themselves"
        try:
            self.play(answer(agent, self.env))
        except (Exception, SystemExit, GeneratorExit) as error:  # an agent may fail in any way; the others' game must not be lost with it
            reason = describe_error(error)
            where = f"at decision {len(self.history.moves) + 1} of the game"
            raise AgentFailedError(f"player_{seat} ({self.names[seat]}) failed {where}: {reason}") from error

    def places(self) -> list[Place]:
        """Final scores and ranks, the winners first; of a game that is over."""
        infos = [self.env.infos[agent] for agent in self.env.possible_agents]
        return sorted((Place(seat, info["score"], info["rank"]) for seat, info in enumerate(infos)), key=lambda place: place.rank)

    def save(self, path: Path) -> None:
        """Write the replay, of a whole game or of one that goes on."""
        tw.Replay.of(self.env, self.names).save(path)


def answer(agent: Agent, env: tw.TableEnv) -> int:
    """An agent's action for the seat to move; it may still be illegal."""
    actions = np.asarray(agent.act(env.decision().detached()))
    if actions.shape != (1,) or not np.issubdtype(actions.dtype, np.integer):
        raise TypeError(f"act() must give one whole number for one decision, not {actions!r}")
    return int(actions[0])


def new_file(game: str, seed: int) -> Path:
    """A name for a replay that no file has yet, in a folder that exists."""
    with contextlib.suppress(OSError):  # whoever opens the file learns of it
        RUNS.mkdir(exist_ok=True)
    stem = f"{game}-seed{seed}-{datetime.now():%Y%m%d-%H%M%S}"
    path, number = RUNS / f"{stem}.jsonl", 1
    while path.exists():
        number += 1
        path = RUNS / f"{stem}-{number}.jsonl"
    return path
