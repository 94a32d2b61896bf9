"""`tradewinds bench`: steps per second of random legal play, memory and start-up, compared with other libraries.

Subjects take turns in short rounds, each in a process of its own kind that is pinned to as many cores as it may use. `run` returns plain
figures, ready for JSON.
"""

import importlib
import itertools
import json
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

import tradewinds.envs as tw

from . import machine
from .processes import ProcessError, Worker, ask_fresh
from .subjects import BASELINES, STEPS_PER_CALL, Spec

Figures = dict[str, Any]
Line = tuple[str, list[Figures], list[Figures], float | None]  # the name of a ratio, ours, theirs, the aim

MEMORY_SIZE = 16384  # games in the batch whose memory is measured
WARM_STARTS = 3  # fresh processes, of which the median counts
MEGA = 1e6
TINY = 1e-9  # seconds; a round shorter than a tick of the CPU clock measures 0


@dataclass(frozen=True)
class Aims:
    """Targets on one ordinary core. Speeds and ratios are minima, the others are upper bounds."""

    steps_per_second: float | None = None  # batch, one core, best size
    two_cores: float | None = None  # batch, two cores / one core
    times_pettingzoo: float | None = None  # batch, one core / PettingZoo's raw connect_four
    times_pgx: float | None = None  # batch / Pgx's connect_four, one core, with as many steps per call
    aec_times_pettingzoo: float | None = None  # AEC loop / PettingZoo's raw connect_four
    record_bytes: float | None = None
    memory_mb: float | None = None  # of MEMORY_SIZE games
    warm_seconds: float | None = None
    cold_seconds: float | None = None


