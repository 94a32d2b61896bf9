"""YAML from outside: without aliases, which can make a small file huge, and with limits on size and nesting."""

from pathlib import Path
from typing import Any

import yaml

from tradewinds.envs.core.io.parse import read_bytes

MOST_BYTES = 1 << 20
MOST_NESTING = 32


class LimitedLoader(yaml.SafeLoader):
    """Builds plain values only, and no more of them than the text has."""

    _nesting = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse aliases and deep nesting, then build as PyYAML does."""
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("aliases (*name) are not supported: write the value out")
        self._nesting += 1
        if self._nesting > MOST_NESTING:
            raise yaml.YAMLError(f"nested more than {MOST_NESTING} deep")
        node = super().compose_node(parent, index)
        self._nesting -= 1
        return node


def load_yaml(path: Path) -> Any:
    """Read a YAML file.

    Raises:
        OSError: It cannot be read.
        yaml.YAMLError: It is not YAML, too large, nested too deeply, or has aliases.
    """
    try:
        return yaml.load(read_bytes(path, path.name, MOST_BYTES).decode("utf-8"), LimitedLoader)
    except (
        ValueError,
        RecursionError,
        TypeError,
    ) as error:  # too large, a date that does not exist, a number of 5,000 digits, a key that is a list
        raise yaml.YAMLError(str(error) or "nested too deeply") from None
