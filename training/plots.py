"""The learning curve as a PNG."""

import io
from pathlib import Path
from typing import Any

from tradewinds.envs.core.io.atomic import write_file

from .config import Config
from .evaluation.stats import bounded

MILLION = 1e6
LINES = (  # of the lower panel
    ("losses/explained_variance", "explained variance (win)"),
    ("losses/explained_variance_margin", "explained variance (margin)"),
    ("losses/entropy", "entropy (nats)"),
    ("losses/bc_accuracy", "behaviour cloning accuracy"),
)


def draw_curve(path: Path, config: Config, rows: list[dict[str, str]]) -> Path:
    """Draw win rates with 95% intervals over env steps, and below them explained variance, entropy and cloning accuracy.

    Args:
        path: The PNG to write, atomically.
        config: The config of the run.
        rows: The rows of metrics.csv.

    Returns:
        `path`.
    """
    from matplotlib.figure import Figure  # without pyplot: a notebook that trains keeps its own backend

    variant = config.variant()
    figure = Figure(figsize=(8, 7), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    others, hardest = variant.players - 1, config.evaluation.eval_opponents[-1]
    for number, code in enumerate(config.evaluation.eval_opponents):
        _draw_rate(upper, rows, "win_rate", code, f"against {others} {code}", color=f"C{number}", marker=".")
    color, other_color = (f"C{len(config.evaluation.eval_opponents) - back}" for back in (1, 0))
    _draw_rate(upper, rows, "win_rate_sampled", hardest, "  – sampling its actions", color=color, linestyle="--", linewidth=1)
    _draw_rate(upper, rows, "win_rate_of", hardest, f"one {hardest} against {others} of it", color=other_color, linestyle="-.", linewidth=1)
    upper.axhline(1 / variant.players, color="grey", linestyle=":", label="equal strength")
    for axes in (upper, lower):
        if config.bc.total_timesteps and config.ppo.total_timesteps:
            axes.axvline(config.bc.total_timesteps / MILLION, color="grey", linestyle="--", label="end of behaviour cloning")
        axes.grid(alpha=0.3)
    for name, label in LINES:
        points = [(int(row["global_step"]) / MILLION, float(row[name])) for row in rows if row[name]]
        if points:
            lower.plot(*zip(*points, strict=True), label=label)
    upper.set(ylabel="win rate (95% interval)")
    upper.set_title(f"{variant.game.title}, {variant.players} players: {path.parent.name}, seed {config.seed}")
    lower.set(xlabel="env steps (millions)")
    for axes in (upper, lower):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    png = io.BytesIO()
    figure.savefig(png, dpi=120, format="png")
    write_file(path, png.getvalue())
    return path


def _draw_rate(axes: Any, rows: list[dict[str, str]], kind: str, code: str, label: str, **style: Any) -> None:
    """A win rate over env steps with its band, from the rows that have all three."""
    names = [f"charts/{name}_{code}" for name in bounded(kind)]
    found = [row for row in rows if all(row.get(name) for name in names)]  # a run of an older version has no bounds for some
    steps = [int(row["global_step"]) / MILLION for row in found]
    rate, low, high = ([float(row[name]) for row in found] for name in names)
    axes.plot(steps, rate, label=label, **style)
    axes.fill_between(steps, low, high, color=style["color"], alpha=0.15, linewidth=0)
