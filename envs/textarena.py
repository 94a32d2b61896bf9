"""The games as TextArena environments, for language models and what wraps TextArena.

>>> import textarena as ta
>>> import tradewinds.envs.textarena                   # registers Tradewinds-SantiagoDeCuba-v0 and the other games
>>> env = ta.make("Tradewinds-SantiagoDeCuba-v0-raw", opponents="scripted", players=3)
>>> env.reset(num_players=1, seed=1)
>>> player, observation = env.get_observation()
>>> done, info = env.step("Action: 4")

Ids without "-raw" have TextArena's LLMObservationWrapper, which joins all that a player was told to one text.
"""

from typing import Any

import numpy as np

from .core.api.aec import TableEnv
from .core.api.decisions import given_to
from .core.api.errors import GameOverError
from .core.api.opponents import resolve
from .core.api.optional import need
from .core.api.seat_batch import check_choice, check_seat
from .registry import game, games
from .text import RULES, board, choices, read_answer, system_prompt

need("the TextArena environment", "llm", "textarena")

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY, register_with_versions


class TradewindsEnv(ta.Env):
    """One game as text. An answer that names no legal action is refused with the reason; the game is as it was.

    Args:
        name: The game.
        opponents: Agents for the other seats, as for `gymnasium.make`: then one player is asked, in `seat`. None: all seats are players.
        seat: The player's seat, beside opponents.
        how: Which rules are in the prompt: "short", "whole" or "none".
        error_allowance: How many refused answers in a row a player may give. One more loses the game.
        **options: The game's options.

    Raises:
        ValueError: An argument is not possible.
    """

    def __init__(
        self, name: str, opponents: Any = None, seat: int = 0, how: str = "short", error_allowance: int = 3, **options: Any
    ) -> None:
        super().__init__()
        self.table = TableEnv(game(name), **options)
        players = self.table.variant.players
        check_choice("how", how, RULES)
        if check_seat(seat, self.table.variant) is None:
            raise ValueError(f"seat must be an integer from 0 to {players - 1}, got None")
        self.opponents = None if opponents is None else resolve(opponents, self.table.variant)
        self.seats = list(range(players)) if self.opponents is None else [seat]
        self.how = how
        self._begun = False
        self.error_allowance = error_allowance

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a new game.

        Args:
            num_players: How many seats are asked: one beside opponents, else the game's number of players.
            seed: What gives the game.

        Raises:
            ValueError: It is another number.
        """
        if num_players != len(self.seats):
            raise ValueError(f"num_players must be {len(self.seats)} here, got {num_players}")
        kinds: dict[int, Any] = {1: ta.SinglePlayerState, 2: ta.TwoPlayerState}
        self.state: Any = kinds.get(num_players, ta.FFAMultiPlayerState)(
            num_players=num_players, seed=seed, error_allowance=self.error_allowance
        )
        self.table.reset(seed=seed)
        self._agents = self._seat_opponents(seed)
        roles = {place: f"player_{seat}" for place, seat in enumerate(self.seats)}
        self.state.reset(game_state={"game": self.table.game.name}, player_prompt_function=self._prompt, role_mapping=roles)
        self._begun = True
        self._play_others()
        if len(self.seats) > 1:
            self._pass_turn()
        self._show()

    def step(self, action: str) -> tuple[bool, Any]:
        """Play the action that an answer names, then the opponents.

        Args:
            action: The answer of a model.

        Returns:
            Whether the game is over, and TextArena's information about the step.

        Raises:
            GameOverError: The game has not begun.
        """
        if not self._begun:
            raise GameOverError("the game has not begun: call reset() first")
        table, state = self.table, self.state
        state.add_observation(
            from_id=state.current_player_id,
            to_id=state.current_player_id,
            message=action,
            observation_type=ta.ObservationType.PLAYER_ACTION,
        )
        found = read_answer(action, table)
        if found.action is None:
            self._refuse(found.reason)
        else:
            table.step(found.action)
            self._play_others()
            if self._is_over():
                self._finish()
        ended = state.step() if len(self.seats) == 1 else state.step(rotate_player=False)
        if found.action is not None and not ended[0]:
            if len(self.seats) > 1:
                self._pass_turn()
            self._show()
        return ended

    def _refuse(self, reason: str) -> None:
        """TextArena counts refused answers; one too many loses."""
        state = self.state
        is_out = state.set_invalid_move(reason=reason)
        if is_out and not state.done:  # with more than two players TextArena leaves it to the game
            loser = state.current_player_id
            state.set_game_outcome({place: -1.0 if place == loser else 1.0 for place in range(len(self.seats))}, reason=reason)

    def _pass_turn(self) -> None:
        self.state.manually_set_current_player_id(self.seats.index(self.table.possible_agents.index(self.table.agent_selection)))

    def get_board_str(self) -> str:
        """The board as the player to move sees it."""
        return board(self.table)

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        return f"{system_prompt(self.table.variant, self.how)}\n\nYou are player_{self.seats[player_id]}."

    def _seat_opponents(self, seed: int | None) -> dict[int, Any]:
        """The agent of each seat that is no player's."""
        if self.opponents is None:
            return {}
        others = [seat for seat in range(self.table.variant.players) if seat not in self.seats]
        drawn = range(len(others)) if self.opponents.by_seat else self.opponents.draw(np.random.default_rng(seed), (len(others),))
        self.opponents.new_games()
        return {seat: self.opponents.agents[place] for seat, place in zip(others, drawn, strict=True)}

    def _is_over(self) -> bool:
        return any(self.table.terminations.values()) or any(self.table.truncations.values())

    def _play_others(self) -> None:
        table = self.table
        while not self._is_over():
            agent = self._agents.get(table.possible_agents.index(table.agent_selection))
            if agent is None:
                return
            table.step(int(agent.act(given_to(agent, table.decision()))[0]))

    def _show(self) -> None:
        """Board and choices, to the player to move alone: what others hide stays hidden."""
        table = self.table
        question = f"{board(table).strip()}\n\nYour legal actions:\n{choices(table.game.actions, table.legal_actions())}"
        place = self.seats.index(table.possible_agents.index(table.agent_selection))
        self.state.add_observation(to_id=place, message=question, observation_type=ta.ObservationType.GAME_BOARD)

    def _finish(self) -> None:
        table, state = self.table, self.state
        infos = [table.infos[table.possible_agents[seat]] for seat in self.seats]
        scores = ", ".join(f"{agent} {info['score']}" for agent, info in table.infos.items())
        rewards = {place: 1.0 if info["rank"] == 1 else -1.0 for place, info in enumerate(infos)}
        if len(self.seats) == 1:
            state.set_outcome(rewards[0], reason=f"Final scores: {scores}")
            return
        state.rewards, state.done = rewards, True
        for place in rewards:
            state.game_info[place]["reason"] = f"Final scores: {scores}"


def make(name: str, **arguments: Any) -> TradewindsEnv:
    """Make the TextArena environment of a game; `TradewindsEnv` has the arguments.

    Args:
        name: The name of a game.
        **arguments: Those of `TradewindsEnv`.
    """
    return TradewindsEnv(name, **arguments)


def _register_games() -> None:
    """Give every game its ids in TextArena's registry."""
    for name in games():
        words = "".join(word.capitalize() for word in name.split("_"))
        env_id = f"Tradewinds-{words}-v{game(name).version}"
        if env_id not in ENV_REGISTRY:  # this module may be imported again
            wrappers: dict[str, Any] = {"default": [ta.wrappers.LLMObservationWrapper]}
            register_with_versions(env_id, TradewindsEnv, wrappers, name=name)


_register_games()
