"""A door whose tool is not installed names the command that installs it."""

import importlib
import importlib.util
import sys

import pytest

from tradewinds.envs.core.api.optional import MissingExtraError


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("tradewinds.envs.textarena", "textarena", "llm"),
        ("tradewinds.envs.openenv", "openenv", "openenv"),
        ("tradewinds.envs.torchrl", "torchrl", "torchrl"),
        ("tradewinds.envs.spiel", "pyspiel", "spiel"),
    ],
)
def test_without_the_library_the_extra_is_named(module: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None if name == library else found(name, package))
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtraError, match=rf"{library}: pip install '.\[{extra}\]'"):
        importlib.import_module(module)
