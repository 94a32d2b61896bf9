"""An amount of money, given digit by digit from the highest (CT-AUC-1, CT-IB-CALL-2)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ..actions import FIRST, Kind
from ..state import Phase
from ..tables import DIGITS, LOAN, MOST_BID, TENS


@kernel
def lowest_bid(s):
    if s.phase == Phase.CALL_MONEY:
        return s.payment_money + 1  # CT-IB-CALL-2: at least 1; CT-IB-CALL-3: at least 1 more
    return 0  # CT-AUC-1


@kernel
def highest_bid(s, seat):
    """All that the seat holds, loans taken for the bid included, less a first bid."""
    if s.phase == Phase.CALL_MONEY:
        return min(s.money[seat] + 0, MOST_BID)
    return min(s.money[seat] + LOAN * s.bid_loans[seat], MOST_BID) - s.shown_bid[seat]  # CT-AUC-1, CT-AUC-2


@kernel
def digits_of(amount):
    digits = 1
    while digits < DIGITS and amount >= TENS[digits]:
        digits += 1
    return digits


@kernel
def begin_digits(s, seat):
    """Ask for the first digit; again after a loan, since there may be one more."""
    s.bid[seat] = 0
    s.bid_digits[seat] = digits_of(highest_bid(s, seat))


@kernel
def is_at_first_digit(s, seat):  # CT-LOAN-3: the digits of a bid are one decision
    return s.bid_digits[seat] == digits_of(highest_bid(s, seat))


@kernel
def can_bid(s, seat, place, digit, lowest, highest):
    """Whether a bid from lowest to highest can go on with this digit."""
    if place != s.bid_digits[seat] - 1:
        return False
    amount = s.bid[seat] + digit * TENS[place]
    return amount <= highest and amount + TENS[place] - 1 >= lowest


@kernel
def allow_digits(s, me, mask):  # CT-AUC-1, CT-IB-CALL-2
    lowest, highest = lowest_bid(s), highest_bid(s, me)
    place = s.bid_digits[me] - 1
    count = 0
    for digit in range(10):
        count += allow(mask, FIRST[Kind.DIGIT] + 10 * place + digit, can_bid(s, me, place, digit, lowest, highest))
    return count


@kernel
def do_bid(s, seat, place, digit):
    s.bid[seat] += digit * TENS[place]
    s.bid_digits[seat] = place
