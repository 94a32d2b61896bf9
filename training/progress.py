"""The progress of a training run, on a terminal or in a log."""

from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from .evaluation.evaluate import Evaluation
from .evaluation.stats import bounded
from .ppo import Trainer

RATE = "charts/win_rate_"


class Display:
    """A progress bar with steps per second, win rates and where the time goes; one line for each evaluation."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[speed]} steps/s  {task.fields[rates]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[stages]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._rates = ""

    def __enter__(self) -> "Display":
        self.progress.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self.progress.stop()

    def begin(self, trainer: Trainer) -> None:
        """Add the progress bar, which starts at the step that the run was resumed from."""
        total = trainer.config.bc.total_timesteps + trainer.config.ppo.total_timesteps
        fields: dict[str, Any] = {"speed": "...", "rates": "", "stages": ""}
        self._task = self.progress.add_task("start", total=total, completed=trainer.global_step, **fields)

    def row(self, trainer: Trainer, row: dict[str, Any]) -> None:
        """Update the bar after an iteration, and print a line if there was an evaluation."""
        rates = {code: row[RATE + code] for code in trainer.eval_opponents if RATE + code in row}
        speed = f"{row.get('charts/SPS', 0):,.0f}"
        if rates:
            self._rates = "wins " + ", ".join(f"{rate:.1%} against {code}" for code, rate in rates.items())
            code = list(rates)[-1]
            low, high = row[f"{RATE}low_{code}"], row[f"{RATE}high_{code}"]
            self.console.print(
                f"iteration {row['iteration']} ({row['phase']}), {trainer.global_step:,} env steps, {speed}/s, {row['seconds']:.0f} s: "
                f"{self._rates} ({low:.1%} to {high:.1%}), sampled {_rate(row, 'sampled', code)}; "
                f"one {code} against {trainer.variant.players - 1} of it {_rate(row, 'of', code)}"
            )
        completed, shown = trainer.global_step, stages(row)
        self.progress.update(self._task, description=row["phase"], completed=completed, speed=speed, rates=self._rates, stages=shown)

    def note(self, text: str) -> None:
        """Print a message above the bar."""
        self.console.print(text, soft_wrap=True)


def _rate(row: dict[str, Any], kind: str, code: str) -> str:
    rate, low, high = (row[f"charts/{name}_{code}"] for name in bounded(f"win_rate_{kind}"))
    return f"{rate:.1%} ({low:.1%} to {high:.1%})"


def stages(row: dict[str, Any]) -> str:
    """The share of each stage in the time of an iteration, longest first: `update 71%, network 20%`."""
    spent = {name.removeprefix("seconds/"): value for name, value in row.items() if name.startswith("seconds/")}
    total = sum(spent.values()) or 1
    longest = sorted(spent.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {value / total:.0%}" for name, value in longest if value / total >= 0.01)


def table_of(title: str, results: list[Evaluation]) -> Table:
    """Win rates of a network against tables of each opponent, and of an opponent among copies of it."""
    table = Table(title=title, title_justify="left")
    for heading in ("", "episodes", "win rate", "95% interval", "equal strength", "mean margin"):
        table.add_column(heading, justify="right")
    for found in results:
        low, high = found.ci95
        agent, opponent = (_short(code) for code in (found.agent, found.opponents[0]))
        margin = "" if found.mean_margin is None else f"{found.mean_margin:+z.1f}"
        rate, interval, fair = f"{found.win_rate:.1%}", f"{low:.1%} to {high:.1%}", f"{1 / found.players:.1%}"
        table.add_row(f"{agent} against {found.players - 1} {opponent}", f"{found.games:,}", rate, interval, fair, margin)
    return table


def _short(code: str) -> str:
    return (
        "the network, sampled"
        if code.startswith("net:") and code.endswith(":sample")
        else "the network"
        if code.startswith("net:")
        else code
    )
