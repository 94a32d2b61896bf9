"""Where the points of a finished game come from."""

from typing import Any

from ..tables import GOODS_FOR_A_POINT


def breakdown(record: Any) -> list[dict[str, int]]:
    """The sources of each seat's final score (SC-END-2); they add up to it."""
    return [
        {"points": int(record["points"][seat]), "goods": int(record["goods"][seat].sum()) // GOODS_FOR_A_POINT}
        for seat in range(int(record["players"]))
    ]
