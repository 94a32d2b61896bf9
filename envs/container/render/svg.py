"""The table as SVG: island, supply and Investment Bank at the top, then the open sea, then the players' boards."""

from collections.abc import Iterator
from typing import Any

from ...core.render.labels import is_over, player
from ...core.render.svg import INK, document, group, label, panel, path, rect
from ..tables import (
    BANK,
    BROKER_NAMES,
    BROKERS,
    COLOUR_NAMES,
    COLOURS,
    EMPTY,
    FACTORY,
    FACTORY_PRICE,
    FACTORY_PRICES,
    HARBOUR,
    HARBOUR_PRICE,
    HARBOUR_PRICES,
    ISLAND,
    MACHINE_COST,
    MACHINE_SLOTS,
    SEA,
    WAREHOUSE_COST,
    WAREHOUSE_SLOTS,
)
from .labels import amount, box_name, card_values, decision, is_secret, loans, outcome, standings, turn

WIDTH, HEIGHT = 1200, 860
MARGIN, HEADER = 12, 60
TOP = HEADER + MARGIN
UPPER = 252  # height of the upper row
WAVES = TOP + UPPER + MARGIN  # where the open sea begins
SEA_HEIGHT = 64
BOARDS = WAVES + SEA_HEIGHT + MARGIN
BOARD_HEIGHT = HEIGHT - BOARDS - MARGIN
BLOCK = (26, 11)  # a container
SHIP_WIDTH = 84

GROUND, PAPER, FRAME, QUIET = "#e8ecef", "#ffffff", "#c3ccd3", "#66727c"
WATER, DEEP, QUAY, SHELF = "#a9d3e6", "#1d4a61", "#d5dde2", "#f1f4f6"
DECIDED = "#d87a00"  # around who decides now
SEAT_COLOURS = ("#00796b", "#ad1457", "#3949ab", "#b26500", "#5d4037")
COLOURS_OF = ("#35302c", "#8a5a33", "#7b3fa0", "#e3cfa4", "#9aa3aa")
INKS = ("#ffffff", "#ffffff", "#ffffff", INK, INK)


def svg(view: Any, seat: int) -> str:
    """The whole table, 1200 by 860."""
    parts = [
        rect(0, 0, WIDTH, HEIGHT, GROUND),
        *header(view, seat),
        *supply(view, seat),
        *island(view, seat),
        *(bank(view) if shows_bank(view) else value_card(view, seat)),
        *open_sea(view),
    ]
    room = (WIDTH - MARGIN) / view.players
    for other in range(view.players):
        parts.append(group(board(view, other, seat, room - MARGIN), MARGIN + other * room, BOARDS))
    return document(WIDTH, HEIGHT, f"Container, seen by player_{seat}", parts)


def header(view: Any, seat: int) -> Iterator[str]:
    yield rect(0, 0, WIDTH, HEADER, "#23313b")
    yield label(20, 22, "Container", 22, "#ffffff", "start", True)
    yield label(WIDTH - 20, 22, f"{turn(view)}, seen by player_{seat}", 14, "#c9d6df", "end")
    yield label(20, 45, outcome(view, seat) if is_over(view) else decision(view, seat), 15, "#ffe9b8", "start", room=WIDTH - 40)


def block(x: float, y: float, colour: int, width: float = BLOCK[0]) -> str:
    return rect(x, y, width, BLOCK[1], COLOURS_OF[colour], 2, "#ffffff", 1)


def count_of(x: float, y: float, colour: int, count: Any) -> str:
    """A container with a number on it; faint if there is none."""
    piece = rect(x, y, 34, 20, COLOURS_OF[colour], 3) + label(x + 17, y + 10, str(count), 13, INKS[colour], bold=True)
    return piece if count else group([piece], opacity=0.22)


def ship(view: Any, owner: int) -> Iterator[str]:
    """A hull in its owner's colour with the cargo on deck."""
    cargo = [colour for colour in range(COLOURS) for _ in range(int(view.cargo[owner, colour]))]
    for at, colour in enumerate(cargo):
        yield rect(8 + 13 * at, 4, 12, 11, COLOURS_OF[colour], 1, "#ffffff", 0.7)
    yield path(f"M0 16 H{SHIP_WIDTH} L{SHIP_WIDTH - 10} 34 H10 Z", SEAT_COLOURS[owner])
    yield label(SHIP_WIDTH / 2, 25, f"P{owner}", 12, "#ffffff", bold=True)


def ships_at(view: Any, place: int, x: float, y: float, gap: float, scale: float = 1) -> Iterator[str]:
    docked = [seat for seat in range(view.players) if view.ship_at[seat] == place]
    for at, seat in enumerate(docked):
        moved = f"translate({x + at * gap:.2f} {y:.2f}) scale({scale:.2f})"
        yield f'<g transform="{moved}">{"".join(ship(view, seat))}</g>'


