"""What the box of Toy Market holds, and the final scores counted another way."""

from typing import Any

import numpy as np

FUZZ = 5_000  # random games
LONGEST = 80  # decisions: 20 rounds of 4 players


def broken(states: np.ndarray) -> list[str]:
    """What is wrong in a batch of states: nothing, if the rules keep all crates."""
    wrong = []
    players = int(states["players"][0])
    if (states["crates"].sum(axis=1) + states["market"] != 20).any():
        wrong.append("crates")
    for name in ("crates", "coins", "card"):
        if (states[name][:, players:] != 0).any():
            wrong.append(f"{name} of a seat that nobody takes")
    if (states["card"][:, :players] == 0).any():
        wrong.append("a player without a card")
    return wrong


def recount(state: Any) -> tuple[list[int], list[int]]:
    """By sorting, not by comparing pairs."""
    keys = []
    for seat in range(int(state["players"])):
        crates = int(state["crates"][seat])
        keys.append((int(state["coins"][seat]) + sum([int(state["card"][seat])] * crates), crates))
    order = sorted(keys, reverse=True)
    return [key[0] for key in keys], [order.index(key) + 1 for key in keys]
