"""Results of games, and the lines of results.jsonl: one chunk of games each, with a checksum in front.

A checksum shows damage and no forgery, so everything that a line says is checked before anything is computed from it.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tradewinds.envs.core.api.breakdown import breakdown
from tradewinds.envs.core.api.errors import FormatError
from tradewinds.envs.core.io.parse import is_integer, parse_json, printable
from tradewinds.envs.core.spec.game import Variant

from .schedule import Schedule
from .stats import margins_to_best_other, shared_wins

UNKNOWN = np.iinfo(np.int32).min  # points of a source in a game that failed, or that was played without asking for them
NO_TIME = (0.0, 0.0, np.nan)  # of one agent: seconds, decisions, and the seconds per decision of the slowest call
LOSS = {"kind", "reason", "agent", "match", "games"}  # keys of what is kept of a lost worker
MOST_SECONDS = 1e12
LEAST_SECONDS = 1e-9  # but for 0; a smaller number would give more games per second than a float can hold
MOST_STEPS = 2**31
WRONG = (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError)


@dataclass(frozen=True)
class Failure:
    """A game that ended because an agent failed: that agent loses it, and the others share the win."""

    game: int  # row of the results
    seat: int
    agent: int  # index
    kind: str  # see `arena.Fault`
    reason: str
    actions: np.ndarray  # int16: the actions before the failure


@dataclass(frozen=True)
class Results:
    """Results of games. One that ended by a failure has no scores (0), and the seats of the agent that failed rank last."""

    scores: np.ndarray  # int32 (games, players)
    ranks: np.ndarray  # int32 (games, players); 1 is a win, ties share a rank
    lengths: np.ndarray  # env steps, int64 (games,)
    truncated: np.ndarray  # bool (games,)
    times: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # NO_TIME says what; games inside the compiled loop have none
    failures: tuple[Failure, ...] = ()
    digests: np.ndarray | None = None  # of each game's actions, uint64 (games,); None for games inside the compiled loop
    points: np.ndarray | None = None  # of each source of the scores, int32 (games, players, sources); None unless asked for
    fallbacks: np.ndarray | None = None  # decisions that a model left to its fallback, int64 (agents,); None if no agent is a model

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def wins(self) -> np.ndarray:
        """Each seat's part of the win, shared between ties: float64 (games, players)."""
        return shared_wins(self.ranks)

    @property
    def margins(self) -> np.ndarray:
        """Each seat's score minus the best score of the others: int64 (games, players)."""
        return margins_to_best_other(self.scores)

    @property
    def completed(self) -> np.ndarray:
        """The games without a failure: bool (games,)."""
        completed = np.ones(len(self), bool)
        completed[[failure.game for failure in self.failures]] = False
        return completed


def concatenate(parts: Sequence[Results]) -> Results:
    """Results of all parts, in their order."""
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    times = np.stack([part.times for part in parts])
    digests = [part.digests for part in parts if part.digests is not None]
    fallbacks = [part.fallbacks for part in parts if part.fallbacks is not None]
    return Results(
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.ranks for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.truncated for part in parts]),
        np.concatenate([times[:, :, :2].sum(axis=0), np.fmax.reduce(times[:, :, 2:])], axis=1),
        tuple(replace(failure, game=failure.game + start) for part, start in zip(parts, starts, strict=False) for failure in part.failures),
        np.concatenate(digests) if len(digests) == len(parts) else None,
        _concatenate_points(parts),
        np.sum(fallbacks, axis=0) if fallbacks else None,
    )


def _concatenate_points(parts: Sequence[Results]) -> np.ndarray | None:
    shape = next((part.points.shape[1:] for part in parts if part.points is not None), None)
    if shape is None:
        return None
    return np.concatenate([np.full((len(part), *shape), UNKNOWN, np.int32) if part.points is None else part.points for part in parts])


def points_by_source(variant: Variant, finals: np.ndarray) -> np.ndarray:
    """Where the scores of finished games come from: int32 (games, players, sources), the sources as in `TableEnv.sources`."""
    found = [[list(seat.values()) for seat in breakdown(variant.game, record)] for record in finals]
    return np.array(found, np.int32).reshape(len(finals), variant.players, -1)


# Lines


def checked(text: bytes) -> bytes:
    """The text with its checksum in front."""
    return f"{zlib.crc32(text):08x} ".encode() + text


def parse_line(line: bytes) -> dict[str, Any]:
    """A line of results.jsonl without its line break.

    Raises:
        FormatError: It is damaged.
    """
    text = line.partition(b" ")[2]
    if line != checked(text):
        raise FormatError("its checksum does not match")
    found = parse_json(text, "it")
    if not isinstance(found, dict):
        raise FormatError("it is not an object")
    return found


def results_to_json(results: Results) -> dict[str, Any]:
    """Results in JSON types; `results_of_chunk` reads them."""
    return {
        "scores": results.scores.tolist(),
        "ranks": results.ranks.tolist(),
        "lengths": results.lengths.tolist(),
        "truncated": np.flatnonzero(results.truncated).tolist(),
        "times": [[None if np.isnan(value) else value for value in row] for row in results.times.tolist()],
        "failures": [[f.game, f.seat, f.agent, f.kind, f.reason, f.actions.tolist()] for f in results.failures],
        "digests": None if results.digests is None else [f"{digest:016x}" for digest in results.digests.tolist()],
        **({} if results.points is None else {"points": results.points.tolist()}),
        **({} if results.fallbacks is None else {"fallbacks": results.fallbacks.tolist()}),
    }


