"""The agents of games on the server: how they are asked and replaced, whom they keep waiting, and when their processes end."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tradewinds.envs as tw
from tests.support import registered, toy_game
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.web.preload import is_compiled, preload
from tradewinds.web.server import Server
from tradewinds.web.session import Session

from .server_tools import Browser, Patient, board, new_server, owner_of, play_to_the_end, to_the_agents, wait_for

NAME = "santiago_de_cuba"
OWN = "tests.web.players:first"


def test_only_agents_of_the_command_line_are_offered(tmp_path: Path) -> None:
    server = new_server(tmp_path, agents=["tests.web.players:first"])
    with owner_of(server) as owner:
        assert "tests.web.players:first" in owner.get("/api/setup")["agents"]
        made = owner.start(NAME, ["here", "tests.web.players:first"])
        shown = board(owner, made["id"])
        assert shown["status"] == "yours"
    server.stop()


def test_an_agent_that_fails_can_be_replaced_and_tells_nothing(tmp_path: Path) -> None:
    server = new_server(tmp_path, agents=["tests.web.players:broken"])
    with owner_of(server) as owner:
        made = owner.start(NAME, ["here", "tests.web.players:broken"])

        def failed() -> Any:
            shown = owner.get(f"/api/games/{made['id']}/board?seat=0")
            if shown["status"] == "yours":
                body = {"seat": 0, "seq": shown["seq"], "action": shown["choices"][0]["id"]}
                owner.post(f"/api/games/{made['id']}/move", body)
            return shown if shown["status"] == "failed" else None

        shown = wait_for(failed)
        assert "player_1" in shown["failure"] and "my cards" not in json.dumps(shown)
        owner.post(f"/api/games/{made['id']}/retry", {"agent": "os:system"}, 422)
        owner.post(f"/api/games/{made['id']}/retry", {"agent": "random"})
        assert board(owner, made["id"])["status"] == "yours"
    server.stop()


def test_an_agent_that_cannot_be_made_is_replaced_before_the_game_begins(tmp_path: Path) -> None:
    server = new_server(tmp_path, agents=["net:nowhere"])
    with owner_of(server) as owner:
        made = owner.start(NAME, ["here", "net:nowhere", "random"])
        assert board(owner, made["id"])["status"] == "failed"
        owner.post(f"/api/games/{made['id']}/retry", {"agent": "medium"})
        assert board(owner, made["id"])["status"] == "yours"
        assert [player["agent"] for player in owner.get(f"/api/games/{made['id']}")["players"]] == [None, "scripted", "random"]
    server.stop()
    again = new_server(tmp_path)
    with owner_of(again) as owner:
        owner.get(f"/table/{made['id']}")
        assert board(owner, made["id"])["status"] == "yours", "the replacement is kept"
    again.stop()


def test_a_failed_game_can_be_stopped(tmp_path: Path) -> None:
    server = new_server(tmp_path, agents=["net:nowhere"])
    with owner_of(server) as owner:
        made = owner.start(NAME, ["here", "net:nowhere"])
        assert board(owner, made["id"])["status"] == "failed"
        owner.post(f"/api/games/{made['id']}/stop")
        shown = board(owner, made["id"])
        assert (shown["status"], shown["failure"]) == ("stopped", "")
    server.stop()


def test_a_game_that_cannot_be_drawn_says_so(owner: Browser) -> None:
    def broken(*_: Any) -> str:
        raise RuntimeError("no pencil")

    with registered(replace(toy_game(), svg=broken)) as game:
        shown = board(owner, owner.start(game.name, ["here", "random"])["id"])
        assert shown["status"] == "failed" and "RuntimeError" in shown["failure"]


# Hints


def test_a_game_without_a_bot_has_hints_by_search(owner: Browser) -> None:
    with registered(toy_game()) as game:
        made = owner.start(game.name, ["here", "random"])
        shown = board(owner, made["id"])
        hint = owner.post(f"/api/games/{made['id']}/hint", {"seat": 0, "seq": shown["seq"]})
        assert hint["agent"].startswith("search:")


# Threads


def test_while_agents_think_the_own_move_is_shown_and_kept(owner: Browser, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    made = owner.start(NAME, ["here", "random"])
    board(owner, made["id"])
    agents = Patient(monkeypatch)
    before, after = to_the_agents(owner, made["id"])
    assert len(after["log"]) > len(before["log"]) and after["seq"] > before["seq"]
    assert len(tw.load_replay(server.folder / f"{made['id']}.jsonl").moves) == len(server.sessions[made["id"]].table.history.moves)
    agents.may_answer.set()
    assert board(owner, made["id"])["status"] == "yours"


def test_an_agent_is_asked_one_question_at_a_time(owner: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    made = owner.start(NAME, ["here", "random"])
    board(owner, made["id"])
    agents = Patient(monkeypatch)
    for _ in range(2):  # take back while the agent thinks, and move again
        _, after = to_the_agents(owner, made["id"])
        owner.post(f"/api/games/{made['id']}/undo", {"seat": 0, "seq": after["seq"]})
    to_the_agents(owner, made["id"])
    agents.may_answer.set()
    assert board(owner, made["id"])["status"] == "yours"
    assert agents.asked > 1 and agents.most_at_once == 1


def test_games_that_are_compiled_keep_no_other_game_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradewinds.web.server.os.cpu_count", lambda: 1)
    server, is_compiled, prepare = new_server(tmp_path), threading.Event(), Session.prepare

    def slow(session: Session, *arguments: Any) -> None:
        if session.variant.game.name != NAME:
            is_compiled.wait()
        prepare(session, *arguments)

    monkeypatch.setattr(Session, "prepare", slow)
    with owner_of(server) as owner:
        try:
            for name in tw.games():
                if name != NAME:
                    owner.start(name, ["here", "random", "random"])
            made = owner.start(NAME, ["here", "random"])
            board(owner, made["id"])
            to_the_agents_and_back(owner, made["id"])
        finally:
            is_compiled.set()
    server.stop()


@pytest.mark.parametrize("is_compiled", [True, False])
def test_games_are_loaded_before_they_are_played(is_compiled: bool, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradewinds.web.preload.is_compiled", lambda _: is_compiled)
    with registered(replace(toy_game())) as game:
        preload(server, [game.name]).join()
        assert "loops" in vars(game), "the game of the command line is compiled if need be"
    with registered(replace(toy_game())) as game:
        monkeypatch.setattr("tradewinds.web.preload.tw.games", lambda: [game.name])
        preload(server).join()
        assert ("loops" in vars(game)) == is_compiled
    server.stop()


@pytest.mark.skipif(not JIT, reason="as plain Python nothing is compiled")
def test_what_is_in_the_cache_counts_as_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tw.game(NAME)
    assert game.loops is not None and is_compiled(game)
    monkeypatch.setenv("TRADEWINDS_CACHE", str(tmp_path))
    other = replace(game, name="not_compiled_yet")
    assert not is_compiled(other)


def to_the_agents_and_back(owner: Browser, game: str) -> None:
    """Play until agents have decided."""
    seats: set[int] = set()
    while seats != {0, 1}:
        shown = board(owner, game)
        owner.post(f"/api/games/{game}/move", {"seat": 0, "seq": shown["seq"], "action": shown["choices"][0]["id"]})
        board(owner, game)
        session = owner.client.app.state.server.sessions[game]  # type: ignore[attr-defined]
        seats = {seat for seat, _, _ in session.table.env.moves}


# Processes


class Closing:
    """An agent that counts how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def act(self, decisions: Any) -> Any:
        return decisions.masks.argmax(1)

    def close(self) -> None:
        self.closed += 1


