"""One game at a table of the page: the people and agents at its seats, what each seat is shown, and its file.

A seat is shown a document. Whenever the document of a seat changes, its own sequence number rises and its streams are told so. Nothing else
is counted: a number or an event per decision would tell how many decisions others make in secret.
"""

import asyncio
import json
import secrets
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents import Agent, build
from tradewinds.agents.base import describe_error
from tradewinds.agents.registry import check_named_in_file, is_built_in
from tradewinds.agents.table import Table, answer
from tradewinds.envs.core.api.batch import check_seed
from tradewinds.envs.core.io.atomic import write_file
from tradewinds.envs.core.io.history import Line, steps
from tradewinds.envs.core.io.parse import parse_json, read_bytes
from tradewinds.envs.core.render.svg import SEAT_COLOURS
from tradewinds.envs.core.render.words import detail, question
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.core.spec.game import Variant

from .advice import Advice
from .frames import described
from .server import RequestError, Server

FORMAT = 1
MOST_FACTS = 1 << 20  # bytes of the file that says who sits where
SHOWN_EVERY = 0.4  # seconds, while agents play on
TIME_LIMIT = 120.0  # seconds that an agent of somebody's own has for a decision
MEMORY_LIMIT = 4096  # MB

Viewer = int | None  # None watches a game of agents alone, of which nothing is hidden


@dataclass
class Seat:
    """Who sits at a seat."""

    name: str  # of the person, or what the agent is called
    code: str | None  # of the agent; None for a person
    token: str  # opens the seat
    here: bool = False  # a person in the owner's browser

    @property
    def is_person(self) -> bool:
        """Whether a person decides."""
        return self.code is None


