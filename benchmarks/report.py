"""The figures as tables, and the progress of a run."""

from collections.abc import Sequence
from typing import Any, Self

from rich import progress
from rich.console import Console
from rich.table import Table

from .bench import Figures, best, pick, steps_per_call

BUSY = 0.9  # share of a core below which the figures come with a warning
OTHERS = {"self": "copies of the policy", "random": "random"}
CHOICES = {"mask": "choice from the mask", "space": "action_space.sample(mask)"}


class Progress:
    """A bar for each stage of a run."""

    def __init__(self, console: Console) -> None:
        self._bars = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            console=console,
        )
        self._task = progress.TaskID(0)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def stage(self, text: str, total: int) -> None:
        """Begin a stage of `total` ticks."""
        self._task = self._bars.add_task(text, total=total)

    def tick(self) -> None:
        """Advance the stage by one."""
        self._bars.advance(self._task)


def show(result: dict[str, Any], console: Console) -> None:
    """Print all tables, then what is missing and why."""
    machine, settings = result["machine"], result["settings"]
    console.print(
        f"{machine['processor']}, {machine['cores']} cores, load {machine['load_before'] or 0:.1f} at the start; "
        f"Python {machine['python']}, numba {machine['numba']}"
    )
    console.print(
        f"Medians of {settings['rounds']} rounds of {settings['seconds']:g} s each, the subjects taking turns; "
        f"{'pinned to their cores' if machine['pinned'] else 'not pinned: this system cannot'}."
    )
    share = core_share(result)
    busy = share is not None and share < BUSY
    tables = [_batches(result), _singles(result), _aims(result), _ratios(result)]
    if busy:
        tables.insert(1, _batches(result, by_cpu_time=True))
    for table in tables:
        if table.row_count:
            console.print(table)
    for baseline in result["baselines"]:
        if baseline["status"] == "not installed":
            console.print(f"{baseline['title']}: not installed ({baseline['pip']})")
    for failure in result["failures"]:
        console.print(f"failed: {failure['subject']}: {failure['error']}")
    if busy:
        console.print(f"The machine had other work: our fastest batch had {share:.0%} of its core. Trust 'by CPU time'.")


def show_training(result: dict[str, Any], console: Console) -> None:
    """Print our trainer beside SB3's, and the aims."""
    machine, settings = result["machine"], result["settings"]
    console.print(
        f"{machine['processor']}, {settings['cores']} cores, load {machine['load_before'] or 0:.1f} at the start; "
        f"Python {machine['python']}, torch {machine['torch']}, "
        f"stable-baselines3 {machine['stable-baselines3']}, sb3-contrib {machine['sb3-contrib']}"
    )
    console.print(
        f"{settings['game']}; medians of {settings['rounds']} rounds, the trainers taking turns. Only env steps learned from count."
    )
    table = _table(
        "Training: collecting and learning together",
        ("network and batch", "trainer", "other seats"),
        ("steps/s", "environment stepping", "opponents' inference", "parameters"),
    )
    aims = _table("Aims", ("network and batch", "figure"), ("value", "by CPU time", "aim", "met"))
    for measured in result["measured"]:
        label = "width {width}, {blocks} blocks; {rows} x {steps} / {minibatch}, {epochs} epochs".format(**measured["setting"])
        label += "; residual" if "base" in measured["setting"] else ""
        for one in measured["trainers"]:
            name, others = ("Tradewinds", "learn too") if one["opponents"] is None else ("SB3 MaskablePPO", OTHERS[one["opponents"]])
            shares = [f"{one['stage_shares'].get(stage, 0):.1%}" for stage in ("games", "opponents")]
            table.add_row(label, name, others, f"{one['steps_per_second']:,.0f}", *shares, f"{one['parameters']:,}")
        for line in measured["aims"]:
            value, aim = (f"{number:.2f}" if line["at_least"] else f"{number:.1%}" for number in (line["value"], line["aim"]))
            aim = f"{'>=' if line['at_least'] else '<='} {aim}"
            aims.add_row(label, line["figure"], value, _number(line["cpu_value"]), aim, _met(line["met"]))
    console.print(table)
    console.print(aims)
    for failure in result["failures"]:
        console.print(f"failed: {failure['subject']}: {failure['error']}")


