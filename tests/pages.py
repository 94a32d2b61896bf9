"""Links in Markdown files and notebooks: where they lead, and which headings a file has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def markdown(path: Path) -> str:
    """The Markdown of a file, or of a notebook's cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


def anchors(path: Path) -> set[str]:
    """The anchors of a file's headings, as GitHub and the documentation make them."""
    prose = re.sub(r"^ *```.*?^ *```", "", markdown(path), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", prose, flags=re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip()) for heading in headings}


def broken_links(path: Path) -> Iterator[str]:
    """The links of a file to other files of the repository, or to headings in them, that lead nowhere."""
    for link in LINK.findall(FENCE.sub("", markdown(path))):
        file, _, anchor = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        target = (path.parent / file).resolve() if file else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link
