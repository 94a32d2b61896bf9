"""How a training run goes, on a terminal or in a log."""

from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from .evaluation.evaluate import Evaluation
from .ppo import Trainer


class Display:
    """A bar with decisions a second, win shares, where the time goes and how much of it is left; one line for each evaluation."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[speed]} decisions/s  {task.fields[shares]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[stages]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._shares = ""

    def __enter__(self) -> "Display":
        self.progress.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self.progress.stop()

    def begin(self, trainer: Trainer) -> None:
        total = trainer.config.imitate.decisions + trainer.config.ppo.decisions
        fields: dict[str, Any] = {"speed": "...", "shares": "", "stages": ""}
        self._task = self.progress.add_task("begin", total=total, completed=trainer.imitated + trainer.decisions, **fields)

    def row(self, trainer: Trainer, row: dict[str, Any]) -> None:
        shares = {name.removeprefix("win_"): row[name] for name in row if name.startswith("win_")}
        if shares:
            self._shares = "wins " + ", ".join(f"{share:.1%} against {code}" for code, share in shares.items())
            made = trainer.imitated + trainer.decisions
            self.console.print(
                f"iteration {row['iteration']} ({row['phase']}), {made:,} decisions, {row['per_second']:,.0f}/s, "
                f"{row['seconds']:.0f} s: {self._shares}"
            )
        self.progress.update(
            self._task,
            description=row["phase"],
            completed=trainer.imitated + trainer.decisions,
            speed=f"{row['per_second']:,.0f}",
            shares=self._shares,
            stages=stages(row),
        )

    def note(self, text: str) -> None:
        self.console.print(text)


def stages(row: dict[str, Any]) -> str:
    """Where the time of one iteration went, the longest stage first: `update 71%, network 20%`."""
    spent = {name.removeprefix("seconds_"): value for name, value in row.items() if name.startswith("seconds_")}
    total = sum(spent.values()) or 1
    longest = sorted(spent.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {value / total:.0%}" for name, value in longest if value / total >= 0.01)


def table_of(title: str, results: list[Evaluation]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in ("against a table of", "games", "share of wins", "95% interval", "fair share", "mean margin"):
        table.add_column(heading, justify="right")
    for found in results:
        low, high = found.ci95
        margin = "" if found.mean_margin is None else f"{found.mean_margin:+.1f}"
        fair = f"{1 / found.players:.1%}"
        table.add_row(
            f"{found.players - 1} {found.opponents[0]}",
            f"{found.games:,}",
            f"{found.win_rate:.1%}",
            f"{low:.1%} to {high:.1%}",
            fair,
            margin,
        )
    return table
