"""The table as text, as one seat sees it."""

from typing import Any

from ...core.render.labels import heading, is_over, joined, player
from ...core.render.views import plain_view
from ...core.render.words import many
from ..tables import (
    BROKER_NAMES,
    BROKERS,
    COLOUR_NAMES,
    EMPTY,
    FACTORY_PRICE,
    FACTORY_PRICES,
    HARBOUR_PRICE,
    HARBOUR_PRICES,
    STORED_A_MACHINE,
    STORED_A_WAREHOUSE,
)
from .labels import amount, card_values, containers, decision, loans, money, outcome, payment, place, sources, standings, turn
from .svg import svg

__all__ = ["svg", "text"]

COLUMN = 9


def text(view: Any, seat: int | None) -> str:
    """The whole table in plain lines, without colours."""
    view = plain_view(view)
    parts = [header(view, seat), supply(view)]
    if is_over(view):
        parts.insert(1, final_scores(view, seat))
    parts += [board(view, other, seat) for other in range(view.players)]
    if view.seller != EMPTY:
        parts.append(auction(view, seat))
    if view.investment_bank:
        parts.append(bank(view))
    return joined(parts)


def header(view: Any, seat: int | None) -> list[str]:
    title = f"CONTAINER, {turn(view)}"
    now = outcome(view, seat) if is_over(view) else decision(view, seat)
    return [*heading(title, seat), now]


def final_scores(view: Any, seat: int | None) -> list[str]:
    """CT-END-4, by source and with the tie-break."""
    lines = [f"{'FINAL MONEY':<22}" + "".join(f"{name:>9}" for name in [*sources(view), "final"]) + f"{'in the factory store':>24}"]
    for row in standings(view):
        values = [row.parts[source] for source in sources(view)] + [row.final]
        name = f"{row.rank}. {player(row.seat, seat)}"
        lines.append(f"{name:<22}" + "".join(f"{money(value):>9}" for value in values) + f"{row.stored:>24}")
    return lines


def supply(view: Any) -> list[str]:
    def row(label: str, cells: Any) -> str:
        return f"{label:<14}" + "".join(f"{cell!s:>{COLUMN}}" for cell in cells)

    return [
        row("SUPPLY", COLOUR_NAMES),
        row("  containers", view.supply),
        row("  machines", view.machine_stock),
        f"  {many(view.warehouse_stock, 'warehouse')}",
    ]


def store(counts: Any, first: int, prices: int) -> str:
    """The containers for sale by price, as in `$2: black, black   $5: grey`."""
    shelves = []
    for at in range(prices):
        names = [colour for colour, row in zip(COLOUR_NAMES, counts, strict=True) for _ in range(row[at])]
        if names:
            shelves.append(f"${first + at}: {', '.join(names)}")
    return "   ".join(shelves) or "-"


def board(view: Any, other: int, seat: int | None) -> list[str]:
    machines = [colour for colour, owned in zip(COLOUR_NAMES, view.machines[other], strict=True) if owned]
    marks = "   * active" if other == view.active and not is_over(view) else ""
    full = f"{view.factory[other].sum()} of {STORED_A_MACHINE * len(machines)}"
    stored = f"{view.harbour[other].sum()} of {STORED_A_WAREHOUSE * view.warehouses[other]}"
    lines = [
        f"{player(other, seat).upper()}   {amount(view.money[other])}   {loans(view, other)}{marks}",
        f"  machines      {', '.join(machines)}",
        f"  factory store {full:<8}{store(view.factory[other], FACTORY_PRICE, FACTORY_PRICES)}",
        f"  harbour store {stored:<8}{store(view.harbour[other], HARBOUR_PRICE, HARBOUR_PRICES)}",
        f"  ship          {place(view, other)}: {containers(view.cargo[other])}",
        f"  island        {containers(view.island[other])}",
        f"  value card    {card_values(view, other).removeprefix('value card ')}",
    ]
    if view.investment_bank:
        lines.append(f"  bank harbour  {containers(view.bank_harbour[other])}")
    return lines


def auction(view: Any, seat: int | None) -> list[str]:
    bids = [
        f"player_{other} ${view.shown_bid[other]}{' *' if view.standing[other] else ''}"
        for other in range(view.players)
        if other != view.seller
    ]
    return [f"AUCTION of {player(view.seller, seat)}, the latest; * still in it", f"  shown bids    {', '.join(bids)}"]


def bank(view: Any) -> list[str]:
    lines = ["INVESTMENT BANK"]
    for broker in range(BROKERS):
        marks = [" *" if view.marked == box else "" for box in (broker, broker + BROKERS)]
        held = f"{containers(view.box_containers[broker])}{marks[0]}"
        lines.append(f"  broker {BROKER_NAMES[broker]:<7}${view.box_money[broker]}{marks[1]}   {held}")
    lines.append(f"  * {payment(view)}" if view.payer != EMPTY else f"  {payment(view)}")
    return lines
