"""Writes that fail at any point leave the old content or the new, whole."""

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.io import atomic
from tradewinds.training.evaluation.evaluate import schedule_evaluation
from tradewinds.training.evaluation.runner import FolderError, ResultsFolder, run_schedule

GAME = "santiago_de_cuba"


class Disk:
    """Fails the n-th operation: creating a file or folder, write, sync or rename. A write that fails has written half.

    Args:
        monkeypatch: Undoes it all.
        fail_at: Which operation.
        stays_full: Whether all later ones fail too, but for renames, which need no space.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fail_at: int, stays_full: bool = False) -> None:
        self.calls, self.fail_at, self.stays_full = 0, fail_at, stays_full
        for name in ("fsync", "replace", "rename", "mkdir"):
            monkeypatch.setattr(os, name, self._failing(getattr(os, name), needs_space=name in ("fsync", "mkdir")))
        monkeypatch.setattr(io, "open", self._open(io.open))
        monkeypatch.setattr(builtins, "open", self._open(builtins.open))

    def _failing(self, call: Callable[..., Any], needs_space: bool) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **more: Any) -> Any:
            self.count(needs_space)
            return call(*arguments, **more)

        return wrapped

    def _open(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Any, mode: str = "r", *arguments: Any, **more: Any) -> Any:
            if not any(letter in mode for letter in "wax"):
                return call(path, mode, *arguments, **more)
            self.count()
            return Written(call(path, mode, *arguments, **more), self)

        return opened

    def count(self, needs_space: bool = True) -> None:
        self.calls += 1
        if self.calls == self.fail_at or (self.stays_full and needs_space and self.calls > self.fail_at):
            raise OSError(errno.ENOSPC, "No space left on device")


class Written:
    """A file that is written to, on such a disk."""

    def __init__(self, file: Any, disk: Disk) -> None:
        self._file, self._disk = file, disk

    def write(self, data: Any) -> int:
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


def failing(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any], modes: tuple[bool, ...] = (False, True)) -> Iterator[Exception | None]:
    """Act again and again, with the first, second, ... operation failing, once alone and once with all that follow, until none fails."""
    for number in range(1, 1000):
        for stays_full in modes:
            with monkeypatch.context() as patched:
                disk = Disk(patched, number, stays_full)
                error: Exception | None = None
                try:
                    act()
                except Exception as raised:
                    error = raised
            assert error is None or disk.calls >= number, f"it fails on a disk that is not full: {error!r}"
            yield error
        if disk.calls < number:
            return
    raise AssertionError("too many writes")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_holds_the_old_content_or_the_new_whichever_write_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, errors = tmp_path / "file", 0
    atomic.write_file(file, b"old content")
    for error in failing(monkeypatch, lambda: atomic.write_file(file, b"new content")):
        assert file.read_bytes() in (b"old content", b"new content") and names(tmp_path) == ["file"]
        assert error is None or (isinstance(error, OSError) and error.filename == str(file) and "No space left" in str(error))
        errors += error is not None
        atomic.write_file(file, b"old content")
    assert errors >= 10


def test_a_folder_is_complete_or_absent_whichever_write_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = iter(range(100))

    def act() -> None:
        atomic.write_folder(tmp_path / f"folder-{next(number)}", lambda folder: atomic.write_file(folder / "file", b"content"))

    failed = 0
    for error in failing(monkeypatch, act):
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
    for error in failing(monkeypatch, lambda: new.save(file)):
        assert len(tw.load_replay(file).moves) in (0, 1) and names(tmp_path) == ["game.jsonl"]
        failed += error is not None
        old.save(file)
    assert failed >= 3


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["players:Last", "hostile:Unprintable"])
def test_results_of_an_evaluation_are_never_lost_and_the_same_command_continues(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`Unprintable` loses its games, and their positions are kept as replays: if one cannot be written, a note says so."""
    schedule = schedule_evaluation(GAME, f"tests.training.{agent}", "tests.training.players:first_legal", 2, 1, None, {"players": 2})
    monkeypatch.chdir(tmp_path)
    whole = run_schedule(schedule, 0).matches[0]
    assert bool(whole.failures) == (agent != "players:Last")
    said: list[Exception | None] = []
    notes: list[str] = []

    def act() -> None:
        run_schedule(schedule, 0, tmp_path / f"run-{len(said)}", on_note=notes.append)

    for error in failing(monkeypatch, act):
        assert error is None or (isinstance(error, FolderError) and "No space left" in str(error)), "a clear error, never a traceback"
        folder = tmp_path / f"run-{len(said)}"
        again = run_schedule(schedule, 0, folder).matches[0]
        assert again.scores.tolist() == whole.scores.tolist() and again.lengths.tolist() == whole.lengths.tolist()
        assert not [path for path in folder.rglob("*") if "unfinished" in path.name]
        assert all(tw.load_replay(path) for path in (folder / "failures").glob("*"))
        said.append(error)
    assert sum(error is not None for error in said) >= 6
    assert agent == "players:Last" or sum("could not be written: No space left" in note for note in notes) >= 6


def test_a_line_that_was_cut_by_a_full_disk_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lines"
    for before in (b"", b"first\n"):
        file.write_bytes(before)
        failed = 0
        for error in failing(monkeypatch, lambda: atomic.append_line(file, b"second\n")):
            assert file.read_bytes() == (before if error else before + b"second\n")
            assert error is None or getattr(error, "filename", None) == str(file), "the message must name the file"
            failed += error is not None
            file.write_bytes(before)
        assert failed >= 6


