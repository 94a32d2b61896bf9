"""Games between agents, many at once: who sits where, what comes out."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tradewinds.agents.base import Agent
from tradewinds.agents.random import Random
from tradewinds.agents.scripted import Scripted, loops_of
from tradewinds.agents.scripted.bot import NOTES
from tradewinds.agents.scripted.loops_template import RANDOM
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.engine.buffers import new_buffers
from tradewinds.envs.core.engine.rng import next_numbers, spread_seeds
from tradewinds.envs.core.spec.game import Variant

from .agent_runner import NO_TIME, Referee

_OTHER = np.uint64(0x5851F42D4C957F2D)  # players' own randomness must not come from the seeds of the games


@dataclass(frozen=True)
class Failure:
    """A game that ended because an agent failed: it counts as lost for that agent, and the others share the win."""

    game: int  # row of the results
    seat: int
    agent: int  # its number
    kind: str  # see Fault; also died: the process that asked it did not survive
    reason: str
    actions: np.ndarray  # int16: what was played before


@dataclass(frozen=True)
class Results:
    """Of each game: scores and ranks int32 (games, players), lengths in decisions int64 (games,), truncated bool (games,).

    A game that an agent failed has no scores (0) and ranks the failing agent's seats last. `times` is a Referee's, (agents, 3).
    """

    scores: np.ndarray
    ranks: np.ndarray
    lengths: np.ndarray
    truncated: np.ndarray
    times: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    failures: tuple[Failure, ...] = ()

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def wins(self) -> np.ndarray:
        """Each seat's part of the win, shared by those who tie: float64 (games, players)."""
        won = self.ranks == 1
        return won / won.sum(axis=1, keepdims=True)

    @property
    def margins(self) -> np.ndarray:
        """Each seat's score less the best other: int64 (games, players)."""
        ordered = np.sort(self.scores.astype(np.int64), axis=1)
        best, second = ordered[:, -1:], ordered[:, -2:-1]
        return np.where(self.scores == best, self.scores - second, self.scores - best)

    @property
    def scored(self) -> np.ndarray:
        """The games that were played to their end: bool (games,)."""
        played = np.ones(len(self), bool)
        played[[failure.game for failure in self.failures]] = False
        return played


def join(parts: Sequence[Results]) -> Results:
    """Results one behind the other."""
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    times = np.stack([part.times for part in parts])
    return Results(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.ranks for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.truncated for part in parts]),
        np.concatenate([times[:, :, :2].sum(axis=0), np.fmax.reduce(times[:, :, 2:])], axis=1),
        tuple(replace(failure, game=failure.game + start) for part, start in zip(parts, starts, strict=False) for failure in part.failures),
    )


def play(
    variant: Variant,
    agents: Sequence[Agent],
    seat_assignments: np.ndarray,
    seeds: np.ndarray,
    draws_seed: "int | np.ndarray" = 0,
    referee: Referee | None = None,
) -> Results:
    """One game for each seed (uint64) and line-up: int (games, players), which agent sits where.

    `draws_seed` seeds the players' own randomness: one number for all, or one a game (uint64). The same arguments give the same results,
    whoever decides in one moment or in which order. With a referee an agent that fails loses its game; without, its error is raised.
    """
    draws = np.zeros((len(seeds), 1), np.uint64)
    draws[:, 0] = draws_seed if isinstance(draws_seed, np.ndarray) else draw_seeds(len(seeds), draws_seed)
    if are_compiled([agents[number] for number in np.unique(seat_assignments)]):
        return _play_compiled(variant, agents, seat_assignments, seeds, draws)
    return _play_stepwise(variant, agents, seat_assignments, seeds, draws, referee)


def are_compiled(agents: Sequence[Agent]) -> bool:
    """Bots and random players need no observations, so whole games of them run inside one kernel."""
    return all(type(agent) in (Random, Scripted) for agent in agents)


def _play_compiled(
    variant: Variant, agents: Sequence[Agent], seat_assignments: np.ndarray, seeds: np.ndarray, draws: np.ndarray
) -> Results:
    bots = [agent for agent in agents if isinstance(agent, Scripted)]
    row_of = [next((row for row, bot in enumerate(bots) if bot is agent), RANDOM) for agent in agents]
    b = new_buffers(variant, seeds.astype(np.uint64).reshape(-1, 1).copy())
    lengths = np.zeros(len(seeds), np.int64)
    loops = loops_of(variant.game)
    began = time.perf_counter()
    loops.play_out(
        b,
        np.array(row_of, np.int8)[seat_assignments],
        np.stack([bot.weights for bot in bots]) if bots else np.zeros((1, 1)),
        draws,
        np.zeros(1, np.uint64),
        np.zeros(NOTES),
        np.zeros(len(variant.game.actions)),
        lengths,
        0,
        len(seeds),
    )
    seconds = time.perf_counter() - began
    times = np.tile(NO_TIME, (len(agents), 1))
    times[np.unique(seat_assignments)] = (seconds, lengths.sum(), np.nan)  # of all together, the rules included; no decision is timed alone
    return Results(b.results[:, 0].copy(), b.results[:, 1].copy(), lengths, b.truncated.copy(), times)


