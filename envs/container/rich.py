"""The parts that encoding="rich" adds to the observation: thermometers of counts, and what follows from the rules."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.engine.encoding import cut, put_levels, seat_at, share
from ..core.engine.kernel import kernel
from ..core.spec.fields import Visibility
from ..core.spec.layout import Part
from .rules.buying import can_buy_machine, can_buy_warehouse
from .rules.producing import producible
from .rules.scoring import colours_out, island_value
from .rules.stores import factory_size, harbour_size, machine_count, total
from .tables import (
    CARD_VALUES,
    COLOURS,
    EMPTY,
    FACTORY_PRICES,
    FACTORY_ROOM,
    FIVE_TEN,
    FULL_SET_VALUE,
    HARBOUR_PRICES,
    HARBOUR_ROOM,
    HARBOUR_VALUE,
    LOAN_AT_THE_END,
    MACHINE_SLOTS,
    SHIP_ROOM,
    SHIP_VALUE,
    STORED_A_MACHINE,
    STORED_A_WAREHOUSE,
)

MONEY_LEVELS = np.array([1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70])
SUPPLY_LEVELS = np.array([1, 2, 3, 5, 8])
ISLAND_LEVELS = np.array([1, 2, 3, 4])
CARGO_LEVELS = np.arange(1, SHIP_ROOM + 1)

# Scales: what counts as 1; more is cut.
OFFERED, WORTH, GAIN, LEAD = 4.0, 60.0, 30.0, 50.0


def rich_parts(options: Mapping[str, Any]) -> list[Part]:
    """The parts, in the order in which `put_rich` writes them. Parts by player begin with the seat itself."""
    players = options["players"]
    parts = [
        Part.levels("money_levels", 1, MONEY_LEVELS, "own money"),
        Part.levels("supply_levels", COLOURS, SUPPLY_LEVELS, "containers in the supply, by colour"),
        Part("colours_out", 1, 1, "colours that have run out of the supply, of 2"),
        Part("affordable", COLOURS + 1, 1, "what the own money buys now: a machine of each colour, a warehouse"),
        Part("island_worth", 1, 1, "what the own island is worth by the own card, of 60"),
        Part(
            "factory_offers",
            COLOURS * FACTORY_PRICES,
            1,
            "containers in the others' factory stores, by colour, at each price or less, of 4",
        ),
        Part(
            "harbour_offers",
            COLOURS * HARBOUR_PRICES,
            1,
            "containers in the others' harbour stores, by colour, at each price or less, of 4",
        ),
        Part.levels("island_levels", players * COLOURS, ISLAND_LEVELS, "on the island, by player and colour"),
        Part.levels("cargo_levels", players, CARGO_LEVELS, "containers on the ship, by player"),
        Part("cargo_worth", players, 1, "by player: what the ship's cargo would add to the worth of the own island, of 30", low=-1),
        Part("production", players, 1, "by player: containers that it could produce now, of 4"),
        Part("factory_room", players, 1, "by player: free room in the factory store, of 8"),
        Part("harbour_room", players, 1, "by player: free room in the harbour store, of 5"),
        Part("cheapest_factory", players * FACTORY_PRICES, 1, "by player: its factory store has a container at each price or less"),
        Part("cheapest_harbour", players * HARBOUR_PRICES, 1, "by player: its harbour store has a container at each price or less"),
    ]
    if options["visibility"] == "open":
        parts += [
            Part.levels("opponents_money_levels", players - 1, MONEY_LEVELS, "money by opponent"),
            Part("lead", players - 1, 1, "over each opponent: in money, harbour store, cargo and loans as they are scored, of 50", low=-1),
        ]
    return parts


@kernel
def worth_with(s, me, seat):  # CT-END-2, CT-END-3
    """What the own island would be worth with the cargo of that seat's ship on it."""
    card = int(s.value_card[me])
    five_ten = (card + FIVE_TEN) % COLOURS
    most, kinds = 0, 0
    for colour in range(COLOURS):
        held = int(s.island[me, colour]) + int(s.cargo[seat, colour])
        most = max(most, held)
        kinds += int(held > 0)
    worth, discarded, least = 0, EMPTY, 0
    for colour in range(COLOURS):
        held = int(s.island[me, colour]) + int(s.cargo[seat, colour])
        value = FULL_SET_VALUE if colour == five_ten and kinds == COLOURS else int(CARD_VALUES[(colour - card) % COLOURS])
        worth += held * value
        if held == most and discarded != five_ten and (discarded == EMPTY or colour == five_ten or value < least):
            discarded, least = colour, value
    return worth - most * least


