"""The notebooks with their stored outputs, and the cards of trained networks."""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPOSITORY = "tradewinds-rl/tradewinds"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def pages(root: Path) -> Iterator[tuple[str, str, "str | bytes", str]]:
    """Name, menu title, text and source of each page and picture."""
    notebooks = sorted((root / "notebooks").glob("*.ipynb"))
    cells = {path: json.loads(path.read_text(encoding="utf-8"))["cells"] for path in notebooks}
    titles = {path: re.findall(r"^# (.*)", "".join(cells[path][0]["source"]))[0] for path in notebooks}
    links = "\n".join(f"{number}. [{titles[path]}]({path.stem}.md)" for number, path in enumerate(notebooks, 1))
    about = "Each page shows a notebook with the outputs of its last run and links to the file, which runs from top to bottom in minutes."
    command = f"!pip install 'tradewinds[train] @ git+https://github.com/{REPOSITORY}'"
    install = f"In Colab, run this in a cell first:\n\n{_fenced(command, 'text')}"
    yield "index.md", "", f"# Notebooks\n\n{about}\n\n{links}\n\n{install}\n", ""
    for path in notebooks:
        source = f"notebooks/{path.name}"
        pictures: dict[str, bytes] = {}
        text = "\n\n".join(_cell(cell, path.stem, pictures) for cell in cells[path])
        yield f"{path.stem}.md", titles[path], _with_link(text, source), source
        for name, data in pictures.items():
            yield name, "", data, ""


def cards(root: Path) -> Iterator[tuple[str, str, "str | bytes", str]]:
    """The card of each network that comes with Tradewinds."""
    found = sorted((root / "agents" / "pretrained").glob("*/CARD.md"))
    titles = {path: re.findall(r"^# (.*)", path.read_text(encoding="utf-8"), re.MULTILINE)[0] for path in found}  # below the metadata
    links = "\n".join(f"- [{titles[path]}]({path.parent.name}.md)" for path in found)
    about = "Networks that come with Tradewinds. Each card says what a network was trained on, with which config, and how strong it is."
    yield "index.md", "", f"# Trained networks\n\n{about}\n\n{links}\n", ""
    for path in found:
        yield f"{path.parent.name}.md", titles[path], path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()


def _with_link(text: str, source: str) -> str:
    title, _, rest = text.partition("\n")
    place = f"{REPOSITORY}/blob/main/{source}"
    opened = f"[Open the notebook](https://github.com/{place}){{ .md-button }}"
    in_colab = f"[Open in Colab](https://colab.research.google.com/github/{place}){{ .md-button }}"
    return f"{title}\n\n{opened} {in_colab}\n\nIn Colab, [install Tradewinds](index.md) first.\n{rest}"


def _cell(cell: dict[str, Any], stem: str, pictures: dict[str, bytes]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([_fenced(source, "python"), *(_output(output, stem, pictures) for output in cell["outputs"])])


def _output(output: dict[str, Any], stem: str, pictures: dict[str, bytes]) -> str:
    data = output.get("data", {})
    for kind, ending in (("image/svg+xml", "svg"), ("image/png", "png")):
        if kind in data:
            picture = "".join(data[kind])
            name = f"{stem}_{len(pictures)}.{ending}"
            pictures[name] = picture.encode() if ending == "svg" else base64.b64decode(picture)
            return f"![Output of the cell above]({name})"
    shown = "".join(output.get("text", data.get("text/plain", "")))
    return _fenced(COLOUR.sub("", shown).rstrip(), "text")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text}\n```"
