"""A slow referee: the rules once more in plain Python, a turn read from top to bottom, independent of the kernels.

`game()` is a generator that yields each real decision, as the seat and the names of its actions, and is sent the name chosen. Containers are
colour numbers, those in a store are pairs of colour and price, and lists are kept sorted.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from itertools import combinations

COLOURS = ["black", "brown", "purple", "beige", "grey"]
LEFT = ["", "1st", "2nd", "3rd", "4th"]
BROKERS = ["I", "II", "III"]
BOXES = [f"the {what} of broker {broker}" for what in ("containers", "money") for broker in BROKERS]
TAKE, REPAY = "loan: take $10", "loan: repay $10"
STORES = ("factory", "harbour")
LOWEST = {"factory": 1, "harbour": 2}
HIGHEST = {"factory": 4, "harbour": 6}

Decision = tuple[int, set[str]]
Step = Generator[Decision, str, None]
Choice = Generator[Decision, str, str]
Amount = Generator[Decision, str, int]
Priced = tuple[int, int]


@dataclass
class Player:
    money: int
    machines: list[int]
    stores: dict[str, list[Priced]]
    warehouses: int = 1
    cargo: list[int] = field(default_factory=list)
    at: "str | int" = "sea"
    island: list[int] = field(default_factory=list)
    loans: int = 0
    fresh: int = 0  # of these, loans that have borne no interest
    secret_loans: int = 0  # taken for a bid that is not shown
    bank_harbour: list[int] = field(default_factory=list)


@dataclass
class Table:
    players: list[Player]
    active: int
    supply: list[int]
    machine_stock: list[int]
    warehouse_stock: int
    bank: bool
    void_bids: bool
    max_turns: int
    box_containers: list[list[int]] = field(default_factory=lambda: [[], [], []])
    box_money: list[int] = field(default_factory=lambda: [0, 0, 0])
    payer: int | None = None
    marked: int | None = None
    bid_money: int = 0
    bid_containers: dict[str, list[int]] = field(default_factory=lambda: {"factory": [], "harbour": []})
    hand: dict[str, list[int]] = field(default_factory=lambda: {"factory": [], "harbour": []})
    seized: list[int] = field(default_factory=list)
    shown: dict[int, int] = field(default_factory=dict)
    turns: int = 0
    over: str = ""
    interest_due: bool = False

    @property
    def me(self) -> Player:
        return self.players[self.active]

    @property
    def out(self) -> int:
        return self.supply.count(0)

    def left_of(self, seat: int, steps: int) -> int:
        return (seat + steps) % len(self.players)

    def room(self, seat: int, store: str) -> int:
        player = self.players[seat]
        size = 2 * len(player.machines) if store == "factory" else player.warehouses
        bid = len(self.bid_containers[store]) if self.payer == seat else 0
        return size - len(player.stores[store]) - bid


def ask(
    t: Table, seat: int, options: Callable[[], Iterable[str]], for_money: bool = False, keep: Callable[[], int] = lambda: 0, secret: bool = False
) -> Choice:
    """The choice, which is not asked if there is but one. Loans come beside it (CT-LOAN-3); `keep` is what a repayment must leave."""
    player = t.players[seat]
    while True:
        names = list(options())
        assert len(names) == len(set(names)) and names
        if len(names) > 1 or for_money:
            if player.loans + player.secret_loans < 2:
                names.append(TAKE)
            if seat == t.active and not t.interest_due and player.loans > player.fresh and player.money - 10 >= keep():
                names.append(REPAY)
        choice = names[0] if len(names) == 1 else (yield seat, set(names))
        if choice == TAKE and secret:
            player.secret_loans += 1
        elif choice == TAKE:
            player.loans += 1
            player.fresh += 1
            player.money += 10
        elif choice == REPAY:
            player.loans -= 1
            player.money -= 10
        else:
            return choice


def ask_amount(t: Table, seat: int, lowest: int, has: Callable[[], int], secret: bool, void: bool = False) -> Amount:
    """An amount digit by digit; loans only before the first digit. -1 for a void bid."""

    def digits(given: str, places: int) -> list[str]:
        names = []
        for digit in "0123456789":
            rest = places - len(given) - 1
            least, most = int(given + digit + "0" * rest), int(given + digit + "9" * rest)
            if max(least, lowest) <= min(most, has()):
                names.append(f"bid: {digit} x ${10**rest}")
        return names

    def first() -> list[str]:
        return digits("", len(str(has()))) + (["bid: void it"] if void else [])

    choice = yield from ask(t, seat, first, True, lambda: lowest, secret)
    if choice == "bid: void it":
        return -1
    given, places = choice[5], len(str(has()))
    while len(given) < places:
        names = digits(given, places)
        choice = names[0] if len(names) == 1 else (yield seat, set(names))
        given += choice[5]
    return int(given)


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
        choice = yield from ask(t, t.active, lambda: actions_of(t, done), True)
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
    me.fresh = 0
    if me.money < owed and me.loans == 1:
        me.loans, me.fresh, me.money = 2, 1, me.money + 10
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


def name_of(container: "int | Priced") -> str:
    return f"{COLOURS[container[0]]} at ${container[1]}" if isinstance(container, tuple) else COLOURS[container]


def buy(t: Table, store: str, seller: int) -> Step:
    """CT-HARB-1 and CT-SAIL-2: in the order of colours and prices."""
    me, for_sale = t.me, t.players[seller].stores[store]
    last, count = (0, 0), 0

    def room() -> int:
        return t.room(t.active, "harbour") - len(t.hand["harbour"]) if store == "factory" else 5 - len(me.cargo)

    def options() -> list[str]:
        stop = ["enough"] if count or store == "harbour" else []
        return stop + [f"buy: {name_of(c)}" for c in sorted(set(for_sale)) if c >= last and c[1] <= me.money]

    def keep() -> int:
        return 0 if count or store == "harbour" else min(price for _, price in for_sale)

    while room() > 0 and any(container >= last for container in for_sale):
        choice = yield from ask(t, t.active, options, True, keep)
        if choice == "enough":
            break
        last = COLOURS.index(choice.split()[1]), int(choice.split("$")[1])
        for_sale.remove(last)
        me.money -= last[1]
        t.players[seller].money += last[1]
        (t.hand["harbour"] if store == "factory" else me.cargo).append(last[0])
        count += 1


def price_all(t: Table, store: str) -> Step:
    """CT-HARB-3 and CT-PROD-3: all in the store anew."""
    t.hand[store] += [colour for colour, _ in t.me.stores[store]]
    t.me.stores[store].clear()
    yield from price_hand(t, t.active, store)


def price_hand(t: Table, seat: int, store: str) -> Step:
    t.hand[store].sort()
    last = (-1, 0)
    while t.hand[store]:
        colour = t.hand[store][0]
        least = last[1] if last[0] == colour else LOWEST[store]
        names = [f"price: ${price}" for price in range(least, HIGHEST[store] + 1)]
        choice = yield from ask(t, seat, lambda names=names: names)
        last = (t.hand[store].pop(0), int(choice.split("$")[1]))
        t.players[seat].stores[store].append(last)


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
    choice = yield from ask(t, seller, lambda: [*lefts, *(["auction: refuse all bids"] if t.me.money >= highest else [])], True)
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

    while offers():
        choice = yield from ask(t, seat, lambda: [*names(), *(["enough"] if needed <= 0 else [])])
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
