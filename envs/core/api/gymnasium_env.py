"""The Gymnasium environment: one seat of a game, the others played by agents."""

from typing import Any

import gymnasium
import numpy as np

from ..spec.game import Game
from .aec import TableEnv
from .spaces import LegalActions


def _is_player(given: Any) -> bool:
    return callable(given) or hasattr(given, "act")


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """A Gymnasium environment for one seat.

    Observations are the float32 vector; the mask is in `info["action_mask"]` and from `action_masks()`, where MaskablePPO looks for it.
    `info` has the same keys at every step: `action_mask`, `illegal`, `score` and `rank`, the last two 0 until the game is over.

    Args:
        game: The game.
        seat: Which seat, or None to draw one for each game.
        opponents: One for all other seats or one for each, in seat order without the own: a function `f(observation, action_mask) ->
            action`, or an agent with `act(decisions)`, as `tradewinds.agents.make` gives. By default they play uniformly random legal
            actions.
        illegal: "raise" an IllegalActionError for an illegal action, or play a "random" legal one in its place and say so in
            `info["illegal"]`, for learners and checkers that know no masks.
        render_mode: None, "ansi", "rgb_array" or "human".
        **options: The game's options.
    """

    def __init__(
        self,
        game: Game,
        seat: int | None = 0,
        opponents: Any = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if illegal not in ("raise", "random"):
            raise ValueError(f"illegal must be 'raise' or 'random', got {illegal!r}")
        self.table = TableEnv(game, render_mode, **options)
        players = self.table.variant.players
        if seat is not None and (isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < players):
            raise ValueError(f"seat must be None or an integer from 0 to {players - 1}, got {seat!r}")
        one: Any = self._random_opponent if opponents is None else opponents
        others: list[Any] = [one] * (players - 1) if _is_player(one) else list(one)
        if len(others) != players - 1 or not all(map(_is_player, others)):
            raise ValueError(f"opponents must be one callable or agent, or {players - 1} of them, one for each other seat")
        self._replaces_illegal = illegal == "random"
        self._replaced = False
        self._fixed_seat = seat
        self._opponents = others
        self.seat = 0 if seat is None else int(seat)
        self.render_mode = render_mode
        self.metadata = {"render_modes": self.table.metadata["render_modes"], "render_fps": 2}
        self.action_space: LegalActions = LegalActions(len(game.actions))
        self.observation_space = self.table.variant.vector_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a new game and play it up to the own seat's first decision. `options` is ignored."""
        super().reset(seed=seed)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.table.variant.players))
        self.table.reset(seed=seed)
        self._replaced = False
        self._play_others()
        return self._seen()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
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
            agent = table.agent_selection
            seat = table.possible_agents.index(agent)
            opponent = self._opponents[seat - (seat > self.seat)]
            if hasattr(opponent, "act"):
                table.step(opponent.act(table.decision())[0])
            else:
                seen = table.observe(agent)
                table.step(opponent(seen["observation"], seen["action_mask"]))

    def _seen(self) -> tuple[np.ndarray, dict[str, Any]]:
        seen = self.table.observe(self.agent)
        self.action_space.legal[:] = seen["action_mask"]
        return seen["observation"], {"action_mask": seen["action_mask"], "illegal": bool(self._replaced), **self.table.infos[self.agent]}

    def _random_opponent(self, observation: np.ndarray, mask: np.ndarray) -> int:
        return self._random_agent(mask)

    def _random_agent(self, mask: np.ndarray) -> int:
        return int(self.np_random.choice(np.flatnonzero(mask)))
