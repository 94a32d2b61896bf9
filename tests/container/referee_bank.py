"""The Investment Bank as the slow referee plays it."""

from itertools import combinations

from .referee_table import BOXES, COLOURS, STORES, Step, Table, ask, ask_amount, name_of, price_hand


def call(t: Table, choice: str) -> Step:
    """CT-IB-CALL."""
    me, seat = t.me, t.active
    if choice != "call: outbid":
        t.marked = BOXES.index(choice.removeprefix("call: bid for "))
    assert t.marked is not None
    if t.marked < 3:
        amount = yield from ask_amount(t, seat, t.bid_money + 1, lambda: min(me.money, 99_999), False)
        if t.payer is not None:
            t.players[t.payer].money += t.bid_money
        t.payer, t.bid_money = seat, amount
        me.money -= amount
        return
    needed = sum(map(len, t.bid_containers.values())) + 1
    last = ("factory", 0, 0)

    def offers() -> list[tuple[str, int, int]]:
        return sorted((store, *container) for store in STORES for container in me.stores[store] if (store, *container) >= last)

    def names() -> dict[str, tuple[str, int, int]]:
        found = {}
        for at, offer in enumerate(offers()):
            if offer not in found.values() and len(offers()) - at >= needed:
                found[f"bid: {name_of(offer[1:])} from the {offer[0]} store"] = offer
        return found

    def options() -> list[str]:
        return [*names(), *(["enough"] if needed <= 0 else [])]

    while offers():
        choice = yield from ask(t, seat, options)
        if choice == "enough":
            break
        last = names()[choice]
        me.stores[last[0]].remove(last[1:])
        t.hand[last[0]].append(last[1])
        needed -= 1
    outbid = t.payer
    t.payer = seat
    t.bid_containers, t.hand = t.hand, t.bid_containers
    if outbid is not None:
        for store in STORES:
            yield from price_hand(t, outbid, store)


def take_box(t: Table) -> None:
    """CT-IB-PREP-1."""
    assert t.payer is not None and t.marked is not None
    winner = t.players[t.payer]
    if t.marked < 3:
        winner.bank_harbour += t.box_containers[t.marked]
        t.box_containers[t.marked] = []
    else:
        winner.money += t.box_money[t.marked - 3]
        t.box_money[t.marked - 3] = 0


def pay_bid(t: Table) -> Step:
    """CT-IB-PREP-2: which containers each box gets, by the sets of colours that it could get."""
    assert t.payer is not None
    for dollar in range(t.bid_money):
        t.box_money[dollar % 3] += 1
    t.bid_money = 0
    paid = t.bid_containers["factory"] = sorted(t.bid_containers["factory"] + t.bid_containers["harbour"])
    t.bid_containers["harbour"] = []
    shares = [len(paid[broker::3]) for broker in range(3)]
    for broker, share in enumerate(shares):
        sets = set(combinations(sorted(paid), share))
        for place in range(share):
            names = {f"pay: {COLOURS[row[place]]}": row[place] for row in sorted(sets)}
            choice = yield from ask(t, t.payer, lambda names=names: names)
            sets = {row for row in sets if row[place] == names[choice]}
            paid.remove(names[choice])
            t.box_containers[broker].append(names[choice])
    t.payer = t.marked = None


def pay_in_any_order(t: Table) -> None:
    """CT-IB-END-1: where bid containers go no longer matters."""
    for dollar in range(t.bid_money):
        t.box_money[dollar % 3] += 1
    t.bid_money = 0
    for place, colour in enumerate(sorted(t.bid_containers["factory"] + t.bid_containers["harbour"])):
        t.box_containers[place % 3].append(colour)
    t.bid_containers = {"factory": [], "harbour": []}
    t.payer = t.marked = None
