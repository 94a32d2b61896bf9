"""A replay as one HTML file that needs nothing else: no server, no network, no font of the machine."""

import base64
import gzip
import json
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from tradewinds.agents.analysis import Analysis
from tradewinds.envs.core.io.replay import Replay

from .analysis import as_data
from .frames import ALL, document

PAGE = files("tradewinds.web") / "page"
MODULES = ("strings.en.js", "board.js", "chart.js", "analysis.js", "replay.js")
STYLES = ("app.css", "analysis.css")
WEIGHTS = {"Regular": 400, "Bold": 700}


def html(replay: Replay, views: Sequence[str] = (ALL,), analysis: Any = None) -> str:
    """The page with the game in it; `document` explains the arguments."""
    data = document(replay, views, as_data(analysis, replay) if isinstance(analysis, Analysis) else analysis)
    packed = gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 9, mtime=0)
    parts = {
        "title": escape(f"{data['title']}: {data['variant']}"),
        "style": fonts() + "".join(map(read, STYLES)),
        "data": base64.b64encode(packed).decode(),
        "script": script(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], read("replay.html"))


def script() -> str:
    """The modules in one: a page on a disk cannot import files."""
    joined = "\n".join(read(name) for name in MODULES)
    return re.sub(r"^import .*\n|^export (?=\w)", "", joined, flags=re.MULTILINE)


def fonts() -> str:
    """The style rules of the embedded fonts."""
    rule = "@font-face {{ font-family: Roboto; font-weight: {weight}; src: url(data:font/woff;base64,{font}) format('woff'); }}\n"
    return "".join(
        rule.format(weight=weight, font=base64.b64encode((PAGE / f"Roboto-{name}.woff").read_bytes()).decode())
        for name, weight in WEIGHTS.items()
    )


def read(name: str) -> str:
    """The text of a file of the page."""
    return (PAGE / name).read_text(encoding="utf-8")
