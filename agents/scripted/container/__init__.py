"""The scripted bot of Container."""

from tradewinds.agents.scripted.bot import Bot

from .rate import rate
from .weights import STYLES

BOT = Bot(game="container", rate=rate, styles=STYLES, temperature=1.0)
