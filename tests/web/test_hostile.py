"""Requests and saved games of strangers: one clear answer, no code, no half-written file."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core.test_faults import failing, names
from tests.web.server_tools import board, new_server, owner_of, wait_for
from tradewinds.web.session import Session

GAME = "santiago_de_cuba"


@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"a":' * 10_000, b"9" * 5000, b"\xff", b"[]"])
def test_a_body_that_is_no_object_is_refused(body: bytes, tmp_path: Path) -> None:
    with owner_of(new_server(tmp_path)) as owner:
        assert owner.client.post("/api/games", content=body).status_code == 400


@pytest.mark.parametrize("headers", [{"host": "["}, {"origin": "http://["}, {"origin": "null"}])
def test_headers_that_are_no_addresses_are_refused(headers: dict[str, str], tmp_path: Path) -> None:
    with owner_of(new_server(tmp_path)) as owner:
        assert owner.client.get("/api/games", headers=headers).status_code in (400, 403)


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
