"""Formats that nobody reads, each of which does what the driver must find."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .formats import ACCEPTED, refused

AT = 3  # the try that is a finding


class Fake:
    """Accepts, but in the try AT does what it is made for."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act = act

    def attempt(self, rng: np.random.Generator) -> str:
        sequence: Any = rng.bit_generator.seed_seq  # of the seed, the format and the try
        return self._act() if sequence.entropy[-1] == AT else ACCEPTED


def _raises() -> str:
    raise LookupError("an error that nobody documented")


def _loops() -> str:
    while True:
        pass


def _waits() -> str:
    time.sleep(1000)
    return ACCEPTED


# name -> what it does, and the kind of finding that it must be
ACTS: dict[str, tuple[Callable[[], Any], str]] = {
    "raises": (_raises, "raw"),
    "aborts": (os.abort, "crash"),
    "loops": (_loops, "hang"),
    "waits": (_waits, "hang"),
    "changes": (lambda: refused(ValueError("a line"), is_unchanged=False), "changed"),
    "says two lines": (lambda: refused(ValueError("two\nlines")), "message"),
    "says too much": (lambda: refused(ValueError("x" * 5_000)), "message"),
}


def _format_of(act: Callable[[], Any]) -> Callable[[Path], Fake]:
    return lambda folder: Fake(act)


FAKES = {name: _format_of(act) for name, (act, _) in ACTS.items()}
