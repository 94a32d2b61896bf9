"""Labels that the text board and the SVG share."""

from typing import Any, NamedTuple

from ...core.render import labels
from ...core.render.labels import is_over, player
from ...core.spec.fields import HIDDEN
from ..rules.scoring import score, tie_break
from ..state import Phase
from ..tables import (
    BUILDING_NAMES,
    BUILDINGS,
    CARGO_SHIPS,
    EMPTY,
    FIRST_PROSPECTOR,
    FIRST_TILE,
    GOOD_NAMES,
    GOODS,
    HOUSE,
    PLACE_NAMES,
    PROSPECTORS,
    ROLE_NAMES,
    SHIP_SIZE,
    SLOT_TILES,
    TILE_NAMES,
    Building,
)
from .breakdown import breakdown

# What the seat to move does in each phase; {place}, {good} and {building} are what the row of decisions has come to.
DECISIONS = {
    Phase.ROLE: "takes a role",
    Phase.HACIENDA: "may draw a plantation, by the hacienda",
    Phase.PICK: "may take an island tile",
    Phase.HOSPICE: "may take a colonist, by the hospice",
    Phase.PRIVILEGED_MAYOR: "may take a colonist from the supply, as mayor",
    Phase.PLACE: "places colonists: how many on the {place}?",
    Phase.BUILD: "may build",
    Phase.UNIVERSITY: "may take a colonist for the {building}, by the university",
    Phase.PRIVILEGED_CRAFTSMAN: "may take one more good, as craftsman",
    Phase.TRADE: "may sell a good",
    Phase.LOAD: "loads goods",
    Phase.KEEP: "stores goods: how much {good} is kept?",
    Phase.DRAFT: "drafts a building",
    Phase.LAY: "lays the drawn tile, as plantation or forest",
    Phase.LIBRARY: "may take a second tile, by the library",
    Phase.PAY_COLONIST: "pays for the {building}: a colonist to the black market?",
    Phase.PAY_GOOD: "pays for the {building}: a good to the black market?",
    Phase.PAY_POINT: "pays for the {building}: a point to the black market?",
    Phase.SMALL_WHARF: "ships by the small wharf: how much {good}?",
    Phase.ROLE_TAKEN: "may move guests before the role is played",
    Phase.MAYOR_BEGINS: "may move guests before the mayor phase",
    Phase.PRODUCTION: "may move guests before the production",
    Phase.CAPTAIN_BEGINS: "may move guests before the loading",
    Phase.STORAGE: "may move guests before the storing",
    Phase.FINAL: "may move guests before the final scoring",
    Phase.LODGE: "may discard a plantation, by the hunting lodge",
    Phase.VILLA: "may take a noble, by the villa",
    Phase.FROM_SHIP: "takes a colonist or a noble from the ship",
    Phase.PLACE_NOBLES: "places nobles: how many of those on the {place}?",
    Phase.SUPPLIER: "may hand in goods, by the royal supplier",
}


class Standing(NamedTuple):
    """One row of the final table: the rank, and the parts of the final score."""

    seat: int
    rank: int
    parts: dict[str, int]  # of the final score, by source
    final: int
    wealth: int


def points(view: Any, seat: int) -> str:
    """Chips and noted points, or a question mark where chips lie face down (PR-INF-1)."""
    return "?" if view.chips[seat] == HIDDEN else str(int(view.chips[seat]) + int(view.noted[seat]))


def roles(view: Any) -> list[int]:
    """The roles in play."""
    return list(range(FIRST_PROSPECTOR + int(PROSPECTORS[view.players])))


def holdings(row: Any) -> list[tuple[str, int]]:
    """The goods of a row of five that are there at all."""
    return [(GOOD_NAMES[good], int(row[good])) for good in range(GOODS) if row[good] > 0]


def counted(pairs: list[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {name}" for name, count in pairs) or "-"


def ships(view: Any) -> list[tuple[int, str, int]]:
    """By cargo ship: its size, what it carries, how much."""
    found = []
    for ship in range(int(CARGO_SHIPS[view.players])):
        good = int(view.cargo[ship])
        found.append((int(SHIP_SIZE[view.players, ship]), "" if good == EMPTY else GOOD_NAMES[good], int(view.load[ship])))
    return found


def house(view: Any) -> list[str]:
    """The places of the trading house, empty ones last."""
    sold = [name for name, count in holdings(view.house) for _ in range(count)]
    return sold + [""] * (HOUSE - len(sold))


def kinds_in_play(view: Any) -> list[int]:
    """The buildings of this game: those left on the board, or built."""
    built = view.built[: view.players].any(axis=0)
    return [b for b in range(BUILDINGS) if view.buildings_left[b] > 0 or built[b]]


def tiles(view: Any, seat: int) -> list[tuple[str, int, int, int]]:
    """By kind of island tile: its name, how many, colonists and nobles on them."""
    found = []
    for tile, name in enumerate(TILE_NAMES):
        if view.tiles[seat, tile] > 0:
            here = int(view.workers[seat, FIRST_TILE + tile]) if tile < SLOT_TILES else 0
            nobles = int(view.nobles_at[seat, FIRST_TILE + tile]) if tile < SLOT_TILES else 0
            found.append((name, int(view.tiles[seat, tile]), here - min(here, nobles), min(here, nobles)))
    return found


def marks(view: Any, seat: int) -> list[str]:
    """What is said of a player beside the holdings."""
    said = ["governor"] if seat == view.governor else []
    said += [ROLE_NAMES[role] for role in roles(view) if view.role_owner[role] == seat]
    if seat == view.seat and not is_over(view):
        said.append("decides")
    return said


def headline(view: Any) -> str:
    if view.phase == Phase.DRAFT:
        return "the draft"
    if is_over(view):
        return f"after {view.rounds} rounds"
    played = f", {ROLE_NAMES[view.role]}: player_{view.active}" if view.role != EMPTY else ""
    last = ", the last" if view.last_round else ""
    return f"round {view.rounds + 1}{last}{played}"


def decision(view: Any, viewer: int | None) -> str:
    """Who decides now, and what."""
    who = player(view.seat, viewer)
    if view.guest_to != EMPTY:
        return f"{who} sends a guest to the {PLACE_NAMES[view.guest_to]}: a colonist or a noble?"
    what = DECISIONS[Phase(int(view.phase))].format(
        place=PLACE_NAMES[view.place],
        good=GOOD_NAMES[min(max(int(view.good), 0), GOODS - 1)],
        building=BUILDING_NAMES[view.pending],
    )
    return f"{who} {what}"


def standings(view: Any) -> list[Standing]:
    """A finished game's players, the best first (PR-END-2)."""
    parts = breakdown(view)
    return [Standing(seat, rank, parts[seat], final, int(tie_break(view, seat))) for seat, rank, final in labels.ranked(view, score)]


def sources(view: Any) -> list[str]:
    """What scores come from in this game: without the large buildings that nobody has, and without nobles if there are none."""
    built = view.built[: view.players].any(axis=0)
    absent = {building.name.lower() for building in Building if not built[building]} | (set() if view.nobles else {"nobles"})
    return [source for source in breakdown(view)[0] if source not in absent]


def outcome(view: Any, viewer: int | None) -> str:
    """How a finished game ended (PR-STALL-1, PR-END-1)."""
    return labels.outcome(view, standings(view), viewer)