def results_of_chunk(schedule: Schedule, line: dict[str, Any]) -> Results:
    """The results in a line of results.jsonl, which must be those of its chunk.

    Raises:
        FormatError: They are not; the message says what is wrong.
    """
    try:
        return _results_of_chunk(schedule, line)
    except FormatError:
        raise
    except WRONG as error:
        raise FormatError(f"it lacks something, or has it in another form ({type(error).__name__})") from None


def _results_of_chunk(schedule: Schedule, line: dict[str, Any]) -> Results:
    s, at = schedule, line["at"]
    _require(is_integer(line["chunk"], 0, len(s.chunks) - 1), "no such chunk")
    _require(is_integer(line["session"], 0, 2**31), "session is no number")
    _require(_is_seconds(at) and (at == 0 or at >= LEAST_SECONDS), "at is no number of seconds")
    match, first, last = s.chunks[line["chunk"]]
    games, players = last - first, s.variant.players
    _check_losses(line["losses"], s, match)
    scores, ranks = (_integers(line, name, (games, players), np.int32) for name in ("scores", "ranks"))
    _require(bool(((ranks >= 1) & (ranks <= players)).all() and (ranks.min(axis=1) == 1).all()), "ranks without a winner, or out of range")
    lengths = _integers(line, "lengths", (games,), np.int64)
    _require(bool(((lengths >= 0) & (lengths < MOST_STEPS)).all()), "lengths out of range")
    _require(all(is_integer(game, 0, games - 1) for game in line["truncated"]), "truncated games that are not there")
    truncated = np.zeros(games, bool)
    truncated[line["truncated"]] = True
    seats = s.seat_assignments(match, first, last)
    failures = tuple(_failure(failure, seats) for failure in line["failures"])
    _require(len({failure.game for failure in failures}) == len(failures), "two failures in one game")
    digests, points = line.get("digests"), line.get("points")
    _require(digests is not None or not s.record, "digests missing")
    if digests is not None:
        _require(len(digests) == games and all(re.fullmatch("[0-9a-f]{16}", digest) for digest in digests), "digests in another form")
        digests = np.array([int(digest, 16) for digest in digests], np.uint64)
    if points is not None:
        sources = points_by_source(s.variant, s.variant.blank).shape[-1]
        points = _integers(line, "points", (games, players, sources), np.int32)
    fallbacks = line.get("fallbacks")
    if fallbacks is not None:
        fallbacks = _integers(line, "fallbacks", (len(s.agents),), np.int64)
        _require(bool(((fallbacks >= 0) & (fallbacks < MOST_STEPS * games)).all()), "fallbacks out of range")
    return Results(scores, ranks, lengths, truncated, _times(line["times"], len(s.agents)), failures, digests, points, fallbacks)


def _require(is_so: bool, otherwise: str) -> None:
    if not is_so:
        raise FormatError(otherwise)


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < MOST_SECONDS  # false for NaN


def _integers(line: dict[str, Any], name: str, shape: tuple[int, ...], kind: Any) -> np.ndarray:
    """The integers of that name; numpy would also make some of text, of fractions and of larger ones."""
    given, limits = np.array(line[name]), np.iinfo(kind)
    _require(given.shape == shape and given.dtype == np.int64, f"{name} must be integers of shape {shape}")
    _require(bool(((given >= limits.min) & (given <= limits.max)).all()), f"{name} out of range")
    return given.astype(kind)


def _times(given: Any, agents: int) -> np.ndarray:
    """What `NO_TIME` says, one row per agent; an agent has no slowest call if and only if it was never asked."""
    _require(len(given) == agents and all(len(row) == len(NO_TIME) for row in given), "times of other agents")
    for seconds, decisions, slowest in given:
        known = _is_seconds(seconds) and _is_seconds(decisions) and decisions == int(decisions)
        _require(known and (slowest is None if decisions == 0 else _is_seconds(slowest)), "times that no agent can have taken")
    return np.array([[np.nan if value is None else value for value in row] for row in given], np.float64)


def _check_losses(losses: Any, s: Schedule, match: int) -> None:
    """Lost workers are shown and counted, and written into reports as they are."""
    _require(isinstance(losses, list), "losses must be a list")
    for loss in losses:
        _require(isinstance(loss, dict) and set(loss) == LOSS, f"a lost worker has {', '.join(sorted(LOSS))}")
        texts = (loss["kind"], loss["reason"])
        _require(all(isinstance(text, str) and text.isprintable() for text in texts), "a lost worker without a reason in words")
        _require(loss["agent"] is None or loss["agent"] in s.names, "a worker lost by an agent that does not play")
        games = loss["games"]
        _require(is_integer(loss["match"], match, match) and isinstance(games, list) and len(games) == 2, "a worker lost elsewhere")
        _require(all(is_integer(game, 0, s.games - 1) for game in games), "a worker lost in games that are not there")


def _failure(given: Any, seats: np.ndarray) -> Failure:
    """A failure by one of the agents that sit in the game: `seats` has the agent of each seat, (games, players)."""
    game, seat, agent, kind, reason, actions = given
    there = is_integer(game, 0, seats.shape[0] - 1) and is_integer(seat, 0, seats.shape[1] - 1)
    _require(there and is_integer(agent, 0, 2**31) and int(seats[game, seat]) == agent, "a failure of an agent that does not sit there")
    played = np.array(actions, np.int16)
    _require(played.ndim == 1 and all(type(action) is int for action in actions), "a failure whose actions are no list of integers")
    return Failure(game, seat, agent, printable(kind), printable(reason), played)
