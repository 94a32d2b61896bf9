"""Requests and saved games of strangers: one clear answer, no code, no half-written file."""

import json
import os
import socket
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

import tradewinds.envs as tw
from tests.core.test_faults import failing, names
from tests.web.server_tools import METRICS, board, listening, new_server, owner_of, wait_for
from tradewinds.web.session import Session
from tradewinds.web.tables import MOST_STREAMS

GAME = "santiago_de_cuba"


@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"a":' * 10_000, b"9" * 5000, b"\xff", b"[]"])
def test_a_body_that_is_no_object_is_refused(body: bytes, tmp_path: Path) -> None:
    with owner_of(new_server(tmp_path)) as owner:
        assert owner.client.post("/api/games", content=body).status_code == 400


@pytest.mark.parametrize("headers", [{"host": "["}, {"origin": "http://["}, {"origin": "null"}])
def test_headers_that_are_no_addresses_are_refused(headers: dict[str, str], tmp_path: Path) -> None:
    with owner_of(new_server(tmp_path)) as owner:
        assert owner.client.get("/api/games", headers=headers).status_code in (400, 403)


def test_slow_and_many_connections_stop_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradewinds.web.app.BODY_SECONDS", 0.5)
    server = new_server(tmp_path)
    with listening(server) as address, ExitStack() as open_sockets:
        where = urlsplit(address)
        owner = httpx.Client(base_url=address, cookies={server.cookie: server.token})
        game = owner.post("/api/games", json={"game": GAME, "options": {"players": 2}, "seats": [{"who": "here"}] * 2}).json()["id"]
        cookies = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())

        def connect(text: str) -> socket.socket:
            found = open_sockets.enter_context(socket.create_connection((where.hostname, where.port), timeout=60))
            found.sendall(text.format(host=where.netloc, game=game, cookies=cookies).replace("\n", "\r\n").encode())
            return found

        for _ in range(50):  # a header that never ends
            connect("GET / HTTP/1.1\nHost: {host}\nX-Slow: ")
        slow = connect("POST /api/games/{game}/move HTTP/1.1\nHost: {host}\nCookie: {cookies}\nContent-Length: 100\n\n{{")
        streams = [connect("GET /api/games/{game}/events HTTP/1.1\nHost: {host}\nCookie: {cookies}\n\n") for _ in range(MOST_STREAMS)]
        assert [b"200 OK" in stream.recv(1000) for stream in streams] == [True] * MOST_STREAMS
        assert owner.get(f"/api/games/{game}/events").status_code == 429
        assert b"408" in slow.recv(1000)
        session = server.sessions[game]
        wait_for(lambda: session.table is not None)
        mover = session.table.seat
        shown = owner.get(f"/api/games/{game}/board?seat={mover}").json()
        body = {"seat": mover, "seq": shown["seq"], "action": shown["choices"][0]["id"]}
        assert owner.post(f"/api/games/{game}/move", json=body).status_code == 200
        owner.close()


