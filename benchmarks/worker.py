"""A process that holds contestants and plays rounds when told to: JSON lines in, JSON lines out.

Run as `python -m tradewinds.benchmarks.worker 0,1`. It pins itself to those cores before it imports anything that starts threads: numpy,
numba and XLA count the cores they may use when they are loaded, and none can leave the pinned ones. XLA has no dependable setting for it.
"""

import importlib
import json
import os
import sys
import time
from typing import Any, TextIO

BUILDERS = {
    "batch": ("own", "build_batch"),
    "aec": ("own", "build_aec"),
    "pettingzoo": ("others", "build_pettingzoo"),
    "openspiel": ("others", "build_openspiel"),
    "pgx": ("others", "build_pgx"),
    "native": ("training", "build_native"),
    "sb3": ("training", "build_sb3"),
}


def pin(cores: list[int]) -> None:
    """Stay on these cores, where the system has a call for it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)


class Worker:
    def __init__(self) -> None:
        self.contestants: list[Any] = []

    def build(self, kind: str, arguments: dict[str, Any]) -> dict[str, Any]:
        module, function = BUILDERS[kind]
        began = time.perf_counter()
        builder = getattr(importlib.import_module(f"{__package__}.{module}"), function)
        self.contestants.append(builder(**arguments))
        return {"number": len(self.contestants) - 1, "seconds": time.perf_counter() - began}

    def play(self, number: int, seconds: float) -> dict[str, Any]:
        from .contest import play

        return play(self.contestants[number], seconds)._asdict()

    def account(self, number: int) -> dict[str, Any]:
        """What a trainer has done with its time."""
        return self.contestants[number].account()

    def length(self, game: str, options: dict[str, Any]) -> dict[str, Any]:
        from .own import mean_length

        return {"length": mean_length(game, options)}


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer each request: {"do": a method, ...its arguments}. An exception is an answer too."""
    worker = Worker()
    for line in requests:
        request = json.loads(line)
        try:
            answer = getattr(worker, request.pop("do"))(**request)
        except Exception as error:  # a library may fail as it likes, and the others still play
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints must not come between the answers
    pin([int(core) for core in sys.argv[1].split(",")])
    try:
        serve(sys.stdin, answers)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
