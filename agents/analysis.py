"""Analysis of a whole game: what a search finds at every decision, the win rate of each seat over time, and costly decisions.

A decision is searched from what the seat to move knew, on its own: with reuse=no nothing of an earlier search is in it, so the result does
not depend on the order in which decisions are searched, nor on the number of threads. With margin=0 the values are win rates. Where a
network comes with Tradewinds, rollouts end where the agent `pretrained` ends them, and the network evaluates the rest.

The search looks most at what it finds good, so an action with a few visits has no reliable value. Where the played action has fewer than
LEAST_VISITS, or seems costly, it and the best action are searched again from the positions after them, in REDEALS determinizations that are
the same for both. Pairing makes the cost precise: the standard error is below 0.01 in most cases.

An analysis is kept beside the replay, GAME.jsonl as GAME.analysis.jsonl, a line per decision.
"""

import hashlib
import itertools
import json
import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import tradewinds.envs as tw
from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.api.errors import FormatError
from tradewinds.envs.core.api.processes import available_cores
from tradewinds.envs.core.io.atomic import write_file
from tradewinds.envs.core.io.parse import is_integer, parse_json, read_bytes
from tradewinds.envs.core.io.replay import Move
from tradewinds.envs.core.spec.game import Variant

from .neural.checkpoint import pretrained_net, search_code
from .search import Search

FORMAT = 1
SIMULATIONS = 400  # per decision
LEAST_VISITS = 30  # of the action that was played, to believe its value
REDEALS, AGAIN = 16, 8  # determinizations, and the part of the simulations that each position after them gets: 1 / AGAIN
COSTLY = 0.05  # of the mover's win rate
DIGITS = 4
EXAMPLE = f"search:{SIMULATIONS}:margin=0:reuse=no"


class Choice(NamedTuple):
    """An action that was searched, and the win rate of each seat after it."""

    action: str
    visits: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class Review:
    """One decision of a game, searched from what the seat to move knew.

    Attributes:
        seat: Who decided.
        played: The action.
        value: The win rate of each seat before the decision; they sum to 1.
        choices: The actions that were tried, the most visited first. The first is what the search would have played.
        line: The principal variation.
        cost: By how much the win rate of `seat` is lower after the played action than after the best one; at least 0.
    """

    seat: int
    played: str
    value: tuple[float, ...]
    choices: tuple[Choice, ...]
    line: tuple[str, ...]
    cost: float

    @property
    def is_costly(self) -> bool:
        """Whether the decision cost at least COSTLY of its player's win rate."""
        return self.cost >= COSTLY


@dataclass(frozen=True)
class Analysis:
    """All decisions of a game in their order, and the agent that searched them."""

    agent: str
    reviews: tuple[Review, ...]
    result: tuple[float, ...] | None  # each seat's part of the win, once the game is over

    @property
    def win_rates(self) -> list[tuple[float, ...]]:
        """The win rate of each seat before each decision and, if the game is over, at its end."""
        return [review.value for review in self.reviews] + ([self.result] if self.result is not None else [])

    @property
    def costly(self) -> list[int]:
        """The numbers of the costly decisions, in their order."""
        return [number for number, review in enumerate(self.reviews) if review.is_costly]

    def save(self, path: Path, replay: tw.Replay) -> None:
        """Write the analysis of a replay to a file, which then holds the old content or the new, never a part.

        Args:
            path: The file.
            replay: The replay that was analysed.

        Raises:
            OSError: It cannot be written.
        """
        head = {"tradewinds analysis": FORMAT, "moves": moves_digest(replay), "agent": self.agent}
        rows = [
            {
                "seat": review.seat,
                "played": review.played,
                "value": review.value,
                "choices": [[choice.action, choice.visits, choice.values] for choice in review.choices],
                "line": review.line,
                "cost": review.cost,
            }
            for review in self.reviews
        ]
        write_file(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in [head, *rows]).encode())

    @classmethod
    def load(cls, path: Path, replay: tw.Replay, agent: str) -> "Analysis":
        """Read the analysis of a replay by an agent.

        Args:
            path: The file.
            replay: The replay that was analysed.
            agent: The code of the search that analysed it.

        Raises:
            FormatError: It is the analysis of another game or by another agent, or it is damaged.
            OSError: It cannot be read.
        """
        lines = read_bytes(path, "this analysis").splitlines()
        rows = [parse_json(line, f"line {number} of this analysis") for number, line in enumerate(lines, 1)]
        head = {"tradewinds analysis": FORMAT, "moves": moves_digest(replay), "agent": agent}
        if not rows or rows[0] != head or len(rows) != 1 + len(replay.moves):
            raise FormatError(f"this is not an analysis of that game by {agent}")
        variant = replay.game.with_options(**replay.options)
        reviews = []
        for number, (row, move) in enumerate(zip(rows[1:], replay.moves, strict=True), 2):
            review = _read_review(row, variant)
            if review is None or (review.seat, review.played) != (move.seat, move.action):
                raise FormatError(f"line {number} of this analysis is damaged")
            reviews.append(review)
        return cls(agent, tuple(reviews), _result(replay))


