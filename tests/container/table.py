"""Positions of Container said in the words of the rulebook, and moves played by their names.

    s = table(factory=[{}, {"purple": [1], "beige": [2]}], warehouses=[3])
    play(s, "harbour: buy from the 1st factory on the left", "buy: purple at $1", "buy: beige at $2", "price: $4", "price: $6")
    assert s.store("harbour", 0) == {"purple": [4], "beige": [6]}

Containers, machines and warehouses that are nowhere on the table are in the supply. Unless told otherwise it is seat 0's turn in a game of
four, seat i has one machine of the i-th colour, one warehouse, $20, no loans, an empty ship on the open sea and the card that gives its
machine's colour 10, and no store holds anything. The Investment Bank's boxes are empty.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.support import position as support
from tests.support.position import legal as legal
from tests.support.position import result as result
from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase
from tradewinds.envs.container.tables import BANK, COLOUR_NAMES, ISLAND, SEA

from .box import broken

COLOURS = list(COLOUR_NAMES)
BOX = {3: (12, 2, 10), 4: (16, 3, 13), 5: (20, 4, 16)}  # warehouses; machines and containers of each colour
PLACES = {"sea": SEA, "island": ISLAND, "bank": BANK}
BY_SEAT = {
    "machines", "warehouses", "factory", "harbour", "cargo", "ship_at", "island", "loans", "fresh", "money", "value_card", "standing",
    "shown_bid", "bid", "bid_digits", "bid_loans", "bank_harbour",
}  # fmt: skip

Counts = Mapping[str, int]
Prices = Mapping[str, Sequence[int]]


class Position(support.Position):
    """Sentences about a position of Container."""

    game, phases, by_seat = GAME, Phase, frozenset(BY_SEAT)

    def store(self, which: str, seat: int) -> dict[str, list[int]]:
        """The prices of each colour in a factory or harbour store."""
        first = 1 if which == "factory" else 2
        found: dict[str, list[int]] = {}
        for colour, row in zip(COLOURS, self.record[which][seat], strict=True):
            prices = [first + at for at, count in enumerate(row) for _ in range(int(count))]
            if prices:
                found[colour] = prices
        return found

    def held(self, field: str, *at: int) -> dict[str, int]:
        """The containers of each colour in a row of a field."""
        row = self.record[field][at]
        return {colour: int(count) for colour, count in zip(COLOURS, row, strict=True) if count}


def table(
    players: int = 4,
    *,
    active: int = 0,
    money: Sequence[int] = (),
    loans: Sequence[int] = (),
    fresh: Sequence[int] = (),
    machines: Sequence[Sequence[str]] = (),
    warehouses: Sequence[int] = (),
    factory: Sequence[Prices] = (),
    harbour: Sequence[Prices] = (),
    cargo: Sequence[Counts] = (),
    at: Sequence["str | int"] = (),
    island: Sequence[Counts] = (),
    cards: Sequence[str] = (),
    supply: Counts | None = None,
    actions_left: int = 2,
    turn: int = 8,
    boxes: Sequence[Counts] = (),
    box_money: Sequence[int] = (),
    bank_harbour: Sequence[Counts] = (),
    payer: int | None = None,
    marked: int | None = None,
    bid: "int | tuple[Counts, Counts]" = 0,
    **options: Any,
) -> Position:
    """A position at the start of the active player's actions.

    Everything by seat may be left out from some seat on. `supply` sets what is left of some colours; what is then nowhere was seized.
    `at` is "sea", "island", "bank" or a seat. `bid` is what lies on the payment card: money, or containers from the factory and from the
    harbour.
    """
    s = Position(players=players, **options)
    r = s.record
    stock, machine_count, container_count = BOX[players]
    r["machine_stock"][:] = machine_count
    for seat in range(players):
        for colour in machines[seat] if seat < len(machines) else [COLOURS[seat]]:
            r["machines"][seat, COLOURS.index(colour)] = 1
            r["machine_stock"][COLOURS.index(colour)] -= 1
        r["warehouses"][seat] = warehouses[seat] if seat < len(warehouses) else 1
        r["money"][seat] = money[seat] if seat < len(money) else 20
        r["ship_at"][seat] = PLACES.get(at[seat], at[seat]) if seat < len(at) else SEA
    r["ship_at"][players:] = SEA
    r["warehouse_stock"] = stock - r["warehouses"].sum()
    r["loans"][: len(loans)] = loans
    r["fresh"][: len(fresh)] = fresh
    for which, first, rows in (("factory", 1, factory), ("harbour", 2, harbour)):
        for seat, stored in enumerate(rows):
            for colour, prices in stored.items():
                for price in prices:
                    r[which][seat, COLOURS.index(colour), price - first] += 1
    for field, rows in (("cargo", cargo), ("island", island), ("bank_harbour", bank_harbour), ("box_containers", boxes)):
        for row, held in enumerate(rows):
            _fill(r[field][row], held)
    r["box_money"][: len(box_money)] = box_money
    r["payer"] = -1 if payer is None else payer
    r["marked"] = -1 if marked is None else marked
    if isinstance(bid, int):
        r["payment_money"] = bid
    else:
        _fill(r["payment"][0], bid[0])
        _fill(r["payment"][1], bid[1])
    dealt = [COLOURS.index(card) for card in cards] or list(range(5))
    r["value_card"][:] = [*dealt, *(card for card in range(5) if card not in dealt)]
    on_table = sum(r[field].reshape(-1, 5).sum(axis=0) for field in ("cargo", "island", "bank_harbour", "box_containers", "payment"))
    on_table = on_table + r["factory"].sum(axis=(0, 2)) + r["harbour"].sum(axis=(0, 2))
    for c, colour in enumerate(COLOURS):
        left = container_count - on_table[c]
        r["supply"][c] = (supply or {}).get(colour, left)
        r["removed"][c] = left - r["supply"][c]
    r["issued"] = r["money"].sum() + r["box_money"].sum() + r["payment_money"]
    r["active"] = r["seat"] = active
    r["turn"], r["actions_left"], r["phase"] = turn, actions_left, Phase.ACTION
    r["trader"] = r["seller"] = -1
    check(s)
    GAME.kernels["legal"](r, s.mask)
    return s


def _fill(row: np.ndarray, held: Counts) -> None:
    for colour, count in held.items():
        row[COLOURS.index(colour)] = count


def begin_turn(s: Position) -> None:
    """Let the active player's turn begin: as if the player before had just ended theirs."""
    r = s.record
    r["active"] = r["seat"] = (r["active"] + s.players - 1) % s.players
    r["actions_left"] = 1
    GAME.kernels["legal"](r, s.mask)
    play(s, "turn: end")


