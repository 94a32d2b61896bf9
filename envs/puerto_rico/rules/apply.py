"""What an action does: each kind has its chapter's `do_*`; turn.py goes on from there."""

from ...core.engine.kernel import kernel
from ..actions import A_NOBLE, ARGUMENTS, KIND, Kind
from ..state import Phase
from ..tables import EMPTY
from . import builder, captain, craftsman, draft, guests, mayor, settler, storage, trader, turn


@kernel
def apply(s, action, stream):
    me = int(s.seat)
    kind = KIND[action]
    first = ARGUMENTS[action, 0]
    second = ARGUMENTS[action, 1]
    if kind == Kind.PLACE:
        mayor.do_place(s, me, second)
    elif kind == Kind.KEEP:
        storage.do_keep(s, me, first, second)
    elif kind == Kind.PASS:  # PR-RND-3: nothing more at this decision
        s.done = 1
    elif kind == Kind.ROLE:
        turn.do_take_role(s, first)
    elif kind == Kind.LOAD:
        captain.do_load(s, me, first, second)
    elif kind == Kind.BUILD:
        builder.do_choose_building(s, me, first)
    elif kind == Kind.TAKE_PLANTATION:
        settler.do_take_plantation(s, me, first)
    elif kind == Kind.TAKE_QUARRY:
        settler.do_take_quarry(s, me)
    elif kind == Kind.PERSON:
        do_choose_person(s, me, action == A_NOBLE)
    elif kind == Kind.SELL:
        trader.do_sell(s, me, first)
    elif kind == Kind.DRAW:
        settler.do_use_hacienda(s, me, stream)
    elif kind == Kind.EXTRA:
        craftsman.do_take_extra(s, me, first)
    elif kind == Kind.WHARF:
        captain.do_wharf(s, me, first)
    else:
        apply_with_expansions(s, me, kind, first, second, stream)
    turn.advance(s, stream)


@kernel
def apply_with_expansions(s, me, kind, first, second, stream):
    if kind == Kind.DRAFT:
        draft.do_draft(s, me, first)
    elif kind == Kind.TAKE_FOREST:
        settler.do_take_forest(s, me, first)
    elif kind == Kind.LAY:
        settler.do_lay_as(s, me, first)
    elif kind == Kind.HAND_COLONIST:
        builder.do_choose_payer(s, me, first)
    elif kind == Kind.HAND_GOOD:
        builder.do_hand_good(s, me, first)
    elif kind == Kind.HAND_POINT:
        builder.do_hand_point(s, me)
    elif kind == Kind.POST:
        trader.do_sell_at_post(s, me, first)
    elif kind == Kind.SMALL_WHARF:
        captain.begin_small_wharf(s)
    elif kind == Kind.SHIP:
        captain.do_ship_goods(s, me, first, second)
    elif kind == Kind.GUEST:
        guests.do_call_guest(s, me, first)
    elif kind == Kind.BUY_LAND:
        trader.do_buy_land(s, me, stream)
    elif kind == Kind.DISCARD:
        if s.phase == Phase.LODGE:
            settler.do_hunt(s, me, first, second)
        else:
            trader.do_give_up_land(s, me, first, second)
    elif kind == Kind.DISCARD_FOREST:
        settler.do_hunt_forest(s, me, first)
    elif kind == Kind.SUPPLY:
        captain.do_supply(s, me, first)
    else:
        mayor.do_place_nobles(s, me, first)


@kernel
def do_choose_person(s, me, noble):
    """A colonist or a noble: for a guest's place, the hospice, the university, from the ship, ..."""
    phase = s.phase
    if s.guest_to != EMPTY:
        guests.do_send_guest(s, me, noble)
    elif phase == Phase.HOSPICE:
        settler.do_hospice(s, me, noble)
    elif phase == Phase.UNIVERSITY:
        builder.do_university(s, me, noble)
    elif phase == Phase.PRIVILEGED_MAYOR:
        mayor.do_mayor_privilege(s, me)
    elif phase == Phase.FROM_SHIP:
        mayor.do_take_from_ship(s, me, noble)
    elif phase == Phase.VILLA:
        mayor.do_villa(s, me, noble)
    else:
        builder.do_hand_colonist(s, me, noble)
