"""Separate processes: one pinned worker for each kind of subject and number of cores, and fresh processes for memory and start-up.

A fresh process is `python -m tradewinds.benchmarks.processes start|memory '{"game": ..., "options": ...}'`. It prints one JSON object.
"""

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

BEGAN = time.perf_counter()  # before numpy or numba is imported
STEPS = 4  # touch every page that play touches
CLOSING = 5  # seconds that a worker may take to end
BUILDERS = ("subjects", "training")  # modules with a table BUILDERS; the second needs torch


class ProcessError(RuntimeError):
    """A measuring process failed; the message says how."""


@contextlib.contextmanager
def pinned(cores: Sequence[int]) -> Iterator[None]:
    """Stay on these cores, where the system supports it. Processes that are started meanwhile stay on them for good.

    numpy, numba and XLA count the cores they may use when they are loaded, so a process must be pinned from its beginning.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Host:
    """Holds the subjects of a worker process. Its public methods are what a worker may be asked."""

    def __init__(self) -> None:
        self.subjects: list[Any] = []

    def build(self, kind: str, arguments: dict[str, Any]) -> int:
        """Build a subject and return its number."""
        for module in BUILDERS:
            builder = importlib.import_module(f"{__package__}.{module}").BUILDERS.get(kind)
            if builder is not None:
                self.subjects.append(builder(**arguments))
                return len(self.subjects) - 1
        raise ValueError(f"there is no subject {kind!r}")

    def measure(self, number: int, seconds: float) -> tuple[int, float, float]:
        """Play one round and return its steps, seconds and CPU seconds."""
        from .subjects import time_round

        return time_round(self.subjects[number], seconds)

    def account(self, number: int) -> dict[str, Any]:
        """Return how a trainer has spent its time."""
        return self.subjects[number].account()

    def mean_length(self, game: str, options: dict[str, Any]) -> float:
        """Return the mean number of env steps of a random game."""
        from .subjects import mean_length

        return mean_length(game, options)


def serve(pipe: Connection) -> None:
    """Answer requests until the pipe is closed. Exceptions are sent back, so that one library may fail while the others are measured."""
    os.dup2(2, 1)  # what a library prints belongs on stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    host = Host()
    with contextlib.suppress(EOFError):
        while True:
            method, arguments = pipe.recv()
            try:
                answer = True, getattr(host, method)(**arguments)
            except Exception as error:
                answer = False, f"{type(error).__name__}: {error}"
            pipe.send(answer)


class Worker:
    """A process that stays on some cores and answers through `ask`."""

    def __init__(self, cores: Sequence[int]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        with pinned(cores):
            self.process.start()
        theirs.close()  # so that the end of the process is the end of the pipe

    def ask(self, method: str, **arguments: Any) -> Any:
        """Call a method of the worker's `Host`.

        Raises:
            ProcessError: The method raised, or the process has ended.
        """
        try:
            self._pipe.send((method, arguments))
            succeeded, answer = self._pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            raise ProcessError(f"a measuring process ended with exit code {self.process.exitcode}") from None
        if not succeeded:
            raise ProcessError(answer)
        return answer

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self.process.join(CLOSING)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def ask_fresh(measure: str, **arguments: Any) -> dict[str, Any]:
    """Call `start` or `memory` in a fresh process; `cache` names a folder for compiled kernels other than the user's."""
    cache = {"TRADEWINDS_CACHE": arguments.pop("cache")} if "cache" in arguments else {}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **cache}
    command = [sys.executable, "-P", "-m", f"{__package__}.processes", measure, json.dumps(arguments)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ProcessError(f"measuring {measure} of {arguments} ended with exit code {done.returncode}")
    return json.loads(done.stdout)


def start(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the seconds from a bare interpreter to the first step of a batch, imports included."""
    import tradewinds.envs as tw

    batch = tw.make_batch(game, 1, seed=1, **options)
    batch.step(batch.masks.argmax(1))
    return {"seconds": time.perf_counter() - BEGAN, "cpu_seconds": time.process_time()}


def memory(game: str, options: dict[str, Any], size: int) -> dict[str, Any]:
    """Return the bytes of a record and of a batch: of its arrays, and by the growth of the process (None without /proc)."""
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
    """Return the memory of a batch's arrays; memory that several share is counted once."""
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
    """Return the resident memory of this process, or None without /proc."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    print(json.dumps({"start": start, "memory": memory}[sys.argv[1]](**json.loads(sys.argv[2]))))
