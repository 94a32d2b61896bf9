"""The agent that searches: see ismcts_template.py for how."""

import time
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.engine.buffers import Buffers, new_buffers
from tradewinds.envs.core.engine.kernel import compiling
from tradewinds.envs.core.spec.fields import as_words
from tradewinds.envs.core.spec.game import Game, Variant, load_template, start_games

from ..neural.checkpoint import find_net
from ..scripted.bot import NOTES, bot_of
from . import nets, value_net

TREE = Path(__file__).with_name("ismcts_template.py")
PRETRAINED = 1000  # iterations of the agent of that name
ENDLESS = 2**31  # iterations that may follow while there is time
DEEPEST = 256  # decisions from the root to a leaf
MOST_BYTES = 256_000_000  # of trees kept for later decisions


@cache
def tree_of(game: Game) -> ModuleType:
    """The search kernels of a game, compiled on first use."""
    loops = game.loops
    kernels = {name: getattr(loops, name) for name in ("legal", "play", "redeal_world", "score", "observe")}
    module = load_template(TREE, f"{__package__}.tree_of_{game.name}", {**kernels, "rate": bot_of(game.name).rate}, uses=[value_net])
    with compiling(module.__name__, f"the search of {game.name}"):
        agent = Search(game.with_options(), iterations=2, module=module)
        b = new_buffers(agent.variant, np.zeros((1, 1), np.uint64))
        rows = np.zeros(1, np.int64)
        start_games(loops, b)
        agent.act(Decisions(agent.variant, b, rows, np.zeros(1, np.uint64)))
    return module


