"""`evaluate` and `tournament` as Python calls: the same result however the work is done."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.contract.tools import amount
from tests.training.players import HERE, Last, first_legal
from tests.training.tools import many_games
from tradewinds.agents import make
from tradewinds.training.evaluation import arena, schedule
from tradewinds.training.evaluation.evaluate import Evaluation, evaluate, tournament
from tradewinds.training.evaluation.runner import FolderError
from tradewinds.web.reading import read_folder

GAME = "santiago_de_cuba"
FIRST, LAST = f"{HERE}:first_legal", f"{HERE}:Last"
GAMES = amount(48, 3)


def untimed(found: Any) -> Any:
    """Everything that must not depend on how the work was done."""
    standings = "agents" if isinstance(found, Evaluation) else "standings"
    rows = [replace(standing, decision_seconds={}) for standing in getattr(found, standings)]
    return replace(found, seconds=0, games_per_second=None, workers=0, lost_workers=[], **{standings: rows})


@many_games
def test_results_do_not_depend_on_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_workers(workers: int) -> Evaluation:
        return evaluate(GAME, f"{HERE}:RemembersRows", [LAST, "random"], games=12, seed=2, workers=workers, players=3)

    monkeypatch.setattr(schedule, "STEPWISE_CHUNK", (3, 3))
    here, one, two = (with_workers(workers) for workers in (0, 1, 2))
    assert (here.workers, one.workers, two.workers) == (0, 1, 2)
    assert untimed(here) == untimed(one) == untimed(two)


@many_games
def test_results_do_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = evaluate(GAME, f"{HERE}:RemembersRows", "random", games=GAMES, workers=0, players=2)
    monkeypatch.setattr(schedule, "STEPWISE_CHUNK", (4, 4))
    assert untimed(evaluate(GAME, f"{HERE}:RemembersRows", "random", games=GAMES, workers=0, players=2)) == untimed(found)


@pytest.mark.slow
def test_bots_play_the_same_inside_the_compiled_loop_and_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's agent keeps its games out of the compiled loop."""
    monkeypatch.setattr(arena, "one_way", np.copy)  # or a user's agent would draw other numbers than the bot that it asks
    games = amount(64, 4)
    inside = evaluate(GAME, "scripted", "random", games=games, workers=0, players=2)
    assert all(agent.decision_seconds == {"mean": None, "slowest": None} for agent in inside.agents), "no agent is timed there"

    class Wrapped:
        def __init__(self, code: str) -> None:
            self.agent = make(code, GAME, players=2)

        def act(self, decisions: Any) -> np.ndarray:
            return self.agent.act(decisions)

    outside = evaluate(GAME, Wrapped("scripted"), Wrapped("random"), games=games, workers=0, players=2)
    assert outside.agents[0].decision_seconds["slowest"] is not None
    for figure in ("win_rate", "ci95", "mean_score", "mean_margin", "win_rate_by_seat", "decisions", "truncated"):
        assert getattr(inside, figure) == getattr(outside, figure)


def test_the_same_agent_on_both_sides_has_an_even_win_rate() -> None:
    found = evaluate(GAME, LAST, LAST, games=GAMES, workers=0, players=3)
    assert found.win_rate == pytest.approx(1 / 3)
    low, high = found.ci95
    assert low < 1 / 3 < high
    assert [standing.agent for standing in found.agents] == [LAST, LAST]


def test_figures_are_json_and_agree_with_each_other() -> None:
    games = amount(12, 3)
    found = evaluate(GAME, first_legal, [Last(), "random"], games=games - 2, workers=0, players=3)
    figures = json.loads(json.dumps(found.figures(), allow_nan=False))
    assert figures["games"] == games and figures["players"] == 3 and figures["options"]["players"] == 3
    assert figures["agent"] == "first_legal" and figures["opponents"] == ["Last", "random"]
    assert figures["win_rate"] == pytest.approx(np.mean(figures["win_rate_by_seat"]))
    assert figures["win_share"] == figures["win_rate"] and figures["win_share_by_seat"] == figures["win_rate_by_seat"]
    assert figures["ci95"][0] <= figures["win_rate"] <= figures["ci95"][1]
    assert sum(standing["seats"] for standing in figures["agents"]) == games * 3
    assert sum(standing["seats"] * standing["win_rate"] for standing in figures["agents"]) == pytest.approx(games)
    assert figures["decisions"]["shortest"] <= figures["decisions"]["mean"] <= figures["decisions"]["longest"]
    for standing in figures["agents"]:
        assert standing["decision_seconds"]["slowest"] >= standing["decision_seconds"]["mean"] > 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"games": 0}, "games must be a positive integer, got 0"),
        ({"games": 2.5}, "games must be a positive integer, got 2.5"),
        ({"players": 9}, "players must be an integer from"),
        ({"seed": -1}, "seed must be an integer"),
        ({"workers": -1}, "workers must be a non-negative integer, got -1"),
        ({"time_limit": 0}, "time_limit must be a positive number"),
        ({"opponents": []}, "at least one opponent"),
        ({"agent": "scrpted"}, "scripted"),
        ({"nobles": True}, "nobles"),
        ({"agent": first_legal, "folder": "anywhere"}, "codes"),
    ],
)
def test_what_is_not_possible_is_refused(changes: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments: dict[str, Any] = {"agent": FIRST, "opponents": "random", "games": 2, "workers": 0, "players": 2, **changes}
    with pytest.raises(ValueError, match=said):
        evaluate(GAME, **arguments)


def test_an_agent_that_cannot_be_sent_to_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="workers=0"):
        evaluate(GAME, lambda observation, mask: int(mask.argmax()), "random", games=4, workers=1, players=2)


