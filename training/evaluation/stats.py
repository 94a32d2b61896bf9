"""Win rates with confidence intervals, margins, and ratings."""

from statistics import NormalDist, fmean
from typing import Any

import numpy as np

Z95 = NormalDist().inv_cdf(0.975)
MAX_RATED = 20_000  # games; more hardly move the ratings, and rating a game takes longer than playing it


def win_rate_interval(units: np.ndarray) -> tuple[float, float]:
    """95% confidence interval of a win rate from independent units: the mean of each seed's games, or single games.

    Games on one seed are a cluster. The interval is Wilson's (1927), with the effective sample size of clustered data as the number of
    trials (Korn & Graubard 1998, Survey Methodology 24; Franco, Little, Louis & Slud 2019, J. Survey Stat. Methodol. 7): p(1 - p) / var(p),
    with the variance of the mean estimated between units, times (z / t)² for its n - 1 degrees of freedom. It is not capped at the number
    of games, because every seed is played from every seat in order to lower the variance. For single games this is Wilson's interval on
    about n trials; units without any variance, such as all 0 or all 1, count as one trial each.

    Args:
        units: Win rates in [0, 1], float (units,), at least one.

    Returns:
        The lower and the upper bound, which enclose the mean.
    """
    count, rate = len(units), float(np.mean(units))
    variance = float(np.var(units, ddof=1)) / count if count > 1 else 0.0
    trials = rate * (1 - rate) / variance * (Z95 / _t95(count - 1)) ** 2 if variance > 1e-12 else count
    shrink = 1 / (1 + Z95**2 / trials)
    centre = shrink * (rate + Z95**2 / (2 * trials))
    half = shrink * Z95 * float(np.sqrt(max(rate * (1 - rate), 0) / trials + Z95**2 / (4 * trials**2)))
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))  # rounding must not exclude the mean


def _t95(df: int) -> float:
    """The 97.5% quantile of Student's t: Abramowitz & Stegun 26.7.5, exact below 3 degrees of freedom."""
    if df < 3:
        return (12.7062, 4.3027)[df - 1]
    z = Z95
    return (
        z
        + (z**3 + z) / (4 * df)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * df**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * df**4)
    )


def bounded(rate: str) -> tuple[str, str, str]:
    """The names of a win rate and of the bounds of its interval: `win_rate`, `win_rate_low`, `win_rate_high`."""
    return rate, f"{rate}_low", f"{rate}_high"


def mean_by_seed(values: np.ndarray, games: int) -> np.ndarray:
    """Means of consecutive groups of `games` values: the games of one seed are neighbours.

    Args:
        values: One value per game, those of one seed side by side.
        games: Games per seed.
    """
    return values.reshape(-1, games).mean(axis=1)


def shared_wins(ranks: np.ndarray) -> np.ndarray:
    """Each seat's part of the win, shared between ties: float64 (games, players).

    Args:
        ranks: Ranks from 1, integers (games, players).
    """
    won = ranks == 1
    return won / won.sum(axis=1, keepdims=True)


def margins_to_best_other(scores: np.ndarray) -> np.ndarray:
    """Each seat's score minus the best score of the other seats: int64 (games, players).

    Args:
        scores: Final scores, integers (games, players).
    """
    scores = scores.astype(np.int64)
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.where(scores == best, scores - second, scores - best)


def squashed_margins(scores: np.ndarray, spread: float) -> np.ndarray:
    """Each seat's margin m to the best other score, squashed to (-1, 1) as m / (|m| + spread), as in search.

    Args:
        scores: Final scores, int (games, players).
        spread: The margin that becomes a half.
    """
    ahead = margins_to_best_other(scores)
    return ahead / (np.abs(ahead) + np.float32(spread))


def rate_agents(agents: int, seat_assignments: np.ndarray, ranks: np.ndarray) -> list[dict[str, float]]:
    """Openskill ratings (Plackett-Luce) from games in their order.

    Every seat is a team of one. An agent that holds several seats of a game gets the mean of its seats' updates.

    Args:
        agents: The number of agents.
        seat_assignments: The agent in each seat, int (games, players).
        ranks: The rank of each seat, int (games, players).

    Returns:
        For each agent `mu`, `sigma` and `ordinal`.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)  # agents do not learn between games, so the uncertainty never grows
    ratings: list[Any] = [model.rating() for _ in range(agents)]
    for seats, places in zip(seat_assignments.tolist(), ranks.tolist(), strict=True):
        rated = model.rate([[model.create_rating([ratings[agent].mu, ratings[agent].sigma])] for agent in seats], ranks=places)
        for agent in set(seats):
            own = [team[0] for team, other in zip(rated, seats, strict=True) if other == agent]
            ratings[agent] = model.create_rating([fmean(r.mu for r in own), fmean(r.sigma for r in own)])
    return [{"mu": float(r.mu), "sigma": float(r.sigma), "ordinal": float(r.ordinal())} for r in ratings]


def evenly_spaced(count: int, most: int = MAX_RATED) -> np.ndarray:
    """At most `most` of the indices below `count`, evenly spaced.

    Args:
        count: How many there are.
        most: How many to take at most.
    """
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.int64)
