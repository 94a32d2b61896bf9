"""A language model as an agent, against a local server that answers, dawdles, talks nonsense, refuses and hangs up."""

import contextlib
import copy
import json
import os
import pickle
import re
import socket
import struct
import threading
import warnings
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.agents import AgentError, build
from tradewinds.agents.llm import LLM, LLMError
from tradewinds.cli.main import main

GAME = "santiago_de_cuba"
KEY = "a-key-that-nobody-may-see"
UNFINISHED = {  # what is sent before a silence
    "dawdle": b"",
    "headers and dawdle": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx",
    "headers without end": b"HTTP/1.1 200 OK\r\nX-Long: ",
    "an error and dawdle": b"HTTP/1.1 500 Broken\r\nContent-Length: 100\r\n\r\nab",
}
CUT_OFF = {  # and before the connection is reset
    "an error and hang up": UNFINISHED["an error and dawdle"],
    "a refusal and hang up": b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 100\r\n\r\nab",
}


class Server:
    """An endpoint whose answers a test scripts: each entry gets the request's messages and gives a text, a status or a deed."""

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.waited_out = False  # a dawdling answer was waited for to its end
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                outer.keys.append(self.headers.get("Authorization"))
                answer = outer.script.pop(0) if outer.script else first_number
                answer = answer(body["messages"]) if callable(answer) else answer
                if answer == "hang up":
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                if isinstance(answer, str) and answer in UNFINISHED:
                    self.wfile.write(UNFINISHED[answer])
                    for _ in range(6000):
                        if outer.released.wait(0.01):
                            return
                        if answer == "headers without end":
                            self.wfile.write(b"a")
                    outer.waited_out = True
                    return
                if isinstance(answer, str) and answer in CUT_OFF:
                    self.wfile.write(CUT_OFF[answer])
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close with a reset
                    self.wfile.flush()
                    self.connection.close()
                    return
                status, said = answer if isinstance(answer, tuple) else (200, answer)  # bytes are sent as they are
                raw = (
                    said if status != 200 or isinstance(said, bytes) else {"choices": [{"message": {"role": "assistant", "content": said}}]}
                )
                data = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self.released = threading.Event()
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.released.set()
        self.http.shutdown()
        self.http.server_close()


