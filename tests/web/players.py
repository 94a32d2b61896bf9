"""Agents of somebody's own, for the server."""

from typing import Any

import numpy as np


def first(observation: Any, mask: Any) -> int:
    return int(np.argmax(mask))


def broken(observation: Any, mask: Any) -> int:
    raise RuntimeError("my cards are red")
