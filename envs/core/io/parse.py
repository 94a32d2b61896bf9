"""Text from outside becomes values: with limits on size and nesting, and one kind of error."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any, TypeGuard

from ..api.errors import FormatError
from ..api.errors import printable as printable

MOST_BYTES = 64 << 20  # of a file or a line; a long game takes 100 kB
MOST_NESTING = 32


def parse_json(data: "str | bytes", what: str) -> Any:
    """Parse JSON.

    Args:
        data: The text, as UTF-8 if it is bytes.
        what: What it is, for the message: "line 3 of this replay".

    Raises:
        FormatError: It is not JSON, too large or nested too deeply.
    """
    if len(data) > MOST_BYTES:
        raise FormatError(f"{what} is too large: more than {MOST_BYTES >> 20} MB")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError, MemoryError) as error:  # a UnicodeDecodeError is a ValueError
        raise FormatError(f"{what} is damaged: {_reason(error)}") from None
    _check_nesting(value, what)
    return value


def read_bytes(path: Path, what: str, most: int | None = None) -> bytes:
    """Read a file whose size is within the limit. A pipe or a device, which may never end, is refused.

    Args:
        path: The file.
        what: What it is, for the message.
        most: The limit in bytes, by default MOST_BYTES.

    Raises:
        FormatError: It is too large.
        OSError: It cannot be read.
    """
    most = MOST_BYTES if most is None else most
    # Without O_NONBLOCK opening a pipe waits until somebody writes to it.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if found.st_size > most:
            raise FormatError(f"{what} is too large: more than {most >> 20} MB")
        return file.read(found.st_size)  # what is appended meanwhile is not read


def _check_nesting(value: Any, what: str) -> None:
    level = [value]
    for _ in range(MOST_NESTING):
        level = [
            inner
            for outer in level
            if isinstance(outer, (list, dict))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (list, dict))
        ]
        if not level:
            return
    raise FormatError(f"{what} is nested more than {MOST_NESTING} deep")


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error) or type(error).__name__


def is_integer(value: Any, low: int, high: int) -> TypeGuard[int]:
    """Whether a parsed value is an integer from `low` to `high`; True and False are not."""
    return type(value) is int and low <= value <= high
