"""A short run of the attack driver; `python -m tests.attack --seconds 3600` is a long one."""

from pathlib import Path

import pytest

from tests.attack.__main__ import attack
from tests.attack.formats import FORMATS
from tests.support import sample
from tradewinds.envs.core.engine.kernel import JIT

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_mutated_input_is_accepted_or_refused_and_never_anything_else(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not JIT and name not in ("saves", "states"):
        pytest.skip("only what reaches the kernels differs in plain Python")
    monkeypatch.chdir(ROOT)  # the tries are made by processes of their own
    # The number of tries is fixed, so that a faster machine makes the same ones.
    _, counts, findings = attack(name, seed=1, first=0, seconds=sample(60, 600), last=sample(150, 20_000))
    assert not findings
    assert counts.total() > 10
