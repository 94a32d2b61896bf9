"""Gymnasium's vector interface on the batch itself: no subprocesses and no loop over environments.

>>> import gymnasium, tradewinds.envs
>>> envs = gymnasium.make_vec("tradewinds/santiago_de_cuba-v0", num_envs=256, opponents="scripted:greedy")
>>> observations, infos = envs.reset(seed=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
"""

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from .core.api.aec import refuse_reset_options
from .core.api.batch import check_seed
from .core.api.breakdown import breakdown
from .core.api.opponents import resolve
from .core.api.seat_batch import SeatBatch, check_choice, check_seat
from .core.api.spaces import LegalActions, LegalVectorActions, sample_legal_rows
from .registry import game

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


class SeatVectorEnv(gymnasium.vector.VectorEnv[Any, np.ndarray, np.ndarray]):
    """One seat in each of `num_envs` games; agents play the other seats.

    Row i is the environment that `gymnasium.make` gives, reset with the i-th seed. `infos["action_mask"]` holds the legal actions, int8
    (num_envs, actions): all ones in a row whose game is over. `score`, `rank` and `breakdown`, int (num_envs, sources), are 0 until then.
    With same-step autoreset `final_obs` and `final_info` have the end of a game, as in Gymnasium's own vectors.

    Args:
        name: The game.
        num_envs: The number of games.
        seat: Which seat; None gives it the next one in each game of a row.
        opponents: One agent for all other seats, a list with one per other seat, or a mixture `{agent: weight}` of which one is drawn for
            each game and seat. An agent is a code ("scripted"), an object with `act(decisions)` or a function of (observation,
            action_mask).
        illegal: "raise" an IllegalActionError, or play a "random" legal action in place of an illegal one.
        mask: Where the mask goes: "info" alone, or also into the "observation", `{"observation": ..., "action_mask": ...}`.
        autoreset_mode: `AutoresetMode.NEXT_STEP`, Gymnasium's default, or `AutoresetMode.SAME_STEP`.
        threads: How many threads step the games.
        render_mode: Only None.
        **options: The game's options, such as `players=3`.

    Raises:
        ValueError: An argument is not possible; the message says what is.
    """

    def __init__(
        self,
        name: str,
        num_envs: int,
        seat: int | None = 0,
        opponents: Any = None,
        illegal: str = "raise",
        mask: str = "info",
        autoreset_mode: "AutoresetMode | str" = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.closed = True  # nothing to close if an argument is refused
        variant = game(name).with_options(**options)
        check_choice("illegal", illegal, ("raise", "random"))
        check_choice("mask", mask, ("info", "observation"))
        modes: dict[Any, AutoresetMode] = {mode.value: mode for mode in MODES}
        mode = modes.get(getattr(autoreset_mode, "value", autoreset_mode))
        if mode is None:
            raise ValueError(f"autoreset_mode must be {' or '.join(map(repr, modes))}, got {autoreset_mode!r}")
        if render_mode is not None:
            raise ValueError(f"render_mode must be None, got {render_mode!r}: make one environment with gymnasium.make to draw it")
        check_seat(seat, variant)
        self.render_mode = None
        self.variant = variant
        others = resolve("random" if opponents is None else opponents, variant)
        self.games = SeatBatch(variant, num_envs, others, seat, None, threads, mode is AutoresetMode.SAME_STEP, True)
        self.closed = False
        self.num_envs = self.games.batch.size
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self._replaces_illegal = illegal == "random"
        self._mask_is_observed = mask == "observation"
        self._begun = False
        self._sources = len(breakdown(variant.game, variant.blank[0])[0])
        self._masks = np.ones((self.num_envs, len(variant.game.actions)), np.int8)
        self.single_action_space: spaces.Discrete = LegalActions(len(variant.game.actions))
        self.single_observation_space = variant.observation_space if self._mask_is_observed else variant.vector_space
        self.action_space: spaces.MultiDiscrete = LegalVectorActions(self._masks)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def __repr__(self) -> str:
        return f"SeatVectorEnv({self.variant.describe()}, num_envs={self.num_envs})"

    def reset(
        self, *, seed: "int | Sequence[int | None] | None" = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new games in all rows.

        Args:
            seed: An integer for seeds seed, seed + 1, ..., or one per row; None continues the random generator.
            options: None; there are none. The game's options are arguments of `gymnasium.make_vec`.

        Raises:
            ValueError: The seeds are not integers, or not one per row, or there is an option.
        """
        refuse_reset_options(options, self.variant)
        seeds = self._seeds(seed)  # refused before anything changes
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seeds is not None:
            self.games.random = np.random.default_rng(seeds.tolist())
        self.games.reset(seeds)
        self._begun = True
        return self._seen(), self._infos(np.zeros(self.num_envs, bool))

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action per row, and the other seats up to the next decision of the own ones.

        Args:
            actions: Integers (num_envs,). That of a row whose game is over is ignored: a new game starts there.

        Raises:
            IllegalActionError: An action is not legal; no game was touched.
            ValueError: There is not one action per row.
        """
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions must be integers of shape ({self.num_envs},), got {chosen.dtype} of shape {chosen.shape}")
        chosen, replaced = self._legal(chosen.astype(np.int64))
        endings = self.games.step(chosen)
        rewards = np.zeros(self.num_envs)
        terminations, truncations = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        rewards[endings.rows] = endings.rewards
        terminations[endings.rows], truncations[endings.rows] = ~endings.truncated, endings.truncated
        observations, infos = self._seen(endings), self._infos(replaced)
        if endings.rows.size:
            self._add_results(infos, endings, replaced)
        return observations, rewards, terminations, truncations, infos

    def action_masks(self) -> np.ndarray:
        """What is legal now: bool (num_envs, actions)."""
        return self._masks.astype(bool)

    def close_extras(self, **kwargs: Any) -> None:
        """End the batch's threads."""
        self.games.batch.close()

    def _seeds(self, seed: Any) -> np.ndarray | None:
        if seed is None:
            return None
        if isinstance(seed, Iterable) and not isinstance(seed, (str, bytes)):
            seeds = [check_seed(one) for one in seed]
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed must be an integer, or {self.num_envs} of them, one per row; got {len(seeds)}")
            return np.array(seeds, np.uint64)
        first = check_seed(seed)
        if first + self.num_envs > 2**64:
            raise ValueError(f"seed must be at most 2**64 - {self.num_envs}, as row i has the seed seed + i; got {first}")
        return np.arange(self.num_envs, dtype=np.uint64) + np.uint64(first)

    def _legal(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The actions with illegal ones replaced, if that was asked for, and where that was."""
        replaced = np.zeros(self.num_envs, bool)
        if self._replaces_illegal:
            inside = np.clip(actions, 0, self._masks.shape[1] - 1)
            replaced = (self._masks[np.arange(self.num_envs), inside] == 0) | (inside != actions)
            rows = np.flatnonzero(replaced)
            actions[rows] = sample_legal_rows(self._masks[rows], self.games.random)
        return actions, replaced

    def _seen(self, endings: Any = None) -> Any:
        games = self.games
        self._masks[:] = games.batch.masks
        self._masks[games.waiting] = 1
        vectors = games.batch.observations.copy()
        if endings is not None and not games.same_step:
            vectors[endings.rows] = endings.observations
        return {"observation": vectors, "action_mask": self._masks.copy()} if self._mask_is_observed else vectors

    def _infos(self, replaced: np.ndarray) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, bool)
        zeros = np.zeros(self.num_envs, np.int64)
        infos = {
            "action_mask": self._masks.copy(),
            "illegal": replaced,
            "score": zeros,
            "rank": zeros.copy(),
            "breakdown": np.zeros((self.num_envs, self._sources), np.int64),
            "seat": self.games.own_seats.copy(),
        }
        return infos | {f"_{key}": everywhere for key in infos}

    def _add_results(self, infos: dict[str, Any], endings: Any, replaced: np.ndarray) -> None:
        rows = endings.rows
        if not self.games.same_step:
            infos["score"][rows], infos["rank"][rows], infos["breakdown"][rows] = endings.scores, endings.ranks, endings.breakdowns
            return
        ended = np.zeros(self.num_envs, bool)
        ended[rows] = True
        final = {key: np.zeros_like(value) for key, value in infos.items()}
        final["action_mask"][rows], final["illegal"][rows] = 1, replaced[rows]
        final["score"][rows], final["rank"][rows], final["breakdown"][rows] = endings.scores, endings.ranks, endings.breakdowns
        final["seat"][rows] = endings.seats
        last = np.full(self.num_envs, None, object)
        for row, vector in zip(rows, endings.observations, strict=True):
            last[row] = {"observation": vector, "action_mask": final["action_mask"][row]} if self._mask_is_observed else vector
        final.update({key: ended for key in final if key.startswith("_")})
        infos.update({"final_obs": last, "_final_obs": ended, "final_info": final, "_final_info": ended})