def first_number(messages: list[dict[str, str]]) -> str:
    """The first legal action of the question."""
    question = next(message["content"] for message in messages if message["role"] == "user")
    found = re.search(r"Your legal actions:\n(\d+):", question)
    assert found
    return f"Hm.\nAction: {found[1]}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    served = Server()
    for name in [name for name in os.environ if name.startswith("TRADEWINDS_LLM")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_BASE_URL", served.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("no_proxy", "*")
    yield served
    served.close()


def table(seed: int = 1) -> tw.TableEnv:
    env = tw.make(GAME, players=2)
    env.reset(seed=seed)
    return env


def agent(**settings: Any) -> LLM:
    made = build("llm:fake/model:7b", table().variant)
    assert isinstance(made, LLM)
    for name, value in settings.items():
        setattr(made, name, value)
    return made


@contextlib.contextmanager
def fallback_is_told() -> Iterator[None]:
    """The agent's warning is expected; the generator of random numbers, in plain Python, overflows on purpose."""
    with np.errstate(over="ignore"), pytest.warns(UserWarning, match="gave no legal action in time: its fallback 'random' decides"):
        yield


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_model_plays_what_it_names_and_is_told_rules_board_and_choices(server: Server) -> None:
    env = table()
    assert agent().act(env.decision()).tolist() == [env.legal_actions()[0]]
    (request,) = server.requests
    assert request["model"] == "fake/model:7b" and [message["role"] for message in request["messages"]] == ["system", "user"]
    assert "You play Santiago de Cuba with 2 players" in request["messages"][0]["content"]
    assert server.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize("said", ["I refuse to play.", "", None, "Action: 99999", "Action: dance"])
def test_nonsense_and_refusals_are_hinted_at_and_tried_again(server: Server, said: Any, tmp_path: Path) -> None:
    server.script = [said]
    env, player = table(), agent(log=tmp_path / "log.jsonl")
    assert player.act(env.decision()).tolist() == [env.legal_actions()[0]]
    hint = server.requests[1]["messages"][-1]["content"]
    assert "This cannot be played" in hint and "Legal are" in hint and player.fallbacks == 0
    first, second = lines(tmp_path / "log.jsonl")
    assert first["action"] is None and first["reason"] in hint and second["action"] == env.legal_actions()[0]
    assert KEY not in (tmp_path / "log.jsonl").read_text()


BROKEN = [b"<html>", b'{"choices": []}', b"[1]", b"[" * 200_000, b'{"choices": [{"message": {"content": [1]}}]}']


@pytest.mark.parametrize("failure", ["hang up", "an error and hang up", (500, b"boom"), (429, b"slow down"), *BROKEN])
def test_dropped_connections_and_broken_responses_are_tried_again(server: Server, failure: Any) -> None:
    server.script = [failure, failure]
    env, player = table(), agent()
    assert player.act(env.decision()).tolist() == [env.legal_actions()[0]]
    assert len(server.requests) == 3 and player.fallbacks == 0


@pytest.mark.parametrize("failure", ["hang up", "What a lovely day.", (503, b"")])
def test_when_all_attempts_fail_the_fallback_decides_and_the_log_says_so(server: Server, failure: Any, tmp_path: Path) -> None:
    server.script = [failure] * 3
    env = table()
    before, player = env.save(), agent(log=tmp_path / "log.jsonl")
    decision = env.decision()
    with fallback_is_told():
        chosen = player.act(decision)
    assert chosen.tolist() == build("random", env.variant).act(decision).tolist()
    assert player.fallbacks == 1 and len(server.requests) == 3 and env.save() == before
    assert lines(tmp_path / "log.jsonl")[-1]["fallback"] in env.legal_actions()


@pytest.mark.parametrize("late", UNFINISHED)
def test_a_decision_ends_at_its_time_limit(server: Server, late: str) -> None:
    server.script = [late] * 3
    player = agent(timeout=0.3)
    with fallback_is_told():
        player.act(table().decision())
    assert not server.waited_out and player.fallbacks == 1 and len(server.requests) <= 1  # none: not read within the limit


def test_an_answer_in_parts_is_joined(server: Server) -> None:
    env = table()
    legal = env.legal_actions()
    server.script = [[{"type": "text", "text": "I think.\nAction: "}, {"type": "image"}, {"type": "text", "text": str(legal[-1])}]]
    assert agent().act(env.decision()).tolist() == [legal[-1]]


def test_half_of_a_surrogate_pair_is_logged_and_hinted_at(server: Server, tmp_path: Path) -> None:
    server.script = ["\ud83d oops"]
    env, player = table(), agent(log=tmp_path / "log.jsonl")
    assert player.act(env.decision()).tolist() == [env.legal_actions()[0]] and player.fallbacks == 0
    assert lines(tmp_path / "log.jsonl")[0]["answer"] == "\ud83d oops"


def test_a_key_is_stripped_and_no_key_is_ever_logged(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\r\n")
    server.script = [(500, f"what key is {KEY}".encode())]
    agent(log=tmp_path / "log.jsonl").act(table().decision())
    assert server.keys == [f"Bearer {KEY}"] * 2 and lines(tmp_path / "log.jsonl")[0]["error"] == "status 500: what key is ..."
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\r{KEY}")
    with pytest.raises(AgentError, match="OPENAI_API_KEY must be printable") as caught:
        agent()
    assert KEY not in str(caught.value)


def test_nobody_listening_is_answered_by_the_fallback(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
    player = agent()
    with fallback_is_told():
        player.act(table().decision())
    assert player.fallbacks == 1


@pytest.mark.parametrize(("status", "said"), [(401, b"wrong key"), (404, b"no such model"), (302, b"")])
def test_an_endpoint_that_refuses_for_good_is_an_error(server: Server, status: int, said: bytes) -> None:
    server.script = [(status, said)]
    with pytest.raises(LLMError, match=rf"status {status}: {said.decode()}") as caught:
        agent().act(table().decision())
    assert KEY not in str(caught.value) and len(server.requests) == 1


def test_a_refusal_whose_message_is_cut_off_is_an_error_too(server: Server) -> None:
    server.script = ["a refusal and hang up"]
    with pytest.raises(LLMError, match="status 401"):
        agent().act(table().decision())


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        *(("OPENAI_BASE_URL", url, "http:// or https://") for url in ("ftp://host", "http://[::1", "http://host:abc/v1", "http://a b/v1")),
        ("TRADEWINDS_LLM_TIMEOUT", "inf", "must be finite"),
        ("TRADEWINDS_LLM_TIMEOUT", "soon", "must be numbers"),
        ("TRADEWINDS_LLM_TIMEOUT", "0", "above 0"),
        ("TRADEWINDS_LLM_RULES", "long", "'short' or 'whole'"),
        ("TRADEWINDS_LLM_FALLBACK", "scriptid", "did you mean 'scripted'"),
        ("TRADEWINDS_LLM_FALLBACK", "llm:other", "must not be a language model"),
    ],
)
def test_impossible_settings_are_refused(server: Server, monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(AgentError, match=said):
        agent()


def test_a_code_without_a_model_is_refused() -> None:
    with pytest.raises(AgentError, match="name a model"):
        build("llm:", table().variant)


def test_two_games_that_differ_in_what_the_seat_cannot_know_are_asked_alike(server: Server) -> None:
    env = table()
    choose = np.random.default_rng(0)
    for _ in range(40):
        env.step(int(choose.choice(env.legal_actions())))
    dealt = env.redeal(env.agent_selection, seed=5, perfect_recall=False)
    assert dealt.record().tobytes() != env.record().tobytes()
    player = agent()
    for one in (env, dealt):
        player.act(one.decision())
    assert server.requests[0]["messages"] == server.requests[1]["messages"]


def test_a_model_plays_a_whole_game_in_a_seat(server: Server) -> None:
    def last_number(messages: list[dict[str, str]]) -> str:
        return re.findall(r"^(\d+):", messages[1]["content"], re.MULTILINE)[-1]

    answers: list[Callable[..., str]] = [last_number]
    server.script = answers * 2000
    env = tw.make_seat(GAME, players=2, opponents="llm:fake")
    env.reset(seed=2)
    env.action_space.seed(1)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(env.action_space.sample())
        over = terminated or truncated
    assert info["rank"] in (1, 2) and len(server.requests) > 20


def test_a_model_sits_in_an_evaluation(server: Server) -> None:
    from tradewinds.training.evaluation.evaluate import evaluate

    found = evaluate(GAME, "llm:fake", "random", players=2, games=2, workers=0, seed=0)
    assert found.games == 2 and not found.failures and len(server.requests) > 20


@pytest.mark.parametrize("again", [lambda agent: pickle.loads(pickle.dumps(agent)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_a_pickled_or_copied_model_asks_the_same_and_holds_no_key(
    server: Server, again: Callable[[LLM], LLM], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    variant = tw.game(GAME).with_options(players=3)
    model = LLM(variant, "fake", server.url, timeout=9, retries=1, rules="none", fallback="scripted:greedy")
    twin, decisions = again(model), tw.make_batch(GAME, 1, seed=1, players=3).decisions()
    assert repr(twin) == repr(model) and (twin.timeout, twin.retries, repr(twin.fallback)) == (9, 1, repr(model.fallback))
    assert twin.act(decisions).tolist() == model.act(decisions).tolist()
    assert server.requests[0] == server.requests[1]
    assert KEY.encode() not in pickle.dumps(model)


def test_a_model_sits_in_a_tournament(server: Server) -> None:
    from tradewinds.training.evaluation.evaluate import tournament

    found = tournament(GAME, ["llm:fake", "random"], players=2, games=2, workers=2, seed=0)
    assert found.agents == ["llm:fake", "random"] and not found.failures and len(server.requests) > 40
    assert found.standings[0].fallbacks == 0


def test_the_commands_say_how_many_decisions_were_not_the_models(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRADEWINDS_LLM_RETRIES", "0")
    server.script = [(503, b"")] * 100_000

    def told(*arguments: str) -> tuple[int, str, str]:
        file = tmp_path / "found.json"
        assert main([arguments[0], GAME, *arguments[1:], "--players", "2", "--games", "2", "--json", str(file)]) == 0
        found, (out, err) = json.loads(file.read_text()), capsys.readouterr()
        return found["agents" if arguments[0] == "evaluate" else "standings"][0]["fallbacks"], out, err

    evaluate = ["evaluate", "--agent", "llm:fake", "--opponents", "random"]
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        counted, out, err = told(*evaluate, "--workers", "0")
    assert err.count("note: llm:fake gave no legal action in time: its fallback 'random' decides") >= 1
    assert counted > 20 and "by fallback" in out and f"{counted} decisions of llm:fake are its fallback's" in err
    for _ in range(2):  # played by workers, and then read from the folder
        assert told(*evaluate, "--workers", "2", "--folder", str(tmp_path / "kept"))[0] == counted
    assert told("tournament", "llm:fake", "random", "--workers", "2", "--folder", str(tmp_path / "all"))[0] > counted


@pytest.mark.parametrize("command", ["dataset", "evaluate"])
def test_an_endpoint_that_refuses_ends_a_command_with_one_line(
    server: Server, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [(401, b"wrong key")] * 10
    rest = {"dataset": ["--to", str(tmp_path / "decisions.npz")], "evaluate": ["--opponents", "random", "--workers", "0"]}[command]
    assert main([command, GAME, "--players", "2", "--agent", "llm:fake", "--games", "2", *rest]) in (1, 2)
    told = capsys.readouterr().err
    assert "status 401: wrong key" in told and len(told.splitlines()) == 1 and not (tmp_path / "decisions.npz").exists()
