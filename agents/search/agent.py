"""The agent that searches; ismcts_template.py has the algorithm."""

import inspect
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from tradewinds.envs.core.api.decisions import Decisions
from tradewinds.envs.core.engine.buffers import Buffers, new_buffers
from tradewinds.envs.core.engine.kernel import compile_for, compiling
from tradewinds.envs.core.spec.fields import as_words
from tradewinds.envs.core.spec.game import LOOPS, Game, Variant, load_template, start_games

from ..base import VariantAgent
from ..neural.checkpoint import find_net, name_of, pretrained_names, pretrained_net, read_for_search, search_code
from ..neural.inputs import PLAIN
from ..scripted.bot import NO_BOT, SCRATCH_SIZE, bot_of
from . import value_net
from .settings import PRIORS, ROLLOUTS, check_settings, code_of, parse

TEMPLATE = Path(__file__).with_name("ismcts_template.py")
PRETRAINED = "1000"  # what the agent of that name searches where there is no network
HORIZON = 50  # of scripted rollouts with a network
UNLIMITED = 2**31  # more simulations than can follow: never stop early
MAX_DEPTH = 256  # decisions from the root to a leaf
MAX_BYTES = 256_000_000  # of trees kept for later decisions
LOGITS = 24  # logits per node that the pool has room for
CHUNK = 128  # simulations per thread between two checks of whether to stop
# Of root="gumbel"; docs/agents.md has its win rates with 4 and with 16 actions considered.
GUMBEL_SCALE, CONSIDERED, VALUE_SCALE = 0.0, 4, 1.0
_GOLDEN, _ALL_BITS = 0x9E3779B97F4A7C15, 2**64 - 1


@cache
def kernels_of(game: Game) -> ModuleType:
    """The search kernels of a game, compiled on first use."""
    loops = game.loops
    module = _module_of(game, loops)
    with compiling(module.__name__, f"the search of {game.name}"):
        variant = game.with_options()
        b = new_buffers(variant, np.zeros((1, 1), np.uint64))
        rows = np.zeros(1, np.int64)
        start_games(loops, b)
        Search(variant, simulations=2, module=module).act(Decisions(variant, b, rows, np.zeros(1, np.uint64)))
    return module


def compile_kernels(game: Game) -> None:
    """Compile the search kernels of a game without waiting for all of its loops, of which they need few: for `tradewinds compile`."""
    package = Game.__module__.rpartition(".")[0]
    module = _module_of(game, load_template(LOOPS, f"{package}.loops_of_{game.name}", game.kernels))  # as `game.loops`, not compiled yet
    with compiling(module.__name__, f"the search of {game.name}"):
        Search(game.with_options(), simulations=2, module=module).compile()


def _module_of(game: Game, loops: ModuleType) -> ModuleType:
    kernels = {name: getattr(loops, name) for name in ("legal", "play", "redeal_state", "score", "observe")}
    rate = (bot_of(game) or NO_BOT).rate
    return load_template(TEMPLATE, f"{__package__}.tree_of_{game.name}", {**kernels, "rate": rate}, uses=[value_net])


@dataclass(frozen=True)
class Opinion:
    """The result of searching one decision.

    Attributes:
        action: The action that `act` plays.
        visits: int64 (A,): simulations of each action, those of earlier decisions that led here included.
        policy: float64 (A,): a policy to learn from: the visits' shares, or with root="gumbel" the improved policy.
        values: float64 (A, players): the mean value of each seat after each action, player_0 first; NaN where it was not tried.
        value: float64 (players,): the mean value of each seat.
        outcome: float64 (2, players): each seat's mean part of the win and mean squashed margin over the simulations of this decision; NaN
            if an earlier decision had settled the answer.
        line: The principal variation: the most visited action, the most visited reply to it, and so on.
        line_names: The names of these actions.

    Values are from 0 to 1. With margin=0 they are win probabilities, and those of all seats sum to 1.
    """

    action: int
    visits: np.ndarray
    policy: np.ndarray
    values: np.ndarray
    value: np.ndarray
    outcome: np.ndarray
    line: tuple[int, ...]
    line_names: tuple[str, ...]


class _Worker(NamedTuple):
    """The memory of one thread."""

    b: Buffers
    scratch: Any


