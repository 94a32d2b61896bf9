"""Files and folders are complete or absent."""

import errno
import os
from pathlib import Path

import pytest

from tradewinds.envs.core.io import atomic


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    for data in (b"first", b"second"):
        atomic.write_file(tmp_path / "file", data)
        assert (tmp_path / "file").read_bytes() == data
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "disk full")

    atomic.write_file(tmp_path / "file", b"old")
    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(OSError, match="disk full"):
        atomic.write_file(tmp_path / "file", b"new")
    assert names(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"old"


def test_a_file_is_flushed_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (calls.append("fsync"), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda *paths: (calls.append("replace"), replace(*paths)))
    atomic.write_file(tmp_path / "file", b"data")
    assert calls[:2] == ["fsync", "replace"]


def test_unfinished_names_differ_between_processes(tmp_path: Path) -> None:
    seen: list[str] = []
    atomic.write_folder(tmp_path / "folder", lambda unfinished: seen.append(unfinished.name))
    assert str(os.getpid()) in seen[0] and seen[0].startswith(".")


def test_a_folder_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    def write(unfinished: Path) -> None:
        (unfinished / "inner").mkdir()
        (unfinished / "inner" / "file").write_bytes(b"data")
        assert not (tmp_path / "new" / "folder").exists()

    atomic.write_folder(tmp_path / "new" / "folder", write)
    assert (tmp_path / "new" / "folder" / "inner" / "file").read_bytes() == b"data"
    assert names(tmp_path / "new") == ["folder"]


def test_a_folder_that_cannot_be_finished_leaves_nothing(tmp_path: Path) -> None:
    def write(unfinished: Path) -> None:
        (unfinished / "file").write_bytes(b"data")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atomic.write_folder(tmp_path / "folder", write)
    assert names(tmp_path) == []


def test_an_existing_folder_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileExistsError, match="exists already"):
        atomic.write_folder(tmp_path / "folder", lambda unfinished: None)
    assert names(tmp_path) == ["folder"]
