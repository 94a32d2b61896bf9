"""Taking back: to a seat's own last decision, with the consent of the others where it could tell something."""

from typing import TYPE_CHECKING, Any

from tradewinds.envs.core.io.history import Line

from .seats import Viewer
from .server import RequestError

if TYPE_CHECKING:
    from .session import Session


class Undo:
    """The decisions that people can return to, and who has asked for it. The session holds its lock during every call."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self.wish: tuple[int, set[int]] | None = None  # a seat that wants to take back, and those who agree
        self.notes: list[tuple[int, frozenset[int], Line]] = []  # after how many moves, who sees it, the line
        self.decisions: list[tuple[int, int, bytes]] = []  # of people: moves so far, seat, the game

    def remember(self) -> None:
        """Keep the position if a person decides in it."""
        table = self.session.table
        assert table is not None
        count = len(table.history.moves)
        if not table.is_over and self.session.seats[table.seat].is_person and (not self.decisions or self.decisions[-1][0] < count):
            self.decisions.append((count, table.seat, table.env.save()))

    def last_decision(self, seat: int) -> tuple[int, bytes] | None:
        """A seat's own decision before this position: after how many moves, and the game then."""
        assert self.session.table is not None
        count = len(self.session.table.history.moves)
        for after, who, saved in reversed(self.decisions):
            if who == seat and after < count:
                return after, saved
        return None

    def state(self, viewer: Viewer) -> dict[str, Any]:
        """Whether a seat can take back, and who has asked for it: `how` is free, ask, asked, agree, agreed or ""."""
        how = ""
        assert self.session.table is not None
        if viewer is None or self.session.table.is_over or self.session.is_stopped:
            return {"how": how, "seat": None}
        if self.wish is not None:
            asker, agreed = self.wish
            how = "asked" if viewer == asker else "agreed" if viewer in agreed else "agree"
            return {"how": how, "seat": asker}
        if self.last_decision(viewer) is not None:
            how = "free" if self.is_free(viewer) else "ask"
        return {"how": how, "seat": None}

    def is_free(self, seat: int) -> bool:
        """Whether a seat can take back without asking: nobody else is there, or nobody acted since and no chance result was drawn.

        While others decide in secret the answer is no: it would tell whether they have done so already.
        """
        table = self.session.table
        assert table is not None
        if len(self.session.people) == 1:
            return True
        game, found = self.session.variant.game, self.last_decision(seat)
        if table.seat != seat and game.secret is not None:
            if game.secret(table.history.positions[-1][0], table.env.legal_actions()[0]):
                return False
        return found is not None and all(who == seat and not chance for who, _, chance in table.env.moves[found[0] :])

    def ask(self, seat: int, seq: Any, agrees: bool = True) -> bool:
        """Ask to take back, or answer another player's request.

        Args:
            seat: Who asks or answers.
            seq: The sequence number of the seat's page.
            agrees: The answer to another player's request.

        Returns:
            Whether the game is now at another position.

        Raises:
            RequestError: There is nothing to take back.
        """
        session = self.session
        if session.table is not None and self.wish is not None:
            asker, agreed = self.wish
            if not agrees or seat == asker:
                self.wish = None
            else:
                agreed.add(seat)
                if agreed >= set(session.people) - {asker}:
                    self.take_back(asker)
                    return True
            return False
        session.check_seq(seat, seq)
        if session.table is None or session.table.is_over or session.is_stopped or self.last_decision(seat) is None:
            raise RequestError(409, "there is nothing to take back", seq=session.seq(seat))
        if self.is_free(seat):
            self.take_back(seat)
            return True
        self.wish = (seat, set())
        return False

    def take_back(self, seat: int) -> None:
        """Load the position before a seat's last decision. A note stays for all who saw what is undone."""
        table, found = self.session.table, self.last_decision(seat)
        assert table is not None and found is not None
        after, saved = found
        undone = table.history.moves[after:]
        saw = frozenset(
            at for at in range(len(self.session.seats)) if any(not step.is_secret or step.seat == at for move in undone for step in move)
        )
        table.load(saved)
        self.decisions = [decision for decision in self.decisions if decision[0] <= after]
        self.notes = [note for note in self.notes if note[0] <= after]
        self.notes.append((after, saw, Line(seat, "took back")))
        self.wish = None
