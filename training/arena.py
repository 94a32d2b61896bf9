"""Games between agents, many at once: who sits where, what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tradewinds.agents.agent import Agent
from tradewinds.agents.bot import NOTES
from tradewinds.agents.chance import Random
from tradewinds.agents.scripted import Scripted, loops_of
from tradewinds.agents.scripted.loops import RANDOM
from tradewinds.envs.core.batch import Batch
from tradewinds.envs.core.buffers import new_buffers
from tradewinds.envs.core.game import Variant
from tradewinds.envs.core.stream import next_numbers, spread_seeds


@dataclass(frozen=True)
class Results:
    """Of each game: scores and ranks int32 (games, players), lengths in decisions int64 (games,), truncated bool (games,)."""

    scores: np.ndarray
    ranks: np.ndarray
    lengths: np.ndarray
    truncated: np.ndarray

    @property
    def wins(self) -> np.ndarray:
        """Each seat's part of the win, shared by those who tie: float64 (games, players)."""
        won = self.ranks == 1
        return won / won.sum(axis=1, keepdims=True)


def play(variant: Variant, agents: Sequence[Agent], line_ups: np.ndarray, seeds: np.ndarray, draws_seed: int = 0) -> Results:
    """One game for each seed (uint64) and line-up: int (games, players), which agent sits where.

    The same arguments give the same results, whoever decides in one moment or in which order.
    """
    draws = np.zeros((len(seeds), 1), np.uint64)
    spread_seeds(np.uint64(draws_seed), draws[:, 0])
    if all(type(agent) in (Random, Scripted) for agent in agents):
        return _play_compiled(variant, agents, line_ups, seeds, draws)
    return _play_stepwise(variant, agents, line_ups, seeds, draws)


def _play_compiled(variant: Variant, agents: Sequence[Agent], line_ups: np.ndarray, seeds: np.ndarray, draws: np.ndarray) -> Results:
    """Bots and random players need no observations, so whole games run inside one kernel."""
    bots = [agent for agent in agents if isinstance(agent, Scripted)]
    if not bots:
        bots = [Scripted(variant)]
    row_of = [next((row for row, bot in enumerate(bots) if bot is agent), RANDOM) for agent in agents]
    b = new_buffers(variant, seeds.astype(np.uint64).reshape(-1, 1).copy())
    lengths = np.zeros(len(seeds), np.int64)
    loops_of(variant.game).play_out(
        b,
        np.array(row_of, np.int8)[line_ups],
        np.stack([bot.weights for bot in bots]),
        draws,
        np.zeros(1, np.uint64),
        np.zeros(NOTES),
        np.zeros(len(variant.game.actions)),
        lengths,
        0,
        len(seeds),
    )
    return Results(b.results[:, 0].copy(), b.results[:, 1].copy(), lengths, b.truncated.copy())


def _play_stepwise(variant: Variant, agents: Sequence[Agent], line_ups: np.ndarray, seeds: np.ndarray, draws: np.ndarray) -> Results:
    batch = Batch(variant, len(seeds), seeds.astype(np.uint64))
    games = np.arange(len(seeds))
    scores, ranks = np.zeros_like(batch.scores), np.zeros_like(batch.ranks)
    lengths, truncated = np.zeros(len(seeds), np.int64), np.zeros(len(seeds), bool)
    running = np.ones(len(seeds), bool)
    while running.any():
        actions = batch.masks.argmax(axis=1)  # any legal action, in rows whose game is over
        who = line_ups[games, batch.seats]
        for number, agent in enumerate(agents):
            rows = np.flatnonzero(running & (who == number))
            if rows.size:
                numbers = np.zeros(rows.size, np.uint64)
                next_numbers(draws, rows, numbers)
                actions[rows] = agent.act(batch.decisions(rows, numbers))
        batch.step(actions)
        lengths[running] += 1
        ended = running & batch.finished
        scores[ended], ranks[ended], truncated[ended] = batch.scores[ended], batch.ranks[ended], batch.truncated[ended]
        running &= ~ended
    return Results(scores, ranks, lengths, truncated)


def rotated(players: int, games: int) -> np.ndarray:
    """Line-ups of agent 0 against agent 1: seat by seat in turn, one game a seat for each seed."""
    line_ups = np.ones((games, players), np.int64)
    line_ups[np.arange(games), np.arange(games) % players] = 0
    return line_ups


def paired_seeds(players: int, games: int, seed: int = 0) -> np.ndarray:
    """One seed for as many games as there are seats."""
    seeds = np.zeros(-(-games // players), np.uint64)
    spread_seeds(np.uint64(seed), seeds)
    return np.repeat(seeds, players)[:games]


def win_share(variant: Variant, agent: Agent, opponent: Agent, games: int, seed: int = 0) -> float:
    """The share of wins of one agent against a table of another; fair is 1 / players."""
    line_ups = rotated(variant.players, games)
    results = play(variant, [agent, opponent], line_ups, paired_seeds(variant.players, games, seed), seed)
    return float(results.wins[line_ups == 0].mean())
