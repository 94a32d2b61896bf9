"""`tradewinds benchmark`: the same figures on every run, and files that are refused when they do not hold."""

import json
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.training.players import HERE, Last
from tradewinds.cli.main import main
from tradewinds.leaderboard import page as pages
from tradewinds.training.benchmark import files
from tradewinds.training.benchmark import suites as b
from tradewinds.training.evaluation import workers

GAME = "santiago_de_cuba"


@pytest.fixture(autouse=True)
def _a_small_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One set-up and one opponent, with stated reference values."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(b, "OPPONENTS", ("random",))
    monkeypatch.setattr(b, "SEEDS", {"quick": (1,), "full": (1,)})
    monkeypatch.setattr(b, "set_ups", lambda game, suite: [game.with_options(players=2).options] if game.name == GAME else [])
    monkeypatch.setattr(b, "_references", lambda suite: tuple({task.id: rate for task in b.tasks(suite)} for rate in (0.5, 1.0)))


def played(agent: str = "random") -> dict[str, Any]:
    return b.run(agent, workers=0)


def written(result: dict[str, Any], path: Path = Path("result.json")) -> Path:
    path.write_text(files.text_of(result), encoding="utf-8")
    return path


def test_a_result_is_the_same_on_every_run_and_is_accepted() -> None:
    first, again = played(), played()
    for name in ("score", "ci95", "set_ups", "tasks", "failures"):
        assert first[name] == again[name]
    rate = first["tasks"][0]["win_rate"]
    assert first["score"] == pytest.approx(200 * (rate - 0.5))
    assert first["ci95"][0] <= first["score"] <= first["ci95"][1]
    assert files.verify(written(first)) == first
    assert {"command", "packages", "sources", "platform", "python"} <= first["provenance"].keys()


def change_score(result: dict[str, Any]) -> None:
    result["score"] = 300.0


def change_rank(result: dict[str, Any]) -> None:
    result["tasks"][0]["ranks"][0].reverse()


def win_all(result: dict[str, Any]) -> None:
    """The agent wins each game by 99 to 0, and all figures follow from that."""
    said = result["tasks"][0]
    for game, seat in enumerate(said["seats"]):
        said["scores"][game] = [99 if other == seat else 0 for other in (0, 1)]
        said["ranks"][game] = [1 if other == seat else 2 for other in (0, 1)]
    forge(result)


def forge(result: dict[str, Any]) -> None:
    """Make all figures those that follow from the games that the file shows."""
    said = result["tasks"][0]
    won = [ranks[seat] == 1 for ranks, seat in zip(said["ranks"], said["seats"], strict=True)]
    margins = [scores[seat] - scores[1 - seat] for scores, seat in zip(said["scores"], said["seats"], strict=True)]
    said["win_rate"] = sum(won) / len(won)
    said["ci95"] = list(b.win_rate_interval(np.array([said["win_rate"]])))
    failed = {failure["game"] for failure in said["failures"]}
    left = [margin for game, margin in enumerate(margins) if game not in failed]
    said["mean_margin"] = sum(left) / len(left) if left else None
    result["failures"] = len(failed)
    result.update(b.score(result["tasks"], result["suite"]))


def win_by_failing(result: dict[str, Any]) -> None:
    """Failed games are not played again, so a forger would call lost games failed and won."""
    said = result["tasks"][0]
    said["failures"] = [{"game": game, "seat": seat, "kind": "error", "reason": "none"} for game, seat in enumerate(said["seats"])]
    said["scores"] = [[0, 0], [0, 0]]
    said["ranks"] = [[1 if other == seat else 2 for other in (0, 1)] for seat in said["seats"]]
    forge(result)


def change_actions(result: dict[str, Any]) -> None:
    result["tasks"][0]["actions"] = ["0" * 16] * 2


def change_seeds(result: dict[str, Any]) -> None:
    result["tasks"][0]["seeds"] = ["0" * 16]


def add_failure(result: dict[str, Any], game: Any, reason: Any) -> None:
    result["tasks"][0]["failures"] = [{"game": game, "seat": 0, "kind": "error", "reason": reason}]


