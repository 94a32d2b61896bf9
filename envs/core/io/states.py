"""States from outside: nothing of them reaches a kernel that plays before it has passed these checks."""

import bisect
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..api.errors import FormatError
from ..engine.buffers import Buffers
from ..engine.threads import Task
from ..spec.fields import Status
from ..spec.game import Variant


def check_states(variant: Variant, states: np.ndarray) -> None:
    """Refuse records that no game of this variant can hold.

    Checked are the options, the declared bounds of every field, and the game's own laws (`Game.check_state`).

    Args:
        variant: The game and its options.
        states: Records (n,) of the game's dtype.

    Raises:
        FormatError: A record is impossible; the message says which, the first of several, and why.
    """
    states = states.view(np.ndarray)
    if not len(states) or not _wrong(variant, states):
        return
    # Rows up to a wrong one are wrong, however many follow: the first is found by halving.
    row = bisect.bisect_left(range(len(states)), True, key=lambda row: bool(_wrong(variant, states[: row + 1])))
    where = f"game {row}: " if len(states) > 1 else ""
    raise FormatError(f"the rules cannot lead to this state: {where}{'; '.join(_wrong(variant, states[row : row + 1]))}")


def _wrong(variant: Variant, states: np.ndarray) -> list[str]:
    """What is impossible in some of these records; what is checked later needs what is checked before."""
    names = states.dtype.names or ()
    for option in variant.game.options:
        if option.name in names and (states[option.name] != variant.blank[option.name]).any():
            return [f"it has another {option.name}"]
    wrong = variant.game.fields.out_of_bounds(states)
    if "padding" in names and states["padding"].any():
        wrong.append("padding that is not zero")
    if not wrong and (states["seat"] >= variant.players).any():
        wrong.append(f"seat: {states['seat'].max()}, with {variant.players} players")
    if not wrong and variant.game.check_state is not None:
        wrong = variant.game.check_state(states)
    return wrong


def columns(states: np.ndarray) -> dict[str, np.ndarray]:
    """The fields of records, each in memory of its own: a law that reads one field then does not read them all."""
    return {name: np.ascontiguousarray(states[name]) for name in states.dtype.names or ()}


def broken(*laws: Mapping[str, Any]) -> list[str]:
    """The laws that a state breaks.

    Args:
        *laws: What is wrong with a state -> where it is: booleans (n, ...).
    """
    return [law for part in laws for law, is_broken in part.items() if np.any(is_broken)]


def while_running(s: Mapping[str, np.ndarray], laws: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Laws that bind games that go on, and no finished ones."""
    is_running = s["status"] == Status.RUNNING
    return {law: is_broken & is_running for law, is_broken in laws.items()}


def refresh(variant: Variant, b: Buffers) -> None:
    """Write masks and observations of buffers whose states came from outside.

    Args:
        variant: The game and its options.
        b: Buffers of the caller's own: after an error they hold nothing of use.

    Raises:
        FormatError: A state is impossible, or is not one in which a player decides.
    """
    check_states(variant, b.states)
    size = b.states.size
    run, arrays = variant.game.loops.run, (b, np.zeros(size, np.int64), np.arange(size), b.streams)
    run(*arrays, int(Task.COUNT), 0, variant.reward, size, 0)
    is_running = b.states["status"] == Status.RUNNING
    stuck = np.flatnonzero(is_running & (b.counts < 2))
    if stuck.size:
        raise FormatError(f"the rules cannot lead to this state: game {stuck[0]} goes on, but nobody has a choice")
    run(*arrays, int(Task.REFRESH), 0, variant.reward, size, 0)


def put(b: Buffers, other: Buffers) -> None:
    """Overwrite buffers by others of the same size and variant, in place: views of them stay valid."""
    for name in (
        "words",
        "streams",
        "seeds",
        "mask_words",
        "counts",
        "observations",
        "seats",
        "rewards",
        "finished",
        "truncated",
        "results",
    ):
        getattr(b, name)[...] = getattr(other, name)
