"""Play many games between agents in one process: ask the agents, time them, and catch their failures."""

import contextlib
import hashlib
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tradewinds.agents.base import Agent, describe_error, shorten
from tradewinds.agents.llm import LLM
from tradewinds.agents.scripted import Scripted, loops_of
from tradewinds.agents.scripted.bot import SCRATCH_SIZE
from tradewinds.agents.scripted.loops_template import RANDOM
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.api.decisions import own_variant
from tradewinds.envs.core.api.errors import IllegalActionError
from tradewinds.envs.core.engine.buffers import new_buffers
from tradewinds.envs.core.engine.rng import next_numbers
from tradewinds.envs.core.spec.game import Variant

from .results import NO_TIME, UNKNOWN, Failure, Results, points_by_source
from .schedule import agent_seeds, are_compiled, paired_seeds, rotated


@dataclass(frozen=True)
class Fault:
    """Why an answer is invalid."""

    # illegal: not a legal action; answer: no array of integers; error: the agent raised; slow: over the time limit; died: its process did
    kind: str
    reason: str


class Monitor:
    """Receives events while games are played; this base class ignores them."""

    def asked(self, agent: int) -> None:
        """The agent of this index is about to be called."""

    def answered(self) -> None:
        """The call returned or raised."""

    def stepped(self, action: int) -> None:
        """An action was played. Called only if the task is a single game."""

    def finished(self, games: int) -> None:
        """This many games of the task have ended so far."""


class AnswerError(TypeError):
    """An answer that is not one integer per decision."""


