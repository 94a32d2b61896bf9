"""What the web page brings along."""

import tomllib
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement


def needed(package: str, extra: str = "", seen: frozenset[tuple[str, str]] = frozenset()) -> set[str]:
    """The packages that a package needs with one of its extras, directly or not."""
    found: set[str] = set()
    for line in requires(package) or []:
        one = Requirement(line)
        if one.marker is not None and not one.marker.evaluate({"extra": extra}):
            continue
        found.add(one.name)
        for more in ["", *one.extras]:
            if (one.name, more) not in seen:
                seen |= {(one.name, more)}
                found |= needed(one.name, more, seen)
    return found


def test_compressed_answers_leave_streams_alone() -> None:
    """Before starlette 0.46 news would wait in the buffer of the compression."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    starlette = next(one for one in map(Requirement, project["optional-dependencies"]["web"]) if one.name == "starlette")
    assert "0.45.3" not in starlette.specifier and "0.46" in starlette.specifier


def test_the_extra_web_brings_at_most_10_packages_more_than_the_command_line() -> None:
    more = needed("tradewinds", "web") - needed("tradewinds", "cli")
    assert {"starlette", "uvicorn"} <= more
    assert len(more) <= 10, more