class Search(VariantAgent):
    """Information-set Monte Carlo tree search.

    A decision is searched from what the seat knows, from `decisions.seeds`, and with `reuse` from its earlier decisions of the game, so the
    same decisions get the same answers, unless the budget is in seconds. The search stops early once no more simulations could change the
    answer. A pickled or copied agent starts without trees.
    """

    games_at_once = 8  # decisions are searched one by one: with more games the others would wait

    def __init__(
        self,
        variant: Variant,
        simulations: int | None = None,
        seconds: float | None = None,
        rollout: str | None = None,
        prior: str | None = None,
        root: str = "puct",
        noise: float = 0.02,
        exploration: float = 0.3,
        temperature: float | None = None,
        margin: float = 0.8,
        horizon: int | None = None,
        reuse: bool = True,
        perfect_recall: bool = True,
        net: "str | Path | None" = None,
        style: str | None = None,
        threads: int = 1,
        module: ModuleType | None = None,
    ) -> None:
        """Make a search for one variant.

        Args:
            variant: The variant to play.
            simulations: Simulations per decision; either this or `seconds`.
            seconds: Seconds per decision.
            rollout: What plays a simulation on after the tree's leaf: the "scripted" bot (default), the network's "policy", or "random"
                actions; with "none" the network evaluates the leaf itself.
            prior: Where the priors of actions come from: the "scripted" bot's ratings (default), the network's "policy" (default with
                rollout "policy" or "none"), or "uniform" (default with rollout "random").
            root: How simulations are shared out among the root's actions: "puct", or "gumbel": sequential halving over the few actions with
                the highest priors, for budgets of a few dozen simulations. It never stops early.
            noise: How often a rollout plays a random action.
            exploration: The factor of the prior term in PUCT.
            temperature: Priors are softmax(logits / temperature); default is the bot's own for its ratings and 1 for a network.
            margin: The part of a game's value that is its margin in points; the rest is the win.
            horizon: Decisions of a rollout before the network evaluates the rest; 0 plays to the end of the game. Default is 50 where there
                is a network and `rollout` is scripted, policy or not given, and 0 otherwise.
            reuse: Keep what an earlier decision of the same game found.
            perfect_recall: Search from the information state: what the seat can deduce from the history of the game, where it is known.
            net: A network that reads the information state and was trained with reward="win": its folder or a run. Default is the one that
                comes with Tradewinds for the variant if a setting needs a network, and none otherwise.
            style: The style of the bot.
            threads: The number of independent trees, searched in parallel. They share the simulations, and their visits are added. The
                answer depends on the number of threads, but not on their timing.
            module: The game's kernels, while they are being compiled.

        Raises:
            ValueError: A setting is invalid; the message says what is valid.
        """
        given = {
            "simulations": simulations,
            "seconds": seconds,
            "rollout": rollout,
            "prior": prior,
            "root": root,
            "noise": noise,
            "exploration": exploration,
            "temperature": temperature,
            "margin": margin,
            "horizon": horizon,
            "reuse": reuse,
            "perfect_recall": perfect_recall,
            "net": net,
            "style": style,
            "threads": threads,
        }
        super().__init__(variant, code_of(given, inspect.signature(Search)), given)
        bot = bot_of(variant.game)
        if (bot is None and "scripted" in (rollout, prior)) or (bot is None and style is not None):
            raise ValueError(f"{variant.game.name} has no scripted bot; rollout=random plays games on without one")
        is_default_rollout = rollout is None
        rollout = rollout or ("random" if bot is None else "scripted")
        bot = bot or NO_BOT
        prior = prior or {"random": "uniform", "scripted": "scripted"}.get(rollout, "policy")
        check_settings(given, rollout, prior)
        if style is not None and style not in bot.styles:
            raise ValueError(f"{variant.game.name} has no style {style!r}; its styles are {', '.join(bot.styles)}")
        needs = [f"rollout={rollout}"] * (rollout in ("policy", "none")) + ["prior=policy"] * (prior == "policy")
        needs += [f"horizon={horizon}"] * bool(horizon)
        path = find_net(Path(net)) if net is not None else (pretrained_net(variant) if needs else None)
        if path is None and needs:
            raise ValueError(
                f"{needs[0]} needs a network: {name_of(variant)} has no pretrained one, so give net=PATH ({_pretrained_list()})"
            )
        if horizon is None:
            horizon = HORIZON if path is not None and (rollout in ("scripted", "policy") or is_default_rollout) else 0
        self.simulations = simulations
        self.seconds = seconds
        self.root = root
        self.reuse = reuse
        self.perfect_recall = perfect_recall
        self.threads = threads
        tensors, spec = read_for_search(path, variant) if path is not None else (None, PLAIN)
        base = spec if spec.base == "scripted" else None
        self._net = value_net.arrange(tensors) if tensors is not None else value_net.no_weights()
        self._kernels = module or kernels_of(variant.game)
        self._settings = self._kernels.Settings(
            exploration=float(exploration),
            prior=PRIORS.index(prior),
            temperature=float(temperature or (1.0 if prior == "policy" else bot.temperature)),
            rollout=ROLLOUTS.index(rollout),
            noise=round(noise * self._kernels.CERTAIN),
            horizon=horizon,
            margin=float(margin),
            spread=float(variant.game.score_scale),
            visibility=int(variant.visibility),
            base_temperature=0.0 if base is None else base.temperature,
            base_clip=0.0 if base is None else base.clip,
            gumbel=GUMBEL_SCALE,
            considered=CONSIDERED if root == "gumbel" else 0,
            value_scale=VALUE_SCALE,
        )
        share = None if simulations is None else -(-simulations // threads)
        self._capacity = 1 + (2 * share if share is not None else max(4096, round(200_000 * min(seconds or 0, 10))))
        # Without rollouts every node gets logits when it is added, otherwise when it is first descended from.
        self._pool = 1 if prior != "policy" else LOGITS * self._capacity // (1 if rollout == "none" else 2)
        weights = bot.styles[style or bot.default], bot.styles[bot.default if base is None or base.style is None else base.style]
        observation = variant.encoded(spec.encoding).state_layout.size  # search always reads the information state
        inputs = observation + (0 if base is None else len(variant.game.actions))
        self._workers = [self._new_worker(weights, inputs, observation) for _ in range(threads)]
        self._executor: ThreadPoolExecutor | None = None
        self._trees: dict[tuple[int, int], list[Any]] = {}
        self._kept = max(1, MAX_BYTES // (threads * (self._capacity * (34 + 8 * variant.players) + self._pool * 14)))

    @classmethod
    def from_code(cls, variant: Variant, code: str) -> "Search":
        """Make a search from what follows `search:` in a code: `1000`, `0.5s`, `1000:rollout=random:exploration=2`."""
        return cls(variant, **parse(code))

    @classmethod
    def pretrained(cls, variant: Variant, code: str = "") -> "Search":
        """Make the search with the network that comes with Tradewinds for a variant, with the settings that come with it.

        Where there is no such network it is the search without one, and a warning says so.

        Args:
            variant: The variant to play.
            code: Settings in place of the network's own, as for `from_code`: `200`, `0.5s`, `1000:exploration=0.5`; empty for none.
        """
        path = pretrained_net(variant)
        if path is None:
            without = f"no network comes with Tradewinds for {name_of(variant)}, so pretrained searches without one"
            warnings.warn(f"{without}; {_pretrained_list()}", stacklevel=2)
        settings, given = parse(PRETRAINED if path is None else search_code(path)), parse(code) if code else {}
        if given:  # one budget in place of the other
            settings = {name: value for name, value in settings.items() if name not in ("simulations", "seconds")}
        return cls(variant, **{**settings, **given})

    def compile(self) -> None:
        """Compile what `act` calls, for the types that it calls it with."""
        worker, view = self._workers[0], as_words(self.variant.blank)[0]
        given = (self._new_tree(), worker.b, worker.scratch, self._net, view, 0, self._settings)
        compile_for(self._kernels.begin, (*given, self.reuse))
        compile_for(self._kernels.grow, (*given, 1, 0))

    def new_games(self) -> None:
        """Forget all trees: the rows of decisions are other games from now on."""
        self._trees.clear()

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose one legal action per decision: int64 (n,)."""
        self.check(decisions)
        views = self._views(decisions)
        return np.array([self._search(decisions, views, i) for i in range(len(decisions))], np.int64)

    def visits(self, decisions: Decisions) -> np.ndarray:
        """Search one decision as `act` does, and count the simulations of each action: int64 (A,).

        Args:
            decisions: One decision.
        """
        return self.opinion(decisions).visits

    def opinion(self, decisions: Decisions) -> Opinion:
        """Search one decision as `act` does, and return everything that was found.

        Args:
            decisions: One decision.

        Raises:
            ValueError: These are several decisions, or none.
        """
        self.check(decisions)
        if len(decisions) != 1:
            raise ValueError(f"opinion() takes one decision, got {len(decisions)}")
        seat = int(decisions.seats[0])
        action = self._search(decisions, self._views(decisions), 0)
        trees = self._trees[int(decisions.rows[0]), seat]
        visits, sums = self._root(trees)
        values = np.full(sums.shape, np.nan)
        values[visits > 0] = sums[visits > 0] / visits[visits > 0, None]
        value = np.sum([tree.value_sum[0] for tree in trees], axis=0) / max(1, sum(int(tree.visits[0]) for tree in trees))
        policy = visits / max(1, visits.sum()) if self.root == "puct" else self._improved_policy(visits, values[:, seat], value[seat])
        outcomes = np.sum([worker.scratch.outcomes for worker in self._workers], axis=0)
        simulations = outcomes[0].sum()  # the parts of one win sum to 1
        outcome = outcomes / simulations if simulations else np.full_like(outcomes, np.nan)
        line = (action, *self._line(trees, action))
        names = self.variant.game.actions.names
        return Opinion(action, visits, policy, values, value, outcome, line, tuple(names[a] for a in line))

    def _views(self, decisions: Decisions) -> np.ndarray:
        known = decisions.information_states if self.perfect_recall else decisions.views
        return as_words(known.view(np.ndarray))

    def _search(self, decisions: Decisions, views: np.ndarray, i: int) -> int:
        kernels, seat, view = self._kernels, int(decisions.seats[i]), views[i]
        trees = self._trees_of(int(decisions.rows[i]), seat)
        for thread, (tree, worker) in enumerate(zip(trees, self._workers, strict=True)):
            worker.scratch.seed[0] = (int(decisions.seeds[i]) + thread * _GOLDEN) & _ALL_BITS
            kernels.begin(tree, worker.b, worker.scratch, self._net, view, seat, self._settings, self.reuse)
        if self.seconds is not None:
            ends = time.perf_counter() + self.seconds
            self._side_by_side(lambda thread: self._grow_until(ends, trees[thread], self._workers[thread], view, seat))
        elif self.threads == 1:
            return self._grow(trees[0], self._workers[0], view, seat, self.simulations or 0, 0)
        else:
            self._grow_in_chunks(trees, view, seat)
        visits, sums = self._root(trees)
        return int(np.lexsort((sums[:, seat], visits))[-1])

    def _grow(self, tree: Any, worker: _Worker, view: np.ndarray, seat: int, simulations: int, later: int) -> int:
        return int(self._kernels.grow(tree, worker.b, worker.scratch, self._net, view, seat, self._settings, simulations, later))

    def _grow_until(self, ends: float, tree: Any, worker: _Worker, view: np.ndarray, seat: int) -> None:
        while time.perf_counter() < ends:
            self._grow(tree, worker, view, seat, self._kernels.ROUND, UNLIMITED)

    def _grow_in_chunks(self, trees: list[Any], view: np.ndarray, seat: int) -> None:
        """Grow the trees of all threads, until no more simulations could change the answer of all together."""
        simulations = self.simulations or 0
        left = [simulations // self.threads + (thread < simulations % self.threads) for thread in range(self.threads)]
        while any(left):
            first, second = np.sort(self._root(trees)[0])[:-3:-1]
            if first - second > sum(left):
                return
            self._side_by_side(lambda t: self._grow(trees[t], self._workers[t], view, seat, min(CHUNK, left[t]), UNLIMITED))
            left[:] = [max(0, rest - CHUNK) for rest in left]

    def _side_by_side(self, work: Callable[[int], Any]) -> None:
        """Run the work of every thread at the same time: kernels release the GIL."""
        if self.threads == 1:
            work(0)
            return
        if self._executor is None:
            self._executor = ThreadPoolExecutor(self.threads, "search")
        list(self._executor.map(work, range(self.threads)))

    def _root(self, trees: list[Any]) -> tuple[np.ndarray, np.ndarray]:
        """Visits (A,) and sums of values (A, players) of the root's actions, over all trees."""
        visits = np.zeros(len(self.variant.game.actions), np.int64)
        sums = np.zeros((visits.size, self.variant.players))
        for tree in trees:
            for child in _children(tree, 0):
                visits[tree.actions[child]] += tree.visits[child]
                sums[tree.actions[child]] += tree.value_sum[child]
        return visits, sums

    def _improved_policy(self, visits: np.ndarray, values: np.ndarray, value: float) -> np.ndarray:
        """softmax(logits + sigma(values)) over the legal actions, with the root's value where an action was not tried."""
        scratch = self._workers[0].scratch
        is_legal = scratch.mask[: visits.size]
        scale = (self._kernels.VALUE_VISITS + visits.max()) * self._settings.value_scale
        logits = np.log(np.maximum(scratch.root_priors[is_legal], 1e-30)) + scale * np.where(visits > 0, values, value)[is_legal]
        policy = np.zeros(visits.size)
        policy[is_legal] = np.exp(logits - logits.max())
        return policy / policy.sum()

    def _line(self, trees: list[Any], action: int) -> Iterator[int]:
        """The most visited actions after the root's, in the tree that tried that one most."""
        starts = [(tree, child) for tree in trees for child in _children(tree, 0) if tree.actions[child] == action]
        if not starts:
            return
        tree, node = max(starts, key=lambda start: start[0].visits[start[1]])
        while children := list(_children(tree, node)):
            node = max(children, key=lambda child: tree.visits[child])
            yield int(tree.actions[node])

    def _trees_of(self, row: int, seat: int) -> list[Any]:
        """The trees of this game and seat, one per thread; the ones that were not used for longest make room for new ones."""
        trees = self._trees.pop((row, seat), None)
        if trees is None:
            if len(self._trees) >= self._kept:
                del self._trees[next(iter(self._trees))]
            trees = [self._new_tree() for _ in range(self.threads)]
        self._trees[row, seat] = trees
        return trees

    def _new_tree(self) -> Any:
        n, pool = self._capacity, self._pool
        tree = self._kernels.Tree(
            size=np.zeros(2, np.int64),
            actions=np.zeros(n, np.int16),
            parents=np.zeros(n, np.int32),
            children=np.zeros(n, np.int32),
            siblings=np.zeros(n, np.int32),
            visits=np.zeros(n, np.int32),
            value_sum=np.zeros((n, self.variant.players)),
            keys=np.zeros(n, np.uint64),
            first_logit=np.zeros(n, np.int32),
            logit_actions=np.zeros(pool, np.int16),
            logit_nodes=np.zeros(pool, np.int32),
            logit_next=np.zeros(pool, np.int32),
            logits=np.zeros(pool, np.float32),
        )
        self._kernels.clear(tree)
        return tree

    def _new_worker(self, weights: tuple[np.ndarray, np.ndarray], inputs: int, observation: int) -> _Worker:
        variant, actions = self.variant, len(self.variant.game.actions)
        b = new_buffers(variant, np.zeros((1, 1), np.uint64))
        mask_words, network_inputs = np.zeros_like(b.mask_words[0]), np.zeros(inputs, np.float32)
        scratch = self._kernels.Scratch(
            weights=weights[0],
            base_weights=weights[1],
            bot=np.zeros(SCRATCH_SIZE),
            values=np.zeros(actions),
            base=np.zeros(actions),
            root_priors=np.zeros(actions),
            gumbel=np.zeros(actions),
            considered=np.zeros(actions, np.int64),
            halving=np.zeros(4, np.int64),
            mask=mask_words.view(np.bool_),
            mask_words=mask_words,
            open=np.zeros(actions, np.int64),
            nodes=np.zeros(actions, np.int32),
            path=np.zeros(MAX_DEPTH, np.int32),
            moved=np.zeros(self._capacity, np.int32),
            seed=np.zeros(1, np.uint64),
            stream=np.zeros(1, np.uint64),
            outcome=np.zeros((2, variant.players)),
            outcomes=np.zeros((2, variant.players)),
            inputs=network_inputs,
            observation=network_inputs[:observation],
            layers=np.zeros((3, self._net.enter_bias.size), np.float32),
        )
        return _Worker(b, scratch)


def _pretrained_list() -> str:
    return f"there are networks for {pretrained_names()}"


def _children(tree: Any, node: int) -> Iterator[int]:
    child = int(tree.children[node])
    while child >= 0:
        yield child
        child = int(tree.siblings[child])