def _play_stepwise(
    variant: Variant,
    agents: Sequence[Agent],
    seat_assignments: np.ndarray,
    seeds: np.ndarray,
    draws: np.ndarray,
    referee: Referee | None = None,
) -> Results:
    referee = referee or Referee(agents, strict=True)
    size = len(seeds)
    batch = Batch(variant, size, seeds.astype(np.uint64))
    games = np.arange(size)
    scores, ranks = np.zeros_like(batch.scores), np.zeros_like(batch.ranks)
    lengths, truncated = np.zeros(size, np.int64), np.zeros(size, bool)
    history = np.zeros((size, 128), np.int16)
    running = np.ones(size, bool)
    failures: list[Failure] = []
    referee.begin()
    while running.any():
        actions = batch.masks.argmax(axis=1)  # any legal action, in rows whose game is over
        who = seat_assignments[games, batch.seats]
        for number in range(len(referee.agents)):
            rows = np.flatnonzero(running & (who == number))
            if not rows.size:
                continue
            numbers = np.zeros(rows.size, np.uint64)
            next_numbers(draws, rows, numbers)
            answers, faults = referee.ask(number, batch, rows, numbers)
            for i, fault in sorted(faults.items()):
                row = int(rows[i])
                answers[i] = actions[row]
                running[row] = False
                ranks[row] = forfeit(seat_assignments[row], int(batch.seats[row]))
                played = history[row, : lengths[row]].copy()
                failures.append(Failure(row, int(batch.seats[row]), number, fault.kind, fault.reason, played))
            actions[rows] = answers
        if lengths.max() == history.shape[1]:
            history = np.concatenate([history, np.zeros_like(history)], axis=1)
        going_on = np.flatnonzero(running)
        history[going_on, lengths[going_on]] = actions[going_on]
        lengths[going_on] += 1
        batch.step(actions)
        if size == 1 and running[0]:
            referee.notes.moved(int(actions[0]))
        ended = running & batch.finished
        scores[ended], ranks[ended], truncated[ended] = batch.scores[ended], batch.ranks[ended], batch.truncated[ended]
        running &= ~ended
        referee.notes.finished(size - int(running.sum()))
    failures.sort(key=lambda failure: failure.game)
    return Results(scores, ranks, lengths, truncated, referee.times.copy(), tuple(failures))


def forfeit(seat_assignment: np.ndarray, seat: int) -> np.ndarray:
    """Ranks of a game whose agent at `seat` failed: all its seats come last, or that seat alone if nobody else plays."""
    lost = seat_assignment == seat_assignment[seat]
    if lost.all():
        lost = np.arange(len(seat_assignment)) == seat
    return np.where(lost, int((~lost).sum()) + 1, 1)


def rotated(players: int, games: int) -> np.ndarray:
    """Line-ups of agent 0 against agent 1: seat by seat in turn, one game a seat for each seed."""
    return seated(players, 0, [1], 0, games)


def seated(players: int, agent: int, field: Sequence[int], first: int, last: int) -> np.ndarray:
    """The line-ups of games `first` to `last`: `agent` seat by seat in turn, the others behind it.

    A field of several starts with another of them for each seed, so that they too take turns.
    """
    games = np.arange(first, last)
    behind = (np.arange(players)[None, :] - games[:, None] % players) % players  # seats after the agent, clockwise
    others = np.array(field)[(behind - 1 + games[:, None] // players) % len(field)]
    return np.where(behind == 0, agent, others)


def paired_seeds(players: int, games: int, seed: int = 0) -> np.ndarray:
    """One seed for as many games as there are seats."""
    seeds = np.zeros(-(-games // players), np.uint64)
    spread_seeds(np.uint64(seed), seeds)
    return np.repeat(seeds, players)[:games]


def draw_seeds(games: int, seed: int = 0) -> np.ndarray:
    """Seeds of the players' own randomness, one a game, unrelated to the games' own."""
    seeds = np.zeros(games, np.uint64)
    spread_seeds(np.uint64(seed) ^ _OTHER, seeds)
    return seeds


def win_rate(variant: Variant, agent: Agent, opponent: Agent, games: int, seed: int = 0) -> float:
    """The share of wins of one agent against a table of another; fair is 1 / players."""
    seat_assignments = rotated(variant.players, games)
    results = play(variant, [agent, opponent], seat_assignments, paired_seeds(variant.players, games, seed), seed)
    return float(results.wins[seat_assignments == 0].mean())
