"""The bot's kernel: the value of every legal action in victory points, phase by phase."""

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.puerto_rico.actions import FIRST, PASS, Kind
from tradewinds.envs.puerto_rico.state import Phase
from tradewinds.envs.puerto_rico.tables import EMPTY, GUEST_HOUSE

from .building import rate_building, rate_draft, rate_good_to_pay, rate_payer
from .guests import rate_guests
from .land import rate_laying, rate_lodge, rate_tiles
from .outlook import look_ahead
from .people import rate_nobles, rate_person, rate_placing
from .roles import rate_roles
from .shipping import rate_keeping, rate_loading, rate_small_wharf, rate_supplier
from .trading import rate_extra, rate_trade


@kernel
def rate(s, me, mask, weights, scratch, values):
    """Write values[action] for every legal action: its worth to seat `me`. The best one is played."""
    look_ahead(s, me, weights, scratch)
    phase = s.phase
    if s.guest_to != EMPTY:
        rate_person(s, me, weights, scratch, values)
        return
    if phase == Phase.PLACE:
        rate_placing(s, me, weights, scratch, values)
    elif phase == Phase.ROLE:
        rate_roles(s, me, mask, weights, scratch, values)
    elif phase == Phase.BUILD:
        rate_building(s, me, mask, weights, scratch, values)
    elif phase == Phase.LOAD:
        rate_loading(s, me, mask, weights, scratch, values)
    elif phase == Phase.KEEP:
        rate_keeping(s, me, scratch, values)
    elif phase == Phase.PICK or phase == Phase.HACIENDA or phase == Phase.LIBRARY:
        rate_tiles(s, me, weights, scratch, values)
    elif phase == Phase.TRADE:
        rate_trade(s, me, mask, weights, scratch, values)
    elif phase == Phase.PRIVILEGED_CRAFTSMAN:
        rate_extra(s, me, scratch, values)
    else:
        rate_others(s, me, mask, phase, weights, scratch, values)
    if s.new_buildings and s.workers[me, GUEST_HOUSE] > 0:
        rate_guests(s, me, mask, weights, scratch, values)


@kernel
def rate_others(s, me, mask, phase, weights, scratch, values):
    """The phases that come up less often."""
    values[PASS] = 0.0
    if phase == Phase.DRAFT:
        rate_draft(s, me, mask, weights, scratch, values)
    elif phase == Phase.LAY:
        rate_laying(s, me, weights, scratch, values)
    elif phase == Phase.LODGE:
        rate_lodge(s, me, mask, weights, scratch, values)
    elif phase == Phase.PAY_GOOD:
        rate_good_to_pay(s, me, mask, scratch, values)
    elif phase == Phase.PAY_COLONIST and s.place == EMPTY:
        rate_payer(s, me, mask, weights, scratch, values)
    elif phase == Phase.PAY_POINT:
        values[FIRST[Kind.HAND_POINT]] = 0.0
    elif phase == Phase.SMALL_WHARF:
        rate_small_wharf(s, me, scratch, values)
    elif phase == Phase.SUPPLIER:
        rate_supplier(s, me, mask, scratch, values)
    elif phase == Phase.PLACE_NOBLES:
        rate_nobles(s, me, scratch, values)
    else:
        rate_person(s, me, weights, scratch, values)
