"""Santiago de Cuba, for 2 to 4 players: RULES.md has its rules, clause by clause."""

from ..core.spec.game import Game
from ..core.spec.options import ENCODINGS, common_options
from .actions import TABLE
from .check import check_state
from .observation import layout, observe
from .render.places import spot
from .render.svg import svg
from .render.text import text
from .render.words import COLOURS, GLOSSARY, words
from .rules.apply import apply
from .rules.legal import legal
from .rules.scoring import score
from .rules.setup import setup
from .state import FIELDS
from .tables import MAX_PLAYERS, MIN_PLAYERS
from .view import redeal

GAME = Game(
    name="santiago_de_cuba",
    title="Santiago de Cuba",
    module=__name__,
    version=0,
    fields=FIELDS,
    actions=TABLE,
    options=common_options(range(MIN_PLAYERS, MAX_PLAYERS + 1), default_players=MAX_PLAYERS, encodings=ENCODINGS),
    parts=layout,
    kernels={"setup": setup, "legal": legal, "apply": apply, "observe": observe, "redeal": redeal, "score": score},
    text=text,
    svg=svg,
    check_state=check_state,
    score_scale=10,
    bot="tradewinds.agents.scripted.santiago_de_cuba:BOT",
    mean_steps={2: 202, 3: 207, 4: 211},
    spot=spot,
    words=words,
    glossary=GLOSSARY,
    colours=COLOURS,
)
