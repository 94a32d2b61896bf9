"""The command: tries in a child process, so that a crash or a hang is a finding and not the end."""

import argparse
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
from pathlib import Path

import numpy as np

from .formats import FORMATS

HANG = 5.0  # seconds of processor time, which other programs on the machine do not use up
WAIT = 120.0  # seconds by the clock, for what waits and never computes
START = 1800.0  # seconds by the clock; a game may have to be compiled, on a machine that is busy
NOT_SUPPOSED = ("raw", "crash", "hang", "changed")


def child(name: str, seed: int, first: int) -> None:
    """Try on and on, one line per try."""
    number = list(FORMATS).index(name)
    with tempfile.TemporaryDirectory() as folder:
        attack = FORMATS[name](Path(folder))
        print("ready", flush=True)
        while True:
            rng = np.random.default_rng([seed, number, first])
            signal.setitimer(signal.ITIMER_PROF, HANG)  # ends the process, even inside a kernel
            try:
                outcome = attack.attempt(rng)
            except Exception as error:
                kind = "changed" if type(error).__name__ == "ChangedError" else "raw"
                frames = traceback.extract_tb(error.__traceback__)
                outcome = f"{kind} {type(error).__name__}: {error} at {frames[-1].filename}:{frames[-1].lineno}".replace("\n", " ")[:300]
            print(outcome, flush=True)
            first += 1


def attack(name: str, seed: int, first: int, seconds: float, last: float = float("inf")) -> tuple[int, Counter[str], list[str]]:
    """Try for the given seconds, or up to the try `last`.

    Returns:
        The number of the next try, counts by outcome, and the findings.
    """
    counts: Counter[str] = Counter()
    findings: list[str] = []
    deadline = None
    while first < last and (deadline is None or time.monotonic() < deadline):
        command = [sys.executable, "-m", "tests.attack", "--child", name, "--seed", str(seed), "--first", str(first)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        lines = Lines(process)
        began = False
        try:
            while first < last and (deadline is None or time.monotonic() < deadline):
                line = lines.next(WAIT if began else START)
                if not began and line == "ready":
                    began, deadline = True, deadline or time.monotonic() + seconds
                    continue
                outcome = line or ("hang" if line is None or process.wait() == -signal.SIGPROF else f"crash {process.returncode}")
                kind = outcome.partition(" ")[0]
                counts[kind] += 1
                if kind in NOT_SUPPOSED:
                    findings.append(f"{name} --seed {seed} --first {first}: {outcome}")
                first += 1
                if not line:
                    if not began:
                        return first, counts, findings
                    break
        finally:
            process.kill()
            process.communicate()
    return first, counts, findings


class Lines:
    """The output of a process, line by line, with a limit on the time for each."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        self._pipe = process.stdout.fileno()
        self._buffer = b""

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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description="Attack everything that is read from outside.")
    parser.add_argument("--seconds", type=float, default=60.0, help="over all formats")
    parser.add_argument("--tries", type=int, help="at most so many per format; by default as many as there is time for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--formats", nargs="*", choices=list(FORMATS), default=list(FORMATS))
    parser.add_argument("--first", type=int, default=0, help="the first try")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on from where FILE says, and keep it up to date")
    parser.add_argument("--child", choices=list(FORMATS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.seed, given.first)
    done = json.loads(given.resume.read_text()) if given.resume and given.resume.exists() else {}
    failed = False
    for name in given.formats:
        start = done.get(name, given.first)
        last = float("inf") if given.tries is None else start + given.tries
        first, counts, findings = attack(name, given.seed, start, given.seconds / len(given.formats), last)
        done[name] = first
        print(f"{name}: {counts.total():,} tries, {dict(counts)}; {len(findings)} findings", flush=True)
        for finding in findings[:20]:
            print(f"  {finding}", flush=True)
        failed |= bool(findings) or not counts
        if given.resume:
            given.resume.write_text(json.dumps(done))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