def seat(**facts: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda game: game["seats"][1].update(facts)


CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a token that is a number": seat(token=5),
    "a name that is a list": seat(name=[1]),
    "an agent that is a number": seat(code=5),
    "an agent of a stranger": seat(code="stranger_mod:A"),
    "a language model": seat(code="llm:model"),
    "a network elsewhere": seat(code="net:/etc"),
    "another key": seat(odd=1),
    "a seed that is text": lambda game: game.update(seed="x"),
    "a seed that is too large": lambda game: game.update(seed=2**70),
    "options that are a list": lambda game: game.update(options=[1]),
    "a seat too few": lambda game: game["seats"].pop(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_saved_game_of_a_stranger_is_refused_and_runs_nothing(
    change: Callable[[dict[str, Any]], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tradewinds.web.session.new_agent", lambda *_: pytest.fail("an agent was built"))
    with owner_of(new_server(tmp_path)) as owner:
        number = owner.start(GAME, ["here", "here"])["id"]
        board(owner, number)
        facts = json.loads((tmp_path / "web" / f"{number}.json").read_text())
        change(facts)
        (tmp_path / "web" / f"{15:016x}.json").write_text(json.dumps(facts))
        (tmp_path / "web" / f"{14:016x}.json").write_text("[" * 100_000)
        for path in ("/table/{}", "/api/games/{}", "/api/games/{}/board?seat=0"):
            for given in (15, 14):
                assert owner.client.get(path.format(f"{given:016x}")).status_code in (404, 409)
        assert [game["id"] for game in owner.get("/api/games")["games"]] == [number]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_among_the_files_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    for name in ("game.jsonl", "run/metrics.csv", "run/settings.json"):
        os.mkfifo(tmp_path / name)
    server = new_server(tmp_path)
    with owner_of(server) as owner:
        assert owner.get("/api/replays")["replays"] == []
        assert owner.get("/api/runs")["runs"] == []
        assert owner.get("/api/tournaments")["folders"] == []


def test_a_game_whose_files_cannot_be_written_goes_on_and_is_whole_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = new_server(tmp_path)
    with owner_of(server) as owner:
        number = owner.start(GAME, ["here", "here"])["id"]
        board(owner, number)
        session = server.sessions[number]
        files = [server.folder / f"{number}.json", server.folder / f"{number}.jsonl"]
        wait_for(lambda: files[1].exists())

        def act() -> None:
            session.describe()
            session.save()
            if session.warning:
                raise OSError(session.warning)

        failed = 0
        for error in failing(monkeypatch, act):
            failed += error is not None
            assert error is None or "cannot be saved: No space left" in str(error)
            assert not [name for name in names(server.folder) if "unfinished" in name]
            again = Session.read(server, number)
            assert [seat.token for seat in again.seats] == [seat.token for seat in session.seats]
            assert files[1].read_bytes().count(b"\n") == 1
        assert failed >= 3


def strangers_folders(runs: Path) -> None:
    """Runs, results and replays that would each break the list they are in."""
    env = tw.make(GAME, players=2)
    env.reset(seed=1)
    head = "\n".join(tw.Replay.of(env, ["\ud800", "\x1b[2J"]).lines()).encode("ascii", "backslashreplace") + b"\n"
    for number, scores in enumerate(([float("nan"), 1], [10**400, 1], ["<b>", {}], [1])):
        result = json.dumps({"result": {"scores": scores, "ranks": scores}}).encode()
        (runs / f"game-{number}.jsonl").write_bytes(head + result + b"\n")
    (runs / "names.jsonl").write_bytes(head)
    configs = {
        "huge": f"game: {GAME}\nppo: {{total_timesteps: 0x{'f' * 50_000}}}\n",
        "surrogate": 'game: "\\ud800"\n',
        "options": f"game: {GAME}\noptions: [1]\n",
        "nothing": "",
    }
    for name, text in configs.items():
        (runs / name).mkdir()
        (runs / name / "metrics.csv").write_text(METRICS)
        (runs / name / "config.yaml").write_text(text)
    for number, text in enumerate(("{}", '{"game": {}}', '{"game": [[]]}', "[" * 100_000)):
        (runs / f"versions-{number}").mkdir()
        (runs / f"versions-{number}" / "metrics.csv").write_text(METRICS)
        (runs / f"versions-{number}" / "versions.json").write_text(text)
    good = {
        "format": 2,
        "game": GAME,
        "options": {"players": 2},
        "agents": ["a", "b"],
        "matches": [[0, 1]],
        "games": 4,
        "chunk": 4,
        "seed": 1,
    }
    changes: list[dict[str, Any]] = [
        {"agents": ["\ud800", "b"]},
        {"games": 10**7, "chunk": 2, "matches": [[0, 1]] * 4000},
        {"game": "p" * 3_000_000},
        {"seed": float("nan")},
        {"options": {"players": 10**400}},
    ]
    for number, change in enumerate(changes):
        (runs / f"results-{number}").mkdir()
        (runs / f"results-{number}" / "settings.json").write_text(json.dumps({**good, **change}))
    (runs / "good").mkdir()
    (runs / "good" / "settings.json").write_text(json.dumps(good))
    line = json.dumps({"chunk": 0, "session": 0, "at": 0.0, "losses": [], "scores": [[1, 2]] * 4, "ranks": [[2, 1]] * 4, "lengths": [9] * 4,
                       "truncated": [], "times": [[0.0, 0.0, None]] * 2, "digests": None,
                       "failures": [[0, 0, 0, "error", "\ud800\x1b", []]]}).encode()  # fmt: skip
    (runs / "good" / "results.jsonl").write_bytes(f"{zlib.crc32(line):08x} ".encode() + line + b"\n")


def test_folders_of_strangers_cost_their_own_line_of_a_list(tmp_path: Path) -> None:
    strangers_folders(tmp_path)
    with owner_of(new_server(tmp_path)) as owner:
        replays = owner.get("/api/replays")
        assert len(replays["replays"]) + len(replays["damaged"]) == 5
        assert any(line["names"] == ["?", "?[2J"] for line in replays["replays"])
        runs = {run["name"]: run for run in owner.get("/api/runs")["runs"]}
        assert len(runs) == 8 and runs["huge"]["total"] is None
        for run in runs.values():
            assert owner.get(f"/api/runs/{run['id']}")["curves"]["ladder"]
            assert owner.client.post(f"/api/runs/{run['id']}/play").status_code == 409
        folders = {folder["name"]: folder for folder in owner.get("/api/tournaments")["folders"]}
        assert sorted(name for name, folder in folders.items() if "error" not in folder) == ["good"] and len(folders) == 6
        for name, folder in folders.items():
            owner.get(f"/api/tournaments/{folder['id']}", 200 if name == "good" else 422)
        found = owner.get(f"/api/tournaments/{folders['good']['id']}")
        assert found["figures"]["failures"][0]["reason"] == "??"


UPLOADS: dict[str, bytes] = {
    "nothing": b"",
    "nested": b"[" * 200_000,
    "not UTF-8": b"\xff\xfe\n" * 9,
    "another game": json.dumps({"tradewinds replay": 1, "game": "chess", "version": 1}).encode(),
    "a game that is no name": json.dumps({"tradewinds replay": 1, "game": {"a": 1}, "version": 1}).encode(),
    "a long name": json.dumps({"tradewinds replay": 1, "game": "p" * 900_000, "version": 1}).encode(),
    "options that are a list": json.dumps({"tradewinds replay": 1, "game": GAME, "version": 1, "options": [1]}).encode(),
    "a seed that is infinite": b'{"tradewinds replay": 1, "game": "santiago_de_cuba", "version": 1, "seed": Infinity}',
    "a version that is infinite": b'{"tradewinds replay": 1, "game": "santiago_de_cuba", "version": NaN}',
}


@pytest.mark.parametrize("data", UPLOADS.values(), ids=UPLOADS)
def test_an_upload_that_is_no_replay_is_refused_and_not_kept(data: bytes, tmp_path: Path) -> None:
    with owner_of(new_server(tmp_path)) as owner:
        answer = owner.client.post("/api/replays", content=data)
        assert answer.status_code == 422 and answer.json()["error"].isprintable()
    assert not list(tmp_path.rglob("*.jsonl"))


def test_names_of_an_upload_are_printable(tmp_path: Path) -> None:
    env = tw.make(GAME, players=2)
    env.reset(seed=1)
    data = "\n".join(tw.Replay.of(env, ["\x1b[2J" + "x" * 99, "\ud800<script>"]).lines()).encode("ascii", "backslashreplace")
    with owner_of(new_server(tmp_path)) as owner:
        number = owner.client.post("/api/replays", content=data).json()["id"]
        assert owner.get(f"/api/replays/{number}/frames?view=player_0")["names"] == ["?[2J" + "x" * 36, "?<script>"]
