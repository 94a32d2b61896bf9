"""Files and folders that are complete or absent, even after a crash or a power failure."""

import contextlib
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def write_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file atomically, replacing an existing one.

    The data goes to a file beside it, is flushed to disk and then renamed, so a reader sees the old content or the new, never a part.

    Args:
        path: The file to write. Its folder must exist.
        data: The whole content.
        mode: The permissions, from which the umask is taken away; 0o600 for a secret.

    Raises:
        OSError: If the file cannot be written; nothing is left behind.
    """
    if path.exists() and not path.is_file():  # a pipe or a device, which a rename would replace by a file
        path.write_bytes(data)
        return
    path = path.resolve()  # a link stays one
    unfinished = _unfinished(path)
    with _named(path):
        try:
            with open(unfinished, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, path)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise
        _sync(path.parent)


def write_json(path: Path, data: Any) -> None:
    """Write data as JSON that people can read, as `write_file` does."""
    write_file(path, (json.dumps(data, indent=2) + "\n").encode())


def write_folder(folder: Path, write: Callable[[Path], None]) -> None:
    """Create a folder atomically; parents are created as needed.

    Args:
        folder: The folder to create. It must not exist.
        write: Writes the content into the folder that it is given, which is renamed afterwards.

    Raises:
        FileExistsError: If the folder exists already; it is left as it was.
        OSError: If it cannot be written; nothing is left behind.
    """
    if folder.exists():
        raise FileExistsError(f"{folder} exists already")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = _unfinished(folder)
    shutil.rmtree(unfinished, ignore_errors=True)  # left by a killed process that had the same id
    try:
        unfinished.mkdir()
        write(unfinished)
        for path in unfinished.rglob("*"):
            _sync(path)
        _sync(unfinished)
        os.rename(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    _sync(folder.parent)


def append_line(path: Path, line: bytes) -> None:
    """Append a line to a file: all of it is on disk afterwards, or nothing of it is there.

    Args:
        path: The file; created if needed.
        line: The line, with its line break.

    Raises:
        OSError: If it cannot be written.
    """
    with _named(path), path.open("ab", buffering=0) as file:
        before = os.fstat(file.fileno()).st_size
        try:
            written = 0
            while written < len(line):  # a disk that is almost full takes a part
                written += file.write(line[written:]) or 0
            os.fsync(file.fileno())
            if before == 0:  # the file may be new
                _sync(path.parent)
        except BaseException:
            os.ftruncate(file.fileno(), before)
            raise


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Let errors name the file: those of writes and syncs have no name, and those of a rename have that of the unfinished file."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def _unfinished(path: Path) -> Path:
    """The ids of process and thread keep apart those who write the same path at the same time."""
    return path.with_name(f".{path.name}.unfinished-{os.getpid()}-{threading.get_ident()}")


def _sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk."""
    if os.name == "nt":  # Windows syncs neither folders nor files opened for reading
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
