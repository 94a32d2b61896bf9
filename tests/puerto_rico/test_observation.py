"""The observation vector against slow encoders, one for each part, written from the names and texts of the parts."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.parts import Encoder, Look, compare_play, compare_records, flat, one_hot, random_policy, shares, uniform_records
from tests.contract.tools import amount, label, new_batch, some, variants
from tests.puerto_rico import box
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import Building, Good, Role, Tile

NAME = "puerto_rico"
GOODS, TILES, BUILDINGS = list(Good), list(Tile), list(Building)
SLOT_TILES = TILES[: TILES.index(Tile.FOREST)]
ROLES = {2: 7, 3: 6, 4: 7, 5: 8}  # by players: the roles in play
SHIP_SIZES = {2: [4, 6], 3: [4, 5, 6], 4: [5, 6, 7], 5: [6, 7, 8]}
COPIES = box.copies(5).tolist()
SLOTS = [box.SLOTS.get(building, 1) for building in BUILDINGS]
RARE = {"noted"}  # points after the last chip: random games do not come to it with every number of players


def phases(options: Mapping[str, Any]) -> list[Phase]:
    base, new, nobles = list(Phase)[: Phase.DRAFT], list(Phase)[Phase.DRAFT : Phase.LODGE], list(Phase)[Phase.LODGE :]
    return base + new * options["new_buildings"] + nobles * options["nobles"]


def buildings(options: Mapping[str, Any]) -> list[Building]:
    base, new = BUILDINGS[: Building.AQUEDUCT], BUILDINGS[Building.AQUEDUCT : Building.LAND_OFFICE]
    return base + new * options["new_buildings"] + BUILDINGS[Building.LAND_OFFICE :] * options["nobles"]


def places(options: Mapping[str, Any]) -> list[int]:
    """Where colonists can be, as the record numbers it: buildings, tiles with a slot, the windrose."""
    return [*buildings(options), *(box.FIRST_TILE + tile for tile in SLOT_TILES), box.WINDROSE]


def roles(options: Mapping[str, Any]) -> list[Role]:
    return list(Role)[: ROLES[options["players"]]]


def tiles(options: Mapping[str, Any]) -> list[Tile]:
    return TILES if options["new_buildings"] else SLOT_TILES


def face_down(s: Look) -> list[int]:
    """The tiles that the seat drew itself are counted in the stack, and it knows them."""
    if not s.options["new_buildings"]:
        return s.stack
    own = [s.own_forests[s.me][good] + (s.drawn[s.me] == good) for good in GOODS]
    return [count - known for count, known in zip(s.stack, own, strict=True)]


def ship(s: Look, number: int, size: int) -> list[float]:
    return one_hot(GOODS, s.cargo[number]) + [s.load[number] / size, (size - s.load[number]) / 8]


def city(s: Look, seat: int) -> list[float]:
    kinds = buildings(s.options)
    return [float(s.built[seat][b]) for b in kinds] + [s.workers[seat][b] / max(SLOTS[b], 1) for b in kinds]


BASE: dict[str, Encoder] = {
    "phase": lambda s: one_hot(phases(s.options), s.phase),
    "to_move": lambda s: one_hot(s.seats, s.seat),
    "governor": lambda s: one_hot(s.seats, s.governor),
    "active": lambda s: one_hot(s.seats, s.active),
    "role": lambda s: one_hot(roles(s.options), s.role),
    "roles_taken": lambda s: [float(s.role_owner[role] >= 0) for role in roles(s.options)],
    "role_doubloons": lambda s: [s.role_doubloons[role] / 3 for role in roles(s.options)],
    "round": lambda s: [s.rounds / 20],
    "last_round": lambda s: [float(s.last_round)],
    "chips_left": lambda s: [s.chips_left / 50],
    "colonists_left": lambda s: [s.colonists_left / 100],
    "colonist_ship": lambda s: [s.ship_colonists / 10],
    "quarries_left": lambda s: [s.quarries_left / 8],
    "goods_left": lambda s: shares(s.goods_left, box.GOODS),
    "house": lambda s: [count / 4 for count in s.house],
    "face_up": lambda s: [count / 6 for count in s.face_up],
    "stack": lambda s: shares(face_down(s), box.PLANTATIONS),
    "cargo": lambda s: flat(ship(s, number, size) for number, size in enumerate(SHIP_SIZES[s.players])),
    "buildings_left": lambda s: [s.buildings_left[b] / COPIES[b] for b in buildings(s.options)],
    "place": lambda s: one_hot(places(s.options), s.place),
    "good": lambda s: one_hot(GOODS, s.good),
    "amount": lambda s: [s.amount / 10],
    "quarry_taken": lambda s: [float(s.quarry_taken)],
    "privilege": lambda s: [s.privilege / 2],
    "made": lambda s: shares(s.made, box.GOODS),
    "wharf_used": lambda s: [float(s.wharf_used[seat]) for seat in s.seats],
    "doubloons": lambda s: [s.doubloons[seat] / 10 for seat in s.seats],
    "noted": lambda s: [s.noted[seat] / 50 for seat in s.seats],
    "goods": lambda s: flat(shares(s.goods[seat], box.GOODS) for seat in s.seats),
    "tiles": lambda s: [s.tiles[seat][tile] / 12 for seat in s.seats for tile in tiles(s.options)],
    "tile_workers": lambda s: flat(
        [*(s.workers[seat][box.FIRST_TILE + tile] / 12 for tile in SLOT_TILES), s.workers[seat][box.WINDROSE] / 10] for seat in s.seats
    ),
    "city": lambda s: [s.city[seat] / 12 for seat in s.seats],
    "buildings": lambda s: flat(city(s, seat) for seat in s.seats),
    "chips": lambda s: [s.chips[s.me] / 50],
}
NEW_BUILDINGS: dict[str, Encoder] = {
    "drawn": lambda s: one_hot(GOODS, s.drawn[s.me]),
    "pending": lambda s: one_hot(buildings(s.options), s.pending),
    "tile_taken": lambda s: [float(s.tile_taken)],
    "guest_to": lambda s: one_hot(places(s.options)[:-1], s.guest_to),
    "small_wharf_used": lambda s: [float(s.small_wharf_used[seat]) for seat in s.seats],
}
NOBLES: dict[str, Encoder] = {
    "nobles_left": lambda s: [s.nobles_left / 20],
    "ship_nobles": lambda s: [s.ship_nobles / 20],
    "sold": lambda s: [float(s.sold)],
    "land_used": lambda s: [float(s.land_used)],
    "nobles": lambda s: [sum(s.nobles_at[seat]) / 10 for seat in s.seats],
    "nobles_at": lambda s: [s.nobles_at[seat][place] / 10 for seat in s.seats for place in places(s.options)],
}
OPEN: dict[str, Encoder] = {"opponents": lambda s: [s.chips[seat] / 50 for seat in s.seats[1:]]}


def encoders(options: Mapping[str, Any]) -> dict[str, Encoder]:
    found = dict(BASE)
    if options["new_buildings"]:
        found |= NEW_BUILDINGS
    if options["nobles"]:
        found |= NOBLES
    if options["visibility"] == "open":
        found |= OPEN
    return found


def any_records(batch: tw.Batch, random: np.random.Generator) -> np.ndarray:
    """Records, reachable or not, in which every seat, role, place and building is in play and no kind has more pieces than the box."""
    states, options, size = uniform_records(batch, random), batch.variant.options, batch.size
    for field in ("seat", "governor", "active"):
        states[field] %= batch.players
    for field, choices in (
        ("phase", phases(options)),
        ("role", [-1, *roles(options)]),
        ("place", [-1, *places(options)]),
        ("guest_to", [-1, *places(options)[:-1]]),
        ("pending", [-1, *buildings(options)]),
    ):
        states[field] = random.choice(choices, size)
    for field in ("goods_left", "made", "goods"):
        states[field] %= box.GOODS + 1
    states["role_doubloons"] %= 400  # 400 / 3 would be rounded up, past its bound
    states["own_forests"] %= 2
    states["stack"] = random.integers(2, box.PLANTATIONS + 1, (size, len(GOODS)))  # an own forest and the drawn tile among them
    states["load"][:, : len(SHIP_SIZES[batch.players])] %= np.array(SHIP_SIZES[batch.players]) + 1
    states["buildings_left"] %= np.array(COPIES) + 1
    states["workers"][:, :, : box.FIRST_TILE] %= np.array(SLOTS) + 1
    states["nobles_at"] = random.multinomial(random.integers(0, 21, (size, 5)), np.full(52, 1 / 52))
    return states


def never_shown(options: Mapping[str, Any]) -> set[str]:
    """Who goes where a guest is called is asked only if the guests may be a colonist and a noble."""
    return {"guest_to"} if options["new_buildings"] and not options["nobles"] else set()


every_variant = pytest.mark.parametrize("options", some(variants(NAME)), ids=lambda options: label(NAME, options))


@every_variant
def test_every_part_says_what_its_text_says_of_any_record(options: dict[str, Any]) -> None:
    batch = new_batch(NAME, options, amount(16, 24))
    random = np.random.default_rng(variants(NAME).index(options))  # other records in every variant
    comparison = compare_records(batch, any_records(batch, random), encoders(options))
    assert not comparison.constant(), "parts that could not fail"
    assert not comparison.alike(), "parts that could change places unnoticed"


@every_variant
def test_every_part_says_what_its_text_says_in_play(options: dict[str, Any]) -> None:
    batch = new_batch(NAME, options, amount(128, 2))
    batch.play_random(amount(300, 0), np.arange(batch.size, dtype=np.uint64).reshape(-1, 1))
    comparison = compare_play(batch, amount(300, 40), random_policy(batch), encoders(options))
    if amount(compiled=1, plain=0):
        assert comparison.constant() - RARE == never_shown(options)
