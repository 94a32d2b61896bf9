"""All against all."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from .evaluate import Standing, decisions_of, list_failures, stand
from .match_runner import Played, run
from .schedule import Match, Plan
from .stats import by_unit, share_interval


@dataclass(frozen=True)
class Pairing:
    """One `agent` at a table of `others`."""

    agent: str
    others: str
    win_rate: float
    ci95: tuple[float, float]
    mean_score: float | None
    mean_margin: float | None


@dataclass(frozen=True)
class Tournament:
    """What `tournament` found out. Shares are of wins, ties shared; fair is 1 / players."""

    game: str
    options: dict[str, Any]
    players: int
    agents: list[str]
    seed: int
    games: int  # of each pairing
    total_games: int
    win_rate: list[float]  # of each agent alone at the tables of all others, in the order of `agents`
    ci95: list[tuple[float, float]]
    table: list[list[float | None]]  # win share of agent (row) alone at a table of agent (column)
    pairings: list[Pairing]
    standings: list[Standing]  # over all seats held
    truncated: int
    decisions: dict[str, float]
    failures: list[dict[str, Any]]
    lost_workers: list[dict[str, Any]]
    workers: int
    seconds: float
    games_per_second: float | None

    def figures(self) -> dict[str, Any]:
        """All of it, in JSON types."""
        return asdict(self)


def tournament(
    game: str,
    agents: Sequence[Any],
    *,
    games: int = 400,
    seed: int = 0,
    workers: int | None = None,
    time_limit: float | None = None,
    folder: "str | Path | None" = None,
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
    **options: Any,
) -> Tournament:
    """Each agent alone at a table of each other, `games` games on the same seeds, in every seat; see `evaluate` for the rest."""
    plan = plan_tournament(game, agents, games, seed, time_limit, options)
    return summarise(plan, run(plan, workers, folder, on_progress, on_note))


def plan_tournament(game: str, agents: Sequence[Any], games: int, seed: int, time_limit: float | None, options: dict[str, Any]) -> Plan:
    if len(agents) < 2:
        raise ValueError("a tournament needs at least two agents")
    twice = [agent for i, agent in enumerate(agents) if isinstance(agent, str) and agent in agents[:i]]
    if twice:
        raise ValueError(f"agent {twice[0]!r} is named twice")
    matches = [Match(agent, (other,)) for agent, other in permutations(range(len(agents)), 2)]
    return Plan.of(game, agents, matches, games, seed, time_limit, options)


def summarise(plan: Plan, played: Played) -> Tournament:
    players = plan.variant.players
    table: list[list[float | None]] = [[None] * len(plan.agents) for _ in plan.agents]
    units: list[list[np.ndarray]] = [[] for _ in plan.agents]  # of each agent: its wins in each pairing, seed by seed
    pairings = []
    for number, (match, results) in enumerate(zip(plan.matches, played.results, strict=True)):
        alone = plan.seat_assignments(number) == match.agent
        ended = alone & results.scored[:, None]
        wins = results.wins[alone]
        seeds, share = by_unit(wins, players), float(wins.mean())
        table[match.agent][match.field[0]] = share
        units[match.agent].append(seeds)
        pairings.append(
            Pairing(
                agent=plan.names[match.agent],
                others=plan.names[match.field[0]],
                win_rate=share,
                ci95=share_interval(seeds),
                mean_score=float(results.scores[ended].mean()) if ended.any() else None,
                mean_margin=float(results.margins[ended].mean()) if ended.any() else None,
            )
        )
    # All pairings are played on the same seeds, so a seed is one unit over all of them.
    overall = [np.mean(of_agent, axis=0) for of_agent in units]
    return Tournament(
        game=plan.variant.game.name,
        options=plan.variant.options,
        players=players,
        agents=list(plan.names),
        seed=plan.seed,
        games=plan.games,
        total_games=plan.total,
        win_rate=[float(seeds.mean()) for seeds in overall],
        ci95=[share_interval(seeds) for seeds in overall],
        table=table,
        pairings=pairings,
        standings=stand(plan, played),
        truncated=sum(int(results.truncated.sum()) for results in played.results),
        decisions=decisions_of(played.results),
        failures=list_failures(plan, played),
        lost_workers=played.losses,
        workers=played.workers,
        seconds=played.seconds,
        games_per_second=plan.total / played.seconds if played.seconds else None,
    )


def draw(found: Tournament, path: Path) -> None:
    """The cross table as a heat map: who wins how much at whose table."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import colors, pyplot

    fair = 1 / found.players
    order = np.argsort([-standing.rating["mu"] for standing in found.standings])
    names = [found.agents[i] for i in order]
    shares = np.array([[np.nan if value is None else value for value in row] for row in found.table])[np.ix_(order, order)]
    side = 2.5 + 0.8 * len(names)
    figure, axes = pyplot.subplots(figsize=(side + 1.5, side))
    norm = colors.TwoSlopeNorm(fair, 0, 1)  # the colour says on which side of fair, and how far
    image = axes.imshow(np.ma.masked_invalid(shares), cmap="PuOr_r", norm=norm)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("a table of")
    axes.set_ylabel("one")
    axes.set_title(f"{found.game}, {found.players} players: win share (fair {fair:.0%}), {found.games:,} games each")
    for (row, column), share in np.ndenumerate(shares):
        if row != column:
            strong = abs(norm(share) - 0.5) > 0.35
            axes.text(column, row, f"{share:.0%}", ha="center", va="center", color="white" if strong else "black")
    figure.colorbar(image, shrink=0.8)
    figure.savefig(path, format="png", dpi=120, bbox_inches="tight")
    pyplot.close(figure)
