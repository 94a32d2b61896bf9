"""The documentation builds without a warning, all its links lead somewhere, and every public name is in it."""

import ast
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock

import tradewinds as tw

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.integration
# The public API beside `tradewinds.__all__`: modules that the pages name.
MODULES = [
    "agents",
    "agents.scripted",
    "agents.search",
    "agents.neural",
    "agents.llm",
    "agents.analysis",
    "envs.vector",
    "envs.text",
    "envs.textarena",
    "envs.openenv",
    "envs.torchrl",
    "envs.spiel",
    "training.config",
    "training.train",
    "training.run_dir",
    "training.datasets",
    "training.sb3",
    "training.rllib",
    "training.evaluation.evaluate",
    "training.benchmark.suites",
    "training.benchmark.files",
    "envs.core.spec.game",
    "envs.core.spec.fields",
    "envs.core.spec.actions",
    "envs.core.spec.layout",
    "envs.core.spec.options",
]


class Page(HTMLParser):
    """The anchors, links and fetched resources of one page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        elif tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.fetched.append(str(given.get("href")))
        elif given.get("src"):
            self.fetched.append(str(given["src"]))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The built site, built by the first process that asks."""
    base = tmp_path_factory.getbasetemp() if worker_id == "master" else tmp_path_factory.getbasetemp().parent
    folder = base / "site"
    with FileLock(base / "site.lock"):
        if not folder.exists():
            environment = {**os.environ, "TRADEWINDS_JIT": "0", "NO_MKDOCS_2_WARNING": "1"}
            command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(base / "building")]
            run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
            assert run.returncode == 0 and not run.stderr, run.stdout + run.stderr
            (base / "building").rename(folder)
    return folder


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_link_and_anchor_leads_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        if path.name == "404.html":  # its links are those of the root of the site's address
            continue
        for link in [*page.links, *page.fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            fragment = unquote(parts.fragment)
            if not target.exists() or (
                fragment and target in pages and not fragment.startswith("__") and fragment not in pages[target].ids
            ):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert len(pages) > 30 and not broken


def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    assert not [resource for page in pages.values() for resource in page.fetched if urlsplit(resource).netloc]
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import )[\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet
    assert not any('data-md-component="source"' in path.read_text(encoding="utf-8") for path in pages)  # it would ask GitHub for stars


def public(module: str) -> list[str]:
    """`__all__`, or what a module defines itself."""
    path = ROOT / module.replace(".", "/")
    tree = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return ast.literal_eval(node.value)
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")]


def test_every_public_name_is_in_the_reference(pages: dict[Path, Page]) -> None:
    documented = set().union(*(page.ids for path, page in pages.items() if path.parent.name == "reference"))
    wanted = {f"tradewinds.{name}" for name in tw.__all__ if name != "__version__"}
    wanted |= {f"tradewinds.{module}.{name}" for module in MODULES for name in public(module)}
    wanted |= {"tradewinds.Evaluation.win_rate", "tradewinds.Game.score_scale", "tradewinds.training.config.PpoConfig.clip_coef"}
    assert len(wanted) > 80 and not wanted - documented


def test_every_page_has_a_title_of_its_own(site: Path, pages: dict[Path, Page]) -> None:
    menu = re.findall(
        r'class="md-nav__link">\s*<span class="md-ellipsis">(.*?)</span>', (site / "models" / "index.html").read_text(), re.DOTALL
    )
    titles = {re.sub(r"<[^>]+>", "", title).strip() for title in menu}
    assert {f"{tw.game('container').title}, {players} players" for players in (3, 4, 5)} <= titles
    headings = {path: re.findall(r"<h1[^>]*>(.*?)(?:<|$)", path.read_text(encoding="utf-8")) for path in pages if path.name != "404.html"}
    assert not [path for path, found in headings.items() if len(found) != 1 or not found[0].strip(" -")]


@pytest.mark.parametrize("name", tw.games())
def test_the_page_of_a_game_has_its_options_observation_actions_and_rules(site: Path, pages: dict[Path, Page], name: str) -> None:
    game = tw.game(name)
    text = re.sub(r"<[^>]+>", "", (site / "games" / f"{name}.html").read_text(encoding="utf-8"))
    assert all(option.name in text for option in game.options)
    assert all(part.name in text for part in game.with_options().layout.parts)
    assert all(kind.name.lower() in text for kind in game.actions.kinds)
    assert f"Discrete({len(game.actions)})" in text and f"v{game.version}: " in text
    clauses = re.findall(
        r"^- ([A-Z]{2}(?:-[A-Z0-9]+)+[a-z]?)\b", (ROOT / "envs" / name / "RULES.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(clauses) > 10 and set(clauses) <= pages[site / "games" / f"{name}_rules.html"].ids
