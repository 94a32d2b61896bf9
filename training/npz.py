"""Arrays in .npz files from outside."""

import os
import stat
import zipfile
import zlib
from pathlib import Path

import numpy as np

# What numpy and zipfile raise for a file that is damaged, or holds one array instead of several.
WRONG = (ValueError, KeyError, EOFError, NotImplementedError, MemoryError, RecursionError, AttributeError, TypeError)
MOST_EXPANDED = 200  # times the file's size; observations shrink by 10 to 50, a file that was made to fill the memory by 1,000
ALWAYS_READ = 1 << 28  # bytes of arrays
DAMAGE = (OSError, zipfile.BadZipFile, zlib.error, *WRONG)


def read_npz(path: "str | Path") -> dict[str, np.ndarray]:
    """Read all arrays of a file; nothing in it can run code.

    Raises:
        FileNotFoundError: There is none.
        ValueError: It is damaged, or would expand to far more than its size; the message is the kind of the error.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would be waited for
            raise ValueError("not a regular file")
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            expanded = sum(member.file_size for member in stored.zip.infolist())  # no more than this is ever read
            if expanded > max(ALWAYS_READ, MOST_EXPANDED * os.stat(path).st_size):
                raise MemoryError
            return {name: stored[name] for name in stored.files}
    except FileNotFoundError:
        raise
    except DAMAGE as error:
        raise ValueError(type(error).__name__) from None
