"""The table as a picture: supply, island and auction above, the open sea, and the players' boards below."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...core.render.labels import is_over, player, seen_by, titled
from ...core.render.svg import (
    DECIDED,
    INK,
    SEAT_COLOURS,
    area,
    banner,
    bounds,
    circle,
    document,
    frame,
    group,
    label,
    panel,
    path,
    place,
    polygon,
    rect,
    title_bar,
)
from ...core.render.views import plain_view
from ...core.spec.fields import HIDDEN
from ..state import Phase
from ..tables import (
    BANK,
    BROKER_NAMES,
    BROKERS,
    CARD_VALUES,
    COLOUR_NAMES,
    COLOURS,
    EMPTY,
    FACTORY,
    FACTORY_PRICE,
    FACTORY_PRICES,
    FIVE_TEN,
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
from . import words
from .labels import amount, box_name, decision, is_secret, loans, money, outcome, sources, standings, turn

WIDTH, MARGIN, HEADER = 1200, 12, 60
TOP = HEADER + MARGIN
UPPER, BANK_HEIGHT, SEA_HEIGHT, BOARD_HEIGHT = 240, 124, 64, 450  # the rows
BLOCK = 12  # the height of a container
SHIP_WIDTH = 84

GROUND, PAPER, FRAME, QUIET = "#e8ecef", "#ffffff", "#c3ccd3", "#5d6973"
WATER, DEEP, QUAY, SHELF, YARD = "#a9d3e6", "#1d4a61", "#d5dde2", "#ffffff", "#eef2f4"
COLOURS_OF = tuple(words.COLOURS.values())
INKS = ("#ffffff", "#ffffff", "#ffffff", INK, INK)


def svg(view: Any, seat: int | None, names: Sequence[str] = ()) -> str:
    """The whole table, 1200 wide; for a spectator if the seat is None."""
    view = plain_view(view)
    now = outcome(view, seat) if is_over(view) else decision(view, seat)
    parts = [
        banner(WIDTH, HEADER, "#23313b", "Container", turn(view) + seen_by(seat), now),
        area("supply", "Supply", supply(view)),
        area("island", "Island", island(view)),
        area("scores", "Final money", final_money(view, seat)) if is_over(view) else area("auction", "Auction", auction(view, seat)),
    ]
    y = TOP + UPPER + MARGIN
    if view.investment_bank:
        parts.append(area("bank", "Investment Bank", [group(bank(view), 0, y)]))
        y += BANK_HEIGHT + MARGIN
    parts.append(area("sea", "Open sea", [group(open_sea(view), 0, y)]))
    y += SEA_HEIGHT + MARGIN
    room = (WIDTH - MARGIN) / view.players
    for other in range(view.players):
        drawn = area(f"player:{other}", f"player_{other}", board(view, other, seat, room - MARGIN, names))
        parts.append(group([drawn], MARGIN + other * room, y))
    height = y + BOARD_HEIGHT + MARGIN
    return document(WIDTH, height, f"Container{seen_by(seat)}", [rect(0, 0, WIDTH, height, GROUND), *parts])


# Pieces


def block(x: float, y: float, colour: int, width: float, height: float = BLOCK) -> str:
    """A container. Its ribs tell the colours apart too."""
    ribs = {
        0: f"M{x + width / 3:.2f} {y} v{height} M{x + 2 * width / 3:.2f} {y} v{height}",
        1: f"M{x:.2f} {y + height / 2:.2f} h{width:.2f}",
        2: f"M{x:.2f} {y + height:.2f} l{width:.2f} -{height}",
        4: f"M{x:.2f} {y + height:.2f} l{width:.2f} -{height} M{x:.2f} {y:.2f} l{width:.2f} {height}",
    }.get(colour)
    return rect(x, y, width, height, COLOURS_OF[colour], 2, "#ffffff", 1) + (path(ribs, "none", "#ffffff", 0.8) if ribs else "")


def count_of(x: float, y: float, colour: int, count: Any) -> str:
    """A container with a number on it; faint if there is none."""
    piece = rect(x, y, 34, 20, COLOURS_OF[colour], 3) + label(x + 17, y + 10, str(count), 13, INKS[colour], bold=True)
    return piece if count else group([piece], opacity=0.22)


def ship(view: Any, owner: int) -> Iterator[str]:
    """A hull in its owner's colour with the cargo on deck."""
    cargo = [colour for colour in range(COLOURS) for _ in range(int(view.cargo[owner, colour]))]
    for at, colour in enumerate(cargo):
        yield place(f"cargo:{owner}:{colour}", [block(8 + 14 * at, 2, colour, 13, 13)])
    yield path(f"M0 16 H{SHIP_WIDTH} L{SHIP_WIDTH - 10} 34 H10 Z", SEAT_COLOURS[owner])
    yield label(SHIP_WIDTH / 2, 25, f"P{owner}", 13, "#ffffff", bold=True)


