"""Random records, reachable or not, and the vector that a seat sees of one."""

import numpy as np

from tests.santiago_de_cuba.board import Position
from tradewinds.envs.core.engine.buffers import new_buffers
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba import GAME
from tradewinds.envs.santiago_de_cuba.state import Phase


def random_position(players: int, seed: int, visibility: str = "rules", encoding: str = "compact") -> Position:
    """Every field drawn from its bounds, and only what kernels rely on made consistent: seats, pieces, and where the car and pawns are."""
    rng = np.random.default_rng(seed)
    s = Position(players, visibility, encoding=encoding)
    r = s.record
    for f in GAME.fields.all:
        if f.name not in ("players", "visibility", "status"):
            r[f.name] = rng.integers(f.low, f.high + 1, f.shape)
    r["status"] = Status.RUNNING
    r["seat"] = r["active"] = rng.integers(0, players)
    if r["phase"] in (Phase.EL_ZORRO, Phase.PORT):
        r["seat"] = rng.integers(0, players)
    r["street"] = rng.permutation(9)
    r["sites"] = rng.permutation(12)
    r["flower"][r["sites"]] = np.arange(12) // 3
    placed = rng.integers(0, 4, players)
    r["owner"] = rng.permutation([*np.repeat(np.arange(players), placed), *[-1] * (12 - placed.sum())])
    r["markers"] = 0
    r["markers"][:players] = 3 - placed
    r["pawn"] = -1
    r["pawn"][:players] = np.where(rng.random(players) < 0.2, -1, rng.permutation(12)[:players])
    for name in ("passed", "pesos", "points", "goods"):
        r[name][players:] = 0
    for good in range(6):
        held = rng.multinomial(8, [1 / (players + 1)] * (players + 1))
        r["goods"][:players, good] = held[:players]
        r["supply"][good] = held[players]
    if rng.random() < 0.7:  # purses as in real games, not as wide as their bounds
        r["pesos"][:players] = rng.integers(0, 12, players)
        r["points"][:players] = rng.integers(0, 40, players)
    if r["phase"] in (Phase.PAWN, Phase.BUILDING, Phase.EL_ZORRO) and r["car"] == 0:
        r["car"] = 4
    if r["phase"] == Phase.BUILDING and r["building"] < 0:
        r["building"] = 3
    GAME.kernels["legal"](r, s.mask)
    return s


def vector(s: Position, viewer: int) -> np.ndarray:
    """What this seat sees, through the core's visibility mask."""
    b = new_buffers(s.variant, np.stack([new_tape(0)]))
    b.words[0] = np.frombuffer(s.record.tobytes(), np.uint64)
    out = np.empty(s.variant.layout.size, np.float32)
    GAME.loops.look(b, 0, viewer, 0, out)
    return out
