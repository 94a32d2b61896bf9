"""What the parts of the board are, in words for people."""

from collections.abc import Mapping
from typing import Any

from ...core.render.words import Entry
from .choices import COLOURS, words
from .labels import decision

__all__ = ["COLOURS", "GLOSSARY", "guide", "question", "words"]


def question(view: Any, seat: int) -> str:
    return decision(view, seat)


def guide(options: Mapping[str, Any]) -> list[Entry]:
    entries = [
        Entry("Machine", "Makes 1 container of its colour whenever you produce. The next ones cost $6, $9 and $12."),  # CT-BUY-1
        Entry("Warehouse", "Room for 1 more container in your harbour store. They cost $4, $5, $6 and $7.", ("warehouses",)),  # CT-BUY-1
        Entry("Factory store", "What you produced, for the others to buy at $1 to $4; 2 containers for each machine.", ("player:factory",)),
        Entry(
            "Harbour store", "What you bought, for ships of the others at $2 to $6; 1 container for each warehouse.", ("player:harbour",)
        ),
        Entry("Ship", "Carries 5 containers: from the open sea to a harbour or the island, and back.", ("sea", "player:quay")),  # CT-SAIL-1
        Entry("Island", "A cargo is auctioned here in secret bids. What you own here is worth what your value card says.", ("island",)),
        Entry("Loan", "$10 at once, up to two; $1 interest at each turn of yours, and $11 at the end.", ("player:loans",)),  # CT-LOAN-1
        Entry("Value card", "Your secret values of the colours: 10, 5 or 10, 6, 4 and 2. The 5/10 colour counts 10 with all five colours."),
    ]
    if options["investment_bank"]:
        entries.append(Entry("Brokers", "Their boxes are auctioned: money for containers, containers for money."))  # CT-IB-CALL-2
    return entries


GLOSSARY = {entry.title: entry.text for entry in guide({"investment_bank": True})}