class Search:
    """Tree search for so many iterations, or so many seconds, a decision; fewer once more could not change the answer.

    - `rollout`: games are played on by the "scripted" bot, whose ratings are also the tree's priors, or at "random", with no priors.
    - `noise`: how often a scripted rollout plays by lot.
    - `explore`: how much priors and curiosity count against what was found.
    - `margin`: how much of a game's worth is its margin in points; the rest is the win.
    - `net`: a network, trained under visibility="open" and reward="win", that tells how unfinished games end; without it the one that comes
      with search, if there is one for the variant.
    - `horizon`: how many decisions are played out before the network is asked; 0: all, to the end of the game.
    - `guided`: priors are the network's policy, not the bot's ratings.
    - `counting`: count along, and so know what stands behind the others' screens, where the game was followed from its start.
    - `reuse`: keep what an earlier decision of the same game found.
    - `style`: of the bot.

    A decision is searched from what the seat knows, from `decisions.seeds` and, with `reuse`, from its earlier decisions of the game, so
    the same decisions get the same answers, unless the budget is in seconds.
    """

    games_at_once = 8  # many more would only make others wait: decisions are searched one by one

    def __init__(
        self,
        variant: Variant,
        iterations: int | None = None,
        seconds: float | None = None,
        rollout: str = "scripted",
        noise: float = 0.02,
        explore: float = 0.3,
        margin: float = 0.8,
        horizon: int | None = None,
        reuse: bool = True,
        counting: bool = True,
        net: "str | Path | None" = None,
        guided: bool = False,
        style: str | None = None,
        module: ModuleType | None = None,
    ) -> None:
        bot = bot_of(variant.game.name)
        if (iterations is None) == (seconds is None):
            raise ValueError("search needs a budget: iterations, as in search:1000, or seconds, as in search:0.5s")
        if iterations is not None and iterations < 1:
            raise ValueError(f"{iterations} iterations are not possible; at least 1")
        if seconds is not None and not 0 < seconds < float("inf"):
            raise ValueError(f"{seconds} seconds are not possible; more than 0")
        if rollout not in ("scripted", "random"):
            raise ValueError(f"rollout={rollout} is not possible; rollout is scripted or random")
        if style is not None and style not in bot.styles:
            raise ValueError(f"style={style} is not possible; the styles of {variant.game.name} are {', '.join(bot.styles)}")
        for name, value, high in (("noise", noise, 1), ("margin", margin, 1), ("explore", explore, 100)):
            if not 0 <= value <= high:
                raise ValueError(f"{name}={value} is not possible; {name} is from 0 to {high}")
        is_random = rollout == "random"
        path = find_net(Path(net)) if net is not None else nets.network_of(variant)
        if path is None and (horizon or guided):
            what = "guided=yes" if guided else f"horizon={horizon}"
            raise ValueError(f"{what} is not possible for {nets.name_of(variant)} without net=PATH: a network is there for {nets.names()}")
        if horizon is None:
            horizon = bot.horizon if path is not None and not is_random else 0
        if horizon < 0:
            raise ValueError(f"horizon={horizon} is not possible; 0 plays games out to their end")
        self.variant = variant
        self.iterations = iterations
        self.seconds = seconds
        self.reuse = reuse
        self.counting = counting
        self._kernels = module or tree_of(variant.game)
        certain = self._kernels.CERTAIN
        self._settings = self._kernels.Settings(
            explore=float(explore),
            temperature=0.0 if is_random else float(bot.temperature),
            noise=certain if is_random else round(noise * certain),
            margin=float(margin),
            spread=float(bot.spread),
            visibility=int(variant.visibility),
            is_guided=guided,
            horizon=horizon,
        )
        self._capacity = 1 + (2 * iterations if iterations is not None else max(4096, round(200_000 * min(seconds or 0, 10))))
        self._b: Buffers = new_buffers(variant, np.zeros((1, 1), np.uint64))
        actions = len(variant.game.actions)
        mask_words = np.zeros_like(self._b.mask_words[0])
        self._net = nets.no_weights() if path is None else nets.read_weights(path, variant)
        self._scratch = self._kernels.Scratch(
            weights=bot.styles[style or bot.default],
            notes=np.zeros(NOTES),
            values=np.zeros(actions),
            first=np.zeros(actions),
            mask=mask_words.view(np.bool_),
            mask_words=mask_words,
            open=np.zeros(actions, np.int64),
            nodes=np.zeros(actions, np.int32),
            path=np.zeros(DEEPEST, np.int32),
            moved=np.zeros(self._capacity, np.int32),
            seed=np.zeros(1, np.uint64),
            stream=np.zeros(1, np.uint64),
            worth=np.zeros(variant.players),
            seen=np.zeros(variant.state_layout.size, np.float32),
            layers=np.zeros((3, self._net.enter_bias.size), np.float32),
        )
        self._trees: dict[tuple[int, int], Any] = {}
        self._kept = max(1, MOST_BYTES // (self._capacity * (30 + 8 * variant.players)))

    @classmethod
    def from_code(cls, variant: Variant, code: str) -> "Search":
        """`1000`, `0.5s`, `1000:rollout=random:explore=2`."""
        budget, *rest = code.split(":")
        settings: dict[str, Any] = {}
        try:
            if budget.endswith("s"):
                settings["seconds"] = float(budget[:-1])
            else:
                settings["iterations"] = int(budget)
        except ValueError:
            raise ValueError(f"{budget!r} is no budget: 1000 is so many iterations, 0.5s so many seconds") from None
        kinds = {
            "rollout": str,
            "style": str,
            "net": str,
            "guided": _yes_or_no,
            "noise": float,
            "explore": float,
            "margin": float,
            "horizon": int,
            "counting": _yes_or_no,
            "reuse": _yes_or_no,
        }
        for part in rest:
            name, _, value = part.partition("=")
            if name not in kinds:
                raise ValueError(f"search has no setting {name!r}; its settings are {', '.join(kinds)}, as in search:1000:rollout=random")
            try:
                settings[name] = kinds[name](value)
            except ValueError:
                raise ValueError(f"{name}={value} is not possible") from None
        return cls(variant, **settings)

    @classmethod
    def pretrained(cls, variant: Variant, rest: str = "") -> "Search":
        """Search with the trained network that comes with Tradewinds for this variant, as strong as it was measured."""
        if rest:
            raise ValueError("pretrained takes no setting")
        path = nets.network_of(variant)
        if path is None:
            raise ValueError(
                f"there is no pretrained network for {nets.name_of(variant)}; there are {nets.names()}. `tradewinds train` makes one"
            )
        return cls(variant, iterations=PRETRAINED, net=path)

    def new_games(self) -> None:
        """The rows of decisions are other games from now on."""
        self._trees.clear()

    def act(self, decisions: Decisions) -> np.ndarray:
        known = decisions.information_states if self.counting else decisions.views
        views = as_words(known.view(np.ndarray))
        return np.array([self._decide(decisions, views, i) for i in range(len(decisions))], np.int64)

    def visits(self, decisions: Decisions) -> np.ndarray:
        """How often each action was tried in the first of these decisions: int64 (A,). Searches as `act` does."""
        self.act(decisions)
        tree = self._trees[int(decisions.rows[0]), int(decisions.seats[0])]
        counts = np.zeros(len(self.variant.game.actions), np.int64)
        child = tree.children[0]
        while child >= 0:
            counts[tree.actions[child]] = tree.visits[child]
            child = tree.siblings[child]
        return counts

    def _decide(self, decisions: Decisions, views: np.ndarray, i: int) -> int:
        kernels, scratch, seat = self._kernels, self._scratch, int(decisions.seats[i])
        tree = self._tree(int(decisions.rows[i]), seat)
        view = views[i]
        scratch.seed[0] = decisions.seeds[i]
        kernels.begin(tree, self._b, scratch, self._net, view, seat, self._settings, self.reuse)
        if self.iterations is not None:
            kernels.grow(tree, self._b, scratch, self._net, view, seat, self._settings, self.iterations, 0)
        else:
            ends = time.perf_counter() + (self.seconds or 0)
            while time.perf_counter() < ends:
                kernels.grow(tree, self._b, scratch, self._net, view, seat, self._settings, kernels.ROUND, ENDLESS)
        return int(kernels.most_visited(tree, seat))

    def _tree(self, row: int, seat: int) -> Any:
        """The tree of this game and seat; the one used longest ago gives its place to a new one."""
        tree = self._trees.pop((row, seat), None)
        if tree is None:
            if len(self._trees) >= self._kept:
                del self._trees[next(iter(self._trees))]
            tree = self._new_tree()
        self._trees[row, seat] = tree
        return tree

    def _new_tree(self) -> Any:
        n = self._capacity
        tree = self._kernels.Tree(
            size=np.zeros(1, np.int64),
            actions=np.zeros(n, np.int16),
            parents=np.zeros(n, np.int32),
            children=np.zeros(n, np.int32),
            siblings=np.zeros(n, np.int32),
            visits=np.zeros(n, np.int32),
            gains=np.zeros((n, self.variant.players)),
            keys=np.zeros(n, np.uint64),
        )
        self._kernels.clear(tree)
        return tree


def _yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError
    return text == "yes"
