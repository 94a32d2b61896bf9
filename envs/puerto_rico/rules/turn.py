"""A round from beginning to end (PR-RND): what is legal now, and what an action leads to."""

from ...core.engine.kernel import kernel
from ...core.spec.fields import Status
from ..actions import A_NOBLE, ARGUMENTS, AS_FOREST, AS_PLANTATION, FIRST, KIND, PASS, Kind
from ..state import Phase
from ..tables import EMPTY, FIRST_PROSPECTOR, MOST_ROUNDS, PROSPECTORS, ROLES, ROLES_EACH, Role
from . import builder, captain, craftsman, draft, guests, mayor, settler, storage, trader
from .common import after, next_seat
from .prospector import do_prospect


@kernel
def is_role_in_play(s, role):
    """All but the prospectors that this number of players leaves in the box."""
    return role < FIRST_PROSPECTOR + PROSPECTORS[s.players]


@kernel
def can_take_role(s, role):  # PR-RND-1, PR-RND-4
    """Of two prospectors with as many doubloons only the first is offered: they mean the same."""
    if not is_role_in_play(s, role) or s.role_owner[role] != EMPTY:
        return False
    return not (
        role == Role.SECOND_PROSPECTOR
        and s.role_owner[Role.PROSPECTOR] == EMPTY
        and s.role_doubloons[role] == s.role_doubloons[Role.PROSPECTOR]
    )


@kernel
def allow_roles(s, mask):
    count = 0
    for role in range(ROLES):
        if can_take_role(s, role):
            mask[FIRST[Kind.ROLE] + role] = True
            count += 1
    return count


@kernel
def legal(s, mask):
    for action in range(mask.size):  # a plain loop compiles to one memset
        mask[action] = False
    phase = s.phase
    if s.guest_to != EMPTY:
        return guests.allow_either(mask)
    if phase == Phase.PLACE:
        return mayor.allow_place(s, mask)
    if phase == Phase.KEEP:
        return storage.allow_keep(s, mask)
    if phase == Phase.HOSPICE or phase == Phase.UNIVERSITY:
        return settler.allow_person(s, mask)
    if phase == Phase.PRIVILEGED_MAYOR:
        return mayor.allow_mayor_privilege(s, mask)
    if phase >= Phase.DRAFT:
        return legal_with_expansions(s, mask)
    if phase == Phase.ROLE:
        count = allow_roles(s, mask)
    elif phase == Phase.LOAD:
        count = captain.allow_load(s, mask)
    elif phase == Phase.BUILD:
        count = builder.allow_build(s, mask)
    elif phase == Phase.PICK:
        count = settler.allow_pick(s, mask)
    elif phase == Phase.TRADE:
        count = trader.allow_trade(s, mask)
    elif phase == Phase.HACIENDA:
        count = settler.allow_hacienda(s, mask)
    else:
        count = craftsman.allow_craftsman_privilege(s, mask)
    return guests.allow_guests(s, mask, count)


@kernel
def legal_with_expansions(s, mask):
    phase = s.phase
    if phase == Phase.DRAFT:
        return draft.allow_draft(s, mask)
    if phase == Phase.LAY:
        mask[FIRST[Kind.LAY] + AS_PLANTATION] = True
        mask[FIRST[Kind.LAY] + AS_FOREST] = True
        return 2
    if phase == Phase.LIBRARY:
        return guests.allow_guests(s, mask, settler.allow_pick(s, mask))
    if phase == Phase.PAY_COLONIST:
        if s.place != EMPTY:
            return builder.allow_payer(s, mask)
        return builder.allow_pay_colonist(s, mask)
    if phase == Phase.PAY_GOOD:
        return builder.allow_pay_good(s, mask)
    if phase == Phase.PAY_POINT:
        mask[FIRST[Kind.HAND_POINT]] = True
        return 1
    if phase == Phase.SMALL_WHARF:
        return captain.allow_ship_goods(s, mask)
    if phase == Phase.LODGE:
        return guests.allow_guests(s, mask, settler.allow_lodge(s, mask))
    if phase == Phase.VILLA:
        return mayor.allow_villa(s, mask)
    if phase == Phase.FROM_SHIP:
        return guests.allow_either(mask)
    if phase == Phase.PLACE_NOBLES:
        return mayor.allow_place_nobles(s, mask)
    if phase == Phase.SUPPLIER:
        return captain.allow_supplier(s, mask)
    mask[PASS] = True
    return guests.allow_guests(s, mask, 1)


