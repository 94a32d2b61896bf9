"""A terminal in a folder of its own."""

from pathlib import Path

import pytest

from .terminal_tools import Terminal


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)
