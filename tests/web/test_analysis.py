"""The analysis of a game: the same for any number of threads, kept beside the replay, and nothing of it from a damaged file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tradewinds.agents.analysis import Analysis, agent_code, analyse, analysis_path, kept_analysis
from tradewinds.web.analysis import as_data

from .conftest import played

VARIANT = tw.game("santiago_de_cuba").with_options(players=2)
CODE = agent_code(VARIANT, 16)


@pytest.fixture(scope="module")
def replay() -> tw.Replay:
    return played("santiago_de_cuba", 4, moves=10_000, players=2)


@pytest.fixture(scope="module")
def analysis(replay: tw.Replay) -> Analysis:
    return analyse(replay, CODE, threads=1)


def test_win_rates_sum_to_one_and_end_with_the_result(replay: tw.Replay, analysis: Analysis) -> None:
    assert len(analysis.win_rates) == len(replay.moves) + 1
    assert all(abs(sum(rates) - 1) < 1e-3 for rates in analysis.win_rates)
    assert replay.result is not None
    winners = [seat for seat, rank in enumerate(replay.result["ranks"]) if rank == 1]
    assert [seat for seat, part in enumerate(analysis.win_rates[-1]) if part > 0] == winners


def test_the_result_does_not_depend_on_the_number_of_threads(replay: tw.Replay, analysis: Analysis) -> None:
    assert analyse(replay, CODE, threads=3) == analysis


def test_costs_are_those_of_the_player_who_decided(analysis: Analysis) -> None:
    assert analysis.costly, "random play makes mistakes"
    for number in analysis.costly:
        review = analysis.reviews[number]
        values = {choice.action: choice.values[review.seat] for choice in review.choices}
        assert review.played != review.choices[0].action
        assert review.cost == pytest.approx(values[review.choices[0].action] - values[review.played], abs=2e-4)


def test_a_second_opening_searches_nothing(replay: tw.Replay, analysis: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    analysis.save(analysis_path(path), replay)
    monkeypatch.setattr("tradewinds.agents.search.Search.opinion", None)
    assert kept_analysis(path, replay, CODE) == analysis
    assert kept_analysis(path, replay, agent_code(VARIANT, 32)) is None, "another agent"
    shorter = tw.Replay(replay.game, replay.options, replay.seed, replay.opening, replay.moves[:-1])
    assert kept_analysis(path, shorter, CODE) is None, "another game"


@pytest.mark.parametrize("damage", ["cut", "number", "name", "huge", "not JSON"])
def test_a_damaged_file_counts_as_none(damage: str, replay: tw.Replay, analysis: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    analysis.save(analysis_path(path), replay)
    lines = analysis_path(path).read_text().splitlines()
    row = json.loads(lines[3])
    if damage == "cut":
        del lines[-1]
    elif damage == "number":
        row["value"][0] = "0.5"
    elif damage == "name":
        row["line"] = ["<script>"]
    elif damage == "huge":
        row["choices"][0][2] = [10**400, 0]
    lines[3] = "{" if damage == "not JSON" else json.dumps(row)
    analysis_path(path).write_text("\n".join(lines) + "\n")
    assert kept_analysis(path, replay, CODE) is None


def test_only_a_search_whose_values_are_win_rates_analyses(replay: tw.Replay) -> None:
    for code in ("scripted", "search:16", "search:16:margin=0", "search:0.1s:margin=0:reuse=no"):
        with pytest.raises(ValueError, match="as in search:400:margin=0:reuse=no"):
            analyse(replay, code)


def test_the_page_gets_places_and_the_played_choice(replay: tw.Replay, analysis: Analysis) -> None:
    data = as_data(analysis, replay)
    assert [review["choices"][review["played"]][0] for review in data["reviews"]] == [move.action for move in replay.moves]
    assert any(choice[3] for review in data["reviews"] for choice in review["choices"])
    page = replay.html(analysis=analysis)
    assert "AnalysisPanel" in page
    assert replay.html(analysis=replace(analysis, agent="search:1:margin=0:reuse=no")) != page
