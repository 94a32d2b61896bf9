"""Evaluate one agent against a field, or a tournament of all against all."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..isolation import MEMORY_LIMIT
from .results import Results
from .runner import ScheduleResults, run_schedule
from .schedule import Match, Schedule, pairs
from .stats import evenly_spaced, mean_by_seed, rate_agents, win_rate_interval


@dataclass(frozen=True)
class AgentSummary:
    """The results of one agent over all seats that it held."""

    agent: str
    seats: int  # over all games
    win_rate: float | None  # None without a seat, in a field that is larger than the games
    mean_score: float | None  # of games without a failure; None if there is none
    mean_margin: float | None  # to the best other score
    rating: dict[str, float]  # openskill: mu, sigma, ordinal
    decision_seconds: dict[str, float | None]  # mean, slowest; None inside the compiled loop, where agents are not timed
    failures: int
    fallbacks: int = 0  # decisions that the agent, a language model, left to its fallback: the result is not the model's alone


@dataclass(frozen=True)
class Pairing:
    """One `agent` with `others` in all other seats."""

    agent: str
    others: str
    win_rate: float
    ci95: tuple[float, float]
    mean_score: float | None
    mean_margin: float | None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What evaluations and tournaments have in common. A tie shares the win, so a win rate of 1 / players is even."""

    game: str
    options: dict[str, Any]
    players: int
    seed: int
    games: int  # per match
    truncated: int
    decisions: dict[str, float]  # env steps per game: mean, shortest, longest
    failures: list[dict[str, Any]]
    lost_workers: list[dict[str, Any]]
    workers: int
    seconds: float
    games_per_second: float | None

    def figures(self) -> dict[str, Any]:
        """All fields in JSON types."""
        return asdict(self)

    def summaries(self) -> list[AgentSummary]:
        """The results of each agent."""
        return []


@dataclass(frozen=True, kw_only=True)
class Evaluation(Summary):
    """What `evaluate` returns."""

    agent: str
    opponents: list[str]
    win_rate: float
    ci95: tuple[float, float]
    mean_score: float | None
    mean_margin: float | None
    win_rate_by_seat: list[float]
    ci95_by_seat: list[tuple[float, float]]
    agents: list[AgentSummary]  # the agent itself, then the field

    def summaries(self) -> list[AgentSummary]:
        """The results of the agent itself, then of the field."""
        return self.agents

    def figures(self) -> dict[str, Any]:
        """All fields in JSON types, and the win rates under their former names `win_share` and `win_share_by_seat` as well."""
        return {**super().figures(), "win_share": self.win_rate, "win_share_by_seat": self.win_rate_by_seat}


@dataclass(frozen=True, kw_only=True)
class Tournament(Summary):
    """What `tournament` returns. Lists are in the order of `agents`."""

    agents: list[str]
    total_games: int
    win_rate: list[float]  # of each agent in one seat, over all opponents
    ci95: list[tuple[float, float]]
    table: list[list[float | None]]  # win rate of agent (row) in one seat with agent (column) in all others
    pairings: list[Pairing]
    standings: list[AgentSummary]

    def summaries(self) -> list[AgentSummary]:
        """The results of each agent, in the order of `agents`."""
        return self.standings


