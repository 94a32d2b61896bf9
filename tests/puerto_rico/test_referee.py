"""Whole games, decision by decision, beside a referee that shares no code with the kernels."""

import itertools
from typing import Any

import numpy as np
import pytest

from tests.support import sample
from tests.support.position import new_state
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.engine.rng import drawn, new_tape, script
from tradewinds.envs.core.spec.fields import Status
from tradewinds.envs.puerto_rico import GAME
from tradewinds.envs.puerto_rico.state import Phase

from .referee.catalogue import COLONIST, GOODS, LARGE, NAMES, NOBLE, PROSPECTORS, ROLES, SHIP_SIZES, SLOTS
from .referee.game import game
from .referee.scoring import final_points, ranks
from .referee.table import GROUPS, Player, Ship, Table, Tile

PLACES = [*NAMES, *GROUPS, "windrose"]
WINDROSE = len(PLACES) - 1
KINDS = [*GOODS, "quarry"]
INTRICATE = [
    *("guest house", "guest house", "guest house", "black market", "library", "hacienda", "construction hut", "forest house"),
    *("hospice", "university", "church", "wharf", "small wharf", "aqueduct", "land office", "hunting lodge", "villa"),
]
OPTION_SETS = [
    pytest.param(options, id="-".join(f"{key}={value}" for key, value in options.items()) or "base")
    for options in (
        {},
        {"new_buildings": True},
        {"new_buildings": True, "draft": "random"},
        {"nobles": True},
        {"new_buildings": True, "nobles": True, "draft": "random"},
    )
]


