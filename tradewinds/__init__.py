"""Tradewinds: trading board games as reinforcement-learning environments.

>>> import tradewinds as tw
>>> env = tw.make("santiago_de_cuba", players=3)                   # a PettingZoo AEC environment
>>> batch = tw.make_batch("santiago_de_cuba", size=4096, seed=7)   # thousands of games, stepped in place
>>> bot = tw.make_agent("scripted", "santiago_de_cuba", players=3)

Importing it imports the environments and registers them with PettingZoo and Gymnasium. Agents and evaluation are imported when they are
first used, torch only by what needs a network.
"""

import os
import re
import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:  # a module is being started
    # For `python -m tradewinds` and `python -m tradewinds.leaderboard` Python puts the working folder first, where a file beside a replay
    # would be imported as a library. The module's name may follow its option without a space.
    if any(re.fullmatch(rf"(-\w*m)?{__name__}(\..+)?", argument) for argument in sys.orig_argv):
        del sys.path[0]

import importlib
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not Path(__file__).with_name("envs").is_dir():
    # Python that is started in a clone finds the clone's tradewinds/ before the installed package; the other parts lie beside it.
    __path__.append(str(Path(__file__).parents[1]))

from tradewinds.envs import (
    Batch,
    FormatError,
    Game,
    GameOverError,
    IllegalActionError,
    Replay,
    SeatEnv,
    TableEnv,
    Variant,
    game,
    games,
    load_replay,
    make,
    make_batch,
    make_seat,
    register,
)

if TYPE_CHECKING:
    from tradewinds.agents import Agent, AgentError, Decisions
    from tradewinds.agents import make as make_agent
    from tradewinds.training.evaluation.evaluate import Evaluation, Tournament, evaluate, tournament

    __version__: str

__all__ = [
    "Agent",
    "AgentError",
    "Batch",
    "Decisions",
    "Evaluation",
    "FormatError",
    "Game",
    "GameOverError",
    "IllegalActionError",
    "Replay",
    "SeatEnv",
    "TableEnv",
    "Tournament",
    "Variant",
    "__version__",
    "evaluate",
    "game",
    "games",
    "load_replay",
    "make",
    "make_agent",
    "make_batch",
    "make_seat",
    "register",
    "tournament",
]

EVALUATION = "training.evaluation.evaluate"
# Imported when first used: name -> its module, and what it is called there.
LAZY = {
    "Agent": ("agents", "Agent"),
    "AgentError": ("agents", "AgentError"),
    "Decisions": ("agents", "Decisions"),
    "make_agent": ("agents", "make"),
    "Evaluation": (EVALUATION, "Evaluation"),
    "evaluate": (EVALUATION, "evaluate"),
    "Tournament": (EVALUATION, "Tournament"),
    "tournament": (EVALUATION, "tournament"),
}


if not TYPE_CHECKING:  # a type checker would take any name for one of these

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            return version(__name__)
        if name not in LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = LAZY[name]
        try:
            found = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
        except ModuleNotFoundError as missing:
            from .envs.core.api.optional import how_to_install

            raise ImportError(f"{__name__}.{name} needs {missing.name}: {how_to_install('cli')}") from missing
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return __all__
