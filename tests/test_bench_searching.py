"""The benchmark of search: simulations per second."""

import time
from itertools import count
from typing import Any

import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount
from tradewinds.agents.search import Search
from tradewinds.benchmarks.searching import SETTINGS, simulations_per_second


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_simulations_are_counted_by_processor_time(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=2)
    monkeypatch.setattr(time, "process_time", lambda: next(ticks))
    simulations = amount(50, 4)
    speed = simulations_per_second("santiago_de_cuba", settings, positions=2, simulations=simulations, players=2)
    assert 0 < speed <= simulations  # of two positions in two seconds, unless one was decided early


def test_one_column_has_the_network_s_priors() -> None:
    variant = tw.game("santiago_de_cuba").with_options()
    assert [Search(variant, simulations=4, **settings).code for settings in SETTINGS.values()][2] == "search:4:prior=policy"
