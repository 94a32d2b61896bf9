"""Driving commands of the terminal by lines of input."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tradewinds.cli.main import main


class Said(NamedTuple):
    code: int
    out: str
    err: str

    def one_line(self) -> str:
        """What a refused command says: nothing on stdout and one line on stderr."""
        assert (self.code, self.out) == (2, "")
        assert self.err.count("\n") == 1 and self.err.startswith("tradewinds: error: ")
        return self.err


class Typist:
    """A piped stdin. The lines may come from a generator, which knows by then what was printed; an exception among them is raised."""

    def __init__(self, lines: Iterable[str | BaseException | type[BaseException]]) -> None:
        self.lines: Iterator[str | BaseException | type[BaseException]] = iter(lines)

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        line = next(self.lines, None)
        if line is None:
            return ""
        if not isinstance(line, str):
            raise line
        return f"{line}\n"


class Terminal:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def run(self, *arguments: str, lines: Iterable[str | BaseException | type[BaseException]] = ()) -> Said:
        self.monkeypatch.setattr(sys, "stdin", Typist(lines))
        code = main(list(arguments))
        captured = self.capsys.readouterr()
        assert "\x1b" not in captured.out, "no colours in a pipe"
        return Said(code, captured.out, captured.err)


def typed(arguments: list[str], dialogue: list[tuple[str, bytes]], folder: Path) -> tuple[int, str]:
    """Run a command in a pseudo-terminal: wait for each text, then type its answer."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tradewinds", *arguments]
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment, start_new_session=True)
    os.close(theirs)
    output = _read_pty(process, ours, dialogue)
    os.close(ours)
    return process.wait(60), output


def _read_pty(process: "subprocess.Popen[bytes]", ours: int, dialogue: list[tuple[str, bytes]]) -> str:
    output, at, ends = "", 0, time.monotonic() + 240
    pending: Iterator[tuple[str, bytes]] = iter(dialogue)
    waited = next(pending, None)
    while time.monotonic() < ends:
        if not select.select([ours], [], [], 0.2)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        output += chunk.decode(errors="replace")
        while waited is not None and waited[0] in output[at:]:
            at = output.index(waited[0], at) + len(waited[0])
            os.write(ours, waited[1])
            waited = next(pending, None)
    assert waited is None, f"waited for {waited}, got {output[-2000:]}"
    return output
