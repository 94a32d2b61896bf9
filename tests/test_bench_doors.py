"""The benchmark of copies, saves, frames and vectors."""

import time
from itertools import count

import pytest

from tradewinds.benchmarks import doors

GAME = "santiago_de_cuba"


def test_calls_take_turns_and_the_median_of_their_processor_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    ticks = iter([0, 1, 1, 3, 3, 4, 4, 104, 104, 105, 105, 107])  # the second call of round two was disturbed
    monkeypatch.setattr(time, "process_time", lambda: next(ticks))
    assert doors.milliseconds(lambda: called.append("a"), lambda: called.append("b"), number=2, rounds=3) == [500, 1000]
    assert called == ["a", "a", "b", "b"] * 3


@pytest.mark.parametrize(("at_least", "met"), [(True, "aim >= 2: not met"), (False, "aim <= 2: met")])
def test_a_line_says_whether_its_aim_is_met(at_least: bool, met: str) -> None:
    assert str(doors.Line("copy(), ms", 1.5, 2, at_least)).endswith(met)


@pytest.mark.parametrize(("value", "code"), [(1, 0), (3, 1)])
def test_a_missed_aim_is_the_exit_code(value: float, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("copies", "loads", "checks", "frames", "vectors", "torchrl"):
        monkeypatch.setattr(doors, name, lambda game, name=name: [doors.Line(name, value if name == "loads" else 1, 2)])
    assert doors.main([GAME]) == code


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")  # TorchRL's own
def test_every_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "process_time", count().__next__)
    assert [line.figure for line in doors.copies(GAME, number=2)] == ["copy(), ms", "copy(), times as fast as a pickle"]
    assert [line.value for line in doors.frames(GAME, count=2)] == [1000]
    assert [(line.figure, line.value) for line in doors.checks(GAME, rows=2)] == [("load_state_dict() of 2 games, ms", 1000)]
    assert [line.at_least for line in doors.vectors(GAME, steps=2, rows=2)] == [True]
    assert all(line.aim == 100 for line in doors.torchrl(GAME, steps=2, rows=2))
