"""Every action of Container: id, arguments, name. Seats are named from the one who moves: the 1st on the left is the next in turn."""

from collections.abc import Iterator
from enum import IntEnum

from ..core.spec.actions import ActionTable
from .tables import (
    BOXES,
    BROKER_NAMES,
    BROKERS,
    COLOUR_NAMES,
    DIGITS,
    FACTORY,
    FACTORY_PRICE,
    FACTORY_PRICES,
    HARBOUR,
    HARBOUR_PRICE,
    HARBOUR_PRICES,
    LEFT_NAMES,
    MOST_PRICE,
)


class Kind(IntEnum):
    """The kinds of action, in id order."""

    LOAN = 0
    REPAY = 1
    # Actions of a turn
    PASS = 2
    MACHINE = 3  # colour
    WAREHOUSE = 4
    SHOP = 5  # how far on the left
    REPRICE = 6
    PRODUCE = 7
    TO_SEA = 8
    TO_ISLAND = 9
    TO_HARBOUR = 10  # how far on the left
    TO_BANK = 11
    CALL = 12  # box, or OUTBID
    # Parts of an action
    BUY = 13  # colour, price
    ENOUGH = 14
    MAKE = 15  # colour
    PRICE = 16  # price
    DIGIT = 17  # place, digit
    VOID = 18
    ACCEPT = 19  # how far on the left
    REFUSE = 20
    SEIZE = 21  # colour, price or 0
    LOAD = 22  # colour
    OFFER = 23  # store, colour, price
    PAY = 24  # colour


OUTBID = BOXES  # CT-IB-CALL-3: the box is marked already


def rows() -> Iterator[tuple[IntEnum, tuple[int, ...], str]]:
    colours = tuple(enumerate(COLOUR_NAMES))
    lefts = tuple(enumerate(LEFT_NAMES, 1))
    yield Kind.LOAN, (), "loan: take $10"
    yield Kind.REPAY, (), "loan: repay $10"
    yield Kind.PASS, (), "turn: end"
    for c, colour in colours:
        yield Kind.MACHINE, (c,), f"machine: buy a {colour} one"
    yield Kind.WAREHOUSE, (), "warehouse: buy one"
    for k, left in lefts:
        yield Kind.SHOP, (k,), f"harbour: buy from the {left} factory on the left"
    yield Kind.REPRICE, (), "harbour: only change prices"
    yield Kind.PRODUCE, (), "factory: produce"
    yield Kind.TO_SEA, (), "sail: to the open sea"
    yield Kind.TO_ISLAND, (), "sail: to the island"
    for k, left in lefts:
        yield Kind.TO_HARBOUR, (k,), f"sail: to the {left} harbour on the left"
    yield Kind.TO_BANK, (), "sail: to the own bank harbour"
    for box in range(BOXES):
        what = "containers" if box < BROKERS else "money"
        yield Kind.CALL, (box,), f"call: bid for the {what} of broker {BROKER_NAMES[box % BROKERS]}"
    yield Kind.CALL, (OUTBID,), "call: outbid"
    for c, colour in colours:
        for price in range(1, MOST_PRICE + 1):
            yield Kind.BUY, (c, price), f"buy: {colour} at ${price}"
    yield Kind.ENOUGH, (), "enough"
    for c, colour in colours:
        yield Kind.MAKE, (c,), f"produce: {colour}"
    for price in range(1, MOST_PRICE + 1):
        yield Kind.PRICE, (price,), f"price: ${price}"
    for place in range(DIGITS):
        for digit in range(10):
            yield Kind.DIGIT, (place, digit), f"bid: {digit} x ${10**place}"
    yield Kind.VOID, (), "bid: void it"
    for k, left in lefts:
        yield Kind.ACCEPT, (k,), f"auction: accept the bid of the {left} on the left"
    yield Kind.REFUSE, (), "auction: refuse all bids"
    for c, colour in colours:
        yield Kind.SEIZE, (c, 0), f"seize: {colour}"
        for price in range(1, MOST_PRICE + 1):
            yield Kind.SEIZE, (c, price), f"seize: {colour} at ${price}"
    yield from bank_rows()


def bank_rows() -> Iterator[tuple[IntEnum, tuple[int, ...], str]]:
    for c, colour in enumerate(COLOUR_NAMES):
        yield Kind.LOAD, (c,), f"load: {colour}"
    for c, colour in enumerate(COLOUR_NAMES):
        for price in range(FACTORY_PRICE, FACTORY_PRICE + FACTORY_PRICES):
            yield Kind.OFFER, (FACTORY, c, price), f"bid: {colour} at ${price} from the factory store"
    for c, colour in enumerate(COLOUR_NAMES):
        for price in range(HARBOUR_PRICE, HARBOUR_PRICE + HARBOUR_PRICES):
            yield Kind.OFFER, (HARBOUR, c, price), f"bid: {colour} at ${price} from the harbour store"
    for c, colour in enumerate(COLOUR_NAMES):
        yield Kind.PAY, (c,), f"pay: {colour}"


TABLE = ActionTable("container", Kind, rows())
KIND = TABLE.kind
FIRST = TABLE.first
ARGUMENTS = TABLE.arguments
