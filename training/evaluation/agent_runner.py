"""Asking agents: the time they take, and what they answer wrongly."""

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.api.errors import IllegalActionError

LONGEST_REASON = 500  # characters
NO_TIME = (0.0, 0.0, np.nan)  # seconds, decisions, and the seconds a decision of the slowest call


@dataclass(frozen=True)
class Fault:
    """What is wrong with an answer."""

    kind: str  # illegal: an action that is not legal; answer: no row of whole numbers; error: it raised; slow: over the time limit
    reason: str
    error: BaseException | None = None


class Notes(Protocol):
    """What is going on, for one who watches from outside."""

    def asking(self, agent: int) -> None: ...

    def answered(self) -> None: ...

    def moved(self, action: int) -> None:
        """An action of a game that is played alone."""
        ...

    def finished(self, games: int) -> None: ...


class NoNotes:
    def asking(self, agent: int) -> None:
        pass

    def answered(self) -> None:
        pass

    def moved(self, action: int) -> None:
        pass

    def finished(self, games: int) -> None:
        pass


class Referee:
    """Asks agents for actions and checks them; a fault is charged to the decisions that show it when they are asked alone.

    A time limit holds for one decision. It is compared with whole calls: only if a call of many decisions takes longer are they asked one
    by one, and then always. `times` (agents, 3) holds what NO_TIME does.
    """

    def __init__(self, agents: Sequence[Any], time_limit: float | None = None, notes: Notes | None = None, strict: bool = False) -> None:
        self.agents = agents
        self.time_limit = time_limit
        self.notes = notes or NoNotes()
        self.strict = strict  # raise what is wrong instead of noting it
        self.times = np.tile(NO_TIME, (len(agents), 1))
        self._alone: set[int] = set()

    def begin(self) -> None:
        """Rows are other games from now on."""
        self.times[:] = NO_TIME
        for agent in self.agents:
            if hasattr(agent, "new_games"):
                agent.new_games()

    def ask(self, number: int, batch: Batch, rows: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, dict[int, Fault]]:
        """The answers of one agent in some rows, int64, and what is wrong, by its place in `rows`."""
        if number not in self._alone or len(rows) == 1:
            actions, faults, whole = self._call(number, batch, rows, seeds)
            if whole is None:
                return actions, faults
            if len(rows) == 1:
                return actions, {0: whole}
            if whole.kind == "slow":
                self._alone.add(number)
        else:
            whole = None
        actions, faults = np.zeros(len(rows), np.int64), {}
        for i in range(len(rows)):
            actions[i : i + 1], wrong, fault = self._call(number, batch, rows[i : i + 1], seeds[i : i + 1])
            if fault or wrong:
                faults[i] = fault or wrong[0]
        if whole is not None and whole.kind != "slow" and not faults:  # none is to blame alone, so all are together
            faults = dict.fromkeys(range(len(rows)), whole)
        return actions, faults

    def _call(self, number: int, batch: Batch, rows: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, dict[int, Fault], Fault | None]:
        """One question: actions, faults of single decisions, and a fault of the call as a whole."""
        none = np.zeros(len(rows), np.int64)
        decisions = batch.decisions(rows.copy(), seeds.copy())
        self.notes.asking(number)
        began = time.perf_counter()
        try:
            answer = self.agents[number].act(decisions)
        except (Exception, SystemExit) as error:
            if self.strict:
                raise
            return none, {}, Fault("error", _said(error), error)
        finally:
            seconds = time.perf_counter() - began
            self.notes.answered()
        if self.time_limit is not None and seconds > self.time_limit:
            return none, {}, Fault("slow", f"took {seconds:.3g} s; the limit is {self.time_limit:g} s a decision")
        actions, fault = _whole_numbers(answer, len(rows))
        if fault is not None:
            if self.strict:
                raise TypeError(fault.reason)
            return none, {}, fault
        self.times[number, :2] += (seconds, len(rows))
        self.times[number, 2] = np.fmax(self.times[number, 2], seconds / len(rows))
        return actions, self._illegal(batch, rows, actions), None

    def _illegal(self, batch: Batch, rows: np.ndarray, actions: np.ndarray) -> dict[int, Fault]:
        count = batch.masks.shape[1]
        inside = (actions >= 0) & (actions < count)
        legal = inside & batch.masks[rows, np.where(inside, actions, 0)]
        faults = {}
        for i in np.flatnonzero(~legal).tolist():
            row = rows[i]
            possible = np.flatnonzero(batch.masks[row]).tolist()
            error = IllegalActionError(batch.variant.game.actions, int(actions[i]), possible, f"player_{batch.seats[row]} to move")
            if self.strict:
                raise error
            faults[i] = Fault("illegal", _clip(str(error)), error)
        return faults


def _whole_numbers(answer: object, size: int) -> tuple[np.ndarray, Fault | None]:
    none = np.zeros(size, np.int64)
    try:
        given = np.asarray(answer)
    except Exception as error:
        return none, Fault("answer", f"answered {type(answer).__name__}, which is no array: {_said(error)}")
    if given.dtype.kind not in "iu" or given.shape != (size,):
        what = f"{given.dtype} of shape {given.shape}" if given.dtype.kind != "O" else type(answer).__name__
        return none, Fault("answer", f"answered {what}; an answer is a row of whole numbers, one a decision: shape ({size},)")
    if given.dtype == np.uint64:
        given = np.minimum(given, np.uint64(np.iinfo(np.int64).max))  # or a huge one would come out below 0, and named wrongly
    return given.astype(np.int64), None


def _said(error: BaseException) -> str:
    """The error and where it came from, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return _clip(f"{type(error).__name__}: {error}{where}")


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 4] + " ..."
