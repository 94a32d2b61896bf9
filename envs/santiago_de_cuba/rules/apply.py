"""What an action does: each kind has its chapter's `do_*`; turn.py goes on from there."""

from ...core.engine.kernel import kernel
from ...core.spec.fields import Status
from ..actions import ARGUMENTS, KIND, USE, Kind
from ..state import Exchange
from .buildings import do_use
from .car import do_drive
from .cubans import begin_next_gift, do_claim, do_give, do_take_goods
from .port import do_deliver_goods, do_deliver_wood
from .ship import do_put_aside
from .turn import arrive, begin_next_turn, begin_use, end_use, enter_building, go_on_delivering, use_building_again


@kernel
def apply(s, action, stream):
    me = int(s.seat)
    kind = KIND[action]
    first = ARGUMENTS[action, 0]
    second = ARGUMENTS[action, 1]
    if kind == Kind.ASIDE:
        do_put_aside(s, first, stream)
        if s.in_port:
            begin_next_turn(s)
    elif kind == Kind.DRIVE:
        do_drive(s, first)
        if s.status == Status.RUNNING:
            arrive(s, stream)
    elif kind == Kind.TAKE:
        do_take_goods(s, me, first, 1)
        enter_building(s, stream)
    elif kind == Kind.GIVE:
        do_give(s, me, first)
        if not begin_next_gift(s):
            use_building_again(s, stream)
    elif kind == Kind.CLAIM:
        do_claim(s, first)
        enter_building(s, stream)
    elif kind == Kind.USE_OWN:
        begin_use(s, first, 1)
    elif kind == Kind.NO_ALONSO:
        enter_building(s, stream)
    elif kind == Kind.ENTER:
        s.pawn[me] = first
        begin_use(s, first, 0)
    elif kind == Kind.DELIVER:
        do_deliver_goods(s, me, first, second)
        go_on_delivering(s, stream)
    elif kind == Kind.WOOD:
        do_deliver_wood(s, me, first, second)
        go_on_delivering(s, stream)
    elif kind == Kind.PASS:
        s.passed[me] = 1
        go_on_delivering(s, stream)
    elif kind == Kind.NO_USE:
        end_use(s, stream)
    else:
        do_use(s, kind - USE, first, second)
        if s.status == Status.RUNNING and s.exchange == Exchange.NONE:
            end_use(s, stream)
