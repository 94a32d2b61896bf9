"""`tradewinds evaluate` and `tradewinds tournament` on the command line."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.training.players import HERE
from tests.training.tools import many_games
from tradewinds.cli.main import main

ROOT = Path(__file__).parents[2]
GAME = "santiago_de_cuba"
FIRST, LAST = f"{HERE}:first_legal", f"{HERE}:Last"
EVALUATE = ["evaluate", GAME, "--agent", FIRST, "--opponents", LAST, "--players", "2", "--games", "4"]
TOURNAMENT = ["tournament", GAME, FIRST, LAST, "--players", "2", "--games", "4"]


@pytest.fixture(autouse=True)
def _folders_are_the_tests_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1 and captured.err.startswith("tradewinds: error: ")
    return captured.err


@many_games
def test_evaluate_prints_one_json_object_whatever_agents_print(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", GAME, "--agent", f"{HERE}:Chatty", "--opponents", "random", "--players", "2", "--games", "5", "--json", "-"]
    for workers in ("0", "1"):
        assert main([*arguments, "--workers", workers]) == 0
        captured = capfd.readouterr()
        figures = json.loads(captured.out)
        assert {"win_rate", "ci95", "mean_score", "mean_margin", "games", "seconds", "failures", "agents"} <= set(figures)
        assert figures["games"] == 6 and figures["workers"] == int(workers) and figures["seconds"] > 0
        assert "6 games instead of 5" in captured.err and "thinking" in captured.err and "win rate" in captured.err


@pytest.mark.slow
def test_evaluate_prints_a_table_and_writes_one_row_per_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EVALUATE, "--workers", "0", "--csv", "games.csv", "--json", "found.json"]) == 0
    text = capsys.readouterr().out
    assert all(
        word in text for word in (FIRST, LAST, "win rate", "95% interval", "player_1", "env steps per game", "time per decision", "slowest")
    )
    rows = read_csv()
    figures = json.loads(Path("found.json").read_text())
    assert len(rows) == 4 and [row["agent_0"] for row in rows] == [FIRST, LAST] * 2
    assert [row["seed"] for row in rows[::2]] == [row["seed"] for row in rows[1::2]], "seeds are paired"
    own = [row["score_0"] if row["agent_0"] == FIRST else row["score_1"] for row in rows]
    assert sum(map(int, own)) / 4 == figures["mean_score"]
    assert sum(int(row["decisions"]) for row in rows) / 4 == figures["decisions"]["mean"]
    assert_sources_add_up(rows)


def assert_sources_add_up(rows: list[dict[str, str]]) -> None:
    """Each score of a game of Santiago de Cuba is the sum of its sources."""
    assert rows and all(
        int(row[f"points_{seat}"]) + int(row[f"goods_{seat}"]) == int(row[f"score_{seat}"]) for row in rows for seat in (0, 1)
    )


@pytest.mark.parametrize("agent", ["random", FIRST])
def test_the_rows_of_games_have_the_sources_of_each_score(agent: str) -> None:
    """In one process and in workers, inside the compiled loop and outside; kept games that were played without --csv have none."""
    arguments = ["evaluate", GAME, "--agent", agent, "--opponents", "random", "--players", "2", "--games", "2"]
    for more in (["--workers", "0"], ["--workers", "1", "--folder", "kept"], ["--workers", "0", "--folder", "kept"]):
        assert main([*arguments, *more, "--csv", "games.csv"]) == 0
        assert_sources_add_up(read_csv())
    assert main([*arguments, "--workers", "0", "--folder", "other"]) == main([*arguments, "--folder", "other", "--csv", "games.csv"]) == 0
    assert all(row["points_0"] == row["goods_1"] == "" != row["score_0"] for row in read_csv())


def read_csv() -> list[dict[str, str]]:
    with Path("games.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_games_inside_the_compiled_loop_show_no_times(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", GAME, "--agent", "random", "--opponents", "random", "--players", "2", "--games", "2", "--workers", "0"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "win rate" in text and "time per decision" not in text and "slowest" not in text


@many_games
def test_an_agent_that_fails_gives_exit_code_1_and_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", GAME, "--agent", FIRST, "--opponents", f"{HERE}:Illegal", "--players", "2", "--games", "16", "--workers", "0"]
    assert main([*arguments, "--json", "-", "--csv", "games.csv"]) == 1
    captured = capsys.readouterr()
    failures = json.loads(captured.out)["failures"]
    assert failures and all(Path(failure["replay"]).exists() for failure in failures)
    assert f"{HERE}:Illegal" in captured.err and "lost by an agent that failed" in captured.err
    failed = {int(row["game"]) for row in read_csv() if row["failed"]}
    assert failed == {failure["game"] for failure in failures}
    assert all((row["points_0"] == "") == bool(row["failed"]) for row in read_csv())


@many_games
def test_a_tournament_prints_tables_and_draws_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*TOURNAMENT, "--workers", "0", "--picture", "cross.png", "--csv", "games.csv", "--json", "found.json"]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert FIRST in captured.out and "win rate of row against a table of column" in captured.out and "runs/tournament-" in captured.err
    assert Path("cross.png").read_bytes().startswith(b"\x89PNG")
    assert len(Path("games.csv").read_text().splitlines()) == 1 + 2 * 4
    figures = json.loads(Path("found.json").read_text())
    assert figures["table"][0][1] is not None and figures["table"][0][0] is None and len(figures["standings"]) == 2
    assert main(arguments) == 0, "nothing is left to play"
    assert json.loads(Path("found.json").read_text())["seconds"] == figures["seconds"]


@many_games
def test_options_of_the_game_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EVALUATE, "--workers", "0", "--option", "visibility=open", "--option", "reward=rank", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["options"] == {"players": 2, "visibility": "open", "reward": "rank", "encoding": "compact"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["--agent", "scrpted"], "did you mean 'scripted'"),
        (["--agent", "nowhere:Agent"], "nowhere"),
        (["--opponents", ""], "code"),
        (["--opponents", "random,"], "code"),
        (["--players", "7"], "from 2 to 4"),
        (["--games", "0"], "games must be a positive integer"),
        (["--games", "many"], "--games"),
        (["--seed", "-1"], "seed must be an integer"),
        (["--workers", "-1"], "--workers"),
        (["--time-limit", "-1"], "time_limit must be a positive number"),
        (["--option", "nobles=true"], "its options are players, reward, visibility"),
        (["--option", "visibility"], "NAME=VALUE"),
        (["--option", "visibility=shut"], "'rules' or 'open'"),
        (["--option", "players=3"], "twice"),
        (["--csv", "missing/games.csv"], "missing/games.csv"),
        (["--json", "missing/found.json"], "missing/found.json"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(changes: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EVALUATE, *changes]) == 2
    assert said in refused(capsys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "monopoly", "--agent", FIRST, "--opponents", LAST], GAME),
        (["evaluate", GAME, "--opponents", LAST], "--agent"),
        (["tournament", "monopoly", FIRST, LAST], GAME),
        (["tournament", GAME], "AGENT"),
        (["tournament", GAME, FIRST], "at least two"),
        (["tournament", GAME, FIRST, FIRST], "twice"),
        ([*TOURNAMENT, "--picture", "missing/cross.png"], "missing/cross.png"),
    ],
)
def test_what_is_missing_or_unknown_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in refused(capsys)


@many_games
def test_a_folder_of_other_settings_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EVALUATE, "--workers", "0", "--folder", "kept"]) == 0
    capsys.readouterr()
    assert main([*EVALUATE, "--workers", "0", "--folder", "kept", "--seed", "3"]) == 2
    assert "seed is 0 there and 3 here" in refused(capsys)


def start(*arguments: str) -> "subprocess.Popen[str]":
    """A command in a process group of its own, as a shell starts it."""
    return subprocess.Popen(
        [sys.executable, "-m", "tradewinds", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests run in the background inherit that SIGINT is ignored
    )


def wait_for_lines(folder: Path, count: int, process: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + 300
    results = folder / "results.jsonl"
    while not results.exists() or results.read_bytes().count(b"\n") < count:
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()[1]
        time.sleep(0.02)


def without_times(figures: dict[str, Any]) -> dict[str, Any]:
    standings = [{**standing, "decision_seconds": None} for standing in figures["agents"]]
    return {**figures, "seconds": 0, "games_per_second": 0, "workers": 0, "folder": "", "agents": standings}


@many_games
def test_a_run_that_is_killed_or_interrupted_continues_and_ends_the_same(tmp_path: Path) -> None:
    arguments = ["evaluate", GAME, "--agent", f"{HERE}:Slow", "--opponents", "random", "--players", "2", "--games", "40", "--json", "-"]
    kept = ["--folder", str(tmp_path / "kept"), "--workers", "2"]
    results = tmp_path / "kept" / "results.jsonl"
    for signal_sent, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130)):
        lines = results.read_bytes().count(b"\n") if results.exists() else 0
        process = start(*arguments, *kept)
        wait_for_lines(tmp_path / "kept", lines + 1, process)
        if signal_sent == signal.SIGKILL:
            os.kill(process.pid, signal_sent)  # only the parent: its workers notice and exit, or the pipe would stay open
        else:
            os.killpg(process.pid, signal_sent)
        out, err = process.communicate(timeout=60)
        assert process.returncode == code and out == ""
        if code == 130:
            assert "the same command continues" in err and "Traceback" not in err
    assert results.read_bytes().count(b"\n") < 10
    with results.open("a") as file:
        file.write('{"chunk": 9, "sco')
    process = start(*arguments, *kept)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert main([*arguments[:-1], "unbroken.json", "--workers", "0"]) == 0
    assert without_times(json.loads(out)) == without_times(json.loads(Path("unbroken.json").read_text()))
