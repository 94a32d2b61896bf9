"""One game with the agents of its seats and its history, for the commands `play` and `watch`."""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tradewinds.envs as tw
from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.io.history import History
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.core.spec.game import Variant

from .base import Agent, describe_error

RUNS = Path("runs")


class AgentFailedError(Exception):
    """An agent raised an error or returned something that is not a legal action. The game is unchanged."""


class Place(NamedTuple):
    """One row of the final standings. Rank 1 is the winner, and ties share a rank."""

    seat: int
    score: int
    rank: int


class Table:
    """One game, the agent of each seat, and the history so far. An agent sees only what its seat may know."""

    def __init__(self, env: tw.TableEnv, names: Sequence[str], agents: Sequence[Agent | None]) -> None:
        self.env = env
        self.names = list(names)
        self.agents = list(agents)  # None for a person
        self.history = History(env)

    @classmethod
    def new(cls, variant: Variant, seed: int, names: Sequence[str], agents: Sequence[Agent | None]) -> "Table":
        """Start a new game.

        Args:
            variant: The game and its options.
            seed: The seed of the game.
            names: What each seat is called in the replay, usually its agent code.
            agents: The agent of each seat, or None for a person.
        """
        env = tw.TableEnv(variant.game, **variant.options)
        env.reset(seed=seed)
        return cls(env, names, agents)

    @classmethod
    def again(cls, replay: tw.Replay, names: Sequence[str], agents: Sequence[Agent | None]) -> "Iterator[Table]":
        """Play a replay. Yields the same table after the set-up and after each decision.

        Args:
            replay: The replay.
            names: What each seat is called.
            agents: The agent of each seat, or None for a person.
        """
        table = None
        for env in replay.positions():
            if table is None:
                table = cls(env, names, agents)
            else:
                table.history.follow(env)
            yield table

    @property
    def seed(self) -> int:
        """The seed that reproduces this game."""
        return tw.Replay.of(self.env).seed

    @property
    def seat(self) -> int:
        """The seat to move."""
        return int(self.history.positions[-1][0].seat)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by its length limit."""
        return self.history.positions[-1][0].status != Status.RUNNING

    @property
    def is_truncated(self) -> bool:
        """Whether the length limit ended the game."""
        return self.history.positions[-1][0].status == Status.TRUNCATED

    def play(self, action: int) -> None:
        """Play an action for the seat to move, and record it in the history."""
        self.env.step(action)
        self.history.follow(self.env)

    def load(self, saved: bytes) -> None:
        """Restore a position of this game that `env.save()` gave."""
        self.env.load(saved)
        self.history.follow(self.env)

    def let_agent_play(self) -> None:
        """Play the action of the agent in the seat to move.

        Raises:
            AgentFailedError: The agent raised, or its answer is not a legal action.
        """
        seat = self.seat
        agent = self.agents[seat]
        assert agent is not None, "this seat belongs to a person"
        try:
            self.play(answer(agent, self.env))
        except (Exception, SystemExit, GeneratorExit) as error:  # an agent may fail in any way; the others' game must not be lost with it
            reason = describe_error(error)
            where = f"at decision {len(self.history.moves) + 1} of the game"
            raise AgentFailedError(f"player_{seat} ({self.names[seat]}) failed {where}: {reason}") from error

    def places(self) -> list[Place]:
        """Final scores and ranks of a finished game, the winners first."""
        infos = [self.env.infos[agent] for agent in self.env.possible_agents]
        return sorted((Place(seat, info["score"], info["rank"]) for seat, info in enumerate(infos)), key=lambda place: place.rank)

    def save(self, path: Path) -> None:
        """Write the replay, whether the game is over or not."""
        tw.Replay.of(self.env, self.names).save(path)


def answer(agent: Agent, env: tw.TableEnv) -> int:
    """Ask an agent for one action, which may still be illegal.

    Raises:
        TypeError: The answer is not an array of one integer.
    """
    return answer_to(agent, env.decision().detached())


def answer_to(agent: Agent, decisions: Decisions) -> int:
    """The same for a decision that the agent may keep.

    Raises:
        TypeError: The answer is not an array of one integer.
    """
    actions = np.asarray(agent.act(decisions))
    if actions.shape != (1,) or not np.issubdtype(actions.dtype, np.integer):
        raise TypeError(f"act() must return one integer per decision, got {actions!r}")
    return int(actions[0])


def new_file(game: str, seed: int) -> Path:
    """A path for a new replay under runs/, which is created. The file does not exist yet."""
    with contextlib.suppress(OSError):  # opening the file reports the error
        RUNS.mkdir(exist_ok=True)
    stem = f"{game}-seed{seed}-{datetime.now():%Y%m%d-%H%M%S}"
    path, number = RUNS / f"{stem}.jsonl", 1
    while path.exists():
        number += 1
        path = RUNS / f"{stem}-{number}.jsonl"
    return path