@dataclass(frozen=True)
class Row:
    """One row of the tables: a game with some options."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    aims: Aims | None = None

    @property
    def label(self) -> str:
        """The game and its options as text."""
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])


def rows(games: Iterable[str]) -> list[Row]:
    """Return the rows of each game, from the file bench.json in its package if there is one: first with its default options.

    A row has only the aims that differ from those of the default options.
    """
    return [Row(game, row["options"], Aims(**row["aims"]) if "aims" in row else None) for game in games for row in _stated(game)]


def _stated(game: str) -> list[dict[str, Any]]:
    module = importlib.import_module(tw.game(game).module)
    files = [Path(folder) / "bench.json" for folder in getattr(module, "__path__", ())]
    return next((json.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()), [{"options": {}}])


def _aims_at(game: Figures) -> Aims | None:
    """The aims of a row, by the figures of its game."""
    return next((row.aims for row in rows(tw.games()) if row.label == game["label"]), None)


@dataclass(frozen=True)
class Settings:
    """What to measure, and how long."""

    rows: tuple[Row, ...]
    seconds: float  # of one round
    rounds: int
    sizes: tuple[int, ...]
    baselines: tuple[str, ...]
    cold: bool


class Watch(Protocol):
    """Receives the progress of a run."""

    def stage(self, text: str, total: int) -> None:
        """Begin a stage of `total` ticks."""

    def tick(self) -> None:
        """Advance the stage by one."""


@dataclass
class Entry:
    """A subject in its worker, with its rounds so far."""

    spec: Spec
    worker: Worker
    number: int
    speeds: list[float] = field(default_factory=list)  # steps per second
    cpu_speeds: list[float] = field(default_factory=list)  # steps per second of CPU time
    seconds: float = 0.0  # in all rounds

    def measure(self, seconds: float) -> None:
        """Play one round."""
        steps, took, cpu_seconds = self.worker.ask("measure", number=self.number, seconds=seconds)
        self.seconds += took
        self.speeds.append(steps / took)
        self.cpu_speeds.append(steps / max(cpu_seconds, TINY))

    @property
    def figures(self) -> dict[str, Any]:
        """Medians and rounds, for JSON."""
        return {
            "cores": self.spec.cores,
            **self.spec.arguments,
            "steps_per_second": statistics.median(self.speeds),
            "rounds": self.speeds,
            "steps_per_cpu_second": statistics.median(self.cpu_speeds),
            "cpu_rounds": self.cpu_speeds,
        }


class Crew:
    """The workers: one for each kind of subject and number of cores, started when first needed."""

    def __init__(self, cores: list[int]) -> None:
        self.cores = cores  # a worker takes the first ones
        self.workers: dict[tuple[str, int], Worker] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers.values():
            worker.close()

    def worker(self, kind: str, cores: int) -> Worker:
        """Return the worker for a kind of subject."""
        if (kind, cores) not in self.workers:
            self.workers[kind, cores] = Worker(self.cores[:cores])
        return self.workers[kind, cores]

    def build(self, spec: Spec) -> Entry:
        """Build a subject in its worker."""
        worker = self.worker(spec.kind, spec.cores)
        return Entry(spec, worker, worker.ask("build", kind=spec.kind, arguments=spec.arguments))


def run(settings: Settings, watch: Watch) -> dict[str, Any]:
    """Measure everything. What failed is named in `failures`, and its figures are missing."""
    facts = machine.facts()
    cores = facts["cores"]
    failures: list[dict[str, str]] = []
    with Crew(machine.quiet_cores()) as crew:
        entries = build_all(list(_specs(settings, cores)), crew, failures, watch)
        lengths = {row.label: crew.worker("batch", 1).ask("mean_length", game=row.game, options=dict(row.options)) for row in settings.rows}
        play_rounds(entries, settings, failures, watch)
    entries = [entry for entry in entries if entry.speeds]
    games = [_game(row, entries, lengths[row.label]) for row in settings.rows]
    _sizes_and_starts(games, settings.cold, failures, watch)
    baselines = [_baseline(name, entries) for name in settings.baselines]
    return {
        "tradewinds": machine.version("tradewinds"),
        "machine": facts,
        "settings": {"seconds": settings.seconds, "rounds": settings.rounds, "sizes": list(settings.sizes)},
        "games": games,
        "baselines": baselines,
        "ratios": ratios(games, baselines),
        "aims": [line for game in games for line in aims_of(game)],
        "failures": failures,
    }


def _specs(settings: Settings, cores: int) -> Iterator[Spec]:
    for row in settings.rows:
        facts = {"game": row.game, "options": dict(row.options)}
        for count in sorted({1, min(2, cores), cores}):
            for size in settings.sizes:
                for steps in STEPS_PER_CALL:
                    yield Spec("batch", count, {**facts, "size": size, "threads": count, "steps_per_call": steps})
        for choice in ("mask", "space"):
            yield Spec("aec", 1, {**facts, "choice": choice})
    for name in settings.baselines:
        if BASELINES[name].installed:
            yield from BASELINES[name].specs(settings.sizes, cores)


def build_all(specs: list[Spec], crew: Crew, failures: list[dict[str, str]], watch: Watch) -> list[Entry]:
    """Build all subjects and order them so that those of different workers alternate: what is compared is played close in time."""
    watch.stage("getting ready", len(specs))
    by_worker: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for spec in specs:
        try:
            by_worker[spec.kind, spec.cores].append(crew.build(spec))
        except ProcessError as error:
            failures.append(_failure(spec, error))
        watch.tick()
    turns = itertools.zip_longest(*by_worker.values())
    return [entry for turn in turns for entry in turn if entry is not None]


def play_rounds(entries: list[Entry], settings: Settings, failures: list[dict[str, str]], watch: Watch) -> None:
    """Play all rounds, every second one in reverse order, so that drift of the machine's speed affects all subjects alike."""
    watch.stage("playing", settings.rounds * len(entries))
    failed: set[int] = set()
    for number in range(settings.rounds):
        for entry in entries if number % 2 == 0 else entries[::-1]:
            watch.tick()
            if id(entry) in failed:
                continue
            try:
                entry.measure(settings.seconds)
            except ProcessError as error:
                failed.add(id(entry))
                entry.speeds.clear()
                failures.append(_failure(entry.spec, error))


def _failure(spec: Spec, error: ProcessError) -> dict[str, str]:
    arguments = ", ".join(f"{name}={value}" for name, value in spec.arguments.items())
    return {"subject": f"{spec.kind} ({arguments}), cores={spec.cores}", "error": str(error)}


def _game(row: Row, entries: list[Entry], length: float) -> dict[str, Any]:
    own = [entry.figures for entry in entries if entry.spec.arguments.get("options") == row.options and _is_of(entry, row)]
    batch = [{**figures, "games_per_second": figures["steps_per_second"] / length} for figures in own if "size" in figures]
    batch.sort(key=lambda figures: (figures["cores"], figures["steps_per_call"], figures["size"]))
    return {
        "label": row.label,
        "game": row.game,
        "options": dict(row.options),
        "mean_length": length,
        "batch": batch,
        "aec": [figures for figures in own if "choice" in figures],
    }


