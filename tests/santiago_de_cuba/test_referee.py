"""Whole games, decision by decision, beside a referee that shares no code with the kernels."""

from collections.abc import Sequence

import numpy as np
import pytest

from tests.santiago_de_cuba import referee
from tests.santiago_de_cuba.board import BUILDINGS, CUBANS, FLOWERS, GOODS, Position, apply, begin, check, legal, result
from tradewinds.envs.core.engine.rng import drawn, script
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.santiago_de_cuba import GAME

FACES = [[0, 1, 1, 2, 2, 3]] * 4 + [[0, 1, 2, 2, 3, 4]]


def opening(players: int, seed: int, rich: bool) -> tuple[Position, list[int]]:
    """A game at its first decision, with what was rolled. The rich ones begin late, with full hands and purses."""
    s = Position(players, seed=seed)
    begin(s)
    if rich:
        rng = np.random.default_rng(seed)
        s.record["pesos"][:players] = rng.integers(0, 45, players)
        s.record["points"][:players] = rng.integers(0, 30, players)
        s.record["ship"] = rng.integers(3, 8)
        for good in range(6):
            held = rng.multinomial(8, [1 / (players + 2)] * (players + 2))
            s.record["goods"][:players, good] = held[:players]
            s.record["supply"][good] = 8 - held[:players].sum()
    check(s)
    return s, list(drawn(s.stream)[-5:])


def table_of(s: Position, rolled: list[int]) -> referee.Table:
    """The same position before its roll, for the referee."""

    def roll() -> list[int]:
        faces, rolled[:5] = rolled[:5], []
        return [die[face] for die, face in zip(FACES, faces, strict=True)]

    players = [
        referee.Player(dict(zip(GOODS, s.goods[seat].tolist(), strict=True)), int(s.pesos[seat]), int(s.points[seat]))
        for seat in range(s.players)
    ]
    return referee.Table(
        street=["port", *(CUBANS[c] for c in s.street)],
        flowers={BUILDINGS[b]: FLOWERS[site // 3] for site, b in enumerate(s.sites)},
        players=players,
        roll=roll,
        active=int(s.active),
        supply=dict(zip(GOODS, s.supply.tolist(), strict=True)),
        ship=int(s.ship),
    )


def facts(s: Position) -> dict[str, object]:
    """What the referee keeps, from the record."""
    return {
        "here": s.car_at,
        "inactive": s.inactive_cubans,
        "owners": {b: s.owner_of(b) for b in BUILDINGS if s.owner_of(b) is not None},
        "ship": int(s.ship),
        "value": int(s.value),
        "wanted": s.wanted,
        "in port": bool(s.in_port),
        "supply": s.supply.tolist(),
        "players": [(s.goods[i].tolist(), int(s.pesos[i]), int(s.points[i]), int(s.markers[i]), s.pawn_in(i)) for i in range(s.players)],
    }


def facts_of_table(t: referee.Table) -> dict[str, object]:
    return {
        "here": t.here,
        "inactive": t.inactive,
        "owners": t.owners,
        "ship": t.ship,
        "value": t.value,
        "wanted": {good: count for good, count in (t.demand or {}).items() if count},
        "in port": t.demand is not None,
        "supply": [t.supply[good] for good in GOODS],
        "players": [([p.goods[good] for good in GOODS], p.pesos, p.points, p.markers, p.pawn) for p in t.players],
    }


def pick(rng: np.random.Generator, names: Sequence[str]) -> str:
    """Mostly a kind of action first and then one of it, so that no kind drowns in another; long drives are rare."""
    if names[0].startswith("car"):
        return names[min(int(rng.exponential(3)), len(names) - 1)]
    if rng.random() < 0.3:
        return str(rng.choice(names))
    kinds = sorted({name.split()[0:2][-1] for name in names})
    kind = rng.choice(kinds)
    return str(rng.choice([name for name in names if name.split()[0:2][-1] == kind]))


def compare(players: int, seed: int, rich: bool) -> None:
    s, rolled = opening(players, seed, rich)
    t = table_of(s, rolled)
    decisions = referee.game(t)
    rng = np.random.default_rng(seed)
    asked = next(decisions)
    while True:
        seat, names = asked
        assert len(names) > 1
        assert (int(s.seat), legal(s)) == (seat, set(names))
        assert facts(s) == facts_of_table(t)
        name = pick(rng, sorted(names, key=GAME.actions.parse))
        script(s.stream, ())
        apply(s, GAME.actions.parse(name))
        rolled += drawn(s.stream)
        try:
            asked = decisions.send(name)
        except StopIteration:
            break
        assert rolled == []
        assert s.status == Status.RUNNING
        assert s.turn == t.turns - (s.turn == -1)
    assert rolled == []
    assert s.status == (Status.ENDED if t.ship == 8 else Status.TRUNCATED)
    final = facts(s)
    assert {name: final[name] for name in ("ship", "players", "owners")} == {
        name: facts_of_table(t)[name] for name in ("ship", "players", "owners")
    }
    assert result(s) == referee.result(t)


@pytest.mark.parametrize("rich", [False, True], ids=["from the start", "rich"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_kernels_and_referee_agree_on_every_decision_of_whole_games(players, rich):
    for seed in range(2):
        compare(players, seed, rich)