class CancelledError(Exception):
    """An analysis that was told to stop."""


def agent_code(variant: Variant, simulations: int = SIMULATIONS) -> str:
    """The code of the search that analyses games of a variant.

    Args:
        variant: The game and its options.
        simulations: Simulations per decision.
    """
    path = pretrained_net(variant)
    _, colon, of_network = search_code(path).partition(":") if path is not None else ("", "", "")
    return f"search:{simulations}:margin=0:reuse=no{colon}{of_network}"


def analyse(
    replay: tw.Replay,
    agent: str = "",
    threads: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Search every decision of a game.

    Args:
        replay: The game, finished or not.
        agent: The code of a search with margin=0 and reuse=no. Default is 400 simulations per decision.
        threads: How many decisions are searched at the same time; all cores by default. The result does not depend on it.
        on_progress: Called with the decisions done and all decisions, one thread at a time.
        is_cancelled: Asked before each decision whether to stop.

    Raises:
        ValueError: The agent is no such search.
        CancelledError: `is_cancelled` returned True.
    """
    variant = replay.game.with_options(**replay.options)
    agent = agent or agent_code(variant)
    searchers = _Searchers(variant, agent)
    done, lock = itertools.count(1), threading.Lock()

    def review(asked: "tuple[_Asked, Move]") -> Review:
        if is_cancelled():
            raise CancelledError
        found = searchers.review(*asked)
        with lock:
            on_progress(next(done), len(replay.moves))
        return found

    asked = zip(_decisions(replay), replay.moves, strict=False)
    with ThreadPoolExecutor(threads or len(available_cores()), "analysis") as pool:
        reviews = tuple(pool.map(review, asked))
    return Analysis(agent, reviews, _result(replay))


def analysis_path(replay: Path) -> Path:
    """Where the analysis of a replay file is kept."""
    return replay.with_name(f"{replay.name.removesuffix('.jsonl')}.analysis.jsonl")


def kept_analysis(path: Path, replay: tw.Replay, agent: str = "") -> Analysis | None:
    """The analysis that is kept beside a replay file, if it is one of these moves by this agent, and whole.

    Args:
        path: The file of the replay.
        replay: The replay.
        agent: The code of the search; by default that of `agent_code`.
    """
    with suppress(OSError, FormatError):
        return Analysis.load(analysis_path(path), replay, agent or agent_code(replay.game.with_options(**replay.options)))
    return None


def moves_digest(replay: tw.Replay) -> str:
    """A digest of all that determines the positions: game, version, options, chance results and moves, but not who played."""
    head = [replay.game.name, replay.game.version, replay.options, replay.seed, replay.opening]
    return hashlib.sha256(json.dumps([head, replay.moves], sort_keys=True).encode()).hexdigest()


class _Asked(NamedTuple):
    """A position in which a seat has to decide."""

    env: tw.TableEnv
    decisions: Decisions


def _decisions(replay: tw.Replay) -> Iterator[_Asked]:
    for env, _ in zip(replay.positions(), replay.moves, strict=False):
        alone = env.copy()
        yield _Asked(alone, alone.decision())


class _Searchers:
    """The searches of the threads: each has memory of its own."""

    def __init__(self, variant: Variant, agent: str) -> None:
        kind, _, settings = agent.partition(":")
        if kind != "search":
            raise ValueError(f"only a search can analyse a game, as in {EXAMPLE}; got {agent!r}")
        self._variant = variant
        self._settings = settings
        self._of_thread = threading.local()
        first = self._new()  # compiles what is not compiled yet, and refuses what cannot be
        if first.simulations is None or first.reuse or first.root != "puct" or "margin=0" not in settings.split(":"):
            raise ValueError(f"an analysis needs simulations, margin=0 and reuse=no, as in {EXAMPLE}; got {agent!r}")
        budget, *rest = settings.split(":")
        self._again = ":".join([str(max(1, int(budget) // AGAIN)), *rest])

    def _new(self) -> Search:
        return Search.from_code(self._variant, self._settings)

    def review(self, asked: _Asked, move: Move) -> Review:
        """Search one decision."""
        own = self._of_thread
        if not hasattr(own, "search"):
            own.search, own.again = self._new(), Search.from_code(self._variant, self._again)
        names, seat, played = asked.env.game.actions.names, move.seat, asked.env.parse(move.action)
        opinion = own.search.opinion(asked.decisions)
        visits, values = opinion.visits, opinion.values
        best = opinion.action
        if played != best and (visits[played] < LEAST_VISITS or values[best, seat] - values[played, seat] >= COSTLY):
            values[[best, played]] = _again(asked, seat, (best, played), own.again)
        tried = sorted((action for action in range(len(names)) if visits[action] or action == played), key=lambda a: -visits[a])
        tried.sort(key=lambda action: action != best)
        return Review(
            seat,
            move.action,
            _rounded(opinion.value),
            tuple(Choice(names[action], int(visits[action]), _rounded(values[action])) for action in tried),
            opinion.line_names,
            round(max(0.0, float(values[best, seat] - values[played, seat])), DIGITS),
        )


def _again(asked: _Asked, seat: int, actions: tuple[int, int], search: Search) -> list[Any]:
    """The win rates after each action, the mean over determinizations of what `seat` cannot know."""
    found: list[list[Any]] = [[] for _ in actions]
    for number in range(REDEALS):
        redealt = asked.env.redeal(f"player_{seat}", (int(asked.decisions.seeds[0]) + number) % 2**63)
        for action, values in zip(actions, found, strict=True):
            after = redealt.copy()
            after.step(action)
            infos = [after.infos[player] for player in after.possible_agents]
            is_over = any(after.terminations.values()) or any(after.truncations.values())
            values.append(_parts([info["rank"] for info in infos]) if is_over else search.opinion(after.decision()).value)
    return [[sum(of_seat) / REDEALS for of_seat in zip(*values, strict=True)] for values in found]


def _parts(ranks: list[int]) -> tuple[float, ...]:
    """Each seat's part of the win."""
    return tuple((rank == 1) / ranks.count(1) for rank in ranks)


def _result(replay: tw.Replay) -> tuple[float, ...] | None:
    return None if replay.result is None else _parts(replay.result["ranks"])


def _rounded(values: Any) -> tuple[float, ...]:
    return tuple(round(float(value), DIGITS) for value in values)


def _read_review(row: Any, variant: Variant) -> Review | None:
    """A line of a file, if it is whole and its win rates are such."""

    def is_rates(values: Any) -> bool:
        numbers = isinstance(values, list) and len(values) == variant.players and all(type(value) in (int, float) for value in values)
        return numbers and all(map(math.isfinite, values)) and abs(sum(values) - 1) < 0.01

    names = set(variant.game.actions.names)
    try:
        choices = tuple(Choice(*choice) for choice in row["choices"])
        is_whole = (
            is_integer(row["seat"], 0, variant.players - 1)
            and row["played"] in [choice.action for choice in choices]
            and is_rates(row["value"])
            and all(choice.action in names and is_integer(choice.visits, 0, 2**53) and is_rates(choice.values) for choice in choices)
            and all(name in names for name in row["line"])
            and type(row["cost"]) in (int, float)
            and 0 <= row["cost"] <= 2
        )
    except (TypeError, KeyError, OverflowError):
        return None
    if not is_whole:
        return None
    listed = tuple(choice._replace(values=tuple(choice.values)) for choice in choices)
    return Review(row["seat"], row["played"], tuple(row["value"]), listed, tuple(row["line"]), row["cost"])