def _is_of(entry: Entry, row: Row) -> bool:
    return entry.spec.kind in ("batch", "aec") and entry.spec.arguments["game"] == row.game


def _baseline(name: str, entries: list[Entry]) -> dict[str, Any]:
    baseline = BASELINES[name]
    results = [entry.figures for entry in entries if entry.spec.kind == name]
    results.sort(key=lambda figures: (figures["cores"], figures.get("steps_per_call", 0), figures.get("size", 0)))
    status = "not installed" if not baseline.installed else "measured" if results else "failed"
    versions = baseline.versions if baseline.installed else {}
    return {"name": name, "title": baseline.title, "status": status, "pip": baseline.pip, "versions": versions, "results": results}


def _sizes_and_starts(games: list[dict[str, Any]], cold: bool, failures: list[dict[str, str]], watch: Watch) -> None:
    """Add memory and start-up times, measured in fresh processes. Kernels are compiled by now, so starts are warm."""
    defaults = [game for game in games if not game["options"]]  # options do not change what is compiled
    watch.stage("memory and start", len(games) * (1 + WARM_STARTS) + len(defaults) * cold)
    for game in games:
        facts = {"game": game["game"], "options": game["options"]}
        try:
            memory = ask_fresh("memory", **facts, size=MEMORY_SIZE)
            watch.tick()
            resident = memory["resident_bytes"]
            game["record_bytes"] = memory["record_bytes"]
            game["array_mb"] = memory["array_bytes"] / MEGA
            game["resident_mb"] = None if resident is None else resident / MEGA
            starts = []
            for _ in range(WARM_STARTS):
                starts.append(ask_fresh("start", **facts))
                watch.tick()
            game["warm_seconds"] = statistics.median(start["seconds"] for start in starts)
            game["warm_cpu_seconds"] = statistics.median(start["cpu_seconds"] for start in starts)
            game["cold_seconds"] = game["cold_cpu_seconds"] = None
            if cold and game in defaults:
                with tempfile.TemporaryDirectory() as empty:
                    start = ask_fresh("start", **facts, cache=empty)
                game["cold_seconds"], game["cold_cpu_seconds"] = start["seconds"], start["cpu_seconds"]
                watch.tick()
        except ProcessError as error:
            failures.append({"subject": game["label"], "error": str(error)})


def best(figures: Iterable[Figures], by: str = "steps_per_second") -> Figures | None:
    """Return the fastest, by its median."""
    return max(figures, key=lambda one: one[by], default=None)


def pick(figures: Iterable[Figures], **wanted: Any) -> list[Figures]:
    """Return the figures that have these values."""
    return [one for one in figures if all(one.get(name) == value for name, value in wanted.items())]


def ratios(games: list[Figures], baselines: list[Figures]) -> list[Figures]:
    """Compare each game's default options with the others, each at its best size. A batch makes one step per call unless said otherwise."""
    theirs = {baseline["name"]: baseline["results"] for baseline in baselines}
    pettingzoo, openspiel, pgx = (theirs.get(name, []) for name in ("pettingzoo", "openspiel", "pgx"))
    raw, wrapped = (pick(pettingzoo, wrapped=wrapped, choice="mask") for wrapped in (False, True))
    found = []
    for game in games:
        if game["options"]:
            continue
        aims = _aims_at(game)
        one, two = (pick(game["batch"], cores=cores, steps_per_call=1) for cores in (1, 2))
        aec, aec_space = (pick(game["aec"], choice=choice) for choice in ("mask", "space"))
        raw_space = pick(pettingzoo, wrapped=False, choice="space")
        lines = [
            ("batch, two cores / one core", two, one, aims and aims.two_cores),
            ("batch, one core / PettingZoo raw connect_four", one, raw, aims and aims.times_pettingzoo),
            ("batch, one core / PettingZoo wrapped connect_four", one, wrapped, None),
            *_against_pgx(game["batch"], pgx, aims and aims.times_pgx),
            ("batch, one core / OpenSpiel connect_four", one, pick(openspiel, name="connect_four"), None),
            ("batch, one core / OpenSpiel gin_rummy", one, pick(openspiel, name="gin_rummy"), None),
            ("AEC loop / PettingZoo raw connect_four", aec, raw, aims and aims.aec_times_pettingzoo),
            ("AEC loop / PettingZoo wrapped connect_four", aec, wrapped, None),
            ("AEC loop / PettingZoo raw connect_four, both action_space.sample(mask)", aec_space, raw_space, None),
        ]
        found += [_ratio(game["label"], *line) for line in lines if line[1] and line[2]]
    return found