def ships_at(view: Any, where: int, x: float, y: float, gap: float, scale: float = 1) -> Iterator[str]:
    docked = [seat for seat in range(view.players) if view.ship_at[seat] == where]
    for at, seat in enumerate(docked):
        yield group(ship(view, seat), x + at * gap, y, scale=scale)


def seat_mark(x: float, y: float, seat: int) -> str:
    return rect(x, y, 34, 20, SEAT_COLOURS[seat], 4) + label(x + 17, y + 10, f"P{seat}", 13, "#ffffff", bold=True)


# Above


def supply(view: Any) -> Iterator[str]:
    x = MARGIN
    yield panel(x, TOP, 236, UPPER, "Supply", PAPER, FRAME)
    yield label(x + 93, TOP + 38, "containers", 12, QUIET)
    yield label(x + 160, TOP + 38, "machines", 12, QUIET)
    for colour in range(COLOURS):
        y = TOP + 50 + 29 * colour
        yield label(x + 14, y + 10, COLOUR_NAMES[colour], 14, anchor="start")
        yield count_of(x + 76, y, colour, view.supply[colour])
        yield place(f"machine:{colour}", [bounds(x + 138, y - 2, 44, 24), count_of(x + 143, y, colour, view.machine_stock[colour])])
    stock = [bounds(x + 8, TOP + 202, 150, 30), warehouse(x + 14, TOP + 206, "#78909c")]
    yield place("warehouses", [*stock, label(x + 52, TOP + 217, f"{view.warehouse_stock} warehouses", 14, anchor="start")])


def warehouse(x: float, y: float, fill: str) -> str:
    return polygon([(x, y + 22), (x, y + 8), (x + 15, y), (x + 30, y + 8), (x + 30, y + 22)], fill)


def island(view: Any) -> Iterator[str]:
    x, width = MARGIN + 248, 440
    yield place("island", [rect(x, TOP, width, UPPER, "#f3ead2", 18, "#d8c48f", 2)])
    yield label(x + 16, TOP + 17, "Foreign island", 14, "#6d6154", "start", True)
    for other in range(view.players):
        y = TOP + 32 + 28 * other
        yield seat_mark(x + 14, y, other)
        for colour in range(COLOURS):
            yield place(f"island:{other}:{colour}", [count_of(x + 72 + 68 * colour, y, colour, view.island[other, colour])])
    yield path(f"M{x + 12} {TOP + UPPER - 8} q 13 -8 26 0 {'t 26 0 ' * 15}", "none", "#8fc3da", 3)
    yield from ships_at(view, ISLAND, x + 12, TOP + UPPER - 46, 84, 0.97)


def auction(view: Any, seat: int | None) -> Iterator[str]:
    """The lot, and what each bidder has bid as far as this seat knows."""
    x = MARGIN + 248 + 452
    width = WIDTH - MARGIN - x
    is_on = view.phase in (Phase.BID, Phase.SECOND_BID, Phase.SALE)
    yield panel(x, TOP, width, UPPER, "Auction" if is_on else "Latest auction", PAPER, DECIDED if is_on else FRAME)
    if view.seller == EMPTY:
        yield label(x + width / 2, TOP + UPPER / 2, "No ship has come to the island yet", 14, QUIET)
        return
    yield label(x + 16, TOP + 44, "seller", 13, QUIET, "start")
    yield seat_mark(x + 66, TOP + 34, view.seller)
    lot = [colour for colour in range(COLOURS) for _ in range(int(view.cargo[view.seller, colour]))] if is_on else []
    yield label(x + 124, TOP + 44, "lot" if lot else "", 13, QUIET, "start")
    for at, colour in enumerate(lot):
        yield block(x + 152 + 46 * at, TOP + 34, colour, 42, 20)
    bidders = [other for other in range(view.players) if other != view.seller]
    for at, other in enumerate(bidders):
        y = TOP + 68 + 40 * at
        stands = is_on and bool(view.standing[other])
        row = [rect(x + 10, y, width - 20, 34, "#fff3d9" if stands else YARD, 6, *frame(stands, FRAME, 1.5))]
        row += [seat_mark(x + 20, y + 7, other), label(x + 68, y + 17, player(other, seat), 14, anchor="start")]
        row.append(label(x + width - 24, y + 17, bid_of(view, other), 15, anchor="end", bold=True, room=width - 220))
        yield place(f"bid:{other}", row)


