"""The trader (PR-TRADER) with markets, office, trading post and land office."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, PASS, Kind
from ..state import Phase
from ..tables import GOODS, HOUSE, LAND_PRICE, LARGE_MARKET_DOUBLOONS, PRICE, SMALL_MARKET_DOUBLOONS, Building
from .common import do_return_goods, goods_held, has_island_room, has_noble, is_working, next_seat, privilege_size
from .plantations import can_draw, do_discard
from .settler import allow_discard, do_draw_tile


@kernel
def house_goods(s):
    count = 0
    for good in range(GOODS):
        count += s.house[good]
    return count


@kernel
def can_sell(s, me, good):  # PR-TRADER-1, PR-TRADER-2, PR-B-OFFICE
    return not s.sold and s.goods[me, good] > 0 and (s.house[good] == 0 or is_working(s, me, Building.OFFICE)) and house_goods(s) < HOUSE


@kernel
def can_sell_at_post(s, me, good):  # PR-NB-TRADING-POST
    return not s.sold and s.goods[me, good] > 0 and is_working(s, me, Building.TRADING_POST)


@kernel
def post_price(s, seat, good):  # PR-TRADER-1, PR-NB-TRADING-POST
    return PRICE[good] + privilege_size(s, seat)


@kernel
def house_price(s, seat, good):  # PR-TRADER-1, PR-B-SMALL-MARKET, PR-B-LARGE-MARKET
    price = post_price(s, seat, good)
    if is_working(s, seat, Building.SMALL_MARKET):
        price += SMALL_MARKET_DOUBLOONS
    if is_working(s, seat, Building.LARGE_MARKET):
        price += LARGE_MARKET_DOUBLOONS
    return price


@kernel
def can_use_land_office(s, me):
    return s.nobles and not s.land_used and is_working(s, me, Building.LAND_OFFICE)


@kernel
def can_buy_land(s, me):  # PR-NO-LAND-OFFICE
    return (
        can_use_land_office(s, me)
        and not has_noble(s, me, Building.LAND_OFFICE)
        and s.doubloons[me] >= LAND_PRICE
        and has_island_room(s, me)
        and can_draw(s)
    )


@kernel
def can_give_up_land(s, me):  # PR-NO-LAND-OFFICE
    if not can_use_land_office(s, me) or not has_noble(s, me, Building.LAND_OFFICE):
        return False
    for good in range(GOODS):
        if s.tiles[me, good] > 0:
            return True
    return False


@kernel
def begin_trader(s):
    s.seat = s.active
    s.phase = Phase.TRADE


@kernel
def begin_trade(s, me):
    if not s.done and (goods_held(s, me) > 0 or s.nobles):
        return True
    s.done = 0
    s.sold = 0
    s.land_used = 0
    if not next_seat(s):
        end_trader(s)
    return False


@kernel
def allow_trade(s, me, mask):
    count = allow(mask, PASS, True)
    for good in range(GOODS):
        count += allow(mask, FIRST[Kind.SELL] + good, can_sell(s, me, good))
        count += allow(mask, FIRST[Kind.POST] + good, can_sell_at_post(s, me, good))
    count += allow(mask, FIRST[Kind.BUY_LAND], can_buy_land(s, me))
    if can_give_up_land(s, me):
        count += allow_discard(s, me, mask)
    return count


@kernel
def do_sell(s, me, good):  # PR-TRADER-1
    s.doubloons[me] += house_price(s, me, good)
    s.goods[me, good] -= 1
    s.house[good] += 1
    s.sold = 1


@kernel
def do_sell_at_post(s, me, good):  # PR-NB-TRADING-POST
    s.doubloons[me] += post_price(s, me, good)
    do_return_goods(s, me, good, 1)
    s.sold = 1


@kernel
def do_buy_land(s, me, stream):  # PR-NO-LAND-OFFICE
    s.land_used = 1
    s.doubloons[me] -= LAND_PRICE
    do_draw_tile(s, me, stream)


@kernel
def do_give_up_land(s, me, good, who):  # PR-NO-LAND-OFFICE
    s.land_used = 1
    s.doubloons[me] += LAND_PRICE
    do_discard(s, me, good, who)


@kernel
def end_trader(s):  # PR-TRADER-2
    if house_goods(s) == HOUSE:
        for good in range(GOODS):
            s.goods_left[good] += s.house[good]
            s.house[good] = 0
    s.phase = Phase.ROLE
