"""The observation vector of Puerto Rico: the seat itself first, then clockwise. Only the columns of what is played."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.engine.encoding import seat_at, seats_on
from ..core.engine.kernel import kernel
from ..core.spec.fields import Visibility
from ..core.spec.layout import Layout, Part, cut_parts
from .rich import put_rich, rich_parts
from .rules.common import all_nobles
from .state import BASE_PHASES, MOST_DOUBLOONS, MOST_POINTS, NEW_BUILDINGS_PHASES_END, Phase
from .tables import (
    ALL_COLONISTS,
    ALL_NOBLES,
    BASE_BUILDINGS,
    BUILDINGS,
    CARGO_SHIPS,
    CHIPS,
    CITY,
    COPIES,
    EMPTY,
    FIRST_PROSPECTOR,
    FIRST_TILE,
    FOREST,
    GOODS,
    GOODS_SUPPLY,
    HOUSE,
    ISLAND,
    MAX_PLAYERS,
    MOST_ROUNDS,
    NEW_BUILDINGS_END,
    PLACES,
    PLANTATIONS,
    PROSPECTORS,
    QUARRIES,
    QUARRY_TILES,
    ROLES,
    SHIP_SIZE,
    SLOT_TILES,
    SLOTS,
    WINDROSE,
    Building,
    Tile,
)

# Scales: what counts as 1.
DOUBLOONS, CHIP_POINTS, PEOPLE, ROUNDS, AMOUNT = 10.0, 50.0, 10.0, 20.0, 10.0
ROLE_DOUBLOONS = 3.0


def _numbered(kept: list[int], total: int) -> np.ndarray:
    columns = np.full(total, EMPTY, np.int64)
    columns[kept] = range(len(kept))
    return columns


def _in_play(base_end: int, new_end: int, total: int, new_buildings: int, nobles: int) -> list[int]:
    """Numbers that this variant uses, where the base game's come first, then New Buildings', then Nobles'."""
    return [i for i in range(total) if i < base_end or (base_end <= i < new_end and new_buildings) or (i >= new_end and nobles)]


