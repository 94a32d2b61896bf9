"""The API reference: every public name, from its docstring; and the command line, from its own help."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tradewinds as tw

# Page -> title, and the modules on it. A module's public names are those of its `__all__`, else what it defines itself.
PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "tradewinds": ("tradewinds", "`import tradewinds as tw`: environments, agents and evaluation.", ("tradewinds",)),
    "envs": (
        "Interfaces",
        "Gymnasium vectors, prompts, TextArena, OpenEnv, TorchRL and OpenSpiel.",
        ("envs.vector", "envs.text", "envs.textarena", "envs.openenv", "envs.torchrl", "envs.spiel"),
    ),
    "agents": (
        "Agents",
        "Agents by code, the scripted bots, search, networks and language models.",
        ("agents", "agents.scripted", "agents.search", "agents.neural", "agents.random", "agents.llm", "agents.hints", "agents.analysis"),
    ),
    "training": (
        "Training",
        "The trainer, its configs and runs; evaluation and benchmark; Stable-Baselines3, RLlib and datasets.",
        (
            "training.config",
            "training.train",
            "training.run_dir",
            "training.ppo",
            "training.gae",
            "training.evaluation.evaluate",
            "training.benchmark.suites",
            "training.benchmark.files",
            "training.evaluation.stats",
            "training.datasets",
            "training.sb3",
            "training.rllib",
        ),
    ),
    "spec": (
        "For authors of games",
        "What a game declares, and what its kernels may call: for those who add a game.",
        (
            "envs.core.spec.game",
            "envs.core.spec.fields",
            "envs.core.spec.actions",
            "envs.core.spec.layout",
            "envs.core.spec.options",
            "envs.core.engine.kernel",
            "envs.core.engine.rng",
            "envs.core.io.history",
            "envs.core.render.places",
            "envs.core.render.svg",
            "envs.core.api.facade",
        ),
    ),
}


def public_names(root: Path, module: str) -> list[str]:
    """The public names of a module, as its source says, without importing it."""
    tree = ast.parse(_file(root, module).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            return [name for name in ast.literal_eval(node.value) if name != "__version__"]
    return [node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")]


def pages(root: Path) -> Iterator[tuple[str, str, str, str]]:
    """Name, menu title, text and source of each page."""
    links = "\n".join(f"- [{title}]({name}.md): {about}" for name, (title, about, _) in PAGES.items())
    yield "index.md", "", f"# Reference\n\n{links}\n- [Command line](cli.md): every command and option.\n", ""
    yield "cli.md", "Command line", _command_line(), ""
    for name, (title, about, modules) in PAGES.items():
        yield f"{name}.md", title, "\n\n".join([f"# {title}", about, *(_module(root, module) for module in modules)]) + "\n", ""


def full_name(module: str) -> str:
    """The import name of a module that is given below `tradewinds`."""
    return module if module == "tradewinds" else f"tradewinds.{module}"


def _module(root: Path, module: str) -> str:
    docstring = ast.get_docstring(ast.parse(_file(root, module).read_text(encoding="utf-8"))) or ""
    about = docstring.splitlines()[0] if docstring else ""
    functions_first = sorted(public_names(root, module), key=lambda name: name[0].isupper())
    names = [f"::: {full_name(module)}.{name}" for name in functions_first]
    return "\n\n".join([f"## {full_name(module)}", about, *names])


def _file(root: Path, module: str) -> Path:
    path = root / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _command_line() -> str:
    import typer.main

    group: Any = typer.main.get_command(importlib.import_module("tradewinds.cli.app").app)
    sections = ["# Command line", f"`tradewinds COMMAND --help` says the same. This is version {tw.__version__}."]
    for name, command in group.commands.items():
        arguments = [_argument(parameter) for parameter in command.params if parameter.param_type_name == "argument"]
        usage = " ".join(["tradewinds", name, *arguments, "[OPTIONS]"])
        sections += [f"## tradewinds {name}", f"```text\n{usage}\n```", command.help or ""]
        sections.append(_options(command))
    return "\n\n".join(sections) + "\n"


def _argument(parameter: Any) -> str:
    shown = parameter.metavar or parameter.name.upper()
    return shown if parameter.required or shown.startswith("[") else f"[{shown}]"


def _options(command: Any) -> str:
    lines = ["| option | meaning |", "|---|---|"]
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        names = ", ".join(f"`{option}`" for option in [*parameter.opts, *parameter.secondary_opts])
        if parameter.param_type_name == "argument":
            names = f"`{_argument(parameter)}`"
        meaning = " ".join((getattr(parameter, "help", "") or "").split()).replace("|", "\\|")
        default = parameter.default
        shown = (
            f" Default: `{default}`." if isinstance(default, (int, float, str)) and not isinstance(default, bool) and default != "" else ""
        )
        lines.append(f"| {names} | {meaning}{shown} |")
    return "\n".join(lines)