def bid_of(view: Any, other: int) -> str:
    """A bid as shown; while bids are secret, what is known of it."""
    shown = f"${view.shown_bid[other]}"
    if not is_secret(view) or not view.standing[other]:
        return shown if not is_secret(view) or view.phase == Phase.SECOND_BID else "out"
    first = f"{shown} + " if view.phase == Phase.SECOND_BID else ""
    if view.bid_digits[other] == HIDDEN:
        return f"{first}sealed"
    if view.bid[other] < 0:
        return f"{shown}, void"
    digits, so_far = int(view.bid_digits[other]), int(view.bid[other])
    return f"{first}${so_far // 10**digits or ''}{'_' * digits}" if digits else f"{first}${so_far}, sealed"


def final_money(view: Any, seat: int | None) -> Iterator[str]:
    """CT-END-4, by source and with the tie-break."""
    x = MARGIN + 248 + 452
    width = WIDTH - MARGIN - x
    columns = [*sources(view), "total", "in store"]  # CT-END-4: ties go by the factory store
    step = (width - 142) / len(columns)
    ends = [x + 132 + step * (at + 1) for at in range(len(columns))]
    yield panel(x, TOP, width, UPPER, "Final money", PAPER, FRAME)
    for end, name in zip(ends, columns, strict=True):
        yield label(end, TOP + 40, name, 12, QUIET, "end", room=step - 4)
    for at, row in enumerate(standings(view)):
        y = TOP + 52 + 34 * at
        yield rect(x + 10, y, width - 20, 30, "#fff3d9" if row.rank == 1 else YARD, 6)
        yield circle(x + 28, y + 15, 11, SEAT_COLOURS[row.seat])
        yield label(x + 28, y + 15, str(row.rank), 13, "#ffffff", bold=True)
        yield label(x + 46, y + 15, player(row.seat, seat), 14, anchor="start", bold=row.rank == 1, room=88)
        values = [money(row.parts[source]) for source in sources(view)]
        for end, name, value in zip(ends, columns, [*values, money(row.final), str(row.stored)], strict=True):
            yield label(end, y + 15, value, 14, anchor="end", bold=name == "total", room=step - 2)


