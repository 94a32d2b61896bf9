"""Reading a results folder that another process may be writing: without its lock, without its agents, and as far as it has come."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tradewinds.envs as tw
from tradewinds.envs.core.api.errors import FormatError
from tradewinds.envs.core.io.parse import is_integer, parse_json, read_bytes
from tradewinds.training.evaluation.evaluate import Evaluation, Tournament, summarize_evaluation, summarize_tournament
from tradewinds.training.evaluation.results import Results, concatenate, parse_line, results_of_chunk
from tradewinds.training.evaluation.runner import FORMAT, FolderError, ScheduleResults
from tradewinds.training.evaluation.schedule import Match, Schedule, pairs

MOST_SETTINGS = 1 << 20  # bytes
MOST_AGENTS = 64
MOST_CHUNKS = 1_000_000
MOST_GAMES = 10_000_000
WRONG = (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError)


@dataclass(frozen=True)
class FolderContent:
    """What a results folder holds.

    Attributes:
        schedule: All that is to be played.
        games: Games per match that all matches have played, which is what the summary is of.
        summary: The figures so far; None as long as a match has no games.
        notes: What was left out, and why, a line each.
    """

    schedule: Schedule
    games: int
    summary: Evaluation | Tournament | None
    notes: list[str]


def read_folder(path: Path) -> FolderContent:
    """Read the settings and the results of a folder.

    Raises:
        FolderError: Its settings cannot be read, or are none that this version knows.
        OSError: A file cannot be read.
    """
    schedule = read_schedule(path)
    done, notes = _read_results(path / "results.jsonl", schedule)
    whole, blocks = len(schedule.matches), schedule.chunks
    starts = sorted({chunk.first for chunk in blocks})
    complete = 0  # chunks; matches take turns, so these are the same games of all matches
    while complete < len(starts) and all(complete * whole + match in done for match in range(whole)):
        complete += 1
    games = 0 if complete == 0 else blocks[complete * whole - 1].last
    if games == 0:
        return FolderContent(schedule, 0, None, notes)
    played = _schedule(schedule.variant, schedule.names, schedule.matches, games, schedule.seed, schedule.time_limit, blocks[0].last)
    results = [concatenate([done[number * whole + match] for number in range(complete)]) for match in range(whole)]
    replays = _replays(path, played, results)
    run = ScheduleResults(results, 0.0, 0, [], replays)
    summary = summarize_evaluation(played, run) if whole == 1 else summarize_tournament(played, run)
    return FolderContent(schedule, games, summary, notes)


def read_schedule(path: Path) -> Schedule:
    """The schedule of a results folder. It has no agents: nothing that the folder names is loaded.

    Raises:
        FolderError: settings.json is damaged or of another format.
    """
    file = path / "settings.json"
    try:
        found = parse_json(read_bytes(file, "settings.json", MOST_SETTINGS), "settings.json")
        if found["format"] != FORMAT:
            raise FolderError(f"settings.json has format {found['format']!r}; this version reads format {FORMAT}")
        variant = tw.game(found["game"]).with_options(**found["options"])
        names = tuple(found["agents"])
        matches = tuple(Match(match[0], tuple(match[1:])) for match in found["matches"])
        sizes = (found["games"], found["chunk"])
        is_sound = (
            1 < len(names) <= MOST_AGENTS
            and all(isinstance(name, str) and name.isprintable() for name in names)
            and 0 < len(matches) <= MOST_AGENTS**2
            and all(match.field and all(is_integer(agent, 0, len(names) - 1) for agent in (match.agent, *match.field)) for match in matches)
            and (_is_evaluation(matches, len(names)) or list(matches) == pairs(len(names)))
            and all(is_integer(size, 1, MOST_GAMES) and size % variant.players == 0 for size in sizes)
            and -(-found["games"] // found["chunk"]) * len(matches) <= MOST_CHUNKS
            and is_integer(found["seed"], 0, 2**64 - 1)
        )
    except FolderError:
        raise
    except WRONG as error:
        raise FolderError(f"settings.json cannot be read: {error or type(error).__name__}") from None
    if not is_sound:
        raise FolderError("settings.json is not that of an evaluation or a tournament")
    return _schedule(variant, names, matches, found["games"], found["seed"], None, found["chunk"])


def _is_evaluation(matches: Sequence[Match], agents: int) -> bool:
    """Whether it is one match of the first agent against all others."""
    return len(matches) == 1 and matches[0].agent == 0 and set(matches[0].field) == set(range(1, agents))


def _schedule(variant: Any, names: Any, matches: Any, games: int, seed: int, time_limit: float | None, size: int) -> Schedule:
    schedule = Schedule(variant, names, names, matches, games, seed, time_limit)
    # How games are cut into chunks depends on the agents, which are not loaded; the settings say it.
    schedule.__dict__["chunks"] = schedule.cut(size)
    return schedule


def _read_results(path: Path, schedule: Schedule) -> tuple[dict[int, Results], list[str]]:
    done, damaged = {}, []
    lines = read_bytes(path, "results.jsonl").split(b"\n")[:-1] if path.exists() else []  # the last may be unfinished
    for number, line in enumerate(lines, 1):
        try:
            row = parse_line(line)
            done[row["chunk"]] = results_of_chunk(schedule, row)
        except FormatError:
            damaged.append(number)
    if not damaged:
        return done, []
    listed = ", ".join(map(str, damaged[:5])) + (" and more" if len(damaged) > 5 else "")
    return done, [f"line {listed} of results.jsonl is damaged and was left out"]


def _replays(path: Path, schedule: Schedule, results: list[Results]) -> dict[tuple[int, int], str]:
    """The replays of failures that are in the folder."""
    failed = {(match, failure.game) for match, of_match in enumerate(results) for failure in of_match.failures}
    found = {}
    for file in sorted((path / "failures").glob(f"{schedule.variant.game.name}-*.jsonl")):
        numbers = re.search(r"-match(\d{1,9})-game(\d{1,9})\.jsonl$", file.name, re.ASCII)
        if numbers and (key := (int(numbers[1]), int(numbers[2]))) in failed:
            found.setdefault(key, str(file))
    return found
