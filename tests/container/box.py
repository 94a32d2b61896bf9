"""What the box of Container holds, and the final scores counted another way."""

from collections import Counter
from typing import Any

import numpy as np

from tradewinds.envs.container.state import Phase

FUZZ = 12_000  # random games
LONGEST = 30_000  # decisions: 300 turns (CT-STALL-1) of at most 100 each
WAREHOUSES = {3: 12, 4: 16, 5: 20}
MACHINES = {3: 2, 4: 3, 5: 4}  # of each colour
CONTAINERS = {3: 10, 4: 13, 5: 16}  # of each colour


def containers(states: np.ndarray) -> np.ndarray:
    """All containers of each colour, wherever they are: (size, 5)."""
    count = states["supply"].astype(np.int64) + states["removed"]
    for field in ("cargo", "island", "bank_harbour", "box_containers", "payment", "pile"):
        count += states[field].sum(axis=1)
    for field in ("factory", "harbour"):
        count += states[field].sum(axis=(1, 3))
    return count


def broken(states: np.ndarray) -> list[str]:
    """What is wrong in a batch of states: nothing, if the rules keep all pieces."""
    wrong = []
    players = int(states["players"][0])
    bank = states["investment_bank"][0]
    of_the_bank = containers(states) - CONTAINERS[players]
    # At most one container of a colour was drawn for the Investment Bank.
    if (of_the_bank < 0).any() or (of_the_bank > bank).any():
        wrong.append("containers")
    if (states["machine_stock"] + states["machines"].sum(axis=1) != MACHINES[players]).any():
        wrong.append("machines")
    if (states["warehouse_stock"] + states["warehouses"].sum(axis=1) != WAREHOUSES[players]).any():
        wrong.append("warehouses")
    held = states["money"].sum(axis=1) + states["box_money"].sum(axis=1) + states["payment_money"]
    if (held != states["issued"]).any():
        wrong.append("money that the bank did not give out")
    factory = states["factory"].sum(axis=(2, 3))
    harbour = states["harbour"].sum(axis=(2, 3))
    for seat in range(players):
        bidding = (states["payer"] == seat) & (states["phase"] != Phase.PAY)  # a bid that is being paid has left the stores
        bid = bidding[:, None] * states["payment"].sum(axis=2)
        if (factory[:, seat] + bid[:, 0] > 2 * states["machines"][:, seat].sum(axis=1)).any():
            wrong.append(f"the factory store of seat {seat} is overfull")
        if (harbour[:, seat] + bid[:, 1] > states["warehouses"][:, seat]).any():
            wrong.append(f"the harbour store of seat {seat} is overfull")
        if (states["cargo"][:, seat].sum(axis=1) > 5).any():
            wrong.append(f"the ship of seat {seat} is overfull")
        if (states["ship_at"][:, seat] == seat).any():
            wrong.append(f"the ship of seat {seat} is in its own harbour")
    if (states["fresh"] > states["loans"]).any():
        wrong.append("loans")
    for field in ("factory", "harbour", "cargo", "island", "machines", "warehouses", "money", "loans", "bank_harbour"):
        if states[field][:, players:].any():
            wrong.append(f"{field} of a seat that nobody takes")
    if not bank and any(states[field].any() for field in ("bank_harbour", "box_containers", "box_money", "payment", "payment_money")):
        wrong.append("the Investment Bank in a game without it")
    calling = (states["phase"] == Phase.CALL_MONEY) | (states["phase"] == Phase.CALL_CONTAINERS)
    if (((states["payer"] == -1) != (states["marked"] == -1)) & ~calling).any():
        wrong.append("one of the Investment Bank's cards without the other")
    if ((1 << states["value_card"].astype(np.int64)).sum(axis=1) != 31).any():
        wrong.append("value cards: not each one once")
    return wrong


def recount(state: Any) -> tuple[list[int], list[int]]:
    """CT-END-2, CT-END-3 and CT-END-4 by lists of containers and by sorting."""
    keys = []
    for seat in range(int(state["players"])):
        card = int(state["value_card"][seat])
        ring = [10, 5, 6, 4, 2]
        value = {(card + i) % 5: worth for i, worth in enumerate(ring)}
        special = (card + 1) % 5
        island = Counter({colour: int(count) for colour, count in enumerate(state["island"][seat]) if count})
        if len(island) == 5:
            value[special] = 10
        if island:
            most = max(island.values())
            tied = [colour for colour, count in island.items() if count == most]
            del island[special if special in tied else min(tied, key=lambda colour: value[colour])]
        money = sum(value[colour] * count for colour, count in island.items())
        money += 2 * int(state["harbour"][seat].sum()) + 3 * int(state["cargo"][seat].sum() + state["bank_harbour"][seat].sum())
        money += int(state["money"][seat]) - 11 * int(state["loans"][seat])
        keys.append((money, int(state["factory"][seat].sum())))
    order = sorted(keys, reverse=True)
    return [key[0] for key in keys], [order.index(key) + 1 for key in keys]
