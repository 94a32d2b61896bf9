"""The scripted agents: each game's bot, in one of its styles."""

import difflib
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.engine.buffers import new_buffers
from tradewinds.envs.core.engine.kernel import compiling
from tradewinds.envs.core.spec.game import Game, Variant, load_template, start_games

from ..base import VariantAgent
from .bot import NO_BOT, SCRATCH_SIZE, bot_of

LOOPS = Path(__file__).with_name("loops_template.py")
LEAST = 64  # decisions per thread: fewer cost less than waking a thread


@cache
def loops_of(game: Game) -> ModuleType:
    """The loops around a game's bot, or for random play alone if it has none, compiled on first use."""
    env, bot = game.loops, bot_of(game) or NO_BOT
    kernels = {"start": env.start, "play": env.play, "score": env.score, "rate": bot.rate}
    loops = load_template(LOOPS, f"{__package__}.loops_of_{game.name}", kernels)
    with compiling(loops.__name__, f"the bot of {game.name}"):
        _use_every_loop(game, loops, bot.styles[bot.default])
    return loops


def _use_every_loop(game: Game, loops: ModuleType, weights: np.ndarray) -> None:
    """Call each loop once with the types that agents use, so that it is compiled, or read from the cache."""
    variant = game.with_options()
    scratch, values, one = np.zeros(SCRATCH_SIZE), np.zeros(len(game.actions)), np.zeros(1, np.int64)
    streams, draws, dice = np.zeros((1, 1), np.uint64), np.zeros((1, 1), np.uint64), np.zeros(1, np.uint64)
    b = new_buffers(variant, streams)
    start_games(game.loops, b)
    loops.choose_all(b.states, b.seats, b.masks, b.mask_words, draws, weights, scratch, values, one)
    choices, logits = np.zeros((1, len(game.actions)), np.int64), np.zeros((1, len(game.actions)), np.float32)
    loops.base_logits_all(b.states, b.seats, b.masks, b.mask_words, weights, scratch, values, 1.0, 1.0, choices, logits, 0, 1)
    seat_assignments = np.zeros((1, variant.players), np.int8)
    loops.play_out(b, seat_assignments, np.stack([weights]), draws, dice, scratch, values, one, 0, 1)


class Scripted(VariantAgent):
    """A game's bot in one style.

    Args:
        variant: The game with its options.
        style: A style of the bot; by default the strongest.

    Raises:
        ValueError: The game has no bot, or its bot has no such style.
    """

    def __init__(self, variant: Variant, style: str | None = None) -> None:
        bot = bot_of(variant.game)
        if bot is None:
            raise ValueError(f"{variant.game.name} has no scripted bot")
        self.style = style or bot.default
        if self.style not in bot.styles:
            near = difflib.get_close_matches(self.style, bot.styles, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise ValueError(f"{variant.game.name} has no style {style!r}{hint}; its styles are {', '.join(bot.styles)}")
        super().__init__(variant, f"scripted:{style}" if style else "scripted", {"style": style})
        self.weights = bot.styles[self.style]
        self._loops = loops_of(variant.game)
        self._scratch = np.zeros(SCRATCH_SIZE)
        self._values = np.zeros(len(variant.game.actions))
        self._parts: list[tuple[np.ndarray, np.ndarray]] = []  # scratch memory of each thread in `base_logits`

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose the best-rated legal action per decision, int64 (n,). Ties are broken by `decisions.seeds`."""
        self.check(decisions)
        actions = np.zeros(len(decisions), np.int64)
        streams = decisions.seeds.reshape(-1, 1).copy()
        self._loops.choose_all(
            decisions.views,
            decisions.seats,
            decisions.mask_words.view(np.bool_),
            decisions.mask_words,
            streams,
            self.weights,
            self._scratch,
            self._values,
            actions,
        )
        return actions

    def base_logits(
        self,
        decisions: Decisions,
        views: np.ndarray,
        temperature: float,
        clip: float,
        actions: np.ndarray,
        logits: np.ndarray,
        threads: int,
    ) -> None:
        """Write the legal actions and their logits, max((rating - best rating) / temperature, -clip), to the start of each row.

        Args:
            decisions: The decisions, n of them.
            views: What the bot rates: `decisions.views` or `decisions.information_states`.
            temperature: Of the softmax.
            clip: The logits are at least -clip.
            actions: int64 (n, K), K at least the largest number of legal actions.
            logits: float32 (n, K).
            threads: How many threads share the decisions.
        """
        masks, words, seats, count = decisions.mask_words.view(np.bool_), decisions.mask_words, decisions.seats, len(decisions)
        parts = max(1, min(threads, count // LEAST))
        while len(self._parts) < parts:
            self._parts.append((np.zeros(SCRATCH_SIZE), np.zeros_like(self._values)))

        def run(part: int) -> None:
            scratch, values = self._parts[part]
            first, last = part * count // parts, (part + 1) * count // parts
            self._loops.base_logits_all(
                views, seats, masks, words, self.weights, scratch, values, float(temperature), float(clip), actions, logits, first, last
            )  # fmt: skip

        others = [_pool(threads).submit(run, part) for part in range(1, parts)]
        run(0)
        for other in others:
            other.result()

    def rate(self, decisions: Decisions) -> np.ndarray:
        """The bot's rating of every action: float64 (n, A), -inf where it is not legal.

        Args:
            decisions: Decisions of the bot's variant.
        """
        self.check(decisions)
        values = np.full(decisions.masks.shape, -np.inf)
        masks = decisions.mask_words.view(np.bool_)
        for i, view in enumerate(decisions.views):
            self._loops.rate(view, int(decisions.seats[i]), masks[i], self.weights, self._scratch, self._values)
            values[i, decisions.masks[i]] = self._values[decisions.masks[i]]
        return values


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Kernels release the GIL, so threads run them side by side."""
    return ThreadPoolExecutor(threads - 1, thread_name_prefix="tradewinds_rating")