class AgentLostError(Exception):
    """An agent's own process gave no answer that can be used."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.fault = Fault(kind, reason)


class Interrupts:
    """Tells the user's Ctrl-C from an agent that raises a KeyboardInterrupt."""

    def __init__(self) -> None:
        self.seen = False

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Note each SIGINT while it is handled as before. Only the main thread gets signals; another one is never interrupted by them."""
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(before):
            yield
            return

        def note(*arguments: Any) -> None:
            self.seen = True
            before(*arguments)

        signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


class AgentRunner:
    """Asks agents for actions, times them and checks their answers. Agents get copies: nothing they write reaches a game.

    A fault of a call with many decisions is charged to those decisions that show it when they are asked alone, or to all if none does. The
    time limit is for one decision, but compared with whole calls: once a call exceeds it, that agent is asked for one decision at a time.

    Args:
        agents: The agents.
        time_limit: Seconds per decision, or None.
        monitor: Receives events.
        strict: Raise errors instead of returning faults.
        processor_time: Whether seconds are processor time of this process, which neither a busy machine nor a pause adds to.
    """

    def __init__(
        self,
        agents: Sequence[Any],
        time_limit: float | None = None,
        monitor: Monitor | None = None,
        strict: bool = False,
        processor_time: bool = False,
    ) -> None:
        self.agents = agents
        self.time_limit = time_limit
        self.clock, self.unit = (time.process_time, "s of processor time") if processor_time else (time.perf_counter, "s")
        self.monitor = monitor or Monitor()
        self.strict = strict
        self.times = np.tile(NO_TIME, (len(agents), 1))
        self.interrupts = Interrupts()
        self._one_by_one: set[int] = set()
        self._variants: dict[tuple[int, int], tuple[Variant, Variant]] = {}  # agent and variant -> that variant, and the agent's own
        self._process = os.getpid()
        self._fallbacks_before = self._count_fallbacks()

    def reset(self) -> None:
        """Prepare for new games: clear the times and counts, and call `new_games()` of the agents."""
        self.times[:] = NO_TIME
        self._fallbacks_before = self._count_fallbacks()
        for agent in self.agents:
            with contextlib.nullcontext() if self.strict else _unless_interrupted(self.interrupts):
                if hasattr(agent, "new_games"):
                    agent.new_games()

    @property
    def fallbacks(self) -> np.ndarray | None:
        """How many decisions since the last reset each model left to its fallback, int64 (agents,); None if no agent is a model."""
        is_model = any(isinstance(agent, LLM) for agent in self.agents)
        return self._count_fallbacks() - self._fallbacks_before if is_model else None

    def _count_fallbacks(self) -> np.ndarray:
        return np.array([agent.fallbacks if isinstance(agent, LLM) else 0 for agent in self.agents], np.int64)

    def ask(self, agent: int, batch: Batch, rows: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, dict[int, Fault]]:
        """Ask one agent for its actions in some rows.

        Returns:
            The actions, int64 (rows,), and the faults by position in `rows`; an action with a fault means nothing.
        """
        together = None
        if len(rows) == 1 or agent not in self._one_by_one:
            together = self._call(agent, batch, rows, seeds)
        if isinstance(together, np.ndarray):
            return together, self._illegal(batch, rows, together)
        actions = np.zeros(len(rows), np.int64)
        if together is not None and len(rows) == 1:
            return actions, {0: together}
        if together is not None and together.kind == "slow":
            self._one_by_one.add(agent)
        faults: dict[int, Fault] = {}
        for i in range(len(rows)):
            actions[i : i + 1], alone = self.ask(agent, batch, rows[i : i + 1], seeds[i : i + 1])
            if alone:
                faults[i] = alone[0]
        if together is not None and together.kind != "slow" and not faults:
            faults = dict.fromkeys(range(len(rows)), together)
        return actions, faults

    def _call(self, agent: int, batch: Batch, rows: np.ndarray, seeds: np.ndarray) -> np.ndarray | Fault:
        """One call of an agent: its actions, legal or not, or the fault of the call."""
        asked = self.agents[agent]
        decisions = batch.decisions(rows.copy(), seeds.copy() if are_compiled([asked]) else one_way(seeds))
        decisions = decisions.detached(self._variant_of(agent, batch.variant))
        began = self.clock()
        try:
            if hasattr(asked, "prepare"):  # an agent in a process of its own, which is not part of its time
                asked.prepare()
            self.monitor.asked(agent)
            began = self.clock()
            actions = as_actions(asked.act(decisions), len(rows))  # inside the time limit: an answer may be an object with code of its own
        except AgentLostError as lost:
            return lost.fault
        except AnswerError as error:
            if self.strict:
                raise
            return Fault("answer", str(error))
        except BaseException as error:
            if self.strict or self.interrupts.seen:
                raise
            return Fault("error", describe_error(error))
        finally:
            seconds = self.clock() - began
            if os.getpid() != self._process:
                os._exit(1)  # the agent has forked: this is the copy
            self.monitor.answered()
        if self.time_limit is not None and seconds > self.time_limit:
            return Fault("slow", f"took {seconds:.3g} {self.unit}; the limit is {self.time_limit:g} s per decision")
        self.times[agent, :2] += (seconds, len(rows))
        self.times[agent, 2] = np.fmax(self.times[agent, 2], seconds / len(rows))
        return actions

    def _variant_of(self, agent: int, variant: Variant) -> Variant:
        """The agent's own variant, equal to that of the games. It is made once, since making it takes longer than many an answer."""
        key = agent, id(variant)
        if key not in self._variants:
            self._variants[key] = variant, own_variant(variant)  # kept together: no other variant gets this id
        return self._variants[key][1]

    def _illegal(self, batch: Batch, rows: np.ndarray, actions: np.ndarray) -> dict[int, Fault]:
        in_range = (actions >= 0) & (actions < batch.masks.shape[1])
        legal = in_range & batch.masks[rows, np.where(in_range, actions, 0)]
        faults = {}
        for i in np.flatnonzero(~legal).tolist():
            row = rows[i]
            possible = np.flatnonzero(batch.masks[row]).tolist()
            error = IllegalActionError(batch.variant.game.actions, int(actions[i]), possible, f"player_{batch.seats[row]} to move")
            if self.strict:
                raise error
            faults[i] = Fault("illegal", shorten(str(error)))
        return faults


@contextlib.contextmanager
def _unless_interrupted(interrupts: Interrupts) -> Iterator[None]:
    """An agent that cannot forget its games has not failed in one of them."""
    try:
        yield
    except BaseException:
        if interrupts.seen:
            raise


