"""Where the money of a finished game comes from."""

from typing import Any

import numpy as np

from ..tables import BANK_HARBOUR_VALUE, CARD_VALUES, COLOURS, FIVE_TEN, FULL_SET_VALUE, HARBOUR_VALUE, LOAN_AT_THE_END, SHIP_VALUE


def breakdown(record: Any) -> list[dict[str, int]]:
    """The sources of each seat's final money (CT-END-4, CT-IB-END-1); they add up to it."""
    return [_of_seat(record, seat) for seat in range(int(record["players"]))]


def _of_seat(record: Any, seat: int) -> dict[str, int]:
    return {
        "island": _island(np.asarray(record["island"][seat], int), int(record["value_card"][seat])),
        "harbour": HARBOUR_VALUE * int(record["harbour"][seat].sum()),
        "ship": SHIP_VALUE * int((record["cargo"][seat]).sum()),
        "bank": BANK_HARBOUR_VALUE * int(record["bank_harbour"][seat].sum()),
        "money": int(record["money"][seat]),
        "loans": -LOAN_AT_THE_END * int(record["loans"][seat]),
    }


def _island(containers: np.ndarray, card: int) -> int:
    """CT-END-2 and CT-END-3: all but the most numerous colour, at the values of the card."""
    if not containers.any():
        return 0
    five_ten = (card + FIVE_TEN) % COLOURS
    values = np.array([CARD_VALUES[(colour - card) % COLOURS] for colour in range(COLOURS)], int)
    if containers.all():
        values[five_ten] = FULL_SET_VALUE
    most = np.flatnonzero(containers == containers.max())
    out = five_ten if five_ten in most else most[values[most].argmin()]
    containers = containers.copy()
    containers[out] = 0
    return int(containers @ values)
