"""Facts that need a fresh process: `python -m tradewinds.benchmarks.probe start|memory '{"game": ..., "options": ...}'`."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

BEGAN = time.perf_counter()  # before numpy or numba is imported
STEPS = 4  # touch every page that play touches


def start(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """Seconds from a bare interpreter to the first step of a batch, imports included."""
    import tradewinds.envs as tw

    batch = tw.make_batch(game, 1, seed=1, **options)
    batch.step(batch.masks.argmax(1))
    return {"seconds": time.perf_counter() - BEGAN, "cpu_seconds": time.process_time()}


def memory(game: str, options: dict[str, Any], size: int) -> dict[str, Any]:
    """Bytes of a record and of a batch: by its arrays, and by how the process grows (None where the system does not tell)."""
    import tradewinds.envs as tw

    _play(tw.make_batch(game, 1, seed=1, **options))  # loads the kernels, which every batch shares
    before = resident_bytes()
    batch = tw.make_batch(game, size, seed=1, **options)
    _play(batch)
    after = resident_bytes()
    grown = None if before is None or after is None else after - before
    return {"record_bytes": batch.states.dtype.itemsize, "array_bytes": array_bytes(batch), "resident_bytes": grown}


def _play(batch: Any) -> None:
    for _ in range(STEPS):
        batch.step(batch.masks.argmax(1))


def array_bytes(batch: Any) -> int:
    """The sum over the memory that a batch's arrays stand on, each piece counted once."""
    import numpy as np

    owners: dict[int, int] = {}
    waiting = list(vars(batch).values())
    while waiting:
        value = waiting.pop()
        if isinstance(value, (tuple, list)):
            waiting += value
        elif isinstance(value, np.ndarray):
            while isinstance(value.base, np.ndarray):
                value = value.base
            owners[id(value)] = value.nbytes
    return sum(owners.values())


def resident_bytes() -> int | None:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    print(json.dumps({"start": start, "memory": memory}[sys.argv[1]](**json.loads(sys.argv[2]))))