@kernel
def apply(s, action, stream):
    kind = KIND[action]
    first = ARGUMENTS[action, 0]
    second = ARGUMENTS[action, 1]
    if kind == Kind.PLACE:
        mayor.do_place(s, second)
    elif kind == Kind.KEEP:
        storage.do_keep(s, first, second)
    elif kind == Kind.PASS:  # PR-RND-3: nothing more at this decision
        s.done = 1
    elif kind == Kind.ROLE:
        do_take_role(s, first)
    elif kind == Kind.LOAD:
        captain.do_load(s, first, second)
    elif kind == Kind.BUILD:
        builder.do_choose_building(s, first)
    elif kind == Kind.TAKE_PLANTATION:
        settler.do_take_plantation(s, first)
    elif kind == Kind.TAKE_QUARRY:
        settler.do_take_quarry(s)
    elif kind == Kind.PERSON:
        do_choose_person(s, action == A_NOBLE)
    elif kind == Kind.SELL:
        trader.do_sell(s, first)
    elif kind == Kind.DRAW:
        settler.do_use_hacienda(s, stream)
    elif kind == Kind.EXTRA:
        craftsman.do_take_extra(s, first)
    elif kind == Kind.WHARF:
        captain.do_wharf(s, first)
    else:
        apply_with_expansions(s, kind, first, second, stream)
    advance(s, stream)


@kernel
def apply_with_expansions(s, kind, first, second, stream):
    if kind == Kind.DRAFT:
        draft.do_draft(s, first)
    elif kind == Kind.TAKE_FOREST:
        settler.do_take_forest(s, first)
    elif kind == Kind.LAY:
        settler.do_lay_as(s, first)
    elif kind == Kind.HAND_COLONIST:
        builder.do_choose_payer(s, first)
    elif kind == Kind.HAND_GOOD:
        builder.do_hand_good(s, first)
    elif kind == Kind.HAND_POINT:
        builder.do_hand_point(s)
    elif kind == Kind.POST:
        trader.do_sell_at_post(s, first)
    elif kind == Kind.SMALL_WHARF:
        captain.begin_small_wharf(s)
    elif kind == Kind.SHIP:
        captain.do_ship_goods(s, first, second)
    elif kind == Kind.GUEST:
        guests.do_call_guest(s, first)
    elif kind == Kind.BUY_LAND:
        trader.do_buy_land(s, stream)
    elif kind == Kind.DISCARD:
        if s.phase == Phase.LODGE:
            settler.do_hunt(s, first, second)
        else:
            trader.do_give_up_land(s, first, second)
    elif kind == Kind.DISCARD_FOREST:
        settler.do_hunt_forest(s, first)
    elif kind == Kind.SUPPLY:
        captain.do_supply(s, first)
    else:
        mayor.do_place_nobles(s, first)


@kernel
def do_choose_person(s, noble):
    """A colonist or a noble: for a guest's place, the hospice, the university, from the ship, ..."""
    phase = s.phase
    if s.guest_to != EMPTY:
        guests.do_send_guest(s, noble)
    elif phase == Phase.HOSPICE:
        settler.do_hospice(s, noble)
    elif phase == Phase.UNIVERSITY:
        builder.do_university(s, noble)
    elif phase == Phase.PRIVILEGED_MAYOR:
        mayor.do_mayor_privilege(s)
    elif phase == Phase.FROM_SHIP:
        mayor.do_take_from_ship(s, noble)
    elif phase == Phase.VILLA:
        mayor.do_villa(s, noble)
    else:
        builder.do_hand_colonist(s, noble)


@kernel
def advance(s, stream):
    """Go on to the next phase in which there is something to decide."""
    while s.status == Status.RUNNING and not begin_phase(s, stream):
        pass


