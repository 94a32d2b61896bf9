"""Output of the commands: tables for people, one JSON object for programs."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console

from tradewinds.envs.core.io.atomic import write_file
from tradewinds.envs.core.io.parse import printable

LONGEST_LINE = 4000  # characters of a message
WIDTH = 150  # of tables written to a file or a pipe, which have no width of their own

JsonOption = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write one JSON object to FILE; '-' prints it, and tables then go to stderr."),
]


def one_line(text: str) -> str:
    """A message in one printable line of bounded length: it may quote an untrusted file."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."


class BadInputError(Exception):
    """Invalid input: one line on stderr, exit code 2."""


class Output:
    """`tables` is for results and `notes` for progress; with `--json -` stdout holds the JSON object and nothing else."""

    def __init__(self, json_to: str | None) -> None:
        self.json_to = json_to
        self.notes = _console(sys.stderr)
        self.tables = self.notes if json_to == "-" else _console(sys.stdout)
        if json_to not in (None, "-"):
            check_writable("--json", Path(json_to))

    def give(self, figures: dict[str, Any]) -> None:
        """Write the JSON object, if `--json` was given."""
        if self.json_to is None:
            return
        text = json.dumps(figures, indent=2, allow_nan=False)
        if self.json_to == "-":
            print(text, flush=True)
        else:
            write_file(Path(self.json_to), (text + "\n").encode())


def check_writable(option: str, path: Path | None) -> None:
    """Fail before a long run, not after it. A file that was not there is not there afterwards.

    Raises:
        BadInputError: If the file cannot be opened for writing.
    """
    if path is None:
        return
    try:
        is_new = not path.exists()
        path.open("a", encoding="utf-8").close()
        if is_new:
            path.resolve().unlink()  # not a link to it
    except OSError as error:
        raise BadInputError(f"{option} {path}: {error.strerror}") from None


def _console(file: TextIO) -> Console:
    console = Console(file=file, highlight=False, markup=False, emoji=False)  # search:100: is no emoji
    if not console.is_terminal:
        console.width = WIDTH
    return console


def find_own_agents(*codes: str | None) -> None:
    """Let agents of the user's own be found in the working folder: after everything installed, and only if one is named."""
    from tradewinds.agents.registry import is_built_in

    given = [code for text in codes if text for code in text.split(",")]
    if any(":" in code and not is_built_in(code) for code in given) and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def check_games(names: list[str]) -> list[str]:
    """The named games, or all games if none is named.

    Raises:
        BadInputError: If a game does not exist.
    """
    import tradewinds.envs as tw

    for name in names:
        try:
            tw.game(name)
        except ValueError as error:
            raise BadInputError(str(error)) from None
    return list(dict.fromkeys(names)) or tw.games()
