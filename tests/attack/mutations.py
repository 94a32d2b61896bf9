"""Ways to damage bytes, JSON and records."""

import copy
import json
from typing import Any

import numpy as np

STRANGE: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 4, 5, 100, 127, 128, 255, 2**31, 2**63, 2**64, -(2**63), 10**30, 1.5, float("nan"), float("inf"), "",
    "x", "person", "os:system", "net:/dev/zero", "../..", "\x1b[2J", [], {}, [[]], [None], {"a": 1}, [0] * 300,
)  # fmt: skip


def of_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """A few bytes changed, removed, doubled, or the rest cut off."""
    out = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        if not out:
            break
        at, kind = int(rng.integers(len(out))), rng.integers(6)
        if kind == 0:
            out[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            out[at] = int(rng.integers(256))
        elif kind == 2:
            del out[at : at + int(rng.integers(1, 20))]
        elif kind == 3:
            out[at:at] = out[at : at + int(rng.integers(1, 40))]
        elif kind == 4:
            out[at:at] = rng.choice([b"[", b"{", b"9", b'"', b"\xff", b"\x00"]) * int(rng.choice([1, 10, 5_000, 100_000]))
        else:
            del out[at:]
    return bytes(out)


def of_value(value: Any, rng: np.random.Generator) -> Any:
    """A parsed JSON value with one of its parts replaced, removed, doubled or swapped."""
    places = list(_places(value))
    if not places or rng.random() < 0.02:
        return _strange(rng)
    outer, key = places[int(rng.integers(len(places)))]
    kind = rng.integers(5)
    if kind == 0 or (kind == 4 and not isinstance(outer[key], int)):
        outer[key] = _strange(rng)
    elif kind == 1:
        del outer[key]
    elif kind == 2 and isinstance(outer, list):
        outer.insert(key, outer[int(rng.integers(len(outer)))])
    elif kind == 3 and isinstance(outer, list):
        other = int(rng.integers(len(outer)))
        outer[key], outer[other] = outer[other], outer[key]
    elif isinstance(outer[key], int):
        outer[key] = outer[key] + int(rng.choice([-1, 1]))
    else:
        outer[key] = [outer[key]]
    return value


def of_json(text: str, rng: np.random.Generator) -> str:
    """The text of a JSON value, mutated one to three times."""
    value = json.loads(text)
    for _ in range(rng.integers(1, 4)):
        value = of_value(value, rng)
    return json.dumps(value)


def of_records(states: np.ndarray, fields: Any, rng: np.random.Generator) -> None:
    """One to three numbers of records, in place: most stay within their declared bounds."""
    for _ in range(rng.integers(1, 4)):
        field = fields.all[int(rng.integers(len(fields.all)))]
        flat = states[field.name].reshape(len(states), -1)
        row, column = int(rng.integers(len(states))), int(rng.integers(flat.shape[1]))
        limits = np.iinfo(field.kind)
        low, high = (field.low, field.high) if rng.random() < 0.9 else (limits.min, limits.max)
        value = int(rng.integers(low, high + 1))
        if rng.random() < 0.5:
            value = int(np.clip(int(flat[row, column]) + int(rng.choice([-1, 1])), limits.min, limits.max))
        inner = np.unravel_index(column, field.shape) if field.shape else ()
        states[field.name][(row, *inner)] = value


def _strange(rng: np.random.Generator) -> Any:
    return copy.deepcopy(STRANGE[int(rng.integers(len(STRANGE)))])


def _places(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])
