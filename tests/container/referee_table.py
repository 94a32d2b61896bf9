"""What the slow referee has on its table, and how it asks."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

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
    fresh: int = 0  # of these, loans taken in this turn, or out of turn since the last one
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
    t: Table,
    seat: int,
    options: Callable[[], Iterable[str]],
    for_money: Callable[[], bool] = lambda: False,
    keep: Callable[[], int] = lambda: 0,
    secret: bool = False,
) -> Choice:
    """The choice, which is not asked if there is but one. Loans come beside it (CT-LOAN-3); `for_money` says
    whether a loan can add an answer, `keep` what a repayment must leave."""
    player = t.players[seat]
    while True:
        names = list(options())
        assert len(names) == len(set(names)) and names
        if len(names) > 1 or for_money():
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

    choice = yield from ask(t, seat, first, lambda: True, lambda: lowest, secret)
    if choice == "bid: void it":
        return -1
    given, places = choice[5], len(str(has()))
    while len(given) < places:
        names = digits(given, places)
        choice = names[0] if len(names) == 1 else (yield seat, set(names))
        given += choice[5]
    return int(given)


def name_of(container: "int | Priced") -> str:
    return f"{COLOURS[container[0]]} at ${container[1]}" if isinstance(container, tuple) else COLOURS[container]


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