def change_tasks(result: dict[str, Any]) -> None:
    result["tasks"][0]["task"] = result["tasks"][0]["task"].replace("-v0", "-v9")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (change_score, "its score does not follow from its win rates"),
        (change_rank, "has ranks that no game gives"),
        (win_all, "does not replay: scores .* here and .*99.* there"),
        (win_by_failing, "has ranks that no game gives"),
        (lambda result: result["tasks"][0].update(lengths=[1, 1]), "does not replay: lengths .* here and 1 there"),
        (lambda result: result["tasks"][0].update(win_rate=0.25), "win_rate of .* does not follow from its games"),
        (lambda result: result.update(failures=1), "its number of failures is not that of its tasks"),
        (change_actions, "does not replay: actions .* here and 0000000000000000 there"),
        (change_seeds, "seeds of .* does not follow"),
        (change_tasks, "its tasks are not those of the suite"),
        (lambda result: result["tasks"][0]["scores"].pop(), "has 1 games instead of 2"),
        (lambda result: result["tasks"][0].pop("ranks"), "KeyError"),
        (lambda result: result.update(provenance=[]), "its provenance is not an object"),
        (lambda result: result.update(agent=5), "its agent is not a code"),
        (lambda result: add_failure(result, [0], "it hung"), "has a failure in a game or seat that the agent does not have"),
        (lambda result: add_failure(result, 0, ["it hung"]), "has a failure without a reason"),
        (lambda result: result.update(version=b.VERSION + 1), "of another version of the benchmark"),
        (lambda result: result.update(agent=f"{HERE}:Last"), "is not part of Tradewinds: name it with --agent"),
    ],
)
def test_a_changed_result_is_refused_even_with_a_new_checksum(change: Callable[[dict[str, Any]], Any], reason: str) -> None:
    result = played()
    change(result)
    if result["version"] == b.VERSION:
        with pytest.raises(files.ResultError, match="was changed: its checksum does not match"):
            files.verify(written(result))
    with pytest.raises(files.ResultError, match=reason):
        files.verify(written({**result, "checksum": b.checksum(result)}))


@pytest.mark.parametrize("text", ["", "[]", '{"format": "another"}', "{"])
def test_a_file_that_is_no_result_is_refused(text: str) -> None:
    Path("other.json").write_text(text)
    with pytest.raises(files.ResultError):
        files.read(Path("other.json"))


def test_an_agent_that_fails_loses_its_games_and_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tests.training.players.unlucky", lambda decisions: decisions.seeds == decisions.seeds)
    agent = f"{HERE}:Illegal"
    assert main(["benchmark", "--agent", agent, "--workers", "0", "--out", str(Path("failed.json").absolute())]) == 1
    said = capsys.readouterr()
    assert f"2 games were lost because {agent} failed" in said.out
    assert f"failed.json --agent {agent}\n" in said.err
    result = json.loads(Path("failed.json").read_text())
    assert result["provenance"]["command"] == f"tradewinds benchmark --agent {agent} --suite quick", "no path of this machine"
    assert result["failures"] == 2 and result["tasks"][0]["win_rate"] == 0
    assert {failure["kind"] for failure in result["tasks"][0]["failures"]} == {"illegal"}
    assert main(["benchmark", "--verify", "failed.json", "--agent", agent]) == 0
    assert "none of them was replayed" in capsys.readouterr().err


