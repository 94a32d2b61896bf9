"""The PettingZoo environment: one game, seat by seat."""

import hashlib
from typing import Any, Literal, SupportsIndex, overload

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ..engine.buffers import Buffers, copy_buffers, new_buffers
from ..engine.kernel import records
from ..engine.rng import STATE, drawn, new_tape, script
from ..engine.threads import Task
from ..io import save
from ..io.parse import is_integer
from ..io.states import put, refresh
from ..render.places import mark
from ..render.raster import pixels
from ..spec.fields import Status, Visibility
from ..spec.game import Game, Variant
from ..spec.rewards import pay_rewards
from .batch import Owner, check_seed
from .breakdown import breakdown
from .decisions import Decisions
from .errors import FormatError, GameOverError, IllegalActionError
from .spaces import LegalActions

RENDER_MODES = ("ansi", "rgb_array", "human")
NOT_RUNNING = "the game is over, or has not begun: call reset() first"
RESET, STEP, REFRESH = int(Task.RESET), int(Task.STEP), int(Task.REFRESH)


def refuse_reset_options(options: Any, variant: Variant) -> None:
    """Raise a ValueError if `reset` was given options: it has none.

    `{"options": 1}` is let through: PettingZoo's `api_test` resets with it to see whether the argument is there.
    """
    if options and options != {"options": 1}:
        given, possible = ", ".join(map(repr, options)), ", ".join(option.name for option in variant.game.options)
        raise ValueError(f"reset() has no options, got {given}; those of {variant.game.name} are given to make(): {possible}")


class TableEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """One game of Puerto Rico, Container, Santiago de Cuba or any registered board game, as a PettingZoo AEC environment.

    Observations are `{"observation": float32 vector, "action_mask": int8 vector}`, egocentric: the seat itself first, then clockwise. The
    mask of a seat that is not to move is all zero. Decisions with one answer are played without asking. An illegal action raises an
    IllegalActionError and leaves the game as it was. `infos[agent]` always has the keys `score` and `rank`: 0 until the game is over, then
    the seat's final score and its rank, 1 for the winner; and `breakdown`: the points of each of `sources`, which add up to the
    score, zeros until then; `breakdown()` has them by name.

    Args:
        game: The game.
        render_mode: None, "ansi", "rgb_array" or "human".
        **options: The game's options; `game.options` lists them.
    """

    def __init__(self, game: Game, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be None or one of {', '.join(RENDER_MODES)}, got {render_mode!r}")
        self.game = game
        self.variant: Variant = game.with_options(**options)
        self.__doc__ = f"{game.title} for {self.variant.players} players as a PettingZoo AEC environment.\n\n{type(self).__doc__}"
        self.render_mode = render_mode
        self.metadata = {"name": game.env_id, "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2}
        self.possible_agents = [f"player_{seat}" for seat in range(self.variant.players)]
        self.agents = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space = self.variant.state_space
        self.sources = tuple(breakdown(game, self.variant.blank[0])[0])  # what points come from, as `infos` list them
        self._loops = game.loops
        self._actions = len(game.actions)
        self._seeded = False
        self._is_redealt = False
        self._moves: list[tuple[int, int, tuple[int, ...]]] = []  # seat, action, chance results
        self._opening: tuple[int, ...] = ()  # chance results of the set-up
        self._hold(new_buffers(self.variant, np.stack([new_tape(0)])))

    def _hold(self, b: Buffers) -> None:
        """Adopt these buffers, and set up what depends on them."""
        self._b = b
        self._stream = b.streams[0]
        self._owner = Owner("environment")
        self._one_action, self._one_row = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._action_space: LegalActions | None = None  # made when it is asked for, since copies rarely need one

    def _run(self, task: int) -> None:
        """One of the compiled loops on the one game. Callers whose game others may know hold `_owner`."""
        self._loops.run(self._b, self._one_action, self._one_row, self._b.streams, task, 0, self.variant.reward, 1, 0)

    # The PettingZoo interface

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of `observe(agent)`, the same for all agents."""
        self._seat(agent)
        return self.variant.observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """All actions; `sample()` without a mask draws a legal one for the seat to move."""
        self._seat(agent)
        if self._action_space is None:
            self._action_space = LegalActions(self._actions, self._b.masks[0, : self._actions].view(np.int8))
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: Seed of the game. Without one the random stream continues, so that one seed determines a sequence of games.
            options: None; there are none. The game's options are arguments of `make`.

        Raises:
            ValueError: There is an option.
        """
        refuse_reset_options(options, self.variant)
        if seed is not None:
            self._b.streams[0, STATE] = check_seed(seed)
        elif not self._seeded:
            self._b.streams[0, STATE] = np.random.SeedSequence().generate_state(1, np.uint64)[0]
        self._start(())

    def _restart(self, seed: int, scripted: tuple[int, ...]) -> None:
        """A game whose chance results are given, as from a replay."""
        self._b.streams[0, STATE] = check_seed(seed)
        self._start(scripted)

    def _start(self, scripted: tuple[int, ...]) -> None:
        with self._owner:
            self._seeded, self._is_redealt = True, False
            script(self._stream, scripted)
            self._run(RESET)
            self._moves = []
            self._opening = drawn(self._stream)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._results()
        self.agent_selection = self.possible_agents[self._b.seats[0]]
        if self.render_mode == "human":
            self.render()

    def step(self, action: SupportsIndex | None) -> None:  # type: ignore[override]
        """Play an action for `agent_selection`.

        Args:
            action: Any integer type; None for an agent whose game is over.

        Raises:
            IllegalActionError: The action is not legal; the game is as it was.
            GameOverError: The game is over, or has not begun.
        """
        if not self.agents:
            raise GameOverError(NOT_RUNNING)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise GameOverError(f"the game is over: {agent} may only step(None), or call reset() for a new game")
            self._leave(agent)
            return
        self._step(action, ())

    def _step(self, action: Any, scripted: tuple[int, ...]) -> None:
        b = self._b
        is_plain = type(action) is int and 0 <= action < self._actions  # as nearly always
        chosen = action if is_plain else self.game.actions.check_id(action)
        with self._owner:  # from the check to the play, or another thread may play in between
            seat = int(b.seats[0])
            if not b.masks[0, chosen]:
                raise IllegalActionError(self.game.actions, chosen, self.legal_actions(), f"{self.agent_selection} to move")
            spot = self.game.spot(self.record()[0], seat, chosen) if self.render_mode == "rgb_array" and self.game.spot else None
            script(self._stream, scripted)
            self._one_action[0] = chosen
            self._run(STEP)
            self._moves.append((seat, chosen, drawn(self._stream)))
        if spot is not None:
            self._played_at = self._moves[-1], spot.places
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.agent_selection = self.possible_agents[b.seats[0]]
        if b.finished[0]:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        b = self._b
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(b.rewards[0, seat])
            self.terminations[agent] = not b.truncated[0]
            self.truncations[agent] = bool(b.truncated[0])
        self.infos = self._results()
        self._accumulate_rewards()

    def _results(self) -> dict[str, dict[str, Any]]:
        """Score and rank of each agent; zeros while the game is running."""
        is_over = self._b.states["status"][0] != Status.RUNNING
        results = self._b.results[0] if is_over else np.zeros_like(self._b.results[0])
        scores, ranks = results.tolist()
        nothing = {agent: dict.fromkeys(self.sources, 0) for agent in self.agents}
        points = self.breakdown() if is_over else nothing
        return {
            agent: {"score": scores[self._seat_of[agent]], "rank": ranks[self._seat_of[agent]], "breakdown": tuple(points[agent].values())}
            for agent in self.agents
        }

    def _leave(self, agent: str) -> None:
        """Remove an agent whose game is over; the next in seat order becomes `agent_selection`."""
        for facts in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del facts[agent]
        self.agents.remove(agent)
        self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    @overload
    def last(self, observe: Literal[True] = True) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]: ...

    @overload
    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]: ...

    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """Observation, cumulative reward, termination, truncation and info of the agent to move.

        Args:
            observe: Whether to include the observation; it is None otherwise.

        Raises:
            GameOverError: The game is over and all agents are done, or it has not begun.
        """
        if not self.agents:
            raise GameOverError(NOT_RUNNING)
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now: its vector, and its legal actions if it is to move.

        Args:
            agent: Any seat, such as player_0; it need not be the one to move.

        Raises:
            GameOverError: The game has not begun.
        """
        self._check_begun()
        b, seat = self._b, self._seat(agent)
        if seat == b.seats[0]:
            return {"observation": b.observations[0].copy(), "action_mask": b.masks[0, : self._actions].astype(np.int8)}
        out = np.empty(self.variant.layout.size, np.float32)
        self._loops.look(b, 0, seat, 0, out)
        return {"observation": out, "action_mask": np.zeros(self._actions, np.int8)}

    def state(self) -> np.ndarray:
        """The whole state as a vector, for centralised critics: that of player_0 under visibility="open", with nothing hidden."""
        self._check_begun()
        whole = self._b.states.view(np.ndarray).copy()
        whole["visibility"] = 1
        out = np.empty(self.variant.state_layout.size, np.float32)
        self.game.kernels["observe"](records(whole)[0], 0, out)
        return out

    def render(self, agent: str | None = None) -> Any:
        """The board as text, as pixels, or printed to the terminal.

        Args:
            agent: Whose view it is. By default, text is the view of the seat to move, and pixels are a spectator's view for videos: seats
                stay where they are, nothing is hidden and the last move is outlined. Do not show such pixels to players.
        """
        if self.render_mode is None:
            raise ValueError(f"render() needs a render_mode, one of {', '.join(RENDER_MODES)}; give one to make()")
        self._check_begun()
        if self.render_mode == "rgb_array" and agent is None:
            return pixels(mark(self.game.svg(self.record()[0], None), self._last_places()))
        seat = self._seat(agent or self.agent_selection)
        view = self.view(self.possible_agents[seat])
        if self.render_mode == "rgb_array":
            return pixels(self.game.svg(view, seat))
        text = self.game.text(view, seat)
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    _played_at: tuple[Any, tuple[str, ...]] = (None, ())  # the last move and its places

    def _last_places(self) -> tuple[str, ...]:
        """Where the last move was played; nothing after `reset` or `load`, which forget it."""
        move, places = self._played_at
        return places if self._moves and self._moves[-1] is move else ()

    def close(self) -> None:
        """Do nothing: there are no open resources."""

    # Beyond PettingZoo

    def describe(self, action: int) -> str:
        """The action's name.

        Args:
            action: The id of an action.
        """
        return self.game.actions.describe(action)

    def parse(self, name: str) -> int:
        """The action of that name.

        Args:
            name: The name that `describe` gives.
        """
        return self.game.actions.parse(name)

    def legal_actions(self) -> list[int]:
        """The ids that the seat to move may play."""
        return np.flatnonzero(self._b.masks[0]).tolist()

    def decision(self) -> Decisions:
        """What the seat to move is asked, for an agent: `env.step(agent.act(env.decision())[0])`.

        The same seed and moves give the same decision, its random seed included.

        Raises:
            GameOverError: The game is over, or has not begun.
        """
        if not self.agents or any(self.terminations.values()) or any(self.truncations.values()):
            raise GameOverError("there is no decision: the game is over, or has not begun")
        # One way only: an agent that learns its seed does not learn the game's.
        drawn_from = f"{self._b.seeds[0]}:{len(self._moves)}".encode()
        seed = int.from_bytes(hashlib.blake2b(drawn_from, digest_size=8).digest(), "little")
        return Decisions(self.variant, self._b, np.zeros(1, np.int64), np.array([seed], np.uint64))

    def breakdown(self) -> dict[str, dict[str, int]]:
        """Where each agent's final score comes from, {agent: {source: points}}; the points add up to the score.

        Raises:
            GameOverError: The game is not over.
        """
        if self._b.states["status"][0] == Status.RUNNING or not self._seeded:
            raise GameOverError("there are no final scores: the game has not ended")
        return dict(zip(self.possible_agents, breakdown(self.game, self._b.states.view(np.ndarray)[0]), strict=True))

    @property
    def moves(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Every decision so far: seat, action, and the chance results drawn after it. After `redeal`: those since then."""
        return self._moves[:]

    def record(self) -> np.recarray:
        """A copy of the whole record, secrets and all: an array of one."""
        return self._b.states.view(np.ndarray).copy().view(np.recarray)

    def view(self, agent: str) -> np.record:
        """A copy of the record as this seat may see it, with HIDDEN (-1) where it may not; all of it once the game is over.

        Args:
            agent: The seat that looks, such as player_0.
        """
        state = self._b.states.view(np.ndarray)
        if self._b.states["status"][0] != Status.RUNNING:
            return state.copy().view(np.recarray)[0]
        return self.variant.masked_view(state, self._seat(agent))

    def svg(self, agent: str | None = None) -> str:
        """The board as an SVG picture, as `agent` sees it.

        Args:
            agent: The seat that looks; None: the one to move.
        """
        seat = self._seat(agent or self.agent_selection)
        return self.game.svg(self.view(self.possible_agents[seat]), seat)

    def copy(self) -> "TableEnv":
        """An independent environment in the same state, with the same past moves and the same random stream."""
        env = object.__new__(type(self))
        env.__dict__.update(self.__dict__)
        env._hold(copy_buffers(self._b))
        env._moves = self._moves[:]
        env.agents = self.agents[:]
        if self._seeded:
            env.rewards = self.rewards.copy()
            env._cumulative_rewards = self._cumulative_rewards.copy()
            env.terminations = self.terminations.copy()
            env.truncations = self.truncations.copy()
            env.infos = {agent: info.copy() for agent, info in self.infos.items()}
        return env

    def redeal(self, agent: str, seed: int, perfect_recall: bool = True) -> "TableEnv":
        """A determinization: a new environment in which everything that `agent` cannot know is drawn again, for planning.

        What the agent knows, the legal actions on its own turn included, is as here. Hidden cards, stock and everything else it cannot see,
        the randomness ahead and the record of past moves, are not: `moves` begins empty, and there is no replay of such a game. It can be
        played on, copied and saved like any other. Once the game is over nothing is hidden, and this is a plain copy.

        Args:
            agent: The agent whose information is kept.
            seed: Seed of the hidden part and of all later chance results.
            perfect_recall: Whether the agent remembers everything it has seen, and so knows what stands behind a screen since it saw it
                taken; if not, only what it sees now under the game's `visibility`.

        Raises:
            GameOverError: The game has not begun.
        """
        self._check_begun()
        seat, env, variant = self._seat(agent), self.copy(), self.variant
        b, stream = env._b, np.array([[check_seed(seed)]], np.uint64)
        if b.states["status"][0] != Status.RUNNING:
            return env
        b.words[0] |= (variant.open_mask if perfect_recall else variant.visibility_mask)[seat]
        states = b.states.view(np.ndarray)
        if perfect_recall:
            states["visibility"] = Visibility.OPEN
        self._loops.redeal_all(b, np.array([seat], np.int8), stream)
        states["visibility"] = variant.visibility
        b.streams[:], b.seeds[:] = 0, check_seed(seed)
        b.streams[:, STATE] = stream[:, 0]
        env._moves, env._opening, env._is_redealt = [], (), True
        env._run(REFRESH)
        return env

    def save(self) -> bytes:
        """The running game as bytes, moves and randomness included; the same game continues after `load`.

        Raises:
            GameOverError: The game has not begun.
        """
        if not self._seeded:
            raise GameOverError("there is no game to save yet: call reset() first")
        facts = {
            "options": self.variant.options,
            "agents": self.agents,
            "agent_selection": self.agent_selection,
            "cumulative": self._cumulative_rewards,
            "rewards": self.rewards,
            "moves": self._moves,
            "opening": self._opening,
            "redealt": self._is_redealt,
        }
        return save.pack(self.game, facts, self._saved_arrays())

    def _saved_arrays(self) -> dict[str, np.ndarray]:
        b = self._b
        results = b.results if b.states["status"][0] != Status.RUNNING else np.zeros_like(b.results)  # else those of an earlier game
        return {"state": b.states.view(np.ndarray), "stream": b.streams[:, STATE], "seed": b.seeds, "results": results}

    def load(self, data: bytes) -> None:
        """Continue a saved game.

        The moves are played again from the seed, and the position that they lead to must be the saved one. The position of a redealt game
        does not follow from its moves: it is checked by itself.

        Args:
            data: What `save` returned, in a game with the same options.

        Raises:
            FormatError: The save cannot be read, or its moves do not lead to its position; this game is as it was.
        """
        facts, arrays = save.unpack(self.variant, data, self._saved_arrays())
        opening, moves = _chance(facts.get("opening")), _moves(facts.get("moves"))
        is_redealt = facts.get("redealt", False)
        env = self.copy()
        env.render_mode = None
        try:
            if is_redealt is True:
                env._place(opening, moves, arrays)
            else:
                env._play_again(int(arrays["seed"][0]), opening, moves)
        except FormatError:
            raise
        except (ValueError, RuntimeError) as error:
            raise FormatError(f"this save holds an impossible game: {error}") from None
        found_arrays = env._saved_arrays()
        if type(is_redealt) is not bool or any(arrays[name].tobytes() != found_arrays[name].tobytes() for name in arrays):
            raise FormatError("this save holds an impossible game: its moves do not lead to its position")
        env._seat_agents(facts)
        put(self._b, env._b)
        self._seeded, self._is_redealt = True, is_redealt
        self._moves, self._opening = env._moves, env._opening
        self.agents, self.agent_selection = env.agents, env.agent_selection
        self.rewards, self._cumulative_rewards = env.rewards, env._cumulative_rewards
        self.terminations, self.truncations, self.infos = env.terminations, env.truncations, env.infos

    def _play_again(self, seed: int, opening: tuple[int, ...], moves: list[tuple[int, int, tuple[int, ...]]]) -> None:
        """Play a saved game from its beginning, with the same chance results."""
        self._restart(seed, opening)
        b, loops, reward = self._b, self._loops, self.variant.reward
        if self._opening != opening:
            raise FormatError("this save holds an impossible game: other chance results than the set-up draws")
        for number, (seat, action, chance) in enumerate(moves, 1):
            if seat != b.seats[0] or not 0 <= action < len(self.game.actions) or not b.masks[0, action]:
                raise FormatError(f"this save holds an impossible game: move {number} is not legal")
            script(b.streams[0], chance)
            self._one_action[0] = action
            loops.run(b, self._one_action, self._one_row, b.streams, STEP, 0, reward, 1, 0)
            if drawn(self._stream) != chance:
                raise FormatError(f"this save holds an impossible game: other chance results than move {number} draws")
        self._moves = moves
        script(b.streams[0], ())

    def _place(self, opening: tuple[int, ...], moves: list[tuple[int, int, tuple[int, ...]]], arrays: dict[str, np.ndarray]) -> None:
        """Take the position of a redealt game, whose moves begin with it."""
        b, actions, players = self._b, len(self.game.actions), self.variant.players
        if opening or any(seat >= players or action >= actions for seat, action, _ in moves):
            raise FormatError("this save holds an impossible game: a redealt one has no set-up, and moves of its own players")
        b.states.view(np.ndarray)[:] = arrays["state"]
        b.streams[:] = 0
        b.streams[:, STATE] = arrays["stream"]
        b.seeds[:] = arrays["seed"]
        refresh(self.variant, b)
        is_over = b.states["status"][0] != Status.RUNNING
        b.finished[0], b.truncated[0] = is_over, b.states["status"][0] == Status.TRUNCATED
        b.results[:], b.rewards[:] = 0, 0
        if is_over:
            self._loops.score(b.states[0], b.results[0])
            pay_rewards(b.results[0], self.variant.reward, b.rewards[0])
        self._moves, self._opening = moves, ()

    def _seat_agents(self, facts: dict[str, Any]) -> None:
        """Who is still there, and what PettingZoo's dictionaries say of them; everything but the agents follows from the game."""
        agents, selection, over = facts.get("agents"), facts.get("agent_selection"), bool(self._b.finished[0])
        everyone = self.possible_agents
        if not isinstance(agents, list) or agents != [agent for agent in everyone if agent in agents] or (not over and agents != everyone):
            raise FormatError("this save holds an impossible game: its agents are not those of the game")
        is_first = len(agents) == len(everyone)
        mover = everyone[self._b.seats[0]] if is_first else agents[0] if agents else selection
        if not isinstance(mover, str) or selection != mover or mover not in everyone:
            raise FormatError(f"this save holds an impossible game: it is not the turn of {selection!r}")
        status = self._b.states["status"][0]
        earned = [float(reward) for reward in self._b.rewards[0]] if over else [0.0] * len(everyone)
        self.agents, self.agent_selection = agents, str(mover)
        self._cumulative_rewards = {agent: earned[self._seat_of[agent]] for agent in agents}
        self.rewards = dict(self._cumulative_rewards) if is_first else dict.fromkeys(agents, 0)  # as PettingZoo clears them
        self.terminations = dict.fromkeys(agents, bool(status == Status.ENDED))
        self.truncations = dict.fromkeys(agents, bool(status == Status.TRUNCATED))
        self.infos = self._results()
        if facts.get("rewards") != self.rewards or facts.get("cumulative") != self._cumulative_rewards:
            raise FormatError("this save holds an impossible game: its rewards are not those of the game")

    @property
    def unwrapped(self) -> "TableEnv":
        """This environment: there is no wrapper around it."""
        return self

    def __str__(self) -> str:
        return self.game.env_id

    def __repr__(self) -> str:
        return f"TableEnv({self.variant.describe()}, render_mode={self.render_mode!r})"

    def __copy__(self) -> "TableEnv":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> "TableEnv":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # states and words share their memory, which pickle would not keep; a save does.
        return _env_again, (self.game, self.render_mode, self.variant.options, self.save() if self._seeded else None)

    def _check_begun(self) -> None:
        if not self._seeded:
            raise GameOverError("the game has not begun: call reset() first")

    def _seat(self, agent: str) -> int:
        seat = self._seat_of.get(agent)
        if seat is None:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        return seat


def _chance(given: Any) -> tuple[int, ...]:
    if not isinstance(given, list) or not all(is_integer(value, 0, 2**32 - 1) for value in given):
        raise FormatError("this save holds an impossible game: chance results must be integers from 0 to 2**32 - 1")
    return tuple(given)


def _moves(given: Any) -> list[tuple[int, int, tuple[int, ...]]]:
    if not isinstance(given, list):
        raise FormatError("this save holds an impossible game: it has no list of moves")
    moves = []
    for move in given:
        if not isinstance(move, list) or len(move) != 3 or not all(is_integer(number, 0, 2**31) for number in move[:2]):
            raise FormatError(f"this save holds an impossible game: {move!r} is not a move")
        moves.append((move[0], move[1], _chance(move[2])))
    return moves


def _env_again(game: Game, render_mode: str | None, options: dict[str, Any], saved: bytes | None) -> TableEnv:
    env = TableEnv(game, render_mode, **options)
    if saved is not None:
        env.load(saved)
    return env
