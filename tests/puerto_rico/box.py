"""What the box of Puerto Rico holds, and the final scores counted another way."""

from typing import Any

import numpy as np

FUZZ = 12_000  # random games
LONGEST = 20_000  # decisions; random play takes a few hundred

# The box, typed in from the rulebook's list of components, not from the game's tables.
GOODS = np.array([10, 11, 11, 9, 9])
PLANTATIONS = np.array([10, 12, 11, 9, 8])
COLONISTS = {2: 42, 3: 58, 4: 79, 5: 100}
CHIPS = {2: 65, 3: 75, 4: 100, 5: 122}
PRODUCTION = [0, 1, 2, 3, 4, 5, 43]
COPIES = {0: 4, 1: 4, 2: 3, 3: 3, 4: 3, 5: 3}
LARGE = [18, 19, 20, 21, 22, 35, 36, 44]
SLOTS = {2: 3, 3: 3, 4: 3, 5: 2, 27: 2, 35: 0}
PRINTED = [1, 1, 2, 2, 3, 3, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4]
PRINTED += [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 8, 4, 1, 1, 2, 2, 2, 3, 3, 4]
FIRST_TILE, WINDROSE = 45, 51
PLACE_NOBLES = 28


def follows(options: dict[str, Any]) -> bool:
    """With two players the other's chips are those that are missing from the supply; forests drawn in secret come with New Buildings."""
    return options["players"] == 2 and not options["new_buildings"]


def goods(players: int) -> np.ndarray:
    return GOODS - (2 if players == 2 else 0)


def plantations(players: int) -> np.ndarray:
    return PLANTATIONS - (3 if players == 2 else 0)


def quarries(players: int) -> int:
    return 5 if players == 2 else 8


def copies(players: int) -> np.ndarray:
    return np.array([(2 if b in PRODUCTION else 1) if players == 2 else 1 if b in LARGE else COPIES.get(b, 2) for b in range(FIRST_TILE)])


def totals(states: np.ndarray) -> dict[str, np.ndarray]:
    """How many there are of everything, by state."""
    s = states
    shipped = np.stack([((s["cargo"] == good) * s["load"]).sum(axis=1) for good in range(5)], axis=1)
    people, nobles = count(s["workers"]), count(s["nobles_at"])
    tiles = s["tiles"].sum(axis=1)
    return {
        "goods": s["goods_left"] + s["goods"].sum(axis=1) + s["house"] + shipped,
        "plantations": s["stack"] + s["discards"] + s["face_up"] + tiles[:, :5] + s["known_forests"].sum(axis=1),
        "quarries": s["quarries_left"] + tiles[:, 5],
        "colonists": s["colonists_left"] + s["ship_colonists"] + people - nobles,
        "nobles": s["nobles_left"] + s["ship_nobles"] + nobles,
        "chips": s["chips_left"].astype(np.int64) + s["chips"].sum(axis=1),
        "buildings": s["buildings_left"] + s["built"].sum(axis=1),
    }


def count(by_seat_and_place: np.ndarray) -> np.ndarray:
    return by_seat_and_place.reshape(len(by_seat_and_place), -1).sum(axis=1)


def misplaced(states: np.ndarray) -> list[str]:
    """What stands where it cannot."""
    wrong = []
    slots = np.array([SLOTS.get(b, 1) for b in range(FIRST_TILE)])
    workers, nobles = states["workers"], states["nobles_at"]
    if (workers[:, :, :FIRST_TILE] > states["built"] * slots).any() or (
        workers[:, :, FIRST_TILE:WINDROSE] > states["tiles"][:, :, :6]
    ).any():
        wrong.append("more colonists than slots")
    settled = states["phase"] != PLACE_NOBLES  # while nobles are picked out they are still counted at the windrose
    if (nobles > workers)[settled].any():
        wrong.append("more nobles than people")
    if (states["known_forests"].sum(axis=2) + states["own_forests"].sum(axis=2) != states["tiles"][:, :, 6]).any():
        wrong.append("forests of no kind")
    if (states["own_forests"].sum(axis=1) > states["stack"]).any():
        wrong.append("forests that the stacks never held")
    if (states["tiles"].sum(axis=2) != states["island"]).any():
        wrong.append("island places")
    sizes = np.array([2 if b in LARGE else 1 for b in range(FIRST_TILE)])
    if ((states["built"] * sizes).sum(axis=2) != states["city"]).any():
        wrong.append("city places")
    if ((states["cargo"] < 0) != (states["load"] == 0)).any():
        wrong.append("a ship with cargo and no load, or the other way round")
    for good in range(5):
        if ((states["cargo"] == good).sum(axis=1) > 1).any():
            wrong.append("two ships with one good")
    if (states["house"].sum(axis=1) > 4).any():
        wrong.append("too many goods in the trading house")
    return wrong


def broken(states: np.ndarray) -> list[str]:
    """What is wrong in a batch of states: nothing, if the rules keep all pieces."""
    players = int(states["players"][0])
    new, nobles = bool(states["new_buildings"][0]), bool(states["nobles"][0])
    found = totals(states)
    expected: dict[str, Any] = {
        "goods": goods(players),
        "plantations": plantations(players),
        "quarries": quarries(players),
        "colonists": 100 if nobles else COLONISTS[players],
        "nobles": 20 if nobles else 0,
        "chips": CHIPS[players],
    }
    wrong = [name for name, value in expected.items() if (found[name] != value).any()]
    in_play = found["buildings"] > 0
    if ((found["buildings"] != 0) & (found["buildings"] != copies(players))).any():
        wrong.append("copies of buildings")
    kinds = np.array([b < 23 or (b < 37 and new) or (b >= 37 and nobles) for b in range(FIRST_TILE)])
    if (in_play & ~kinds).any():
        wrong.append("buildings of another game")
    drafted = states["phase"] != 12  # once the draft is over, 12 small and 5 large violet kinds beside the production buildings
    violet = np.array([b not in PRODUCTION and b < 37 for b in range(FIRST_TILE)])
    if ((in_play & violet).sum(axis=1) != 17)[drafted].any():
        wrong.append("not 17 violet kinds")
    for field in ("goods", "tiles", "workers", "built", "doubloons", "chips", "noted"):
        if (states[field][:, players:] != 0).any():
            wrong.append(f"{field} of a seat that nobody takes")
    return wrong + misplaced(states)


def recount(state: Any) -> tuple[list[int], list[int]]:
    """PR-END-2, counted with lists and sorting."""
    players = int(state["players"])
    keys = []
    for seat in range(players):
        built = [b for b in range(FIRST_TILE) if state["built"][seat, b]]
        people, nobles = state["workers"][seat].tolist(), int(state["nobles_at"][seat].sum())
        island = state["tiles"][seat].tolist()
        chips = int(state["chips"][seat]) + int(state["noted"][seat])
        bonus = {
            18: sum(1 if b < 2 else 2 for b in built if b in PRODUCTION),
            19: max(4, sum(island) - 5),
            20: sum(people) // 3,
            21: chips // 4,
            22: sum(b not in PRODUCTION for b in built),
            36: [0, 1, 3, 6, 10][sum(count // 3 for count in island)],
            44: nobles,
        }
        score = chips + sum(PRINTED[b] for b in built) + nobles + sum(bonus[b] for b in bonus if people[b] > 0)
        keys.append((score, int(state["doubloons"][seat]) + int(state["goods"][seat].sum())))
    order = sorted(keys, reverse=True)
    return [key[0] for key in keys], [order.index(key) + 1 for key in keys]
