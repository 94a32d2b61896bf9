"""Every `tradewinds ...` command line in the README, the docs and the cards is one that the commands accept. Nothing is executed."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tradewinds.cli.app import app

from .test_readme import LINKED, ROOT

PAGES = [page for page in LINKED if page.suffix == ".md"]
FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
OPTIONAL = re.compile(r"\[--[^\]]*\]")  # [--workers N | --ray ADDRESS]
COMMANDS: Any = typer.main.get_command(app)


def in_blocks(text: str) -> list[str]:
    """The command lines in blocks, whole."""
    lines = [line.strip() for kind, block in FENCE.findall(text) if kind != "python" for line in block.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line.startswith("tradewinds ")]


def in_sentences(text: str) -> list[str]:
    """Those in the middle of a sentence, which may leave out what is not spoken of."""
    return re.findall(r"`(tradewinds [^`\n]+)`", FENCE.sub("", text))


def complaints(line: str, is_whole: bool) -> Iterator[str]:
    """What is wrong with a command line."""
    name, *arguments = shlex.split(line, comments=True)[1:]
    if name.startswith("-"):  # of the program itself
        if name not in {option for parameter in COMMANDS.params for option in parameter.opts}:
            yield f"no option {name}"
    elif (command := COMMANDS.commands.get(name)) is None:
        yield f"no command {name}"
    else:
        options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        named = [argument.strip("[]").partition("=")[0] for argument in arguments if argument.strip("[]").startswith("-")]
        yield from (f"no option {option}" for option in named if option not in options and option not in ("-", "--help"))
        if is_whole:
            try:
                command.make_context(name, shlex.split(OPTIONAL.sub("", line), comments=True)[2:])
            except Exception as error:  # typer's own copy of click raises classes of its own
                yield str(error)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_take_what_it_gives_them(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    given = [(line, True) for line in in_blocks(text)] + [(line, False) for line in in_sentences(text)]
    assert not [(line, found) for line, is_whole in given for found in complaints(line, is_whole)]


def test_there_are_command_lines() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    assert sum(len(in_blocks(text)) for text in texts) > 20 < sum(len(in_sentences(text)) for text in texts)


@pytest.mark.parametrize(
    ("line", "is_whole"),
    [
        ("tradewinds trian container", True),
        ("tradewinds --verison", True),
        ("tradewinds play container --opponent random", True),
        ("tradewinds play container --players", True),
        ("tradewinds play container --players many", True),
        ("tradewinds train container [--worker N]", True),
        ("tradewinds trian", False),
        ("tradewinds watch FILE --htlm", False),
    ],
)
def test_a_wrong_command_line_is_found(line: str, is_whole: bool) -> None:
    assert list(complaints(line, is_whole))
