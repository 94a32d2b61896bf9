"""Agents that fail are named with the position, and all other games are played."""

from functools import cache
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tests.training.players import HERE, FailsTogether
from tests.training.tools import many_games
from tradewinds.training.evaluation import runner
from tradewinds.training.evaluation.evaluate import Evaluation, evaluate

GAME = "santiago_de_cuba"
GAMES = 24


@pytest.fixture(autouse=True)
def _replays_go_to_a_folder_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def against(agent: str, workers: int = 0, time_limit: float | None = None, games: int = GAMES) -> Evaluation:
    """The bad agent is the opponent of a good one."""
    return evaluate(GAME, f"{HERE}:first_legal", f"{HERE}:{agent}", games=games, seed=4, workers=workers, time_limit=time_limit, players=2)


@cache
def unlucky_places(games: int = GAMES) -> list[tuple[int, int, int]]:
    return places(against("Illegal", games=games))


def places(found: Evaluation) -> list[tuple[int, int, int]]:
    return [(failure["game"], failure["seat"], failure["decision"]) for failure in found.failures]


def check(found: Evaluation, kind: str, said: str, games: int = GAMES) -> None:
    assert found.games == games, "all other games are played"
    assert found.failures
    for failure in found.failures:
        assert failure["kind"] == kind and said in failure["reason"]
        assert failure["agent"] == found.opponents[0]
        replay = tw.Replay.load(failure["replay"], tw.game(GAME))
        assert replay.seed == failure["seed"] and len(replay.moves) == failure["decision"]
        *_, env = replay.positions()
        assert env.agent_selection == f"player_{failure['seat']}"
    by_name = {standing.agent: standing for standing in found.agents}
    assert by_name[found.opponents[0]].failures == len(found.failures) and by_name[found.agent].failures == 0


@many_games
@pytest.mark.parametrize(
    ("agent", "kind", "said"),
    [
        ("Illegal", "illegal", "is not legal here: player_"),
        ("OutOfRange", "illegal", "there are 212 actions"),
        ("Raises", "error", "LookupError: no idea (players.py, line "),
        ("Leaves", "error", "SystemExit"),
        ("AnswersFractions", "answer", "float64"),
        ("AnswersTooMany", "answer", "shape (2,)"),
        ("AnswersNothing", "answer", "NoneType"),
    ],
)
def test_each_kind_of_bad_answer_loses_the_game_it_was_given_in(agent: str, kind: str, said: str) -> None:
    found = against(agent)
    check(found, kind, said)
    assert places(found) == unlucky_places()


@many_games
def test_an_answer_that_comes_too_late_loses_the_game() -> None:
    games = 8
    found = against("Dawdles", time_limit=0.3, games=games)
    assert places(found) == unlucky_places(games)
    assert all(failure["kind"] == "slow" and "the limit is 0.3 s" in failure["reason"] for failure in found.failures)


@many_games
@pytest.mark.parametrize(
    ("agent", "time_limit", "kind", "said"), [("Hangs", 1.0, "slow", "gave no answer in 1 s"), ("Dies", None, "died", "exit code -9")]
)
def test_an_agent_that_hangs_or_kills_its_process_loses_the_game(agent: str, time_limit: float | None, kind: str, said: str) -> None:
    games = 6
    found = against(agent, workers=2, time_limit=time_limit, games=games)
    check(found, kind, said, games)
    assert places(found) == unlucky_places(games)
    assert all(loss["agent"] == found.opponents[0] and loss["kind"] == kind for loss in found.lost_workers)


@many_games
def test_a_failed_game_is_won_by_the_other() -> None:
    won, played = against("Last"), against("Illegal")
    failed = [game for game, _, _ in places(played)]
    assert not won.failures and 0 < len(failed) < GAMES
    lost = evaluate(GAME, f"{HERE}:Illegal", f"{HERE}:first_legal", games=GAMES, seed=4, workers=0, players=2)
    assert lost.failures and lost.win_rate <= 1 - len(lost.failures) / GAMES
    assert played.win_rate >= len(failed) / GAMES


def test_games_without_an_end_give_no_score() -> None:
    found = evaluate(GAME, lambda observation, mask: -1, f"{HERE}:first_legal", games=4, workers=0, players=2)
    assert found.win_rate == 0 and found.mean_score is None and found.mean_margin is None
    assert found.ci95[0] == 0 and 0 < found.ci95[1] < 1


def test_a_fault_that_no_decision_shows_alone_is_charged_to_all_that_were_asked() -> None:
    found = evaluate(GAME, FailsTogether(), f"{HERE}:first_legal", games=64, workers=0, players=2)
    assert len(found.failures) == 64 and all("one at a time" in failure["reason"] for failure in found.failures)


@many_games
def test_only_some_failures_of_an_agent_are_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MAX_REPLAYS", 2)
    found = against("Illegal")
    assert len(found.failures) > 2
    assert [failure["replay"] is not None for failure in found.failures] == [True] * 2 + [False] * (len(found.failures) - 2)
