"""A process that plays chunks of games, and leaves notes for the process that watches it."""

import os
import sys
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

from tradewinds.agents import Agent, FunctionAgent, build
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.spec.game import Variant

from .agent_runner import Referee
from .arena import Results, play

LONGEST_GAME = 1 << 16  # decisions that the notes hold
COUNTERS = 4
NOTES_BYTES = COUNTERS * 8 + LONGEST_GAME * 2
NOBODY = -1


class SharedNotes:
    """Notes in memory that two processes see: whether an agent is being asked, and the actions of a game played alone."""

    def __init__(self, memory: Any) -> None:
        self._counters = np.frombuffer(memory, np.int64, COUNTERS)
        self._actions = np.frombuffer(memory, np.int16, LONGEST_GAME, COUNTERS * 8)

    def begin(self) -> None:
        self._counters[:] = (self._counters[0] + 1, NOBODY, 0, 0)

    def asking(self, agent: int) -> None:
        self._counters[0] += 1
        self._counters[1] = agent

    def answered(self) -> None:
        self._counters[1] = NOBODY

    def moved(self, action: int) -> None:
        at = int(self._counters[3])
        if at < LONGEST_GAME:
            self._actions[at] = action
        self._counters[3] = at + 1

    def finished(self, games: int) -> None:
        self._counters[2] = games

    @property
    def question(self) -> tuple[int, int]:
        """The number of the last question, and the agent that has not answered it, or NOBODY."""
        return int(self._counters[0]), int(self._counters[1])

    @property
    def games(self) -> int:
        return int(self._counters[2])

    @property
    def actions(self) -> np.ndarray:
        return self._actions[: min(int(self._counters[3]), LONGEST_GAME)].copy()


class Task(NamedTuple):
    """Games for a worker to play."""

    number: int
    seat_assignments: np.ndarray
    seeds: np.ndarray
    draws: np.ndarray


def play_task(variant: Variant, task: Task, referee: Referee) -> Results:
    return play(variant, referee.agents, task.seat_assignments, task.seeds, task.draws, referee)


def warm_up(variant: Variant, agents: Sequence[Agent]) -> None:
    """Have everything compiled and loaded before the clock starts. Agents of others are not asked: they might count their calls."""
    batch = Batch(variant, 2, 0)
    for agent in agents:
        if type(agent).__module__.startswith("tradewinds.") and not isinstance(agent, FunctionAgent):
            agent.act(batch.decisions(seeds=np.zeros(2, np.uint64)))


def work(connection: Connection, lifeline: Connection, memory: Any, variant: Variant, agents: list[Any], time_limit: float | None) -> None:
    """The life of a worker: says "ready", then plays what it is sent, until the connection is closed."""
    os.dup2(sys.stderr.fileno(), 1)  # stdout belongs to the command's JSON, whatever agents print
    threading.Thread(target=_die_with_parent, args=(lifeline,), daemon=True).start()
    try:
        built = [build(agent, variant) if isinstance(agent, str) else agent for agent in agents]
        warm_up(variant, built)
    except Exception as error:
        connection.send(("failed", f"{type(error).__name__}: {error}"))
        return
    notes = SharedNotes(memory)
    referee = Referee(built, time_limit, notes)
    connection.send(("ready", None))
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        notes.begin()
        connection.send((task.number, play_task(variant, task, referee)))


def _die_with_parent(lifeline: Connection) -> None:
    """A parent that was killed closes nothing by itself but its end of this pipe."""
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)
