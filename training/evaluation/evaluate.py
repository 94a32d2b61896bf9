"""One agent against a field."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .arena import Results
from .match_runner import Played, run
from .schedule import Match, Plan
from .stats import by_unit, rate, share_interval, spaced


@dataclass(frozen=True)
class Standing:
    """What came out for one agent."""

    agent: str
    seats: int  # that it held, over all games
    win_rate: float
    mean_score: float | None  # of games played to their end; none if there is none
    mean_margin: float | None  # to the best other score
    rating: dict[str, float]  # openskill: mu, sigma, ordinal
    decision_seconds: dict[str, float | None]  # mean, slowest; games inside the compiled loop have no slowest
    failures: int


@dataclass(frozen=True)
class Evaluation:
    """What `evaluate` found out. Shares are of wins, ties shared; fair is 1 / players."""

    game: str
    options: dict[str, Any]
    players: int
    agent: str
    opponents: list[str]
    seed: int
    games: int
    win_rate: float
    ci95: tuple[float, float]
    mean_score: float | None
    mean_margin: float | None
    win_rate_by_seat: list[float]
    ci95_by_seat: list[tuple[float, float]]
    truncated: int
    decisions: dict[str, float]  # of a game: mean, shortest, longest
    agents: list[Standing]  # the agent itself, then the field
    failures: list[dict[str, Any]]
    lost_workers: list[dict[str, Any]]
    workers: int
    seconds: float
    games_per_second: float | None

    def figures(self) -> dict[str, Any]:
        """All of it, in JSON types."""
        return asdict(self)


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
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Evaluation:
    """How `agent` does against `opponents`: codes or agents, one for all other seats or a sequence that takes turns in them.

    Every seed is played once with the agent in each seat, so `games` is rounded up to a multiple of the players. `workers=0` plays in this
    process; then a time limit is noticed only when the answer is there.
    """
    plan = plan_evaluation(game, agent, opponents, games, seed, time_limit, options)
    return summarise(plan, run(plan, workers, folder, on_progress, on_note))


def plan_evaluation(
    game: str, agent: Any, opponents: Any, games: int, seed: int, time_limit: float | None, options: dict[str, Any]
) -> Plan:  # fmt: skip
    field = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
    if not field:
        raise ValueError("name at least one opponent")
    different: list[Any] = []
    for opponent in field:
        if not any(opponent is other or (isinstance(opponent, str) and opponent == other) for other in different):
            different.append(opponent)
    numbers = [next(i for i, other in enumerate(different, start=1) if opponent is other or opponent == other) for opponent in field]
    return Plan.of(game, [agent, *different], [Match(0, tuple(numbers))], games, seed, time_limit, options)


def summarise(plan: Plan, played: Played) -> Evaluation:
    (results,) = played.results
    seat_assignments, players = plan.seat_assignments(0), plan.variant.players
    wins = results.wins[seat_assignments == 0]
    standings = stand(plan, played)
    seats = [wins[seat::players] for seat in range(players)]
    return Evaluation(
        game=plan.variant.game.name,
        options=plan.variant.options,
        players=players,
        agent=plan.names[0],
        opponents=[plan.names[number] for number in plan.matches[0].field],
        seed=plan.seed,
        games=plan.games,
        win_rate=float(wins.mean()),
        ci95=share_interval(by_unit(wins, players)),
        mean_score=standings[0].mean_score,
        mean_margin=standings[0].mean_margin,
        win_rate_by_seat=[float(of_seat.mean()) for of_seat in seats],
        ci95_by_seat=[share_interval(of_seat) for of_seat in seats],
        truncated=int(results.truncated.sum()),
        decisions=decisions_of([results]),
        agents=standings,
        failures=list_failures(plan, played),
        lost_workers=played.losses,
        workers=played.workers,
        seconds=played.seconds,
        games_per_second=plan.total / played.seconds if played.seconds else None,
    )


def stand(plan: Plan, played: Played) -> list[Standing]:
    """Each agent over all seats that it held."""
    seat_assignments = [plan.seat_assignments(match) for match in range(len(plan.matches))]
    # Game by game over all matches, so that no match counts more in the ratings for being the last.
    in_turn = spaced(plan.total)
    who = np.stack(seat_assignments, axis=1).reshape(plan.total, -1)[in_turn]
    ranks = np.stack([results.ranks for results in played.results], axis=1).reshape(plan.total, -1)[in_turn]
    ratings = rate(len(plan.agents), who, ranks)
    standings = []
    for number, name in enumerate(plan.names):
        own = [(results, seat_assignment == number) for results, seat_assignment in zip(played.results, seat_assignments, strict=True)]
        ended = [(results, mine & results.scored[:, None]) for results, mine in own]
        standings.append(
            Standing(
                agent=name,
                seats=int(sum(mine.sum() for _, mine in own)),
                win_rate=float(np.concatenate([results.wins[mine] for results, mine in own]).mean()),
                mean_score=_mean([results.scores[mine] for results, mine in ended]),
                mean_margin=_mean([results.margins[mine] for results, mine in ended]),
                rating=ratings[number],
                decision_seconds=_decision_seconds(played.results, number),
                failures=sum(failure.agent == number for results in played.results for failure in results.failures),
            )
        )
    return standings


def decisions_of(results: Sequence[Results]) -> dict[str, float]:
    lengths = np.concatenate([of_match.lengths for of_match in results])
    return {"mean": float(lengths.mean()), "shortest": int(lengths.min()), "longest": int(lengths.max())}


def list_failures(plan: Plan, played: Played) -> list[dict[str, Any]]:
    return [
        {
            "agent": plan.names[failure.agent],
            "match": match,
            "game": failure.game,
            "seed": int(plan.seeds[failure.game]),
            "seat": failure.seat,
            "decision": len(failure.actions),
            "kind": failure.kind,
            "reason": failure.reason,
            "replay": played.replays.get((match, failure.game)),
        }
        for match, results in enumerate(played.results)
        for failure in results.failures
    ]


def _decision_seconds(results: Sequence[Results], number: int) -> dict[str, float | None]:
    seconds, decisions = np.sum([of_match.times[number, :2] for of_match in results], axis=0)
    slowest = float(np.fmax.reduce([of_match.times[number, 2] for of_match in results]))
    return {"mean": float(seconds / decisions) if decisions else None, "slowest": None if np.isnan(slowest) or not decisions else slowest}


def _mean(parts: Sequence[np.ndarray]) -> float | None:
    values = np.concatenate(parts)
    return float(values.mean()) if values.size else None