def core_share(result: dict[str, Any]) -> float | None:
    """Return the share of its core that the fastest of our batches had."""
    fastest = best(one for game in result["games"] for one in pick(game["batch"], cores=1))
    return None if fastest is None else fastest["steps_per_second"] / fastest["steps_per_cpu_second"]


def _table(title: str, words: Sequence[str], numbers: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left")
    for name in words:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    return table


def _batches(result: dict[str, Any], by_cpu_time: bool = False) -> Table:
    """All batches, or by CPU time those on one core, which shows what other work on the machine hides."""
    sizes = result["settings"]["sizes"]
    speed = "steps_per_cpu_second" if by_cpu_time else "steps_per_second"
    what = "steps per second of CPU time" if by_cpu_time else "steps/s"
    title = f"Random legal play in batches, {what} by batch size"
    table = _table(title, ("subject",), ("cores", *map(str, sizes), "games/s, best"))

    def add(name: str, cores: int, figures: list[Figures], length: float = 0) -> None:
        if by_cpu_time and cores > 1:
            return
        by_size = {one["size"]: one for one in figures}
        fastest = best(figures, speed)
        games = f"{fastest[speed] / length:,.0f}" if fastest and length else ""
        speeds = [f"{by_size[size][speed]:,.0f}" if size in by_size else "failed" for size in sizes]
        table.add_row(name, str(cores), *speeds, games)

    for game in result["games"]:
        for cores, steps in sorted({(one["cores"], one["steps_per_call"]) for one in game["batch"]}):
            figures = pick(game["batch"], cores=cores, steps_per_call=steps)
            add(f"{game['label']}, {steps_per_call(steps)}", cores, figures, game["mean_length"])
    for baseline in result["baselines"]:
        batches = [one for one in baseline["results"] if "size" in one]
        for cores, steps in sorted({(one["cores"], one["steps_per_call"]) for one in batches}):
            name = f"{baseline['title']} {batches[0]['name']}, {steps_per_call(steps)}"
            add(name, cores, pick(batches, cores=cores, steps_per_call=steps))
    return table


def _singles(result: dict[str, Any]) -> Table:
    table = _table("One game at a time, one core", ("subject", "loop"), ("steps/s",))
    for game in result["games"]:
        for one in game["aec"]:
            table.add_row(game["label"], f"last(), step(), {CHOICES[one['choice']]}", f"{one['steps_per_second']:,.0f}")
    for baseline in result["baselines"]:
        for one in baseline["results"]:
            if "wrapped" in one:
                name = f"{baseline['title']} connect_four, {'env' if one['wrapped'] else 'raw_env'}"
                table.add_row(name, f"last(), step(), {CHOICES[one['choice']]}", f"{one['steps_per_second']:,.0f}")
            elif "size" not in one:
                loop = "mask, observer, apply_action, choice from legal_actions()"
                table.add_row(f"{baseline['title']} {one['name']}", loop, f"{one['steps_per_second']:,.0f}")
    return table


def _aims(result: dict[str, Any]) -> Table:
    table = _table("Aims", ("game", "figure"), ("value", "aim", "met"))
    for line in result["aims"]:
        sign = ">=" if line["at_least"] else "<"
        aim = "" if line["aim"] is None else f"{sign} {line['aim']:,.0f}"
        table.add_row(line["label"], line["figure"], _number(line["value"]), aim, _met(line["met"]))
    return table


def _ratios(result: dict[str, Any]) -> Table:
    title = "Ratios: ours / theirs, each at its best size"
    table = _table(title, ("game", "ratio"), ("ours", "theirs", "ours / theirs", "by CPU time", "aim", "met"))
    for line in result["ratios"]:
        aim = "" if line["aim"] is None else f">= {line['aim']:g}"
        values = [_number(line["value"]), _number(line["cpu_value"])]
        table.add_row(line["label"], line["ratio"], f"{line['ours']:,.0f}", f"{line['theirs']:,.0f}", *values, aim, _met(line["met"]))
    return table


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _met(met: bool | None) -> str:
    return "" if met is None else "yes" if met else "no"
