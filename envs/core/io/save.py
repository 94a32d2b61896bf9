"""A running game as bytes: a line of JSON that says what it is, then the record, the stream and the moves, and a checksum."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..api.errors import FormatError
from ..spec.game import Game, Variant
from ..spec.options import ENCODINGS
from .parse import MOST_BYTES, parse_json

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
        "arrays": {name: [_kind(a), a.shape] for name, a in arrays.items()},
    }
    body = MAGIC + json.dumps(about).encode() + b"\n" + b"".join(a.tobytes() for a in arrays.values())
    return body + zlib.crc32(body).to_bytes(4, "little")


def unpack(variant: Variant, data: bytes, expected: Mapping[str, np.ndarray]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Facts and arrays, as `pack` was given them.

    Args:
        variant: The game and its options, which must be those of the save.
        data: The save.
        expected: Arrays with the types and shapes that those of the save must have.

    Raises:
        FormatError: The save is damaged, or of another game, version or variant.
        TypeError: `data` is not bytes.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a save must be bytes, got {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MAGIC):
        raise FormatError("this is not a Tradewinds save")
    if len(data) > MOST_BYTES:
        raise FormatError(f"this save is too large: more than {MOST_BYTES >> 20} MB")
    if len(data) < len(MAGIC) + 4 or zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise FormatError("this save is damaged: its checksum does not match")
    line, _, rest = data[len(MAGIC) : -4].partition(b"\n")
    game = variant.game
    about = parse_json(line, "this save")
    if not isinstance(about, dict) or not isinstance(about.get("facts"), dict):
        raise FormatError("this save is damaged: it does not describe a game")
    if about.get("game") != game.name:
        raise FormatError(f"this is a save of {about.get('game')!r}, not of {game.name}")
    if about.get("version") != game.version or about.get("record") != describe_record(game):
        raise FormatError(f"this save is of {game.name} version {about.get('version')!r}; this is version {game.version}")
    options = about["facts"].get("options")
    for name, value in variant.options.items():
        older = {"encoding": ENCODINGS[0]}  # saves from before there was this option
        found = options.get(name, older.get(name)) if isinstance(options, dict) else None
        if found != value or type(found) is not type(value):
            raise FormatError(f"this save has {name}={found!r}, this environment {name}={value!r}")
    described = {name: [_kind(array), list(array.shape)] for name, array in expected.items()}
    # As a list of pairs: the bytes follow in this order.
    if not isinstance(about.get("arrays"), dict) or list(about["arrays"].items()) != list(described.items()):
        raise FormatError("this save is damaged: it does not hold the arrays of a game")
    if len(rest) != sum(array.nbytes for array in expected.values()):
        raise FormatError("this save is damaged: its length is wrong")
    arrays, at = {}, 0
    for name, array in expected.items():
        arrays[name] = np.frombuffer(rest, array.dtype, array.size, at).reshape(array.shape).copy()
        at += array.nbytes
    return about["facts"], arrays


def _kind(array: np.ndarray) -> str:
    return str(array.dtype) if array.dtype.names is None else "record"


def describe_record(game: Game) -> str:
    """Changes whenever the record does."""
    return f"{zlib.crc32(repr(game.fields.dtype.descr).encode()):08x}"
