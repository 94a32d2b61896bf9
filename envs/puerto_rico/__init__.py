"""Puerto Rico, for 2 to 5 players, with New Buildings and Nobles: RULES.md has its rules, clause by clause."""

from collections.abc import Mapping
from typing import Any

from ..core.spec.game import Game
from ..core.spec.options import ENCODINGS, Option, common_options
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

DRAFTS = ("players", "random")


def check(options: Mapping[str, Any]) -> None:
    """Raise a ValueError for options that exclude each other."""
    if options["draft"] == "random" and not options["new_buildings"]:
        raise ValueError("puerto_rico: draft='random' needs new_buildings=True; the base game's buildings are not drafted")


GAME = Game(
    name="puerto_rico",
    title="Puerto Rico",
    module=__name__,
    version=0,
    fields=FIELDS,
    actions=TABLE,
    options=(
        *common_options(range(MIN_PLAYERS, MAX_PLAYERS + 1), default_players=4, encodings=ENCODINGS),
        Option("new_buildings", False, (False, True), "play with New Buildings"),
        Option("nobles", False, (False, True), "play with Nobles"),
        Option("draft", "players", DRAFTS, "who chooses the buildings of New Buildings"),
    ),
    parts=layout,
    kernels={"setup": setup, "legal": legal, "apply": apply, "observe": observe, "redeal": redeal, "score": score},
    text=text,
    svg=svg,
    check_state=check_state,
    score_scale=10,
    bot="tradewinds.agents.scripted.puerto_rico:BOT",
    mean_steps={2: 222, 3: 252, 4: 335, 5: 409},
    spot=spot,
    words=words,
    glossary=GLOSSARY,
    colours=COLOURS,
    check=check,
)
