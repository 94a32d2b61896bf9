"""Loading games before somebody plays them, so that the first board comes at once."""

import contextlib
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError

import tradewinds.envs as tw
from tradewinds.agents.scripted import loops_of
from tradewinds.envs.core.engine.cache import announce_template, is_cold
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.spec import game as spec
from tradewinds.envs.core.spec.game import Game

from .server import Server


def preload(server: Server, wanted: Sequence[str] = ()) -> threading.Thread:
    """Load games in the background, one after the other.

    Args:
        server: The server that they are for.
        wanted: Games that are about to be played, which are compiled if need be; by default those that are compiled already.
    """

    def load_all() -> None:
        with contextlib.suppress(CancelledError, RuntimeError):  # the server ends
            for name in wanted or tw.games():
                game = tw.game(name)
                if wanted or is_compiled(game):
                    server.prepare(name, load, game, bool(wanted)).exception()  # an error is reported when the game is played

    thread = threading.Thread(target=load_all, name="tradewinds-preload", daemon=True)
    thread.start()
    return thread


def load(game: Game, with_bot: bool) -> None:
    """Load the kernels of a game, or compile them."""
    _ = game.loops
    if with_bot:
        loops_of(game)


def is_compiled(game: Game) -> bool:
    """Whether the loops of a game are in the cache."""
    module = f"{spec.__package__}.loops_of_{game.name}"  # as `Game.loops` names it
    announce_template(module, spec.LOOPS, game.kernels.values())
    return not JIT or not is_cold(module)
