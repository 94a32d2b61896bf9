"""The trader and the craftsman's privilege."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import FIRST, PASS, Kind
from tradewinds.envs.puerto_rico.rules.common import has_island_room, is_working
from tradewinds.envs.puerto_rico.rules.trader import house_goods, house_price, post_price
from tradewinds.envs.puerto_rico.tables import GOODS, HOUSE, LAND_PRICE, PRICE, Building

from .land import drawn_worth, rate_discards
from .scratch import GAIN, GOOD, MARKET, MONEY, UNIT


@kernel
def market_of(s, seat):
    """What a seat's markets add to a sale."""
    return (1 if is_working(s, seat, Building.SMALL_MARKET) else 0) + (2 if is_working(s, seat, Building.LARGE_MARKET) else 0)


@kernel
def trader_gains(s, scratch, trader):
    """Into GAIN: what a trader phase brings each seat, if all sell their dearest good in turn."""
    house = 0
    in_house = 0
    for good in range(GOODS):
        house += s.house[good]
        if s.house[good] > 0:
            in_house |= 1 << good
    seat = trader
    for _ in range(s.players):
        scratch[GAIN + seat] = 0.0
        has_post = is_working(s, seat, Building.TRADING_POST)
        if house < HOUSE or has_post:
            has_office = is_working(s, seat, Building.OFFICE)
            for step in range(GOODS):
                good = GOODS - 1 - step
                if s.goods[seat, good] == 0:
                    continue
                is_taken = house == HOUSE or (in_house >> good & 1 and not has_office)
                if is_taken and not has_post:
                    continue
                price = PRICE[good] + (0 if is_taken else market_of(s, seat))
                if seat == trader:
                    price += 2 if is_working(s, seat, Building.LIBRARY) else 1
                gain = price * scratch[MONEY] - scratch[GOOD]
                if gain > 0:
                    scratch[GAIN + seat] = gain
                    if not is_taken:
                        house += 1
                        in_house |= 1 << good
                break
        seat = 0 if seat + 1 == s.players else seat + 1


@kernel
def rate_trade(s, me, mask, w, scratch, values):
    """The price against what the good is worth on a ship; the last places of the house also shut others out."""
    values[PASS] = 0.0
    scarce = 0.1 if house_goods(s) >= HOUSE - 2 else 0.0
    for good in range(GOODS):
        if s.goods[me, good] > 0:
            worth = scratch[GOOD] - 0.02 * s.goods[me, good]
            values[FIRST[Kind.SELL] + good] = house_price(s, me, good) * scratch[MONEY] - worth + scarce
            values[FIRST[Kind.POST] + good] = post_price(s, me, good) * scratch[MONEY] - worth
    if s.nobles:
        values[FIRST[Kind.BUY_LAND]] = drawn_worth(w, scratch) - LAND_PRICE * scratch[MONEY] if has_island_room(s, me) else 0.0
        rate_discards(s, me, mask, LAND_PRICE * scratch[MONEY], w, scratch, values)


@kernel
def rate_extra(s, me, scratch, values):
    """One more good: the dearest, or one of which there is none yet."""
    values[PASS] = 0.0
    for good in range(GOODS):
        held = int(s.goods[me, good])
        values[FIRST[Kind.EXTRA] + good] = scratch[UNIT + good] - 0.05 * held + 0.1 * (held == 1) + 0.01 * scratch[MARKET]