def one_way(seeds: np.ndarray) -> np.ndarray:
    """Random numbers from which neither the seeds nor each other can be computed: what an agent draws tells it nothing of the game."""
    hashed = b"".join(hashlib.blake2b(seed.tobytes(), digest_size=8, person=b"agent's seed").digest() for seed in seeds)
    return np.frombuffer(hashed, "<u8").astype(np.uint64)


def as_actions(answer: object, size: int) -> np.ndarray:
    """The answer of an agent as int64 (size,).

    Raises:
        AnswerError: It is not an array of so many integers.
    """
    try:
        given = np.asarray(answer)
    except BaseException as error:
        raise AnswerError(f"answered {type(answer).__name__}, which is not an array: {describe_error(error)}") from None
    if given.dtype.kind not in "iu" or given.shape != (size,):
        what = f"{given.dtype} of shape {given.shape}" if given.dtype.kind != "O" else type(answer).__name__
        raise AnswerError(f"answered {what}; an answer is an array of integers, one per decision: shape ({size},)")
    if given.dtype == np.uint64:
        given = np.minimum(given, np.uint64(np.iinfo(np.int64).max))  # a larger one would wrap to a negative number in the message
    return given.astype(np.int64)


def play_games(
    variant: Variant,
    agents: Sequence[Agent],
    seat_assignments: np.ndarray,
    seeds: np.ndarray,
    seeds_of_agents: "int | np.ndarray" = 0,
    runner: AgentRunner | None = None,
    record: bool = False,
    sources: bool = False,
) -> Results:
    """Play one game for each seed. The same arguments give the same results, however the games are batched.

    Args:
        variant: The game.
        agents: The agents.
        seat_assignments: Index of the agent in each seat, int (games, players).
        seeds: Seeds of the games, uint64 (games,).
        seeds_of_agents: Seeds of the agents' own random numbers, uint64 (games,), or one seed for all.
        runner: Asks the agents; an agent that fails then loses its game.
        record: Whether the actions of each game are digested. Such games are never played inside the compiled loop.
        sources: Whether the results hold where the scores come from; in Puerto Rico that takes a fifth as long as a game between bots.

    Returns:
        The results.

    Raises:
        IllegalActionError: Without a runner, if an agent plays an illegal action. Other errors of agents are raised likewise.
    """
    draws = np.zeros((len(seeds), 1), np.uint64)
    draws[:, 0] = seeds_of_agents if isinstance(seeds_of_agents, np.ndarray) else agent_seeds(len(seeds), seeds_of_agents)
    if not record and are_compiled([agents[index] for index in np.unique(seat_assignments)]):
        return _play_compiled(variant, agents, seat_assignments, seeds, draws, sources)
    runner = runner or AgentRunner(agents, strict=True)
    with runner.interrupts.watched():
        return _play_stepwise(variant, seat_assignments, seeds, draws, runner, sources)


def _play_compiled(
    variant: Variant, agents: Sequence[Agent], seat_assignments: np.ndarray, seeds: np.ndarray, draws: np.ndarray, sources: bool
) -> Results:
    """Whole games inside one kernel. No agent is timed: the time is that of all of them and the rules together."""
    bots = [agent for agent in agents if isinstance(agent, Scripted)]
    bot_rows = [next((row for row, bot in enumerate(bots) if bot is agent), RANDOM) for agent in agents]
    b = new_buffers(variant, seeds.astype(np.uint64).reshape(-1, 1).copy())
    lengths = np.zeros(len(seeds), np.int64)
    loops_of(variant.game).play_out(
        b,
        np.array(bot_rows, np.int8)[seat_assignments],
        np.stack([bot.weights for bot in bots]) if bots else np.zeros((1, 1)),
        draws,
        np.zeros(1, np.uint64),
        np.zeros(SCRATCH_SIZE),
        np.zeros(len(variant.game.actions)),
        lengths,
        0,
        len(seeds),
    )
    times = np.tile(NO_TIME, (len(agents), 1))
    points = points_by_source(variant, b.states.view(np.ndarray)) if sources else None
    return Results(b.results[:, 0].copy(), b.results[:, 1].copy(), lengths, b.truncated.copy(), times, points=points)


