"""Write the leaderboard page: `python -m tradewinds.leaderboard [FILE]`, by default docs/leaderboard.md."""

import sys
from pathlib import Path

from .page import page

Path(sys.argv[1] if len(sys.argv) > 1 else "docs/leaderboard.md").write_text(page(), encoding="utf-8")
