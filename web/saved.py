"""Games of earlier runs of the server, beside their replays: GAME.json holds the seats and their tokens."""

from pathlib import Path
from typing import Any

from tradewinds.envs.core.io.parse import parse_json, read_bytes

FORMAT = 1
MOST_FACTS = 1 << 20  # bytes of the file of seats


def read_facts(file: Path) -> Any:
    """What `Session.describe` wrote.

    Raises:
        OSError, ValueError: It cannot be read.
    """
    return parse_json(read_bytes(file, file.name, MOST_FACTS), file.name)


def saved_games(folder: Path) -> list[str]:
    """The ids of the games of earlier runs that are neither over nor stopped, the latest first."""
    found = []
    for path in folder.glob("*.json"):
        try:
            facts = read_facts(path)
            if facts["format"] == FORMAT and not facts["stopped"] and not facts["over"]:
                found.append((path.stat().st_mtime, path.stem))
        except (OSError, ValueError, TypeError, KeyError):
            continue  # not one of ours, or damaged
    return [number for _, number in sorted(found, reverse=True)]
