"""The bot of Santiago de Cuba: it values goods by what the ship wants of them, and every stop by all that follows from it."""

from tradewinds.agents.scripted.bot import Bot

from .rate import rate
from .weights import BALANCED, GREEDY, LAWYER, SHIPPER, style

BOT = Bot(
    game="santiago_de_cuba",
    rate=rate,
    styles={
        "balanced": style(BALANCED),
        "shipper": style(BALANCED, SHIPPER),
        "lawyer": style(BALANCED, LAWYER),
        "greedy": style(GREEDY),
    },
    temperature=0.4,
)
