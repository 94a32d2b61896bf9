"""The history of a game, as each seat observes it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..api.aec import TableEnv
from ..engine.kernel import records
from ..engine.rng import new_tape, script
from ..render.words import logged
from ..spec.fields import Status
from ..spec.game import Variant


class Step(NamedTuple):
    """One action, decided or forced. The two are not distinguished: that would reveal which alternatives its player had."""

    seat: int
    name: str
    text: str  # the action as a log has it
    is_secret: bool  # only its player sees it
    announcement: str  # public text after it, or ""


class Line(NamedTuple):
    """A line of a game's log."""

    seat: int | None  # who acted; None for an announcement
    text: str


def steps(variant: Variant, state: np.ndarray, action: int, chance: tuple[int, ...]) -> Iterator[Step]:
    """Play a decision, and what is forced after it, in an array of one record: as the core does, but action by action.

    Args:
        variant: The game and its options.
        state: An array of one record, which is changed.
        action: The action of the decision.
        chance: The results of its random draws.
    """
    game = variant.game
    plain = state.view(np.ndarray)
    record, seen = records(plain)[0], plain.view(np.recarray)
    stream, mask = new_tape(0), np.zeros(len(game.actions), np.bool_)
    script(stream, chance)
    count = 1
    while count == 1:
        earlier = seen.copy()[0]
        game.kernels["apply"](record, action, stream)
        is_secret = game.secret is not None and game.secret(earlier, action)
        announcement = game.announce(earlier, action, seen[0]) if game.announce is not None else ""
        yield Step(int(earlier.seat), game.actions.names[action], logged(game, action), bool(is_secret), announcement)
        count = game.kernels["legal"](record, mask) if seen[0].status == Status.RUNNING else 0
        action = int(mask.argmax())


def heard(played: Iterable[Step], viewer: int | None) -> Iterator[Line]:
    """The log lines that a seat may see; all of them for the viewer None.

    Args:
        played: Steps in their order.
        viewer: The seat, or None for everything.
    """
    for step in played:
        if not step.is_secret or viewer in (None, step.seat):
            yield Line(step.seat, step.text)
        if step.announcement:
            yield Line(None, step.announcement)


class History:
    """The positions of a running game and what was done between them."""

    def __init__(self, env: TableEnv) -> None:
        self.variant = env.variant
        self.positions = [env.record()]  # after the set-up and after each decision
        self.moves: list[tuple[Step, ...]] = []  # a decision each, with what it forced

    def follow(self, env: TableEnv) -> None:
        """Append the last decision, or drop those that `load` undid. Call this after each `step` and each `load`.

        Args:
            env: The environment that this history follows.
        """
        played = env.moves
        del self.moves[len(played) :], self.positions[len(played) + 1 :]
        if len(self.moves) < len(played):
            _, action, chance = played[-1]
            self.moves.append(tuple(steps(self.variant, self.positions[-1].copy(), action, chance)))
            self.positions.append(env.record())

    def lines(self, viewer: int | None, first: int = 0, last: int | None = None) -> list[Line]:
        """The log lines of the decisions `first` to `last` (exclusive) that a seat may see; all of them for the viewer None.

        Args:
            viewer: The seat, or None for everything.
            first: The first decision.
            last: The decision after the last; None: up to the end.
        """
        return [line for move in self.moves[first:last] for line in heard(move, viewer)]

    def board(self, at: int, viewer: int | None) -> str:
        """A position as a seat may see it; with nothing hidden for a spectator, the viewer None, or once the game is over.

        Args:
            at: How many decisions were played before.
            viewer: The seat, or None for a spectator.
        """
        position = self.positions[at]
        is_running = position[0].status == Status.RUNNING
        view = self.variant.masked_view(position.view(np.ndarray), viewer) if viewer is not None and is_running else position[0]
        return self.variant.game.text(view, viewer)