@kernel
def put_offers(stores, me, players, out, at):
    """By colour and price, in the stores of all others."""
    for colour in range(COLOURS):
        count = 0
        for price in range(stores.shape[2]):
            for offset in range(1, players):
                count += int(stores[seat_at(offset, me, players), colour, price])
            out[at] = share(count, OFFERED)
            at += 1
    return at


@kernel
def put_cheapest(store, out, at):
    found = 0
    for price in range(store.shape[1]):
        for colour in range(COLOURS):
            if store[colour, price] > 0:
                found = 1
        out[at + price] = found
    return at + store.shape[1]


@kernel
def put_player(s, me, seat, players, offset, out, at):
    """The parts by player, each `players` rows long: those of one player."""
    row = at + offset * COLOURS * ISLAND_LEVELS.size
    for colour in range(COLOURS):
        row = put_levels(int(s.island[seat, colour]), ISLAND_LEVELS, out, row)
    at += players * COLOURS * ISLAND_LEVELS.size
    put_levels(total(s.cargo[seat]), CARGO_LEVELS, out, at + offset * CARGO_LEVELS.size)
    at += players * CARGO_LEVELS.size
    out[at + offset] = share(worth_with(s, me, seat) - island_value(s, me), GAIN)
    at += players
    room = max(STORED_A_MACHINE * machine_count(s, seat) - factory_size(s, seat), 0)
    out[at + offset] = share(min(producible(s, seat), room), float(MACHINE_SLOTS))
    at += players
    out[at + offset] = share(room, float(FACTORY_ROOM))
    at += players
    out[at + offset] = share(max(STORED_A_WAREHOUSE * int(s.warehouses[seat]) - harbour_size(s, seat), 0), float(HARBOUR_ROOM))
    at += players
    put_cheapest(s.factory[seat], out, at + offset * FACTORY_PRICES)
    at += players * FACTORY_PRICES
    put_cheapest(s.harbour[seat], out, at + offset * HARBOUR_PRICES)
    return at + players * HARBOUR_PRICES


@kernel
def shown_assets(s, seat):  # CT-END-4
    """The final money without the island, whose worth is secret."""
    return (
        int(s.money[seat])
        + HARBOUR_VALUE * harbour_size(s, seat)
        + SHIP_VALUE * total(s.cargo[seat])
        - LOAN_AT_THE_END * int(s.loans[seat])
    )


@kernel
def put_rich(s, me, players, out, at):
    """`s` is a record masked for `me`. `out` holds the compact parts up to `at`, and 0 from there on."""
    cut(out, at)
    at = put_levels(int(s.money[me]), MONEY_LEVELS, out, at)
    for colour in range(COLOURS):
        at = put_levels(int(s.supply[colour]), SUPPLY_LEVELS, out, at)
    out[at] = share(colours_out(s), 2.0)
    for colour in range(COLOURS):
        out[at + 1 + colour] = 1 if can_buy_machine(s, me, colour) else 0
    out[at + 1 + COLOURS] = 1 if can_buy_warehouse(s, me) else 0
    out[at + 2 + COLOURS] = share(island_value(s, me), WORTH)
    at = put_offers(s.factory, me, players, out, at + 3 + COLOURS)
    at = put_offers(s.harbour, me, players, out, at)
    end = at
    for offset in range(players):
        end = put_player(s, me, seat_at(offset, me, players), players, offset, out, at)
    if s.visibility == Visibility.OPEN:
        lead_at = end + (players - 1) * MONEY_LEVELS.size
        for offset in range(1, players):
            seat = seat_at(offset, me, players)
            end = put_levels(int(s.money[seat]), MONEY_LEVELS, out, end)
            out[lead_at + offset - 1] = share(shown_assets(s, me) - shown_assets(s, seat), LEAD)
