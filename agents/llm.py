"""A language model as an agent: any endpoint with OpenAI's chat completions interface.

    OPENAI_BASE_URL=http://localhost:8000/v1 tradewinds evaluate GAME --agent llm:MODEL --against scripted --games 4

| environment variable | holds | default |
|---|---|---|
| `OPENAI_BASE_URL` | where the endpoint is | `https://api.openai.com/v1` |
| `OPENAI_API_KEY` | its key; not needed by most local servers | none |
| `TRADEWINDS_LLM_TIMEOUT` | seconds for one decision, all attempts together | 60 |
| `TRADEWINDS_LLM_RETRIES` | further attempts after an answer that names no legal action, or a failed request | 2 |
| `TRADEWINDS_LLM_RULES` | rules in the prompt: `short`, `whole` or `none` | `short` |
| `TRADEWINDS_LLM_FALLBACK` | the agent that decides when all attempts failed | `random` |
| `TRADEWINDS_LLM_LOG` | a file for one JSON line per attempt | none |

The model is told why an answer was refused. When attempts or time run out, the fallback decides: a warning says so the first
time, the log each time, and `fallbacks` counts it.
A request that the endpoint refuses for good (a wrong key, an unknown model) raises an LLMError instead: retrying would not help.
"""

import http.client
import json
import math
import os
import threading
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from tradewinds.envs import text
from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.spec.game import Variant

from .base import Agent, VariantAgent

MOST_BYTES = 4_000_000  # of a response
PASSING = {408, 409, 425, 429}  # client errors that another attempt may not meet


class LLMError(RuntimeError):
    """The endpoint refuses requests for good; the message says how."""


class _StatusError(Exception):
    """The endpoint answered with an error status."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(f"status {code}: {said}")
        self.is_final = code < 500 and code not in PASSING


class _AttemptFailedError(Exception):
    """One request failed in a way that another may not."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key goes only where it was meant to go."""

    def redirect_request(self, *_: Any) -> None:
        return None


