"""Add result files to the leaderboard and write its page: `python -m tradewinds.leaderboard [FILE ...]`, in a checkout."""

import sys
from pathlib import Path

from tradewinds.envs.core.io.atomic import write_file
from tradewinds.training.benchmark.files import ResultError

from .page import add, page

try:
    add([Path(name) for name in sys.argv[1:]])
    write_file(Path("docs/leaderboard.md"), page().encode())
except (ResultError, OSError) as error:
    sys.exit(f"leaderboard: {error}")