def new_game(seed: int = 0, **options: Any) -> Position:
    s = Position(seed, **options)
    GAME.loops.begin(s.record, s.mask, s.words, s.stream)
    check(s)
    return s


def play(s: Position, *names: str) -> None:
    """Play actions by name, each of which must be legal, and what is forced after each."""
    for name in names:
        assert not s.is_over, f"{name!r} after the end of the game"
        action = GAME.actions.parse(name)
        assert s.mask[action], f"{name!r} is not legal; legal are {sorted(legal(s))}"
        GAME.loops.play(s.record, action, s.mask, s.words, s.stream)
        check(s)


def bid(s: Position, amount: int, loans: int = 0) -> None:
    """The bid of the seat to move, digit by digit."""
    seat, phase = int(s.seat), s.decides
    for _ in range(loans):
        play(s, "loan: take $10")
    places = int(s.bid_digits[seat])
    while places:
        place = places - 1
        play(s, f"bid: {amount // 10**place % 10} x ${10**place}")
        still = s.seat == seat and s.decides == phase and s.bid_digits[seat] < places
        places = int(s.bid_digits[seat]) if still else 0


def look(s: Position, viewer: int) -> np.ndarray:
    """The observation of any seat."""
    out = np.zeros(s.variant.layout.size, np.float32)
    GAME.kernels["observe"](s.variant.masked_view(s.array, viewer), viewer, out)
    return out


def part(s: Position, viewer: int, name: str) -> list[float]:
    return look(s, viewer)[s.variant.layout.slices[name]].tolist()


def check(s: Position) -> None:
    """Nothing is lost or made, and every field is within its bounds."""
    assert broken(s.array) == []
    assert GAME.fields.out_of_bounds(s.array) == []
