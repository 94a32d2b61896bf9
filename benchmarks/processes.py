"""Starting other Python processes that find the same packages as this one."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any


class ProcessError(RuntimeError):
    """A measuring process failed; the message says how."""


def environment(**extra: str) -> dict[str, str]:
    """This process's environment, with its module search path."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **extra}


def command(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", f"{__package__}.{module}", *arguments]


def ask_once(module: str, *arguments: str, **extra: str) -> dict[str, Any]:
    """Run a module that prints one JSON object."""
    done = subprocess.run(command(module, *arguments), env=environment(**extra), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ProcessError(f"{module} {' '.join(arguments)} ended with exit code {done.returncode}")
    return json.loads(done.stdout)


class WorkerProcess:
    """A `worker` pinned to some cores, started at once and asked by `ask`."""

    def __init__(self, cores: Sequence[int]) -> None:
        self.process = subprocess.Popen(
            command("worker", ",".join(map(str, cores))), env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """One request and its answer. A ProcessError if the worker says error, or is no more."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            print(json.dumps({"do": do, **arguments}), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            raise ProcessError(f"a measuring process ended with exit code {self.process.wait()}") from None
        line = self.process.stdout.readline()
        if not line:
            raise ProcessError(f"a measuring process ended with exit code {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise ProcessError(answer["error"])
        return answer

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
