"""Result files of the benchmark: their text, and the check of a file that somebody else has made."""

import json
import math
import re
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from tradewinds.agents.registry import AgentError, check_named_in_file
from tradewinds.envs.core.api.errors import FormatError, OutsideError
from tradewinds.envs.core.io.parse import is_integer, parse_json, read_bytes

from ..evaluation.arena import AgentRunner, forfeit, play_games
from ..evaluation.results import Failure, Results
from ..evaluation.schedule import rotated
from .suites import FORMAT, VERSION, BenchmarkTask, checksum, describe, score, tasks

LONGEST_CODE = 300  # characters of an agent, which become a cell of a Markdown table
REPLAYED = 24  # games that `verify` plays again
KEYS = {"format", "suite", "version", "agent", "score", "ci95", "set_ups", "tasks", "failures", "provenance", "checksum"}


class ResultError(OutsideError):
    """A result file that is not accepted; the message says why."""


class OtherVersionError(ResultError):
    """A result of another version of the benchmark."""


def text_of(result: dict[str, Any]) -> str:
    """The text of a result file: readable above, with one line per list of games."""
    text = json.dumps(result, indent=1, ensure_ascii=False)
    return re.sub(r"\[[^\[\]{}]*\]|\[(?:\s*\[[^\[\]{}]*\],?)*\s*\]", lambda found: re.sub(r"\s+", " ", found[0]), text) + "\n"


def read(path: Path, scored: bool = True) -> dict[str, Any]:
    """Read a result file and check everything that needs no play: its checksum, its tasks, and the figures that follow from its games.

    Args:
        path: The result file.
        scored: Whether its scores must be those that the reference values of this package give.

    Returns:
        The content of the file.

    Raises:
        OSError: It cannot be read.
        ResultError: It is not a result of this version of the benchmark, or was changed.
    """
    try:
        result = parse_json(read_bytes(path, str(path)), str(path))
    except FormatError as error:
        raise ResultError(str(error)) from None
    if not isinstance(result, dict) or not str(result.get("format", "")).startswith("tradewinds benchmark "):
        raise ResultError(f"{path} is not a result of the benchmark")
    if result["format"] != FORMAT or result.get("version") != VERSION:
        there = f"{result['format']!r}, version {result.get('version')!r}"
        raise OtherVersionError(f"{path} is of another version of the benchmark ({there}; this one is {FORMAT!r}, version {VERSION})")
    if set(result) != KEYS or checksum(result) != result["checksum"]:
        raise ResultError(f"{path} was changed: its checksum does not match its content")
    try:
        _check_figures(result, scored)
    except ResultError as error:
        raise ResultError(f"{path} is not valid: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise ResultError(f"{path} is not valid: {type(error).__name__}: {error}") from None
    return result


def _check_figures(result: dict[str, Any], scored: bool) -> None:
    expected = tasks(result["suite"])
    agent = result["agent"]
    if not isinstance(agent, str) or not agent.isprintable() or len(agent) > LONGEST_CODE or set(agent) & set("`|"):
        raise ResultError(f"its agent is not a code of at most {LONGEST_CODE} printable characters without ` and |")
    if not isinstance(result["provenance"], dict):
        raise ResultError("its provenance is not an object")
    if [task.id for task in expected] != [task["task"] for task in result["tasks"]]:
        raise ResultError("its tasks are not those of the suite; a game may be of another version")
    for task, said in zip(expected, result["tasks"], strict=True):
        found = describe(task, _results_of(task, said))
        for name in ("games", "seeds", "seats", "win_rate", "ci95", "mean_margin", "failures"):
            if not _is_close(found[name], said[name]):
                raise ResultError(f"{name} of {task.id} does not follow from its games")
    if result["failures"] != sum(len(task["failures"]) for task in result["tasks"]):
        raise ResultError("its number of failures is not that of its tasks")
    for name, value in score(result["tasks"], result["suite"]).items() if scored else ():
        if not _is_close(value, result[name]):
            raise ResultError(f"its {name} does not follow from its win rates")


def _results_of(task: BenchmarkTask, said: dict[str, Any]) -> Results:
    """The games of a task, if they can be results of games at all."""
    shape = (task.games, task.options["players"])
    scores, ranks, lengths = np.array(said["scores"], np.int32), np.array(said["ranks"], np.int32), np.array(said["lengths"], np.int64)
    digests = np.array([int(digest, 16) for digest in said["actions"]], np.uint64)
    if (scores.shape, ranks.shape, lengths.shape, digests.shape) != (shape, shape, shape[:1], shape[:1]):
        raise ResultError(f"{task.id} has {len(said['scores'])} games instead of {task.games}")
    seats = rotated(shape[1], task.games)
    expected = 1 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2)  # ties may be broken, which gives some of them a later rank
    lowest = shape[1] - (scores[:, :, None] > scores[:, None, :]).sum(axis=2)
    for failure in said["failures"]:
        if not is_integer(failure["game"], 0, task.games - 1) or failure["seat"] != int((seats[failure["game"]] == 0).argmax()):
            raise ResultError(f"{task.id} has a failure in a game or seat that the agent does not have")
        if not (isinstance(failure["kind"], str) and isinstance(failure["reason"], str)):
            raise ResultError(f"{task.id} has a failure without a reason")
        expected[failure["game"]] = lowest[failure["game"]] = forfeit(seats[failure["game"]], failure["seat"])
    if (ranks.min(axis=1) != 1).any() or (ranks < expected).any() or (ranks > lowest).any():
        raise ResultError(f"{task.id} has ranks that no game gives")
    failures = tuple(Failure(f["game"], f["seat"], 0, f["kind"], f["reason"], np.zeros(0, np.int16)) for f in said["failures"])
    return Results(scores, ranks, lengths, np.zeros(task.games, bool), np.zeros((2, 3)), failures, digests)


