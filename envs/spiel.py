"""The games in OpenSpiel, as a Python game.

>>> import pyspiel
>>> import tradewinds.envs.spiel    # registers it
>>> game = pyspiel.load_game("python_tradewinds", {"game": "santiago_de_cuba", "players": 2, "seed": 7})
>>> state = game.new_initial_state()

Parameters: `game`, `seed`, and the game's options; -1 and "" stand for the default.

Chance is sampled inside (`SAMPLED_STOCHASTIC`): set-up, dice and cards have far too many outcomes to list. So algorithms that walk chance
nodes (CFR, exploitability, best response) do not apply, and a state cannot be rebuilt from its history (no serialization). Playouts, MCTS,
IS-MCTS, outcome sampling and `rl_environment` do. `clone()` copies the randomness ahead with the position, so a search on clones foresees
it; `resample_from_infostate` redraws it with all that a player cannot know, so that IS-MCTS does not peek.
"""

from typing import Any

import numpy as np

from .core.api.aec import TableEnv
from .core.api.optional import need
from .core.spec.fields import Status
from .core.spec.game import Variant
from .core.spec.options import REWARDS
from .registry import game as find_game
from .registry import games

need("the OpenSpiel game", "spiel", "pyspiel")

import pyspiel

SHORT_NAME = "python_tradewinds"
MOST_PLAYERS = 10  # no game has more
LONGEST = 100_000  # decisions, of any game
MOST_POINTS = 1e6  # reward="score" has no bound of its own
SEED = "seed"


def _parameters() -> dict[str, Any]:
    """Defaults of all parameters, which OpenSpiel wants to know beforehand: every option of every game."""
    found: dict[str, Any] = {"game": games()[0], SEED: -1}
    for name in games():
        for option in find_game(name).options:
            found[option.name] = option.default if isinstance(option.default, bool) else "" if isinstance(option.default, str) else -1
    return found


PARAMETERS = _parameters()
GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Tradewinds",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
    default_loadable=True,
)


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """The options that were set: OpenSpiel has no parameters without a value."""
    return {key: value for key, value in given.items() if key not in ("game", SEED) and value != PARAMETERS.get(key)}


class TradewindsGame(pyspiel.Game):
    """One variant of a game.

    Args:
        params: `game`, `seed` and the game's options.

    Raises:
        ValueError: There is no such game or option.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        name = given.get("game", games()[0])
        self.variant: Variant = find_game(name).with_options(**_options(given))
        seed = given.get(SEED, -1)
        self.random = np.random.default_rng(None if seed < 0 else seed)
        most = MOST_POINTS if self.variant.reward == REWARDS.index("score") else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.variant.game.actions),
            max_chance_outcomes=0,
            num_players=self.variant.players,
            min_utility=-most,
            max_utility=most,
            max_game_length=LONGEST,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> "TradewindsState":
        """A new game, whose set-up is drawn from the seed."""
        env = TableEnv(self.variant.game, **self.variant.options)
        env.reset(seed=int(self.random.integers(2**63)))
        return TradewindsState(self, env)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "TradewindsObserver":
        """The observer of `observation_tensor` and the strings."""
        return TradewindsObserver(self.variant, iig_obs_type)


class TradewindsState(pyspiel.State):
    """A position. `env` is the PettingZoo environment behind it."""

    def __init__(self, game: TradewindsGame, env: TableEnv) -> None:
        super().__init__(game)
        self.env = env  # OpenSpiel's clone() copies attributes

    def current_player(self) -> int:
        """The seat to move, or TERMINAL."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.env.possible_agents.index(self.env.agent_selection)

    def _legal_actions(self, player: int) -> list[int]:
        return self.env.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.env.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.env.describe(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.env._b.states["status"][0] != Status.RUNNING)

    def returns(self) -> list[float]:
        """The rewards, zeros until the end."""
        return [float(self.env.rewards[agent]) for agent in self.env.possible_agents]

    def resample_from_infostate(self, player: int, rng: Any = None) -> "TradewindsState":
        """A position that the player cannot tell from this one, with other chance results ahead.

        Args:
            player: Whose knowledge stays.
            rng: A function that gives random numbers from 0 to 1, as OpenSpiel's bots pass it.
        """
        seed = int(np.random.default_rng().integers(2**53)) if rng is None else int(rng() * 2**53)
        other = self.clone()
        other.env = self.env.redeal(f"player_{player}", seed)
        return other

    def __str__(self) -> str:
        return self.env.game.text(self.env.record()[0], max(self.current_player(), 0))


class TradewindsObserver:
    """The vector of a player, and strings of what it sees or knows.

    Args:
        variant: The game and its options.
        iig_obs_type: With `perfect_recall` the string is that of the information state.
    """

    def __init__(self, variant: Variant, iig_obs_type: Any = None) -> None:
        self.perfect_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = np.zeros(variant.layout.size, np.float32)
        self.dict = {name: self.tensor[part] for name, part in variant.layout.slices.items()}

    def set_from(self, state: TradewindsState, player: int) -> None:
        """Write what the player sees into `tensor`."""
        self.tensor[:] = state.env.observe(f"player_{player}")["observation"]

    def string_from(self, state: TradewindsState, player: int) -> str:
        """What the player sees, or with perfect recall knows, as text."""
        if not self.perfect_recall:
            return state.env.game.text(state.env.view(f"player_{player}"), player)
        return f"player_{player} {_known(state.env, player).hex()}"


def _known(env: TableEnv, player: int) -> bytes:
    """The record with HIDDEN where a player with perfect recall does not know it."""
    if env._b.states["status"][0] != Status.RUNNING:
        return env.record().tobytes()
    return (env._b.words[0] | env.variant.open_mask[player]).tobytes()


pyspiel.register_game(GAME_TYPE, TradewindsGame)
