"""The shape of the code: who imports whom, which packages are shipped, which clauses are tested."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

import tradewinds.envs as tw

ROOT = Path(__file__).parents[1]
TOPS = ("tradewinds", "envs", "agents", "training", "benchmarks", "configs", "leaderboard", "web")
# What a file of a game may import of its own game, besides the core.
ORDER = ["tables", "state", "check", "actions", "rules", "view", "rich", "observation", "render", "__init__"]


def dotted(folder: Path) -> list[str]:
    """The import name of a folder of the repository."""
    parts = folder.relative_to(ROOT).parts
    return [*parts] if parts[0] == "tradewinds" else ["tradewinds", *parts]


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All nodes of a file's syntax tree."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> list[str]:
    """Every module that a file imports, as a full dotted name."""
    return list(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    package = dotted(path.parent)
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def sources(*tops: str) -> list[Path]:
    return sorted(path for top in tops for path in (ROOT / top).rglob("*.py"))


def test_only_the_kernel_module_imports_numba() -> None:
    users = {path.relative_to(ROOT).as_posix() for path in sources(*TOPS) if any(name.split(".")[0] == "numba" for name in imports(path))}
    assert users == {"envs/core/engine/kernel.py"}


def test_torch_is_imported_only_where_networks_are() -> None:
    for path in sources(*TOPS):
        if path in (ROOT / "envs" / "torchrl.py", ROOT / "benchmarks" / "doors.py"):  # imported by those who ask for it
            continue
        if not path.is_relative_to(ROOT / "training") and not path.is_relative_to(ROOT / "agents" / "neural"):
            assert not any(name.split(".")[0] == "torch" for name in imports(path)), path


def test_importing_the_environments_imports_neither_torch_nor_the_command_line() -> None:
    others = {"torch", "typer", "rich", "PIL", "matplotlib", "jax", "tensordict", "pyspiel", "textarena", "tradewinds.agents"}
    code = f"import sys, tradewinds.envs; print(sorted({others} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_core_names_no_game() -> None:
    for path in sources("envs/core"):
        text = path.read_text(encoding="utf-8")
        assert not any(name in text for name in tw.games()), path


@cache
def words(path: Path) -> str:
    """Names and texts in the code of a file, one per line; docstrings, which give examples, are left out."""
    return "\n".join([*_words(path), *imports(path)])


def _words(path: Path) -> Iterator[str]:
    prose = {node.value for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose:
            yield node.value
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name


def test_no_game_is_named_outside_its_own_folders() -> None:
    """But envs/__init__.py lists those that come with Tradewinds, with overloads for editors, whose options envs/typed.py has."""
    typed = {ROOT / "envs" / "__init__.py", ROOT / "envs" / "typed.py"}
    own = [ROOT / "envs" / name for name in tw.games()] + [ROOT / "agents" / "scripted" / name for name in tw.games()]
    facades = {ROOT / "envs" / f"{tw.game(name).env_id}.py" for name in tw.games()}
    names = [spelt for name in tw.games() for spelt in (name, name.title().replace("_", ""))]
    for path in sources("tradewinds", "envs", "agents", "training", "benchmarks"):
        if path not in typed | facades and not any(path.is_relative_to(folder) for folder in own):
            assert not any(name in words(path) for name in names), path


@pytest.mark.parametrize("name", tw.games())
def test_the_version_of_a_game_is_stated_once(name: str) -> None:
    facade = ROOT / "envs" / f"{tw.game(name).env_id}.py"  # which `facade` checks against its own name
    code = [node for node in ast.parse(facade.read_text(encoding="utf-8")).body if not isinstance(node, ast.Expr)]
    assert len(code) == 3
    stated = [path for path in sources("envs", "agents", "tradewinds") if re.search(rf"\b{name}[-_]v\d", words(path))]
    assert not stated


@pytest.mark.parametrize("name", tw.games())
def test_files_of_a_game_import_only_what_stands_before_them(name: str) -> None:
    own = f"tradewinds.envs.{name}"
    for path in sources(f"envs/{name}"):
        part = path.relative_to(ROOT / "envs" / name).parts[0].removesuffix(".py")
        for imported in imports(path):
            if imported.startswith("tradewinds.envs."):
                assert imported.startswith((f"{own}.", "tradewinds.envs.core")) or imported == own, f"{path} imports {imported}"
            if imported.startswith(f"{own}."):
                other = imported.removeprefix(f"{own}.").split(".")[0]
                if other in ORDER:
                    assert ORDER.index(other) <= ORDER.index(part), f"{path} imports {imported}"


def test_agents_import_no_training_and_environments_neither() -> None:
    for path in sources("envs"):
        assert not any(name.startswith(("tradewinds.agents", "tradewinds.training")) for name in imports(path)), path
    for path in sources("agents"):
        assert not any(name.startswith("tradewinds.training") for name in imports(path)), path


def test_pages_name_no_game_and_nothing_below_imports_them() -> None:
    for path in [*sources("web"), *(ROOT / "web" / "page").glob("*.js")]:
        assert not any(name in path.read_text(encoding="utf-8") for name in tw.games()), path
    for path in sources("envs", "agents", "training"):
        assert not any(name.startswith("tradewinds.web") for name in imports(path)), path


def test_every_package_is_shipped() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = {".".join(dotted(path.parent)) for path in sources(*TOPS)}
    assert set(listed) == found


@pytest.mark.parametrize("name", tw.games())
def test_every_clause_is_cited_by_a_test(name: str) -> None:
    text = (ROOT / "envs" / name / "RULES.md").read_text(encoding="utf-8")
    clauses = set(re.findall(r"\b[A-Z]{2}-(?:[A-Z0-9]+-)*[A-Z0-9]+[a-z]?\b", text))
    assert len(clauses) > 20
    cited: set[str] = set()
    for path in (ROOT / "tests" / name).rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                cited |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    assert not cited - clauses, "tests cite clauses that do not exist"
    assert not clauses - cited, "clauses that no test cites"


@pytest.mark.parametrize("name", tw.games())
def test_every_clause_is_cited_where_it_is_implemented(name: str) -> None:
    text = (ROOT / "envs" / name / "RULES.md").read_text(encoding="utf-8")
    clauses = set(re.findall(r"\b[A-Z]{2}-(?:[A-Z0-9]+-)*[A-Z0-9]+[a-z]?\b", text))
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources(f"envs/{name}"))
    assert not {clause for clause in clauses if not re.search(rf"{clause}\b", code)}


def test_contributing_names_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:tradewinds|envs|agents|training|benchmarks|configs|tests)/[\w/<>.]*)`", text))
    assert len(named) > 15
    for path in named:
        for name in tw.games() if "<game>" in path else [""]:
            assert (ROOT / path.replace("<game>", name)).exists(), path


def test_workflows_run_make_targets_that_exist_with_actions_pinned_by_commit() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        steps = [step for job in jobs.values() for step in job["steps"]]
        assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step), path
        made = {name for step in steps for name in re.findall(r"^make (\w+)", step.get("run", ""), flags=re.MULTILINE)}
        assert {"lint", "test", "docs"} <= made <= targets
