"""Cards and tables say what the files of results say; networks of runs are installed with all that a card needs."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tradewinds.agents.neural import Network, save_net
from tradewinds.agents.neural.inputs import PolicySpec
from tradewinds.training import cards
from tradewinds.training.config import check_config, dump_config
from tradewinds.training.networks import shape_of

GAME = "santiago_de_cuba"
NOTES = {"seconds": 600.0, "ppo_steps": 2_000_000, "bc_steps": 0, "episodes": 9000}


def run_of(folder: Path, start: Path | None = None, expert: dict[str, Any] | None = None, **options: Any) -> Path:
    """A run with one checkpoint of an untrained network, or with the second student of expert iteration."""
    network = {"width": 8, "start": None if start is None else str(start)}
    data = {"game": GAME, "options": options, "network": network, "policy": {"base": "scripted"}}
    config = check_config({**data, "ppo": {"total_timesteps": 2_000_000}, "expert": expert or {}}, "test")
    spec = PolicySpec.of(config.variant(), "information_state", "scripted")
    path, notes = ("checkpoints/00000007", NOTES) if expert is None else ("best/00000002", {"generation": 2, "games": 1920})
    save_net(folder / path, Network(shape_of(config)), config.variant(), notes, spec)
    (folder / "config.yaml").write_text(dump_config(config))
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of agents/pretrained, and of docs/results."""
    monkeypatch.setattr(cards, "PRETRAINED", tmp_path / "pretrained")
    monkeypatch.setattr(cards, "ROWS_FOLDER", tmp_path / "results")
    return tmp_path / "pretrained"


def played(games: int = 8, rate: float = 0.5, **more: Any) -> dict[str, Any]:
    result = {"agent": "policy", "opponent": "scripted", "players": 4, "games": games, "seed": cards.SEED, "win_rate": rate}
    return {**result, "ci95": [rate - 0.1, rate + 0.1], "mean_margin": 1.25, "failures": 0, **more}


@pytest.mark.parametrize("folder", cards.shipped(), ids=lambda folder: folder.name)
def test_a_card_is_what_its_results_say(folder: Path) -> None:
    assert (folder / "CARD.md").read_text() == cards.card(folder), "python -m tradewinds.training.cards write"
    if (folder / "results.json").exists():
        assert json.loads((folder / "results.json").read_text())["network"] == json.loads((folder / "net.json").read_text())["sha256"]


