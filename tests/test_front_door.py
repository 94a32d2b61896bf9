"""`import tradewinds as tw`: what it offers, and how little it costs."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_overloads, get_type_hints

import pytest

import tradewinds as tw
import tradewinds.envs

ROOT = Path(__file__).parents[1]


def run(*arguments: str, **environment: str) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_every_public_name_is_there_and_no_other_is_listed() -> None:
    assert dir(tw) == sorted(tw.__all__)
    assert all(getattr(tw, name) is not None for name in tw.__all__)
    assert dir(tradewinds.envs) == sorted(tradewinds.envs.__all__)
    assert set(tradewinds.envs.__all__) <= set(tw.__all__)
    assert {"make", "make_batch", "make_seat", "make_agent", "games", "game", "register"} <= set(tw.__all__)
    assert {"evaluate", "tournament", "load_replay", "__version__"} <= set(tw.__all__)


def overloads_of(function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The typed forms of a function by the game that they name; that of games from elsewhere is left out."""
    found = {form: get_type_hints(form)["name"] for form in get_overloads(function)}
    return {get_args(name)[0]: form for form, name in found.items() if get_args(name)}


@pytest.mark.parametrize("function", [tw.make, tw.make_batch])
def test_the_types_of_a_game_s_options_are_those_that_it_declares(function: Callable[..., Any]) -> None:
    forms = overloads_of(function)
    assert set(forms) == set(get_args(tradewinds.envs.BuiltIn))
    for name, form in forms.items():
        (options,) = get_args(get_type_hints(form)["options"])
        typed = get_type_hints(options)
        assert set(typed) == {option.name for option in tw.game(name).options}, name
        for option in tw.game(name).options:
            choices = get_args(typed[option.name])
            assert choices == tuple(option.choices) if choices else {type(choice) for choice in option.choices} == {typed[option.name]}, (
                option
            )


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'tradewinds' has no attribute 'mkae'"):
        tw.mkae  # noqa: B018


def test_changelog_and_citation_are_of_the_version() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    released = re.findall(r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert released[0][0] == stated
    assert f"version: {stated}\ndate-released: {released[0][1]}\n" in cited


def test_every_version_of_the_changelog_has_its_link() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^]]+)\]", text, re.MULTILINE)
    assert versions[0] == "Unreleased" and re.findall(r"^\[([^]]+)\]: https://", text, re.MULTILINE) == versions


def test_the_version_is_stated_once_in_pyproject() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert tw.__version__ == stated
    assert run("-m", "tradewinds", "--version") == f"{stated}\n"


def test_importing_it_imports_nothing_heavy_and_compiles_nothing() -> None:
    heavy = "{'torch', 'typer', 'rich', 'PIL', 'matplotlib', 'jax', 'tradewinds.agents', 'tradewinds.training'}"
    code = f"import sys, tradewinds; print(sorted({heavy} & set(sys.modules)))"
    assert run("-c", code, NUMBA_DEBUG_CACHE="1") == "[]\n"


def test_a_clone_can_be_the_working_folder_whatever_is_installed() -> None:
    # Without the hook of an editable install, as after `pip install .`: the clone's tradewinds/ comes first, and has no envs/ in it.
    code = (
        "import sys\n"
        "sys.meta_path = [finder for finder in sys.meta_path if '__editable__' not in getattr(finder, '__module__', '')]\n"
        "sys.path[:] = ['', *(folder for folder in sys.path[1:] if not folder.endswith('/.venv/src'))]\n"
        "import tradewinds as tw, tradewinds.training, tradewinds.web.export\n"
        "print(tw.games(), tw.__file__)"
    )
    assert run("-c", code, PYTHONPATH="") == f"{tw.games()} {ROOT / 'tradewinds' / '__init__.py'}\n"


def test_what_is_imported_late_is_what_lies_there() -> None:
    from tradewinds import agents
    from tradewinds.training.evaluation.evaluate import evaluate

    assert tw.make_agent is agents.make
    assert tw.evaluate is evaluate
    assert tw.tournament.__name__ == "tournament"


def test_gymnasium_and_pettingzoo_know_the_games_once_it_is_imported() -> None:
    code = (
        "import gymnasium, pettingzoo, tradewinds as tw\n"
        "for name in tw.games():\n"
        "    gymnasium.spec(f'tradewinds/{name}-v{tw.game(name).version}')\n"
        "    pettingzoo.env_registry.registration.spec('aec', f'tradewinds/{name}-v{tw.game(name).version}')\n"
        "print('known')"
    )
    assert run("-c", code) == "known\n"