def _is_close(found: Any, said: Any) -> bool:
    if isinstance(found, dict):
        return isinstance(said, dict) and found.keys() == said.keys() and all(_is_close(found[key], said[key]) for key in found)
    if isinstance(found, list):
        return isinstance(said, list) and len(found) == len(said) and all(map(_is_close, found, said))
    if isinstance(found, float):
        return isinstance(said, (int, float)) and math.isclose(found, said, rel_tol=1e-9, abs_tol=1e-9)
    return found == said


def verify(
    path: Path,
    agent: str | None = None,
    replayed: int = REPLAYED,
    on_progress: Callable[[int, int], None] = lambda done, count: None,
) -> dict[str, Any]:
    """Check a result file: everything that `read` checks, then play some of its games again, action by action.

    The hash of the file chooses the games, so nobody who makes a file can know which will be played before it is complete. Games that the
    agent lost by a failure are not chosen.

    Args:
        path: The result file.
        agent: The agent's code, if it is not one that comes with Tradewinds: a file may not name code that is run. By default the file's.
        replayed: How many games to play again.
        on_progress: Called with the number of games played so far, and of all.

    Returns:
        The content of the file.

    Raises:
        OSError: The file cannot be read.
        ResultError: It is not accepted; the message says why.
    """
    result = read(path)
    if agent is None:
        try:
            check_named_in_file(result["agent"], path)
        except AgentError:
            raise ResultError(
                f"{path} is of the agent {result['agent']!r}, which is not part of Tradewinds: name it with --agent to replay its games"
            ) from None
    elif agent != result["agent"]:
        raise ResultError(f"{path} is of the agent {result['agent']!r}, not of {agent!r}")
    by_id = {task.id: task for task in tasks(result["suite"])}
    chosen = _choose(result, replayed)
    count, done = sum(map(len, chosen.values())), 0
    for at, games in chosen.items():
        on_progress(done, count)
        _replay(path, result["agent"], by_id[result["tasks"][at]["task"]], result["tasks"][at], games)
        done += len(games)
    on_progress(count, count)
    return result


def _replay(path: Path, agent: str, task: BenchmarkTask, said: dict[str, Any], games: list[int]) -> None:
    try:
        schedule = task.schedule(agent)
    except ValueError as error:
        raise ResultError(f"{path} cannot be replayed: {error}") from None
    seats = schedule.seat_assignments(0)[games]
    runner = AgentRunner(schedule.built)
    found = play_games(schedule.variant, schedule.built, seats, schedule.seeds[games], schedule.agent_seeds[games], runner, record=True)
    failed = {failure.game: failure.reason for failure in found.failures}
    assert found.digests is not None
    for row, game in enumerate(games):
        where = f"{path}: game {game} of {task.id} does not replay"
        if row in failed:
            raise ResultError(f"{where}: {agent} failed: {failed[row]}")
        here = {"scores": found.scores[row].tolist(), "ranks": found.ranks[row].tolist(), "lengths": int(found.lengths[row])}
        for name, value in {**here, "actions": f"{int(found.digests[row]):016x}"}.items():
            if value != said[name][game]:
                raise ResultError(f"{where}: {name} {value} here and {said[name][game]} there")


def _choose(result: dict[str, Any], count: int) -> dict[int, list[int]]:
    """Games to replay by task, chosen by the checksum of the file: tasks in turn, so that each game and opponent is among them."""
    rng = np.random.default_rng(int(result["checksum"], 16))
    pools = []
    for at in rng.permutation(len(result["tasks"])).tolist():
        task = result["tasks"][at]
        failed = {failure["game"] for failure in task["failures"]}
        pools.append([(at, game) for game in rng.permutation(task["games"]).tolist() if game not in failed])
    chosen: dict[int, list[int]] = {}
    for at, game in [pick for picks in zip_longest(*pools) for pick in picks if pick is not None][:count]:
        chosen.setdefault(at, []).append(game)
    return chosen
