"""Requests and saved games of strangers: one clear answer, no code, no half-written file."""

import json
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.core.test_faults import failing, names
from tests.web.server_tools import board, listening, new_server, owner_of, wait_for
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
    monkeypatch.setattr(Session, "agent", lambda *_: pytest.fail("an agent was built"))
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
