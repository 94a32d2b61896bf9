"""The end of the game (SC-END-2)."""

from ...core.engine.kernel import kernel
from ...core.spec.ranking import rank_seats
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
def tie_break(s, seat):  # SC-END-2
    """Goods left as counted before their exchange, then pesos."""
    return goods_left(s, seat), int(s.pesos[seat])


@kernel
def score(s, out):
    rank_seats(s, final_points, tie_break, out)
