"""The car: what each stop gives me, and what it leaves to those who drive after me."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.santiago_de_cuba.actions import FIRST, Kind
from tradewinds.envs.santiago_de_cuba.tables import (
    BUILDINGS,
    CUBAN_GOODS,
    DEMANDED_GOODS,
    EMPTY,
    FLOWER_OF_CUBAN,
    HIGHEST_VALUE,
    MARIA_POINTS,
    MARTINEZ_PESOS,
    MOST_STOPS,
    PORT,
    SHIPS,
    SITES_OF_A_FLOWER,
    STOPS,
    Cuban,
)

from .buildings import best_use, peso_gain
from .port import round_worth
from .weights import Weight
from .worth import FRUIT, STOP, SUGAR, TOBACCO, WOOD, piece_worth, purse_worth, rise_worth

APPEAL = int(Weight.APPEAL)  # + building
LEAVING_REACH = 2  # stops that leaving_cost looks ahead


@kernel
def good_of(cuban):
    if cuban == Cuban.PEDRO:
        return TOBACCO
    if cuban == Cuban.MIGUEL:
        return WOOD
    if cuban == Cuban.JOSE:
        return SUGAR
    if cuban == Cuban.CONCHITA:
        return FRUIT
    return EMPTY


@kernel
def gift_worth(s, me, w, scratch, good, count, in_port):
    """Pieces from the supply, as far as it has them."""
    held, value = int(s.goods[me, good]), 0.0
    for more in range(1, min(count, int(s.supply[good])) + 1):
        value += piece_worth(s, w, scratch, good, held + more, in_port)
    return value


@kernel
def best_gift(s, me, w, scratch, in_port):
    """The good that I would ask of Pablo, or EMPTY."""
    best, chosen = 0.0, EMPTY
    for good in range(DEMANDED_GOODS):
        value = gift_worth(s, me, w, scratch, good, 1, in_port)
        if value > best:
            best, chosen = value, good
    return chosen


@kernel
def cuban_worth(s, me, w, scratch, cuban, in_port):
    """What a Cuban gives, without the building after it."""
    good = good_of(cuban)
    if good != EMPTY:
        return gift_worth(s, me, w, scratch, good, CUBAN_GOODS, in_port)
    if cuban == Cuban.MARIA:
        return float(MARIA_POINTS)
    if cuban == Cuban.MARTINEZ:
        return peso_gain(w, scratch, int(s.pesos[me]), MARTINEZ_PESOS)
    if cuban == Cuban.PABLO:
        good = best_gift(s, me, w, scratch, in_port)
        return gift_worth(s, me, w, scratch, good, 1, in_port) if good != EMPTY else 0.0
    if cuban == Cuban.EL_ZORRO:
        return w[Weight.ZORRO] * (s.players - 1)
    return best_of_alonso(s, me, w, scratch, in_port)


@kernel
def write_street(s, me, w, scratch, reach):
    """What each Cuban gives, by stop, as far as the car may come."""
    in_port = s.in_port != 0
    scratch[STOP + PORT] = 0.0
    for ahead in range(1, min(reach, STOPS) + 1):
        stop = (int(s.car) + ahead) % STOPS
        if stop != PORT:
            scratch[STOP + stop] = cuban_worth(s, me, w, scratch, int(s.street[stop - 1]), in_port)


@kernel
def claim_worth(s, w, building):
    """The points that a marker on a building will bring: early in the game more than late, and more beside buildings of little appeal."""
    first = SITES_OF_A_FLOWER * int(s.flower[building])
    appeal = 0.0
    for site in range(first, first + SITES_OF_A_FLOWER):
        appeal += w[APPEAL + s.sites[site]]
    return w[Weight.CLAIM] * (0.5 + SHIPS - s.ship) * (s.players - 1) * w[APPEAL + building] / appeal


@kernel
def best_of_alonso(s, me, w, scratch, in_port):
    best, can_claim = 0.0, s.markers[me] > 0
    for building in range(BUILDINGS):
        if s.owner[building] == EMPTY:
            if can_claim:
                best = max(best, claim_worth(s, w, building))
        elif s.owner[building] == me:
            best = max(best, best_use(s, me, w, scratch, building, WOOD, 0, int(s.pesos[me]), in_port))
    return best


@kernel
def owner_cost(s, me, w, building):
    owner = s.owner[building]
    return w[Weight.OWNER] / (s.players - 1) if owner != EMPTY and owner != me else 0.0


@kernel
def staying_worth(s, me, w, scratch, pesos, in_port):
    """The pawn stays, and its building may be used again."""
    building = int(s.pawn[me])
    if building == EMPTY:
        return 0.0
    return best_use(s, me, w, scratch, building, WOOD, 0, pesos, in_port) - owner_cost(s, me, w, building)


@kernel
def is_taken(s, building):
    for seat in range(s.players):
        if s.pawn[seat] == building:
            return True
    return False


@kernel
def entering_worth(s, me, w, scratch, flower, good, more, pesos, in_port):
    """The best building under a flower, after a Cuban has given `more` of a good."""
    best, free = -1000.0, False
    for site in range(SITES_OF_A_FLOWER * flower, SITES_OF_A_FLOWER * (flower + 1)):
        building = int(s.sites[site])
        if not is_taken(s, building):
            free = True
            best = max(best, best_use(s, me, w, scratch, building, good, more, pesos, in_port) - owner_cost(s, me, w, building))
    return best if free else staying_worth(s, me, w, scratch, pesos, in_port)


@kernel
def visit_worth(s, me, w, scratch, stop, pesos, in_port):
    """The value of a Cuban and the building after it, with this many pesos left after the drive."""
    cuban = int(s.street[stop - 1])
    value = scratch[STOP + stop] if in_port == (s.in_port != 0) else cuban_worth(s, me, w, scratch, cuban, in_port)
    if cuban == Cuban.EL_ZORRO:
        return value + staying_worth(s, me, w, scratch, pesos, in_port)
    good, more = good_of(cuban), 0
    if good != EMPTY:
        more = min(CUBAN_GOODS, int(s.supply[good]))
    elif cuban == Cuban.PABLO:
        good = best_gift(s, me, w, scratch, in_port)
        more = 1
    elif cuban == Cuban.MARTINEZ:
        pesos += MARTINEZ_PESOS
    return value + entering_worth(s, me, w, scratch, int(FLOWER_OF_CUBAN[cuban]), good, more, pesos, in_port)


@kernel
def leaving_cost(w, scratch, stop):
    """What I leave to the next players: the stops ahead of the car."""
    return w[Weight.LEAVE_1] * scratch[STOP + (stop + 1) % STOPS] + w[Weight.LEAVE_2] * scratch[STOP + (stop + 2) % STOPS]


@kernel
def rate_drives(s, me, w, scratch, values):
    """Every number of stops that I can pay for; each is legal."""
    pesos, car = int(s.pesos[me]), int(s.car)
    write_street(s, me, w, scratch, pesos + 1 + LEAVING_REACH)
    purse = purse_worth(w, scratch, pesos)
    first = FIRST[Kind.DRIVE] - 1
    waiting_cost = owner_cost(s, me, w, int(s.pawn[me])) if s.pawn[me] != EMPTY else 0.0
    for stops in range(1, min(pesos + 1, MOST_STOPS) + 1):
        stop = (car + stops) % STOPS
        passes = (car + stops - 1) // STOPS
        left = pesos - stops + 1
        in_port = s.value + passes <= HIGHEST_VALUE
        value = purse_worth(w, scratch, left) - purse + rise_worth(s, w, scratch, passes)
        if not in_port and s.ship == SHIPS:  # SC-END-1: the game is over before the car stops
            values[first + stops] = value
            continue
        if stop == PORT:
            value -= waiting_cost
            if in_port:
                value += round_worth(s, me, w, scratch, int(s.value) + passes)
        elif stops < STOPS and s.inactive[s.street[stop - 1]]:
            value -= waiting_cost
        else:
            value += visit_worth(s, me, w, scratch, stop, left, in_port)
        values[first + stops] = value - leaving_cost(w, scratch, stop)
