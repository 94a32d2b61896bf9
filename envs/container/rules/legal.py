"""What the seat to move may do: each phase has its chapter's `allow_*`."""

from ...core.engine.kernel import kernel
from ..state import Phase
from .auction import allow_bid, allow_sale
from .bank import allow_offers, allow_payment
from .bidding import allow_digits
from .buying import allow_shopping
from .loans import allow_loans, allow_seizure
from .producing import allow_make
from .sailing import allow_cargo, allow_load
from .stores import allow_prices
from .turn import allow_actions


@kernel
def legal(s, mask):
    for action in range(mask.size):  # a plain loop compiles to one memset
        mask[action] = False
    me = int(s.seat)
    phase = s.phase
    if phase == Phase.ACTION:
        count = allow_actions(s, me, mask)
    elif phase == Phase.SHOP:
        count = allow_shopping(s, me, mask)
    elif phase == Phase.PRICE_FACTORY or phase == Phase.PRICE_HARBOUR:
        count = allow_prices(s, mask)
    elif phase == Phase.SHIP:
        count = allow_cargo(s, me, mask)
    elif phase == Phase.BID or phase == Phase.SECOND_BID:
        count = allow_bid(s, me, mask)
    elif phase == Phase.CALL_MONEY:
        count = allow_digits(s, me, mask)
    elif phase == Phase.SALE:
        count = allow_sale(s, me, mask)
    elif phase == Phase.SEIZE:
        count = allow_seizure(s, mask)
    elif phase == Phase.CALL_CONTAINERS:
        count = allow_offers(s, me, mask)
    elif phase == Phase.MAKE:
        count = allow_make(s, me, mask)
    elif phase == Phase.LOAD:
        count = allow_load(s, me, mask)
    else:
        count = allow_payment(s, mask)
    return count + allow_loans(s, me, mask, count)
