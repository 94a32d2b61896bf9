"""What the figures say: ours against theirs, and against what is aimed at."""

import statistics
from collections.abc import Iterable, Iterator
from typing import Any

from .contest import STEPS_A_CALL
from .rows import AIMS, MEMORY_SIZE

Figures = dict[str, Any]
Line = tuple[str, list[Figures], list[Figures], float | None]  # the name of a ratio, ours, theirs, the aim


def best(figures: Iterable[Figures], by: str = "steps_per_second") -> Figures | None:
    """The fastest, by its median."""
    return max(figures, key=lambda one: one[by], default=None)


def pick(figures: Iterable[Figures], **wanted: Any) -> list[Figures]:
    return [one for one in figures if all(one.get(name) == value for name, value in wanted.items())]


def ratios(games: list[Figures], baselines: list[Figures]) -> list[Figures]:
    """Each game's default options against the others, each at its best size. A batch makes one step a call where nothing else is said."""
    theirs = {baseline["name"]: baseline["results"] for baseline in baselines}
    pettingzoo, openspiel, pgx = (theirs.get(name, []) for name in ("pettingzoo", "openspiel", "pgx"))
    raw, wrapped = (pick(pettingzoo, wrapped=wrapped, choice="mask") for wrapped in (False, True))
    found = []
    for game in games:
        if game["options"]:
            continue
        aims = AIMS.get(game["label"])
        one, two = (pick(game["batch"], cores=cores, steps_a_call=1) for cores in (1, 2))
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
    """Like with like, on one core; then the best that either can."""
    one_core = [{steps: pick(figures, cores=1, steps_a_call=steps) for steps in STEPS_A_CALL} for figures in (ours, theirs)]
    fewest, most = STEPS_A_CALL[0], STEPS_A_CALL[-1]
    for steps in STEPS_A_CALL:
        yield f"batch / Pgx connect_four, one core, {steps_a_call(steps)} each", one_core[0][steps], one_core[1][steps], aim
    name = f"batch, {steps_a_call(fewest)} / Pgx connect_four, {steps_a_call(most)}, one core"
    yield name, one_core[0][fewest], one_core[1][most], None
    yield "batch, best / Pgx connect_four, best", ours, theirs, None


def steps_a_call(count: int) -> str:
    return "1 step a call" if count == 1 else f"{count} steps a call"


def _ratio(label: str, name: str, ours: list[Figures], theirs: list[Figures], aim: float | None) -> Figures:
    """The median of the rounds' ratios, since rivals play close in time.

    `cpu_value` is the same by processor time, where all use one core: the truer one on a machine that has other work.
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
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def judge(game: Figures) -> list[Figures]:
    """The figures of one game that have an aim of their own; those not measured are left out."""
    aims = AIMS.get(game["label"])
    one = pick(game["batch"], cores=1, steps_a_call=1)
    fastest, fastest_cpu = best(one), best(one, "steps_per_cpu_second")
    memory = game.get("resident_mb") or game.get("array_mb")
    lines = [
        (
            "batch steps/s, one core, 1 step a call, best size",
            fastest and fastest["steps_per_second"],
            aims and aims.steps_per_second,
            True,
        ),
        ("the same by CPU time", fastest_cpu and fastest_cpu["steps_per_cpu_second"], aims and aims.steps_per_second, True),
        ("bytes a record", game.get("record_bytes"), aims and aims.record_bytes, False),
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
