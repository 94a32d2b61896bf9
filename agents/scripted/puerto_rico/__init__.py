"""The scripted bot of Puerto Rico."""

from tradewinds.agents.scripted.bot import Bot

from .rate import rate
from .weights import BALANCED, BUILDER, GREEDY, SHIPPER, row

BOT = Bot(
    game="puerto_rico",
    rate=rate,
    styles={"balanced": row(BALANCED), "shipper": row(BALANCED, SHIPPER), "builder": row(BALANCED, BUILDER), "greedy": row(GREEDY)},
    temperature=0.3,
)
