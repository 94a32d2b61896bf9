"""A slow referee: the rules once more in plain Python, a turn read from top to bottom, independent of the kernels.

`game()` is a generator that yields each real decision, as the seat and the names of its actions, and is sent the name chosen. Containers
are colour numbers, those in a store pairs of colour and price.
"""

from collections.abc import Iterable
from itertools import combinations

from .referee_bank import call, pay_bid, pay_in_any_order, take_box
from .referee_table import BOXES, COLOURS, LEFT, Player, Priced, Step, Table, ask, ask_amount, name_of, price_hand


def game(t: Table) -> Step:
    while True:
        yield from turn(t)
        t.turns += 1
        if t.out >= 2:
            t.over = "ended"
        elif t.turns >= t.max_turns:
            t.over = "truncated"
        if t.over:
            if t.payer is not None:
                take_box(t)
                pay_in_any_order(t)
            return
        t.active = t.left_of(t.active, 1)


def turn(t: Table) -> Step:
    t.interest_due = True
    t.me.fresh = 0
    won = t.payer == t.active
    if won:
        take_box(t)
        yield from pay_bid(t)
    yield from interest(t)
    actions = 2
    done: set[str] = set()
    if won:
        done.add("call")
    while actions:
        choice = yield from ask(t, t.active, lambda: actions_of(t, done), lambda: True)
        what = choice.split(":")[0]
        if choice == "turn: end":
            return
        actions -= 1
        if what == "machine":
            t.me.money -= [0, 6, 9, 12][len(t.me.machines)]
            colour = COLOURS.index(choice.split()[3])
            t.me.machines.append(colour)
            t.machine_stock[colour] -= 1
        elif what == "warehouse":
            t.me.money -= [0, 4, 5, 6, 7][t.me.warehouses]
            t.me.warehouses += 1
            t.warehouse_stock -= 1
        elif what == "harbour":
            if "buy" in choice:
                yield from buy(t, "factory", t.left_of(t.active, LEFT.index(choice.split()[4])))
            yield from price_all(t, "harbour")
        elif what == "factory":
            done.add("produce")
            yield from produce(t, done)
        elif what == "call":
            done.add("call")
            yield from call(t, choice)
        elif choice == "sail: to the island":
            t.me.at = "island"
            yield from auction(t)
            return
        else:
            yield from sail(t, choice)


def actions_of(t: Table, done: set[str]) -> Iterable[str]:
    me, seat = t.me, t.active
    yield "turn: end"
    if len(me.machines) < 4 and me.money >= [0, 6, 9, 12][len(me.machines)]:
        for colour in range(5):
            if t.machine_stock[colour] and colour not in me.machines:
                yield f"machine: buy a {COLOURS[colour]} one"
    if me.warehouses < 5 and t.warehouse_stock and me.money >= [0, 4, 5, 6, 7][me.warehouses]:
        yield "warehouse: buy one"
    for left in range(1, len(t.players)):
        for_sale = t.players[t.left_of(seat, left)].stores["factory"]
        if t.room(seat, "harbour") > 0 and any(price <= me.money for _, price in for_sale):
            yield f"harbour: buy from the {LEFT[left]} factory on the left"
    if me.stores["harbour"]:
        yield "harbour: only change prices"
    if "produce" not in done and me.money >= 1 and productions(t, done):
        yield "factory: produce"
    if me.at != "sea":
        yield "sail: to the open sea"
    else:
        if me.cargo:
            yield "sail: to the island"
        for left in range(1, len(t.players)):
            yield f"sail: to the {LEFT[left]} harbour on the left"
        if t.bank:
            yield "sail: to the own bank harbour"
    if t.bank and "call" not in done and t.out < 2:
        stored = len(me.stores["factory"]) + len(me.stores["harbour"])
        if t.marked is not None:
            if min(me.money, 99_999) > t.bid_money if t.marked < 3 else stored > sum(map(len, t.bid_containers.values())):
                yield "call: outbid"
        else:
            for box in range(6):
                if (me.money and t.box_containers[box]) if box < 3 else (stored and t.box_money[box - 3]):
                    yield f"call: bid for {BOXES[box]}"


def interest(t: Table) -> Step:
    """CT-INT-1 and CT-INT-2."""
    me = t.me
    owed = me.loans
    if me.money < owed and me.loans == 1:
        me.loans, me.fresh, me.money = 2, me.fresh + 1, me.money + 10
    for broker in range(owed):
        if me.money:
            me.money -= 1
            owed -= 1
            if t.bank:
                t.box_money[broker] += 1
    while owed:
        owed -= 1
        places: list[list[int] | list[Priced]] = [me.island, me.cargo, me.bank_harbour, me.stores["harbour"], me.stores["factory"]]
        place = next((place for place in places if place), None)
        if place is None:
            break
        names = {f"seize: {name_of(container)}": container for container in place}
        choice = yield from ask(t, t.left_of(t.active, -1), lambda names=names: names)
        place.remove(names[choice])  # type: ignore[arg-type]
        t.seized.append(COLOURS.index(choice.split()[1]))
    t.interest_due = False


