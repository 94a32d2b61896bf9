"""What agents advise at a table: a hint, and the search of a position. Both know only what the seat that asks knows."""

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tradewinds.agents import Agent
from tradewinds.agents.analysis import DIGITS, SIMULATIONS, agent_code
from tradewinds.agents.hints import opinion
from tradewinds.agents.scripted.bot import bot_of
from tradewinds.agents.search import Search
from tradewinds.envs.core.api.decisions import Decisions

from .own_agents import close_agents, new_agent
from .server import RequestError

if TYPE_CHECKING:
    import tradewinds.envs as tw

    from .session import Session

SEARCH = "search:100"  # gives hints in games without a bot
RATED = 6  # actions that a hint rates


class Advice:
    """The agents that advise the people of one game. They are made when somebody asks."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self._lock = threading.Lock()  # agents are stateful, so each answers one question at a time
        self._hint_agent: Agent | None = None
        self._search: Search | None = None
        self._kept: tuple[int, Any, dict[str, Any]] = (-1, None, {})  # the last analysis: seat, sequence number, what was found

    def prepare_hint(self, seat: int, seq: Any) -> None:
        """Make the hint agent, which may have to be compiled.

        Raises:
            RequestError: It is not this seat's decision, or the agent cannot be made.
        """
        variant = self.session.asked(seat, seq).variant
        with self._lock, self.explained():
            if self._hint_agent is None:
                self._hint_agent = new_agent(self.hint_code, variant)

    def hint(self, seat: int, seq: Any) -> dict[str, Any]:
        """What the hint agent would play.

        Raises:
            RequestError: It is not this seat's decision, or the agent failed.
        """
        env = self.session.asked(seat, seq)
        self.prepare_hint(seat, seq)
        with self.explained():
            with self._lock:
                assert self._hint_agent is not None
                action, ratings, _ = opinion(self._hint_agent, env, own_decision(env))
            if action not in env.legal_actions():
                raise ValueError("the answer is not a legal action")
        if self.session.is_finished:  # stopped in the meantime
            self.dismiss()
        view = env.view(env.agent_selection)
        rated = [{"id": env.parse(rating.name), "text": rating.text} for rating in ratings[:RATED]]
        return {"agent": self.hint_code, "action": action, "name": env.game.in_words(view, seat, action), "ratings": rated}

    @property
    def hint_code(self) -> str:
        """The hint agent of this game: a search where the bot would give hints and there is none."""
        code = self.session.server.settings.hint
        return SEARCH if code == "scripted" and bot_of(self.session.variant.game) is None else code

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Turn any error of the hint agent into a RequestError."""
        try:
            yield
        except (Exception, SystemExit) as error:
            raise RequestError(422, f"{self.hint_code} gives no hint: {type(error).__name__}: {error}") from None

    def prepare_analysis(self, seat: int, seq: Any) -> None:
        """Make the search, which may have to be compiled.

        Raises:
            RequestError: It is not this seat's decision.
        """
        variant = self.session.asked(seat, seq).variant
        with self._lock:
            if self._search is None:
                self._search = Search.from_code(variant, agent_code(variant).partition(":")[2])

    def dismiss(self) -> None:
        """Close the process of a third-party hint agent, unless it is being asked."""
        if self._lock.acquire(blocking=False):
            try:
                close_agents([self._hint_agent])
            finally:
                self._lock.release()

    def analysis(self, seat: int, seq: Any) -> dict[str, Any]:
        """Search the position of a seat that has to decide. The last result is kept for a repeated request.

        Returns:
            `simulations`; `value`, the win rate of each seat; and `choices`, the most visited first: `id`, `visits` and `values`, the win
            rate of each seat after it.

        Raises:
            RequestError: It is not this seat's decision.
        """
        env = self.session.asked(seat, seq)
        self.prepare_analysis(seat, seq)
        with self._lock:
            if self._kept[:2] == (seat, seq):
                return self._kept[2]
            assert self._search is not None
            found = self._search.opinion(own_decision(env))
            tried = sorted(np.flatnonzero(found.visits), key=lambda action: (action != found.action, -found.visits[action]))
            choices = [{"id": int(a), "visits": int(found.visits[a]), "values": found.values[a].round(DIGITS).tolist()} for a in tried]
            answer = {"simulations": SIMULATIONS, "value": found.value.round(DIGITS).tolist(), "choices": choices}
            self._kept = (seat, seq, answer)
        return answer


def own_decision(env: "tw.TableEnv") -> Decisions:
    """The decision of the seat to move, with a random seed that is drawn from what the seat knows.

    The seed of `env.decision()` counts all decisions, also those that others make in secret.
    """
    found = env.decision().detached()
    known = hashlib.blake2b(found.information_states.tobytes(), digest_size=8).digest()
    found.seeds[:] = int.from_bytes(known, "little")
    return found
