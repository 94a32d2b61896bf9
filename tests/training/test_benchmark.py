"""`tradewinds benchmark`: the same figures on every run, and files that are refused when they do not hold."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tradewinds.envs as tw
from tests.training.players import HERE
from tradewinds.cli.main import main
from tradewinds.training.evaluation import benchmark as b

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
    path.write_text(b.text_of(result), encoding="utf-8")
    return path


def test_a_result_is_the_same_on_every_run_and_is_accepted() -> None:
    first, again = played(), played()
    for name in ("score", "ci95", "set_ups", "tasks", "failures"):
        assert first[name] == again[name]
    rate = first["tasks"][0]["win_rate"]
    assert first["score"] == pytest.approx(200 * (rate - 0.5))
    assert first["ci95"][0] <= first["score"] <= first["ci95"][1]
    assert b.verify(written(first)) == first
    assert {"command", "packages", "sources", "platform", "python"} <= first["provenance"].keys()


def change_score(result: dict[str, Any]) -> None:
    result["score"] = 300.0


def change_rank(result: dict[str, Any]) -> None:
    result["tasks"][0]["ranks"][0].reverse()


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
        (change_rank, "does not follow from its games"),
        (change_actions, "does not replay: other actions or scores"),
        (change_seeds, "seeds of .* does not follow"),
        (change_tasks, "its tasks are not those of the suite"),
        (lambda result: result["tasks"][0]["scores"].pop(), "has 1 games instead of 2"),
        (lambda result: result["tasks"][0].pop("ranks"), "KeyError"),
        (lambda result: result.update(provenance=[]), "its provenance is not an object"),
        (lambda result: result.update(agent=5), "its agent is not a code"),
        (lambda result: add_failure(result, [0], "it hung"), "has a failure in a game or seat that it does not have"),
        (lambda result: add_failure(result, 0, ["it hung"]), "has a failure without a reason"),
        (lambda result: result.update(version=b.VERSION + 1), "of another version of the benchmark"),
        (lambda result: result.update(agent=f"{HERE}:Last"), "is not part of Tradewinds: name it with --agent"),
    ],
)
def test_a_changed_result_is_refused_even_with_a_new_checksum(change: Callable[[dict[str, Any]], Any], reason: str) -> None:
    result = played()
    change(result)
    if result["version"] == b.VERSION:
        with pytest.raises(b.ResultError, match="was changed: its checksum does not match"):
            b.verify(written(result))
    with pytest.raises(b.ResultError, match=reason):
        b.verify(written({**result, "checksum": b.checksum(result)}))


@pytest.mark.parametrize("text", ["", "[]", '{"format": "another"}', "{"])
def test_a_file_that_is_no_result_is_refused(text: str) -> None:
    Path("other.json").write_text(text)
    with pytest.raises(b.ResultError):
        b.read(Path("other.json"))


def test_an_agent_that_fails_loses_its_games_and_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tests.training.players.unlucky", lambda decisions: decisions.seeds == decisions.seeds)
    agent = f"{HERE}:Illegal"
    assert main(["benchmark", "--agent", agent, "--workers", "0", "--out", "failed.json"]) == 1
    assert f"2 games were lost because {agent} failed" in capsys.readouterr().out
    result = json.loads(Path("failed.json").read_text())
    assert result["failures"] == 2 and result["tasks"][0]["win_rate"] == 0
    assert {failure["kind"] for failure in result["tasks"][0]["failures"]} == {"illegal"}
    assert main(["benchmark", "--verify", "failed.json", "--agent", agent]) == 0


def test_the_command_writes_a_file_verifies_it_and_overwrites_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "--agent", "random", "--out", "out.json"]) == 0
    assert main(["benchmark", "--verify", "out.json", "--replays", "1"]) == 0
    assert "out.json is valid" in capsys.readouterr().err
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
    from tradewinds.leaderboard.page import page, results

    root = Path(__file__).parents[2]
    assert (root / "docs" / "leaderboard.md").read_text(encoding="utf-8") == page(), "run python -m tradewinds.leaderboard"
    for result in results():
        assert b.read(root / "leaderboard" / result["file"])["agent"] == result["agent"]
        assert result["file"] == b.file_name(result["agent"], result["suite"])
    for suite in b.SEEDS:
        shown = {result["agent"]: result["score"] for result in results() if result["suite"] == suite}
        if set(b.REFERENCES) <= set(shown):
            assert [shown[agent] for agent in b.REFERENCES] == pytest.approx([0, 100])


def test_the_page_of_the_leaderboard_shows_scores_and_win_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    from tradewinds.leaderboard import page as pages

    result = {**played(), "file": "quick-v1-random.json"}
    monkeypatch.setattr(pages, "results", lambda: [result])
    text = pages.page()
    assert f"| `random` | {result['score']:.1f} |" in text and f"{result['tasks'][0]['win_rate']:.1%}" in text


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
    from tradewinds.leaderboard import page as pages

    monkeypatch.setattr(pages, "FOLDER", tmp_path)
    result = played()
    written(result, tmp_path / "quick-v1-random.json")
    (tmp_path / "quick-v0-random.json").write_text(json.dumps({**result, "version": 0}))
    assert [found["file"] for found in pages.results()] == ["quick-v1-random.json"], "older versions are left out"
    changed = {**result, **change}
    written({**changed, "checksum": b.checksum(changed)}, tmp_path / "quick-v1-random.json")
    with pytest.raises(b.ResultError, match=said):
        pages.page()
    for text in ("[" * 100_000, "[]", "{}", '{"format": "tradewinds benchmark 1", "version": 1}'):
        (tmp_path / "quick-v1-random.json").write_text(text)
        with pytest.raises(b.ResultError, match=r"quick-v1-random\.json"):
            pages.page()
