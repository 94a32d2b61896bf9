"""Replays, runs and results on the server: damaged and hostile files cost one line, and the browser never names a file."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tradewinds.training.evaluation.evaluate import evaluate, tournament

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from tradewinds.web.app import create_app
from tradewinds.web.server import Server, Settings, replay_id

from .conftest import played
from .server_tools import METRICS, board, new_server, owner_of


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    server = Server(Settings(runs=tmp_path, hosts=("testserver",)))
    with TestClient(create_app(server), cookies={server.cookie: server.token}) as found:
        yield found
    server.stop()


def run(folder: Path, text: str = METRICS) -> Path:
    folder.mkdir()
    (folder / "metrics.csv").write_text(text)
    return folder


def test_runs_have_curves_with_intervals_and_a_damaged_one_costs_one_line(client: TestClient, tmp_path: Path) -> None:
    run(tmp_path / "good")
    run(tmp_path / "growing", METRICS + "3,ppo,30")
    run(tmp_path / "holed", METRICS + "x,<b>,nan\n3,ppo,3000,1,,,,0.2\n")
    run(tmp_path / "bad", "\x00\x01<script>")
    found = {one["name"]: one for one in client.get("/api/runs").json()["runs"]}
    assert found["bad"]["error"] and found["holed"]["damaged"] == 1
    assert found["good"]["step"] == found["growing"]["step"] == 2000
    curves = client.get(f"/api/runs/{found['good']['id']}").json()["curves"]
    assert curves["ladder"] == [{"opponent": "scripted", "points": [[0, 0.25, 0.2, 0.3], [2000, 0.5, 0.45, 0.55]]}]
    stamp = "-".join(found["good"]["stamp"])
    assert client.get(f"/api/runs/{found['good']['id']}?stamp={stamp}").json() == {"unchanged": True}
    answer = client.post(f"/api/runs/{found['good']['id']}/play")
    assert answer.status_code == 409 and "no network yet" in answer.json()["error"]
    assert client.get("/api/runs/..%2f..%2fetc").status_code == 404


@pytest.mark.parametrize("kind", ["checkpoints", "best"])
def test_the_newest_network_of_a_run_is_played_and_stays_when_the_run_removes_it(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tradewinds.agents.neural.checkpoint import save_net
    from tradewinds.agents.neural.network import Network, Shape

    variant = tw.game("santiago_de_cuba").with_options(players=2)
    nets = run(tmp_path / "run") / kind
    for step in ("1000", "2000"):
        save_net(nets / f"{step:0>9}", Network(Shape.of(variant, width=4, blocks=0)), variant)
    server = new_server(tmp_path)
    with owner_of(server) as owner:
        (found,) = owner.get("/api/runs")["runs"]
        made = owner.post(f"/api/runs/{found['id']}/play", status=201)
        game = made["path"].rpartition("/")[2]
        facts = owner.get(f"/api/games/{game}")
        (seat,) = facts["seats"]  # by the cookie of the answer
        shown = board(owner, game, seat)
        assert shown["status"] == "yours" and [player["name"] for player in facts["players"]].count("run at 2000") == 1
    server.stop()
    shutil.rmtree(nets)
    server = new_server(tmp_path)
    with owner_of(server) as owner:
        owner.get(made["path"])
        again = board(owner, game, seat)
        owner.post(f"/api/games/{game}/move", {"seat": seat, "seq": again["seq"], "action": again["choices"][0]["id"]})
        assert (again["status"], again["svg"], board(owner, game, seat)["status"]) == ("yours", shown["svg"], "yours")
    server.stop()


def test_results_are_those_of_the_command_and_damage_is_said(client: TestClient, tmp_path: Path) -> None:
    expected = tournament("santiago_de_cuba", ["random", "scripted"], games=16, folder=tmp_path / "cup", workers=0)
    evaluate("santiago_de_cuba", "scripted", "random", games=8, folder=tmp_path / "one", workers=0)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "settings.json").write_text('{"format": 2, "game": ["x"]}')
    folders = {one["name"]: one for one in client.get("/api/tournaments").json()["folders"]}
    assert folders["bad"]["error"].startswith("settings.json cannot be read")
    assert folders["one"]["kind"] == "evaluation"
    found = client.get(f"/api/tournaments/{folders['cup']['id']}").json()
    assert found["games"] == found["total"] == 32
    assert found["figures"]["table"] == expected.table
    assert found["figures"]["ci95"] == [list(bounds) for bounds in expected.ci95]
    results = tmp_path / "cup" / "results.jsonl"
    results.write_bytes(results.read_bytes().replace(b"ranks", b"rinks", 1))
    damaged = client.get(f"/api/tournaments/{folders['cup']['id']}").json()
    assert damaged["notes"] == ["line 1 of results.jsonl is damaged and was left out"] and damaged["figures"] is None
    assert client.get(f"/api/tournaments/{folders['bad']['id']}").status_code == 422


def test_a_replay_is_uploaded_listed_shown_and_exported(client: TestClient, tmp_path: Path) -> None:
    replay = played("santiago_de_cuba", 4, players=2, names=True)
    data = "\n".join(replay.lines())
    answer = client.post("/api/replays", content=data)
    assert answer.status_code == 201
    number = answer.json()["id"]
    (tmp_path / "other.jsonl").write_text("[" * 100_000)
    (tmp_path / "else.jsonl").write_text(json.dumps({"tradewinds replay": 1, "game": "../../etc", "options": 3}))
    listed = client.get("/api/replays").json()
    assert [one["id"] for one in listed["replays"]] == [number]
    assert len(listed["damaged"]) == 2
    frames = client.get(f"/api/replays/{number}/frames?view=player_1").json()
    assert frames["views"][0]["view"] == "player_1" and frames["possible"] == ["all", "player_0", "player_1"]
    assert client.get(f"/api/replays/{number}/frames?view=../x").status_code == 422
    assert client.get(f"/api/replays/{number}/analysis").json()["state"] == "none"
    assert client.get(f"/replays/{number}.html").text.startswith("<!doctype html>")


@pytest.mark.parametrize("data", ["", "{", "[1]", '{"tradewinds replay": 1, "game": "no such"}', "\xff\xfe"])
def test_what_is_no_replay_is_refused_in_a_sentence(data: str, client: TestClient, tmp_path: Path) -> None:
    answer = client.post("/api/replays", content=data.encode("latin-1"))
    assert answer.status_code == 422 and answer.json()["error"].startswith("this file was not accepted: ")
    assert not list(tmp_path.rglob("*.jsonl"))


def test_an_upload_over_1_mb_is_refused(client: TestClient) -> None:
    assert client.post("/api/replays", content=b"x" * (1 << 20 | 1)).status_code == 413


def test_an_unfinished_replay_is_shown_from_one_seat_and_not_analysed(client: TestClient, tmp_path: Path) -> None:
    played("santiago_de_cuba", 4, moves=20, players=2).save(tmp_path / "part.jsonl")
    played("santiago_de_cuba", 4, moves=20, players=2).save(tmp_path / "web" / "0123456789abcdef.jsonl")
    listed = client.get("/api/replays").json()["replays"]
    assert [one["file"] for one in listed] == ["part.jsonl"], "a game that is being played here is not listed"
    frames = client.get(f"/api/replays/{listed[0]['id']}/frames").json()
    assert "all" not in frames["possible"] and frames["result"] is None
    assert client.get(f"/api/replays/{listed[0]['id']}/frames?view=all").status_code == 422
    assert client.post(f"/api/replays/{listed[0]['id']}/analysis", json={}).status_code == 409


def test_a_running_game_is_no_replay_that_can_be_opened(tmp_path: Path) -> None:
    server = new_server(tmp_path)
    with owner_of(server) as owner:
        made = owner.start("santiago_de_cuba", ["here", "random"])
        shown = board(owner, made["id"])
        owner.post(f"/api/games/{made['id']}/move", {"seat": 0, "seq": shown["seq"], "action": shown["choices"][0]["id"]})
        board(owner, made["id"])
        path = server.sessions[made["id"]].path
        assert path.is_file()
        for address in (
            f"/api/replays/{replay_id(path)}/frames",
            f"/replays/{replay_id(path)}.html",
            f"/api/replays/{replay_id(path)}/analysis",
        ):
            owner.get(address, 403)
    server.stop()


def test_pages_are_the_owners_alone(client: TestClient) -> None:
    client.cookies.clear()
    for path in ("/replays", "/compare", "/training", "/api/replays", "/api/runs", "/api/tournaments"):
        assert client.get(path).status_code == 403
