"""Agents for tests: good ones, and one of each kind that fails. Which decisions fail depends on their seeds alone."""

import os
import signal
import time
from typing import Any

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions

HERE = __name__


def first_legal(observation: np.ndarray, action_mask: np.ndarray) -> int:
    return int(np.flatnonzero(action_mask)[0])


class Last:
    def act(self, decisions: Decisions) -> Any:
        return decisions.masks.shape[1] - 1 - decisions.masks[:, ::-1].argmax(axis=1)


def unlucky(decisions: Decisions) -> np.ndarray:
    return decisions.seeds % np.uint64(500) == 0


class Illegal(Last):
    def act(self, decisions: Decisions) -> Any:
        return np.where(unlucky(decisions), decisions.masks.argmin(axis=1), super().act(decisions))


class OutOfRange(Last):
    def act(self, decisions: Decisions) -> Any:
        return np.where(unlucky(decisions), 2**62, super().act(decisions)).astype(np.uint64)


class Raises(Last):
    def act(self, decisions: Decisions) -> Any:
        if unlucky(decisions).any():
            raise LookupError("no idea")
        return super().act(decisions)


class Leaves(Last):
    def act(self, decisions: Decisions) -> Any:
        if unlucky(decisions).any():
            raise SystemExit(0)
        return super().act(decisions)


class AnswersFractions(Last):
    def act(self, decisions: Decisions) -> Any:
        actions = super().act(decisions)
        return actions + 0.5 if unlucky(decisions).any() else actions


class AnswersTooMany(Last):
    def act(self, decisions: Decisions) -> Any:
        actions = super().act(decisions)
        return np.append(actions, 0) if unlucky(decisions).any() else actions


class AnswersNothing(Last):
    def act(self, decisions: Decisions) -> Any:
        return None if unlucky(decisions).any() else super().act(decisions)


class Dawdles(Last):
    def act(self, decisions: Decisions) -> Any:
        time.sleep(0.4 * int(unlucky(decisions).any()))
        return super().act(decisions)


class Hangs(Last):
    def act(self, decisions: Decisions) -> Any:
        time.sleep(1000 * int(unlucky(decisions).any()))
        return super().act(decisions)


class HangsAtOnce(Last):
    def act(self, decisions: Decisions) -> Any:
        time.sleep(1000)
        return super().act(decisions)


class Dies(Last):
    def act(self, decisions: Decisions) -> Any:
        if unlucky(decisions).any():
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(decisions)


class FailsTogether(Last):
    """Cannot answer several decisions at once."""

    def act(self, decisions: Decisions) -> Any:
        if len(decisions) > 1:
            raise RuntimeError("one at a time")
        return super().act(decisions)


class Chatty(Last):
    def act(self, decisions: Decisions) -> Any:
        print("thinking ...")
        return super().act(decisions)


class Slow(Last):
    games_at_once = 4

    def act(self, decisions: Decisions) -> Any:
        time.sleep(0.002)
        return super().act(decisions)


class RemembersRows(Last):
    """Plays differently after 20 decisions in a row, unless `new_games` says that the row is another game."""

    def __init__(self) -> None:
        self.ends: dict[int, int] = {}

    def new_games(self) -> None:
        self.ends.clear()

    def act(self, decisions: Decisions) -> Any:
        actions = super().act(decisions)
        for i, row in enumerate(decisions.rows.tolist()):
            self.ends[row] = self.ends.get(row, 0) + 1
            if self.ends[row] > 20:
                actions[i] = decisions.masks[i].argmax()
        return actions
