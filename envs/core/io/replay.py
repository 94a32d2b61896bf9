"""A finished or running game as JSON lines: what was played, by name, and every chance result.

The first line says which game, version, options and seed, who sat where if that is known, and what chance brought in the set-up. Each
further line is one decision; the last, if the game is over, the result. Replaying checks every line, so a replay that does not fit this
version is refused.
"""

import importlib
import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ..api.aec import TableEnv
from ..api.errors import FormatError
from ..spec.fields import Status
from ..spec.game import Game
from ..spec.options import ENCODINGS
from .atomic import write_file
from .parse import is_integer, parse_json, printable, read_bytes

FORMAT = 1
_json = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` would make one per line
MOST_LINE = 1 << 18  # bytes; the first line, with all chance results of the set-up, has some 1,000


class Move(NamedTuple):
    """One decision of a replay: who made it, the action by name, and the chance results drawn after it."""

    seat: int
    action: str
    chance: tuple[int, ...]


class Replay:
    """The moves of one game, by name, with every chance result.

    `Replay.of(env).save(path)` writes one, `tw.load_replay(path)` reads it, `for env in replay.positions(): ...` plays it again.

    Args:
        game: The game.
        options: Its options.
        seed: The seed of the game.
        opening: The chance results of the set-up.
        moves: The decisions, in order.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int, opening: tuple[int, ...], moves: list[Move]) -> None:
        self.game = game
        self.options = options
        self.seed = seed
        self.opening = opening
        self.moves = moves
        self.result: dict[str, Any] | None = None
        self.players: list[str] | None = None  # who sat where, for people to read

    @classmethod
    def of(cls, env: TableEnv, players: list[str] | None = None) -> "Replay":
        """The game that this environment is playing.

        Args:
            env: An environment whose game has begun.
            players: Who sits where, for people to read.

        Raises:
            ValueError: The environment comes from `redeal`, so its position does not follow from its moves.
        """
        if env._is_redealt:
            raise ValueError("a redealt environment has no replay: its position does not follow from a seed and moves")
        names = env.game.actions.names
        moves = [Move(seat, names[action], chance) for seat, action, chance in env._moves]
        # The usual encoding is not written: it is no part of a game, and files from before there was this option stay the same.
        options = {name: value for name, value in env.variant.options.items() if (name, value) != ("encoding", ENCODINGS[0])}
        replay = cls(env.game, options, int(env._b.seeds[0]), env._opening, moves)
        replay.result = _result(env)
        replay.players = players
        return replay

    def lines(self) -> Iterator[str]:
        """The replay as lines of JSON: the head, the moves and, if the game is over, the result."""
        head: dict[str, Any] = {
            "tradewinds replay": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "options": self.options,
            "seed": self.seed,
            "chance": self.opening,
        }
        if self.players is not None:
            head["players"] = self.players
        yield _json(head)
        for move in self.moves:
            line: dict[str, Any] = {"seat": move.seat, "action": move.action}
            if move.chance:
                line["chance"] = move.chance
            yield _json(line)
        if self.result is not None:
            yield _json({"result": self.result})

    def save(self, path: "str | Path") -> None:
        """Write the replay to a file, which then holds the old content or the new, never a part.

        Args:
            path: The file, by habit with the ending .jsonl.

        Raises:
            OSError: It cannot be written; a replay that was there is as it was.
        """
        write_file(Path(path), ("\n".join(self.lines()) + "\n").encode("utf-8", "replace"))

    @classmethod
    def load(cls, path: "str | Path", game: Game) -> "Replay":
        """Read a file and check it by playing it.

        Args:
            path: The file.
            game: The game that it must be of.

        Raises:
            FormatError: It is no replay of this game and version; the message says what is wrong and in which line.
        """
        return cls.from_rows(read_rows(path), game)

    @classmethod
    def from_rows(cls, rows: list[Any], game: Game) -> "Replay":
        """The same from the lines of a file, as `read_rows` gives them.

        Args:
            rows: The parsed lines.
            game: The game that it must be of.
        """
        head = check_head(rows)
        if head.get("game") != game.name:
            raise FormatError(f"this is a replay of {head.get('game')}, not of {game.name}")
        if head.get("version") != game.version:
            raise FormatError(f"this replay is of {game.name} version {head.get('version')}; this is version {game.version}")
        replay = cls(game, head.get("options", {}), head.get("seed", 0), _chance(head, 1), [])
        replay.players = _players(head)
        for number, row in enumerate(rows[1:], start=2):
            if isinstance(row, dict) and "result" in row and number == len(rows):
                replay.result = row["result"]
            elif isinstance(row, dict) and is_integer(row.get("seat"), 0, 2**31) and isinstance(row.get("action"), str):
                replay.moves.append(Move(row["seat"], row["action"], _chance(row, number)))
            else:
                raise FormatError(f"line {number} of this replay is neither a move nor, at the end, a result")
        for _ in replay.positions():
            pass
        return replay

    def positions(self) -> Iterator[TableEnv]:
        """Play the moves in one environment.

        Yields:
            That environment, after the set-up and after each move.

        Raises:
            FormatError: A line does not fit this version of the game.
        """
        try:
            env = TableEnv(self.game, None, **self.options)
            env._restart(self.seed, self.opening)
        except (TypeError, ValueError) as error:
            raise FormatError(f"line 1 of this replay: {error}") from None
        if env._opening != self.opening:
            raise FormatError("line 1 of this replay has chance results that this version does not draw in the set-up")
        yield env
        for number, move in enumerate(self.moves, start=2):
            if _result(env) is not None:
                raise FormatError(f"line {number} of this replay: the game is over before")
            if move.seat != env._b.seats[0]:
                raise FormatError(f"line {number} of this replay: seat {move.seat} is not to move")
            try:
                env._step(self.game.actions.parse(move.action), move.chance)
            except ValueError as error:
                raise FormatError(f"line {number} of this replay: {error}") from None
            if env._moves[-1][2] != move.chance:
                raise FormatError(f"line {number} of this replay: other chance results than this version draws there")
            yield env
        if self.result is not None and self.result != _result(env):
            raise FormatError(f"this replay ends with {self.result}; here the same moves end with {_result(env)}")

    def html(self, views: Sequence[str] = ("all",), analysis: Any = None) -> str:
        """The game as one HTML page that needs no server, no network and no other file.

        Args:
            views: Which views the page offers: "all" hides nothing, "player_2" shows what that player sees. A game that is not
                over is shown from one player's view only.
            analysis: What `tradewinds.agents.analysis.analyse` returns, for a chart of win rates, costly decisions, visits and values.

        Raises:
            ValueError: There is no such view, or an unfinished game is to be shown from more than one player's view.
        """
        # The page belongs to a layer above, which nothing else here needs.
        return importlib.import_module("tradewinds.web.export").html(self, views, analysis)

    def _repr_html_(self) -> str:
        """A notebook shows the game; one that is not over as the player to move sees it."""
        views = ("all",)
        if self.result is None:
            *_, end = self.positions()
            views = (end.agent_selection,)
        style = "width: 100%; height: 780px; border: 0"
        return f'<iframe srcdoc="{escape(self.html(views))}" sandbox="allow-scripts" style="{style}"></iframe>'


def read_rows(path: "str | Path") -> list[Any]:
    """The lines of a replay file.

    Raises:
        FormatError: A line is not JSON, or the file is too large.
        OSError: The file cannot be read.
    """
    return parse_rows(read_bytes(Path(path), "this replay"))


def parse_rows(data: bytes) -> list[Any]:
    """The lines of a replay, parsed.

    Raises:
        FormatError: A line is not JSON, or too long: the search for names that are close to a wrong one would take minutes.
    """
    rows: list[Any] = []
    for line in data.splitlines():
        if len(line) > MOST_LINE:
            raise FormatError(f"line {len(rows) + 1} of this replay is too long: more than {MOST_LINE >> 10} kB")
        rows.append(parse_json(line, f"this is not a replay, or its line {len(rows) + 1}"))
    return rows


def check_head(rows: list[Any]) -> dict[str, Any]:
    """The first line, if it is that of a replay which this version reads."""
    head = rows[0] if rows else None
    if not isinstance(head, dict) or "tradewinds replay" not in head:
        raise FormatError("this is not a Tradewinds replay: its first line lacks the key 'tradewinds replay'")
    if head["tradewinds replay"] != FORMAT:
        raise FormatError(f"this replay has format {head['tradewinds replay']}; this version reads format {FORMAT}")
    return head


def _result(env: TableEnv) -> dict[str, Any] | None:
    status = env._b.states["status"][0]
    if status == Status.RUNNING:
        return None
    scores, ranks = env._b.results[0].tolist()
    return {"scores": scores, "ranks": ranks, "truncated": bool(status == Status.TRUNCATED)}


def _players(head: dict[str, Any]) -> list[str] | None:
    players = head.get("players")
    if players is not None and not (isinstance(players, list) and all(isinstance(name, str) for name in players)):
        raise FormatError("line 1 of this replay: players are a list of names")
    return None if players is None else [printable(name) for name in players]


def _chance(row: dict[str, Any], number: int) -> tuple[int, ...]:
    chance = row.get("chance", [])
    if not isinstance(chance, list) or not all(is_integer(value, 0, 2**32 - 1) for value in chance):
        raise FormatError(f"line {number} of this replay: chance results must be integers from 0 to 2**32 - 1")
    return tuple(chance)