class Subscriber:
    """A stream of one browser, for some seats."""

    def __init__(self, viewers: Sequence[Viewer]) -> None:
        self.viewers = viewers
        self.changed = asyncio.Event()


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
        self.wish: tuple[int, set[int]] | None = None  # a seat that wants to take back, and those who agree
        self.notes: list[tuple[int, frozenset[int], Line]] = []  # after how many moves, who sees it, the line
        self.decisions: list[tuple[int, int, bytes]] = []  # of people, for undo: moves so far, seat, the game
        self.subscribers: list[Subscriber] = []
        self.running: Future[Any] | None = None
        self._lock = threading.RLock()
        self._version = 0  # of the position
        self.advice = Advice(self)
        viewers: list[Viewer] = [at for at, seat in enumerate(seats) if seat.is_person]
        self.people = tuple(viewers)
        self.viewers: list[Viewer] = viewers or [None]
        self._shown: dict[Viewer, dict[str, Any]] = {viewer: {} for viewer in self.viewers}
        # From the clock on, so that no number of an earlier run of the server comes again: a page left open would play at another position.
        self._seq: dict[Viewer, int] = dict.fromkeys(self.viewers, time.time_ns() // 1_000_000)

    # Files

    @classmethod
    def new(cls, server: Server, variant: Variant, seats: list[Seat], seed: int) -> "Session":
        """A new game, which is prepared in the pool."""
        session = cls(server, secrets.token_hex(8), variant, seats, seed)
        session.describe()
        session.publish()
        session.work(session.prepare)
        return session

    @classmethod
    def open(cls, server: Server, number: str) -> "Session":
        """A game of an earlier run of the server.

        Raises:
            OSError, ValueError, TypeError, KeyError: There is none, or its file is damaged.
        """
        session = cls.read(server, number)
        session.publish()
        session.work(session.prepare)
        return session

    @classmethod
    def read(cls, server: Server, number: str) -> "Session":
        """The same, not prepared yet."""
        file = server.folder / f"{number}.json"
        facts = read_facts(file)
        variant = tw.game(facts["game"]).with_options(**facts["options"])
        seats = [Seat(**seat) for seat in facts["seats"]]
        if len(seats) != variant.players or not all(map(is_seat, seats)):
            raise ValueError("the seats are not those of such a game")
        for seat in seats:  # the file may be a stranger's
            if seat.code is not None and seat.code not in server.settings.agents:
                check_named_in_file(seat.code, file)
        session = cls(server, number, variant, seats, check_seed(facts["seed"]))
        session.is_stopped = bool(facts["stopped"])
        return session

    def describe(self) -> None:
        """Write who sits where. It holds the secrets of the seats, so only the owner may read it."""
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
        except OSError as error:
            self.warning = f"This game cannot be saved: {error.strerror or error}."

    def save(self) -> None:
        """Write the replay. A full disk loses nothing: the game goes on and is written with the next move."""
        with self._lock:
            if self.table is None:
                return
            try:
                self.table.save(self.path)
                self.warning = ""
            except OSError as error:
                self.warning = f"This game cannot be saved: {error.strerror or error}."

    # Agents

    def work(self, task: Any) -> None:
        """Run something in the pool; one task of a game at a time."""
        with self._lock:
            self.running = self.server.submit(task)

    def prepare(self) -> None:
        """Compile or load the game and its agents, set it up or play the file again, and let agents play."""
        try:
            with self.server.preparing(self.variant.game.name):
                _ = self.variant.game.loops
                agents = [None if seat.code is None else self.agent(seat.code) for seat in self.seats]
            names = [seat.code or seat.name for seat in self.seats]
            if self.path.exists():
                table, decisions = None, []
                for table in Table.again(tw.load_replay(self.path), names, agents):
                    if not table.is_over and self.seats[table.seat].is_person:
                        decisions.append((len(table.history.moves), table.seat, table.env.save()))
                assert table is not None
            else:
                table, decisions = Table.new(self.variant, self.seed, names, agents), []
        except (Exception, SystemExit) as error:  # an agent of somebody's own may fail in any way
            self.fail("The game cannot be prepared", error)
            return
        with self._lock:
            self.table, self.decisions = table, decisions
            self.advance()
        self.play_on()

    def agent(self, code: str) -> Agent:
        """A new agent of a code; one that runs foreign code gets a process of its own."""
        if is_built_in(code):
            return build(code, self.variant)
        from tradewinds.training.evaluation.isolation import IsolatedAgent  # only now: few need it

        return IsolatedAgent(code, self.variant, TIME_LIMIT, MEMORY_LIMIT)

    def fail(self, what: str, error: BaseException) -> None:
        """Stand still until somebody retries. What the error says may be what a seat must not know, so it goes to the terminal."""
        print(f"tradewinds: game {self.id}: {what}: {describe_error(error)}", file=sys.stderr, flush=True)
        with self._lock:
            self.failure = f"{what}: {type(error).__name__}. The terminal of the server says more."
            self.publish()

    def play_on(self) -> None:
        """Let agents play until a person decides. Runs in the pool."""
        shown = time.monotonic()
        while True:
            with self._lock:
                if not self.is_agents_turn:
                    return
                assert self.table is not None
                seat, version, env = self.table.seat, self._version, self.table.env.copy()
                agent = self.table.agents[seat]
                assert agent is not None
            try:
                action = answer(agent, env)
                if action not in env.legal_actions():
                    raise ValueError("the answer is not a legal action")
            except (Exception, SystemExit) as error:  # the others' game must not be lost with it
                self.fail(f"The agent of player_{seat} ({self.seats[seat].code}) failed", error)
                return
            with self._lock:
                if version != self._version:
                    continue  # taken back, or stopped
                self.table.play(action)
                self._version += 1
                if not self.is_agents_turn or time.monotonic() - shown > SHOWN_EVERY:
                    self.advance()
                    shown = time.monotonic()

    @property
    def is_agents_turn(self) -> bool:
        """Whether an agent has to be asked."""
        table = self.table
        return table is not None and not table.is_over and not self.is_stopped and not self.failure and not self.seats[table.seat].is_person

    def advance(self) -> None:
        """Save the new position, and show it to those who see something new."""
        assert self.table is not None
        table = self.table
        count = len(table.history.moves)
        if not table.is_over and self.seats[table.seat].is_person and (not self.decisions or self.decisions[-1][0] < count):
            self.decisions.append((count, table.seat, table.env.save()))
        self.save()
        if table.is_over:
            self.describe()
        self.publish()

    # What a seat is shown

    def publish(self) -> None:
        """Bring the documents of all seats up to date, and tell the streams of those that changed."""
        with self._lock:
            changed = []
            for viewer in self.viewers:
                document = self.document(viewer)
                if document != self._shown[viewer]:
                    self._shown[viewer] = document
                    self._seq[viewer] += 1
                    changed.append(viewer)
            told = [subscriber for subscriber in self.subscribers if set(changed) & set(subscriber.viewers)]
        if self.server.loop is not None and not self.server.loop.is_closed():
            for subscriber in told:
                self.server.loop.call_soon_threadsafe(subscriber.changed.set)

    def board(self, viewer: Viewer) -> dict[str, Any]:
        """What a seat is shown now, with its sequence number."""
        with self._lock:
            return {"seq": self._seq[viewer], **self._shown[viewer]}

    def news(self, viewer: Viewer) -> dict[str, Any]:
        """What a stream is told."""
        with self._lock:
            return {"seat": viewer, "seq": self._seq[viewer], "status": self._shown[viewer]["status"]}

    def status(self, viewer: Viewer) -> str:
        """How the game stands for a seat: compiling, failed, stopped, over, yours or others."""
        if self.failure:
            return "failed"
        if self.is_stopped:
            return "stopped"
        if self.table is None:
            return "compiling"
        if self.table.is_over:
            return "over"
        return "yours" if viewer is not None and self.table.seat == viewer else "others"

    def document(self, viewer: Viewer) -> dict[str, Any]:
        """What a seat is shown: it depends on nothing but what the seat may know."""
        status = self.status(viewer)
        found: dict[str, Any] = {"status": status, "failure": self.failure, "warning": self.warning}
        table = self.table
        if table is None:
            return found
        game, history = self.variant.game, table.history
        record = history.positions[-1]
        view = record[0]
        if viewer is not None and record[0].status == Status.RUNNING:
            view = self.variant.masked_view(record.view(np.ndarray), viewer)
        seat = table.seat if viewer is None else viewer
        found |= {
            "svg": game.svg(view, viewer, [seat.name for seat in self.seats]),
            "text": game.text(view, seat),
            "question": "" if table.is_over else question(game, view, seat),
            "choices": self.choices(view, viewer) if status == "yours" else [],
            "log": self.log(viewer),
            "last": self.last_places(viewer),
            "undo": self.undo_state(viewer),
            "result": self.result() if table.is_over else None,
        }
        return found

    def choices(self, view: Any, seat: Viewer) -> list[dict[str, Any]]:
        """The legal actions of the seat to move: name, where on the board, an amount, and what it means in words."""
        assert self.table is not None and seat is not None
        game, found = self.variant.game, []
        for action in self.table.env.legal_actions():
            spot = game.spot(view, seat, action) if game.spot is not None else None
            found.append(
                {
                    "id": action,
                    "name": game.in_words(view, seat, action),
                    "detail": detail(game, view, seat, action),
                    "places": list(spot.places) if spot is not None else [],
                    "amount": spot.amount if spot is not None else None,
                }
            )
        return found

    def log(self, viewer: Viewer) -> list[Line]:
        """What a seat has learned so far, with what was taken back."""
        assert self.table is not None
        lines, done = [], 0
        for after, viewers, line in self.notes:
            if viewer is None or viewer in viewers:
                lines += [*self.table.history.lines(viewer, done, after), line]
                done = max(done, after)
        return lines + self.table.history.lines(viewer, done)

    def last_places(self, viewer: Viewer) -> list[str]:
        """Where the last action was played that this seat knows of."""
        assert self.table is not None
        game, history, moves = self.variant.game, self.table.history, self.table.env.moves
        if game.spot is None:
            return []
        for at in range(len(moves) - 1, max(-1, len(moves) - 40), -1):
            if not any(not step.is_secret or viewer in (None, step.seat) for step in history.moves[at]):
                continue
            state = history.positions[at].copy()
            _, action, chance = moves[at]
            before, found = state.copy(), []
            for step in steps(self.variant, state, action, chance):
                if not step.is_secret or viewer in (None, step.seat):
                    found = list(game.spot(before[0], step.seat, game.actions.parse(step.name)).places) or found
                before = state.copy()
            return found
        return []

    def result(self) -> dict[str, Any]:
        """Final scores, where they come from, and now the seed."""
        assert self.table is not None
        points = self.table.env.breakdown()
        sources = list(next(iter(points.values())))
        return {
            "places": [place._asdict() for place in self.table.places()],
            "sources": sources,
            "points": [[row[source] for source in sources] for row in points.values()],
            "truncated": bool(self.table.is_truncated),
            "seed": self.table.seed,
        }

    def facts(self) -> dict[str, Any]:
        """What everyone at the table may know of it."""
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
        """Refuse what a page sends that does not show the newest position."""
        if seq != self._seq[seat]:
            raise RequestError(409, "the game has gone on since this page was loaded", seq=self._seq[seat])

    def move(self, seat: int, seq: Any, action: Any) -> "Future[Any] | None":
        """Play an action of a person, then let agents play in the pool.

        Returns:
            What waits for the agents, if any has to be asked.

        Raises:
            RequestError: The page is not up to date, or the action is not legal; the game is as it was.
        """
        with self._lock:
            table = self.check_turn(seat, seq)
            legal = table.env.legal_actions()
            if not isinstance(action, int) or isinstance(action, bool) or action not in legal:
                listed = "; ".join(f"{choice['id']} {choice['name']}" for choice in self._shown[seat]["choices"])
                raise RequestError(422, f"action {str(action)[:40]} is not legal here; the legal ones are: {listed}")
            table.play(action)
            self._version += 1
            self.wish = None
            self.advance()
            if self.is_agents_turn:
                self.work(self.play_on)
                return self.running
        return None

    def last_decision(self, seat: int) -> tuple[int, bytes] | None:
        """A seat's own decision before this position: after how many moves, and the game then."""
        assert self.table is not None
        count = len(self.table.history.moves)
        for after, who, saved in reversed(self.decisions):
            if who == seat and after < count:
                return after, saved
        return None

    def undo_state(self, viewer: Viewer) -> dict[str, Any]:
        """Whether a seat can take back, and who has asked for it: `how` is free, ask, asked, agree, agreed or ""."""
        how = ""
        assert self.table is not None
        if viewer is None or self.table.is_over or self.is_stopped:
            return {"how": how, "seat": None}
        if self.wish is not None:
            asker, agreed = self.wish
            how = "asked" if viewer == asker else "agreed" if viewer in agreed else "agree"
            return {"how": how, "seat": asker}
        if self.last_decision(viewer) is not None:
            how = "free" if self.is_undo_free(viewer) else "ask"
        return {"how": how, "seat": None}

    def is_undo_free(self, seat: int) -> bool:
        """Whether a seat can take back without asking: nobody else is there, or nobody acted since and no chance result was drawn.

        While others decide in secret the answer is no: it would tell whether they have done so already.
        """
        assert self.table is not None
        if len(self.people) == 1:
            return True
        game, table, found = self.variant.game, self.table, self.last_decision(seat)
        if table.seat != seat and game.secret is not None:
            if game.secret(table.history.positions[-1][0], table.env.legal_actions()[0]):
                return False
        return found is not None and all(who == seat and not chance for who, _, chance in table.env.moves[found[0] :])

    def undo(self, seat: int, seq: Any, agrees: bool = True) -> None:
        """Return to a seat's own last decision; with several people only if they agree, or if it tells them nothing.

        Args:
            seat: Who asks, or answers another's wish.
            seq: The sequence number of the seat's page.
            agrees: The answer to another's wish.

        Raises:
            RequestError: There is nothing to take back.
        """
        with self._lock:
            if self.table is not None and self.wish is not None:
                asker, agreed = self.wish
                if not agrees or seat == asker:
                    self.wish = None
                else:
                    agreed.add(seat)
                    if agreed >= set(self.people) - {asker}:
                        self.take_back(asker)
                        return
                self.publish()
                return
            self.check_seq(seat, seq)
            if self.table is None or self.table.is_over or self.is_stopped or self.last_decision(seat) is None:
                raise RequestError(409, "there is nothing to take back", seq=self._seq[seat])
            if self.is_undo_free(seat):
                self.take_back(seat)
            else:
                self.wish = (seat, set())
                self.publish()

    def take_back(self, seat: int) -> None:
        """Load the position before a seat's last decision. A note stays for all who saw what is undone."""
        assert self.table is not None
        table, found = self.table, self.last_decision(seat)
        assert found is not None
        after, saved = found
        undone = table.history.moves[after:]
        saw = frozenset(
            at for at in range(len(self.seats)) if any(not step.is_secret or step.seat == at for move in undone for step in move)
        )
        table.load(saved)
        self._version += 1
        self.decisions = [decision for decision in self.decisions if decision[0] <= after]
        self.notes = [note for note in self.notes if note[0] <= after]
        self.notes.append((after, saw, Line(seat, "took back")))
        self.wish = None
        self.failure = ""
        self.advance()

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
                self.work(self.prepare)
                return
            if code is not None:
                table.agents[table.seat] = self.agent(code)
                self.seats[table.seat].code = self.seats[table.seat].name = table.names[table.seat] = code
                self.describe()
            self._version += 1
            self.advance()
            self.work(self.play_on)

    def stop(self) -> None:
        """End the game before its end. Its file is kept."""
        with self._lock:
            self.is_stopped = True
            self._version += 1
            self.save()
            self.describe()
            self.publish()


def read_facts(file: Path) -> Any:
    """What `describe` wrote.

    Raises:
        OSError, ValueError: It cannot be read.
    """
    return parse_json(read_bytes(file, file.name, MOST_FACTS), file.name)


def is_seat(seat: Seat) -> bool:
    """Whether a seat that was read from a file has values of the right types."""
    texts = (seat.name, seat.token) if seat.code is None else (seat.name, seat.token, seat.code)
    return all(isinstance(text, str) for text in texts) and isinstance(seat.here, bool)


def saved_games(folder: Path) -> list[str]:
    """The ids of the games of earlier runs that are neither over nor stopped, the latest first."""
    found = []
    for path in folder.glob("*.json"):
        try:
            facts = read_facts(path)
            if facts["format"] == FORMAT and not facts["stopped"] and not facts["over"]:
                found.append((path.stat().st_mtime, path.stem))
        except (OSError, ValueError, TypeError, KeyError):
            continue  # not one of ours, or damaged
    return [number for _, number in sorted(found, reverse=True)]
