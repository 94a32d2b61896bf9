"""The craftsman (PR-CRAFTSMAN) with aqueduct, factory, specialty factory, chapel and jeweller."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, PASS, Kind
from ..state import Phase
from ..tables import CHAPEL_DOUBLOONS, CHAPEL_POINTS, EMPTY, FACTORY_DOUBLOONS, FIRST_TILE, GOODS, LARGE_PLANT, SMALL_PLANT, Building, Good
from .common import all_nobles, do_score, has_noble, is_working, next_seat, privilege_size
from .guests import has_guests


@kernel
def production(s, seat, good):  # PR-CRAFTSMAN-1
    """What the seat can make of a good; the supply may have less."""
    plantations = int(s.workers[seat, FIRST_TILE + good])
    if good == Good.CORN:
        return plantations
    hands = int(s.workers[seat, LARGE_PLANT[good]])
    if SMALL_PLANT[good] != EMPTY:
        hands += s.workers[seat, SMALL_PLANT[good]]
    return min(plantations, hands)


@kernel
def do_make(s, seat, good, count):
    made = min(count, int(s.goods_left[good]))
    s.goods_left[good] -= made
    s.goods[seat, good] += made
    return made


@kernel
def begin_craftsman(s):
    s.seat = s.active
    s.phase = Phase.PRODUCTION


@kernel
def begin_production(s, me):  # PR-CRAFTSMAN-1, PR-NB-GUEST-HOUSE
    if has_guests(s, me) and not s.done:
        return True
    s.done = 0
    do_produce(s, me)
    if not next_seat(s):
        s.phase = Phase.PRIVILEGED_CRAFTSMAN
        s.privilege = 0
        s.good = 0
    return False


@kernel
def do_produce(s, seat):  # PR-CRAFTSMAN-1
    kinds, most = 0, 0
    for good in range(GOODS):
        made = do_make(s, seat, good, production(s, seat, good))
        if made > 0:
            kinds += 1
            if good != Good.CORN:
                most = max(most, made)
            if seat == s.active:
                s.made[good] = made
            if SMALL_PLANT[good] != EMPTY and is_working(s, seat, Building.AQUEDUCT) and s.workers[seat, LARGE_PLANT[good]] > 0:
                do_make(s, seat, good, 1)  # PR-NB-AQUEDUCT
    if is_working(s, seat, Building.FACTORY):  # PR-B-FACTORY
        s.doubloons[seat] += FACTORY_DOUBLOONS[kinds]
    if is_working(s, seat, Building.SPECIALTY_FACTORY):  # PR-NB-SPECIALTY-FACTORY
        s.doubloons[seat] += max(0, most - 1)
    if s.nobles:
        if has_noble(s, seat, Building.CHAPEL):  # PR-NO-CHAPEL
            do_score(s, seat, int(CHAPEL_POINTS))
        elif is_working(s, seat, Building.CHAPEL):
            s.doubloons[seat] += CHAPEL_DOUBLOONS
        if is_working(s, seat, Building.JEWELLER):  # PR-NO-JEWELLER
            s.doubloons[seat] += all_nobles(s, seat)


@kernel
def can_take_extra(s, me, good):  # PR-CRAFTSMAN-2
    """A kind the craftsman made this phase. The library's two are taken in kind order, so that each pair is reached in one way only."""
    return s.privilege < privilege_size(s, me) and good >= s.good and s.made[good] > 0 and s.goods_left[good] > 0


@kernel
def begin_craftsman_privilege(s, me):  # PR-CRAFTSMAN-2, PR-NB-LIBRARY
    if not s.done and s.privilege < privilege_size(s, me):
        return True
    s.done = 0
    s.good = EMPTY
    s.privilege = 0
    s.made[:] = 0
    s.phase = Phase.ROLE
    return False


@kernel
def allow_craftsman_privilege(s, me, mask):
    count = allow(mask, PASS, True)
    for good in range(GOODS):
        count += allow(mask, FIRST[Kind.EXTRA] + good, can_take_extra(s, me, good))
    return count


@kernel
def do_take_extra(s, me, good):
    do_make(s, me, good, 1)
    s.privilege += 1
    s.good = good
