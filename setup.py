"""The long description for the package index: README.md with links that work outside the repository. All else is in pyproject.toml."""

import re
from pathlib import Path

from setuptools import setup

REPOSITORY = "https://github.com/tradewinds-rl/tradewinds"
readme = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
readme = re.sub(r"!\[([^\]]*)\]\((?!https?:)([^)]+)\)", rf"![\1]({REPOSITORY}/raw/main/\2)", readme)
readme = re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)", rf"[\1]({REPOSITORY}/blob/main/\2)", readme)
setup(long_description=readme, long_description_content_type="text/markdown")
