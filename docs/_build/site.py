"""Hooks of mkdocs: pages generated from the code, and links from the site to files of the repository."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import game_pages
import notebook_pages
import reference_pages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import tradewinds as tw

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://github.com/tradewinds-rl/tradewinds"
# Files of the repository that are pages of the site as they are.
COPIES = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "changelog.md": "CHANGELOG.md",
    "doors/rllib.md": "training/RLLIB.md",
}
# Folders of the repository that stand for a page of the site, so that links to them work in both.
FOLDERS = {"envs": "games/index.md", "agents/pretrained": "models/index.md", "notebooks": "notebooks/index.md"}
FOLDERS |= {f"envs/{name}": f"games/{name}.md" for name in tw.games()}
LINK = re.compile(r"(\]\(|(?:src|href)=\")(?![a-z]+:|#|/)([^)\"#\s]*)(#[^)\"\s]*)?(\)|\")")
FENCE = re.compile(r"(^ *```.*?^ *```|`[^`\n]*`)", re.DOTALL | re.MULTILINE)


class Page:
    """A page that is not a file in docs/: its text, its title in the menu, and the file that its links are relative to."""

    def __init__(self, text: "str | bytes", title: str = "", source: str = "") -> None:
        self.text, self.title, self.source = text, title, source


PAGES: dict[str, Page] = {}  # by path in the site


def generate() -> dict[str, Page]:
    """All pages that are generated."""
    pages = {path: Page((ROOT / source).read_text(encoding="utf-8"), source=source) for path, source in COPIES.items()}
    for section, make in SECTIONS.items():
        for name, title, text, source in make(ROOT):
            pages[section + name] = Page(text, title, source or "docs/" + section + name)
    return pages


SECTIONS: dict[str, Callable[[Path], Any]] = {
    "games/": game_pages.pages,
    "models/": notebook_pages.cards,
    "notebooks/": notebook_pages.pages,
    "reference/": reference_pages.pages,
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Generate the pages and put them into the menu."""
    PAGES.update(generate())
    config.nav = _menu(config.nav)
    return config


def _menu(entry: Any) -> Any:
    if isinstance(entry, list):
        return [_menu(part) for part in entry]
    if isinstance(entry, dict):
        return {title: _menu(part) for title, part in entry.items()}
    if entry in SECTIONS:
        listed = [(path, page) for path, page in PAGES.items() if path.startswith(entry) and path.endswith(".md")]
        return [{page.title: path} if page.title else path for path, page in listed]
    return entry


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to the files in docs/."""
    for path, page in PAGES.items():
        files.append(File.generated(config, path, content=page.text))
    return files


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Make links to files of the repository lead to their page, or to the repository."""
    path = page.file.src_uri
    source = PAGES[path].source if path in PAGES else f"docs/{path}"
    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(lambda link: link[1] + _target(link[2], source, path) + (link[3] or "") + link[4], part) for part in parts[::2]]
    return "".join(parts)


def _target(link: str, source: str, path: str) -> str:
    """Where a link in a file of the repository leads to from a page of the site."""
    if not link:
        return link
    target = os.path.normpath(os.path.join(os.path.dirname(source), link))
    here = os.path.dirname(path) or "."
    if target in FOLDERS:
        return os.path.relpath(FOLDERS[target], here)
    for other, page in PAGES.items():
        if page.source == target:
            return os.path.relpath(other, here)
    if (ROOT / target).is_dir():
        return f"{REPOSITORY}/tree/main/{target}"
    if target.startswith("docs/"):
        return os.path.relpath(target.removeprefix("docs/"), here)
    return f"{REPOSITORY}/blob/main/{target}" if (ROOT / target).exists() else link