def test_a_line_of_which_the_disk_takes_a_part_at_a_time_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Written.write
    monkeypatch.setattr(Written, "write", lambda file, data: write(file, data[:3]))
    disk = Disk(monkeypatch, fail_at=100)
    atomic.append_line(tmp_path / "lines", b"a long line\n")
    assert (tmp_path / "lines").read_bytes() == b"a long line\n" and disk.calls > 4


def test_threads_that_write_one_file_at_the_same_time_leave_one_of_their_contents(tmp_path: Path) -> None:
    contents = [letter * 200_000 for letter in (b"a", b"b", b"c", b"d")]
    for _ in range(5):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda data: atomic.write_file(tmp_path / "file", data), contents))
        assert (tmp_path / "file").read_bytes() in contents and names(tmp_path) == ["file"]


def test_a_changed_byte_in_the_results_is_noticed(tmp_path: Path) -> None:
    store = ResultsFolder(tmp_path, {"seed": 1})
    store.append({"chunk": 0, "scores": [[10, 20]]})
    store.close()
    file = tmp_path / "results.jsonl"
    file.write_bytes(file.read_bytes().replace(b"20", b"21"))
    with pytest.raises(FolderError, match=r"line 1 of .* is damaged"):
        ResultsFolder(tmp_path, {"seed": 1})


LOSS = {"kind": "died", "reason": "exit code 1", "agent": "random", "match": 0, "games": [0, 1]}
LINE_CHANGES: dict[str, Any] = {
    "scores of too few games": {"scores": [[1, 2]]},
    "a rank below 1": {"ranks": [[0, 1]] * 2},
    "a rank above the number of players": {"ranks": [[3, 1]] * 2},
    "text as lengths": {"lengths": ["a", "b"]},
    "a length below zero": {"lengths": [-1, 5]},
    "times of one agent": {"times": [[0.0, 0.0, None]]},
    "times that are text": {"times": [["a", "b", "c"]] * 2},
    "a game that is not there": {"truncated": [7]},
    "a chunk that is not there": {"chunk": 5},
    "a chunk that is no number": {"chunk": None},
    "a session that is a truth value": {"session": True},
    "a time that is not a number": {"at": float("nan")},
    "failures of nobody": {"failures": [[0, 0, 9, "error", "reason", []]]},
    "more failures than games": {"failures": [[0, 0, 0, "error", "reason", []]] * 3},
    "a reason that is a list": {"failures": [[0, 0, 0, "error", ["reason"], []]]},
    "actions that are nested": {"failures": [[0, 0, 0, "error", "reason", [[1]]]]},
    "losses that are a number": {"losses": 5},
    "no scores": {"scores": None},
    "a time without end": {"at": float("inf")},
    "a time of 400 digits": {"at": 10**400},
    "a time that is almost none": {"at": 5e-324},
    "a time that is a truth value": {"at": True},
    "a game without a winner": {"ranks": [[2, 2]] * 2},
    "scores with fractions": {"scores": [[1.5, 2]] * 2},
    "a length of 2**62": {"lengths": [2**62] * 2},
    "truncated truth values": {"truncated": [True]},
    "a game before the first": {"truncated": [-1]},
    "losses with a number that is none": {"losses": [{"kind": float("nan")}]},
    "a loss with control characters": {"losses": [{**LOSS, "reason": "\x1b[2J"}]},
    "a loss in another match": {"losses": [{**LOSS, "match": 1}]},
    "a loss by nobody": {"losses": [{**LOSS, "agent": "x"}]},
    "a loss in games that are not there": {"losses": [{**LOSS, "games": [0, 9]}]},
    "infinite seconds": {"times": [[float("inf"), 1.0, 1.0]] * 2},
    "seconds below zero": {"times": [[-1.0, 1.0, 1.0]] * 2},
    "seconds that are missing": {"times": [[None, 0.0, None]] * 2},
    "a slowest call that is missing": {"times": [[1.0, 1.0, None]] * 2},
    "a slowest call of an agent that was not asked": {"times": [[0.0, 0.0, 1.0]] * 2},
    "half a decision": {"times": [[1.0, 0.5, 1.0]] * 2},
    "points of three sources": {"points": [[[1, 2, 3]] * 2] * 2},
    "digests in another form": {"digests": ["1_0", "-f"]},
    "a failure of who sits elsewhere": {"failures": [[0, 0, 1, "error", "reason", []]]},
    "two failures in one game": {"failures": [[0, 0, 0, "error", "reason", []], [0, 1, 1, "error", "reason", []]]},
    "actions that are truth values": {"failures": [[0, 0, 0, "error", "reason", [True]]]},
}


@pytest.mark.parametrize("change", LINE_CHANGES.values(), ids=LINE_CHANGES)
def test_a_line_with_the_right_checksum_and_other_results_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    schedule = schedule_evaluation(GAME, "random", "random", 2, 1, None, {"players": 2})
    line = {"chunk": 0, "session": 0, "at": 0.0, "losses": [], "scores": [[1, 2]] * 2, "ranks": [[2, 1]] * 2, "lengths": [9] * 2}
    line |= {"truncated": [], "times": [[0.0, 0.0, None]] * 2, "digests": None, "failures": [[0, 0, 0, "error", "reason", []]]}
    line |= {"losses": [LOSS], "points": [[[1, 1]] * 2] * 2}
    for number, (said, refused) in enumerate(((line, False), ({**line, **change}, True))):
        store = ResultsFolder(tmp_path / str(number), schedule.settings())
        store.append(said)
        store.close()
        if refused:
            with pytest.raises(FolderError, match=r"line 1 of .*not those of these settings: \S"):
                run_schedule(schedule, 0, tmp_path / str(number))
        else:
            assert run_schedule(schedule, 0, tmp_path / str(number)).matches[0].scores.tolist() == line["scores"]