class Match:
    """A game of the kernels and the same game of the referee."""

    def __init__(self, seed: int, rich: bool, **options: Any) -> None:
        self.variant = GAME.with_options(**options)
        self.record = new_state(self.variant)
        self.stream = new_tape(seed)
        self.words = np.zeros(-(-len(GAME.actions) // 8), np.uint64)
        self.mask = self.words.view(np.bool_)
        self.rng = np.random.default_rng(seed)
        GAME.loops.begin(self.record, self.mask, self.words, self.stream)
        if rich:
            self.enrich()
            GAME.loops.settle(self.record, self.mask, self.words, self.stream)
        self.draws: list[int] = []
        self.table = self.as_table()
        self.decisions = game(self.table)
        self.asked = next(self.decisions, None)

    def enrich(self) -> None:
        """Money, goods, tiles, buildings and colonists for all, cargo and sales, and supplies that may soon run out."""
        for seat in range(int(self.record["players"])):
            self.record["doubloons"][seat] = self.rng.integers(0, 25)
            self.enrich_island(seat)
            if self.record["phase"] != Phase.DRAFT:
                self.enrich_city(seat)
            self.settle_people(seat, WINDROSE, int(self.rng.integers(0, 8)))
            for good in range(5):
                count = self.from_supply("goods_left", good, 5)
                self.record["goods"][seat, good] += count
            points = int(self.rng.integers(0, 8))
            self.record["chips"][seat] += points
            self.record["chips_left"] -= points
        self.enrich_board()

    def from_supply(self, field: str, kind: int, most: int) -> int:
        """Take up to so many."""
        count = int(self.rng.integers(0, min(most, int(self.record[field][kind])) + 1))
        self.record[field][kind] -= count
        return count

    def enrich_island(self, seat: int) -> None:
        s, rng = self.record, self.rng
        for _ in range(rng.integers(0, 11)):
            kind = int(rng.integers(6))
            if kind == 5:
                if s["quarries_left"] == 0:
                    continue
                s["quarries_left"] -= 1
            elif (s["stack"] - s["own_forests"].sum(axis=0))[kind] == 0:
                continue
            elif s["new_buildings"] and rng.random() < 0.2:
                secret = rng.random() < 0.5
                s["own_forests" if secret else "known_forests"][seat, kind] += 1
                s["stack"][kind] -= 0 if secret else 1
                kind = 6
            else:
                s["stack"][kind] -= 1
            s["tiles"][seat, kind] += 1
            s["island"][seat] += 1
        for kind in range(6):
            self.settle_people(seat, len(NAMES) + kind, int(rng.integers(s["tiles"][seat, kind] + 1)))

    def enrich_city(self, seat: int) -> None:
        s, rng = self.record, self.rng
        for _ in range(rng.integers(0, 12)):
            building = int(rng.integers(len(NAMES)))
            if rng.random() < 0.4:
                building = NAMES.index(str(rng.choice(INTRICATE)))
            places = 2 if NAMES[building] in LARGE else 1
            if s["buildings_left"][building] and not s["built"][seat, building] and s["city"][seat] + places < 12:
                s["buildings_left"][building] -= 1
                s["built"][seat, building] = 1
                s["city"][seat] += places
                self.settle_people(seat, building, int(rng.integers(SLOTS[NAMES[building]] + 1)))

    def settle_people(self, seat: int, place: int, count: int) -> None:
        """They come from outside, so that supplies stay as they are."""
        nobles = self.rng.binomial(count, 0.3) if self.record["nobles"] else 0
        self.record["workers"][seat, place] += count
        self.record["nobles_at"][seat, place] += nobles

    def enrich_board(self) -> None:
        s, rng = self.record, self.rng
        kinds = rng.permutation(5)
        for ship, size in enumerate(SHIP_SIZES[int(s["players"])]):
            load = self.from_supply("goods_left", int(kinds[ship]), size - 1) if rng.random() < 0.5 else 0
            if load:
                s["cargo"][ship], s["load"][ship] = kinds[ship], load
        for good in rng.permutation(5)[: rng.integers(0, 4)]:
            s["house"][good] = self.from_supply("goods_left", int(good), 1)
        short = (("colonists_left", 0.5, 12), ("nobles_left", 0.4, 3), ("chips_left", 0.3, 10), ("quarries_left", 0.3, 2))
        for field, chance, most in short:
            if rng.random() < chance:
                s[field] = min(int(s[field]), int(rng.integers(field == "chips_left", most)))
        if rng.random() < 0.4:
            s["stack"][:] = np.minimum(s["stack"], s["own_forests"].sum(axis=0) + rng.integers(0, 3, 5))
        if rng.random() < 0.2:
            s["face_up"][:] = 0
        if rng.random() < 0.2:
            s["role_doubloons"][: 6 + PROSPECTORS[int(s["players"])]] = rng.integers(0, 3)

    def as_table(self) -> Table:
        s = self.record
        players = []
        for seat in range(int(s["players"])):
            me = Player(int(s["doubloons"][seat]), dict(zip(GOODS, s["goods"][seat].tolist(), strict=True)), int(s["chips"][seat]))
            for tile, count in zip(KINDS, s["tiles"][seat][:6], strict=True):
                me.island += [Tile(tile) for _ in range(count)]
            for field, secret in (("known_forests", False), ("own_forests", True)):
                me.island += [Tile(kind, is_forest=True, is_secret=secret) for kind in in_kinds(s[field][seat])]
            me.city = {NAMES[b]: [] for b in np.flatnonzero(s["built"][seat])}
            for number, place in enumerate(PLACES):
                nobles = int(s["nobles_at"][seat, number])
                for who in [NOBLE] * nobles + [COLONIST] * (int(s["workers"][seat, number]) - nobles):
                    me.add(place, who)
            players.append(me)
        return Table(
            players=players,
            supply=dict(zip(GOODS, s["goods_left"].tolist(), strict=True)),
            colonists=int(s["colonists_left"]),
            nobles=int(s["nobles_left"]),
            colonist_ship=[COLONIST] * int(s["ship_colonists"]) + [NOBLE] * int(s["ship_nobles"]),
            chips=int(s["chips_left"]),
            quarries=int(s["quarries_left"]),
            stack=in_kinds(s["stack"] - s["own_forests"].sum(axis=0)),
            discards=in_kinds(s["discards"]),
            face_up=in_kinds(s["face_up"]),
            board={name: int(s["buildings_left"][i]) for i, name in enumerate(NAMES)},
            ships=[
                Ship(size, GOODS[good] if good >= 0 else None, int(load))
                for size, good, load in zip(SHIP_SIZES[len(players)], s["cargo"], s["load"], strict=False)
            ],
            with_nobles=bool(s["nobles"]),
            to_draft=bool(s["phase"] == Phase.DRAFT),
            draw=lambda n: self.draws.pop(0),
            house=in_kinds(s["house"]),
            coins={role: int(count) for role, count in zip(ROLES, s["role_doubloons"], strict=True)},
        )

    @property
    def is_over(self) -> bool:
        return self.record["status"] != Status.RUNNING

    def names(self) -> list[str]:
        return [GAME.actions.names[i] for i in np.flatnonzero(self.mask[: len(GAME.actions)])]

    def play(self, name: str) -> None:
        script(self.stream, [])
        GAME.loops.play(self.record, GAME.actions.parse(name), self.mask, self.words, self.stream)
        self.draws[:] = drawn(self.stream)
        try:
            self.asked = self.decisions.send(name)
        except StopIteration:
            self.asked = None

    def compare(self, history: list[str]) -> None:
        told = "\n".join(history[-25:])
        assert not self.draws, told
        real, seen = facts(self.record), facts_of_table(self.table)
        wrong = {key: (real[key], seen[key]) for key in real if real[key] != seen[key]}
        assert not wrong, f"{wrong} after\n{told}"
        if self.is_over or self.record["phase"] == Phase.ROLE:
            out = np.zeros((2, self.table.count), np.int32)
            GAME.kernels["score"](self.record, out)
            assert out[0].tolist() == [final_points(self.table, seat) for seat in range(self.table.count)], told
            assert out[1].tolist() == ranks(self.table), told
        if self.asked is None:
            assert self.is_over, told
            return
        assert not self.is_over, f"{self.asked} after\n{told}"
        seat, names = self.asked
        real_names = self.names()
        assert len(set(names)) == len(names)
        assert (int(self.record["seat"]), sorted(real_names)) == (seat, sorted(names)), (
            f"only the kernels: {set(real_names) - set(names)}, only the referee: {set(names) - set(real_names)}, after\n{told}"
        )


def in_kinds(counts: Any) -> list[str]:
    return list(itertools.chain.from_iterable([good] * int(count) for good, count in zip(GOODS, counts, strict=True)))


def facts(s: Any) -> dict[str, object]:
    """What the referee keeps, from the record."""
    players = range(int(s["players"]))
    secret = s["own_forests"].sum(axis=0)
    secret = secret + np.bincount(s["drawn"][s["drawn"] >= 0].astype(int), minlength=5)
    placing = s["phase"] in (Phase.PLACE, Phase.PLACE_NOBLES)
    paying = s["phase"] in (Phase.PAY_COLONIST, Phase.PAY_GOOD, Phase.PAY_POINT)
    shown = {
        "governor": int(s["governor"]),
        "taken": {ROLES[r]: int(s["role_owner"][r]) for r in range(8) if s["role_owner"][r] >= 0},
        "coins": {ROLES[r]: int(s["role_doubloons"][r]) for r in range(8) if s["role_doubloons"][r]},
        "board": {name: int(s["buildings_left"][i]) for i, name in enumerate(NAMES)},
        "face up": s["face_up"].tolist(),
        "stack": (s["stack"] - secret).tolist(),
        "discards": s["discards"].tolist(),
        "quarries": int(s["quarries_left"]),
        "ships": [(GOODS[s["cargo"][i]] if s["cargo"][i] >= 0 else None, int(s["load"][i])) for i in range(len(SHIP_SIZES[len(players)]))],
        "house": s["house"].tolist(),
        "doubloons": [int(s["doubloons"][i]) for i in players],
        "tiles": [s["tiles"][i].tolist() for i in players],
        "forests": [(s["known_forests"][i].tolist(), s["own_forests"][i].tolist()) for i in players],
        "city": [(sorted(NAMES[b] for b in np.flatnonzero(s["built"][i])), int(s["city"][i]), int(s["island"][i])) for i in players],
    }
    if not paying:  # the referee pays when all is decided
        shown |= {
            "chips": (int(s["chips_left"]), [(int(s["chips"][i]), int(s["noted"][i])) for i in players]),
            "people": (int(s["colonists_left"]), int(s["nobles_left"]), int(s["ship_colonists"]), int(s["ship_nobles"])),
            "goods": (s["goods_left"].tolist(), [s["goods"][i].tolist() for i in players]),
            "last round": bool(s["last_round"]),
        }
    if not placing and not paying:
        shown["workers"] = [(s["workers"][i].tolist(), s["nobles_at"][i].tolist()) for i in players]
    return shown


def by_good(kinds: list[str]) -> list[int]:
    return [kinds.count(good) for good in GOODS]


def facts_of_table(t: Table) -> dict[str, object]:
    return {
        "governor": t.governor,
        "taken": t.taken,
        "coins": {role: count for role, count in t.coins.items() if count},
        "board": {name: t.board.get(name, 0) for name in NAMES},
        "face up": by_good(t.face_up),
        "stack": by_good(t.stack),
        "discards": by_good(t.discards),
        "quarries": t.quarries,
        "ships": [(ship.good, ship.load) for ship in t.ships],
        "house": by_good(t.house),
        "doubloons": [me.doubloons for me in t.players],
        "tiles": [[*(len(me.tiles(group)) for group in GROUPS), len(me.forests)] for me in t.players],
        "forests": [
            tuple(by_good([tile.kind for tile in me.forests if tile.is_secret is secret]) for secret in (False, True)) for me in t.players
        ],
        "city": [(sorted(me.city), 12 - me.city_room, len(me.island)) for me in t.players],
        "chips": (t.chips, [(me.chips, me.noted) for me in t.players]),
        "people": (t.colonists, t.nobles, t.colonist_ship.count(COLONIST), t.colonist_ship.count(NOBLE)),
        "goods": ([t.supply[good] for good in GOODS], [[me.goods[good] for good in GOODS] for me in t.players]),
        "last round": t.is_last,
        "workers": [([len(me.at(place)) for place in PLACES], [me.at(place).count(NOBLE) for place in PLACES]) for me in t.players],
    }


def run(seed: int, rich: bool, most: int, **options: Any) -> int:
    """Random play, with roles and buildings rather than passing; returns how many decisions were compared."""
    match = Match(seed, rich, **options)
    history: list[str] = [f"{options} seed {seed}"]
    match.compare(history)
    for count in range(most):
        if match.is_over:
            return count
        names = match.names()
        eager = [name for name in names if name != "pass"]
        if patient := [name for name in eager if not name.startswith("guest house")]:
            eager = patient  # or else all guests would be gone at the first role
        name = str(match.rng.choice(eager if match.rng.random() < 0.8 else names))
        history.append(f"{int(match.record['seat'])} {Phase(int(match.record['phase'])).name} {name}")
        match.play(name)
        match.compare(history)
    return most


GAMES, LENGTH = (sample(2, 4), 300) if JIT else (1, 150)  # the referee takes most of the time


@pytest.mark.rule("PR-RND-1", "PR-CAPTAIN-1", "PR-CAPTAIN-2", "PR-CAPTAIN-4", "PR-MAYOR-2", "PR-BUILDER-2", "PR-CRAFTSMAN-1", "PR-END-2")
@pytest.mark.parametrize("rich", [False, True], ids=["from the start", "in the middle"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTION_SETS)
def test_kernels_and_referee_agree_on_every_decision(players: int, options: dict[str, Any], rich: bool) -> None:
    for seed in range(GAMES):
        run(1000 * players + seed, rich, LENGTH, players=players, **options)