def test_an_opponent_that_fails_ends_the_run_without_a_result(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(b, "OPPONENTS", (f"{HERE}:Illegal",))
    monkeypatch.setattr("tests.training.players.unlucky", lambda decisions: decisions.seeds == decisions.seeds)
    assert main(["benchmark", "--agent", "random", "--out", "none.json"]) == 1
    assert "the opponent failed, so this is not the suite: action" in " ".join(capsys.readouterr().err.split())
    assert not Path("none.json").exists()


class Computes(Last):
    def act(self, decisions: Any) -> Any:
        end = time.process_time() + 0.35
        while time.process_time() < end:
            pass
        return super().act(decisions)


class SleepsOnce(Last):
    asleep = 0.4

    def act(self, decisions: Any) -> Any:
        time.sleep(self.asleep)
        self.asleep = 0.0
        return super().act(decisions)


def test_the_time_limit_counts_computing_and_not_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(b, "TIME_LIMIT", 0.3)
    slow = played(f"{__name__}:Computes")["tasks"][0]["failures"]
    assert [failure["kind"] for failure in slow] == ["slow", "slow"] and "of processor time; the limit is 0.3 s" in slow[0]["reason"]
    assert played(f"{__name__}:SleepsOnce")["failures"] == 0


def test_an_agent_that_hangs_in_a_worker_loses_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(b, "TIME_LIMIT", 0.3)
    monkeypatch.setattr(workers, "PATIENCE", 2)
    hung = b.run(f"{HERE}:HangsAtOnce", workers=1)["tasks"][0]
    assert (
        hung["win_rate"] == 0
        and [failure["reason"] for failure in hung["failures"]] == ["gave no answer in 0.6 s, the limit per decision"] * 2
    )


def test_a_pause_of_the_whole_run_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(workers.time, "monotonic", lambda: now)
    worker = object.__new__(workers._Worker)
    worker.monitor = workers.SharedMonitor(bytearray(workers.SharedMonitor.SIZE))
    worker._call, worker._waited, worker._checked = (0, workers.NOBODY), 0.0, now
    worker.monitor.asked(1)
    assert worker.waiting_for() == (1, 0.0)
    now += 0.5
    assert worker.waiting_for() == (1, 0.5)
    now += 3600.0
    assert worker.waiting_for() == (1, 0.5 + workers.PAUSE)
    worker.monitor.answered()
    now += 0.5
    assert worker.waiting_for() == (workers.NOBODY, 0.0)


def test_the_command_writes_a_file_verifies_it_and_overwrites_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "--agent", "random", "--out", "out.json"]) == 0
    assert main(["benchmark", "--verify", "out.json", "--replays", "1"]) == 0
    said = capsys.readouterr().err
    assert "out.json is valid" in said and "1 of them replayed" in said
    assert main(["benchmark", "--verify", "out.json", "--replays", "24"]) == 0
    assert " and 2 of them replayed" in capsys.readouterr().err, "there are no more"
    before = Path("out.json").read_text()
    for arguments, said in (
        (["--agent", "random", "--out", "out.json"], "out.json exists already"),
        (["--agent", "random", "--suite", "huge"], "--suite must be quick or full"),
        (["--agent", "nobody", "--out", "new.json"], "nobody"),
        ([], "name an agent"),
        (["--verify", "missing.json"], "No such file"),
    ):
        assert main(["benchmark", *arguments]) == 2
        assert said in capsys.readouterr().err
    assert Path("out.json").read_text() == before and not Path("new.json").exists()
    Path("out.json").write_text(before.replace('"score"', '"points"', 1))
    assert main(["benchmark", "--verify", "out.json"]) == 1
    assert "refused: " in capsys.readouterr().err
    Path("out.json").unlink()
    assert main(["benchmark", "--agent", "random", "--out", "out.json"]) == 0, "from the games that are kept"
    assert json.loads(Path("out.json").read_text())["tasks"] == json.loads(before)["tasks"]


def test_tasks_follow_from_the_games_declarations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    quick, full = b.tasks("quick"), b.tasks("full")
    assert len({task.id for task in full}) == len(full) and len({task.seed for task in full}) == len(full)
    assert {task.id for task in quick} <= {task.id for task in full}
    for name in tw.games():
        game = tw.game(name)
        counts = next(option for option in game.options if option.name == "players").choices
        assert {task.options["players"] for task in full if task.game == name} == set(counts)
        for option in game.options:
            if option.default is False:
                assert any(task.options[option.name] for task in full if task.game == name)
    assert [task.opponent for task in quick[: len(b.OPPONENTS)]] == list(b.OPPONENTS)


def test_the_leaderboard_holds_valid_results_and_its_page_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    root = Path(__file__).parents[2]
    assert (root / "docs" / "leaderboard.md").read_text(encoding="utf-8") == pages.page(), "run python -m tradewinds.leaderboard"
    for result in pages.results():
        assert files.read(root / "leaderboard" / result["file"])["agent"] == result["agent"]
        assert result["file"] == b.file_name(result["agent"], result["suite"])
    for suite in b.SEEDS:
        shown = {result["agent"]: result["score"] for result in pages.results() if result["suite"] == suite}
        if shown:
            assert [shown[agent] for agent in b.REFERENCES] == pytest.approx([0, 100])


def shortest_games(result: dict[str, Any], count: int) -> dict[int, list[int]]:
    """One game of each task. Only one of the references meets the search, which is slow, and only in the short suite."""
    meets_search = (result["agent"], result["suite"]) == ("random", "quick")
    tasks = [(at, said) for at, said in enumerate(result["tasks"]) if meets_search or "search" not in said["task"]]
    return {at: [int(np.argmin(said["lengths"]))] for at, said in tasks}


