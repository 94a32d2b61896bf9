"""What the use of a building is worth. `good` and `more` are pieces that a Cuban would give me before I get there."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.santiago_de_cuba.actions import ARGUMENTS, BUYING, FIRST, LEFT, NO_CUBAN, SELLING, USE, Kind
from tradewinds.envs.santiago_de_cuba.tables import (
    BANK_PESOS,
    CAFE_POINTS,
    CASINO_AMOUNT,
    CASINO_PESOS,
    CHURCH_POINTS,
    DEMANDED_GOODS,
    LOWEST_VALUE,
    NEWS_PESOS,
    OFFICE_POINTS,
    PORT,
    SAWMILL_PESOS,
    SAWMILL_POINTS,
    STOPS,
    Building,
)

from .weights import Weight
from .worth import (
    CIGARS,
    FAR,
    MINE,
    MY_STAKE,
    NEAR,
    NEAR_AT,
    RUM,
    SPITE,
    STOP,
    SUGAR,
    THEIR_STAKE,
    THEIRS,
    TOBACCO,
    WOOD,
    piece_worth,
    purse_worth,
    rise_worth,
)

NEWS_REACH = 4  # stops ahead of the car that the newspaper minds


@kernel
def best_use(s, me, w, scratch, building, good, more, pesos, in_port):
    """The best that a building can do for me, at least nothing."""
    if building == Building.BANK:
        return peso_gain(w, scratch, pesos, BANK_PESOS)
    if building == Building.CHURCH:
        return float(CHURCH_POINTS)
    if building == Building.DISTILLERY:
        return best_turning(s, me, w, scratch, SUGAR, RUM, good, more, in_port)
    if building == Building.CIGAR_FACTORY:
        return best_turning(s, me, w, scratch, TOBACCO, CIGARS, good, more, in_port)
    if building == Building.BLACK_MARKET:
        return best_swap(s, me, w, scratch, good, more, in_port)
    if building == Building.SAWMILL:
        wood = int(s.goods[me, WOOD]) + (more if good == WOOD else 0)
        return max(sawing(s, w, scratch, wood, pesos), 0.0) if wood > 0 else 0.0
    if building == Building.CAFE:
        cigars = int(s.goods[me, CIGARS]) + (more if good == CIGARS else 0)
        rum = int(s.goods[me, RUM]) + (more if good == RUM else 0)
        value = max(serving(s, w, scratch, CIGARS, cigars, in_port), 0.0) if cigars > 0 else 0.0
        return value + (max(serving(s, w, scratch, RUM, rum, in_port), 0.0) if rum > 0 else 0.0)
    if building == Building.CASINO:
        return best_exchange(s, me, w, scratch, pesos)
    if building == Building.NEWSPAPER:
        return peso_gain(w, scratch, pesos, NEWS_PESOS) + w[Weight.NEWS]
    if not in_port:
        return 0.0
    if building == Building.HARBOUR_AUTHORITY:
        value = max(rise_worth(s, w, scratch, 1), 0.0)
        return max(value, fall_worth(s, w, scratch)) if s.value > LOWEST_VALUE else value
    best = 0.0
    for wanted in range(DEMANDED_GOODS):
        if s.demand[wanted] > 0:
            if building == Building.CUSTOMS_OFFICE:
                best = max(best, clearing(s, w, scratch, wanted))
            elif int(s.goods[me, wanted]) + (more if wanted == good else 0) > 0:
                best = max(best, contracting(s, w, scratch, wanted))
    return best


@kernel
def peso_gain(w, scratch, pesos, gained):
    return purse_worth(w, scratch, pesos + gained) - purse_worth(w, scratch, pesos)


@kernel
def turning(s, w, scratch, given, taken, held, other, in_port):
    """The value of converting one more piece, given how many are held of each."""
    return piece_worth(s, w, scratch, taken, other + 1, in_port) - piece_worth(s, w, scratch, given, held, in_port)


@kernel
def best_turning(s, me, w, scratch, given, taken, good, more, in_port):
    held = int(s.goods[me, given]) + (more if good == given else 0)
    other = int(s.goods[me, taken]) + (more if good == taken else 0)
    value = 0.0
    for _ in range(min(held, int(s.supply[taken]))):
        gain = turning(s, w, scratch, given, taken, held, other, in_port)
        if gain <= 0.0:
            break
        value += gain
        held -= 1
        other += 1
    return value


@kernel
def best_swap(s, me, w, scratch, good, more, in_port):
    """The least good I have for the best that the supply has: never the same, or the gain is not above nothing."""
    least, best = 1000.0, 0.0
    for other in range(DEMANDED_GOODS):
        held = int(s.goods[me, other]) + (more if good == other else 0)
        if held > 0:
            least = min(least, piece_worth(s, w, scratch, other, held, in_port))
        if s.supply[other] > 0:
            best = max(best, piece_worth(s, w, scratch, other, held + 1, in_port))
    return max(best - least, 0.0)


@kernel
def sawing(s, w, scratch, wood, pesos):
    return SAWMILL_POINTS + peso_gain(w, scratch, pesos, SAWMILL_PESOS) - piece_worth(s, w, scratch, WOOD, wood, False)


@kernel
def serving(s, w, scratch, good, held, in_port):
    """One piece handed in at the café."""
    return CAFE_POINTS - piece_worth(s, w, scratch, good, held, in_port)


@kernel
def exchanging(w, scratch, direction, count, pesos):
    if direction == BUYING:
        return count + peso_gain(w, scratch, pesos, -CASINO_PESOS * count)
    return peso_gain(w, scratch, pesos, CASINO_PESOS * count) - count


@kernel
def best_exchange(s, me, w, scratch, pesos):
    best = 0.0
    for count in range(1, min(pesos // CASINO_PESOS, CASINO_AMOUNT) + 1):
        best = max(best, exchanging(w, scratch, BUYING, count, pesos))
    if s.points[me] > 0:
        best = max(best, exchanging(w, scratch, SELLING, 1, pesos))
    return best


@kernel
def clearing(s, w, scratch, good):
    """A die turned to 0: what opponents lose by it, and what I lose."""
    lost = scratch[MINE + good] * (scratch[NEAR + good] - scratch[FAR + good])
    return scratch[SPITE] * scratch[THEIRS + good] * (w[NEAR_AT + s.value] - scratch[FAR + good]) - lost


@kernel
def contracting(s, w, scratch, good):
    """One piece for two points; it may be one that an opponent could have delivered."""
    value = OFFICE_POINTS - scratch[NEAR + good]
    if scratch[THEIRS + good] == s.demand[good]:
        value += scratch[SPITE] * (w[NEAR_AT + s.value] - scratch[FAR + good])
    return value


@kernel
def fall_worth(s, w, scratch):
    """The marker one flag to the left."""
    loss = w[NEAR_AT + s.value] - w[NEAR_AT + s.value - 1]
    return w[Weight.RISE] * loss * (scratch[SPITE] * scratch[THEIR_STAKE] - scratch[MY_STAKE])


@kernel
def printing(s, w, scratch, cuban):
    """A Cuban turned over is one that the next players miss, if the car is about to come there."""
    if cuban == NO_CUBAN:
        return 0.0
    for ahead in range(1, NEWS_REACH + 1):
        stop = (s.car + ahead) % STOPS
        if stop != PORT and s.street[stop - 1] == cuban:
            return w[Weight.NEWS] * scratch[STOP + stop] / ahead
    return 0.0


@kernel
def rate_uses(s, me, mask, w, scratch, values):
    """Every way of using the building I am in, against not using it."""
    building = int(s.building)
    kind = USE + building
    pesos = int(s.pesos[me])
    for action in range(FIRST[kind], FIRST[kind + 1]):
        if mask[action]:
            values[action] = use_worth(s, me, w, scratch, building, ARGUMENTS[action, 0], ARGUMENTS[action, 1], pesos)
    values[FIRST[Kind.NO_USE]] = 0.0


@kernel
def use_worth(s, me, w, scratch, building, first, second, pesos):
    in_port = s.in_port != 0
    if building == Building.BANK or building == Building.CHURCH:
        return best_use(s, me, w, scratch, building, WOOD, 0, pesos, in_port)
    if building == Building.DISTILLERY:
        return turning_many(s, me, w, scratch, SUGAR, RUM, first, in_port)
    if building == Building.CIGAR_FACTORY:
        return turning_many(s, me, w, scratch, TOBACCO, CIGARS, first, in_port)
    if building == Building.BLACK_MARKET:
        return turning_many(s, me, w, scratch, first, second, 1, in_port)
    if building == Building.SAWMILL:
        return sawing(s, w, scratch, int(s.goods[me, WOOD]), pesos)
    if building == Building.CAFE:
        cigars = serving(s, w, scratch, CIGARS, int(s.goods[me, CIGARS]), in_port) if first else 0.0
        return cigars + (serving(s, w, scratch, RUM, int(s.goods[me, RUM]), in_port) if second else 0.0)
    if building == Building.CUSTOMS_OFFICE:
        return clearing(s, w, scratch, first)
    if building == Building.CASINO:
        return exchanging(w, scratch, first, second, pesos)
    if building == Building.HARBOUR_AUTHORITY:
        return fall_worth(s, w, scratch) if first == LEFT else rise_worth(s, w, scratch, 1)
    if building == Building.CONTRACTORS_OFFICE:
        return contracting(s, w, scratch, first)
    return peso_gain(w, scratch, pesos, NEWS_PESOS) + printing(s, w, scratch, first)


@kernel
def turning_many(s, me, w, scratch, given, taken, count, in_port):
    held, other, value = int(s.goods[me, given]), int(s.goods[me, taken]), 0.0
    for done in range(count):
        value += turning(s, w, scratch, given, taken, held - done, other + done, in_port)
    return value
