"""Container, for 3 to 5 players, with or without the Investment Bank: RULES.md has its rules, clause by clause."""

from ..core.spec.game import Game
from ..core.spec.options import ENCODINGS, Option, common_options
from .actions import TABLE
from .check import check_state
from .observation import layout, observe
from .render.labels import announcement, is_secret_action
from .render.places import spot
from .render.svg import svg
from .render.text import text
from .render.words import COLOURS, GLOSSARY, words
from .rules.apply import apply
from .rules.legal import legal
from .rules.scoring import score
from .rules.setup import setup
from .state import FIELDS
from .tables import DEFAULT_MOST_TURNS, MAX_PLAYERS, MIN_PLAYERS, MOST_TURNS
from .view import redeal

GAME = Game(
    name="container",
    title="Container",
    module=__name__,
    version=0,
    fields=FIELDS,
    actions=TABLE,
    options=(
        *common_options(range(MIN_PLAYERS, MAX_PLAYERS + 1), default_players=4, encodings=ENCODINGS),
        Option("investment_bank", False, (False, True), "play with the Investment Bank"),
        Option("void_bids", False, (False, True), "a bluff card voids a bid: a tied bidder may void the whole bid in the second round"),
        Option(
            "max_turns",
            DEFAULT_MOST_TURNS,
            range(1, MOST_TURNS + 1),
            "turns until the game is truncated and scored as it stands",
            limits_only=True,
        ),
    ),
    parts=layout,
    kernels={"setup": setup, "legal": legal, "apply": apply, "observe": observe, "redeal": redeal, "score": score},
    text=text,
    svg=svg,
    check_state=check_state,
    score_scale=30,
    bot="tradewinds.agents.scripted.container:BOT",
    mean_steps={3: 573, 4: 605, 5: 637},
    spot=spot,
    words=words,
    glossary=GLOSSARY,
    colours=COLOURS,
    secret=is_secret_action,
    announce=announcement,
)
