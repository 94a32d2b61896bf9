"""Toy Market, for 2 to 4 players: buy crates when they are cheap, sell them when they are dear.

On a turn a die sets the price of a crate, and the player buys some, sells some or waits. Coins are kept behind a screen. Everyone holds a
secret card with what each crate left at the end is worth to them. After 20 rounds the most coins win; crates break ties.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

from tradewinds.envs.core.engine.kernel import kernel
from tradewinds.envs.core.engine.rng import below
from tradewinds.envs.core.render.labels import amount, is_over, player, titled
from tradewinds.envs.core.render.svg import document, label, panel
from tradewinds.envs.core.spec.actions import ActionTable
from tradewinds.envs.core.spec.fields import Fields, Seen, Status, Visibility, field
from tradewinds.envs.core.spec.game import Game
from tradewinds.envs.core.spec.layout import Layout, Part
from tradewinds.envs.core.spec.options import common_options

# Tables
MIN_PLAYERS, MAX_PLAYERS = 2, 4
ROUNDS = 20
DIE, CARDS = 6, 3  # prices and cards are from 1 to these
CRATES, STORE, TRADE = 20, 5, 3  # in the box; the most that one player holds; the most that are traded at once
START_CRATES, START_COINS = 2, 6
MOST_COINS = START_COINS + ROUNDS * TRADE * DIE

# State
FIELDS = Fields(
    MAX_PLAYERS,
    (
        field("rounds", 0, ROUNDS, "rounds completed"),
        field("price", 1, DIE, "of a crate, on this turn"),
        field("market", 0, CRATES, "crates in the market"),
        field("crates", 0, STORE, "by seat", MAX_PLAYERS),
        field("coins", 0, MOST_COINS, "by seat", MAX_PLAYERS, Seen.SCREENED),
        field("card", 0, CARDS, "by seat: worth of each crate at the end; 0 for a seat that nobody takes", MAX_PLAYERS, Seen.SECRET),
    ),
)


# Actions
class Kind(IntEnum):
    WAIT = 0
    SELL = 1  # crates
    BUY = 2  # crates


def rows() -> Iterator[tuple[IntEnum, tuple[int, ...], str]]:
    yield Kind.WAIT, (), "wait"
    for kind, verb in ((Kind.SELL, "sell"), (Kind.BUY, "buy")):
        for count in range(1, TRADE + 1):
            yield kind, (count,), f"{verb} {count} {'crate' if count == 1 else 'crates'}"


TABLE = ActionTable("toy_market", Kind, rows())
KIND, FIRST, ARGUMENTS = TABLE.kind, TABLE.first, TABLE.arguments


# Rules
@kernel
def setup(s, stream):
    s.market = CRATES - START_CRATES * int(s.players)
    for seat in range(s.players):
        s.crates[seat] = START_CRATES
        s.coins[seat] = START_COINS
        s.card[seat] = 1 + below(stream, CARDS)
    s.price = 1 + below(stream, DIE)


@kernel
def can_sell(s, count):
    return s.crates[s.seat] >= count


@kernel
def can_buy(s, count):
    return s.market >= count and s.crates[s.seat] + count <= STORE and s.coins[s.seat] >= count * int(s.price)


@kernel
def legal(s, mask):
    mask[:] = False
    mask[FIRST[Kind.WAIT]] = True
    allowed = 1
    for count in range(1, TRADE + 1):
        if can_sell(s, count):
            mask[FIRST[Kind.SELL] + count - 1] = True
            allowed += 1
        if can_buy(s, count):
            mask[FIRST[Kind.BUY] + count - 1] = True
            allowed += 1
    return allowed


@kernel
def apply(s, action, stream):
    count = int(ARGUMENTS[action, 0])
    if KIND[action] == Kind.SELL:
        count = -count
    s.market -= count
    s.crates[s.seat] += count
    s.coins[s.seat] -= count * int(s.price)
    s.seat = (int(s.seat) + 1) % int(s.players)
    if s.seat == 0:
        s.rounds += 1
    if s.rounds == ROUNDS:
        s.status = Status.ENDED
    else:
        s.price = 1 + below(stream, DIE)


@kernel
def final_score(s, seat):
    return int(s.coins[seat]) + int(s.crates[seat]) * int(s.card[seat])


@kernel
def score(s, out):
    for seat in range(s.players):
        mine = final_score(s, seat)
        out[0, seat] = mine
        out[1, seat] = 1
        for other in range(s.players):
            theirs = final_score(s, other)
            if theirs > mine or (theirs == mine and s.crates[other] > s.crates[seat]):
                out[1, seat] += 1


@kernel
def redeal(s, viewer, stream):
    """Cards are equally likely. Coins are a guess, unless visibility="open" shows them."""
    for seat in range(MAX_PLAYERS):
        if seat != viewer:
            s.card[seat] = 1 + below(stream, CARDS) if seat < s.players else 0
            if s.visibility == Visibility.RULES:
                s.coins[seat] = below(stream, 4 * START_COINS) if seat < s.players else 0


# Observation
def layout(options: Mapping[str, Any]) -> Layout:
    players = options["players"]
    parts = [
        Part("to_move", players, 1, "who decides, from the seat itself on"),
        Part("rounds", 1, 1, "rounds completed, of 20"),
        Part("price", DIE, 1, "the price of a crate, one-hot"),
        Part("market", 1, 1, "crates in the market, of 20"),
        Part("crates", players, 1, "crates of each player, of 5, from the seat itself on"),
        Part("card", CARDS, 1, "the own card, one-hot"),
        Part("coins", 1, MOST_COINS / 20, "own coins, of 20"),
    ]
    if options["visibility"] == "open":
        parts.append(Part("others_coins", players - 1, MOST_COINS / 20, "coins of the others, of 20"))
    return Layout(parts)


@kernel
def observe(s, me, out):
    out[:] = 0
    players = int(s.players)
    price_at = players + 1
    crates_at = price_at + DIE + 1
    coins_at = crates_at + players + CARDS
    out[(int(s.seat) - me) % players] = 1
    out[players] = s.rounds / ROUNDS
    out[price_at + int(s.price) - 1] = 1
    out[price_at + DIE] = s.market / CRATES
    for offset in range(players):
        seat = (me + offset) % players
        out[crates_at + offset] = s.crates[seat] / STORE
        if offset == 0 or s.visibility == Visibility.OPEN:
            out[coins_at + offset] = s.coins[seat] / 20
    out[crates_at + players + int(s.card[me]) - 1] = 1


# Rendering
def status(view: Any, seat: int | None) -> str:
    return "the game is over" if is_over(view) else f"{player(view.seat, seat)} decides"


def text(view: Any, seat: int | None) -> str:
    lines = ["TOY MARKET", "", f"round   {view.rounds} of {ROUNDS}", f"price   {view.price}", f"market  {view.market} crates", ""]
    lines += [status(view, seat), "", f"{'player':<16}{'crates':>8}{'coins':>8}{'card':>8}"]
    for other in range(view.players):
        held = (view.crates[other], view.coins[other], view.card[other])
        lines.append(f"{player(other, seat):<16}" + "".join(f"{amount(number):>8}" for number in held))
    return "\n".join(lines) + "\n"


def svg(view: Any, seat: int | None, names: Sequence[str] = ()) -> str:
    parts = [label(300, 30, f"Toy Market: {status(view, seat)}", 20), label(300, 60, f"price {view.price}, market {view.market} crates")]
    for other in range(view.players):
        parts.append(panel(10 + 147 * other, 90, 137, 100, titled(player(other, seat), other, names)))
        for line, name in enumerate(("crates", "coins", "card")):
            parts.append(label(78 + 147 * other, 125 + 22 * line, f"{name} {amount(view[name][other])}"))
    return document(600, 200, "Toy Market", parts)


GAME = Game(
    name="toy_market",
    title="Toy Market",
    module=__name__,
    version=0,
    fields=FIELDS,
    actions=TABLE,
    options=common_options(range(MIN_PLAYERS, MAX_PLAYERS + 1), default_players=MAX_PLAYERS),
    parts=layout,
    kernels={"setup": setup, "legal": legal, "apply": apply, "observe": observe, "redeal": redeal, "score": score},
    text=text,
    svg=svg,
    score_scale=10,
)
