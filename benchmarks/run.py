"""The whole measurement: contestants in turns, then memory and start-up. `run` returns plain figures, ready for JSON."""

import itertools
import json
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from . import machine
from .baselines import BASELINES
from .compare import judge, ratios
from .contest import STEPS_A_CALL, Spec
from .processes import ProcessError, WorkerProcess, ask_once
from .rows import MEMORY_SIZE, Row

WARM_STARTS = 3  # fresh processes, of which the median counts
MEGA = 1e6
TINY = 1e-9  # seconds; a round shorter than the processor clock's tick shows none at all


@dataclass(frozen=True)
class Settings:
    rows: tuple[Row, ...]
    seconds: float  # of one round
    rounds: int
    sizes: tuple[int, ...]
    baselines: tuple[str, ...]
    cold: bool


class Watch(Protocol):
    """Who is told how far the run is."""

    def stage(self, text: str, total: int) -> None: ...
    def tick(self) -> None: ...


@dataclass
class Entry:
    """A contestant at its worker, with what it has played."""

    spec: Spec
    worker: WorkerProcess
    number: int
    speeds: list[float] = field(default_factory=list)  # steps a second
    cpu_speeds: list[float] = field(default_factory=list)  # steps a second of processor time
    seconds: float = 0.0  # played in all

    def play(self, seconds: float) -> None:
        done = self.worker.ask("play", number=self.number, seconds=seconds)
        self.seconds += done["seconds"]
        self.speeds.append(done["steps"] / done["seconds"])
        self.cpu_speeds.append(done["steps"] / max(done["cpu_seconds"], TINY))

    @property
    def figures(self) -> dict[str, Any]:
        return {
            "cores": self.spec.cores,
            **self.spec.arguments,
            "steps_per_second": statistics.median(self.speeds),
            "rounds": self.speeds,
            "steps_per_cpu_second": statistics.median(self.cpu_speeds),
            "cpu_rounds": self.cpu_speeds,
        }


class Crew:
    """The workers: one for each kind of contestant and number of cores, started when first needed."""

    def __init__(self, cores: list[int]) -> None:
        self.cores = cores  # a worker takes the first ones
        self.workers: dict[tuple[str, int], WorkerProcess] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers.values():
            worker.close()

    def worker(self, kind: str, cores: int) -> WorkerProcess:
        if (kind, cores) not in self.workers:
            self.workers[kind, cores] = WorkerProcess(self.cores[:cores])
        return self.workers[kind, cores]

    def build(self, spec: Spec) -> Entry:
        worker = self.worker(spec.kind, spec.cores)
        return Entry(spec, worker, worker.ask("build", kind=spec.kind, arguments=spec.arguments)["number"])


def run(settings: Settings, watch: Watch) -> dict[str, Any]:
    """Measure everything. What failed is named in `failures`, and its figures are missing."""
    facts = machine.facts()
    cores = facts["cores"]
    failures: list[dict[str, str]] = []
    with Crew(machine.quiet_cores()) as crew:
        entries = build_all(list(_specs(settings, cores)), crew, failures, watch)
        lengths = {row.label: crew.worker("batch", 1).ask("length", game=row.game, options=dict(row.options)) for row in settings.rows}
        play_rounds(entries, settings, failures, watch)
    entries = [entry for entry in entries if entry.speeds]
    games = [_game(row, entries, lengths[row.label]["length"]) for row in settings.rows]
    _sizes_and_starts(games, settings.cold, failures, watch)
    baselines = [_baseline(name, entries) for name in settings.baselines]
    return {
        "tradewinds": machine.version("tradewinds"),
        "machine": facts,
        "settings": {"seconds": settings.seconds, "rounds": settings.rounds, "sizes": list(settings.sizes)},
        "games": games,
        "baselines": baselines,
        "ratios": ratios(games, baselines),
        "aims": [line for game in games for line in judge(game)],
        "failures": failures,
    }


