"""What the seat to move may do: each phase has its chapter's `allow_*`."""

from ...core.engine.kernel import kernel
from ..state import Phase
from ..tables import EMPTY
from . import builder, captain, craftsman, draft, guests, mayor, settler, storage, trader, turn


@kernel
def legal(s, mask):
    for action in range(mask.size):  # a plain loop compiles to one memset
        mask[action] = False
    me = int(s.seat)
    phase = s.phase
    if s.guest_to != EMPTY:
        return guests.allow_either(mask)
    if phase == Phase.PLACE:
        return mayor.allow_place(s, me, mask)
    if phase == Phase.KEEP:
        return storage.allow_keep(s, me, mask)
    if phase == Phase.HOSPICE or phase == Phase.UNIVERSITY:
        return settler.allow_person(s, mask)
    if phase == Phase.PRIVILEGED_MAYOR:
        return mayor.allow_mayor_privilege(s, mask)
    if phase >= Phase.DRAFT:
        return legal_with_expansions(s, me, mask)
    if phase == Phase.ROLE:
        count = turn.allow_roles(s, mask)
    elif phase == Phase.LOAD:
        count = captain.allow_load(s, me, mask)
    elif phase == Phase.BUILD:
        count = builder.allow_build(s, me, mask)
    elif phase == Phase.PICK:
        count = settler.allow_pick(s, me, mask)
    elif phase == Phase.TRADE:
        count = trader.allow_trade(s, me, mask)
    elif phase == Phase.HACIENDA:
        count = settler.allow_hacienda(s, me, mask)
    else:
        count = craftsman.allow_craftsman_privilege(s, me, mask)
    return guests.allow_guests(s, me, mask, count)


@kernel
def legal_with_expansions(s, me, mask):
    phase = s.phase
    if phase == Phase.DRAFT:
        return draft.allow_draft(s, mask)
    if phase == Phase.LAY:
        return settler.allow_lay(mask)
    if phase == Phase.LIBRARY:
        return guests.allow_guests(s, me, mask, settler.allow_pick(s, me, mask))
    if phase == Phase.PAY_COLONIST:
        if s.place != EMPTY:
            return builder.allow_payer(s, me, mask)
        return builder.allow_pay_colonist(s, me, mask)
    if phase == Phase.PAY_GOOD:
        return builder.allow_pay_good(s, me, mask)
    if phase == Phase.PAY_POINT:
        return builder.allow_hand_point(mask)
    if phase == Phase.SMALL_WHARF:
        return captain.allow_ship_goods(s, me, mask)
    if phase == Phase.LODGE:
        return guests.allow_guests(s, me, mask, settler.allow_lodge(s, me, mask))
    if phase == Phase.VILLA:
        return mayor.allow_villa(s, mask)
    if phase == Phase.FROM_SHIP:
        return guests.allow_either(mask)
    if phase == Phase.PLACE_NOBLES:
        return mayor.allow_place_nobles(s, me, mask)
    if phase == Phase.SUPPLIER:
        return captain.allow_supplier(s, me, mask)
    return guests.allow_guests_alone(s, me, mask)
