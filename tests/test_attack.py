"""A short run of the attack driver, and the driver itself; `python -m tests.attack --seconds 3600` is a long run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack import __main__ as driver
from tests.attack.__main__ import attack
from tests.attack.fakes import ACTS, AT
from tests.attack.formats import FORMATS
from tests.support import sample
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT

ROOT = Path(__file__).parents[1]
# Fixed numbers, so that a faster machine makes the same tries: about 50 seconds of one core when compiled.
TRIES = {"saves": 6_000, "replays": 3_000, "states": 2_000, "configs": 1_500, "networks": 1_500, "checkpoints": 300, "results": 1_200}
KERNELS = ("saves", "states")  # what reaches the kernels, and so differs as plain Python and with bounds checks


@pytest.fixture(autouse=True)
def _children_find_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # the tries are made by processes of their own


@pytest.mark.slow
@pytest.mark.bounds
@pytest.mark.parametrize("name", FORMATS)
def test_mutated_input_is_accepted_or_refused_and_never_anything_else(name: str) -> None:
    if (not JIT or BOUNDSCHECK) and name not in KERNELS:
        pytest.skip("only what reaches the kernels differs in this way of running them")
    tries = TRIES[name] if JIT and not BOUNDSCHECK else 500 if JIT else 150
    _, counts, findings = attack(name, seed=1, first=0, seconds=float("inf"), last=sample(tries, 20_000))
    assert not findings
    assert counts.total() == sample(tries, 20_000) and counts["refused"] and counts["accepted"]


@pytest.mark.slow
@pytest.mark.compiled  # once is enough
@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, (_, kind) in ACTS.items()])
def test_the_driver_finds_what_is_not_supposed_to_happen(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "HANG", 1.0)
    first, counts, findings = attack(name, seed=1, first=0, seconds=float("inf"), last=AT + 3)
    assert first == AT + 3 and counts == {"accepted": AT + 2, kind: 1}
    assert len(findings) == 1 and f"--first {AT}: {kind}" in findings[0]


@pytest.mark.compiled
def test_a_try_that_takes_long_by_the_clock_is_a_finding_only_if_it_does_so_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = iter([None, "accepted"])
    monkeypatch.setattr(driver.Lines, "outcome", lambda lines: next(asked))
    _, counts, findings = attack("raises", seed=1, first=0, seconds=float("inf"), last=1)
    assert counts == {"accepted": 1} and not findings


@pytest.mark.compiled
def test_how_far_the_tries_are_is_written_while_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "KEPT_EVERY", 0.0)
    file = tmp_path / "progress.json"
    keep, said = driver.Progress(file).keeper("raises"), []

    def on_try(first: int) -> None:
        keep(first)
        said.append(json.loads(file.read_text()))

    attack("raises", seed=1, first=0, seconds=float("inf"), last=2, on_try=on_try)
    assert said == [{"raises": 1}, {"raises": 2}]
    command = [sys.executable, "-m", "tests.attack", "--formats", "saves", "--tries", "0", "--resume", str(file)]
    subprocess.run(command, timeout=300, check=False)
    assert json.loads(file.read_text()) == {"raises": 2, "saves": 0}
