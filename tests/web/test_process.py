"""`tradewinds web` as a process: how it ends with open pages, and what is there after it was killed."""

import http.client
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from .server_tools import Process, wait_for

pytestmark = pytest.mark.integration
NAME = "santiago_de_cuba"


class Client:
    """A browser's requests to a process, with its cookies and one connection that is kept."""

    def __init__(self, address: str) -> None:
        self.at = urlsplit(address)
        self.connection = self.connect()
        self.cookies: dict[str, str] = {}
        self.ask("GET", f"/?{self.at.query}")

    def connect(self) -> http.client.HTTPConnection:
        assert self.at.hostname is not None
        return http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=60)

    def request(self, connection: http.client.HTTPConnection, method: str, path: str, body: Any = None) -> http.client.HTTPResponse:
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), "content-type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("set-cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.request(self.connection, method, path, body)
        data = answer.read()
        return json.loads(data) if answer.headers.get_content_type() == "application/json" else data

    def start(self, *others: str) -> str:
        seats = [{"who": "here"}, *({"who": who} for who in others)]
        body = {"game": NAME, "options": {"players": len(seats)}, "seats": seats, "seed": 3}
        return self.ask("POST", "/api/games", body)["id"]

    def board(self, game: str) -> Any:
        """What seat 0 is shown as soon as it decides."""
        return wait_for(lambda: (found := self.ask("GET", f"/api/games/{game}/board?seat=0"))["status"] == "yours" and found, 120)


@contextmanager
def running(folder: Path) -> Iterator[Process]:
    found = Process(folder)
    try:
        yield found
    finally:
        found.process.kill()
        found.process.wait()
        assert found.process.stdout is not None
        found.process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_open_pages_and_an_agent_at_work(number: signal.Signals, tmp_path: Path) -> None:
    with running(tmp_path) as server:
        client = Client(server.address)
        game = client.start("hardest")
        shown = client.board(game)
        streams = [client.connect() for _ in range(3)]
        heard = [client.request(stream, "GET", f"/api/games/{game}/events") for stream in streams]
        assert [answer.readline()[:5] for answer in heard] == [b"data:"] * 3
        client.ask("POST", f"/api/games/{game}/move", {"seat": 0, "seq": shown["seq"], "action": shown["choices"][0]["id"]})
        server.process.send_signal(number)
        assert server.process.wait(20) == 0
        for stream in streams:
            stream.close()
        client.connection.close()
    assert (tmp_path / "web" / f"{game}.jsonl").stat().st_size


def test_after_kill_9_the_game_goes_on_at_the_same_position(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        client = Client(server.address)
        game = client.start("random")
        for _ in range(5):
            shown = client.board(game)
            client.ask("POST", f"/api/games/{game}/move", {"seat": 0, "seq": shown["seq"], "action": shown["choices"][-1]["id"]})
        before = client.board(game)
        server.process.kill()
        client.connection.close()
    with running(tmp_path) as server:
        assert urlsplit(server.address).query == client.at.query, "pages that are open go on"
        again = Client(server.address)
        again.cookies = client.cookies  # the same browser
        after = again.board(game)
        again.connection.close()
    assert {**after, "seq": 0} == {**before, "seq": 0}
    assert after["seq"] > before["seq"], "no number of the first run comes again"
