"""The learning curve as a picture."""

import os
from pathlib import Path

from tradewinds.envs.core.spec.game import Variant

from .config import Config


def draw_curve(path: Path, config: Config, rows: list[dict[str, str]]) -> Path:
    """Win shares over decisions, with what is fair and where imitation ends."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    variant: Variant = config.variant()
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for code in config.evaluate.against:
        points = [(_decisions(row), float(row[f"win_{code}"])) for row in rows if row[f"win_{code}"]]
        if points:
            axes.plot(*zip(*points, strict=True), marker=".", label=f"against {variant.players - 1} {code}")
    axes.axhline(1 / variant.players, color="grey", linestyle=":", label="fair share")
    if config.imitate.decisions:
        axes.axvline(config.imitate.decisions, color="grey", linestyle="--", label="imitation ends")
    axes.set(title=f"{variant.game.title}, {variant.players} players", xlabel="decisions learned from", ylabel="share of wins", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(loc="center right")
    fresh = path.with_name(f".{path.name}")
    figure.savefig(fresh, dpi=120, bbox_inches="tight", format="png")
    pyplot.close(figure)
    os.replace(fresh, path)
    return path


def _decisions(row: dict[str, str]) -> int:
    return int(row["imitated"]) + int(row["decisions"])
