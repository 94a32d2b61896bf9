"""The benchmark of search: simulations per second."""

import time
from itertools import count

import pytest

from tests.contract.tools import amount
from tradewinds.benchmarks.searching import simulations_per_second


@pytest.mark.slow
def test_simulations_are_counted_by_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=2)
    monkeypatch.setattr(time, "process_time", lambda: next(ticks))
    simulations = amount(50, 4)
    speed = simulations_per_second("santiago_de_cuba", "random", positions=2, simulations=simulations, players=2)
    assert 0 < speed <= simulations  # of two positions in two seconds, unless one was decided early
