"""The games as OpenEnv environments: one seat for a language model, agents in the others.

>>> from tradewinds.envs.openenv import Answer, TradewindsEnvironment
>>> env = TradewindsEnvironment("santiago_de_cuba", opponents="scripted", players=3)
>>> seen = env.reset(seed=1)
>>> seen = env.step(Answer(text="Action: 4"))   # seen.prompt, seen.legal, seen.reward, seen.done

`app("santiago_de_cuba", ...)` serves it over HTTP and WebSocket, as OpenEnv's clients expect.
"""

import uuid
from typing import Any

from .core.api.errors import GameOverError
from .core.api.gymnasium_env import SeatEnv
from .core.api.optional import need
from .core.api.seat_batch import check_choice
from .registry import game
from .text import RULES, prompt, read_answer

need("the OpenEnv environment", "openenv", "openenv")

from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app  # pyright: ignore[reportMissingImports]
from pydantic import Field


class Answer(Action):
    """What the model said; `tradewinds.envs.text.read_answer` says how it is read."""

    text: str


class Seen(Observation):
    """What the seat may see. `reward` is 0 until the game is over."""

    prompt: str  # rules, board and named legal actions
    legal: list[str] = Field(default_factory=list)  # the names of the legal actions
    refused: str = ""  # why the last answer was refused; the game is as it was
    score: int = 0  # the final score and rank; 0 until then
    rank: int = 0


class TradewindsEnvironment(Environment[Answer, Seen, State]):
    """One seat of one game as text.

    Args:
        name: The game.
        opponents: Agents for the other seats, as for `gymnasium.make`; by default random ones.
        seat: The model's seat; None for another one in each game.
        how: Which rules are in the prompt: "short", "whole" or "none".
        **options: The game's options.

    Raises:
        ValueError: An argument is not possible.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, name: str, opponents: Any = None, seat: int | None = 0, how: str = "short", **options: Any) -> None:
        super().__init__()
        check_choice("how", how, RULES)
        self.seat_env = SeatEnv(game(name), seat=seat, opponents=opponents, **options)
        self.how = how
        self._state = State()
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> Seen:
        """Start a new game and play it up to the model's first decision."""
        self.seat_env.reset(seed=seed)
        self._state = State(episode_id=episode_id or str(uuid.uuid4()), step_count=0)
        self._over = False
        return self._seen()

    def step(self, action: Answer, timeout_s: float | None = None, **kwargs: Any) -> Seen:
        """Play the action that an answer names, then the opponents. An answer that names none is refused, with the reason.

        Raises:
            GameOverError: The game is over, or has not begun.
        """
        if self._over:
            raise GameOverError("the game is over, or has not begun: call reset() first")
        found = read_answer(action.text, self.seat_env.table)
        self._state.step_count += 1
        if found.action is None:
            return self._seen(refused=found.reason)
        _, reward, terminated, truncated, _ = self.seat_env.step(found.action)
        self._over = terminated or truncated
        return self._seen(reward)

    @property
    def state(self) -> State:
        """The episode's id and the number of answers; nothing of the game, which a client could read."""
        return self._state

    def _seen(self, reward: float = 0.0, refused: str = "") -> Seen:
        table, agent = self.seat_env.table, self.seat_env.agent
        info, legal = table.infos[agent], [] if self._over else [table.describe(action) for action in table.legal_actions()]
        facts = {"score": info["score"], "rank": info["rank"], "done": self._over, "reward": reward}
        return Seen(prompt=prompt(table, agent, self.how), legal=legal, refused=refused, **facts)


def app(name: str, **arguments: Any) -> Any:
    """A FastAPI application that serves the environment, one game per session; `TradewindsEnvironment` has the arguments.

    Args:
        name: The name of a game.
        **arguments: Those of `TradewindsEnvironment`.
    """
    return create_fastapi_app(lambda: TradewindsEnvironment(name, **arguments), Answer, Seen)
