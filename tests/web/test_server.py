"""The server by HTTP: who may do what, what bad input gets, and what is kept."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tradewinds.envs as tw
from tradewinds.web.offers import seed_of
from tradewinds.web.server import Server

from .server_tools import Browser, board, guest_of, new_server, owner_of, play_to_the_end, wait_for

NAME = "santiago_de_cuba"
SECRETS = ("here", {"who": "link", "name": "Bob"})


def test_a_game_is_played_to_its_end_and_its_replay_is_that_game(owner: Browser, server: Server) -> None:
    made = owner.start("container", ["here", "random", "random"], max_turns=6)
    board(owner, made["id"])
    shown = play_to_the_end(owner, made["id"], (0,))
    assert shown["result"]["places"][0]["rank"] == 1
    for place in shown["result"]["places"]:
        assert sum(shown["result"]["points"][place["seat"]]) == place["score"] or not shown["result"]["sources"]
    replay = owner.get(f"/api/games/{made['id']}/replay").text
    kept = (server.folder / f"{made['id']}.jsonl").read_text()
    assert [json.loads(line) for line in replay.splitlines()][1:] == [json.loads(line) for line in kept.splitlines()][1:]
    result = tw.load_replay(server.folder / f"{made['id']}.jsonl").result
    assert result is not None and result["scores"] == [
        place["score"] for place in sorted(shown["result"]["places"], key=lambda place: place["seat"])
    ]
    assert "<!doctype html>" in owner.get(f"/api/games/{made['id']}/replay.html").text


# Who may do what


def test_another_host_is_refused(owner: Browser) -> None:
    answer = owner.client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400 and "evil.example" in answer.text
    assert owner.client.get("/page/app.css", headers={"host": "evil.example:8000"}).status_code == 400


def test_another_origin_is_refused(owner: Browser) -> None:
    made = owner.start(NAME, ["here", "random"])
    for path in ("/api/games", f"/api/games/{made['id']}/move"):
        owner.post(path, {}, 403, headers={"origin": "http://evil.example"})
        owner.post(path, {}, 403, headers={"origin": "null"})
        owner.post(path, {}, 403, headers={"sec-fetch-site": "cross-site"})
    owner.get(f"/api/games/{made['id']}/events", 403, headers={"origin": "http://127.0.0.1:9999"})
    assert owner.post("/api/games", {}, 422, headers={"origin": "http://127.0.0.1:8000"})


def test_without_the_owners_token_nothing_is_served(owner: Browser) -> None:
    guest = guest_of(owner)
    for path in ("/", "/api/setup", "/api/games", "/replays", "/api/replays"):
        assert guest.client.get(path).status_code == 403, path
    assert guest.client.get("/?token=wrong").status_code == 403
    assert guest.client.post("/api/games", json={}).status_code == 403
    guest.client.cookies.set(next(iter(owner.client.cookies)), "wrong")
    assert guest.client.get("/api/setup").status_code == 403


def test_the_cookie_and_the_headers_are_strict(owner: Browser, server: Server) -> None:
    answer = guest_of(owner).client.get(f"/?token={server.token}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    page = owner.client.get("/")
    assert "default-src 'self'" in page.headers["content-security-policy"] and "unsafe" not in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff" and "access-control-allow-origin" not in page.headers
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|https?://", page.text)


def test_a_seats_link_opens_that_seat_and_nothing_else(owner: Browser) -> None:
    made = owner.start(NAME, [*SECRETS, "random"])
    bob = guest_of(owner)
    path = f"/api/games/{made['id']}"
    bob.get(path, 403)
    bob.get(f"/table/{made['id']}?seat=wrong", 403)
    assert len(made["links"]) == 1
    bob.get(made["links"][0]["path"])
    assert bob.get(path)["seats"] == [1] and "links" not in bob.get(path)
    wait_for(lambda: bob.get(f"{path}/board?seat=1")["status"] != "compiling")
    for seat in ("0", "2", "", "-1", "99", "one"):
        bob.get(f"{path}/board?seat={seat}", 403)
        bob.post(f"{path}/move", {"seat": seat, "seq": 1, "action": 0}, 403)
    owner.get(f"{path}/board?seat=1", 403)
    bob.post(f"{path}/stop", {}, 403)
    assert bob.client.get("/").status_code == 403


def test_a_seat_of_one_game_opens_none_of_another(owner: Browser) -> None:
    mine, other = (owner.start(NAME, [*SECRETS, "random"]) for _ in range(2))
    token = mine["links"][0]["path"].partition("seat=")[2]
    bob = guest_of(owner)
    bob.get(f"/table/{other['id']}?seat={token}", 403)
    bob.client.cookies.set(f"seat-{other['id']}", token)
    for path in ("", "/board?seat=1", "/events", "/rules"):
        bob.get(f"/api/games/{other['id']}{path}", 403)


def test_a_refusal_is_a_page_for_people_and_harmless(owner: Browser) -> None:
    answer = owner.client.get("/<b>nothing</b>{{title}}")
    assert answer.status_code == 404 and answer.headers["content-type"].startswith("text/html")
    assert "There is nothing at /&lt;b&gt;nothing&lt;/b&gt;{{title}}." in answer.text and 'aria-label="Pages"' in answer.text
    assert 'aria-label="Pages"' not in guest_of(owner).client.get("/").text


def test_nothing_that_tells_all_is_sent_before_the_end(owner: Browser, server: Server) -> None:
    seed = 1234567891
    made = owner.start(NAME, ["here", "random"], seed=seed)
    shown = board(owner, made["id"])
    path = f"/api/games/{made['id']}"
    for form in ("replay", "replay.html"):
        owner.get(f"{path}/{form}", 403)
    sent = [json.dumps(shown), json.dumps(owner.get(path)), json.dumps(owner.get("/api/games")), owner.get(f"/table/{made['id']}").text]
    hint = owner.post(f"{path}/hint", {"seat": 0, "seq": shown["seq"]})
    assert hint["action"] in [choice["id"] for choice in shown["choices"]]
    assert not [text for text in [*sent, json.dumps(hint)] if str(seed) in text]
    owner.post(f"{path}/stop")
    owner.get(f"{path}/replay", 403)


# Bad input


def test_moves_that_are_stale_repeated_or_illegal_change_nothing(owner: Browser) -> None:
    made = owner.start(NAME, ["here", "random"])
    shown = board(owner, made["id"])
    path = f"/api/games/{made['id']}/move"
    legal = [choice["id"] for choice in shown["choices"]]
    illegal = next(action for action in range(1000) if action not in legal)
    for action in (illegal, -1, 10**30, "0", None, True, 1.5, [legal[0]]):
        answer = owner.post(path, {"seat": 0, "seq": shown["seq"], "action": action}, 422)
        assert shown["choices"][0]["name"] in answer["error"]
    for seq in (0, shown["seq"] + 1, None, "x"):
        assert owner.post(path, {"seat": 0, "seq": seq, "action": legal[0]}, 409)["seq"] == shown["seq"]
    assert board(owner, made["id"]) == shown
    owner.post(path, {"seat": 0, "seq": shown["seq"], "action": legal[0]})
    owner.post(path, {"seat": 0, "seq": shown["seq"], "action": legal[0]}, 409)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": NAME, "options": {"players": 9}}, "players"),
        ({"game": NAME, "options": {"wings": True}}, "wings"),
        ({"game": NAME, "options": {"players": 2}, "seats": [{"who": "here"}]}, "seats"),
        ({"game": NAME, "options": {"players": 2}, "seats": [{"who": "here"}, {"who": "os:system"}]}, "--agent"),
        ({"game": NAME, "options": {"players": 2}, "seats": [{"who": "here"}, {"who": "net:/etc"}]}, "--agent"),
        ({"game": NAME, "options": {"players": 2}, "seats": [{"who": "here", "name": "x" * 41}, {"who": "random"}]}, "40"),
        ({"game": NAME, "options": {"players": 2}, "seats": [{"who": "here", "name": "a\nb"}, {"who": "random"}]}, "plain"),
        ({"game": NAME, "options": {"players": 2}, "seats": [{"who": "here"}, {"who": "random"}], "seed": -1}, "seed"),
        ({"game": NAME, "options": {"players": 2}, "seats": [{"who": "here"}, {"who": "random"}], "seed": "x"}, "seed"),
        ({"game": 3, "options": []}, "game"),
    ],
)
def test_a_game_that_cannot_be_started_is_explained_and_leaves_nothing(
    body: dict[str, Any], words: str, owner: Browser, server: Server
) -> None:
    assert words in owner.post("/api/games", body, 422)["error"]
    assert not server.sessions and not list(server.folder.glob("*.json*"))


def test_random_seeds_are_too_many_to_try_and_exact_in_a_browser() -> None:
    seeds = [seed_of({}) for _ in range(64)]
    assert 2**32 < max(seeds) < 2**53


def test_bodies_that_are_huge_or_no_objects_are_refused(owner: Browser) -> None:
    def post(content: bytes) -> Any:
        return owner.client.post("/api/games", content=content)

    assert post(b"x" * 70_000).status_code == 413
    assert owner.client.post("/api/games", content=iter([b" " * 40_000] * 3)).status_code == 413
    for content in (b"{", b"[]", b"\xff\xfe", b'"x"'):
        assert post(content).status_code == 400
    for path in ("/nothing", "/api/nothing", "/page/../server.py", "/page/%2e%2e/server.py", "/table/../../etc", "/api/games/zzz"):
        assert owner.client.get(path).status_code == 404, path
    assert owner.client.get("/api/games/x/move").status_code == 405


def test_no_more_games_run_than_the_command_allows(tmp_path: Path) -> None:
    server = new_server(tmp_path, max_games=1)
    with owner_of(server) as owner:
        made = owner.start(NAME, ["here", "random"])
        board(owner, made["id"])
        assert "--games" in owner.start(NAME, ["here", "random"], 429)["error"]
        owner.post(f"/api/games/{made['id']}/stop")
        owner.start(NAME, ["here", "random"])
    server.stop()


# Undo


def test_undo_returns_to_the_own_last_decision_in_one_step(owner: Browser) -> None:
    made = owner.start(NAME, ["here", "random", "random"])
    path = f"/api/games/{made['id']}"
    first = board(owner, made["id"])
    assert first["undo"]["how"] == ""
    owner.post(f"{path}/undo", {"seat": 0, "seq": first["seq"]}, 409)
    owner.post(f"{path}/move", {"seat": 0, "seq": first["seq"], "action": first["choices"][0]["id"]})
    second = board(owner, made["id"])
    assert second["undo"]["how"] == "free"
    back = owner.post(f"{path}/undo", {"seat": 0, "seq": second["seq"]})
    assert (back["svg"], back["choices"]) == (first["svg"], first["choices"])
    assert back["log"][-1] == [0, "took back"] and back["log"][:-1] == first["log"]


def test_with_several_people_undo_after_others_acted_needs_their_consent(owner: Browser) -> None:
    made = owner.start(NAME, ["here", "here"])
    path = f"/api/games/{made['id']}"

    def shown(seat: int) -> Any:
        return owner.get(f"{path}/board?seat={seat}")

    wait_for(lambda: shown(0)["status"] != "compiling")
    while True:  # until a seat could only ask
        mover = next(seat for seat in (0, 1) if shown(seat)["status"] == "yours")
        if shown(mover)["undo"]["how"] == "ask":
            break
        owner.post(f"{path}/move", {"seat": mover, "seq": shown(mover)["seq"], "action": shown(mover)["choices"][0]["id"]})
    before, other = shown(mover), 1 - mover
    asked = owner.post(f"{path}/undo", {"seat": mover, "seq": before["seq"]})
    assert asked["undo"] == {"how": "asked", "seat": mover} and asked["svg"] == before["svg"]
    assert shown(other)["undo"] == {"how": "agree", "seat": mover}
    owner.post(f"{path}/undo", {"seat": other, "seq": shown(other)["seq"], "agree": False})
    assert shown(mover)["undo"]["how"] == "ask"
    owner.post(f"{path}/undo", {"seat": mover, "seq": shown(mover)["seq"]})
    owner.post(f"{path}/undo", {"seat": other, "seq": shown(other)["seq"], "agree": True})
    assert shown(mover)["svg"] != before["svg"] and shown(mover)["log"][-1] == [mover, "took back"] == shown(other)["log"][-1]


# What is kept


def test_a_full_disk_loses_nothing(owner: Browser, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    made = owner.start(NAME, ["here", "random"])
    shown = board(owner, made["id"])

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    path = f"/api/games/{made['id']}/move"
    with monkeypatch.context() as patch:
        patch.setattr("tradewinds.envs.core.io.replay.write_file", full)
        owner.post(path, {"seat": 0, "seq": shown["seq"], "action": shown["choices"][0]["id"]})
        shown = board(owner, made["id"])
        assert "No space left" in shown["warning"]
    owner.post(path, {"seat": 0, "seq": shown["seq"], "action": shown["choices"][0]["id"]})
    assert board(owner, made["id"])["warning"] == ""
    kept = tw.load_replay(server.folder / f"{made['id']}.jsonl")
    assert len(kept.moves) == len(server.sessions[made["id"]].table.history.moves)


def test_a_game_begun_on_a_full_disk_is_kept_with_its_next_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    first = new_server(tmp_path)
    with owner_of(first) as owner:
        with monkeypatch.context() as patch:
            patch.setattr("tradewinds.web.session.write_file", full)
            made = owner.start(NAME, ["here", "random"])
            shown = board(owner, made["id"])
            assert "No space left" in shown["warning"]
        owner.post(f"/api/games/{made['id']}/move", {"seat": 0, "seq": shown["seq"], "action": shown["choices"][0]["id"]})
        assert board(owner, made["id"])["warning"] == ""
    first.stop()
    second = new_server(tmp_path)
    with owner_of(second) as owner:
        assert [game["id"] for game in owner.get("/api/games")["games"]] == [made["id"]]
    second.stop()


def test_after_a_restart_the_game_goes_on_at_the_same_position(tmp_path: Path) -> None:
    first = new_server(tmp_path)
    with owner_of(first) as owner:
        made = owner.start(NAME, [*SECRETS, "random"])
        wait_for(lambda: owner.get(f"/api/games/{made['id']}/board?seat=0")["status"] != "compiling")
        bob = guest_of(owner)
        bob.get(made["links"][0]["path"])

        def step(browser: Browser, seat: int) -> None:
            shown = browser.get(f"/api/games/{made['id']}/board?seat={seat}")
            if shown["status"] == "yours":
                body = {"seat": seat, "seq": shown["seq"], "action": shown["choices"][0]["id"]}
                browser.post(f"/api/games/{made['id']}/move", body)

        def settled() -> Any:
            both = [browser.get(f"/api/games/{made['id']}/board?seat={seat}") for seat, browser in enumerate((owner, bob))]
            return both if "yours" in [shown["status"] for shown in both] else None

        for _ in range(6):
            wait_for(settled)
            step(owner, 0)
            step(bob, 1)
        before = wait_for(settled)
    first.pool.shutdown(wait=True)  # nothing is saved at the end: the process might have been killed
    second = new_server(tmp_path)
    with owner_of(second) as owner:
        assert [game["id"] for game in owner.get("/api/games")["games"]] == [made["id"]]
        owner.get(f"/table/{made['id']}")
        bob = guest_of(owner)
        bob.get(made["links"][0]["path"])
        wait_for(lambda: bob.get(f"/api/games/{made['id']}/board?seat=1")["status"] != "compiling")
        for seat, browser in enumerate((owner, bob)):
            after = browser.get(f"/api/games/{made['id']}/board?seat={seat}")
            assert {**after, "seq": 0} == {**before[seat], "seq": 0}
    second.stop()


def test_files_with_secrets_are_the_owners_alone(owner: Browser, server: Server) -> None:
    made = owner.start(NAME, ["here", "random"])
    board(owner, made["id"])
    for name in ("token", f"{made['id']}.json"):
        assert (server.folder / name).stat().st_mode & 0o077 == 0


def test_a_browser_that_asks_for_an_icon_gets_it(tmp_path: Path) -> None:
    with owner_of(new_server(tmp_path)) as owner:
        assert b"<svg" in owner.client.get("/favicon.ico").content
