"""Driving commands of the terminal by lines of input."""

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pytest

from tradewinds.training.cli import main


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
