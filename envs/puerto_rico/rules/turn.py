"""A round from beginning to end (PR-RND): roles are taken, and phases follow each other."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ...core.spec.fields import Status
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import EMPTY, FIRST_PROSPECTOR, MOST_ROUNDS, PROSPECTORS, ROLES, ROLES_EACH, Role
from . import builder, captain, craftsman, draft, guests, mayor, settler, storage, trader
from .common import after, next_seat
from .prospector import do_prospect


@kernel
def is_role_in_play(s, role):
    """All but the prospectors that are not used with this number of players."""
    return role < FIRST_PROSPECTOR + PROSPECTORS[s.players]


@kernel
def can_take_role(s, role):  # PR-RND-1, PR-RND-4
    """Of two prospectors with equal doubloons only the first is offered: they are the same choice."""
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
        count += allow(mask, FIRST[Kind.ROLE] + role, can_take_role(s, role))
    return count


@kernel
def advance(s, stream):
    """Advance to the next decision."""
    while s.status == Status.RUNNING and not begin_phase(s, stream):
        pass


@kernel
def begin_phase(s, stream):
    """True if the seat to move has a decision in this phase. If not, the phase has been carried out."""
    me = int(s.seat)
    phase = s.phase
    if s.guest_to != EMPTY:
        return True
    if phase == Phase.PLACE:
        return mayor.begin_place(s, me)
    if phase == Phase.KEEP:
        return storage.begin_keep(s, me)
    if phase == Phase.LOAD:
        return captain.begin_load(s, me)
    if phase == Phase.CAPTAIN_BEGINS:
        return captain.begin_first_turn(s, me)
    if phase == Phase.SUPPLIER:
        return captain.begin_supplier(s, me)
    if phase == Phase.STORAGE:
        return storage.begin_storage(s, me)
    if phase == Phase.ROLE:
        return begin_role(s)
    if phase == Phase.ROLE_TAKEN:
        return begin_role_taken(s, me)
    if phase == Phase.HACIENDA:
        return settler.begin_hacienda(s, me)
    if phase == Phase.PICK:
        return settler.begin_pick(s, me)
    if phase == Phase.HOSPICE:
        return settler.begin_hospice(s, me)
    if phase == Phase.LIBRARY:
        return settler.begin_library(s, me, stream)
    if phase == Phase.LODGE:
        return settler.begin_lodge(s, me, stream)
    if phase == Phase.BUILD:
        return builder.begin_build(s, me)
    if phase == Phase.UNIVERSITY:
        return builder.begin_university(s, me)
    if phase == Phase.TRADE:
        return trader.begin_trade(s, me)
    if phase == Phase.PRODUCTION:
        return craftsman.begin_production(s, me)
    if phase == Phase.PRIVILEGED_CRAFTSMAN:
        return craftsman.begin_craftsman_privilege(s, me)
    if phase == Phase.MAYOR_BEGINS:
        return mayor.begin_mayor_guests(s, me)
    if phase == Phase.PRIVILEGED_MAYOR:
        return mayor.begin_mayor_privilege(s, me)
    if phase == Phase.VILLA:
        return mayor.begin_villa(s, me)
    if phase == Phase.FROM_SHIP:
        return mayor.begin_from_ship(s, me)
    if phase == Phase.PLACE_NOBLES:
        return mayor.begin_place_nobles(s, me)
    if phase == Phase.PAY_GOOD:
        return builder.begin_pay_good(s, me)
    if phase == Phase.PAY_POINT:
        return builder.begin_pay_point(s, me)
    if phase == Phase.SMALL_WHARF:
        return captain.begin_ship_goods(s, me)
    if phase == Phase.DRAFT:
        return draft.begin_draft(s)
    if phase == Phase.FINAL:
        return begin_final(s, me)
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
def begin_role_taken(s, me):  # PR-NB-GUEST-HOUSE
    if guests.has_guests(s, me) and not s.done:
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
def begin_final(s, me):  # PR-NB-GUEST-HOUSE
    """Before the scoring guests may still go to the large buildings."""
    if guests.has_guests(s, me) and not s.done:
        return True
    s.done = 0
    if not next_seat(s):
        s.status = Status.ENDED
    return False
