"""The end of the game (SC-END-2)."""

from ...core.engine.kernel import kernel
from ..tables import GOODS, GOODS_FOR_A_POINT


@kernel
def goods_left(s, seat):
    count = 0
    for good in range(GOODS):
        count += s.goods[seat, good]
    return count


@kernel
def final_points(s, seat):  # SC-END-2
    return s.points[seat] + goods_left(s, seat) // GOODS_FOR_A_POINT


@kernel
def is_ahead(s, seat, other):  # SC-END-2
    """Points, then goods left as counted before their exchange, then pesos."""
    if final_points(s, seat) != final_points(s, other):
        return final_points(s, seat) > final_points(s, other)
    if goods_left(s, seat) != goods_left(s, other):
        return goods_left(s, seat) > goods_left(s, other)
    return s.pesos[seat] > s.pesos[other]


@kernel
def score(s, out):
    for seat in range(s.players):
        out[0, seat] = final_points(s, seat)
        out[1, seat] = 1
        for other in range(s.players):
            if is_ahead(s, other, seat):
                out[1, seat] += 1
