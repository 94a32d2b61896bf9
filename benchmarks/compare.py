"""What the figures say: ours against theirs, and against what is aimed at."""

import statistics
from collections.abc import Iterable
from typing import Any

from .rows import AIMS, MEMORY_SIZE

Figures = dict[str, Any]


def best(figures: Iterable[Figures]) -> Figures | None:
    """The fastest, by its median."""
    return max(figures, key=lambda one: one["steps_per_second"], default=None)


def pick(figures: Iterable[Figures], **wanted: Any) -> list[Figures]:
    return [one for one in figures if all(one.get(name) == value for name, value in wanted.items())]


def ratios(games: list[Figures], baselines: list[Figures]) -> list[Figures]:
    """Each game's default options against the others, as the median of the rounds' ratios, since rivals play close in time.

    `cpu_value` is the same by processor time, where both use one core: on a machine with other work this is the truer one.
    """
    theirs = {baseline["name"]: baseline["results"] for baseline in baselines}
    pettingzoo, openspiel = theirs.get("pettingzoo", []), theirs.get("openspiel", [])
    raw = best(pick(pettingzoo, wrapped=False, choice="mask"))
    found = []
    for game in games:
        if game["options"]:
            continue
        aims = AIMS.get(game["game"])
        one = best(pick(game["batch"], cores=1))
        two = best(pick(game["batch"], cores=2))
        aec = best(pick(game["aec"], choice="mask"))
        aec_space = best(pick(game["aec"], choice="space"))
        lines = [
            ("batch, two cores / one core", two, one, aims and aims.two_cores),
            ("batch, one core / PettingZoo raw connect_four", one, raw, aims and aims.times_pettingzoo),
            ("batch, one core / PettingZoo wrapped connect_four", one, best(pick(pettingzoo, wrapped=True)), None),
            ("batch, one core / Pgx connect_four, one core", one, best(pick(theirs.get("pgx", []), cores=1)), aims and aims.times_pgx),
            ("batch, best / Pgx connect_four, best", best(game["batch"]), best(theirs.get("pgx", [])), None),
            ("batch, one core / OpenSpiel connect_four", one, best(pick(openspiel, name="connect_four")), None),
            ("batch, one core / OpenSpiel gin_rummy", one, best(pick(openspiel, name="gin_rummy")), None),
            ("AEC loop / PettingZoo raw connect_four", aec, raw, aims and aims.aec_times_pettingzoo),
            ("AEC loop / PettingZoo wrapped connect_four", aec, best(pick(pettingzoo, wrapped=True)), None),
            (
                "AEC loop / PettingZoo raw connect_four, both with action_space.sample(mask)",
                aec_space,
                best(pick(pettingzoo, wrapped=False, choice="space")),
                None,
            ),
        ]
        found += [_ratio(game["label"], *line) for line in lines if line[1] and line[2]]
    return found


def _ratio(label: str, name: str, ours: Figures, theirs: Figures, aim: float | None) -> Figures:
    value = _median_ratio(ours["rounds"], theirs["rounds"])
    both_one = ours["cores"] == theirs["cores"] == 1
    return {
        "label": label,
        "ratio": name,
        "ours": ours["steps_per_second"],
        "theirs": theirs["steps_per_second"],
        "value": value,
        "cpu_value": _median_ratio(ours["cpu_rounds"], theirs["cpu_rounds"]) if both_one else None,
        "aim": aim,
        "met": None if aim is None else value >= aim,
    }


def _median_ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def judge(game: Figures) -> list[Figures]:
    """The figures of one game that have an aim of their own; those not measured are left out."""
    aims = AIMS.get(game["game"])
    one = best(pick(game["batch"], cores=1))
    memory = game.get("resident_mb") or game.get("array_mb")
    lines = [
        ("batch steps/s, one core, best size", one and one["steps_per_second"], aims and aims.steps_per_second, True),
        ("bytes a record", game.get("record_bytes"), aims and aims.record_bytes, False),
        (f"MB of {MEMORY_SIZE} games", memory, aims and aims.memory_mb, False),
        ("warm start, seconds", game.get("warm_seconds"), aims and aims.warm_seconds, False),
        ("cold compile and start, seconds", game.get("cold_seconds"), aims and aims.cold_seconds, False),
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
