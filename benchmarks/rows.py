"""What is measured of our own games, and what is aimed at."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MEMORY_SIZE = 16384  # games in the batch whose memory is measured


@dataclass(frozen=True)
class Row:
    """One line of the tables: a game under some options."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])


# Measured besides every game's default options.
VARIANTS = (
    Row("puerto_rico", {"new_buildings": True, "nobles": True}),
    Row("container", {"investment_bank": True}),
    Row("santiago_de_cuba", {"players": 2}),
)


@dataclass(frozen=True)
class Aims:
    """What a line should reach on one ordinary core. Speeds and ratios are least values, the others are bounds to stay under."""

    steps_per_second: float | None = None  # batch, one core, best size
    two_cores: float | None = None  # batch, two cores / one core
    times_pettingzoo: float | None = None  # batch, one core / PettingZoo's raw connect_four
    times_pgx: float | None = None  # batch / Pgx's connect_four, one core, with as many steps a call
    aec_times_pettingzoo: float | None = None  # AEC loop / PettingZoo's raw connect_four
    record_bytes: float | None = None
    memory_mb: float | None = None  # of MEMORY_SIZE games
    warm_seconds: float | None = None
    cold_seconds: float | None = None


# By label; a variant has only the aims that differ from its game's.
AIMS = {
    "puerto_rico": Aims(steps_per_second=1_500_000, record_bytes=1536, warm_seconds=2, cold_seconds=90),
    "puerto_rico new_buildings=True nobles=True": Aims(steps_per_second=1_000_000),
    "container": Aims(steps_per_second=1_500_000, record_bytes=1024, warm_seconds=2, cold_seconds=90),
    "container investment_bank=True": Aims(steps_per_second=1_000_000),
    "santiago_de_cuba": Aims(
        steps_per_second=2_000_000,
        two_cores=1.7,
        times_pettingzoo=100,
        times_pgx=1,
        aec_times_pettingzoo=3,
        record_bytes=512,
        memory_mb=100,
        warm_seconds=2,
        cold_seconds=60,
    ),
}

# Of training on two cores, beside MaskablePPO with the same network, batch and epochs.
TRAINING_AIMS = {"times_sb3": 2.0, "games_share": 0.05}


def rows(games: Iterable[str]) -> list[Row]:
    """Each game with its default options, then its notable variants."""
    found = []
    for game in games:
        found.append(Row(game))
        found += [row for row in VARIANTS if row.game == game]
    return found
