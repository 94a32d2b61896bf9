"""Writes that fail at any point leave the old content or the new, whole."""

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.io import atomic
from tradewinds.training.evaluation.evaluate import schedule_evaluation
from tradewinds.training.evaluation.runner import FolderError, ResultsFolder, run_schedule

GAME = "santiago_de_cuba"


class Disk:
    """Fails the n-th write, sync, truncation or rename; a write that fails has written half."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fail_at: int) -> None:
        self.calls, self.fail_at = 0, fail_at
        for name in ("fsync", "replace", "rename"):
            monkeypatch.setattr(os, name, self._failing(getattr(os, name)))
        monkeypatch.setattr(io, "open", self._open(io.open))
        monkeypatch.setattr(builtins, "open", self._open(builtins.open))

    def _failing(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **more: Any) -> Any:
            self.count()
            return call(*arguments, **more)

        return wrapped

    def _open(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Any, mode: str = "r", *arguments: Any, **more: Any) -> Any:
            file = call(path, mode, *arguments, **more)
            return Written(file, self) if "b" in mode and any(letter in mode for letter in "wa") else file

        return opened

    def count(self) -> None:
        self.calls += 1
        if self.calls == self.fail_at:
            raise OSError(errno.ENOSPC, "No space left on device")


class Written:
    """A file that is written to, on such a disk."""

    def __init__(self, file: Any, disk: Disk) -> None:
        self._file, self._disk = file, disk

    def write(self, data: bytes) -> int:
        try:
            self._disk.count()
        except OSError:
            self._file.write(data[: len(data) // 2])
            raise
        return self._file.write(data)

    def __enter__(self) -> "Written":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def failing(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any], first: int = 1, step: int = 1
) -> Iterator[tuple[int, Exception | None]]:
    """Act again and again, with the first, second, ... operation failing, until none fails."""
    for number in range(first, 1000, step):
        with monkeypatch.context() as patched:
            disk = Disk(patched, number)
            error: Exception | None = None
            try:
                act()
            except Exception as raised:
                error = raised
        yield number, error
        if disk.calls < number:
            return
    raise AssertionError("too many writes")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_holds_the_old_content_or_the_new_whichever_write_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, errors = tmp_path / "file", 0
    atomic.write_file(file, b"old content")
    for _, error in failing(monkeypatch, lambda: atomic.write_file(file, b"new content")):
        assert file.read_bytes() in (b"old content", b"new content") and names(tmp_path) == ["file"]
        assert error is None or "No space left" in str(error)
        errors += error is not None
        atomic.write_file(file, b"old content")
    assert errors >= 3


def test_a_folder_is_complete_or_absent_whichever_write_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = iter(range(100))

    def act() -> None:
        atomic.write_folder(tmp_path / f"folder-{next(number)}", lambda folder: atomic.write_file(folder / "file", b"content"))

    failed = 0
    for _, error in failing(monkeypatch, act):
        failed += error is not None
        for folder in tmp_path.iterdir():
            assert not folder.name.startswith(".") and (folder / "file").read_bytes() == b"content"
    assert failed >= 5


def test_a_replay_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = tw.make(GAME, players=2)
    env.reset(seed=1)
    file = tmp_path / "game.jsonl"
    old = tw.Replay.of(env)
    old.save(file)
    env.step(env.legal_actions()[0])
    new = tw.Replay.of(env)
    failed = 0
    for _, error in failing(monkeypatch, lambda: new.save(file)):
        assert len(tw.load_replay(file).moves) in (0, 1) and names(tmp_path) == ["game.jsonl"]
        failed += error is not None
        old.save(file)
    assert failed >= 3


@pytest.mark.slow
def test_results_of_an_evaluation_are_never_lost_and_the_same_command_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = schedule_evaluation(GAME, "tests.training.players:Last", "tests.training.players:first_legal", 2, 1, None, {"players": 2})
    whole = run_schedule(schedule, 0).matches[0]
    number, said = iter(range(100)), []

    def act() -> None:
        run_schedule(schedule, 0, tmp_path / f"run-{next(number)}")

    for at, error in failing(monkeypatch, act):
        assert error is None or isinstance(error, FolderError), "a clear error, never a traceback"
        said.append(error)
        again = run_schedule(schedule, 0, tmp_path / f"run-{at - 1}").matches[0]
        assert again.scores.tolist() == whole.scores.tolist() and again.lengths.tolist() == whole.lengths.tolist()
    assert sum(error is not None for error in said) >= 3


def test_a_line_that_was_cut_by_a_full_disk_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lines"
    atomic.append_line(file, b"first\n")
    for _, error in failing(monkeypatch, lambda: atomic.append_line(file, b"second\n")):
        assert file.read_bytes() == (b"first\n" if error else b"first\nsecond\n")


def test_a_changed_byte_in_the_results_is_noticed(tmp_path: Path) -> None:
    store = ResultsFolder(tmp_path, {"seed": 1})
    store.append({"chunk": 0, "scores": [[10, 20]]})
    store.close()
    file = tmp_path / "results.jsonl"
    file.write_bytes(file.read_bytes().replace(b"20", b"21"))
    with pytest.raises(FolderError, match=r"line 1 of .* is damaged"):
        ResultsFolder(tmp_path, {"seed": 1})
