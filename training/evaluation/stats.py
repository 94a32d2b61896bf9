"""Win shares with intervals, and ratings."""

from collections.abc import Sequence
from typing import Any

import numpy as np

Z95 = 1.959963984540054
MOST_RATED = 20_000  # games; ratings do not change any more, and rating a game takes longer than playing it


def share_interval(units: np.ndarray) -> tuple[float, float]:
    """The 95% interval of a mean share, from independent units in [0, 1]: a unit is the mean of all games of one seed.

    Wilson's interval, with the number of trials that a coin would need for the variance found between units. One imaginary unit with a
    coin's variance is added to what was found, so that a few units that happen to agree do not look certain. If all units are 0, or all 1,
    a unit counts as one trial.
    """
    count = len(units)
    share = float(np.mean(units))
    coin = share * (1 - share)
    spread = float(np.sum((units - share) ** 2))
    trials = count if coin < 1e-12 else count * count / (spread / coin + 1)
    middle = (share + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    half = Z95 / (1 + Z95**2 / trials) * np.sqrt(max(coin, 0) / trials + Z95**2 / (4 * trials**2))
    return max(0.0, min(share, float(middle - half))), min(1.0, max(share, float(middle + half)))  # rounding may not put the share outside


def by_unit(values: np.ndarray, size: int) -> np.ndarray:
    """Means of each `size` values in a row."""
    return values.reshape(-1, size).mean(axis=1)


def rate(agents: int, seat_assignments: np.ndarray, ranks: np.ndarray) -> list[dict[str, float]]:
    """Openskill ratings (Plackett-Luce) from games in their order: who sat where (games, players), and the ranks.

    Every seat is a team of one. An agent that holds several seats of a game moves by the mean of what its seats would move.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)  # agents do not learn between games, so nothing makes them uncertain again
    ratings: list[Any] = [model.rating() for _ in range(agents)]
    for seats, places in zip(seat_assignments.tolist(), ranks.tolist(), strict=True):
        rated = model.rate([[model.create_rating([ratings[agent].mu, ratings[agent].sigma])] for agent in seats], ranks=places)
        for agent in set(seats):
            mine = [team[0] for team, other in zip(rated, seats, strict=True) if other == agent]
            ratings[agent] = model.create_rating([_mean([r.mu for r in mine]), _mean([r.sigma for r in mine])])
    return [{"mu": float(r.mu), "sigma": float(r.sigma), "ordinal": float(r.ordinal())} for r in ratings]


def spaced(count: int, most: int = MOST_RATED) -> np.ndarray:
    """At most `most` of the numbers below `count`, evenly spaced."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.int64)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
