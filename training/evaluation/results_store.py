"""The folder of a run that can be interrupted: its settings, and a line of JSON for each chunk of games that is done."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from .arena import Failure, Results

FORMAT = 1


class FolderError(ValueError):
    """A folder that cannot be used for this run; says why."""


class Folder:
    """`lines` holds what earlier sessions left. Lines are written whole: of a line that a kill cut off nothing is read."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = []
        self._results = path / "results.jsonl"
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path / ".lock")
            self._lock.acquire(timeout=0)
        except Timeout:
            raise FolderError(f"{path} is in use by another process") from None
        except OSError as error:
            raise FolderError(f"{path} cannot be used: {error.strerror}") from None
        try:
            self._check(settings)
            self._read()
        except BaseException:
            self._lock.release()
            raise

    def _check(self, settings: dict[str, Any]) -> None:
        """The settings of the folder are these, or there are none yet."""
        file = self.path / "settings.json"
        mine = json.loads(json.dumps({"format": FORMAT, **settings}))
        if not file.exists():
            if self._results.exists():
                raise FolderError(f"{self.path} has results but no settings.json: take another folder")
            unfinished = file.with_suffix(".new")
            unfinished.write_text(json.dumps(mine, indent=2) + "\n", encoding="utf-8")
            os.replace(unfinished, file)
            return
        try:
            theirs = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            raise FolderError(f"{file} cannot be read: take another folder") from None
        differ = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
        if differ:
            said = "; ".join(f"{name} is {json.dumps(theirs.get(name))} there and {json.dumps(mine.get(name))} here" for name in differ)
            raise FolderError(f"{self.path} holds results of other settings ({said}): take another folder, or delete it")

    def _read(self) -> None:
        if not self._results.exists():
            return
        data = self._results.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            with self._results.open("r+b") as file:
                file.truncate(whole)
        try:
            self.lines = [json.loads(line) for line in data[:whole].splitlines()]
        except ValueError:
            raise FolderError(f"{self._results} is damaged: take another folder, or delete it") from None

    def add(self, line: dict[str, Any]) -> None:
        self.lines.append(line)
        data = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        with self._results.open("ab", buffering=0) as file:
            file.write(data)
            os.fsync(file.fileno())

    def close(self) -> None:
        self._lock.release()


def to_json(results: Results) -> dict[str, Any]:
    return {
        "scores": results.scores.tolist(),
        "ranks": results.ranks.tolist(),
        "lengths": results.lengths.tolist(),
        "truncated": np.flatnonzero(results.truncated).tolist(),
        "times": [[None if np.isnan(value) else value for value in row] for row in results.times.tolist()],
        "failures": [[f.game, f.seat, f.agent, f.kind, f.reason, f.actions.tolist()] for f in results.failures],
    }


def from_json(line: dict[str, Any]) -> Results:
    truncated = np.zeros(len(line["lengths"]), bool)
    truncated[line["truncated"]] = True
    return Results(
        np.array(line["scores"], np.int32),
        np.array(line["ranks"], np.int32),
        np.array(line["lengths"], np.int64),
        truncated,
        np.array([[np.nan if value is None else value for value in row] for row in line["times"]]),
        tuple(
            Failure(game, seat, agent, kind, reason, np.array(actions, np.int16))
            for game, seat, agent, kind, reason, actions in line["failures"]
        ),
    )
