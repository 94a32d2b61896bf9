"""Agents for the tests of games in the terminal."""

import numpy as np

from tradewinds.agents import Decisions
from tradewinds.envs.core.spec.game import Variant

TRADE = ("sail: to the island", "buy:", "enough", "price:", "bid:", "auction: accept", "harbour: buy from", "sail: to the", "turn: end")


class First:
    """The first legal action."""

    def act(self, decisions: Decisions) -> np.ndarray:
        return decisions.masks.argmax(axis=1)


class Rater(First):
    """Likes a late action better than an early one, and says so."""

    def act(self, decisions: Decisions) -> np.ndarray:
        return self.rate(decisions).argmax(axis=1)

    def rate(self, decisions: Decisions) -> np.ndarray:
        return np.where(decisions.masks, np.arange(decisions.masks.shape[1]) / 1000, -np.inf)


class Searcher(First):
    """Has tried each legal action once, and the last of them three times."""

    def visits(self, decisions: Decisions) -> np.ndarray:
        tried = decisions.masks[0].astype(np.int64)
        tried[np.flatnonzero(tried)[-1]] = 3
        return tried


class Merchant:
    """Buys what others made and sells it at the island: in Container an auction comes soon. Odd seats bid all they can."""

    def __init__(self, variant: Variant) -> None:
        self.names = variant.game.actions.names

    def act(self, decisions: Decisions) -> np.ndarray:
        legal = [self.names[action] for action in np.flatnonzero(decisions.masks[0])]
        wanted = next((name for start in TRADE for name in legal if name.startswith(start)), legal[0])
        if wanted.startswith("bid:") and decisions.seats[0] % 2:
            wanted = [name for name in legal if name.startswith("bid:")][-1]
        return np.array([self.names.index(wanted)])


class Broken:
    def act(self, decisions: Decisions) -> np.ndarray:
        raise RuntimeError("out of\nideas")


class Cheat:
    """The first action that is not legal."""

    def act(self, decisions: Decisions) -> np.ndarray:
        return (~decisions.masks).argmax(axis=1)


class Chatty:
    def act(self, decisions: Decisions) -> np.ndarray:
        return np.array(["pass"])


class Unmakeable:
    def __init__(self) -> None:
        raise OSError("no weights")

    act = Broken.act


class Interrupting:
    """Somebody presses Ctrl-C while it thinks."""

    def act(self, decisions: Decisions) -> np.ndarray:
        raise KeyboardInterrupt
