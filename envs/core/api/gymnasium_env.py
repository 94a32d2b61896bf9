"""The Gymnasium environment: one seat of a game, the others played by agents."""

from typing import Any

import gymnasium
import numpy as np

from ..spec.game import Game
from .aec import TableEnv, refuse_reset_options
from .decisions import given_to
from .opponents import resolve
from .seat_batch import check_choice, check_seat
from .spaces import LegalActions


class SeatEnv(gymnasium.Env[Any, np.int64]):
    """A Gymnasium environment for one seat.

    Observations are the float32 vector; the mask is in `info["action_mask"]` and from `action_masks()`, where MaskablePPO looks for it.
    `info` has the same keys at every step: `action_mask`, `illegal`, `score`, `rank` and `breakdown`, the last three zeros until the game
    is over. Then the mask is all ones, so that samplers which ask once more before a reset still work.

    Args:
        game: The game.
        seat: Which seat, or None to draw one for each game.
        opponents: One agent for all other seats, a list with one for each, in seat order without the own, or a mixture `{agent: weight}`
            of which one is drawn for each game and seat. An agent is a code ("scripted", "search:100"), an object with `act(decisions)` as
            `tradewinds.agents.make` gives, or a function `f(observation, action_mask) -> action`. By default they play uniformly random
            legal actions.
        illegal: "raise" an IllegalActionError for an illegal action, or play a "random" legal one in its place and say so in
            `info["illegal"]`, for learners and checkers that know no masks.
        render_mode: None, "ansi", "rgb_array" or "human".
        mask: Where the mask goes: "info" alone, or also into the "observation", which then is `{"observation": ..., "action_mask": ...}`.
        **options: The game's options.
    """

    def __init__(
        self,
        game: Game,
        seat: int | None = 0,
        opponents: Any = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        mask: str = "info",
        **options: Any,
    ) -> None:
        check_choice("illegal", illegal, ("raise", "random"))
        check_choice("mask", mask, ("info", "observation"))
        self.table = TableEnv(game, render_mode, **options)
        variant = self.table.variant
        check_seat(seat, variant)
        self._opponents = None if opponents is None else resolve(opponents, variant)
        self._seating = np.zeros(variant.players - 1, np.int64)  # the agent of each other seat, as an index into the opponents
        if self._opponents is not None and self._opponents.by_seat:
            self._seating = np.arange(variant.players - 1)
        self._mask_is_observed = mask == "observation"
        self._replaces_illegal = illegal == "random"
        self._replaced = False
        self._fixed_seat = seat
        self.seat = 0 if seat is None else int(seat)
        self.render_mode = render_mode
        self.metadata = {"render_modes": self.table.metadata["render_modes"], "render_fps": 2}
        self.action_space: LegalActions = LegalActions(len(game.actions))
        self.observation_space = variant.observation_space if self._mask_is_observed else variant.vector_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game and play it up to the own seat's first decision.

        Args:
            seed: Seed of the game; None continues the random generator.
            options: None; there are none. The game's options are arguments of `gymnasium.make`.

        Raises:
            ValueError: There is an option.
        """
        refuse_reset_options(options, self.table.variant)
        super().reset(seed=seed)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.table.variant.players))
        if self._opponents is not None:
            if not self._opponents.by_seat and len(self._opponents.agents) > 1:
                self._seating = self._opponents.draw(self.np_random, (self.table.variant.players - 1,))
            self._opponents.new_games()
        self.table.reset(seed=seed)
        self._replaced = False
        self._play_others()
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action, then the other seats up to the own seat's next decision or the end of the game."""
        self._replaced = self._replaces_illegal and not self.action_space.legal[self.table.game.actions.check_id(action)]
        self.table.step(self._random_agent(self.action_space.legal) if self._replaced else action)
        self._play_others()
        observation, info = self._seen()
        agent = self.agent
        table = self.table
        return observation, float(table.rewards[agent]), table.terminations[agent], table.truncations[agent], info

    def __repr__(self) -> str:
        return f"SeatEnv({self.table.variant.describe()}, seat={self._fixed_seat})"

    @property
    def agent(self) -> str:
        """The own seat's name at the table."""
        return self.table.possible_agents[self.seat]

    def action_masks(self) -> np.ndarray:
        """What is legal now: bool (actions,)."""
        return self.action_space.legal.astype(bool)

    def render(self) -> Any:
        """The board as the own seat sees it."""
        return self.table.render(self.agent)

    def _play_others(self) -> None:
        table = self.table
        while table.agent_selection != self.agent and not any(table.terminations.values()) and not any(table.truncations.values()):
            if self._opponents is None:
                action = self._random_agent(table.observe(table.agent_selection)["action_mask"])
            else:
                seat = table.possible_agents.index(table.agent_selection)
                agent = self._opponents.agents[self._seating[seat - (seat > self.seat)]]
                action = agent.act(given_to(agent, table.decision()))[0]
            table.step(action)

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        seen = self.table.observe(self.agent)
        if self.table.terminations[self.agent] or self.table.truncations[self.agent]:
            seen["action_mask"][:] = 1
        mask = self.action_space.legal[:] = seen["action_mask"]
        info = {"action_mask": mask, "illegal": bool(self._replaced), **self.table.infos[self.agent]}
        info["breakdown"] = np.array(info["breakdown"], np.int64)  # which vectors and datasets stack
        if self._mask_is_observed:
            return {"observation": seen["observation"], "action_mask": mask.copy()}, info
        return seen["observation"], info

    def _random_agent(self, mask: np.ndarray) -> int:
        return int(self.np_random.choice(np.flatnonzero(mask)))
