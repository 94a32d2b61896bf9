"""Labels that the text board and the SVG share."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...core.render.labels import is_over, listed, player, ranked, winners
from ...core.render.words import many
from ...core.spec.fields import HIDDEN, Status
from ..actions import ARGUMENTS, KIND, Kind
from ..rules.scoring import score
from ..state import Phase
from ..tables import BANK, BROKER_NAMES, BROKERS, CARD_VALUES, COLOUR_NAMES, COLOURS, EMPTY, FACTORY, FIVE_TEN, HARBOUR, ISLAND, LOAN, SEA
from .breakdown import breakdown


class Standing(NamedTuple):
    """One row of the final table: the rank, and the parts of the final score."""

    seat: int
    rank: int
    final: int
    parts: dict[str, int]  # of the final score, by source
    stored: int


def amount(number: Any) -> str:
    return "$?" if number == HIDDEN else f"${number}"


def money(number: int) -> str:
    """$3, or -$3."""
    return f"-${-number}" if number < 0 else f"${number}"


def containers(counts: Iterable[Any]) -> str:
    """2 black, 1 grey; or a dash."""
    return ", ".join(f"{count} {colour}" for colour, count in zip(COLOUR_NAMES, counts, strict=True) if count) or "-"


def is_secret(view: Any) -> bool:  # CT-AUC-1
    return view.phase in (Phase.BID, Phase.SECOND_BID)


def is_secret_action(record: Any, action: int) -> bool:  # CT-AUC-1, CT-INF-1
    """Bids, with the loans for them; and the digits of a call, since which are asked for depends on money that is hidden."""
    return is_secret(record) or KIND[action] == Kind.DIGIT


def announcement(before: Any, action: int, after: Any) -> str:
    """All bids when the last is in (CT-AUC-1, CT-AUC-2), and a call when its amount is whole (CT-IB-CALL-2)."""
    if is_secret(before) and after.phase != before.phase:
        bids = [
            f"player_{seat} ${after.shown_bid[seat]}"
            + (f" with {many(before.bid_loans[seat], 'new loan')}" if before.bid_loans[seat] else "")
            for seat in range(before.players)
            if before.standing[seat]
        ]
        return f"bids are shown: {', '.join(bids)}"
    place, digit = ARGUMENTS[action, :2]
    if KIND[action] == Kind.DIGIT and before.phase == Phase.CALL_MONEY and place == 0:
        return f"player_{before.seat} bids ${before.bid[before.seat] + digit} for {box_name(int(before.marked))}"
    return ""


def turn(view: Any) -> str:
    return f"turn {view.turn + (not is_over(view))} of at most {view.max_turns}"


def place(view: Any, seat: int) -> str:
    at = int(view.ship_at[seat])
    return {SEA: "on the open sea", ISLAND: "at the island", BANK: "in the own bank harbour"}.get(at, f"in the harbour of player_{at}")


def loans(view: Any, seat: int) -> str:
    new = f", {view.fresh[seat]} new" if view.fresh[seat] else ""
    return many(view.loans[seat], "loan") + new


def card_values(view: Any, seat: int) -> str:
    """What a seat's card says, or that it is not known."""
    card = int(view.value_card[seat])
    if card == HIDDEN:
        return "value card hidden"
    worth = [str(CARD_VALUES[(colour - card) % COLOURS]) for colour in range(COLOURS)]
    worth[(card + FIVE_TEN) % COLOURS] = "5/10"
    return ", ".join(f"{colour} {value}" for colour, value in zip(COLOUR_NAMES, worth, strict=True))


def box_name(box: int) -> str:
    return f"the {'containers' if box < BROKERS else 'money'} of broker {BROKER_NAMES[box % BROKERS]}"


def payment(view: Any) -> str:
    """What lies on the payment card, and whose it is."""
    if view.payer == EMPTY:
        return "the payment card is free"
    if view.marked < BROKERS:
        offered = f"${view.payment_money}"
    else:
        offered = f"{containers(view.payment[FACTORY])} from the factory, {containers(view.payment[HARBOUR])} from the harbour"
    return f"player_{view.payer} bids {offered} for {box_name(int(view.marked))}"


def own_bid(view: Any, viewer: int | None) -> str:
    """How far the viewer's own bid has come."""
    if viewer is None or not view.standing[viewer]:
        return ""
    taken = f", with {many(view.bid_loans[viewer], 'new loan')}" if view.bid_loans[viewer] else ""
    if view.bid_digits[viewer] > 0:
        limit = view.money[viewer] + LOAN * view.bid_loans[viewer] - view.shown_bid[viewer]
        return f" Your bid so far is ${view.bid[viewer]} of up to ${limit}{taken}."
    return f" Your bid is {'void' if view.bid[viewer] < 0 else f'${view.bid[viewer]}'}{taken}."


def decision(view: Any, viewer: int | None) -> str:
    """Who decides what."""
    if is_secret(view):
        bidders = [player(seat, viewer) for seat in range(view.players) if view.standing[seat]]
        again = " once more" if view.phase == Phase.SECOND_BID else ""
        bid = "bids" if len(bidders) == 1 else "bid"
        return f"{listed(bidders)} {bid} secretly{again} for the cargo of {player(view.seller, viewer)}.{own_bid(view, viewer)}"
    who = player(view.seat, viewer)
    pile = containers(view.pile[FACTORY] if view.phase == Phase.PRICE_FACTORY else view.pile[HARBOUR])
    left = f"{many(view.actions_left, 'action')} left"
    factory = containers(view.pile[FACTORY])
    return (
        f"{who} "
        + {
            Phase.ACTION: f"chooses an action, {left}.",
            Phase.SHOP: f"buys from the factory store of player_{view.trader}; {pile if pile != '-' else 'nothing'} in hand.",
            Phase.MAKE: f"chooses what to produce, {view.to_make} more.",
            Phase.PRICE_FACTORY: f"prices containers for the factory store, colour by colour: {pile}; at least ${view.floor}.",
            Phase.PRICE_HARBOUR: f"prices containers for the harbour store, colour by colour: {pile}; at least ${view.floor}.",
            Phase.SHIP: f"buys from the harbour store of player_{view.trader}.",
            Phase.SALE: "accepts a highest bid or refuses all.",
            Phase.SEIZE: f"chooses what the bank takes from {player(view.active, viewer)}, {view.seizures} in all.",
            Phase.CALL_MONEY: f"bids money for {box_name(int(view.marked))}.",
            Phase.CALL_CONTAINERS: f"bids for {box_name(int(view.marked))}; so far: factory {factory}, harbour {pile}.",
            Phase.PAY: f"pays the brokers, box by box: {containers(view.payment[FACTORY])}.",
            Phase.LOAD: "loads the ship at the bank.",
        }[Phase(int(view.phase))]
    )


def standings(view: Any) -> list[Standing]:
    """CT-END-4, the winners first; only once everything is shown."""
    parts = breakdown(view)
    return [Standing(seat, rank, final, parts[seat], int(view.factory[seat].sum())) for seat, rank, final in ranked(view, score)]


def sources(view: Any) -> list[str]:
    """What final money comes from in this game."""
    return [source for source in breakdown(view)[0] if source != "bank" or view.investment_bank]


def outcome(view: Any, viewer: int | None) -> str:
    """How a finished game ended."""
    how = "Truncated" if view.status == Status.TRUNCATED else "The game is over"
    return f"{how}: {winners(standings(view), viewer)}."