def _play_stepwise(
    variant: Variant, seat_assignments: np.ndarray, seeds: np.ndarray, draws: np.ndarray, runner: AgentRunner, sources: bool
) -> Results:
    """All games side by side, one env step of each at a time."""
    size = len(seeds)
    batch = Batch(variant, size, seeds.astype(np.uint64))
    games = np.arange(size)
    scores, ranks = np.zeros_like(batch.scores), np.zeros_like(batch.ranks)
    lengths, truncated = np.zeros(size, np.int64), np.zeros(size, bool)
    history = np.zeros((size, 128), np.int16)
    running = np.ones(size, bool)
    points = np.full_like(points_by_source(variant, batch.states.view(np.ndarray)), UNKNOWN) if sources else None
    failures: list[Failure] = []
    runner.reset()
    while running.any():
        actions = batch.masks.argmax(axis=1)  # any legal action, in rows whose game is over
        to_move = seat_assignments[games, batch.seats]
        for agent in range(len(runner.agents)):
            rows = np.flatnonzero(running & (to_move == agent))
            if not rows.size:
                continue
            numbers = np.zeros(rows.size, np.uint64)
            next_numbers(draws, rows, numbers)
            answers, faults = runner.ask(agent, batch, rows, numbers)
            for i, fault in sorted(faults.items()):
                row, seat = int(rows[i]), int(batch.seats[rows[i]])
                answers[i] = actions[row]
                running[row] = False
                ranks[row] = forfeit(seat_assignments[row], seat)
                failures.append(Failure(row, seat, agent, fault.kind, fault.reason, history[row, : lengths[row]].copy()))
            actions[rows] = answers
        if lengths.max() == history.shape[1]:
            history = np.concatenate([history, np.zeros_like(history)], axis=1)
        rows = np.flatnonzero(running)
        history[rows, lengths[rows]] = actions[rows]
        lengths[rows] += 1
        batch.step(actions, autoreset=False)
        if size == 1 and running[0]:
            runner.monitor.stepped(int(actions[0]))
        ended = running & batch.finished
        scores[ended], ranks[ended], truncated[ended] = batch.scores[ended], batch.ranks[ended], batch.truncated[ended]
        if points is not None and ended.any():
            points[ended] = points_by_source(variant, batch.states.view(np.ndarray)[ended])
        batch.reset_rows(np.flatnonzero(batch.finished))
        running &= ~ended
        runner.monitor.finished(size - int(running.sum()))
    failures.sort(key=lambda failure: failure.game)
    digests = np.array([digest_actions(row[:length]) for row, length in zip(history, lengths, strict=True)], np.uint64)
    return Results(scores, ranks, lengths, truncated, runner.times.copy(), tuple(failures), digests, points, runner.fallbacks)


def digest_actions(actions: np.ndarray) -> int:
    """64 bits of a hash of the actions of a game, in their order."""
    return int.from_bytes(hashlib.blake2b(actions.astype("<i2").tobytes(), digest_size=8).digest(), "little")


def forfeit(seat_assignment: np.ndarray, seat: int) -> np.ndarray:
    """Ranks of a game whose agent in `seat` failed: all its seats rank last, or only that seat if it holds every seat."""
    lost = seat_assignment == seat_assignment[seat]
    if lost.all():
        lost = np.arange(len(seat_assignment)) == seat
    return np.where(lost, int((~lost).sum()) + 1, 1)


def win_rate(variant: Variant, agent: Agent, opponent: Agent, games: int, seed: int = 0) -> float:
    """Win rate of one agent with `opponent` in all other seats, each seed once in each seat; 1 / players is even.

    Args:
        variant: What is played.
        agent: The agent that is measured.
        opponent: The agent in all other seats.
        games: How many games.
        seed: Where the seeds of the games come from.
    """
    seat_assignments = rotated(variant.players, games)
    results = play_games(variant, [agent, opponent], seat_assignments, paired_seeds(variant.players, games, seed), seed)
    return float(results.wins[seat_assignments == 0].mean())
