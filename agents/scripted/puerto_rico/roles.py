"""Which role to take: what it brings me and the others, against what it would bring if somebody else took it."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import FIRST, Kind
from tradewinds.envs.puerto_rico.rules.common import after, has_noble, is_working, last_building
from tradewinds.envs.puerto_rico.rules.craftsman import production
from tradewinds.envs.puerto_rico.tables import (
    CITY,
    COLUMN,
    EMPTY,
    FACTORY_DOUBLOONS,
    FIRST_TILE,
    GOODS,
    ISLAND,
    LARGE_COLUMN,
    LARGE_PLANT,
    PRICE,
    PROSPECTOR_DOUBLOONS,
    QUARRIES,
    QUARRY,
    ROLES,
    ROLES_EACH,
    SLOTS,
    SMALL_PLANT,
    Building,
    Good,
    Role,
)

from .building import best_purchase
from .land import best_tile
from .outlook import LAST_CALL, worth_of_end
from .scratch import EMPTY_SLOTS, EMPTY_WORTH, GAIN, GOOD, LEFT, MONEY, NEXT_PAIR, PLANTS, RIVAL, SHIPPED, STAGE, SUPPLY
from .shipping import captain_gains
from .trading import market_of, trader_gains
from .weights import W

DEAR = 10  # doubloons beyond which a rival gains little


@kernel
def balance(s, me, scratch):
    """My gain, less the weighted gains of the others."""
    others = 0.0
    for seat in range(s.players):
        if seat != me:
            others += scratch[GAIN + seat]
    return scratch[GAIN + me] - scratch[RIVAL] * others


@kernel
def settler_gains(s, me, settler, w, scratch):
    for seat in range(s.players):
        if seat == me:
            scratch[GAIN + seat] = best_tile(s, me, settler == me, w, scratch) * (1.0 if settler == me else w[W.LATER])
        else:
            scratch[GAIN + seat] = w[W.TILE] * scratch[STAGE] if s.island[seat] < ISLAND else 0.0
    if settler == me and is_working(s, me, Building.LIBRARY):
        scratch[GAIN + me] *= 1.8


@kernel
def look_at_slots(s, w, scratch):
    """Of each seat: how many slots nobody occupies, and what they would be worth: pairs of plantation and plant most of all."""
    half_pair = 0.5 * scratch[NEXT_PAIR]
    other = w[W.COLONIST] * scratch[STAGE]
    last = last_building(s)
    for seat in range(s.players):
        count, worth = 0, 0.0
        for good in range(GOODS):
            tiles = int(s.tiles[seat, good])
            here = int(s.workers[seat, FIRST_TILE + good])
            count += tiles - here
            if good == Good.CORN:
                worth += 2.0 * half_pair * (tiles - here)
                continue
            plant = LARGE_PLANT[good]
            room = s.built[seat, plant] * SLOTS[plant]
            hands = int(s.workers[seat, plant])
            if SMALL_PLANT[good] != EMPTY:
                room += s.built[seat, SMALL_PLANT[good]]
                hands += s.workers[seat, SMALL_PLANT[good]]
            count += room - hands
            pairs = min(tiles, room)
            worth += half_pair * (max(0, pairs - here) + max(0, pairs - hands))
        quarries = int(s.tiles[seat, QUARRY]) - int(s.workers[seat, QUARRIES])
        count += quarries
        worth += other * quarries
        for building in range(PLANTS, last):
            if s.built[seat, building]:
                empty = SLOTS[building] - s.workers[seat, building]
                count += empty
                if empty > 0:
                    worth += 4.0 if COLUMN[building] == LARGE_COLUMN and scratch[LEFT] < LAST_CALL else other
        scratch[EMPTY_SLOTS + seat] = count
        scratch[EMPTY_WORTH + seat] = worth + w[W.SLOT] * count


@kernel
def mayor_gains(s, mayor, w, scratch):
    """People for empty slots, the best of them first."""
    people = int(s.ship_colonists) + int(s.ship_nobles)
    each, rest = people // s.players, people % s.players
    seat = mayor
    for turn in range(s.players):
        coming = each + (1 if turn < rest else 0)
        if seat == mayor and s.colonists_left > 0:
            coming += 2 if is_working(s, seat, Building.LIBRARY) else 1
        gain = 0.0
        if scratch[EMPTY_SLOTS + seat] > 0:
            filled = min(1.0, coming / scratch[EMPTY_SLOTS + seat])
            gain = scratch[EMPTY_WORTH + seat] * filled * (2.0 - filled)
        if s.nobles:
            if turn == 0 and s.ship_nobles > 0:
                gain += 1.0
            if is_working(s, seat, Building.VILLA):
                gain += 1.3
        scratch[GAIN + seat] = gain
        seat = after(s, seat)


@kernel
def ends_by_people(s, scratch):
    """Whether a mayor phase now would find too few colonists for the next ship (PR-MAYOR-3), about."""
    if s.nobles or s.colonists_left > 25:
        return False
    empty = 0.0
    for seat in range(s.players):
        empty += scratch[EMPTY_SLOTS + seat]
    return s.colonists_left < max(float(s.players), 0.7 * (empty - s.ship_colonists))


@kernel
def builder_gains(s, me, builder, card, w, scratch):
    for seat in range(s.players):
        if seat == me:
            off = 0
            if builder == me:
                off = 2 if is_working(s, me, Building.LIBRARY) else 1
            # Nobody holds a role now, so that the price terms may take the seat to move for the one who has it.
            if s.active == me:
                off -= 2 if is_working(s, me, Building.LIBRARY) else 1
            scratch[GAIN + me] = best_purchase(s, me, int(s.doubloons[me]) + card, off, w, scratch)
        elif s.city[seat] < CITY:
            scratch[GAIN + seat] = w[W.PURCHASE] * min(DEAR, int(s.doubloons[seat]) + min(3, int(s.workers[seat, QUARRIES])))
        else:
            scratch[GAIN + seat] = 0.0


@kernel
def craftsman_gains(s, craftsman, w, scratch):
    """Goods made in turn while the supply lasts, at what they bring on a ship or in the trading house."""
    for good in range(GOODS):
        scratch[SUPPLY + good] = s.goods_left[good]
    seat = craftsman
    for _ in range(s.players):
        gain, kinds, most, dearest = 0.0, 0, 0.0, 0.0
        market = market_of(s, seat)
        for good in range(GOODS):
            made = min(float(production(s, seat, good)), scratch[SUPPLY + good])
            if made > 0:
                if SMALL_PLANT[good] != EMPTY and is_working(s, seat, Building.AQUEDUCT) and s.workers[seat, LARGE_PLANT[good]] > 0:
                    made += 1.0
                scratch[SUPPLY + good] -= made
                kinds += 1
                if good != Good.CORN:
                    most = max(most, made)
                gain += scratch[GOOD] * made
                if s.goods[seat, good] == 0:
                    dearest = max(dearest, w[W.SALE] * (PRICE[good] + market) * scratch[MONEY])
        gain += dearest
        if seat == craftsman and kinds > 0:
            gain += scratch[GOOD] * (2.0 if is_working(s, seat, Building.LIBRARY) else 1.0)
        gain *= w[W.PRODUCE]
        if is_working(s, seat, Building.FACTORY):
            gain += FACTORY_DOUBLOONS[kinds] * scratch[MONEY]
        if is_working(s, seat, Building.SPECIALTY_FACTORY):
            gain += max(0.0, most - 1.0) * scratch[MONEY]
        if s.nobles:
            if has_noble(s, seat, Building.CHAPEL):
                gain += 1.0
            elif is_working(s, seat, Building.CHAPEL):
                gain += scratch[MONEY]
            if is_working(s, seat, Building.JEWELLER):
                gain += 2.0 * scratch[MONEY]
        scratch[GAIN + seat] = gain
        seat = after(s, seat)


@kernel
def ends_by_chips(s, scratch):
    """Whether the simulated captain phase takes the last chip (PR-END-1)."""
    points = 0.0
    for seat in range(s.players):
        points += scratch[SHIPPED + seat]
    return points >= s.chips_left


@kernel
def role_gains(s, me, role, owner, card, w, scratch):
    """Into GAIN: what the role brings each seat if `owner` takes it."""
    if role == Role.SETTLER:
        settler_gains(s, me, owner, w, scratch)
    elif role == Role.MAYOR:
        mayor_gains(s, owner, w, scratch)
    elif role == Role.BUILDER:
        builder_gains(s, me, owner, card, w, scratch)
    elif role == Role.CRAFTSMAN:
        craftsman_gains(s, owner, w, scratch)
    elif role == Role.TRADER:
        trader_gains(s, scratch, owner)
    else:
        captain_gains(s, scratch, owner, w)


@kernel
def rate_roles(s, me, mask, w, scratch, values):
    """Of each role that is left: its doubloons, its worth to me as the one who takes it, less what I would have of it anyway.

    If I leave a role, somebody after me may take it, and I have its action, later in turn and without the privilege.
    """
    open_roles = 0
    for role in range(ROLES):
        if mask[FIRST[Kind.ROLE] + role]:
            open_roles += 1
    picks_after = s.players * ROLES_EACH[s.players] - int(s.picks) - 1
    share = min(1.0, picks_after / max(1, open_roles - 1))
    following = int(after(s, me))
    look_at_slots(s, w, scratch)
    for role in range(ROLES):
        action = FIRST[Kind.ROLE] + role
        if not mask[action]:
            continue
        card = int(s.role_doubloons[role])
        value = card * scratch[MONEY] * w[W.CARD]
        if role >= Role.PROSPECTOR:
            value += PROSPECTOR_DOUBLOONS * scratch[MONEY] * (2 if is_working(s, me, Building.LIBRARY) else 1)
        else:
            role_gains(s, me, role, me, card, w, scratch)
            value += balance(s, me, scratch) + w[W.SETTLER + role] + w[W.SETTLER_EARLY + role] * scratch[STAGE]
            if role == Role.CRAFTSMAN and (s.role_owner[Role.CAPTAIN] == EMPTY or s.role_owner[Role.TRADER] == EMPTY):
                value -= w[W.NEXT_SEAT] * scratch[GAIN + following]
            if role == Role.CAPTAIN and not s.last_round and ends_by_chips(s, scratch):
                value += worth_of_end(s, me, w)
            anyway = min(1.0, w[W.ANYWAY_SETTLER + role] * share + w[W.ANYWAY_CARD] * card) if picks_after > 0 else 0.0
            if anyway > 0.0:
                role_gains(s, me, role, following, 0, w, scratch)
                value -= anyway * balance(s, me, scratch)
            if role == Role.MAYOR and not s.last_round and ends_by_people(s, scratch):
                value += worth_of_end(s, me, w)
            if role == Role.CAPTAIN and is_working(s, me, Building.LIGHTHOUSE):
                value += scratch[MONEY]
        values[action] = value