def _against_pgx(ours: list[Figures], theirs: list[Figures], aim: float | None) -> Iterator[Line]:
    """The same steps per call on one core; then the best of each."""
    one_core = [{steps: pick(figures, cores=1, steps_per_call=steps) for steps in STEPS_PER_CALL} for figures in (ours, theirs)]
    fewest, most = STEPS_PER_CALL[0], STEPS_PER_CALL[-1]
    for steps in STEPS_PER_CALL:
        yield f"batch / Pgx connect_four, one core, {steps_per_call(steps)} each", one_core[0][steps], one_core[1][steps], aim
    name = f"batch, {steps_per_call(fewest)} / Pgx connect_four, {steps_per_call(most)}, one core"
    yield name, one_core[0][fewest], one_core[1][most], None
    yield "batch, best / Pgx connect_four, best", ours, theirs, None


def steps_per_call(count: int) -> str:
    """Return the label for a number of steps per call."""
    return "1 step per call" if count == 1 else f"{count} steps per call"


def _ratio(label: str, name: str, ours: list[Figures], theirs: list[Figures], aim: float | None) -> Figures:
    """The median of the rounds' ratios, since both play close in time.

    `cpu_value` is the same by CPU time, where all use one core: the one to trust on a machine that has other work.
    """
    our_best, their_best = best(ours), best(theirs)
    assert our_best is not None and their_best is not None
    value = median_ratio(our_best["rounds"], their_best["rounds"])
    cpu_value = None
    if all(one["cores"] == 1 for one in ours + theirs):
        our_cpu, their_cpu = best(ours, "steps_per_cpu_second"), best(theirs, "steps_per_cpu_second")
        assert our_cpu is not None and their_cpu is not None
        cpu_value = median_ratio(our_cpu["cpu_rounds"], their_cpu["cpu_rounds"])
    return {
        "label": label,
        "ratio": name,
        "ours": our_best["steps_per_second"],
        "theirs": their_best["steps_per_second"],
        "value": value,
        "cpu_value": cpu_value,
        "aim": aim,
        "met": None if aim is None else value >= aim,
    }


def median_ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median of the ratios round by round."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def aims_of(game: Figures) -> list[Figures]:
    """Return the figures of one game that may have an aim; those not measured are left out."""
    aims = _aims_at(game)
    one = pick(game["batch"], cores=1, steps_per_call=1)
    fastest, fastest_cpu = best(one), best(one, "steps_per_cpu_second")
    memory = game.get("resident_mb") or game.get("array_mb")
    lines = [
        (
            "batch steps/s, one core, 1 step per call, best size",
            fastest and fastest["steps_per_second"],
            aims and aims.steps_per_second,
            True,
        ),
        ("the same by CPU time", fastest_cpu and fastest_cpu["steps_per_cpu_second"], aims and aims.steps_per_second, True),
        ("bytes per record", game.get("record_bytes"), aims and aims.record_bytes, False),
        (f"MB of {MEMORY_SIZE} games", memory, aims and aims.memory_mb, False),
        ("warm start, seconds", game.get("warm_seconds"), aims and aims.warm_seconds, False),
        ("the same by CPU time", game.get("warm_cpu_seconds"), aims and aims.warm_seconds, False),
        ("cold compile and start, seconds", game.get("cold_seconds"), aims and aims.cold_seconds, False),
        ("the same by CPU time", game.get("cold_cpu_seconds"), aims and aims.cold_seconds, False),
    ]
    return [
        {
            "label": game["label"],
            "figure": figure,
            "value": value,
            "aim": aim,
            "at_least": at_least,
            "met": None if aim is None else (value >= aim if at_least else value < aim),
        }
        for figure, value, aim, at_least in lines
        if value is not None
    ]
