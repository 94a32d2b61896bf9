"""An agent in a process of its own, with limits on time and memory.

The agent's process is sent arrays and answers with bytes. What it sends is never unpickled, so it can lose games and nothing else. It runs
as the same user and with the same rights: this protects results from an agent's errors and tricks, not the machine from malice.
"""

import contextlib
import ctypes
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import time
from typing import Any, BinaryIO

import numpy as np

from tradewinds.agents import as_agent, build
from tradewinds.agents.base import MAX_REASON, FunctionAgent, describe_error
from tradewinds.agents.registry import is_built_in
from tradewinds.envs.core.api.decisions import Decisions, comes_with_tradewinds
from tradewinds.envs.core.api.processes import ONE_THREAD
from tradewinds.envs.core.io.parse import printable
from tradewinds.envs.core.spec.game import Variant

from .evaluation.arena import AgentLostError, AnswerError, as_actions

HEADER = struct.Struct("<cQ")  # the kind of a message and its length in bytes
READY, ACTIONS, ERROR, BAD_ANSWER = b"R", b"A", b"E", b"T"
START_LIMIT = 600.0  # seconds; a game may have to be compiled
MEMORY_LIMIT = 4096  # MB
MB = 1 << 20
PR_SET_PDEATHSIG = 1


def needs_isolation(agent: Any) -> bool:
    """Whether an agent, or the agent of a code, runs code that does not come with Tradewinds."""
    if isinstance(agent, str):
        return not is_built_in(agent)
    return isinstance(agent, FunctionAgent) or not comes_with_tradewinds(agent)


class IsolatedAgent:
    """Asks an agent that runs in a process of its own. A process that fails is replaced before the next decision.

    Args:
        agent: A code, or an agent that can be pickled.
        variant: The variant that it plays.
        time_limit: Seconds per call, or None.
        memory_limit: Of the process, in MB.
    """

    def __init__(self, agent: Any, variant: Variant, time_limit: float | None, memory_limit: int = MEMORY_LIMIT) -> None:
        self.agent = agent
        self.variant = variant
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self._process: subprocess.Popen[bytes] | None = None
        self._forget = False

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.agent, self.variant, self.time_limit, self.memory_limit)

    def __repr__(self) -> str:
        return f"<isolated agent {self.agent!r}>"

    def new_games(self) -> None:
        """Rows mean other games from now on."""
        self._forget = True

    def prepare(self) -> None:
        """Start the process and wait until its agent is built.

        Raises:
            AgentLostError: It cannot be started.
        """
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        environment = {**os.environ, **ONE_THREAD}
        # -P: the working folder does not come before the installed packages.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        self._send({"path": sys.path, "memory": self.memory_limit, "agent": pickle.dumps(self.agent), "variant": self.variant})
        kind, content = self._receive(START_LIMIT)
        if kind != READY:
            self.close()
            raise AgentLostError("error", _text(content) if kind == ERROR else "did not start")

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose one action per decision: integers (n,).

        Raises:
            AgentLostError: The agent raised, answered nonsense, took too long, or its process died.
        """
        self.prepare()
        self._send({"arrays": decisions.arrays(), "track_history": decisions._track_history, "new_games": self._forget})
        self._forget = False
        kind, content = self._receive(self.time_limit, 8 * len(decisions))
        if kind == ACTIONS and len(content) == 8 * len(decisions):
            return np.frombuffer(content, "<i8").astype(np.int64)
        if kind == ERROR:
            raise AgentLostError("error", _text(content))
        if kind == BAD_ANSWER:
            raise AgentLostError("answer", _text(content))
        self.close()
        raise AgentLostError("answer", "its process sent something that is not an answer")

    def close(self) -> None:
        """End the process, and what it has started in its session."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()

    def _send(self, message: dict[str, Any]) -> None:
        process = self._process
        assert process is not None and process.stdin is not None
        data = pickle.dumps(message)
        deadline = time.monotonic() + START_LIMIT
        os.set_blocking(process.stdin.fileno(), False)
        sent, data = 0, struct.pack("<Q", len(data)) + data
        try:
            while sent < len(data):  # a process that does not read must not stop this one
                if not select.select([], [process.stdin], [], max(0.0, deadline - time.monotonic()))[1]:
                    self.close()
                    raise AgentLostError("slow", "its process does not read what it is asked")
                sent += os.write(process.stdin.fileno(), data[sent : sent + 65536])
        except BrokenPipeError:
            raise self._dead() from None

    def _receive(self, limit: float | None, most: int = 0) -> tuple[bytes, bytes]:
        deadline = None if limit is None else time.monotonic() + limit
        kind, length = HEADER.unpack(self._read(HEADER.size, deadline, limit))
        if length > max(most, 8 * MAX_REASON):
            return b"", b""
        return kind, self._read(length, deadline, limit)

    def _read(self, size: int, deadline: float | None, limit: float | None) -> bytes:
        process = self._process
        assert process is not None and process.stdout is not None
        data = b""
        while len(data) < size:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([process.stdout], [], [], left)[0]:
                self.close()
                raise AgentLostError("slow", f"gave no answer in {limit:g} s, the limit per decision")
            part = os.read(process.stdout.fileno(), size - len(data))
            if not part:
                raise self._dead()
            data += part
        return data

    def _dead(self) -> AgentLostError:
        process = self._process
        assert process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
        code = process.returncode
        self.close()
        return AgentLostError("died", "its process closed its pipes" if code is None else f"its process died, exit code {code}")


def _text(content: bytes) -> str:
    """What the process says, without characters that a terminal would obey."""
    return printable(content.decode("utf-8", "replace"))[:MAX_REASON]


# In the agent's process


def main() -> None:
    """Entry point of the agent's process: build the agent, then answer until the pipe is closed."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    os.dup2(2, 1)  # what the agent prints goes to stderr
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    about = _question(questions)
    if about is None:
        return
    process = os.getpid()
    sys.path[:] = about["path"]
    try:
        _limit_memory(about["memory"])
        agent = pickle.loads(about["agent"])
        agent = build(agent, about["variant"]) if isinstance(agent, str) else as_agent(agent)
    except BaseException as error:
        _answer(answers, ERROR, describe_error(error).encode())
        return
    _answer(answers, READY, b"")
    while (question := _question(questions)) is not None:
        kind, content = _ask(agent, about["variant"], question)
        if os.getpid() != process:
            os._exit(1)  # the agent has forked: this is the copy
        _answer(answers, kind, content)


def _ask(agent: Any, variant: Variant, question: dict[str, Any]) -> tuple[bytes, bytes]:
    try:
        if question["new_games"] and hasattr(agent, "new_games"):
            agent.new_games()
        decisions = Decisions.of_arrays(variant, question["arrays"], question["track_history"])
        return ACTIONS, as_actions(agent.act(decisions), len(decisions)).astype("<i8").tobytes()
    except AnswerError as error:
        return BAD_ANSWER, str(error).encode()
    except BaseException as error:
        return ERROR, describe_error(error).encode()


def _question(questions: BinaryIO) -> dict[str, Any] | None:
    """The next message of the process that started this one, or None if there is none any more."""
    header = questions.read(8)
    if len(header) < 8:
        return None
    return pickle.loads(questions.read(struct.unpack("<Q", header)[0]))


def _answer(answers: int, kind: bytes, content: bytes) -> None:
    data = HEADER.pack(kind, len(content)) + content
    while data:
        data = data[os.write(answers, data) :]


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Memory that is written to, without the libraries that are merely mapped.
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MB, megabytes * MB))


if __name__ == "__main__":
    main()
