"""The command: tries in a child process, so that a crash or a hang is a finding and not the end."""

import argparse
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tradewinds.envs.core.io.atomic import write_file

from .fakes import FAKES
from .formats import FORMATS, ChangedError, MessageError

HANG = 5.0  # seconds, of processor time and by the clock
START = 1800.0  # seconds by the clock; a game may have to be compiled, on a machine that is busy
AGAIN = 2  # how often a try that takes long by the clock is made again, alone: a busy machine or a pause does not repeat itself
NOT_SUPPOSED = ("raw", "crash", "hang", "changed", "message")
KEPT_EVERY = 2.0  # seconds between two writes of the file that says how far the tries are
Outcomes = Counter[str]


def child(name: str, seed: int, first: int) -> None:
    """Try on and on, one line per try."""
    formats = all_formats()
    number = list(formats).index(name)
    with tempfile.TemporaryDirectory() as folder:
        attack = formats[name](Path(folder))
        print("ready", flush=True)
        while True:
            rng = np.random.default_rng([seed, number, first])
            signal.setitimer(signal.ITIMER_PROF, HANG)  # ends the process, even inside a kernel
            try:
                outcome = attack.attempt(rng)
            except Exception as error:
                kind = {ChangedError: "changed", MessageError: "message"}.get(type(error), "raw")
                frames = traceback.extract_tb(error.__traceback__)
                outcome = f"{kind} {type(error).__name__}: {error} at {frames[-1].filename}:{frames[-1].lineno}".replace("\n", " ")[:300]
            print(outcome, flush=True)
            first += 1


def all_formats() -> dict[str, Any]:
    """What can be attacked: the formats, and those by which the driver itself is tested."""
    return {**FORMATS, **FAKES}


@contextlib.contextmanager
def tries(name: str, seed: int, first: int) -> "Iterator[Lines | None]":
    """The outcomes of a child process that tries from `first` on, once it is ready; None if it never is."""
    command = [sys.executable, "-m", "tests.attack", "--child", name, "--seed", str(seed), "--first", str(first)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    lines = Lines(process)
    try:
        yield lines if lines.next(START) == "ready" else None
    finally:
        process.kill()
        process.communicate()


def attack(
    name: str, seed: int, first: int, seconds: float, last: float = float("inf"), on_try: Callable[[int], None] = lambda first: None
) -> tuple[int, Outcomes, list[str]]:
    """Try for the given seconds, or up to the try `last`.

    Returns:
        The number of the next try, counts by outcome, and the findings.
    """
    counts: Outcomes = Counter()
    findings: list[str] = []
    deadline = None
    while first < last and (deadline is None or time.monotonic() < deadline):
        with tries(name, seed, first) as lines:
            if lines is None:
                return first, counts, [*findings, f"{name}: the process that tries did not start"]
            deadline = deadline or time.monotonic() + seconds
            is_alive = True
            while is_alive and first < last and time.monotonic() < deadline:
                outcome = lines.outcome()
                is_alive = outcome is not None and not outcome.startswith(("crash", "hang"))
                if outcome is None:
                    outcome = try_again(name, seed, first)
                kind = outcome.partition(" ")[0]
                counts[kind] += 1
                if kind in NOT_SUPPOSED:
                    findings.append(f"{name} --seed {seed} --first {first}: {outcome}")
                first += 1
                on_try(first)
    return first, counts, findings


def try_again(name: str, seed: int, number: int) -> str:
    """The outcome of one try that took too long by the clock: a hang only if it does so every time."""
    for _ in range(AGAIN):
        with tries(name, seed, number) as lines:
            if lines is not None and (outcome := lines.outcome()) is not None:
                return outcome
    return f"hang for more than {HANG:g} s by the clock, {AGAIN + 1} times"


class Lines:
    """The output of a process, line by line, with a limit on the time for each."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        self._process = process
        self._pipe = process.stdout.fileno()
        self._buffer = b""

    def outcome(self) -> str | None:
        """The outcome of the next try, or None if it takes too long by the clock."""
        line = self.next(HANG)
        if line != "":
            return line
        code = self._process.wait()
        return f"hang for more than {HANG:g} s of processor time" if code == -signal.SIGPROF else f"crash {code}"

    def next(self, limit: float) -> str | None:
        """The next line, "" at the end, or None after the limit."""
        while b"\n" not in self._buffer:
            if not select.select([self._pipe], [], [], limit)[0]:
                return None
            part = os.read(self._pipe, 65536)
            if not part:
                return ""
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("utf-8", "replace")


class Progress:
    """The first try of each format that has not been made, in a file if there is one to keep it in."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.done: dict[str, int] = json.loads(file.read_text()) if file and file.exists() else {}

    def keep(self, name: str, first: int) -> None:
        """Note that all tries of a format before this one have been made."""
        self.done[name] = first
        if self._file:
            write_file(self._file, json.dumps(self.done).encode())

    def keeper(self, name: str) -> Callable[[int], None]:
        """What notes the tries of a format while they are made, now and then."""
        kept = time.monotonic()

        def keep(first: int) -> None:
            nonlocal kept
            if time.monotonic() - kept > KEPT_EVERY:
                kept = time.monotonic()
                self.keep(name, first)

        return keep


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description="Attack everything that is read from outside.")
    parser.add_argument("--seconds", type=float, default=60.0, help="over all formats")
    parser.add_argument("--tries", type=int, help="at most so many per format; by default as many as there is time for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--formats", nargs="*", choices=list(FORMATS), default=list(FORMATS))
    parser.add_argument("--first", type=int, default=0, help="the first try")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on from where FILE says, and keep it up to date")
    parser.add_argument("--child", choices=list(all_formats()), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.seed, given.first)
    progress = Progress(given.resume)
    failed = False
    for name in given.formats:
        start = progress.done.setdefault(name, given.first)
        last = float("inf") if given.tries is None else start + given.tries
        first, counts, findings = attack(name, given.seed, start, given.seconds / len(given.formats), last, progress.keeper(name))
        progress.keep(name, first)
        print(f"{name}: {counts.total():,} tries, {dict(counts)}; {len(findings)} findings", flush=True)
        for finding in findings[:20]:
            print(f"  {finding}", flush=True)
        failed |= bool(findings) or not counts
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