def buy(t: Table, store: str, seller: int) -> Step:
    """CT-HARB-1 and CT-SAIL-2: in the order of colours and prices."""
    me, for_sale = t.me, t.players[seller].stores[store]
    last, count = (0, 0), 0

    def room() -> int:
        return t.room(t.active, "harbour") - len(t.hand["harbour"]) if store == "factory" else 5 - len(me.cargo)

    def options() -> list[str]:
        stop = ["enough"] if count or store == "harbour" else []
        return stop + [f"buy: {name_of(c)}" for c in sorted(set(for_sale)) if c >= last and c[1] <= me.money]

    def too_dear() -> bool:
        return any(container >= last and container[1] > me.money for container in for_sale)

    def keep() -> int:
        return 0 if count or store == "harbour" else min(price for _, price in for_sale)

    while room() > 0 and any(container >= last for container in for_sale):
        choice = yield from ask(t, t.active, options, too_dear, keep)
        if choice == "enough":
            break
        last = COLOURS.index(choice.split()[1]), int(choice.split("$")[1])
        for_sale.remove(last)
        me.money -= last[1]
        t.players[seller].money += last[1]
        (t.hand["harbour"] if store == "factory" else me.cargo).append(last[0])
        count += 1


def price_all(t: Table, store: str) -> Step:
    """CT-HARB-3 and CT-PROD-3: everything in the store is priced again."""
    t.hand[store] += [colour for colour, _ in t.me.stores[store]]
    t.me.stores[store].clear()
    yield from price_hand(t, t.active, store)


def productions(t: Table, done: set[str]) -> list[tuple[int, ...]]:
    """The sets of colours that may be produced (CT-PROD-2), after a call only those that do not end the game (CT-IB-CALL-1)."""
    works = sorted(colour for colour in t.me.machines if t.supply[colour])
    size = min(len(works), t.room(t.active, "factory"))
    called = "call" in done and t.marked is not None and t.payer == t.active
    return [made for made in combinations(works, size) if not called or t.out + sum(t.supply[colour] == 1 for colour in made) < 2]


def produce(t: Table, done: set[str]) -> Step:
    sets = productions(t, done)
    t.me.money -= 1
    t.players[t.left_of(t.active, -1)].money += 1
    for place in range(len(sets[0])):
        names = {f"produce: {COLOURS[made[place]]}": made[place] for made in sets}
        choice = yield from ask(t, t.active, lambda names=names: names)
        colour = names[choice]
        sets = [made for made in sets if made[place] == colour]
        t.supply[colour] -= 1
        t.hand["factory"].append(colour)
    yield from price_all(t, "factory")


def sail(t: Table, choice: str) -> Step:
    if choice == "sail: to the open sea":
        t.me.at = "sea"
    elif choice == "sail: to the own bank harbour":
        t.me.at = "bank"
        last = 0
        while len(t.me.cargo) < 5 and any(colour >= last for colour in t.me.bank_harbour):
            names = ["enough", *sorted({f"load: {COLOURS[colour]}" for colour in t.me.bank_harbour if colour >= last})]
            choice = yield from ask(t, t.active, lambda names=names: names)
            if choice == "enough":
                return
            last = COLOURS.index(choice.split()[1])
            t.me.bank_harbour.remove(last)
            t.me.cargo.append(last)
    else:
        seller = t.left_of(t.active, LEFT.index(choice.split()[3]))
        t.me.at = seller
        yield from buy(t, "harbour", seller)


def auction(t: Table) -> Step:
    """CT-AUC."""
    seller = t.active
    bidders = [t.left_of(seller, left) for left in range(1, len(t.players))]
    t.shown = dict.fromkeys(bidders, 0)
    for second in (False, True):
        bids = {}
        for seat in bidders:
            player = t.players[seat]

            def has(player: Player = player, seat: int = seat) -> int:
                return min(player.money + 10 * player.secret_loans, 99_999) - t.shown[seat]

            void = second and t.void_bids and t.shown[seat] > 0
            amount = yield from ask_amount(t, seat, 0, has, True, void)
            bids[seat] = 0 if amount < 0 else t.shown[seat] + amount
        t.shown.update(bids)
        for player in t.players:
            player.loans += player.secret_loans
            player.fresh += player.secret_loans
            player.money += 10 * player.secret_loans
            player.secret_loans = 0
        highest = max(bids.values())
        bidders = [seat for seat in bidders if bids[seat] == highest]
        if len(bidders) == 1:
            break
    lefts = {f"auction: accept the bid of the {LEFT[(seat - seller) % len(t.players)]} on the left": seat for seat in bidders}

    def answers() -> list[str]:
        return [*lefts, *(["auction: refuse all bids"] if t.me.money >= highest else [])]

    choice = yield from ask(t, seller, answers, lambda: t.me.money + 10 * (2 - t.me.loans) >= highest)
    owner = lefts.get(choice, seller)
    if choice == "auction: refuse all bids":
        t.me.money -= highest
        if t.bank:
            for dollar in range(highest):
                t.box_money[dollar % 3] += 1
    else:
        t.players[owner].money -= highest
        t.me.money += 2 * highest
    t.players[owner].island += t.me.cargo
    t.me.cargo.clear()


def final_money(player: Player, card: int) -> int:
    """CT-END-2 to CT-END-4, with every colour tried as the one discarded."""
    values = {(card + place) % 5: value for place, value in enumerate([10, 5, 6, 4, 2])}
    special = (card + 1) % 5
    if set(player.island) == set(range(5)):
        values[special] = 10
    counts = [player.island.count(colour) for colour in range(5)]
    most = [colour for colour in range(5) if counts[colour] == max(counts)]
    if special in most:
        most = [special]
    best = max(sum(values[colour] for colour in player.island if colour != discarded) for discarded in most)
    left = 2 * len(player.stores["harbour"]) + 3 * len(player.cargo) + 3 * len(player.bank_harbour)
    return best + left + player.money - 11 * player.loans


def final_ranks(t: Table, cards: list[int]) -> tuple[list[int], list[int]]:
    scores = [final_money(player, card) for player, card in zip(t.players, cards, strict=True)]
    keys = [(score, len(player.stores["factory"])) for score, player in zip(scores, t.players, strict=True)]
    return scores, [1 + sum(other > key for other in keys) for key in keys]