def _specs(settings: Settings, cores: int) -> Iterator[Spec]:
    for row in settings.rows:
        facts = {"game": row.game, "options": dict(row.options)}
        for count in sorted({1, min(2, cores), cores}):
            for size in settings.sizes:
                for steps in STEPS_A_CALL:
                    yield Spec("batch", count, {**facts, "size": size, "threads": count, "steps_a_call": steps})
        for choice in ("mask", "space"):
            yield Spec("aec", 1, {**facts, "choice": choice})
    for name in settings.baselines:
        if BASELINES[name].installed:
            yield from BASELINES[name].specs(settings.sizes, cores)


def build_all(specs: list[Spec], crew: Crew, failures: list[dict[str, str]], watch: Watch) -> list[Entry]:
    """All contestants, those of different workers by turns, so that rivals play close to each other in time."""
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
    """Rounds there and back, so that a machine that grows slower or faster does so for all alike."""
    watch.stage("playing", settings.rounds * len(entries))
    failed: set[int] = set()
    for number in range(settings.rounds):
        for entry in entries if number % 2 == 0 else entries[::-1]:
            watch.tick()
            if id(entry) in failed:
                continue
            try:
                entry.play(settings.seconds)
            except ProcessError as error:
                failed.add(id(entry))
                entry.speeds.clear()
                failures.append(_failure(entry.spec, error))


def _failure(spec: Spec, error: ProcessError) -> dict[str, str]:
    arguments = ", ".join(f"{name}={value}" for name, value in spec.arguments.items())
    return {"contestant": f"{spec.kind} ({arguments}), cores={spec.cores}", "error": str(error)}


def _game(row: Row, entries: list[Entry], length: float) -> dict[str, Any]:
    own = [entry.figures for entry in entries if entry.spec.arguments.get("options") == row.options and _is_of(entry, row)]
    batch = [{**figures, "games_per_second": figures["steps_per_second"] / length} for figures in own if "size" in figures]
    batch.sort(key=lambda figures: (figures["cores"], figures["steps_a_call"], figures["size"]))
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
    results.sort(key=lambda figures: (figures["cores"], figures.get("steps_a_call", 0), figures.get("size", 0)))
    status = "not installed" if not baseline.installed else "measured" if results else "failed"
    versions = baseline.versions if baseline.installed else {}
    return {"name": name, "title": baseline.title, "status": status, "pip": baseline.pip, "versions": versions, "results": results}


def _sizes_and_starts(games: list[dict[str, Any]], cold: bool, failures: list[dict[str, str]], watch: Watch) -> None:
    """Adds to each game what only fresh processes can tell; kernels are compiled by now, so starts are warm."""
    defaults = [game for game in games if not game["options"]]  # options do not change what is compiled
    watch.stage("memory and start", len(games) * (1 + WARM_STARTS) + len(defaults) * cold)
    for game in games:
        facts = {"game": game["game"], "options": game["options"]}
        try:
            memory = ask_once("probe", "memory", json.dumps({**facts, "size": MEMORY_SIZE}))
            watch.tick()
            resident = memory["resident_bytes"]
            game["record_bytes"] = memory["record_bytes"]
            game["array_mb"] = memory["array_bytes"] / MEGA
            game["resident_mb"] = None if resident is None else resident / MEGA
            starts = []
            for _ in range(WARM_STARTS):
                starts.append(ask_once("probe", "start", json.dumps(facts)))
                watch.tick()
            game["warm_seconds"] = statistics.median(start["seconds"] for start in starts)
            game["warm_cpu_seconds"] = statistics.median(start["cpu_seconds"] for start in starts)
            game["cold_seconds"] = game["cold_cpu_seconds"] = None
            if cold and game in defaults:
                with tempfile.TemporaryDirectory() as empty:
                    start = ask_once("probe", "start", json.dumps(facts), TRADEWINDS_CACHE=empty)
                game["cold_seconds"], game["cold_cpu_seconds"] = start["seconds"], start["cpu_seconds"]
                watch.tick()
        except ProcessError as error:
            failures.append({"contestant": game["label"], "error": str(error)})