# Above


def shows_bank(view: Any) -> bool:
    """The final scores take the Investment Bank's place at the end."""
    return bool(view.investment_bank) and not is_over(view)


def supply(view: Any, seat: int) -> Iterator[str]:
    """With the value of a container to the viewer, if the bank leaves no room for the card."""
    x, width = MARGIN, 236
    yield panel(x, TOP, width, UPPER, "Supply", PAPER, FRAME)
    values = [said.split()[-1] for said in card_values(view, seat).split(", ")] if shows_bank(view) else []
    for at, heading in ((76, "containers"), (132, "machines"), (188, "your card"))[: 3 if values else 2]:
        yield label(x + at + 17, TOP + 38, heading, 11, QUIET, room=54)
    for colour, value in enumerate(values):
        yield label(x + 205, TOP + 62 + 32 * colour, value, 13, bold=True)
    for colour, name in enumerate(COLOUR_NAMES):
        y = TOP + 52 + 32 * colour
        yield label(x + 14, y + 10, name, 13, anchor="start")
        yield count_of(x + 76, y, colour, view.supply[colour])
        yield count_of(x + 132, y, colour, view.machine_stock[colour])
    yield label(x + 14, TOP + 226, f"{view.warehouse_stock} warehouses", 13, anchor="start")


def island(view: Any, seat: int) -> Iterator[str]:
    x, width = MARGIN + 248, 470
    yield rect(x, TOP, width, UPPER, "#f3ead2", 18, "#d8c48f", 2)
    yield label(x + 14, TOP + 18, "Foreign island", 13, "#6d6154", "start", True)
    bids = view.seller != EMPTY
    if bids:
        yield label(x + 300, TOP + 18, f"shown bids, auction of P{view.seller}", 11, "#6d6154", room=180)
    for other in range(view.players):
        y = TOP + 36 + 30 * other
        yield rect(x + 12, y, 74, 22, SEAT_COLOURS[other], 4)
        yield label(x + 49, y + 11, f"P{other}", 13, "#ffffff", bold=True)
        for colour in range(COLOURS):
            yield count_of(x + 98 + 40 * colour, y + 1, colour, view.island[other, colour])
        if bids and other != view.seller:
            strong = bool(view.standing[other]) and not is_secret(view)
            yield label(x + 330, y + 11, f"${view.shown_bid[other]}", 14, DECIDED if strong else INK, bold=strong)
    yield from ships_at(view, ISLAND, x + 14, TOP + UPPER - 54, 90)


def value_card(view: Any, seat: int) -> Iterator[str]:
    x = MARGIN + 248 + 482
    width = WIDTH - MARGIN - x
    yield panel(x, TOP, width, UPPER, "Final money" if is_over(view) else "Your value card", PAPER, FRAME)
    if is_over(view):
        for at, row in enumerate(standings(view)):
            yield label(x + 20, TOP + 50 + 30 * at, f"{row.rank}. {player(row.seat, seat)}", 15, anchor="start")
            yield label(x + width - 20, TOP + 50 + 30 * at, f"${row.final}", 15, anchor="end", bold=True)
        return
    for colour, said in enumerate(card_values(view, seat).split(", ")):
        y = TOP + 46 + 36 * colour
        yield rect(x + 20, y, 60, 24, COLOURS_OF[colour], 3)
        yield label(x + 50, y + 12, said.split()[-1], 14, INKS[colour], bold=True)
        yield label(x + 96, y + 12, COLOUR_NAMES[colour], 14, anchor="start")


