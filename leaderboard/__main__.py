"""Write the leaderboard page: `python -m tradewinds.leaderboard [FILE]`, by default docs/leaderboard.md."""

import sys
from pathlib import Path

from tradewinds.envs.core.io.atomic import write_file
from tradewinds.training.evaluation.benchmark import ResultError

from .page import page

try:
    write_file(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/leaderboard.md"), page().encode())
except (ResultError, OSError) as error:
    sys.exit(f"leaderboard: {error}")
