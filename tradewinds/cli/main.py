"""The command `tradewinds`. Its subcommands are the modules of this package."""

import importlib.util
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 bad input, 130 interrupted."""
    missing = [name for name in ("typer", "rich") if importlib.util.find_spec(name) is None]
    if missing:
        from tradewinds.envs.core.api.optional import how_to_install

        print(f"tradewinds: the command line needs {' and '.join(missing)}: {how_to_install('cli')}", file=sys.stderr)
        return 1
    from .app import run  # only now: it imports typer and rich

    return run(argv)


if __name__ == "__main__":
    sys.exit(main())
