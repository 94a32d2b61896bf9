"""`tradewinds web` before it listens, and the commands that its pages advise."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from tradewinds.agents.registry import with_absolute_paths
from tradewinds.cli import web
from tradewinds.cli.app import app
from tradewinds.cli.output import BadInputError

PAGE = Path(__file__).parents[2] / "web" / "page"
ADVISED = sorted(
    {found for file in PAGE.glob("strings*.js") for found in re.findall(r"tradewinds ([a-z]+ [A-Za-z][^\"`.]*)", file.read_text())}
)


@pytest.mark.parametrize("line", ADVISED)
def test_a_command_that_a_page_advises_is_one(line: str) -> None:
    name, *words = line.split()
    command: Any = typer.main.get_command(app)
    context = command.commands[name].make_context(name, words)  # nothing is run
    assert context.args == [] and context.params.get("game", "GAME") == "GAME"


def test_pages_advise_commands() -> None:
    assert {line.split()[0] for line in ADVISED} >= {"train", "tournament", "watch"}


@pytest.mark.parametrize("code", ["rando", "no_such_package:agent", "scripted:nonsense", "net:nowhere", "search:10:net=nowhere", ""])
@pytest.mark.parametrize("option", ["agent", "hint"])
def test_a_code_that_names_no_agent_is_refused_at_the_start(option: str, code: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {option: [code] if option == "agent" else code}
    with pytest.raises(BadInputError, match=f"^--{option}: "):
        web.web(runs=tmp_path, no_browser=True, **given)


@pytest.mark.parametrize("code", ["net:5", "net:5:sample", "search:5:net=5:margin=0", "search:5", "package.module:net"])
def test_a_network_is_found_from_any_folder(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert with_absolute_paths(code) == re.sub(r"(?<=\bnet[:=])5", str(tmp_path / "5"), code)
