"""What the rest of the game looks like to one seat: how long it lasts, and what money, goods, land and buildings are worth in it."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.rules.common import all_nobles, is_working, last_building
from tradewinds.envs.puerto_rico.rules.scoring import cloister_points, fortress_points, guild_points
from tradewinds.envs.puerto_rico.tables import (
    CHIPS,
    CITY,
    COLUMN,
    CUSTOMS_POINTS,
    EMPTY,
    FACTORY_DOUBLOONS,
    FIRST_TILE,
    FORTRESS_COLONISTS,
    GOODS,
    IS_VIOLET,
    ISLAND,
    LARGE_COLUMN,
    LARGE_PLANT,
    POINTS,
    PRICE,
    RESIDENCE_POINTS,
    ROLES_EACH,
    SLOTS,
    SMALL_PLANT,
    Building,
    Good,
    Role,
)

from .scratch import (
    DRIVER_OF,
    DRIVERS,
    GOOD,
    GOOD_OF,
    KINDS,
    LEFT,
    MADE,
    MARKET,
    MONEY,
    NEXT_PAIR,
    PAIR,
    PLANTS,
    RIVAL,
    ROOM_OF,
    STAGE,
    STORE,
    TILES_OF,
    UNIT,
    Driver,
)
from .weights import W

WHOLE_GAME = 12.0  # rounds of production and building in a usual game
SPENT = 2.0  # rounds before the end in which money loses its worth
LAST_CALL = 2.5  # rounds before the end from which on large buildings have to be occupied
EMPTY_BONUS = 0.15  # how much of its bonus a large building is worth to a colonist before that


@kernel
def rounds_left(s, w):
    """The nearest of the three ends (PR-END-1), by what is left of each."""
    if s.last_round:
        return 0.5 * (1.0 - s.picks / (s.players * ROLES_EACH[s.players]))
    fullest = 0
    for seat in range(s.players):
        fullest = max(fullest, int(s.city[seat]))
    left = (CITY - fullest) * w[W.ROUNDS_BY_CITY]
    if not s.nobles:
        left = min(left, w[W.ROUNDS_BY_PEOPLE] * s.colonists_left / s.players)
    left = min(left, w[W.ROUNDS_BY_CHIPS] * s.chips_left / s.players)
    return left + 0.5


@kernel
def look_ahead(s, me, w, scratch):
    """Time, money, goods and what drives the worth of small buildings."""
    left = rounds_left(s, w)
    stage = min(1.0, left / WHOLE_GAME)
    money = w[W.MONEY_EARLY] * stage + w[W.MONEY_LATE] * min(1.0, left / SPENT)
    scratch[LEFT] = left
    scratch[STAGE] = stage
    scratch[MONEY] = money
    scratch[RIVAL] = w[W.RIVALS_OF_TWO] if s.players == 2 else w[W.RIVALS] / (s.players - 1)
    market = (1 if is_working(s, me, Building.SMALL_MARKET) else 0) + (2 if is_working(s, me, Building.LARGE_MARKET) else 0)
    scratch[MARKET] = market
    in_time = min(1.0, 0.4 + 0.6 * left)
    ship = w[W.SHIP] * in_time
    scratch[GOOD] = ship
    scratch[STORE] = w[W.STORED] * in_time
    made, kinds, most, dear = 0, 0, 0, 0
    for good in range(GOODS):
        tiles = int(s.tiles[me, good])
        room = tiles
        if good != Good.CORN:
            room = int(s.built[me, LARGE_PLANT[good]]) * SLOTS[LARGE_PLANT[good]]
            if SMALL_PLANT[good] != EMPTY:
                room += s.built[me, SMALL_PLANT[good]]
        pairs = min(tiles, room)
        scratch[TILES_OF + good] = tiles
        scratch[ROOM_OF + good] = room
        made += pairs
        if pairs > 0:
            kinds += 1
            if good != Good.CORN:
                most = max(most, pairs)
            if good >= Good.SUGAR:
                dear += 1
        growers = 0
        for seat in range(s.players):
            if seat != me and s.workers[seat, FIRST_TILE + good] > 0:
                growers += 1
        sale = w[W.SALE] * (PRICE[good] + market) * money * max(0.0, 1.0 - w[W.CROWD] * growers)
        scratch[UNIT + good] = ship + sale
        scratch[NEXT_PAIR + good] = left * w[W.CRAFTS] * w[W.SHIP]
        scratch[PAIR + good] = left * w[W.CRAFTS] * (w[W.SHIP] + sale)
    scratch[MADE] = made
    scratch[KINDS] = kinds
    room = ISLAND - s.island[me]
    scratch[DRIVERS + Driver.ALWAYS] = stage
    scratch[DRIVERS + Driver.TRADE] = stage * (0.4 + 0.2 * min(kinds, 2) + 0.2 * min(dear, 2))
    scratch[DRIVERS + Driver.ISLAND] = stage * min(1.0, room * 0.125)
    scratch[DRIVERS + Driver.QUARRIES] = stage * min(room, int(s.quarries_left)) * 0.2
    scratch[DRIVERS + Driver.GOODS] = stage * (0.1 + 0.18 * made)
    scratch[DRIVERS + Driver.FACTORY] = stage * (0.1 + 0.3 * FACTORY_DOUBLOONS[kinds])
    scratch[DRIVERS + Driver.CITY] = stage * (CITY - s.city[me]) * 0.125
    scratch[DRIVERS + Driver.SPECIALTY] = stage * (0.1 + 0.4 * max(0, most - 1))
    plants = int(s.built[me, Building.INDIGO_PLANT]) + int(s.built[me, Building.SUGAR_MILL])
    scratch[DRIVERS + Driver.AQUEDUCT] = stage * (0.2 + 0.8 * plants)
    nobles = all_nobles(s, me)
    scratch[DRIVERS + Driver.NOBLES] = stage * (0.2 + 0.2 * nobles)
    scratch[DRIVERS + Driver.SUPPLIES] = stage * (0.2 + 0.25 * min(nobles, kinds))


@kernel
def look_at_plants(scratch, w):
    """A plant is worth the pairs it makes with existing plantations, plus a part of the expected later ones."""
    for plant in range(PLANTS):
        scratch[DRIVERS + DRIVER_OF[plant]] = plant_worth(scratch, w, GOOD_OF[plant], plant)


@kernel
def plant_worth(scratch, w, good, plant):
    waiting = scratch[TILES_OF + good] - scratch[ROOM_OF + good]
    served = max(0.0, min(waiting, float(SLOTS[plant])))
    hoped = SLOTS[plant] - served
    is_first = scratch[ROOM_OF + good] == 0
    worth = 0.0
    if served > 0:
        worth += w[W.MATCHED] * scratch[NEXT_PAIR + good] * served
        if is_first:
            worth += w[W.MATCHED] * (scratch[PAIR + good] - scratch[NEXT_PAIR + good]) + w[W.NEW_KIND] * scratch[STAGE]
    elif is_first:
        worth += w[W.HOPED] * scratch[PAIR + good] * scratch[STAGE]
        hoped -= 1
    worth += 0.3 * w[W.HOPED] * scratch[NEXT_PAIR + good] * min(hoped, 2.0) * scratch[STAGE]
    return worth


@kernel
def can_still_man(s, me):
    """Whether a colonist can still come to a building that is built now."""
    if not s.last_round or is_working(s, me, Building.UNIVERSITY):
        return True
    return s.role_owner[Role.MAYOR] == EMPTY and s.picks + 1 < s.players * ROLES_EACH[s.players]


@kernel
def look_at_large(s, me, w, scratch):
    """The bonus of each large building as it is likely to be at the end (PR-END-2)."""
    left = scratch[LEFT]
    growth = w[W.BONUS_GROWTH] * left
    violet = 0
    for building in range(last_building(s)):
        if IS_VIOLET[building] and s.built[me, building]:
            violet += 1
    chips = s.chips[me] + s.noted[me] + 0.5 * left * w[W.CRAFTS] * scratch[MADE]
    tiles = min(ISLAND, int(s.island[me] + 0.6 * left))
    scratch[DRIVERS + Driver.GUILD_HALL] = guild_points(s, me) + growth
    scratch[DRIVERS + Driver.RESIDENCE] = RESIDENCE_POINTS[tiles]
    scratch[DRIVERS + Driver.FORTRESS] = fortress_points(s, me) + 1.3 * left / FORTRESS_COLONISTS
    scratch[DRIVERS + Driver.CUSTOMS_HOUSE] = chips / CUSTOMS_POINTS
    scratch[DRIVERS + Driver.CITY_HALL] = violet + growth + (0 if s.built[me, Building.CITY_HALL] else 1)
    scratch[DRIVERS + Driver.CLOISTER] = cloister_points(s, me) + growth
    scratch[DRIVERS + Driver.ROYAL_GARDEN] = all_nobles(s, me) + 2 * growth


@kernel
def use(building, w, scratch):
    """What a building brings at work from now on, the points on it apart."""
    return w[building] * scratch[DRIVERS + DRIVER_OF[building]]


@kernel
def slot_use(building, w, scratch):
    """What a colonist in it brings. A large building waits for the end."""
    if COLUMN[building] == LARGE_COLUMN and scratch[LEFT] > LAST_CALL:
        return EMPTY_BONUS * use(building, w, scratch)
    return use(building, w, scratch)


@kernel
def tile_worth(good, w, scratch):
    """One more plantation."""
    first = scratch[PAIR + good] if min(scratch[TILES_OF + good], scratch[ROOM_OF + good]) == 0 else scratch[NEXT_PAIR + good]
    if good == Good.CORN:
        worth = w[W.CORN] * first
    elif scratch[ROOM_OF + good] > scratch[TILES_OF + good]:
        worth = w[W.MATCHED] * first
    else:
        worth = w[W.HOPED] * first * scratch[STAGE]
    if scratch[TILES_OF + good] == 0:
        worth += w[W.NEW_KIND] * scratch[STAGE]
    return worth + w[W.SLOT]


@kernel
def quarry_worth(count, s, me, w, scratch):
    """A quarry, if there are `count` already."""
    room = (CITY - s.city[me]) * 0.1
    return scratch[STAGE] * min(1.0, room) * max(0.0, w[W.QUARRY] - w[W.QUARRY_LESS] * count) + w[W.SLOT]


@kernel
def printed(s, seat):
    """The points of a seat's buildings, with a guess at bonuses: all that is open of its score but points noted down and nobles."""
    points = 0
    for building in range(last_building(s)):
        if s.built[seat, building]:
            points += POINTS[building]
            if COLUMN[building] == LARGE_COLUMN and s.workers[seat, building] > 0:
                points += 5
    return points + s.noted[seat] + all_nobles(s, seat)


@kernel
def lead(s, me):
    """My points beyond the best rival's, the others' hidden chips shared out evenly among them."""
    others = (CHIPS[s.players] - s.chips_left - s.chips[me]) / (s.players - 1)
    best = 0.0
    for seat in range(s.players):
        if seat != me:
            best = max(best, printed(s, seat) + others)
    return printed(s, me) + s.chips[me] - best


@kernel
def worth_of_end(s, me, w):
    """To bring about the end now."""
    if s.last_round:
        return 0.0
    return w[W.END] * max(-15.0, min(15.0, lead(s, me)))