def bank(view: Any) -> Iterator[str]:
    x = MARGIN + 248 + 482
    width = WIDTH - MARGIN - x
    yield panel(x, TOP, width, UPPER, "Investment Bank", PAPER, FRAME)
    for broker in range(BROKERS):
        y = TOP + 30 + 34 * broker
        yield label(x + 24, y + 14, BROKER_NAMES[broker], 16, bold=True)
        for box, at, size in ((broker, 44, 216), (broker + BROKERS, 268, 66)):
            marked = view.marked == box
            yield rect(x + at, y, size, 28, SHELF, 4, DECIDED if marked else FRAME, 3 if marked else 1)
        for colour in range(COLOURS):
            yield count_of(x + 52 + 42 * colour, y + 4, colour, view.box_containers[broker, colour])
        yield label(x + 301, y + 14, f"${view.box_money[broker]}", 15, bold=True)
    held = "Payment card: free"
    if view.payer != EMPTY:
        money = f"${view.payment_money} " if view.marked < BROKERS else ""
        held = f"Payment card: P{view.payer} bids {money}for {box_name(int(view.marked))}"
    y = TOP + 146
    yield label(x + 14, y, held, 13, anchor="start", room=width - 24)
    bid = [colour for store in (FACTORY, HARBOUR) for colour in range(COLOURS) for _ in range(int(view.payment[store, colour]))]
    for at, colour in enumerate(bid):
        yield block(x + 14 + 29 * at, y + 10, colour)
    for other in range(view.players):
        step = (width - 22) / view.players
        at = x + 14 + step * other
        yield rect(at, TOP + 176, step - 6, 66, WATER, 6)
        yield label(at + 16, TOP + 188, f"P{other}", 11, DEEP, bold=True)
        kept = [colour for colour in range(COLOURS) for _ in range(int(view.bank_harbour[other, colour]))]
        for place, colour in enumerate(kept):
            yield rect(at + 4 + 13 * (place % 6), TOP + 196 + 9 * (place // 6), 11, 7, COLOURS_OF[colour], 1, "#ffffff", 0.5)
        if view.ship_at[other] == BANK:
            yield f'<g transform="translate({at + 26:.2f} {TOP + 174:.2f}) scale(0.62)">{"".join(ship(view, other))}</g>'


def open_sea(view: Any) -> Iterator[str]:
    yield rect(MARGIN, WAVES, WIDTH - 2 * MARGIN, SEA_HEIGHT, WATER, 10)
    yield label(MARGIN + 14, WAVES + 16, "Open sea", 13, DEEP, "start", True)
    yield from ships_at(view, SEA, MARGIN + 130, WAVES + 16, 130)


# The players


def board(view: Any, other: int, seat: int, width: float) -> Iterator[str]:
    """One player's harbour, with the ships in it, above the factory."""
    decides = not is_over(view) and (view.standing[other] if is_secret(view) else other == view.seat)
    yield rect(0, 0, width, BOARD_HEIGHT, PAPER, 8, DECIDED if decides else FRAME, 3 if decides else 1)
    yield rect(0, 0, width, 30, SEAT_COLOURS[other], 8)
    active = " *" if other == view.active and not is_over(view) else ""
    yield label(12, 15, player(other, seat) + active, 14, "#ffffff", "start", True, width * 0.6)
    yield label(width - 12, 15, amount(view.money[other]), 16, "#ffffff", "end", True)
    yield label(12, 44, loans(view, other), 12, INK if view.loans[other] else QUIET, "start")
    yield rect(8, 56, width - 16, 40, WATER, 6)
    yield from ships_at(view, other, 14, 66, (width - 28) / 4, min(0.72, (width - 40) / 4 / SHIP_WIDTH))
    yield from store(view.harbour[other], 104, width, HARBOUR_PRICE, HARBOUR_PRICES, 5)
    yield from slots(
        214, width, WAREHOUSE_SLOTS, [QUAY if at >= view.warehouses[other] else "#78909c" for at in range(WAREHOUSE_SLOTS)], WAREHOUSE_COST
    )
    yield label(12, 104 + 8, "Harbour store", 11, QUIET, "start")
    yield from store(view.factory[other], 256, width, FACTORY_PRICE, FACTORY_PRICES, 8)
    yield label(12, 256 + 8, "Factory store", 11, QUIET, "start")
    machines = [COLOURS_OF[colour] for colour in range(COLOURS) if view.machines[other, colour]]
    yield from slots(402, width, MACHINE_SLOTS, machines + [QUAY] * (MACHINE_SLOTS - len(machines)), MACHINE_COST)


def store(counts: Any, y: float, width: float, first: int, prices: int, most: int) -> Iterator[str]:
    """One shelf per price, containers from the bottom up."""
    step = (width - 16) / prices
    height = most * (BLOCK[1] + 1) + 8
    for at in range(prices):
        x = 8 + at * step
        yield rect(x + 2, y + 16, step - 4, height, SHELF, 4, FRAME, 1)
        stored = [colour for colour in range(COLOURS) for _ in range(int(counts[colour][at]))]
        for up, colour in enumerate(stored):
            size = min(BLOCK[0] + 8, step - 10)
            yield block(x + (step - size) / 2, y + 16 + height - 4 - (up + 1) * (BLOCK[1] + 1), colour, size)
        yield label(x + step / 2, y + 24 + height, f"${first + at}", 12, bold=True)


def slots(y: float, width: float, count: int, fills: list[str], costs: Any) -> Iterator[str]:
    """Warehouses or machines, and what the free slots cost."""
    step = (width - 16) / count
    for at in range(count):
        free = fills[at] == QUAY
        yield rect(8 + at * step + 3, y, step - 6, 20, fills[at], 3, FRAME, 1)
        if free:
            yield label(8 + (at + 0.5) * step, y + 10, f"${costs[at]}", 11, QUIET)
