"""The command `tradewinds`. Its subcommands are the modules of this package."""

import importlib.util
import os
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 bad input, 130 interrupted."""
    missing = [name for name in ("typer", "rich") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"tradewinds: the command line needs {' and '.join(missing)}: pip install 'tradewinds[cli]'", file=sys.stderr)
        return 1
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # users keep their own agents in the folder where they run the command
    from .app import run  # only now: it imports typer and rich

    return run(argv)


if __name__ == "__main__":
    sys.exit(main())
