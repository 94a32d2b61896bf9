"""Who pays whom. Every dollar that moves is moved here or, for bids under way, in bank.py."""

from ...core.engine.kernel import kernel


@kernel
def do_pay(s, seat, other, amount):
    s.money[seat] -= amount
    s.money[other] += amount


@kernel
def do_pay_bank(s, seat, amount):  # CT-SET-3: bank money is unlimited
    s.money[seat] -= amount
    s.issued -= amount


@kernel
def do_receive(s, seat, amount):
    """From the bank."""
    s.money[seat] += amount
    s.issued += amount
