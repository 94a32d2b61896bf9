"""Stable-Baselines3: a VecEnv on top of a batch, without subprocesses.

>>> from sb3_contrib import MaskablePPO
>>> from tradewinds.training import sb3
>>> env = sb3.SeatVecEnv("santiago_de_cuba", size=256, opponents="random", players=4)
>>> model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=2048, n_epochs=2, gamma=1.0)
>>> model.learn(1_000_000, callback=[sb3.SelfPlayCallback(), sb3.WinRateCallback(against=["random", "scripted"])])
"""

import io
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tradewinds.envs.core.api.optional import need

need("training with Stable-Baselines3", "train", "torch", "stable_baselines3", "sb3_contrib")

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv

import tradewinds.envs as tw
from tradewinds.agents import Agent, Decisions, build
from tradewinds.agents.neural.inputs import draw, uniforms_of
from tradewinds.agents.neural.network import Network, Shape
from tradewinds.envs.core.api.opponents import Opponents, agent_of, resolve
from tradewinds.envs.core.api.seat_batch import OWN, SeatBatch
from tradewinds.envs.core.spec.game import Variant

from .evaluation.arena import win_rate

LEARNER = OWN  # in `seat_assignments`; other numbers are places in the pool


class SeatVecEnv(VecEnv):
    """`size` games of a batch, in each of which one seat learns; the others are played by agents from a pool.

    A step is one action of the learner in every row, with everything the others do until it is to move again. The step that ends an episode
    has the learner's reward; `infos` has its score and rank, the last observation, and the length in its own steps.

    Args:
        game: The game's name.
        size: How many games are played side by side.
        opponents: One or several of: an agent code (`"random"`, `"scripted"`, `"net:PATH"`), an agent, a function of
            (observation, action_mask). One of them is drawn for each game and seat.
        seat: The learner's seat. None gives it the next seat in each game of a row.
        seed: Seeds everything; `seed()` and the seed of a model set it for the next `reset()`.
        threads: Threads that share the games.
        **options: The game's options.
    """

    render_mode = None

    def __init__(
        self,
        game: str,
        size: int,
        opponents: Any = "random",
        seat: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.variant = tw.game(game).with_options(**options)
        others = resolve(opponents, self.variant) if isinstance(opponents, Mapping) else Opponents(self._agents(opponents))
        self.games = SeatBatch(self.variant, size, others, seat, seed, threads)
        self.batch = self.games.batch
        self.pool: list[Agent] = self.games.opponents.agents
        self.own_seats, self.seat_assignments, self.decisions = self.games.own_seats, self.games.seat_assignments, self.games.decisions
        self._actions = np.zeros(size, np.int64)
        self._began = time.perf_counter()
        super().__init__(size, self.variant.layout.space, spaces.Discrete(len(self.variant.game.actions)))
        if seed is not None:
            self.seed(seed)

    # ---- the VecEnv interface ------------------------------------------------------------------------------------------------------

    def reset(self) -> np.ndarray:
        """New games in all rows."""
        seed = self._seeds[0]
        if seed is not None:
            self.games.random = np.random.default_rng(seed)
        self.games.reset()
        self._reset_seeds()
        return self.batch.observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep one action of the learner per game for `step_wait`."""
        self._actions[:] = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions, and the others' up to the learner's next decision in every game.

        Returns:
            Observations (size, D), rewards (size,), dones (size,) and one info per game. A game that ended has been reset.
        """
        endings = self.games.step(self._actions)
        rewards, dones = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, bool)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rewards[endings.rows], dones[endings.rows] = endings.rewards, True
        seconds = time.perf_counter() - self._began
        facts = (endings.rows, endings.seats, endings.rewards, endings.truncated, endings.scores, endings.ranks, endings.lengths)
        for last, row, seat, reward, truncated, score, rank, length in zip(
            endings.observations, *(part.tolist() for part in facts), strict=True
        ):
            infos[row] = {
                "terminal_observation": last,
                # A game cut off by its length limit is scored as it stands, as the rules say: nothing is to be expected after it.
                "TimeLimit.truncated": False,
                "cut_off": truncated,
                "seat": seat,
                "score": score,
                "rank": rank,
                "episode": {"r": reward, "l": length, "t": seconds},
            }
        return self.batch.observations.copy(), rewards, dones, infos

    def action_masks(self) -> np.ndarray:
        """What the learner may do now: bool (size, actions)."""
        return self.batch.masks.copy()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The masks of some games: `action_masks` is the only method, which MaskablePPO calls."""
        if method_name != "action_masks":
            raise AttributeError(f"the rows of a batch have no method {method_name!r}; there is action_masks")
        return list(self.batch.masks[self._chosen(indices)])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this object, once for each index."""
        return [getattr(self, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not possible.

        Raises:
            AttributeError: Always; games of a batch have no attributes of their own.
        """
        raise AttributeError(f"the rows of a batch have no attributes of their own; set {attr_name!r} on the SeatVecEnv")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each index: games of a batch have no wrappers."""
        return [False] * len(self._chosen(indices))

    def close(self) -> None:
        """End the batch's threads."""
        self.batch.close()

    # ---- opponents -----------------------------------------------------------------------------------------------------------------

    def invite(self, agent: Any, place: int | None = None) -> int:
        """Put an agent into the pool: at the end, or in another's place, which it takes in running games too. Returns the place.

        Args:
            agent: An agent or its code.
            place: The number in the pool of the agent that it replaces; None: it is added.
        """
        (opponent,) = self._agents(agent)
        if place is None:
            self.pool.append(opponent)
            return len(self.pool) - 1
        self.pool[place] = opponent
        return place

    def _agents(self, given: Any) -> list[Agent]:
        several = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        if not several:
            raise ValueError("name at least one opponent")
        return [agent_of(one, self.variant) for one in several]

    def _chosen(self, indices: "int | Iterable[int] | None") -> np.ndarray:
        return np.atleast_1d(self.games.rows if indices is None else self.games.rows[np.asarray(indices, np.int64)])


class SB3Agent:
    """A `MaskablePPO` model as an agent: a model, its policy, or the path of a saved one. Load only files that you trust.

    `class Mine(SB3Agent): path = "model.zip"` in a module of yours is `module:Mine` on the command line.
    """

    path: "str | Path | None" = None

    def __init__(self, variant: Variant, model: Any = None, sample: bool = False) -> None:
        self.variant = variant
        self.sample = sample  # sample from the policy instead of taking its most probable action
        given: Any = self.path if model is None else model
        if given is None:
            raise ValueError(f"{type(self).__name__} needs a model: an argument, or the class attribute `path`")
        if isinstance(given, (str, Path)):
            given = self._load(Path(given))
        self.policy: MaskableActorCriticPolicy = getattr(given, "policy", given)
        seen, actions = self.policy.observation_space.shape, int(getattr(self.policy.action_space, "n", 0))
        wanted = (variant.layout.size,), len(variant.game.actions)
        if (seen, actions) != wanted:
            fits = [f"; encoding={name!r} fits" for name in variant.game.encodings if (variant.encoded(name).layout.size,) == seen]
            raise ValueError(
                f"this model is for observations of shape {seen} and {actions} actions; "
                f"{variant.game.name} with these options has {wanted[0]} and {wanted[1]}{''.join(fits)}"
            )

    def act(self, decisions: Decisions) -> np.ndarray:
        """Choose one legal action per decision, int64 (n,): the policy's most probable, or a sample of it."""
        with torch.inference_mode():
            seen = torch.from_numpy(decisions.observations).to(self.policy.device)
            chances = self.policy.get_distribution(seen, action_masks=decisions.masks).distribution.probs.cpu()  # type: ignore[union-attr]
        if self.sample:
            return draw(chances.double().numpy(), uniforms_of(decisions.seeds))
        return chances.argmax(dim=1).numpy()

    @staticmethod
    def _load(path: Path) -> MaskablePPO:
        if not path.is_file() and not path.with_suffix(".zip").is_file():
            raise ValueError(f"there is no file {path}: it is what `model.save` wrote")
        return MaskablePPO.load(path)


class _RolloutCallback(BaseCallback):
    """Base of callbacks that act every `every` rollouts, for a model that learns in a SeatVecEnv."""

    def __init__(self, every: int) -> None:
        super().__init__()
        if every < 1:
            raise ValueError(f"every must be a positive number of rollouts, got {every!r}")
        self.every = every
        self.rollouts = 0

    @property
    def table(self) -> SeatVecEnv:
        env = self.training_env.unwrapped
        if not isinstance(env, SeatVecEnv):
            raise TypeError(f"{type(self).__name__} needs a model that learns in a SeatVecEnv, not in a {type(env).__name__}")
        return env

    def _on_step(self) -> bool:
        return True


class SelfPlayCallback(_RolloutCallback):
    """Puts a copy of the policy into the pool of opponents before every `every`-th rollout; the newest `keep` stay, beside those of before.

    With `alone` the agents that were there before leave as soon as there is a copy, so that the learner meets only itself.
    """

    def __init__(self, every: int = 10, keep: int = 5, alone: bool = False) -> None:
        super().__init__(every)
        if keep < 1:
            raise ValueError(f"keep must be a positive number of copies, got {keep!r}")
        self.keep = keep
        self.alone = alone
        self.places: list[int] = []  # of the copies, in the pool

    def _on_rollout_start(self) -> None:
        if self.rollouts % self.every == 0:
            env = self.table
            snapshot = SB3Agent(env.variant, _copy(self.model.policy), sample=True)
            if self.alone and not self.places:
                self.places = [env.invite(snapshot, place) for place in range(len(env.pool))]
            elif len(self.places) < self.keep:
                self.places.append(env.invite(snapshot))
            else:
                self.places.append(env.invite(snapshot, self.places.pop(0)))
        self.rollouts += 1


def _copy(policy: Any) -> Any:
    """Copy a policy by saving and loading it. `deepcopy` fails on a trained one, which holds non-leaf tensors of its last update."""
    file = io.BytesIO()
    policy.save(file)
    file.seek(0)
    return type(policy).load(file, policy.device).eval()


class WinRateCallback(_RolloutCallback):
    """Measures the policy against tables of fixed opponents every `every` rollouts, and keeps the best.

    Win rates go to the model's logger as `win_rate/CODE` and with the time steps to `history`; `save_best` says where to save the best.
    """

    def __init__(
        self, against: Sequence[str] = ("random",), every: int = 10, games: int = 400, save_best: "str | Path | None" = None
    ) -> None:
        super().__init__(every)
        self.against = list(against)
        self.games = games
        self.save_best = save_best
        self.history: list[tuple[int, dict[str, float]]] = []
        self.best = -1.0

    def _on_rollout_end(self) -> None:
        self.rollouts += 1
        if self.rollouts % self.every:
            return
        variant = self.table.variant
        agent = SB3Agent(variant, self.model)
        rates = {code: win_rate(variant, agent, build(code, variant), self.games, seed=1) for code in self.against}
        for code, rate in rates.items():
            self.logger.record(f"win_rate/{code}", rate)
        self.history.append((self.num_timesteps, rates))
        if self.save_best is not None and np.mean(list(rates.values())) > self.best:
            self.best = float(np.mean(list(rates.values())))
            self.model.save(self.save_best)


class Trunk(BaseFeaturesExtractor):
    """The network of `tradewinds train` without its heads, as a features extractor."""

    def __init__(self, observation_space: spaces.Box, width: int = 256, blocks: int = 2) -> None:
        super().__init__(observation_space, width)
        self.network = Network(Shape(observation_space.shape[0], 1, 1, width, blocks))
        del self.network.policy, self.network.value

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The last hidden layer (n, width) for observations (n, D)."""
        return self.network.features(observations)


def same_network(width: int = 256, blocks: int = 2) -> dict[str, Any]:
    """`policy_kwargs` for the network of `tradewinds train`: its trunk, with SB3's linear heads for the actions and one value.

    Args:
        width: Units of each hidden layer.
        blocks: Residual blocks.
    """
    return {"features_extractor_class": Trunk, "features_extractor_kwargs": {"width": width, "blocks": blocks}, "net_arch": []}
