"""One game on the page: its seats, the people and agents in them, what each seat is shown, and its file.

Each seat has a document and a sequence number, which rises when the document changes; the streams of the seat are then notified. Nothing
else is counted: a number or an event per decision would reveal how many decisions others make in secret.
"""

import json
import secrets
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any

import tradewinds.envs as tw
from tradewinds.agents import Agent
from tradewinds.agents.base import describe_error
from tradewinds.agents.registry import check_named_in_file
from tradewinds.agents.table import Table, answer
from tradewinds.envs.core.api.batch import check_seed
from tradewinds.envs.core.io.atomic import write_file
from tradewinds.envs.core.render.svg import SEAT_COLOURS
from tradewinds.envs.core.spec.game import Variant

from .advice import Advice
from .frames import described
from .own_agents import close_agents, new_agent
from .saved import FORMAT, read_facts
from .seats import Seat, Subscriber, Viewer
from .server import RequestError, Server
from .showing import document
from .undo import Undo

SHOWN_EVERY = 0.4  # seconds, while agents play on


class Session:
    """A game, from its preparation to its end. All methods may be called from any thread."""

    def __init__(self, server: Server, number: str, variant: Variant, seats: list[Seat], seed: int) -> None:
        self.server = server
        self.id = number
        self.variant = variant
        self.seats = seats
        self.seed = seed
        self.path = server.folder / f"{number}.jsonl"
        self.table: Table | None = None  # None until the game is prepared
        self.is_stopped = False
        self.failure = ""  # why the game cannot go on
        self.warning = ""  # the game could not be saved
        self.subscribers: list[Subscriber] = []
        self.running: Future[Any] | None = None
        self._lock = threading.RLock()
        self._version = 0  # of the position
        self._is_described = False  # the file of seats is up to date
        self._is_playing = False  # agents are being asked, by one thread
        self._is_settled = True  # the position is saved and published
        self.advice = Advice(self)
        self.undo = Undo(self)
        viewers: list[Viewer] = [at for at, seat in enumerate(seats) if seat.is_person]
        self.people = tuple(viewers)
        self.viewers: list[Viewer] = viewers or [None]
        self._shown: dict[Viewer, dict[str, Any]] = {viewer: {} for viewer in self.viewers}
        # Starts at the clock: a page left open by an earlier run of the server must not match a number of this one.
        self._seq: dict[Viewer, int] = dict.fromkeys(self.viewers, time.time_ns() // 1_000_000)

    # Files

    @classmethod
    def new(cls, server: Server, variant: Variant, seats: list[Seat], seed: int) -> "Session":
        """A new game, which is prepared in the background."""
        session = cls(server, secrets.token_hex(8), variant, seats, seed)
        session.describe()
        session.publish()
        session.begin()
        return session

    @classmethod
    def open(cls, server: Server, number: str) -> "Session":
        """Open a game of an earlier run of the server.

        Raises:
            OSError, ValueError, TypeError, KeyError: There is none, or its file is damaged.
        """
        session = cls.read(server, number)
        session.publish()
        session.begin()
        return session

    @classmethod
    def read(cls, server: Server, number: str) -> "Session":
        """Read a game of an earlier run without preparing it."""
        file = server.folder / f"{number}.json"
        facts = read_facts(file)
        variant = tw.game(facts["game"]).with_options(**facts["options"])
        seats = [Seat(**seat) for seat in facts["seats"]]
        if len(seats) != variant.players or not all(seat.is_well_typed for seat in seats):
            raise ValueError("the seats are not those of such a game")
        for seat in seats:  # the file may come from somebody else
            if seat.code is not None and seat.code not in server.settings.agents:
                check_named_in_file(seat.code, file)
        session = cls(server, number, variant, seats, check_seed(facts["seed"]))
        session.is_stopped = bool(facts["stopped"])
        session._is_described = True
        return session

    def describe(self) -> None:
        """Write the file of seats. It holds their tokens, so only the owner may read it."""
        facts = {
            "format": FORMAT,
            "game": self.variant.game.name,
            "options": self.variant.options,
            "seed": self.seed,
            "seats": [asdict(seat) for seat in self.seats],
            "stopped": self.is_stopped,
            "over": bool(self.table is not None and self.table.is_over),
        }
        path = self.path.with_suffix(".json")
        try:
            self.server.folder.mkdir(parents=True, exist_ok=True)
            write_file(path, json.dumps(facts).encode(), mode=0o600)
            self._is_described = True
        except OSError as error:
            self._is_described = False
            self.warning = f"This game cannot be saved: {error.strerror or error}."

    def save(self) -> None:
        """Write the replay, and the file of seats if it is out of date. What a full disk prevents, the next move does."""
        with self._lock:
            if not self._is_described:
                self.describe()
            if self.table is None:
                return
            try:
                self.table.save(self.path)
                if self._is_described:
                    self.warning = ""
            except OSError as error:
                self.warning = f"This game cannot be saved: {error.strerror or error}."

    # Agents

    def begin(self, instead: str | None = None) -> None:
        """Run `prepare` in the background."""
        with self._lock:
            self.running = self.server.prepare(self.variant.game.name, self.prepare, instead)

    def prepare(self, instead: str | None = None) -> None:
        """Compile or load the game and its agents, set it up or replay its file, and let agents play.

        Args:
            instead: The agent that replaces those that cannot be made.
        """
        try:
            _ = self.variant.game.loops
            agents = [self.agent_at(seat, instead) for seat in self.seats]
            names = [seat.code or seat.name for seat in self.seats]
            if self.path.exists():
                table, decisions = None, []
                for table in Table.again(tw.load_replay(self.path), names, agents):
                    if not table.is_over and self.seats[table.seat].is_person:
                        decisions.append((len(table.history.moves), table.seat, table.env.save()))
                assert table is not None
            else:
                table, decisions = Table.new(self.variant, self.seed, names, agents), []
            with self._lock:
                self.table, self.undo.decisions = table, decisions
                self.advance()
                self.start_agents()
        except (Exception, SystemExit) as error:  # third-party agents and games may fail in any way
            self.table = None
            self.fail("The game cannot be prepared", error)

    def agent_at(self, seat: Seat, instead: str | None) -> Agent | None:
        """The agent of a seat; if it cannot be made, another takes the seat."""
        if seat.code is None:
            return None
        try:
            return new_agent(seat.code, self.variant)
        except (Exception, SystemExit):
            if instead is None:
                raise
        agent = new_agent(instead, self.variant)
        self.replace(seat, instead)
        return agent

    def replace(self, seat: Seat, code: str) -> None:
        """Write another agent's code on a seat."""
        seat.code = seat.name = code
        self._is_described = False

    @property
    def is_finished(self) -> bool:
        """Whether the game is over or stopped."""
        return self.is_stopped or (self.table is not None and self.table.is_over)

    def dismiss(self) -> None:
        """Close the processes of agents once the game is over or stopped and no agent is being asked."""
        with self._lock:
            if self.is_finished and not self._is_playing and self.table is not None:
                close_agents(self.table.agents)
                self.advice.dismiss()

    def fail(self, what: str, error: BaseException) -> None:
        """Pause until somebody retries. The message may reveal hidden information, so it goes to the terminal."""
        print(f"tradewinds: game {self.id}: {what}: {describe_error(error)}", file=sys.stderr, flush=True)
        with self._lock:
            self.failure = f"{what}: {type(error).__name__}. The terminal of the server says more."
            self._is_playing = False
            self.save()
            self.publish()
            self.dismiss()

    def play_on(self) -> None:
        """Let agents play until a person decides. Runs in the pool, in one thread at a time: agents are stateful."""
        shown = time.monotonic()
        while True:
            with self._lock:
                if not self.is_agents_turn:
                    self._is_playing = False
                    self.dismiss()
                    return
                assert self.table is not None
                seat, version, env = self.table.seat, self._version, self.table.env.copy()
                agent = self.table.agents[seat]
                assert agent is not None
            try:
                action = answer(agent, env)
                if action not in env.legal_actions():
                    raise ValueError("the answer is not a legal action")
            except (Exception, SystemExit) as error:  # it must not end the others' game
                self.fail(f"The agent of player_{seat} ({self.seats[seat].code}) failed", error)
                return
            with self._lock:
                if version != self._version:
                    continue  # taken back, or stopped
                self.table.play(action)
                self._version += 1
                self._is_settled = False
                if not self.is_agents_turn or time.monotonic() - shown > SHOWN_EVERY:
                    self.advance()
                    shown = time.monotonic()

    @property
    def is_agents_turn(self) -> bool:
        """Whether an agent is to move."""
        table = self.table
        return table is not None and not table.is_over and not self.is_stopped and not self.failure and not self.seats[table.seat].is_person

    def start_agents(self) -> "Future[Any] | None":
        """Let agents play in the pool if it is their turn. Returns the future of their moves; None if no agent is to move."""
        with self._lock:
            if not self.is_agents_turn:
                return None
            if not self._is_playing:
                self._is_playing = True
                self.running = self.server.submit(self.play_on)
            return self.running

    def advance(self) -> None:
        """Save the new position and publish it."""
        assert self.table is not None
        self._is_settled = True
        self.undo.remember()
        self.save()
        if self.table.is_over:
            self.describe()
            self.dismiss()
        self.publish()

    def settle(self) -> None:
        """Save and publish what was played, if that is still to be done."""
        with self._lock:
            if not self._is_settled:
                self.advance()

    # What a seat is shown

    def publish(self) -> None:
        """Update the documents of all seats, and notify the streams of those that changed."""
        with self._lock:
            changed = []
            for viewer in self.viewers:
                found = document(self, viewer)
                if found != self._shown[viewer]:
                    self._shown[viewer] = found
                    self._seq[viewer] += 1
                    changed.append(viewer)
            told = [subscriber for subscriber in self.subscribers if set(changed) & set(subscriber.viewers)]
        if self.server.loop is not None and not self.server.loop.is_closed():
            for subscriber in told:
                self.server.loop.call_soon_threadsafe(subscriber.changed.set)

    def board(self, viewer: Viewer) -> dict[str, Any]:
        """What a seat is shown now, with its sequence number."""
        with self._lock:
            self.settle()
            return {"seq": self._seq[viewer], **self._shown[viewer]}

    def news(self, viewer: Viewer) -> dict[str, Any]:
        """The message of a stream."""
        with self._lock:
            return {"seat": viewer, "seq": self._seq[viewer], "status": self._shown[viewer]["status"]}

    def seq(self, viewer: Viewer) -> int:
        """The sequence number of what a seat is shown."""
        return self._seq[viewer]

    def status(self, viewer: Viewer) -> str:
        """How the game stands for a seat: compiling, failed, stopped, over, yours or others."""
        if self.is_stopped:
            return "stopped"
        if self.failure:
            return "failed"
        if self.table is None:
            return "compiling"
        if self.table.is_over:
            return "over"
        return "yours" if viewer is not None and self.table.seat == viewer else "others"

    def facts(self) -> dict[str, Any]:
        """Facts that everyone at the table may know."""
        return {
            "id": self.id,
            "game": self.variant.game.name,
            "title": self.variant.game.title,
            "variant": described(self.variant),
            "colours": SEAT_COLOURS[: self.variant.players],
            "players": [{"name": seat.name, "agent": seat.code, "person": seat.is_person} for seat in self.seats],
        }

    # What people do

    def check_turn(self, seat: int, seq: Any) -> Table:
        """The table, if it is this seat's decision and its page is up to date.

        Raises:
            RequestError: It is not.
        """
        status = self.status(seat)
        if status == "compiling":
            raise RequestError(503, f"{self.variant.game.title} is being compiled; this happens once and takes one to three minutes")
        self.check_seq(seat, seq)
        if status != "yours":
            raise RequestError(409, "it is not your decision", seq=self._seq[seat])
        assert self.table is not None
        return self.table

    def check_seq(self, seat: int, seq: Any) -> None:
        """Refuse a request from a page that is out of date."""
        if seq != self._seq[seat]:
            raise RequestError(409, "the game has gone on since this page was loaded", seq=self._seq[seat])

    def move(self, seat: int, seq: Any, action: Any) -> "Future[Any] | None":
        """Play an action of a person, then let agents play in the pool.

        A position in which an agent is to move is neither saved nor published yet, because most agents answer at once. A caller that does
        not wait for them calls `settle`.

        Returns:
            The future of the agents' moves, if one is to move.

        Raises:
            RequestError: The page is out of date, or the action is illegal; the game is unchanged.
        """
        with self._lock:
            table = self.check_turn(seat, seq)
            legal = table.env.legal_actions()
            if not isinstance(action, int) or isinstance(action, bool) or action not in legal:
                listed = "; ".join(f"{choice['id']} {choice['name']}" for choice in self._shown[seat]["choices"])
                raise RequestError(422, f"action {str(action)[:40]} is not legal here; the legal ones are: {listed}")
            table.play(action)
            self._version += 1
            self._is_settled = False
            self.undo.wish = None
            waiting = self.start_agents()
            if waiting is None:
                self.advance()
            return waiting

    def take_back(self, seat: int, seq: Any, agrees: bool = True) -> None:
        """Return to a seat's own last decision; with several people only if they agree, or if it tells them nothing.

        Raises:
            RequestError: There is nothing to take back.
        """
        with self._lock:
            if self.undo.ask(seat, seq, agrees):
                self._version += 1
                self.failure = ""
                self.advance()
            else:
                self.publish()

    def asked(self, seat: int, seq: Any) -> tw.TableEnv:
        """A copy of the game for an agent that advises this seat on its decision.

        Raises:
            RequestError: It is not this seat's decision.
        """
        with self._lock:
            return self.check_turn(seat, seq).env.copy()

    def retry(self, code: str | None) -> None:
        """Go on after a failure, with another agent for the seat that failed if a code is given."""
        with self._lock:
            if not self.failure:
                raise RequestError(409, "nothing has failed here")
            table = self.table
            self.failure = ""
            if table is None:
                self.publish()
                self.begin(code)
                return
            if code is not None:
                table.agents[table.seat] = new_agent(code, self.variant)
                table.names[table.seat] = code
                self.replace(self.seats[table.seat], code)
            self._version += 1
            self.advance()
            self.start_agents()

    def stop(self) -> None:
        """End the game before its end. Its file is kept."""
        with self._lock:
            self.is_stopped, self.failure = True, ""
            self._version += 1
            self.save()
            self.describe()
            self.publish()
            self.dismiss()