@kernel
def begin_phase(s, stream):
    """True if the phase has a decision for the seat to move; else what happens by itself has happened."""
    phase = s.phase
    if s.guest_to != EMPTY:
        return True
    if phase == Phase.PLACE:
        return mayor.begin_place(s)
    if phase == Phase.KEEP:
        return storage.begin_keep(s)
    if phase == Phase.LOAD:
        return captain.begin_load(s)
    if phase == Phase.CAPTAIN_BEGINS:
        return captain.begin_first_turn(s)
    if phase == Phase.SUPPLIER:
        return captain.begin_supplier(s)
    if phase == Phase.STORAGE:
        return storage.begin_storage(s)
    if phase == Phase.ROLE:
        return begin_role(s)
    if phase == Phase.ROLE_TAKEN:
        return begin_role_taken(s)
    if phase == Phase.HACIENDA:
        return settler.begin_hacienda(s)
    if phase == Phase.PICK:
        return settler.begin_pick(s)
    if phase == Phase.HOSPICE:
        return settler.begin_hospice(s)
    if phase == Phase.LIBRARY:
        return settler.begin_library(s, stream)
    if phase == Phase.LODGE:
        return settler.begin_lodge(s, stream)
    if phase == Phase.BUILD:
        return builder.begin_build(s)
    if phase == Phase.UNIVERSITY:
        return builder.begin_university(s)
    if phase == Phase.TRADE:
        return trader.begin_trade(s)
    if phase == Phase.PRODUCTION:
        return craftsman.begin_production(s)
    if phase == Phase.PRIVILEGED_CRAFTSMAN:
        return craftsman.begin_craftsman_privilege(s)
    if phase == Phase.MAYOR_BEGINS:
        return mayor.begin_mayor_guests(s)
    if phase == Phase.PRIVILEGED_MAYOR:
        return mayor.begin_mayor_privilege(s)
    if phase == Phase.VILLA:
        return mayor.begin_villa(s)
    if phase == Phase.FROM_SHIP:
        return mayor.begin_from_ship(s)
    if phase == Phase.PLACE_NOBLES:
        return mayor.begin_place_nobles(s)
    if phase == Phase.PAY_GOOD:
        return builder.begin_pay_good(s)
    if phase == Phase.PAY_POINT:
        return builder.begin_pay_point(s)
    if phase == Phase.SMALL_WHARF:
        return captain.begin_ship_goods(s)
    if phase == Phase.DRAFT:
        return draft.begin_draft(s)
    if phase == Phase.FINAL:
        return begin_final(s)
    if phase == Phase.PAY_COLONIST:
        return builder.begin_pay_colonist(s)
    return True  # LAY always asks


@kernel
def begin_role(s):  # PR-RND-1
    """The next player takes a role, if the last one's has been played."""
    if s.role != EMPTY:
        s.role = EMPTY
        s.picks += 1
        if s.picks == s.players * ROLES_EACH[s.players]:
            end_round(s)
            return False
    s.active = (s.governor + s.picks) % s.players
    s.seat = s.active
    return True


@kernel
def do_take_role(s, role):  # PR-RND-1
    s.role = role
    s.role_owner[role] = s.active
    s.doubloons[s.active] += s.role_doubloons[role]
    s.role_doubloons[role] = 0
    s.phase = Phase.ROLE_TAKEN


@kernel
def begin_role_taken(s):  # PR-NB-GUEST-HOUSE
    if guests.has_guests(s) and not s.done:
        return True
    s.done = 0
    begin_actions(s)
    return False


@kernel
def begin_actions(s):
    role = s.role
    if role == Role.SETTLER:
        settler.begin_settler(s)
    elif role == Role.MAYOR:
        mayor.begin_mayor(s)
    elif role == Role.BUILDER:
        builder.begin_builder(s)
    elif role == Role.CRAFTSMAN:
        craftsman.begin_craftsman(s)
    elif role == Role.TRADER:
        trader.begin_trader(s)
    elif role == Role.CAPTAIN:
        captain.begin_captain(s)
    else:
        do_prospect(s)


@kernel
def end_round(s):  # PR-RND-2, PR-END-1
    s.picks = 0
    s.rounds += 1
    if s.last_round:
        s.active = s.governor
        s.seat = s.governor
        s.phase = Phase.FINAL
        return
    for role in range(ROLES):
        if is_role_in_play(s, role) and s.role_owner[role] == EMPTY:
            s.role_doubloons[role] += 1
        s.role_owner[role] = EMPTY
    s.governor = after(s, int(s.governor))
    if s.rounds == MOST_ROUNDS:  # PR-STALL-1
        s.status = Status.TRUNCATED


@kernel
def begin_final(s):  # PR-NB-GUEST-HOUSE
    """Before the scoring guests may still go to the large buildings."""
    if guests.has_guests(s) and not s.done:
        return True
    s.done = 0
    if not next_seat(s):
        s.status = Status.ENDED
    return False