def evaluate(
    game: str,
    agent: Any,
    opponents: Any,
    *,
    games: int = 1000,
    seed: int = 0,
    workers: int | None = None,
    time_limit: float | None = None,
    folder: "str | Path | None" = None,
    isolate: bool = False,
    memory_limit: int = MEMORY_LIMIT,
    ray: str | None = None,
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Evaluation:
    """Play one agent against a field, each seed once with the agent in each seat.

    The result does not depend on the number of workers. An agent that raises, answers illegally or exceeds the time limit loses that game.

    Args:
        game: Name of the game.
        agent: The agent to evaluate: a code such as "scripted" or "package.module:Class", an object with `act(decisions)`, or a function
            of `(observation, action_mask)`.
        opponents: One agent for all other seats, or a sequence of agents that take turns in them.
        games: Games to play, rounded up to a multiple of the players.
        seed: Seed of all games.
        workers: Worker processes, by default one per core. 0 plays in this process, where a time limit is noticed only after the answer.
        time_limit: Seconds that an agent has for one decision.
        folder: Keeps results, so that the same call continues after an interruption. Agents must be codes.
        isolate: Whether each agent that does not come with Tradewinds runs in a process of its own.
        memory_limit: Of such a process, in MB.
        ray: The address of a Ray cluster to play on, such as "auto" or "HOST:6379"; `workers` is then the number of tasks at the same time,
            by default one per CPU of the cluster. Agents must be codes. Results are those of a local run.
        on_progress: Called with the number of games finished.
        on_note: Called with messages for the user, such as failures of agents.
        **options: Options of the game, such as `players=4`.

    Returns:
        Win rate with its 95% interval, scores, margins, ratings, times and failures.

    Raises:
        ValueError: If an argument is not possible.
    """
    schedule = schedule_evaluation(game, agent, opponents, games, seed, time_limit, options, memory_limit if isolate else None)
    return summarize_evaluation(schedule, run_schedule(schedule, workers, folder, on_progress, on_note, ray))


def tournament(
    game: str,
    agents: Sequence[Any],
    *,
    games: int = 400,
    seed: int = 0,
    workers: int | None = None,
    time_limit: float | None = None,
    folder: "str | Path | None" = None,
    isolate: bool = False,
    memory_limit: int = MEMORY_LIMIT,
    ray: str | None = None,
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Tournament:
    """Play each agent against a table of each other agent, all on the same seeds.

    Args:
        game: The name of a game.
        agents: At least two agents, by code or as objects.
        games: Games per pairing, rounded up to a multiple of the players.
        seed: The seed of the whole tournament.
        workers: Worker processes; 0 plays in this process, None uses all cores.
        time_limit: Seconds per decision; an agent that takes longer loses the game.
        folder: Where results are kept; the same call continues from them.
        isolate: Whether each agent that does not come with Tradewinds runs in a process of its own.
        memory_limit: Of such a process, in MB.
        ray: The address of a Ray cluster to play on, such as "auto" or "HOST:6379"; `workers` is then the number of tasks at the same time,
            by default one per CPU of the cluster. Agents must be codes. Results are those of a local run.
        on_progress: Called with the number of games that have just ended.
        on_note: Called with messages for the user.
        **options: Options of the game.

    Returns:
        The cross table, and a summary of each agent.

    Raises:
        ValueError: If an argument is not possible.
    """
    schedule = schedule_tournament(game, agents, games, seed, time_limit, options, memory_limit if isolate else None)
    return summarize_tournament(schedule, run_schedule(schedule, workers, folder, on_progress, on_note, ray))


def schedule_evaluation(
    game: str,
    agent: Any,
    opponents: Any,
    games: int,
    seed: int,
    time_limit: float | None,
    options: dict[str, Any],
    memory_limit: int | None = None,
) -> Schedule:
    """One match of the agent against the field.

    Args:
        game: The game's name.
        agent: The agent that is measured.
        opponents: One opponent, or one for each of the other seats, as `evaluate` takes them.
        games: Games of each match.
        seed: Where the seeds of the games come from.
        time_limit: Seconds per decision; None: no limit.
        options: The game's options.
        memory_limit: MB for each agent that does not come with Tradewinds, in a process of its own; None: it runs in the process that
            plays.
    """
    given = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
    if not given:
        raise ValueError("name at least one opponent")
    agents, field = [agent], []
    for opponent in given:
        same = (i for i in range(1, len(agents)) if agents[i] is opponent or (isinstance(opponent, str) and agents[i] == opponent))
        index = next(same, len(agents))
        agents += [opponent] if index == len(agents) else []
        field.append(index)
    return Schedule.create(game, agents, [Match(0, tuple(field))], games, seed, time_limit, options, memory_limit)


def schedule_tournament(
    game: str,
    agents: Sequence[Any],
    games: int,
    seed: int,
    time_limit: float | None,
    options: dict[str, Any],
    memory_limit: int | None = None,
) -> Schedule:
    """One match per ordered pair of at least two agents; the settings are those of `schedule_evaluation`."""
    if len(agents) < 2:
        raise ValueError("a tournament needs at least two agents")
    repeated = [agent for i, agent in enumerate(agents) if isinstance(agent, str) and agent in agents[:i]]
    if repeated:
        raise ValueError(f"agent {repeated[0]!r} is named twice")
    return Schedule.create(game, agents, pairs(len(agents)), games, seed, time_limit, options, memory_limit)


def summarize_evaluation(schedule: Schedule, run: ScheduleResults) -> Evaluation:
    """Win rate with its interval, overall and by seat, and a summary of each agent, from the results of a one-match schedule.

    Args:
        schedule: A schedule of one match.
        run: Its results.
    """
    players = schedule.variant.players
    wins = run.matches[0].wins[schedule.seat_assignments(0) == 0]
    by_seat = [wins[seat::players] for seat in range(players)]
    agents = _summarize_agents(schedule, run)
    return Evaluation(
        **_common(schedule, run),
        agent=schedule.names[0],
        opponents=[schedule.names[index] for index in schedule.matches[0].field],
        win_rate=float(wins.mean()),
        ci95=win_rate_interval(mean_by_seed(wins, players)),
        mean_score=agents[0].mean_score,
        mean_margin=agents[0].mean_margin,
        win_rate_by_seat=[float(of_seat.mean()) for of_seat in by_seat],
        ci95_by_seat=[win_rate_interval(of_seat) for of_seat in by_seat],
        agents=agents,
    )


def summarize_tournament(schedule: Schedule, run: ScheduleResults) -> Tournament:
    """The cross table, win rates with intervals, and a summary of each agent, from the results of all ordered pairs.

    Args:
        schedule: A schedule of all ordered pairs.
        run: Its results.
    """
    names = schedule.names
    table: list[list[float | None]] = [[None] * len(names) for _ in names]
    by_seed: list[list[np.ndarray]] = [[] for _ in names]  # of each agent: the win rates by seed of each of its pairings
    pairings = []
    for index, (match, results) in enumerate(zip(schedule.matches, run.matches, strict=True)):
        own = schedule.seat_assignments(index) == match.agent
        completed = own & results.completed[:, None]
        wins = results.wins[own]
        seeds = mean_by_seed(wins, schedule.variant.players)
        win_rate = table[match.agent][match.field[0]] = float(wins.mean())
        by_seed[match.agent].append(seeds)
        pairings.append(
            Pairing(
                agent=names[match.agent],
                others=names[match.field[0]],
                win_rate=win_rate,
                ci95=win_rate_interval(seeds),
                mean_score=_mean([results.scores[completed]]),
                mean_margin=_mean([results.margins[completed]]),
            )
        )
    # All pairings are played on the same seeds, so a seed is one unit over all of them.
    overall = [np.mean(of_agent, axis=0) for of_agent in by_seed]
    return Tournament(
        **_common(schedule, run),
        agents=list(names),
        total_games=schedule.total_games,
        win_rate=[float(seeds.mean()) for seeds in overall],
        ci95=[win_rate_interval(seeds) for seeds in overall],
        table=table,
        pairings=pairings,
        standings=_summarize_agents(schedule, run),
    )


def _common(schedule: Schedule, run: ScheduleResults) -> dict[str, Any]:
    """The fields of Summary."""
    lengths = np.concatenate([results.lengths for results in run.matches])
    return {
        "game": schedule.variant.game.name,
        "options": schedule.variant.options,
        "players": schedule.variant.players,
        "seed": schedule.seed,
        "games": schedule.games,
        "truncated": sum(int(results.truncated.sum()) for results in run.matches),
        "decisions": {"mean": float(lengths.mean()), "shortest": int(lengths.min()), "longest": int(lengths.max())},
        "failures": [
            {
                "agent": schedule.names[failure.agent],
                "match": match,
                "game": failure.game,
                "seed": int(schedule.seeds[failure.game]),
                "seat": failure.seat,
                "decision": len(failure.actions),
                "kind": failure.kind,
                "reason": failure.reason,
                "replay": run.replays.get((match, failure.game)),
            }
            for match, results in enumerate(run.matches)
            for failure in results.failures
        ],
        "lost_workers": run.lost_workers,
        "workers": run.workers,
        "seconds": run.seconds,
        "games_per_second": schedule.total_games / run.seconds if run.seconds else None,
    }


def _summarize_agents(schedule: Schedule, run: ScheduleResults) -> list[AgentSummary]:
    seats = [schedule.seat_assignments(match) for match in range(len(schedule.matches))]
    # Ratings depend on the order of games. Matches take turns, so that none counts more for being the last.
    rated = evenly_spaced(schedule.total_games)
    who = np.stack(seats, axis=1).reshape(schedule.total_games, -1)[rated]
    ranks = np.stack([results.ranks for results in run.matches], axis=1).reshape(schedule.total_games, -1)[rated]
    ratings = rate_agents(len(schedule.agents), who, ranks)
    summaries = []
    for index, name in enumerate(schedule.names):
        own = [(results, of_match == index) for results, of_match in zip(run.matches, seats, strict=True)]
        completed = [(results, mine & results.completed[:, None]) for results, mine in own]
        summaries.append(
            AgentSummary(
                agent=name,
                seats=int(sum(mine.sum() for _, mine in own)),
                win_rate=_mean([results.wins[mine] for results, mine in own]),
                mean_score=_mean([results.scores[mine] for results, mine in completed]),
                mean_margin=_mean([results.margins[mine] for results, mine in completed]),
                rating=ratings[index],
                decision_seconds=_decision_seconds(run.matches, index),
                failures=sum(failure.agent == index for results in run.matches for failure in results.failures),
                fallbacks=sum(int(results.fallbacks[index]) for results in run.matches if results.fallbacks is not None),
            )
        )
    return summaries


def _decision_seconds(matches: Sequence[Results], agent: int) -> dict[str, float | None]:
    times = np.array([results.times[agent] for results in matches])
    seconds, decisions = times[:, :2].sum(axis=0)
    if not decisions:
        return {"mean": None, "slowest": None}
    return {"mean": float(seconds / decisions), "slowest": float(np.fmax.reduce(times[:, 2]))}


def _mean(parts: Sequence[np.ndarray]) -> float | None:
    values = np.concatenate(parts)
    return float(values.mean()) if values.size else None