def with_agent(server: Server, game: str) -> Closing:
    """Put such an agent at seat 1."""
    agent = Closing()
    server.sessions[game].table.agents[1] = agent
    return agent


def test_processes_of_agents_end_with_the_game(owner: Browser, server: Server) -> None:
    made = owner.start("container", ["here", "random", "random"], max_turns=6)
    board(owner, made["id"])
    agent = with_agent(server, made["id"])
    play_to_the_end(owner, made["id"], (0,))
    assert wait_for(lambda: agent.closed)


def test_an_agent_that_is_asked_while_the_game_is_stopped_answers_first(
    owner: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = owner.start(NAME, ["here", "random"])
    board(owner, made["id"])
    agent, agents = with_agent(server, made["id"]), Patient(monkeypatch)
    to_the_agents(owner, made["id"])
    wait_for(lambda: agents.asked)
    owner.post(f"/api/games/{made['id']}/stop")
    assert not agent.closed
    agents.may_answer.set()
    assert wait_for(lambda: agent.closed)


def test_a_stopped_game_leaves_no_process(tmp_path: Path) -> None:
    server = new_server(tmp_path, agents=[OWN], hint=OWN)
    with owner_of(server) as owner:
        made = owner.start(NAME, ["here", OWN])
        board(owner, made["id"])
        to_the_agents_and_back(owner, made["id"])
        path = f"/api/games/{made['id']}"
        owner.post(f"{path}/hint", {"seat": 0, "seq": board(owner, made["id"])["seq"]})
        session = server.sessions[made["id"]]
        asked = [session.table.agents[1], session.advice._hint_agent]
        assert all(agent._process is not None for agent in asked)
        owner.post(f"{path}/stop")
        assert all(agent._process is None for agent in asked)
    server.stop()
