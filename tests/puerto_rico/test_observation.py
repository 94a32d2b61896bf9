"""The observation vector against slow encoders, one for each part, written from the names and texts of the parts."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.parts import (
    Encoder,
    Look,
    check_any_records,
    compare_play,
    cut,
    flat,
    levels,
    one_hot,
    random_policy,
    shares,
    uniform_records,
)
from tests.contract.tools import amount, label, new_batch, richest, rule_sets, some, variants
from tests.puerto_rico import box
from tests.puerto_rico.referee import catalogue
from tradewinds.envs.core.io.states import check_states
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import Building, Good, Role, Tile

NAME = "puerto_rico"
GOODS, TILES, BUILDINGS = list(Good), list(Tile), list(Building)
SLOT_TILES = TILES[: TILES.index(Tile.FOREST)]
ROLES = {2: 7, 3: 6, 4: 7, 5: 8}  # by players: the roles in play
SHIP_SIZES = {2: [4, 6], 3: [4, 5, 6], 4: [5, 6, 7], 5: [6, 7, 8]}
COPIES = box.copies(5).tolist()
SLOTS = [box.SLOTS.get(building, 1) for building in BUILDINGS]


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


COSTS, COLUMNS = list(catalogue.COST.values()), list(catalogue.COLUMN.values())
PLANTS = {Good.INDIGO: (0, 2), Good.SUGAR: (1, 3), Good.TOBACCO: (4,), Good.COFFEE: (5,)}


def works(s: Look, seat: int, building: Building) -> bool:
    return s.workers[seat][building] > 0


def scores(s: Look) -> list[int]:
    """Counted once: several parts tell them."""
    if not hasattr(s, "scores"):
        s.scores = recounted(s)
    return s.scores


def recounted(s: Look) -> list[int]:
    fields = ("built", "workers", "nobles_at", "tiles", "chips", "noted", "doubloons", "goods")
    return box.recount({"players": s.players} | {name: np.array(getattr(s, name)) for name in fields})[0]


def affords(s: Look, seat: int, more: int = 0) -> list[float]:
    """Without the builder's privilege and the black market."""
    noble = s.nobles_at[seat][Building.ZONING_OFFICE] > 0
    off = s.tiles[seat][Tile.FOREST] // 2
    found = []
    for b in buildings(s.options):
        large = COLUMNS[b] == 4
        price = COSTS[b] - min(s.workers[seat][box.FIRST_TILE + Tile.QUARRY], COLUMNS[b]) - off
        if works(s, seat, Building.ZONING_OFFICE) and large == noble:
            price -= 2 if large else 1
        fits = s.city[seat] + 1 + large <= 12 and s.buildings_left[b] > 0 and not s.built[seat][b]
        found.append(float(fits and max(price, 0) <= s.doubloons[seat] + more))
    return found


def produces(s: Look, seat: int, good: Good) -> float:
    hands = [s.workers[seat][box.FIRST_TILE + good]]
    if good in PLANTS:
        hands.append(sum(s.workers[seat][plant] for plant in PLANTS[good]))
    return cut(min(*hands, s.goods_left[good]) / 4)


def loads(s: Look, seat: int, good: Good) -> float:
    sizes = SHIP_SIZES[s.players]
    rooms = [size - s.load[number] for number, size in enumerate(sizes) if s.cargo[number] == good][:1]
    rooms = rooms or [size for number, size in enumerate(sizes) if s.cargo[number] == -1]
    return cut(min(s.goods[seat][good], max(rooms, default=0)) / 6)


def sells(s: Look, seat: int, good: Good) -> float:
    if not s.goods[seat][good] or sum(s.house) >= 4 or (s.house[good] and not works(s, seat, Building.OFFICE)):
        return 0.0
    return cut((good + works(s, seat, Building.SMALL_MARKET) + 2 * works(s, seat, Building.LARGE_MARKET)) / 8)


def vacant(s: Look, seat: int) -> float:
    room = [s.built[seat][b] * SLOTS[b] for b in BUILDINGS] + [s.tiles[seat][tile] for tile in SLOT_TILES]
    return cut(sum(max(slots - people, 0) for slots, people in zip(room, s.workers[seat], strict=False)) / 10)


RICH: dict[str, Encoder] = {
    "role_levels": lambda s: flat(levels(s.role_doubloons[role], 1, 2, 3) for role in roles(s.options)),
    "chips_left_levels": lambda s: levels(s.chips_left, 1, 5, 10, 15, 20, 30, 40, 50, 60, 70),
    "colonists_left_levels": lambda s: levels(s.colonists_left, 1, 5, 10, 15, 20, 30, 40, 50),
    "room_levels": lambda s: flat(levels(size - s.load[number], 1, 2, 3, 4, 5, 6) for number, size in enumerate(SHIP_SIZES[s.players])),
    "score": lambda s: [cut(scores(s)[s.me] / 60)],
    "affords_as_builder": lambda s: affords(s, s.me, 1),
    "doubloons_levels": lambda s: flat(levels(s.doubloons[seat], *range(1, 11), 12) for seat in s.seats),
    "goods_levels": lambda s: flat(levels(s.goods[seat][good], 1, 2, 3, 4, 5) for seat in s.seats for good in GOODS),
    "city_levels": lambda s: flat(levels(s.city[seat], 6, 8, 10, 11, 12) for seat in s.seats),
    "produces": lambda s: [produces(s, seat, good) for seat in s.seats for good in GOODS],
    "loads": lambda s: [loads(s, seat, good) for seat in s.seats for good in GOODS],
    "sells": lambda s: [sells(s, seat, good) for seat in s.seats for good in GOODS],
    "affords": lambda s: flat(affords(s, seat) for seat in s.seats),
    "vacant": lambda s: [vacant(s, seat) for seat in s.seats],
    "printed_points": lambda s: [cut(sum(box.PRINTED[b] for b in BUILDINGS if s.built[seat][b]) / 30) for seat in s.seats],
    "doubloons_lead": lambda s: [cut((s.doubloons[s.me] - s.doubloons[seat]) / 10) for seat in s.seats[1:]],
}
RICH_OPEN: dict[str, Encoder] = {"lead": lambda s: [cut((scores(s)[s.me] - scores(s)[seat]) / 20) for seat in s.seats[1:]]}