# For each variant (new buildings + 2 * nobles): which phases and buildings there are, and the column of each.
VARIANTS = [(variant % 2, variant // 2) for variant in range(4)]
_PHASES = [_in_play(BASE_PHASES, NEW_BUILDINGS_PHASES_END, len(Phase), *v) for v in VARIANTS]
_BUILDINGS = [_in_play(BASE_BUILDINGS, NEW_BUILDINGS_END, BUILDINGS, *v) for v in VARIANTS]
PHASE_COLUMN = np.stack([_numbered(kept, len(Phase)) for kept in _PHASES])
BUILDING_COLUMN = np.stack([_numbered(kept, BUILDINGS) for kept in _BUILDINGS])
PHASE_COUNT = np.array([len(kept) for kept in _PHASES], np.int64)
BUILDING_COUNT = np.array([len(kept) for kept in _BUILDINGS], np.int64)
# Compiled loops take STRIDE buildings at a time and what remains one by one, which takes longer than all the others. So they go on past the
# last building, and the next part is written over it. The buildings of Nobles follow by themselves: past them a record has no more.
STRIDE = 8
IN_STRIDES = np.array([-(-(NEW_BUILDINGS_END if new else BASE_BUILDINGS) // STRIDE) * STRIDE for new, _ in VARIANTS], np.int64)

# Factors that scale counts to 1, in the vector's own type.
SLOT_SHARE = (1.0 / np.maximum(SLOTS, 1)).astype(np.float32)
COPY_SHARE = (1.0 / COPIES).astype(np.float32)
GOODS_SHARE = (1.0 / GOODS_SUPPLY).astype(np.float32)
TILE_SHARE = (1.0 / PLANTATIONS).astype(np.float32)
SHIP_SHARE = (1.0 / np.maximum(SHIP_SIZE, 1)).astype(np.float32)
ISLAND_SHARE = np.float32(1 / ISLAND)
PEOPLE_SHARE = np.float32(1 / PEOPLE)
HOUSE_SHARE = np.float32(1 / HOUSE)
OPEN_SHARE = np.float32(1 / (MAX_PLAYERS + 1))
ROLE_SHARE = np.float32(1 / ROLE_DOUBLOONS)

GLOBALS = 6  # round, last round, chips, colonists in the supply and on the ship, quarries


def layout(options: Mapping[str, Any]) -> Layout:
    """The parts, in the order in which `observe` writes them. What is there for each player begins with the seat itself."""
    players, new, nobles = options["players"], options["new_buildings"], options["nobles"]
    variant = int(new) + 2 * int(nobles)
    phases, buildings = int(PHASE_COUNT[variant]), int(BUILDING_COUNT[variant])
    roles = int(FIRST_PROSPECTOR + PROSPECTORS[players])
    ships = int(CARGO_SHIPS[players])
    tiles = SLOT_TILES + int(new)
    kinds = SLOT_TILES + 1  # tiles with slots, and the windrose
    people = (ALL_COLONISTS + ALL_NOBLES) / PEOPLE
    parts = [
        Part("phase", phases, 1, "what is decided now: one of Phase"),
        Part("to_move", players, 1, "who decides it"),
        Part("governor", players, 1, "who began the round"),
        Part("active", players, 1, "who took the role now played"),
        Part("role", roles, 1, "the role now played"),
        Part("roles_taken", roles, 1, "taken this round"),
        Part("role_doubloons", roles, MOST_ROUNDS / ROLE_DOUBLOONS, "on each role, of 3"),
        Part("round", 1, MOST_ROUNDS / ROUNDS, "rounds played, of 20"),
        Part("last_round", 1, 1, "the game ends after this round"),
        Part("chips_left", 1, float(CHIPS.max()) / CHIP_POINTS, "victory points in the supply, of 50"),
        Part("colonists_left", 1, 1, "colonists in the supply, of 100"),
        Part("colonist_ship", 1, people, "colonists on the ship, of 10"),
        Part("quarries_left", 1, 1, "quarries in the supply, of 8"),
        Part("goods_left", GOODS, 1, "goods in the supply, of all"),
        Part("house", GOODS, 1, "goods in the trading house, of 4"),
        Part("face_up", GOODS, 1, "open plantations, of 6"),
        Part("stack", GOODS, 1, "plantations face down, of all of the kind"),
        Part("cargo", ships * (GOODS + 2), 1, "by ship: which good, how full, how much room of 8"),
        Part("buildings_left", buildings, 1, "copies on the board, of all"),
        Part("place", buildings + kinds, 1, "where colonists are being put or taken from: building, tile or windrose"),
        Part("good", GOODS, 1, "the good that is being kept, shipped or handed in"),
        Part("amount", 1, people, "what a row of decisions has come to, of 10"),
        Part("quarry_taken", 1, 1, "the seat to move took a quarry this turn"),
        Part("privilege", 1, 1, "how often the privilege was used, of 2"),
        Part("made", GOODS, 1, "what the craftsman produced, of all of the kind"),
        Part("wharf_used", players, 1, "by player: the wharf was used in this phase"),
        Part("doubloons", players, MOST_DOUBLOONS / DOUBLOONS, "by player, of 10"),
        Part("noted", players, MOST_POINTS / CHIP_POINTS, "by player: points noted down after the last chip, of 50"),
        Part("goods", players * GOODS, 1, "by player and good, of all"),
        Part("tiles", players * tiles, 1, "by player and tile, of 12"),
        Part("tile_workers", players * kinds, people, "by player: colonists on each kind of tile, of 12, and on the windrose, of 10"),
        Part("city", players, 1, "by player: city places in use, of 12"),
        Part("buildings", players * 2 * buildings, 1, "by player and building: built; colonists in it, of its slots"),
        Part("chips", 1, float(CHIPS.max()) / CHIP_POINTS, "own victory point chips, of 50"),
    ]
    if new:
        parts += [
            Part("drawn", GOODS, 1, "the tile that the seat itself has drawn"),
            Part("pending", buildings, 1, "the building that is being paid"),
            Part("tile_taken", 1, 1, "the settler's own pick brought a tile"),
            Part("guest_to", buildings + SLOT_TILES, 1, "where a guest goes"),
            Part("small_wharf_used", players, 1, "by player: the small wharf was used in this phase"),
        ]
    if nobles:
        parts += [
            Part("nobles_left", 1, 1, "nobles in the supply, of 20"),
            Part("ship_nobles", 1, 1, "nobles on the ship, of 20"),
            Part("sold", 1, 1, "the seat to move has sold"),
            Part("land_used", 1, 1, "the seat to move has used the land office"),
            Part("nobles", players, 2, "by player: all nobles, of 10"),
            Part("nobles_at", players * (buildings + kinds), 2, "by player: nobles by building, kind of tile and windrose, of 10"),
        ]
    if options["visibility"] == "open":
        parts.append(Part("opponents", players - 1, float(CHIPS.max()) / CHIP_POINTS, "by opponent: victory point chips, of 50"))
    if options["encoding"] == "rich":
        parts = [*cut_parts(parts), *rich_parts(options)]
    return Layout(parts)


@kernel
def known_stack(s, me, good):
    """Face down for this seat: it knows what it drew itself."""
    if s.new_buildings:
        return s.stack[good] - s.own_forests[me, good] - (s.drawn[me] == good)
    return int(s.stack[good])


@kernel
def clear(out, first, last):
    """Before the few ones of a part that is not written as a whole."""
    for column in range(first, last):
        out[np.uintp(column)] = 0


@kernel
def put_table(s, me, variant, out, at):
    """Whose turn it is, the roles, the supplies."""
    players = int(s.players)
    roles = FIRST_PROSPECTOR + PROSPECTORS[players]
    clear(out, at, at + PHASE_COUNT[variant] + 3 * players + roles)
    out[at + PHASE_COLUMN[variant, s.phase]] = 1
    at += PHASE_COUNT[variant]
    out[at + seats_on(int(s.seat), me, players)] = 1
    out[at + players + seats_on(int(s.governor), me, players)] = 1
    out[at + 2 * players + seats_on(int(s.active), me, players)] = 1
    at += 3 * players
    if s.role != EMPTY:
        out[at + s.role] = 1
    for role in range(ROLES):  # those not in play are overwritten by what comes next
        out[np.uintp(at + roles + role)] = 1 if s.role_owner[role] != EMPTY else 0
    for role in range(ROLES):
        out[np.uintp(at + 2 * roles + role)] = s.role_doubloons[role] * ROLE_SHARE
    at += 3 * roles
    out[at] = s.rounds * (1 / ROUNDS)
    out[at + 1] = s.last_round
    out[at + 2] = s.chips_left * (1 / CHIP_POINTS)
    out[at + 3] = s.colonists_left * (1 / ALL_COLONISTS)
    out[at + 4] = s.ship_colonists * (1 / PEOPLE)
    out[at + 5] = s.quarries_left * (1 / QUARRY_TILES)
    at += GLOBALS
    for good in range(GOODS):
        out[np.uintp(at + good)] = s.goods_left[good] * GOODS_SHARE[good]
        out[np.uintp(at + GOODS + good)] = s.house[good] * HOUSE_SHARE
        out[np.uintp(at + 2 * GOODS + good)] = s.face_up[good] * OPEN_SHARE
        out[np.uintp(at + 3 * GOODS + good)] = known_stack(s, me, good) * TILE_SHARE[good]
    return at + 4 * GOODS


@kernel
def put_ships(s, out, at):
    for ship in range(CARGO_SHIPS[s.players]):
        for good in range(GOODS):
            out[np.uintp(at + good)] = 0
        if s.cargo[ship] != EMPTY:
            out[at + s.cargo[ship]] = 1
        out[at + GOODS] = s.load[ship] * SHIP_SHARE[s.players, ship]
        out[at + GOODS + 1] = (SHIP_SIZE[s.players, ship] - s.load[ship]) * (1 / 8)
        at += GOODS + 2
    return at


@kernel
def place_column(place, variant):
    """Buildings by their columns, then tiles, then the windrose."""
    if place < BUILDINGS:
        return BUILDING_COLUMN[variant, place]
    return BUILDING_COUNT[variant] + place - FIRST_TILE


@kernel
def put_decision(s, me, variant, out, at):
    """What a row of decisions has come to."""
    buildings = BUILDING_COUNT[variant]
    for building in range(IN_STRIDES[variant] & -STRIDE):
        out[np.uintp(at + building)] = s.buildings_left[np.uintp(building)] * COPY_SHARE[np.uintp(building)]
    at += buildings
    if s.nobles:
        for building in range(NEW_BUILDINGS_END, BUILDINGS):
            out[np.uintp(at - BUILDINGS + building)] = s.buildings_left[np.uintp(building)] * COPY_SHARE[np.uintp(building)]
    clear(out, at, at + buildings + SLOT_TILES + 1 + GOODS)
    if s.place != EMPTY:
        out[at + place_column(int(s.place), variant)] = 1
    at += buildings + SLOT_TILES + 1
    if 0 <= s.good < GOODS:
        out[at + s.good] = 1
    at += GOODS
    out[at] = s.amount * (1 / AMOUNT)
    out[at + 1] = s.quarry_taken
    out[at + 2] = s.privilege * 0.5
    for good in range(GOODS):
        out[np.uintp(at + 3 + good)] = s.made[good] * GOODS_SHARE[good]
    return at + 3 + GOODS


@kernel
def put_holdings(s, me, variant, out, at):
    """Everybody's doubloons, goods, island and city, the seat itself first."""
    players = int(s.players)
    buildings = BUILDING_COUNT[variant]
    tiles = SLOT_TILES + int(s.new_buildings)
    goods_at = at + 3 * players
    tiles_at = goods_at + players * GOODS
    workers_at = tiles_at + players * tiles
    city_at = workers_at + players * (SLOT_TILES + 1)
    built_at = city_at + players
    strides = IN_STRIDES[variant] & -STRIDE
    tail_at = built_at + buildings - BUILDINGS
    for offset in range(players):
        seat = np.uintp(seat_at(offset, me, players))
        out[np.uintp(at + offset)] = s.wharf_used[seat]
        out[np.uintp(at + players + offset)] = s.doubloons[seat] * (1 / DOUBLOONS)
        out[np.uintp(at + 2 * players + offset)] = s.noted[seat] * (1 / CHIP_POINTS)
        for good in range(GOODS):
            out[np.uintp(goods_at + good)] = s.goods[seat, good] * GOODS_SHARE[good]
        for tile in range(SLOT_TILES):
            out[np.uintp(tiles_at + tile)] = s.tiles[seat, tile] * ISLAND_SHARE
            out[np.uintp(workers_at + tile)] = s.workers[seat, FIRST_TILE + tile] * ISLAND_SHARE
        if tiles > SLOT_TILES:
            out[np.uintp(tiles_at + FOREST)] = s.tiles[seat, FOREST] * ISLAND_SHARE
        out[np.uintp(workers_at + SLOT_TILES)] = s.workers[seat, WINDROSE] * PEOPLE_SHARE
        out[np.uintp(city_at + offset)] = s.city[seat] * (1 / CITY)
        # Unsigned indices are never negative, so compiled loops need not ask.
        for building in range(strides):
            out[np.uintp(built_at + building)] = s.built[seat, np.uintp(building)]
        if s.nobles:
            for building in range(NEW_BUILDINGS_END, BUILDINGS):
                out[np.uintp(tail_at + building)] = s.built[seat, np.uintp(building)]
        built_at += buildings
        tail_at += buildings
        for building in range(strides):
            out[np.uintp(built_at + building)] = s.workers[seat, np.uintp(building)] * SLOT_SHARE[np.uintp(building)]
        if s.nobles:
            for building in range(NEW_BUILDINGS_END, BUILDINGS):
                out[np.uintp(tail_at + building)] = s.workers[seat, np.uintp(building)] * SLOT_SHARE[np.uintp(building)]
        built_at += buildings
        tail_at += buildings
        goods_at += GOODS
        tiles_at += tiles
        workers_at += SLOT_TILES + 1
    out[built_at] = s.chips[me] * (1 / CHIP_POINTS)
    return built_at + 1


@kernel
def put_new_buildings(s, me, variant, out, at):
    players = int(s.players)
    buildings = BUILDING_COUNT[variant]
    clear(out, at, at + GOODS + 2 * buildings + 1 + SLOT_TILES)
    if s.drawn[me] != EMPTY:
        out[at + s.drawn[me]] = 1
    at += GOODS
    if s.pending != EMPTY:
        out[at + BUILDING_COLUMN[variant, s.pending]] = 1
    at += buildings
    out[at] = s.tile_taken
    at += 1
    if s.guest_to != EMPTY:
        out[at + place_column(int(s.guest_to), variant)] = 1
    at += buildings + SLOT_TILES
    for offset in range(players):
        out[at + offset] = s.small_wharf_used[seat_at(offset, me, players)]
    return at + players


@kernel
def put_nobles(s, me, variant, out, at):
    players = int(s.players)
    out[at] = s.nobles_left * (1 / ALL_NOBLES)
    out[at + 1] = s.ship_nobles * (1 / ALL_NOBLES)
    out[at + 2] = s.sold
    out[at + 3] = s.land_used
    at += 4
    by_place = at + players
    places = BUILDING_COUNT[variant] + SLOT_TILES + 1
    strides = IN_STRIDES[variant] & -STRIDE
    for offset in range(players):
        seat = np.uintp(seat_at(offset, me, players))
        out[np.uintp(at + offset)] = all_nobles(s, seat) * (1 / PEOPLE)
        for place in range(strides):
            out[np.uintp(by_place + place)] = s.nobles_at[seat, np.uintp(place)] * PEOPLE_SHARE
        for place in range(NEW_BUILDINGS_END, PLACES):
            out[np.uintp(by_place + places - PLACES + place)] = s.nobles_at[seat, np.uintp(place)] * PEOPLE_SHARE
        by_place += places
    return by_place


@kernel
def observe(s, me, out):
    """`s` is a record masked for `me`."""
    me = int(me)
    variant = int(s.new_buildings) + 2 * int(s.nobles)
    at = put_table(s, me, variant, out, 0)
    at = put_ships(s, out, at)
    at = put_decision(s, me, variant, out, at)
    at = put_holdings(s, me, variant, out, at)
    if s.new_buildings:
        at = put_new_buildings(s, me, variant, out, at)
    if s.nobles:
        at = put_nobles(s, me, variant, out, at)
    if s.visibility == Visibility.OPEN:
        for offset in range(1, s.players):
            out[at] = s.chips[seat_at(offset, me, int(s.players))] * (1 / CHIP_POINTS)
            at += 1
    if at < out.size:  # encoding="rich"
        put_rich(s, me, int(s.players), out, at)


assert QUARRIES == FIRST_TILE + Tile.QUARRY
assert BUILDING_COLUMN[0, Building.CITY_HALL] == BASE_BUILDINGS - 1