class LLM(VariantAgent):
    """Asks a language model for every decision.

    Args:
        variant: What it plays.
        model: The model's name at the endpoint.
        base_url: Where the endpoint is.
        timeout: Seconds for one decision, all attempts together.
        retries: Further attempts after one that failed.
        rules: "short", "whole" or "none".
        fallback: The code of the agent that decides when all attempts failed.
        log: A file for one JSON line per attempt.

    Raises:
        ValueError: A setting is not possible.
    """

    games_at_once = 1

    def __init__(
        self,
        variant: Variant,
        model: str,
        base_url: str = "https://api.openai.com/v1",
        timeout: float = 60.0,
        retries: int = 2,
        rules: str = "short",
        fallback: str = "random",
        log: "str | None" = None,
    ) -> None:
        settings = {"base_url": base_url, "timeout": timeout, "retries": retries, "rules": rules, "fallback": fallback, "log": log}
        super().__init__(variant, f"llm:{model}", {"model": model, **settings})
        if not model:
            raise ValueError("name a model: llm:MODEL")
        if not _is_url(base_url):
            raise ValueError(f"the base URL must be that of a host and begin with http:// or https://, got {base_url!r}")
        if not (timeout > 0 and math.isfinite(timeout)) or retries < 0:
            raise ValueError(f"the time limit must be finite and above 0, and retries at least 0, got {timeout} and {retries}")
        if fallback.partition(":")[0] == "llm":
            raise ValueError("the fallback must not be a language model")
        from .registry import build  # which imports this module

        _key()  # refused now if it is not possible
        self.model = model
        self.url = f"{base_url.rstrip('/')}/chat/completions"
        self.timeout = timeout
        self.retries = retries
        self.system = text.system_prompt(variant, rules)
        self.fallback: Agent = build(fallback, variant)
        self.fallbacks = 0  # decisions that the model did not make
        self.log = Path(log) if log else None
        self._opener = urllib.request.build_opener(_NoRedirects)

    @classmethod
    def from_code(cls, variant: Variant, rest: str) -> "LLM":
        """The agent of the code `llm:MODEL`, with settings from environment variables.

        Raises:
            ValueError: A setting is not possible.
        """
        given = os.environ.get
        try:
            timeout, retries = float(given("TRADEWINDS_LLM_TIMEOUT", "60")), int(given("TRADEWINDS_LLM_RETRIES", "2"))
        except ValueError as error:
            raise ValueError(f"TRADEWINDS_LLM_TIMEOUT and TRADEWINDS_LLM_RETRIES must be numbers: {error}") from None
        return cls(
            variant,
            rest,
            given("OPENAI_BASE_URL") or "https://api.openai.com/v1",
            timeout,
            retries,
            given("TRADEWINDS_LLM_RULES", "short"),
            given("TRADEWINDS_LLM_FALLBACK", "random"),
            given("TRADEWINDS_LLM_LOG"),
        )

    def act(self, decisions: Decisions) -> np.ndarray:
        """Ask the model once per decision, one after the other.

        Raises:
            LLMError: The endpoint refuses requests for good.
        """
        self.check(decisions)
        questions = text.decision_prompts(decisions)
        actions = np.array([self._choose(question, mask) for question, mask in zip(questions, decisions.masks, strict=True)], np.int64)
        missing = np.flatnonzero(actions < 0)
        if missing.size:
            # The same text each time, so that Python shows it once per agent.
            fallback = self._arguments["fallback"]
            warnings.warn(
                f"{self.code} gave no legal action in time: its fallback {fallback!r} decides, as `fallbacks` counts", stacklevel=2
            )
            self.fallbacks += missing.size
            actions[missing] = self.fallback.act(decisions)[missing]
            for i in missing:
                self._note(question=questions[i], fallback=int(actions[i]))
        return actions

    def _choose(self, question: str, mask: np.ndarray) -> int:
        """A legal action, or -1 if all attempts failed."""
        deadline = time.monotonic() + self.timeout
        legal, table = np.flatnonzero(mask).tolist(), self.variant.game.actions
        messages = [{"role": "system", "content": self.system}, {"role": "user", "content": question}]
        for attempt in range(self.retries + 1):
            began = time.monotonic()
            if began >= deadline:
                break
            try:
                said = self._ask(messages, deadline)
            except _AttemptFailedError as error:
                self._note(attempt=attempt, error=str(error), seconds=time.monotonic() - began)
                continue
            found = text.read_answer(said, (table, legal))
            self._note(
                attempt=attempt, question=question, answer=said, action=found.action, reason=found.reason, seconds=time.monotonic() - began
            )
            if found.action is not None:
                return found.action
            hint = f"This cannot be played: {found.reason} {text.FORMAT}."
            messages += [{"role": "assistant", "content": said or "(nothing)"}, {"role": "user", "content": hint}]
        return -1

    def _ask(self, messages: list[dict[str, str]], deadline: float) -> str:
        headers = {"Content-Type": "application/json"}
        key = _key()  # read when it is needed, and kept nowhere
        if key:
            headers["Authorization"] = f"Bearer {key}"
        try:
            body = json.dumps({"model": self.model, "messages": messages}).encode()
            request = urllib.request.Request(self.url, body, headers)
            return _said(json.loads(_within(deadline, lambda: self._exchange(request, deadline))))
        except _StatusError as error:
            if error.is_final:
                raise LLMError(f"{self.url} refuses requests for the model {self.model!r} with {_without(key, error)}") from None
            raise _AttemptFailedError(_without(key, error)) from None
        except Exception as error:  # whatever a response may bring about: timeouts, dropped connections, bodies that are no message
            raise _AttemptFailedError(f"{type(error).__name__}: {_without(key, error)}") from None

    def _exchange(self, request: urllib.request.Request, deadline: float) -> bytes:
        """The body of the response; a _StatusError for an error status, also if its body never comes."""
        try:
            with self._opener.open(request, timeout=max(0.001, deadline - time.monotonic())) as response:
                return _read_until(response, deadline)
        except urllib.error.HTTPError as error:
            try:
                with error:
                    said = " ".join(error.read(500).decode("utf-8", "replace").split())
            except (OSError, http.client.HTTPException):
                said = "(its message was cut off)"
            raise _StatusError(error.code, said) from None

    def _note(self, **facts: Any) -> None:
        if self.log is not None:
            # An answer may have half of a surrogate pair, which UTF-8 has no bytes for: it is written as its JSON escape.
            with self.log.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(json.dumps({"time": time.time(), "model": self.model, **facts}, ensure_ascii=False) + "\n")


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and text.isprintable() and " " not in text
    except ValueError:  # brackets or a port that are none
        return False


def _key() -> str:
    """The endpoint's key, or nothing.

    Raises:
        ValueError: It cannot be sent in a header. The message does not quote it.
    """
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError("OPENAI_API_KEY must be printable ASCII characters without spaces")
    return key


def _without(key: str, error: Exception) -> str:
    """An error's text; endpoints quote keys in their messages."""
    return str(error).replace(key, "...") if key else str(error)


def _said(response: Any) -> str:
    """What the model says in a response: its content, which may come in parts, or its refusal."""
    try:
        message = response["choices"][0]["message"]
        said = message.get("content") or message.get("refusal") or ""
        if isinstance(said, list):
            said = "".join(part["text"] for part in said if part.get("type") == "text")
        if isinstance(said, str):
            return said
    except (KeyError, IndexError, TypeError, AttributeError):
        pass
    raise ValueError(f"the response has no message: {str(response)[:200]}")


def _within(deadline: float, deed: Callable[[], bytes]) -> bytes:
    """What a function returns or raises, or a TimeoutError at the deadline.

    The limit of a socket is for one read alone, and a server may need many for its headers: so a thread reads, and is left behind if late.
    """
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((deed(), None))
        except Exception as error:
            outcome.append((b"", error))

    thread = threading.Thread(target=run, daemon=True, name="tradewinds request")
    thread.start()
    thread.join(max(0.0, deadline - time.monotonic()))
    if not outcome:
        raise TimeoutError("the response was not complete in time")
    found, error = outcome[0]
    if error is not None:
        raise error
    return found


def _read_until(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """The body; a server that sends it slowly is cut off at the deadline."""
    parts, size = [], 0
    while part := response.read1(65_536):
        parts.append(part)
        size += len(part)
        if time.monotonic() > deadline:
            raise TimeoutError("the response was not complete in time")
        if size > MOST_BYTES:
            raise ValueError(f"the response is longer than {MOST_BYTES} bytes")
    return b"".join(parts)
