"""The PettingZoo door: one game, seat by seat."""

import hashlib
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ..engine.buffers import new_buffers
from ..engine.kernel import records
from ..engine.rng import STATE, drawn, new_tape, script
from ..io import save
from ..render.places import mark
from ..render.raster import pixels
from ..spec.fields import Status
from ..spec.game import Game, Variant
from .batch import check_seed
from .decisions import Decisions
from .errors import FormatError, GameOverError, IllegalActionError

RENDER_MODES = ("ansi", "rgb_array", "human")


class TableEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """A PettingZoo AEC environment over a game's kernels; it contains no rule.

    Observations are `{"observation": float32 vector, "action_mask": int8 vector}`, egocentric: the seat itself first, then clockwise. The
    mask of a seat that is not to move is all zero. Decisions with one answer are not asked. An illegal action raises an IllegalActionError
    and leaves the game as it was. At the end `infos[agent]` holds the seat's final score and rank.
    """

    def __init__(self, game: Game, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r} is not possible; it is None or one of {', '.join(RENDER_MODES)}")
        self.game = game
        self.variant: Variant = game.with_options(**options)
        self.render_mode = render_mode
        self.metadata = {"name": game.env_id, "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2}
        self.possible_agents = [f"player_{seat}" for seat in range(self.variant.players)]
        self.agents = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_space = spaces.Discrete(len(game.actions))
        self._observation_space = spaces.Dict(
            {
                "observation": self.variant.layout.space,
                "action_mask": spaces.Box(0, 1, (len(game.actions),), np.int8),
            }
        )
        self.state_space = self.variant.state_layout.space
        self._loops = game.loops
        self._b = new_buffers(self.variant, np.stack([new_tape(0)]))
        self._one_action, self._one_row = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._seeded = False
        self._moves: list[tuple[int, int, tuple[int, ...]]] = []  # seat, action, chance results
        self._opening: tuple[int, ...] = ()  # chance results of the set-up

    # What PettingZoo asks for

    def observation_space(self, agent: str) -> spaces.Dict:
        self._seat(agent)
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        self._seat(agent)
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A fresh game. Without a seed the stream goes on, so that one seed gives one row of games. `options` is not used."""
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
        self._seeded = True
        script(self._b.streams[0], scripted)
        self._loops.reset(self._b, self._one_row, 0, 1, 0)
        self._moves = []
        self._opening = drawn(self._b.streams[0])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._b.seats[0]]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:  # type: ignore[override]
        """Play an action for `agent_selection`; None for an agent whose game is over."""
        if not self.agents:
            raise GameOverError("the game is over, or has not begun: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise GameOverError(f"the game is over: {agent} may only step(None), or call reset() for a new game")
            self._leave(agent)
            return
        self._step(action, ())

    def _step(self, action: Any, scripted: tuple[int, ...]) -> None:
        b = self._b
        chosen = self.game.actions.check_id(action)
        seat = int(b.seats[0])
        if not b.masks[0, chosen]:
            raise IllegalActionError(self.game.actions, chosen, self.legal_actions(), f"{self.agent_selection} to move")
        places = self.game.spot(self.record()[0], seat, chosen).places if self.render_mode == "rgb_array" and self.game.spot else ()
        script(b.streams[0], scripted)
        self._one_action[0] = chosen
        self._loops.step(b, self._one_action, self._one_row, self.variant.reward, 0, 0, 1, 0)
        self._moves.append((seat, chosen, drawn(b.streams[0])))
        self._played_at = self._moves[-1], places
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
            self.infos[agent] = {"score": int(b.results[0, 0, seat]), "rank": int(b.results[0, 1, seat])}
        self._accumulate_rewards()

    def _leave(self, agent: str) -> None:
        """An agent whose game is over steps down; the next in seat order is asked to do so."""
        for facts in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del facts[agent]
        self.agents.remove(agent)
        self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        b, seat = self._b, self._seat(agent)
        if seat == b.seats[0]:
            return {"observation": b.observations[0].copy(), "action_mask": b.masks[0, : len(self.game.actions)].astype(np.int8)}
        out = np.empty(self.variant.layout.size, np.float32)
        self._loops.look(b, 0, seat, 0, out)
        return {"observation": out, "action_mask": np.zeros(len(self.game.actions), np.int8)}

    def state(self) -> np.ndarray:
        """All that there is, for centralised critics: the vector of player_0 under visibility="open", with nothing hidden."""
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
        """Nothing is open that needs closing."""

    # What Tradewinds adds

    def describe(self, action: int) -> str:
        """The action's name."""
        return self.game.actions.describe(action)

    def parse(self, name: str) -> int:
        """The action of that name."""
        return self.game.actions.parse(name)

    def legal_actions(self) -> list[int]:
        """The ids that the seat to move may play."""
        return np.flatnonzero(self._b.masks[0]).tolist()

    def decision(self) -> Decisions:
        """What the seat to move is asked, for an agent: `env.step(agent.act(env.decision())[0])`. The same seed and moves give the same."""
        if not self.agents or any(self.terminations.values()) or any(self.truncations.values()):
            raise GameOverError("there is no decision: the game is over, or has not begun")
        # One way only: an agent that learns its seed does not learn the game's.
        drawn_from = f"{self._b.seeds[0]}:{len(self._moves)}".encode()
        seed = int.from_bytes(hashlib.blake2b(drawn_from, digest_size=8).digest(), "little")
        return Decisions(self.variant, self._b, np.zeros(1, np.int64), np.array([seed], np.uint64))

    @property
    def moves(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Every decision so far: seat, action, and what chance brought after it."""
        return self._moves[:]

    def record(self) -> np.recarray:
        """A copy of the whole record, secrets and all: an array of one."""
        return self._b.states.view(np.ndarray).copy().view(np.recarray)

    def view(self, agent: str) -> np.record:
        """A copy of the record as this seat may see it, with HIDDEN (-1) where it may not; all of it once the game is over."""
        state = self._b.states.view(np.ndarray)
        if self._b.states["status"][0] != Status.RUNNING:
            return state.copy().view(np.recarray)[0]
        return self.variant.masked_view(state, self._seat(agent))

    def svg(self, agent: str | None = None) -> str:
        """The board as an SVG picture, as `agent` sees it."""
        seat = self._seat(agent or self.agent_selection)
        return self.game.svg(self.view(self.possible_agents[seat]), seat)

    def save(self) -> bytes:
        """The running game, moves and randomness included; the same game goes on after `load`."""
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
        }
        b = self._b
        arrays = {"state": b.states.view(np.ndarray), "stream": b.streams[:, STATE], "seed": b.seeds, "results": b.results}
        return save.pack(self.game, facts, arrays)

    def load(self, data: bytes) -> None:
        """Go on with a saved game. A save that cannot be read raises a FormatError and leaves this game as it was."""
        facts, arrays = save.unpack(self.game, data)
        for name, value in self.variant.options.items():
            if facts["options"].get(name) != value:
                raise FormatError(f"this save has {name}={facts['options'].get(name)!r}, this environment {name}={value!r}")
        wrong = self.game.fields.out_of_bounds(arrays["state"])
        if wrong:
            raise FormatError(f"this save holds an impossible game: {'; '.join(wrong)}")
        b = self._b
        b.states.view(np.ndarray)[:] = arrays["state"]
        b.streams[:, STATE] = arrays["stream"]
        b.seeds[:] = arrays["seed"]
        b.results[:] = arrays["results"]
        script(b.streams[0], ())
        self._loops.refresh(b, 0, 1, 0)
        self._seeded = True
        self._moves = [(seat, action, tuple(chance)) for seat, action, chance in facts["moves"]]
        self._opening = tuple(facts["opening"])
        self.agents = facts["agents"]
        self.agent_selection = facts["agent_selection"]
        self.rewards = facts["rewards"]
        self._cumulative_rewards = facts["cumulative"]
        status = b.states["status"][0]
        self.terminations = dict.fromkeys(self.agents, bool(status == Status.ENDED))
        self.truncations = dict.fromkeys(self.agents, bool(status == Status.TRUNCATED))
        over = status != Status.RUNNING
        self.infos = {
            agent: {"score": int(b.results[0, 0, seat]), "rank": int(b.results[0, 1, seat])} if over else {}
            for agent, seat in self._seat_of.items()
            if agent in self.agents
        }

    @property
    def unwrapped(self) -> "TableEnv":
        return self

    def __str__(self) -> str:
        return self.game.env_id

    def __reduce__(self) -> tuple[Any, ...]:
        # states and raw share their memory, which neither pickle nor deepcopy would keep; a save does.
        return _env_again, (self.game, self.render_mode, self.variant.options, self.save() if self._seeded else None)

    def _seat(self, agent: str) -> int:
        seat = self._seat_of.get(agent)
        if seat is None:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        return seat


def _env_again(game: Game, render_mode: str | None, options: dict[str, Any], saved: bytes | None) -> TableEnv:
    env = TableEnv(game, render_mode, **options)
    if saved is not None:
        env.load(saved)
    return env
