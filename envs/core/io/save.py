"""A running game as bytes: a line of JSON that says what it is, then the record, the stream and the moves, and a checksum."""

import json
import zlib
from typing import Any

import numpy as np

from ..api.errors import FormatError
from ..spec.game import Game

MAGIC = b"tradewinds save 1\n"


def pack(game: Game, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """Pack a game.

    Args:
        game: The game; the save is bound to its version and the shape of its record.
        facts: What JSON can hold.
        arrays: What it cannot.
    """
    about = {
        "game": game.name,
        "version": game.version,
        "record": describe_record(game),
        "facts": facts,
        "arrays": {name: [str(a.dtype) if a.dtype.names is None else "record", a.shape] for name, a in arrays.items()},
    }
    body = MAGIC + json.dumps(about).encode() + b"\n" + b"".join(a.tobytes() for a in arrays.values())
    return body + zlib.crc32(body).to_bytes(4, "little")


def unpack(game: Game, data: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Facts and arrays, as `pack` was given them.

    Raises:
        FormatError: The save is damaged, or of another game or version.
        TypeError: `data` is not bytes.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a save must be bytes, got {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MAGIC):
        raise FormatError("this is not a Tradewinds save")
    if len(data) < len(MAGIC) + 4 or zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise FormatError("this save is damaged: its checksum does not match")
    line, _, rest = data[len(MAGIC) : -4].partition(b"\n")
    about = json.loads(line)
    if about["game"] != game.name:
        raise FormatError(f"this is a save of {about['game']}, not of {game.name}")
    if about["version"] != game.version or about["record"] != describe_record(game):
        raise FormatError(f"this save is of {game.name} version {about['version']}; this is version {game.version}")
    arrays, at = {}, 0
    for name, (kind, shape) in about["arrays"].items():
        dtype = game.fields.dtype if kind == "record" else np.dtype(kind)
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(rest, dtype, count, at).reshape(shape).copy()
        at += count * dtype.itemsize
    return about["facts"], arrays


def describe_record(game: Game) -> str:
    """Changes whenever the record does."""
    return f"{zlib.crc32(repr(game.fields.dtype.descr).encode()):08x}"