def encoders(options: Mapping[str, Any]) -> dict[str, Encoder]:
    found = BASE | RICH
    if options["new_buildings"]:
        found |= NEW_BUILDINGS
    if options["nobles"]:
        found |= NOBLES
    if options["visibility"] == "open":
        found |= OPEN | RICH_OPEN
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
    states["tiles"] = random.multinomial(random.integers(0, 13, (size, 5)), np.full(7, 1 / 7))
    states["island"] = states["tiles"].sum(axis=2)
    for field in ("doubloons", "chips_left", "chips", "role_doubloons", "house", "city", "workers", "built"):
        if field in ("house", "built"):  # every second record as sparse as in play: otherwise nothing would ever be sold or be few
            states[field][::2] *= random.random(states[field][::2].shape) < 0.15
        else:
            states[field][::2] %= {"doubloons": 12, "chips_left": 60, "chips": 30, "role_doubloons": 4, "city": 9, "workers": 4}[field]
    states["stack"] = random.integers(2, box.PLANTATIONS + 1, (size, len(GOODS)))  # an own forest and the drawn tile among them
    states["load"][:, : len(SHIP_SIZES[batch.players])] %= np.array(SHIP_SIZES[batch.players]) + 1
    states["buildings_left"] %= np.array(COPIES) + 1
    states["workers"][:, :, : box.FIRST_TILE] %= np.array(SLOTS) + 1
    states["workers"][:, :, box.FIRST_TILE :] %= 9  # no more people than there are
    states["noted"] %= 60
    states["nobles_at"] = random.multinomial(random.integers(0, 21, (size, 5)), np.full(52, 1 / 52)) * options["nobles"]
    return states


def empty_supplies(batch: tw.Batch) -> None:
    """Hand out chips and colonists wherever a role is chosen: random games hardly come to the end of either."""
    arrays = batch.state_dict()
    states = arrays["states"]
    rows = np.flatnonzero(states["phase"] == Phase.ROLE)[::2]
    chips = np.minimum(states["chips_left"][rows], 4)
    states["chips"][rows, 0] += states["chips_left"][rows] - chips
    states["chips_left"][rows] = chips
    colonists = np.minimum(states["colonists_left"][rows], rows % 60).astype(np.uint8)
    states["workers"][rows, 0, box.WINDROSE] += states["colonists_left"][rows] - colonists
    states["colonists_left"][rows] = colonists
    batch.load_state_dict(arrays)


def never_shown(options: Mapping[str, Any]) -> set[str]:
    """Who goes where a guest is called is asked only if the guests may be a colonist and a noble."""
    return {"guest_to"} if options["new_buildings"] and not options["nobles"] else set()


@pytest.mark.parametrize("options", some(variants(NAME)), ids=lambda options: label(NAME, options))
def test_every_part_says_what_its_text_says_of_any_record(options: dict[str, Any]) -> None:
    check_any_records(NAME, options, any_records, encoders(options))


@pytest.mark.parametrize("options", some(rule_sets(NAME)), ids=lambda options: label(NAME, options))
def test_every_part_says_what_its_text_says_in_play(options: dict[str, Any]) -> None:
    batch = new_batch(NAME, richest(NAME, options), amount(128, 2))
    batch.play_random(amount(300, 0), np.arange(batch.size, dtype=np.uint64).reshape(-1, 1))
    empty_supplies(batch)
    comparison = compare_play(batch, amount(300, 40), random_policy(batch), encoders(options))
    if amount(compiled=1, plain=0):
        assert comparison.constant() == never_shown(options)


@pytest.mark.parametrize("options", [case for case in some(variants(NAME)) if not case["nobles"]], ids=lambda options: label(NAME, options))
def test_nobles_count_for_nothing_without_the_option(options: dict[str, Any]) -> None:
    batch = new_batch(NAME, richest(NAME, options), 16)
    states = any_records(batch, np.random.default_rng(1))
    states["workers"][:, :, Building.LAND_OFFICE : box.FIRST_TILE] = 0  # in buildings that are not in play
    rows, viewers = (grid.ravel() for grid in np.indices((batch.size, batch.players)))
    shown = np.zeros((2, rows.size, batch.variant.layout.size), np.float32)
    for nobles, seen in enumerate(shown):
        states["nobles_at"] = nobles
        batch._b.states.view(np.ndarray)[:] = states
        batch._loops.look_all(batch._b, rows, viewers, seen)
    assert (shown[0] == shown[1]).all() and shown.any()
    with pytest.raises(ValueError, match="people in a variant without nobles"):
        check_states(batch.variant, states)