@pytest.mark.compiled
@pytest.mark.parametrize(("agent", "suite"), [*product(b.REFERENCES, b.SEEDS), ("policy", "quick")])
def test_results_of_the_leaderboard_still_replay(agent: str, suite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a game, a bot or a network that comes with Tradewinds has changed: raise VERSION and make all results again."""
    monkeypatch.undo()
    monkeypatch.setattr(files, "_choose", shortest_games)
    path = Path(__file__).parents[2] / "leaderboard" / b.file_name(agent, suite)
    if not path.exists():
        pytest.skip("there is no result of this version yet")
    files.verify(path)


def test_the_page_of_the_leaderboard_shows_scores_and_win_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    result = {**played(), "file": "quick-v1-random.json"}
    monkeypatch.setattr(pages, "results", lambda: [result])
    text = pages.page()
    assert f"| `random` | {result['score']:.1f} |" in text and f"{result['tasks'][0]['win_rate']:.1%}" in text


def test_files_are_added_to_the_leaderboard_with_scores_that_follow_from_its_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(b, "_references", lambda suite: None)
    alone = played("scripted")
    assert alone["score"] is None
    alone["provenance"]["command"] = "tradewinds benchmark --agent scripted --out /there/scripted.json"
    alone["checksum"] = b.checksum(alone)
    (tmp_path / "board").mkdir()
    monkeypatch.setattr(b, "_references", lambda suite: tuple({task.id: rate for task in b.tasks(suite)} for rate in (0.0, 0.5)))
    pages.add([written(alone)], tmp_path / "board")
    added = files.read(tmp_path / "board" / "quick-v1-scripted.json")
    assert added["score"] == pytest.approx(200 * added["tasks"][0]["win_rate"])
    assert added["provenance"] == {**alone["provenance"], "command": "tradewinds benchmark --agent scripted --suite quick"}
    alone["agent"] = "random"
    with pytest.raises(files.ResultError, match="was changed"):
        pages.add([written(alone)], tmp_path / "board")
    assert [file.name for file in (tmp_path / "board").iterdir()] == ["quick-v1-scripted.json"]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_result_never_overwrites_that_of_an_agent_whose_file_has_the_same_name(at_once: bool, tmp_path: Path) -> None:
    paths = []
    for name in ("net:runs/a", "net:runs_a"):
        result = {**played(), "agent": name}
        paths.append(written({**result, "checksum": b.checksum(result)}, Path(f"{len(paths)}.json")))
    (tmp_path / "board").mkdir()
    if not at_once:
        pages.add(paths[:1], tmp_path / "board")
        pages.add(paths[:1], tmp_path / "board")  # the same agent's again
    with pytest.raises(files.ResultError, match="is of the agent 'net:runs/a'"):
        pages.add(paths if at_once else paths[1:], tmp_path / "board")
    kept = [files.read(file)["agent"] for file in (tmp_path / "board").iterdir()]
    assert kept == ([] if at_once else ["net:runs/a"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"agent": "a` | <script>"}, "not a code"),
        ({"agent": "random\n\n# Heading"}, "not a code"),
        ({"agent": "\x1b[2J"}, "not a code"),
        ({"agent": "x" * 301}, "not a code"),
        ({"agent": "another"}, "must be called quick-v1-another.json"),
        ({"score": 1000.0}, "score does not follow"),
        ({"set_ups": {}}, "set_ups does not follow"),
    ],
)
def test_a_file_that_was_handed_in_cannot_change_the_page_of_the_leaderboard(
    change: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "FOLDER", tmp_path)
    result = played()
    written(result, tmp_path / "quick-v1-random.json")
    (tmp_path / "quick-v0-random.json").write_text(json.dumps({**result, "version": 0}))
    assert [found["file"] for found in pages.results()] == ["quick-v1-random.json"], "older versions are left out"
    changed = {**result, **change}
    written({**changed, "checksum": b.checksum(changed)}, tmp_path / "quick-v1-random.json")
    with pytest.raises(files.ResultError, match=said):
        pages.page()
    for text in ("[" * 100_000, "[]", "{}", '{"format": "tradewinds benchmark 1", "version": 1}'):
        (tmp_path / "quick-v1-random.json").write_text(text)
        with pytest.raises(files.ResultError, match=r"quick-v1-random\.json"):
            pages.page()
