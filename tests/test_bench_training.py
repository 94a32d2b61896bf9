"""`tradewinds bench --training`: that it measures what it says. How fast anything is, no test asks."""

import importlib.util
import io
from typing import Any

import pytest
from rich.console import Console

from tradewinds.benchmarks import report, training
from tradewinds.cli.main import main

pytestmark = pytest.mark.integration
GAME = "santiago_de_cuba"
TINY: dict[str, Any] = {"width": 16, "blocks": 1, "rows": 8, "steps": 4, "minibatch": 16, "epochs": 1}
RESIDUAL = {**TINY, "base": "scripted"}


class Silent:
    def stage(self, text: str, total: int) -> None:
        pass

    def tick(self) -> None:
        pass


@pytest.mark.compiled
def test_both_trainers_are_measured_on_one_network_and_batch_and_their_time_is_accounted_for() -> None:
    result = training.run_training(GAME, 0.01, 2, Silent(), [TINY, RESIDUAL])
    assert result["failures"] == []
    measured, residual = result["measured"]
    assert residual["setting"] == RESIDUAL and [one["trainer"] for one in residual["trainers"]] == ["tradewinds"]
    assert measured["setting"] == TINY
    assert [(one["trainer"], one["opponents"]) for one in measured["trainers"]] == [
        ("tradewinds", None),
        ("sb3", "self"),
        ("sb3", "random"),
    ]
    ours, self_play, random = measured["trainers"]
    for one in measured["trainers"]:
        assert len(one["rounds"]) == len(one["cpu_rounds"]) == 2 and one["steps_per_second"] > 0
        assert 0 < one["games_share"] < 1 and sum(one["stage_shares"].values()) < 1
    assert self_play["stage_shares"]["opponents"] > 0
    players, width = 4, TINY["width"]
    assert ours["parameters"] - random["parameters"] == (2 * players - 1) * (width + 1)  # the value heads
    assert [line["at_least"] for line in measured["aims"]] == [True, True, False]
    shown = io.StringIO()
    report.show_training(result, Console(file=shown, width=200))
    assert all(
        words in shown.getvalue()
        for words in ("copies of the policy", "environment stepping", "SB3 with self-play", "width 16", "residual")
    )


def test_a_burst_learns_from_as_many_decisions_as_it_counts() -> None:
    native, rival = training.NativeTraining(game=GAME, **TINY), training.Sb3Training(game=GAME, opponents="random", **TINY)
    assert native.burst() == rival.burst() == TINY["rows"] * TINY["steps"]
    assert native.trainer.buffer.learner_mask.all()
    assert [training.NativeTraining(game=GAME, **setting).trainer.spec.base for setting in (TINY, RESIDUAL)] == ["none", "scripted"]
    assert rival.model.num_timesteps == 2 * TINY["rows"] * TINY["steps"]


def test_the_aims_are_compared_round_by_round() -> None:
    def trainer(name: str, opponents: str | None, *rounds: float) -> dict[str, Any]:
        return {"trainer": name, "opponents": opponents, "rounds": rounds, "cpu_rounds": rounds, "games_share": 0.06}

    lines = training.training_aims(
        [trainer("tradewinds", None, 8, 8, 30), trainer("sb3", "self", 4, 2, 3), trainer("sb3", "random", 8, 5, 30)]
    )
    assert [(line["value"], line["met"]) for line in lines] == [(4, True), (1, False), (0.06, False)]
    assert training.training_aims([trainer("sb3", "self", 1)]) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--cold"], "do not apply to --training"),
        (["--sizes", "4"], "do not apply to --training"),
        (["container", "puerto_rico"], "one game"),
        (["chess"], "chess"),
        (["--rounds", "0"], "--rounds"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--training", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1 and said in captured.err


def test_without_sb3_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None if name == "sb3_contrib" else found(name, package))
    assert main(["bench", "--training"]) == 2
    assert "pip install '.[train]' in a clone" in capsys.readouterr().err