@many_games
def test_a_tournament_is_an_evaluation_of_each_pair_on_the_same_seeds() -> None:
    codes = [FIRST, LAST, "random"]
    found = tournament(GAME, codes, games=6, workers=0, players=3, seed=8)
    assert found.total_games == 6 * 6 and found.agents == codes
    for row, code in enumerate(codes):
        assert found.table[row][row] is None
        for column, other in enumerate(codes):
            if row == column:
                continue
            pair = evaluate(GAME, code, other, games=6, workers=0, players=3, seed=8)
            (pairing,) = [pairing for pairing in found.pairings if (pairing.agent, pairing.others) == (code, other)]
            assert found.table[row][column] == pairing.win_rate == pair.win_rate
            assert (pairing.ci95, pairing.mean_score, pairing.mean_margin) == (pair.ci95, pair.mean_score, pair.mean_margin)
        assert found.win_rate[row] == pytest.approx(np.mean([rate for rate in found.table[row] if rate is not None]))
        assert found.ci95[row][0] <= found.win_rate[row] <= found.ci95[row][1]
    json.dumps(found.figures(), allow_nan=False)


@pytest.mark.parametrize(("codes", "said"), [([FIRST], "at least two"), ([FIRST, LAST, FIRST], "named twice")])
def test_a_tournament_needs_two_different_agents(codes: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tournament(GAME, codes, games=2, players=2)


@many_games
class TestFolder:
    """Runs that are kept and resumed."""

    arguments: dict[str, Any] = {"games": 24, "seed": 5, "workers": 0, "players": 2}  # noqa: RUF012

    @pytest.fixture(autouse=True)
    def _in_small_chunks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(schedule, "STEPWISE_CHUNK", (2, 6))

    def play(self, folder: Path, **changes: Any) -> Evaluation:
        return evaluate(GAME, FIRST, "random", folder=folder, **{**self.arguments, **changes})

    def test_a_run_that_is_cut_off_anywhere_continues_and_ends_the_same(self, tmp_path: Path) -> None:
        whole = self.play(tmp_path)
        results = tmp_path / "results.jsonl"
        data = results.read_bytes()
        lines = data.splitlines(keepends=True)
        assert len(lines) > 2
        for left in (0, len(lines[0]), len(lines[0]) + len(lines[1]) // 2, len(data) - 1):
            results.write_bytes(data[:left])
            assert untimed(self.play(tmp_path)) == untimed(whole)
            assert len(results.read_bytes().splitlines()) == len(lines)

    def test_a_run_that_is_done_plays_nothing(self, tmp_path: Path) -> None:
        whole = self.play(tmp_path)
        before = (tmp_path / "results.jsonl").read_bytes()
        again = self.play(tmp_path)
        assert (tmp_path / "results.jsonl").read_bytes() == before
        assert again.seconds == whole.seconds and untimed(again) == untimed(whole)

    @pytest.mark.parametrize(
        ("changes", "said"), [({"seed": 6}, "seed is 5 there and 6 here"), ({"games": 50}, "games is"), ({"players": 3}, "options is")]
    )
    def test_other_settings_are_refused_by_name(self, tmp_path: Path, changes: dict[str, Any], said: str) -> None:
        self.play(tmp_path, games=2)
        with pytest.raises(FolderError, match=said):
            self.play(tmp_path, **{"games": 2, **changes})

    def test_a_folder_in_use_is_refused(self, tmp_path: Path) -> None:
        def second(games: int) -> None:
            with pytest.raises(FolderError, match="in use"):
                self.play(tmp_path, games=2)

        self.play(tmp_path, games=2, on_progress=second)

    def test_a_damaged_folder_is_refused(self, tmp_path: Path) -> None:
        self.play(tmp_path, games=2)
        (tmp_path / "results.jsonl").write_text("what?\n")
        with pytest.raises(FolderError, match="damaged"):
            self.play(tmp_path, games=2)

    def test_a_folder_that_cannot_be_made_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(FolderError, match="cannot be used"):
            self.play(tmp_path / "file" / "folder", games=2)


def test_an_agent_of_the_field_that_no_game_needed_has_no_win_rate() -> None:
    found = evaluate(GAME, "random", ["scripted", "scripted:greedy"], games=2, players=2, workers=0)
    assert [agent.seats for agent in found.agents] == [2, 2, 0] and found.agents[2].win_rate is None
    json.dumps(found.figures(), allow_nan=False)


@pytest.mark.parametrize("matches", [[[0, 0]], [[1, 0]], [[0, 1], [0, 1]], [[0, 1], [1, 0], [0, 1]], [[0, 1, 1], [1, 0]]])
def test_a_folder_whose_matches_are_neither_an_evaluation_nor_a_tournament_is_not_read(matches: Any, tmp_path: Path) -> None:
    evaluate(GAME, "random", "scripted", games=2, players=2, workers=0, folder=tmp_path)
    assert read_folder(tmp_path).games == 2
    settings = json.loads((tmp_path / "settings.json").read_text())
    (tmp_path / "settings.json").write_text(json.dumps({**settings, "matches": matches}))
    with pytest.raises(FolderError, match="not that of an evaluation or a tournament"):
        read_folder(tmp_path)