@pytest.mark.parametrize("page", cards.PAGES, ids=lambda page: page.name)
def test_a_table_is_what_the_results_say(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert cards.with_table(text, page.name) == text, "python -m tradewinds.training.cards write"


def test_a_run_becomes_the_network_of_its_variant(home: Path, tmp_path: Path) -> None:
    folder = cards.add(run_of(tmp_path / "run", players=3), "200:horizon=20")
    assert folder == home / f"{GAME}-3"
    assert sorted(file.name for file in folder.iterdir()) == ["CARD.md", "config.yaml", "net.json", "net.safetensors"]
    text = (folder / "CARD.md").read_text()
    assert (
        "PPO in self-play (2.0 million steps); 9,000 episodes, 10 minutes" in text
        and "Not measured yet." in text
        and "`search:200:horizon=20`" in text
    )
    assert json.loads((folder / "net.json").read_text())["search"] == "200:horizon=20"
    other = cards.add(run_of(tmp_path / "other", players=4))  # takes the settings of the same game
    assert json.loads((other / "net.json").read_text())["search"] == "200:horizon=20"


def test_a_card_names_the_run_that_a_run_started_from(home: Path, tmp_path: Path) -> None:
    folder = cards.add(run_of(tmp_path / "second", start=run_of(tmp_path / "first")))
    assert (folder / "start.yaml").read_text() == (tmp_path / "first" / "config.yaml").read_text()
    text, config = (folder / "CARD.md").read_text(), (folder / "config.yaml").read_text()
    assert (
        "PPO in self-play (2.0 million steps, then 2.0 million steps)" in text
        and "start.yaml --name start`\n  and then `tradewinds" in text
    )
    assert str(tmp_path) not in text + config and "start: runs/start" in config
    cards.add(tmp_path / "first")
    assert not (folder / "start.yaml").exists() and "and then" not in (folder / "CARD.md").read_text()


def test_a_new_network_drops_the_results_of_the_old_one(home: Path, tmp_path: Path) -> None:
    folder = cards.add(run_of(tmp_path / "run"))
    (folder / "results.json").write_text(json.dumps({"network": "0", "results": [played()]}))
    assert cards.read_results(folder) == []  # of another network
    cards.add(tmp_path / "run")
    assert not (folder / "results.json").exists()


@pytest.mark.parametrize(
    ("search", "words"), [("many", "not a budget"), ("100:depth=1", "no setting 'depth'"), ("100:rollout=best", "rollout must be one of")]
)
def test_settings_that_search_does_not_have_are_refused(search: str, words: str, home: Path, tmp_path: Path) -> None:
    with pytest.raises(cards.CardError, match=words):
        cards.add(run_of(tmp_path / "run"), search)
    assert not home.exists()


def test_a_folder_that_is_no_run_is_named_in_one_line(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cards.main(["add", str(tmp_path / "nothing")]) == 2
    assert cards.main(["evaluate", "chess-2"]) == 2
    assert cards.main(["row", GAME, "magic", "random"]) == 2
    assert cards.main(["row", GAME, "SB3"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert (
        len(lines) == 4
        and "give its agent" in lines[3]
        and "nothing" in lines[0]
        and "no network chess-2" in lines[1]
        and "its rows are random, greedy" in lines[2]
    )


def test_the_card_of_a_student_says_what_it_learned_from(home: Path, tmp_path: Path) -> None:
    teacher = {"generations": 2, "games": 960, "teacher": "search:150:horizon=30"}
    folder = cards.add(run_of(tmp_path / "run", start=run_of(tmp_path / "first"), expert=teacher))
    text = cards.card(folder)
    assert (
        "PPO in self-play (2.0 million steps), then expert iteration (2 generations): from 1,920 games that `search:150:horizon=30`" in text
    )
    assert "trained in games of `search:150:horizon=30` with earlier networks" in text


def test_the_metadata_holds_every_result(home: Path, tmp_path: Path) -> None:
    folder = cards.add(run_of(tmp_path / "run"))
    results = [played(rate=0.375), played(agent="scripted", opponent="policy", rate=0.125)]
    network = json.loads((folder / "net.json").read_text())["sha256"]
    (folder / "results.json").write_text(json.dumps({"network": network, "results": results}))
    _, block, text = cards.card(folder).split("---\n", 2)
    data = yaml.safe_load(block)
    assert data["license"] == "mit" and GAME in data["tags"]
    found = data["model-index"][0]["results"]
    assert [entry["metrics"][0]["value"] for entry in found] == [0.375, 0.125]
    assert found[1]["dataset"]["name"].endswith("one scripted against 3 policy")
    assert "| `policy` | 3 `scripted` | 8 | 37.5% | 27.5% to 47.5% | +1.2 |" in text


def test_matches_that_were_played_are_not_played_again(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cards.add(run_of(tmp_path / "run"))
    count: list[tuple[str, str]] = []

    def measured(variant: Any, agent: str, opponent: str, games: int, workers: Any) -> dict[str, Any]:
        count.append((agent, opponent))
        if len(count) == 3:
            raise KeyboardInterrupt
        return played(games, agent=agent, opponent=opponent)

    monkeypatch.setattr(cards, "measured", measured)
    with pytest.raises(KeyboardInterrupt):
        cards.evaluate_network(folder.name, 40)
    assert len(cards.read_results(folder)) == 2
    wanted = [match[:2] for match in cards.matches(cards.variant_of(folder), 40)]
    assert [(result["agent"], result["opponent"]) for result in cards.evaluate_network(folder.name, 40)] == wanted
    assert count == [*wanted[:3], *wanted[2:]]
    cards.evaluate_network(folder.name, 40)
    assert len(count) == len(wanted) + 1
    assert {("policy", "scripted:lawyer"), ("scripted", "policy"), ("policy:sample", "scripted"), ("policy", "search:100")} <= set(wanted)


def test_a_row_is_measured_and_shown(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "| SB3 | MaskablePPO of Stable-Baselines3 | not measured |" in cards.table()
    assert cards.main(["row", GAME, "random", "random", "--games", "8", "--workers", "0"]) == 0
    assert capsys.readouterr().out.startswith("one random against 3 scripted:greedy: ")
    lines = [line for line in cards.table().splitlines() if line.startswith("| random |")]
    assert lines[0].count("%") == 2 and lines[0].count("not measured") == 4
    assert cards.with_table(f"a\n{cards.BEGIN}\nold\n{cards.END}\nb", "page") == f"a\n{cards.BEGIN}\n{cards.table()}{cards.END}\nb"
    with pytest.raises(cards.CardError, match="page has no lines"):
        cards.with_table("text", "page")


BAD_RESULTS: dict[str, Any] = {
    "text": "[" * 100_000,
    "a list": [1],
    "no results": {"results": None},
    "not a result": {"results": [5]},
    "code that ends the cell": {"results": [played(agent="a` | <script>")]},
    "code in two lines": {"results": [played(opponent="scripted\n# Heading")]},
    "a rate that is no number": {"results": [played() | {"win_rate": "high"}]},
    "a rate that is not finite": {"results": [played(rate=float("nan"))]},
    "one bound": {"results": [played() | {"ci95": [0.5]}]},
    "a margin that is text": {"results": [played() | {"mean_margin": "much"}]},
    "games that are a fraction": {"results": [played() | {"games": 1.5}]},
}


@pytest.mark.parametrize("bad", BAD_RESULTS.values(), ids=BAD_RESULTS)
def test_results_that_are_none_are_refused_in_one_line(bad: Any, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = cards.add(run_of(tmp_path / "run", players=4))
    network = json.loads((folder / "net.json").read_text())["sha256"]
    text = bad if isinstance(bad, str) else json.dumps({**bad, "network": network} if isinstance(bad, dict) else bad)
    (folder / "results.json").write_text(text)
    assert cards.main(["write"]) == 2
    (folder / "results.json").unlink()
    (tmp_path / "results").mkdir()
    rows = bad if isinstance(bad, (str, list)) else {"random": bad["results"]}
    (tmp_path / "results" / f"{GAME}.json").write_text(rows if isinstance(rows, str) else json.dumps(rows))
    with pytest.raises(cards.CardError):
        cards.table()
    said = capsys.readouterr().err
    assert said.startswith("cards: error: ") and said.count("\n") == 1 and "results.json" in said


@pytest.mark.parametrize(
    "notes", [None, [], {}, {**NOTES, "seconds": "long"}, {**NOTES, "episodes": float("nan")}, {**NOTES, "ppo_steps": 10**400}]
)
def test_a_network_without_notes_of_its_training_is_not_installed(notes: Any, home: Path, tmp_path: Path) -> None:
    run = run_of(tmp_path / "run")
    file = run / "checkpoints" / "00000007" / "net.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "notes": notes}))
    with pytest.raises(cards.CardError, match="lacks what a card says"):
        cards.add(run)
    with pytest.raises(cards.CardError, match="lacks what a card says"):
        cards.add(run_of(tmp_path / "second", start=run))
    assert not home.exists()


@pytest.mark.parametrize("text", [b"\xff", b"a: &a [1]\nb: *a", b"game: chess\n", b"network: {start: /dev/zero}\n", b""])
def test_a_run_whose_configs_cannot_be_read_is_not_installed(text: bytes, home: Path, tmp_path: Path) -> None:
    second = run_of(tmp_path / "second", start=run_of(tmp_path / "first"))
    (tmp_path / "first" / "config.yaml").write_bytes(text)
    with pytest.raises(cards.CardError):
        cards.add(second)
    (second / "config.yaml").write_bytes(text)
    with pytest.raises(cards.CardError):
        cards.add(second)
    assert not home.exists()