def bank(view: Any) -> Iterator[str]:
    """Brokers, payment card, bank harbours."""
    x = MARGIN
    yield panel(x, 0, WIDTH - 2 * MARGIN, BANK_HEIGHT, "Investment Bank", PAPER, FRAME)
    for broker in range(BROKERS):
        y = 25 + 32 * broker
        yield label(x + 24, y + 14, BROKER_NAMES[broker], 16, bold=True)
        for box, at, size in ((broker, 44, 216), (broker + BROKERS, 268, 66)):
            marked = view.marked == box
            yield place(f"box:{box}", [rect(x + at, y, size, 28, YARD, 4, *frame(marked, FRAME))])
        for colour in range(COLOURS):
            yield count_of(x + 52 + 42 * colour, y + 4, colour, view.box_containers[broker, colour])
        yield label(x + 301, y + 14, f"${view.box_money[broker]}", 15, bold=True)
    yield label(x + 360, 39, "Payment card", 13, QUIET, "start", True)
    held = "free"
    if view.payer != EMPTY:
        money = f"${view.payment_money} " if view.marked < BROKERS else ""
        held = f"P{view.payer} bids {money}for {box_name(int(view.marked))}"
    yield label(x + 360, 61, held, 13, anchor="start", room=290)
    paid = [colour for store in (FACTORY, HARBOUR) for colour in range(COLOURS) for _ in range(int(view.payment[store, colour]))]
    for at, colour in enumerate(paid):
        yield place(f"payment:{colour}", [block(x + 360 + 28 * (at % 10), 76 + 15 * (at // 10), colour, 26)])
    step = 500 / view.players
    for other in range(view.players):
        yield from bank_harbour(view, other, x + 668 + step * other, step - 6)


def bank_harbour(view: Any, other: int, x: float, width: float) -> Iterator[str]:
    yield place(f"bank:{other}", [rect(x, 12, width, BANK_HEIGHT - 22, WATER, 6)])
    yield label(x + 16, 24, f"P{other}", 12, DEEP, bold=True)
    kept = [colour for colour in range(COLOURS) for _ in range(int(view.bank_harbour[other, colour]))]
    for at, colour in enumerate(kept):
        yield place(f"bank:{other}:{colour}", [block(x + 5 + 17 * (at % 5), 34 + 12 * (at // 5), colour, 15, 10)])
    if view.ship_at[other] == BANK:
        yield group(ship(view, other), x + 8, 86, scale=0.7)


def open_sea(view: Any) -> Iterator[str]:
    yield place("sea", [rect(MARGIN, 0, WIDTH - 2 * MARGIN, SEA_HEIGHT, WATER, 10)])
    for line, start in ((18, 700), (34, 880), (50, 760)):
        yield path(f"M{start} {line} q 10 -7 20 0 {'t 20 0 ' * 5}", "none", "#8fc3da", 2.5)
    yield label(MARGIN + 14, 17, "Open sea", 14, DEEP, "start", True)
    yield from ships_at(view, SEA, MARGIN + 130, 14, 120)


# The players


def board(view: Any, other: int, seat: int | None, width: float, names: Sequence[str]) -> Iterator[str]:
    """One player's harbour, with the ships in it, above the factory."""
    decides = not is_over(view) and (view.standing[other] if is_secret(view) else other == view.seat)
    yield rect(0, 0, width, BOARD_HEIGHT, PAPER, 8, *frame(decides, FRAME))
    yield title_bar(width, 30, SEAT_COLOURS[other])
    active = " *" if other == view.active and not is_over(view) else ""
    yield label(12, 15, titled(player(other, seat), other, names) + active, 15, "#ffffff", "start", True, width - 84)
    yield label(width - 12, 15, amount(view.money[other]), 17, "#ffffff", "end", True, 60)
    owed = [bounds(8, 34, 56, 24), label(12, 46, loans(view, other), 13, INK if view.loans[other] else QUIET, "start", room=52)]
    yield place(f"player:{other}:loans", owed)
    yield from value_card(view, other, width)
    yield place(f"player:{other}:quay", [rect(8, 62, width - 16, 42, WATER, 6)])
    yield from ships_at(view, other, 14, 70, (width - 24) / 4, min(0.78, (width - 36) / 4 / SHIP_WIDTH))
    yield from store(view.harbour[other], f"player:{other}:harbour", "Harbour store", 108, width, HARBOUR_PRICE, HARBOUR_PRICES, 5)
    step = (width - 16) / WAREHOUSE_SLOTS
    for at in range(WAREHOUSE_SLOTS):
        x = 8 + at * step + step / 2
        if at < view.warehouses[other]:
            yield warehouse(x - 15, 225, "#78909c")
        else:
            yield warehouse(x - 15, 225, QUAY) + label(x, 239, f"${WAREHOUSE_COST[at]}", 11, QUIET)
    yield from store(view.factory[other], f"player:{other}:factory", "Factory store", 256, width, FACTORY_PRICE, FACTORY_PRICES, 8)
    step = (width - 16) / MACHINE_SLOTS
    machines = [colour for colour in range(COLOURS) if view.machines[other, colour]]
    for at in range(MACHINE_SLOTS):
        x = 8 + at * step + step / 2
        if at < len(machines):
            yield place(f"player:{other}:machine:{machines[at]}", [machine(x, 412, COLOURS_OF[machines[at]])])
        else:
            yield machine(x, 412, QUAY) + label(x, 429, f"${MACHINE_COST[at]}", 11, QUIET)


def machine(x: float, y: float, fill: str) -> str:
    """A factory with a saw-tooth roof."""
    return path(f"M{x - 22:.2f} {y + 26} V{y + 6} l11 -6 v6 l11 -6 v6 l11 -6 v6 h11 V{y + 26} Z", fill)


def value_card(view: Any, other: int, width: float) -> Iterator[str]:
    """What a container on the island is worth to this player, by colour; a question mark where it is hidden."""
    card = int(view.value_card[other])
    wide = min(30, (width - 76) / COLOURS)
    for colour in range(COLOURS):
        x = width - 8 - (COLOURS - colour) * wide
        worth = "?" if card == HIDDEN else str(CARD_VALUES[(colour - card) % COLOURS])
        if card != HIDDEN and (card + FIVE_TEN) % COLOURS == colour:
            worth = "5/10"
        yield rect(x, 36, wide - 2, 20, COLOURS_OF[colour], 3)
        yield label(x + wide / 2 - 1, 46, worth, 13, INKS[colour], bold=True, room=wide - 4)


def store(counts: Any, name: str, title: str, y: float, width: float, first: int, prices: int, most: int) -> Iterator[str]:
    """One shelf a price, containers from below."""
    step = (width - 16) / prices
    height = most * (BLOCK + 1) + 8
    yield place(name, [rect(8, y, width - 16, height + 68, YARD, 6)])
    yield label(14, y + 9, title, 12, QUIET, "start")
    size = min(36, step - 8)
    for at in range(prices):
        x = 8 + at * step
        yield place(f"{name}:{first + at}", [rect(x + 2, y + 18, step - 4, height, SHELF, 4, FRAME, 1)])
        yield label(x + step / 2, y + 28 + height, f"${first + at}", 13, bold=True)
        stored = [colour for colour in range(COLOURS) for _ in range(int(counts[colour][at]))]
        for up, colour in enumerate(stored):
            piece = block(x + (step - size) / 2, y + 14 + height - (up + 1) * (BLOCK + 1), colour, size)
            yield place(f"{name}:{colour}:{first + at}", [piece])
