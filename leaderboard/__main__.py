"""Add result files to the leaderboard and write its page: `python -m tradewinds.leaderboard [FILE ...]`, in a checkout."""

import sys
from pathlib import Path

from .page import add, page

add([Path(name) for name in sys.argv[1:]])
Path("docs/leaderboard.md").write_text(page(), encoding="utf-8")
