"""What the box of Santiago de Cuba holds, and the final scores counted another way."""

from typing import Any

import numpy as np

FUZZ = 100_000  # random games
LONGEST = 40_000  # decisions: 1,000 turns (SC-STALL-1) of at most 40 each
PIECES = 8  # of each good
MARKERS = 3  # a player


def broken(states: np.ndarray) -> list[str]:
    """What is wrong in a batch of states: nothing, if the rules keep all pieces."""
    wrong = []
    players = int(states["players"][0])
    if (states["goods"].sum(axis=1) + states["supply"] != PIECES).any():
        wrong.append("goods")
    if (states["goods"][:, players:] != 0).any():
        wrong.append("goods of a seat that nobody takes")
    for seat in range(players):
        if ((states["owner"] == seat).sum(axis=1) + states["markers"][:, seat] != MARKERS).any():
            wrong.append(f"markers of seat {seat}")
    for name, kinds in (("street", 9), ("sites", 12)):
        if ((1 << states[name].astype(np.int64)).sum(axis=1) != (1 << kinds) - 1).any():
            wrong.append(f"{name}: not each one once")
    if ((8 ** states["flower"].astype(np.int64)).sum(axis=1) != 3 * (1 + 8 + 64 + 512)).any():
        wrong.append("flowers: not three buildings each")
    pawns = states["pawn"]
    for seat in range(players):
        for other in range(seat):
            if ((pawns[:, seat] == pawns[:, other]) & (pawns[:, seat] >= 0)).any():
                wrong.append("two pawns in one building")
    if ((states["in_port"] == 0) & (states["demand"].sum(axis=1) > 0)).any():
        wrong.append("demand without a ship")
    if ((states["in_port"] == 1) & (states["demand"].sum(axis=1) == 0)).any():
        wrong.append("a ship that wants nothing")
    if ((states["demand"] > 0).sum(axis=1) > 4).any():
        wrong.append("five goods in demand")
    return wrong


def recount(state: Any) -> tuple[list[int], list[int]]:
    """SC-END-2 by sorting, not by comparing pairs."""
    players = int(state["players"])
    keys = []
    for seat in range(players):
        goods = int(state["goods"][seat].sum())
        keys.append((int(state["points"][seat]) + goods // 3, goods, int(state["pesos"][seat])))
    order = sorted(keys, reverse=True)
    return [key[0] for key in keys], [order.index(key) + 1 for key in keys]
